/** Names and modules written the way their surroundings have it. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { project, working } from "./support.ts"

it.scoped(
  "imports a moved text's modules as its neighbours write them, and those it names itself",
  () =>
    Effect.gen(function* () {
      const work = yield* working({
        ...project,
        "src/a.ts":
          'import { b } from "./b.js"\nexport const low = 1\nexport const f = async () => low + b + (await import("./b.js")).b\n',
        "src/b.ts": "export const b = 1\n",
        "lib/g.ts": 'import { b } from "../src/b.ts"\nexport const g = b\n',
        "c.tsx": "export const Box = (): any => null\nexport const x = <Box />\n"
      })
      yield* work.refactor({ operation: "move", target: { symbol: "src/a.ts::f" }, destination: "lib/f.ts" })
      expect(work.read("lib/f.ts")).toBe(
        'import { low } from "../src/a.ts"\nimport { b } from "../src/b.ts"\n\nexport const f = async () => low + b + (await import("../src/b.js")).b\n'
      )
      const refused = yield* work.refused({
        operation: "rename",
        target: { symbol: "c.tsx::Box" },
        new_name: "box"
      })
      expect([refused.reason_code, refused.field]).toEqual(["intrinsic_element", "new_name"])
    }),
  120_000
)

it.scoped(
  "moves what is imported elsewhere to a new module of Python",
  () =>
    Effect.gen(function* () {
      const work = yield* working(
        {
          "pkg/__init__.py": "",
          "pkg/core.py": "def load():\n    return 1\n\n\ndef here():\n    return __file__\n",
          "main.py": "from pkg.core import load\n\nprint(load())\n"
        },
        { servers: ["python"] }
      )
      const move = (name: string) => ({
        operation: "move",
        target: { symbol: `pkg/core.py::${name}` },
        destination: "pkg/sub/fresh.py"
      })
      expect((yield* work.refused(move("here"))).reason_code).toBe("bound_to_file")
      yield* work.refactor(move("load"))
      expect(work.read("main.py")).toBe("from pkg.sub.fresh import load\n\nprint(load())\n")
    }),
  120_000
)
