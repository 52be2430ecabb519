import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { served } from "../../read/support.ts"

describe("analyze.cross_repo", () => {
  it.scoped("groups what crosses from one repository of the workspace to another", () =>
    Effect.gen(function* () {
      const at = yield* served({ "src/own.ts": "export const own = () => 1\n" }, { git: true })
      at.write("kit/index.ts", "export class Base {}\nexport const help = () => 1\n")
      execFileSync("git", ["init", "-q", join(at.folder.path, "kit")])
      at.write(
        "src/app.ts",
        `import { Base, help } from "../kit/index.ts"
export class App extends Base {}
export const run = () => help() + help()
`
      )
      const value = yield* at.call("analyze", { kind: "cross_repo" })
      assert.deepStrictEqual(
        value["dependencies"].map((row: any) => [row.to_repo, row.kind, row.count, row.samples[0].from]),
        [
          ["kit", "calls", 2, "src/app.ts::run"],
          ["kit", "extends", 1, "src/app.ts::App"]
        ]
      )
      const calls = yield* at.call("analyze", {
        kind: "cross_repo",
        options: { repo: "kit", base_kind: "extends" }
      })
      assert.strictEqual(calls["total"], 1)
    })
  )
})
