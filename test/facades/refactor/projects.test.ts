/** Renames in folders of several projects. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compilerErrors, project, working } from "./support.ts"

const config = JSON.parse(project["tsconfig.json"]) as { readonly compilerOptions: object }
const own = (what: object) => JSON.stringify({ compilerOptions: config.compilerOptions, ...what })

const files = {
  "package.json": project["package.json"],
  "tsconfig.json": JSON.stringify({
    files: [],
    references: [{ path: "./tsconfig.build.json" }, { path: "./tsconfig.spec.json" }]
  }),
  "tsconfig.build.json": own({ include: ["src"], exclude: ["src/**/*.test.ts"] }),
  "tsconfig.spec.json": own({ include: ["src"] }),
  "tools/tsconfig.json": own({}),
  "src/pot.ts": "export class Pot { boil() { return 1 } }\nexport const fill = () => new Pot()\n",
  "src/kitchen.ts": 'import { fill } from "./pot.ts"\nexport const kitchen = () => ({ pot: fill() })\n',
  "src/pot.test.ts":
    'import { kitchen } from "./kitchen.ts"\nexport const t = [kitchen()].map((k) => k.pot.boil())\n',
  "tools/run.ts": 'import { kitchen } from "../src/kitchen.ts"\nkitchen().pot.boil()\n',
  // Of no project.
  "loose/one.ts": 'import { fill } from "../src/pot.ts"\nfill().boil()\n'
}

describe("a rename where there are several projects", () => {
  it.scoped("goes to uses in each, and to files of none", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const member = yield* work.refactor({
        operation: "rename",
        target: { symbol: "src/pot.ts::Pot.boil" },
        new_name: "cook"
      })
      expect(member).toMatchObject({ status: "applied", total_edits: 4 })
      const free = yield* work.refactor({
        operation: "rename",
        target: { symbol: "src/pot.ts::fill" },
        new_name: "take"
      })
      expect(free).toMatchObject({ status: "applied", total_edits: 5 })
      expect(work.tree()).toEqual(
        Object.fromEntries(
          Object.entries(files).map(([path, text]) => [
            path,
            path.endsWith(".ts") ? text.replaceAll(/\bboil\b/g, "cook").replaceAll(/\bfill\b/g, "take") : text
          ])
        )
      )
      // Half of it would be an error here.
      expect(compilerErrors(work.folder.folder.at("tsconfig.spec.json"))).toBe("")
      expect(compilerErrors(work.folder.folder.at("tools"))).toBe("")
    })
  )

  it.scoped("leaves what is asked of a namespace that keeps the old name", () =>
    Effect.gen(function* () {
      const kept = {
        ...project,
        "core.ts": "export function brew() { return 1 }\nexport const cup = brew()\n",
        "outer.ts": 'export { brew, cup } from "./core.ts"\n',
        "all.ts": 'export * as tea from "./outer.ts"\n',
        "use.ts":
          'import * as t from "./outer.ts"\nimport { tea } from "./all.ts"\nexport const n = t.brew() + tea.brew()\n'
      }
      const work = yield* working(kept)
      const done = yield* work.refactor({
        operation: "rename",
        target: { symbol: "core.ts::brew" },
        new_name: "steep"
      })
      expect(done["status"]).toBe("applied")
      expect(work.tree()).toEqual({
        ...kept,
        "core.ts": kept["core.ts"].replaceAll("brew", "steep"),
        "outer.ts": 'export { steep as brew, cup } from "./core.ts"\n'
      })
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )
})
