import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { lookedUp, update } from "../../../src/engine/graph/Update.ts"
import { fingerprintDifference, snapshotFingerprint } from "./fingerprint.ts"
import { fresh, Line, type Tree, treeOf } from "./Line.ts"
import { histories, languagesOfTrees, tweaked } from "./trees.ts"

const differenceOf = async (snapshot: Snapshot, tree: Tree) =>
  fingerprintDifference(snapshotFingerprint(snapshot), snapshotFingerprint(await fresh(tree)))

// Enough files beside those of a test that a change of one is a small change.
const ballast: { readonly [path: string]: string } = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`ballast/n${i}.ts`, `export const only${i} = ${i}\n`])
)

/** Goes from one tree to another and says what was looked up on the way. */
const step = async (
  before: { readonly [path: string]: string },
  after: { readonly [path: string]: string }
) => {
  using line = new Line()
  await line.to(treeOf({ ...ballast, ...before }))
  const tree = treeOf({ ...ballast, ...after })
  const snapshot = await line.to(tree)
  return { difference: await differenceOf(snapshot, tree), looked: lookedUp(snapshot)! }
}

describe("files under new stats", () => {
  it("are no news: one among them that changed is looked up alone", async () => {
    using line = new Line()
    await line.to(treeOf({ ...ballast, "a.ts": "export const a = 1\n" }))
    const before = line.snapshot
    const tree = treeOf({ ...ballast, "a.ts": "export const a = only1\n" })
    const after = await line.to(tree)
    const entries = after.files.flatMap((file) =>
      file === undefined ? [] : [{ ...file, mtimeMs: file.mtimeMs + 1 }]
    )
    const next = update(before, { entries, removed: [], units: before.units, at: before.at }, () => undefined)
    expect(await differenceOf(next, tree)).toEqual([])
    expect(lookedUp(next)).toEqual({ files: 1, all: false })
  })
})

const runs = Number(process.env["PORTICO_HISTORIES"] ?? 8)

describe("an update equals an index from nothing", () => {
  for (const language of [...languagesOfTrees, undefined]) {
    it(`over any history of ${language ?? "several languages"}`, { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(histories(language, 8), async ({ start, steps }) => {
          using line = new Line()
          let tree: Tree = treeOf(ballast)
          for (const edit of start) tree = tweaked(tree, { _tag: "Write", edit })
          await line.to(tree)
          for (const [number, tweaks] of steps.entries()) {
            const before = tree
            for (const tweak of tweaks) tree = tweaked(tree, tweak)
            const snapshot = await line.to(tree)
            const difference = await differenceOf(snapshot, tree)
            if (difference.length > 0) {
              const changed = [...new Set([...before.keys(), ...tree.keys()])].filter(
                (p) => before.get(p) !== tree.get(p)
              )
              throw new Error(
                [
                  `step ${number}: ${difference.join("\n")}`,
                  ...changed.map((p) => `${p} before:\n${before.get(p)}\nafter:\n${tree.get(p)}`),
                  ...[...tree].filter(([p]) => !p.startsWith("ballast/")).map(([p, c]) => `== ${p}\n${c}`)
                ].join("\n")
              )
            }
          }
        }),
        {
          numRuns: runs,
          ...(process.env["PORTICO_SEED"] === undefined ? {} : { seed: Number(process.env["PORTICO_SEED"]) })
        }
      )
    })
  }
})

describe("an update looks up again", () => {
  const chain = {
    "a.ts":
      "export class A { go() { return this } }\nexport function make() { const x = 1; return new A() }\n",
    "b.ts": 'export { make as build } from "./a"\n',
    "c.ts": 'export * from "./b"\n',
    "d.ts": 'import { build } from "./c"\nbuild().go()\n'
  }
  const fileOfBallast = Object.keys(ballast).length

  it("one file when only a body changed, wherever its definitions moved to", async () => {
    const after = {
      ...chain,
      "a.ts": `\n\n${chain["a.ts"].replace("const x = 1", "const x = () => 2, y = class { m() {} }")}`
    }
    expect(await step(chain, after)).toEqual({ difference: [], looked: { files: 1, all: false } })
  })
  it("whoever uses a name, through re-exports under other names", async () => {
    const after = { ...chain, "a.ts": chain["a.ts"].replace("return new A()", "return new Date()") }
    const { difference, looked } = await step(chain, after)
    expect(difference).toEqual([])
    expect(looked.all).toBe(false)
    expect(looked.files).toBeLessThan(fileOfBallast)
  })
  it("nothing of another language", async () => {
    const python = Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [`p${i}.py`, `def q${i}():\n    pass\n`])
    )
    const { difference, looked } = await step(
      { ...chain, ...python },
      { ...chain, ...python, "new.py": "def fresh():\n    pass\n" }
    )
    expect({ difference, looked }).toEqual({ difference: [], looked: { files: 6, all: false } })
  })

  const kinds = "export class A { go() {} }\nexport class B { go() {} }\n"
  const walked = (end: string) => ({
    "a.ts": kinds,
    "walk.ts": `import { A, B } from "./a"
export interface Walk { next(): IteratorResult<never, ${end}>; other(): A | B }
`,
    "gen.ts": 'import type { Walk } from "./walk"\nexport declare class Gen { [Symbol.iterator](): Walk }\n',
    "make.ts": 'import type { Gen } from "./gen"\nexport declare const make: () => Gen\n',
    "use.ts": 'import { make } from "./make"\nexport function* f() { const x = yield* make(); x.go() }\n'
  })
  const built = (given: string) => ({
    "a.ts": kinds,
    "c.ts": `import { A, B } from "./a"
export class C { constructor(f: (x: ${given}) => void) {}; a(): A | B { throw 0 } }
`,
    "d.ts": 'import { C } from "./c"\nexport class D extends C {}\n',
    "use.ts": 'import { D } from "./d"\nexport const made = new D((x) => x.go())\n'
  })
  const told = (type: string) => ({
    "a.ts": kinds,
    "is.ts": `import { A, B } from "./a"\nexport declare function isOne(x: unknown): x is ${type}\nexport type Any = A | B\n`,
    "use.ts": 'import { type Any, isOne } from "./is"\nexport const f = (x: Any) => (isOne(x) ? x.go() : 0)\n'
  })
  for (const [name, before, after] of [
    ["what is iterated, where nothing names its iterator", walked("A"), walked("B")],
    ["a constructor, where only its class is named", built("A"), built("B")],
    ["a guard", told("A"), told("B")],
    [
      "a module that comes to be",
      { "d.ts": chain["d.ts"], "c.ts": chain["c.ts"], "b.ts": chain["b.ts"] },
      chain
    ],
    ["a barrel that goes", chain, { "a.ts": chain["a.ts"], "b.ts": chain["b.ts"], "d.ts": chain["d.ts"] }],
    ["a star that goes", chain, { ...chain, "c.ts": "export {}\n" }],
    [
      "a default export that is another",
      { "a.ts": "class A { go() {} }\nexport default new A()\n", "d.ts": 'import it from "./a"\nit.go()\n' },
      {
        "a.ts": "class A { go() {} }\nclass B { go() {} }\nexport default new B()\n",
        "d.ts": 'import it from "./a"\nit.go()\n'
      }
    ],
    [
      "a script that becomes a module",
      { "s.js": "function shared() {}\n", "t.js": "shared()\n" },
      { "s.js": "function shared() {}\nexport {}\n", "t.js": "shared()\n" }
    ],
    [
      "a base class that is another",
      {
        "a.ts": "export class P { go() {} }\nexport class Q { go() {} }\nexport class C extends P {}\n",
        "d.ts": 'import { C } from "./a"\nnew C().go()\n'
      },
      {
        "a.ts": "export class P { go() {} }\nexport class Q { go() {} }\nexport class C extends Q {}\n",
        "d.ts": 'import { C } from "./a"\nnew C().go()\n'
      }
    ],
    [
      "a second member of a name",
      { "a.ts": "export class P { only() {} }\n", "d.js": "function f(x) { x.only() }\n" },
      {
        "a.ts": "export class P { only() {} }\nexport class Q { only() {} }\n",
        "d.js": "function f(x) { x.only() }\n"
      }
    ],
    [
      "a mapping of paths",
      {
        "tsconfig.json": '{"extends":"./base.json"}',
        "base.json": '{"compilerOptions":{"paths":{"@/*":["x/*"]}}}',
        "x/m.ts": "export const v = 1\n",
        "y/m.ts": "export const v = 1\n",
        "d.ts": 'import { v } from "@/m"\nv\n'
      },
      {
        "tsconfig.json": '{"extends":"./base.json"}',
        "base.json": '{"compilerOptions":{"paths":{"@/*":["y/*"]}}}',
        "x/m.ts": "export const v = 1\n",
        "y/m.ts": "export const v = 1\n",
        "d.ts": 'import { v } from "@/m"\nv\n'
      }
    ],
    [
      "a Rust module that moves into the file",
      {
        "Cargo.toml": '[package]\nname = "x"\n',
        "src/lib.rs": "pub mod m;\npub fn f() { m::g() }\n",
        "src/m.rs": "pub fn g() {}\n"
      },
      {
        "Cargo.toml": '[package]\nname = "x"\n',
        "src/lib.rs": "pub mod m {}\npub fn f() { m::g() }\n",
        "src/m.rs": "pub fn g() {}\n"
      }
    ],
    [
      "a Python import that moves into a function",
      { "m.py": "from n import g\n", "n.py": "def g(): pass\n", "u.py": "import m\nm.g()\n" },
      { "m.py": "def f():\n    from n import g\n", "n.py": "def g(): pass\n", "u.py": "import m\nm.g()\n" }
    ],
    [
      "a Go module of another name",
      {
        "go.mod": "module a.b/c\n",
        "main.go": 'package main\nimport "a.b/c/p"\nfunc main() { p.F() }\n',
        "p/p.go": "package p\nfunc F() {}\n"
      },
      {
        "go.mod": "module a.b/d\n",
        "main.go": 'package main\nimport "a.b/c/p"\nfunc main() { p.F() }\n',
        "p/p.go": "package p\nfunc F() {}\n"
      }
    ],
    [
      "an include in a header",
      {
        "m.c": '#include "m.h"\nint main(void) { return g(); }\n',
        "m.h": "\n",
        "a.h": "int g(void);\n",
        "b.h": "int g(void);\n"
      },
      {
        "m.c": '#include "m.h"\nint main(void) { return g(); }\n',
        "m.h": '#include "b.h"\n',
        "a.h": "int g(void);\n",
        "b.h": "int g(void);\n"
      }
    ],
    [
      "a circle of Python packages",
      { "p/__init__.py": "from .zzz import *\n" },
      { "p/__init__.py": "from p.zzz import *\nfrom .zzz import a\n" }
    ],
    [
      "a circle of Go types",
      { "t.go": "package t\ntype A = B\ntype B = C\n" },
      { "t.go": "package t\ntype A = B\ntype B = A\nfunc (x *A) M() { x.N() }\n" }
    ]
  ] as ReadonlyArray<
    readonly [string, { readonly [path: string]: string }, { readonly [path: string]: string }]
  >) {
    it(`what follows from ${name}`, async () => {
      expect((await step(before, after)).difference).toEqual([])
      expect((await step(after, before)).difference).toEqual([])
    })
  }
})
