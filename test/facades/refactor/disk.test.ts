/** Renames between changes of the disk: each is judged by the problems of its own moment. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { statSync, utimesSync } from "node:fs"
import { IndexControl } from "../../../src/services/IndexControl.ts"
import { project, working } from "./support.ts"

const config = JSON.parse(project["tsconfig.json"]) as { readonly compilerOptions: object }
const mapped = (to: string) =>
  JSON.stringify({ type: "module", private: true, imports: { "#mapped": `./${to}.ts` } })
const dependency = (own: string) => `import type { Mapped } from "#mapped"
type Own = ${own}
type Marked = "yes" extends keyof Marks ? true : false
type Loose = undefined extends string ? true : false
export type Flag = true extends Own | Mapped | Marked | Loose ? true : false
`

/** While \`Flag\` is false there is an error that a rename of \`email\` leaves as it is; else the rename would bring it. */
const files = {
  ...project,
  "package.json": mapped("no"),
  "a.ts": `import type { Flag } from "./dep.ts"
export interface User { email: string }
export const held: true = null! as ("email" extends keyof User ? Flag : false)
`,
  "dep.ts": dependency("false"),
  "marks.d.ts": "interface Marks { no: true }\n",
  "no.ts": "export type Mapped = false\n",
  "yes.ts": "export type Mapped = true\n"
}

describe("a rename between changes of the disk", () => {
  it.scoped("is never judged by problems of an earlier state", () =>
    Effect.gen(function* () {
      const work = yield* working(files, { git: true, watch: true })
      const { folder } = work.folder
      const rename = {
        operation: "rename",
        target: { symbol: "a.ts::User.email" },
        new_name: "mail",
        dry_run: true
      }
      const admitted = Effect.map(work.refactor(rename), ({ status }) => expect(status).toBe("would_apply"))
      const refused = Effect.map(work.refused(rename), (failure) =>
        expect(failure).toMatchObject({ code: "edit_conflict", reason_code: "new_errors" })
      )
      const write = (path: string, text: string) => Effect.sync(() => work.folder.write(path, text))
      const remove = (path: string) => Effect.sync(() => work.folder.remove(path))
      const git = (...args: ReadonlyArray<string>) => Effect.sync(() => folder.git("", ...args))

      yield* admitted
      // What the file depends on, written by somebody else.
      yield* write("dep.ts", dependency("true"))
      yield* refused
      yield* write("dep.ts", dependency("false"))
      yield* admitted
      // The same length, and the time of before.
      const { atime, mtime } = statSync(folder.at("dep.ts"))
      yield* write("dep.ts", dependency("true "))
      yield* Effect.sync(() => utimesSync(folder.at("dep.ts"), atime, mtime))
      yield* refused
      // Written by this program.
      yield* work.folder.call("edit", {
        operation: "file",
        target: { file: "dep.ts" },
        match: "Own = true ",
        replacement: "Own = false"
      })
      yield* admitted
      // What configures the compiler, and the package.
      yield* write(
        "tsconfig.json",
        JSON.stringify({ compilerOptions: { ...config.compilerOptions, strict: false } })
      )
      yield* refused
      yield* write("tsconfig.json", files["tsconfig.json"])
      yield* admitted
      yield* write("package.json", mapped("yes"))
      yield* refused
      yield* write("package.json", files["package.json"])
      yield* admitted
      // A file that nothing imports, new and gone.
      yield* write("more.d.ts", "interface Marks { yes: true }\n")
      yield* refused
      yield* remove("more.d.ts")
      yield* admitted
      // Another branch.
      yield* git("checkout", "-q", "-b", "other")
      yield* write("no.ts", files["yes.ts"])
      yield* refused
      yield* git("commit", "-q", "-a", "-m", "other")
      yield* git("checkout", "-q", "-")
      yield* admitted
      yield* git("checkout", "-q", "other")
      yield* refused
      // What is noticed when everything is indexed anew.
      yield* git("checkout", "-q", "-")
      yield* Effect.provide(
        Effect.flatMap(IndexControl, (index) => index.index),
        work.folder.context
      )
      yield* admitted
      yield* git("checkout", "-q", "other")
      yield* refused
      // The file itself.
      yield* write("a.ts", files["a.ts"].replace("Flag : false", "false : false"))
      yield* admitted
    })
  )
})
