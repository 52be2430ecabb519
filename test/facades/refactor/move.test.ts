import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compilerErrors, project, working } from "./support.ts"

const move = (symbol: string, destination: string, more: object = {}) => ({
  operation: "move",
  target: { symbol },
  destination,
  ...more
})

const files = {
  ...project,
  "src/a.ts": `import { base, unused } from "./b.js"

export const keep = () => unused

/** Adds. */
export function add(x: number): number {
  return x + base + step
}

const step = 2
`,
  "src/b.ts": "export const base = 1\nexport const unused = 3\n",
  "src/barrel.ts": 'export { add, keep } from "./a.js"\n',
  "use.ts":
    'import { add, keep } from "./src/a.js"\nimport { add as plus } from "./src/barrel.js"\nexport const n = add(1) + plus(2) + keep()\n'
}

describe("move", () => {
  it.scoped("moves to a new file, with imports both ways", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const dry = yield* work.refactor(move("src/a.ts::add", "src/deep/math.ts", { dry_run: true }))
      expect(dry).toMatchObject({ status: "would_apply", target_id: "src/deep/math.ts::add" })
      expect(work.tree()).toEqual(files)
      yield* work.refactor(move("src/a.ts::add", "src/deep/math.ts"))
      expect(work.read("src/deep/math.ts")).toBe(`import { step } from "../a.js"
import { base } from "../b.js"

/** Adds. */
export function add(x: number): number {
  return x + base + step
}
`)
      expect(work.read("src/a.ts")).toBe(`import { unused } from "./b.js"

export const keep = () => unused

export const step = 2
`)
      expect(work.read("src/barrel.ts")).toBe(
        'export { keep } from "./a.js"\nexport { add } from "./deep/math.js"\n'
      )
      expect(work.read("use.ts")).toContain('import { add } from "./src/deep/math.js"')
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("moves to a file that is there, and imports it where it was", () =>
    Effect.gen(function* () {
      const work = yield* working({
        ...project,
        "a.ts": "const twice = (x: number) => 2 * x\n\nexport const four = twice(2)\n",
        "b.ts": "export const other = 1\n"
      })
      yield* work.refactor(move("a.ts::twice", "b.ts"))
      expect(work.read("b.ts")).toBe("export const other = 1\n\nexport const twice = (x: number) => 2 * x\n")
      expect(work.read("a.ts")).toBe('import { twice } from "./b.js"\n\nexport const four = twice(2)\n')
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("refuses a circle, a collision and what cannot be rewritten", () =>
    Effect.gen(function* () {
      const tree = {
        ...project,
        "a.ts": `export const low = 1
export const mid = () => low
export const high = () => mid()
export const taken = 1
export default function standard() { return 1 }
class Box { m() { return 1 } }
export const all = new Box()
`,
        "b.ts": "export const taken = 2\n",
        "c.ts": 'import * as a from "./a.js"\nexport const n = a.taken\n'
      }
      const work = yield* working(tree)
      const reasons: Array<unknown> = []
      for (const [symbol, to] of [
        ["a.ts::mid", "b.ts"],
        ["a.ts::taken", "b.ts"],
        ["a.ts::taken", "d.ts"],
        ["a.ts::standard", "d.ts"],
        ["a.ts::Box.m", "d.ts"],
        ["a.ts::low", "a.ts"],
        ["a.ts::low", "d.py"]
      ] as const)
        reasons.push((yield* work.refused(move(symbol, to))).reason_code)
      expect(reasons).toEqual([
        "circular_import",
        "name_taken",
        "qualified_use",
        "default_export",
        "not_top_level",
        "same_file",
        "other_language"
      ])
      expect(work.tree()).toEqual(tree)
    })
  )

  it.scoped("moves Python functions", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "pkg/__init__.py": "from .core import load\n",
        "pkg/core.py":
          'import os\nimport sys\n\n\ndef load(path):\n    return os.path.join(path, "a")\n\n\ndef keep():\n    return sys.argv\n',
        "pkg/io.py": '"""Input."""\n\n\ndef other():\n    return 1\n',
        "main.py": "from pkg.core import keep, load\n\nprint(load(keep()))\n"
      })
      yield* work.refactor(move("pkg/core.py::load", "pkg/io.py"))
      expect(work.read("pkg/core.py")).toBe("import sys\n\n\ndef keep():\n    return sys.argv\n")
      expect(work.read("pkg/io.py")).toBe(
        '"""Input."""\nimport os\n\n\ndef other():\n    return 1\n\n\ndef load(path):\n    return os.path.join(path, "a")\n'
      )
      expect(work.read("pkg/__init__.py")).toBe("from .io import load\n")
      expect(work.read("main.py")).toBe(
        "from pkg.core import keep\nfrom pkg.io import load\n\nprint(load(keep()))\n"
      )
    })
  )

  it.scoped("moves Go functions within a package and to another", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "go.mod": "module example.org/m\n\ngo 1.21\n",
        "store/a.go":
          'package store\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n// Say says.\nfunc Say(x int) string { return fmt.Sprint(x) }\n\nfunc Args() []string { return os.Args }\n',
        "store/b.go": "package store\n\nfunc twice() string { return Say(1) + Say(2) }\n",
        "main.go":
          'package main\n\nimport "example.org/m/store"\n\nfunc main() { println(store.Say(3), twice()) }\nfunc twice() int { return len(store.Args()) }\n'
      })
      yield* work.refactor(move("store/a.go::Say", "store/say.go"))
      expect(work.read("store/say.go")).toBe(
        'package store\n\nimport "fmt"\n\n// Say says.\nfunc Say(x int) string { return fmt.Sprint(x) }\n'
      )
      expect(work.read("store/a.go")).toBe(
        'package store\n\nimport (\n\t"os"\n)\n\nfunc Args() []string { return os.Args }\n'
      )
      const done = yield* work.refactor(move("store/say.go::Say", "voice/say.go"))
      expect(done).toMatchObject({ same_package: false, target_package: "voice/" })
      expect(work.read("voice/say.go")).toBe(
        'package voice\n\nimport "fmt"\n\n// Say says.\nfunc Say(x int) string { return fmt.Sprint(x) }\n'
      )
      expect(work.read("store/b.go")).toBe(
        'package store\n\nimport "example.org/m/voice"\n\nfunc twice() string { return voice.Say(1) + voice.Say(2) }\n'
      )
      expect(work.read("main.go")).toBe(
        'package main\n\nimport "example.org/m/store"\nimport "example.org/m/voice"\n\nfunc main() { println(voice.Say(3), twice()) }\nfunc twice() int { return len(store.Args()) }\n'
      )
    })
  )
})
