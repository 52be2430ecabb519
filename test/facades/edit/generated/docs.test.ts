import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { served } from "../../read/support.ts"
import { treeHash } from "./support.ts"

const day = 86400

/** A repository with an old commit of Ada's and a new one of Grace's. */
const repository = Effect.gen(function* () {
  const one = yield* served({})
  const { folder, write } = one
  folder.init()
  const commit = (author: string, subject: string, age: number) => {
    const at = `@${Math.floor(Date.now() / 1000) - age} +0000`
    execFileSync("git", ["add", "-A"], { cwd: folder.path })
    execFileSync(
      "git",
      ["-c", `user.name=${author}`, "-c", "user.email=a@example.org", "commit", "-q", "-m", subject],
      {
        cwd: folder.path,
        env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
      }
    )
  }
  write("src/old.ts", "export function old() {\n  return 1\n}\n")
  write("src/live.ts", "export function one() {\n  return 1\n}\nexport function two() {\n  return 2\n}\n")
  commit("Ada | Lovelace", "first <b>", 400 * day)
  write(
    "src/live.ts",
    "export function one() {\n  return 1\n}\nexport function two() {\n  const x = 2\n  return x\n}\n"
  )
  write("lib/new.ts", "export const fresh = 1\n")
  commit("Grace", "second", day)
  write("lib/later.ts", "export const later = 1\n")
  return one
})

const docs = (options: object, format = "json") => ({
  operation: "docs",
  options,
  output: { format, max_bytes: 0 }
})

it.scopedLive("tells what changed in the window, who owns folders and what nobody touches", () =>
  Effect.gen(function* () {
    const { call, folder } = yield* repository
    const before = treeHash(folder.path)
    const answer = yield* call("edit", docs({}))
    expect(answer["sections"]).toEqual(["recent", "ownership", "stale"])
    const found = JSON.parse(answer["content"])
    expect(found.window).toBe("168h")
    expect(found.commits).toBe(2)
    expect(found.recent.commits).toBe(1)
    expect(
      found.recent.by_folder.map(({ authors, commits, files, folder: name }: any) => [
        name,
        commits,
        files,
        authors
      ])
    ).toEqual([
      ["lib", 1, 1, ["Grace"]],
      ["src", 1, 1, ["Grace"]]
    ])
    expect(found.recent.by_symbol.map(({ id, lines }: any) => [id, lines])).toEqual([
      ["src/live.ts::two", 2],
      ["lib/later.ts::later", 1],
      ["lib/new.ts::fresh", 1]
    ])
    expect(found.ownership).toEqual([
      { folder: "src", owner: "Ada | Lovelace", commits: 1, of: 2, authors: 2 },
      { folder: "lib", owner: "Grace", commits: 1, of: 1, authors: 1 }
    ])
    expect(found.stale.map(({ author, path }: any) => [path, author])).toEqual([
      ["src/old.ts", "Ada | Lovelace"],
      ["lib/new.ts", "Grace"],
      ["src/live.ts", "Grace"]
    ])
    expect(found.untouched).toBe(1)
    expect((yield* call("edit", docs({})))["content"]).toBe(answer["content"])
    expect(treeHash(folder.path)).toBe(before)
  })
)

it.scopedLive("blames symbols on request, stays under a prefix, and writes Markdown whose cells hold", () =>
  Effect.gen(function* () {
    const { call, folder } = yield* repository
    const blamed = JSON.parse(
      (yield* call("edit", docs({ include: "blame", path_prefix: "src" })))["content"]
    )
    expect(blamed.recent).toBeUndefined()
    expect(blamed.blame.map(({ author, id, subject }: any) => [id, author, subject])).toEqual([
      ["src/live.ts::two", "Grace", "second"],
      ["src/live.ts::one", "Ada | Lovelace", "first <b>"],
      ["src/old.ts::old", "Ada | Lovelace", "first <b>"]
    ])
    const whole = JSON.parse((yield* call("edit", docs({ since: "100w", include: ["recent"] })))["content"])
    expect(whole.recent).toMatchObject({ commits: 2, whole_history: true })
    const none = JSON.parse((yield* call("edit", docs({ since: "1h", include: ["recent"] })))["content"])
    expect(none.recent).toEqual({ commits: 0, by_folder: [], by_symbol: [] })
    const written = yield* call("edit", docs({ output_path: "docs/living.md", run_blame: true }, "markdown"))
    expect(written).toMatchObject({
      output_path: "docs/living.md",
      format: "markdown",
      sections: ["recent", "ownership", "stale", "blame"]
    })
    expect(
      yield* call("edit", docs({ output_path: "docs/living.md", run_blame: true }, "markdown"))
    ).toMatchObject({ changed: false })
    const text = readFileSync(folder.at("docs/living.md"), "utf8")
    expect(Buffer.byteLength(text)).toBe(written["bytes"])
    expect(text).toContain("| `src` | Ada \\| Lovelace | 1 of 2 | 2 |")
    expect(text).toContain("first \\<b\\>")
    for (const line of text.split("\n").filter((each) => each.startsWith("| ")))
      expect([3, 4, 5]).toContain(line.replaceAll("\\|", "").split("|").length - 2)
  })
)

it.scopedLive("a window that is none and a folder without history are refused", () =>
  Effect.gen(function* () {
    const { call, folder, refused } = yield* repository
    const before = treeHash(folder.path)
    const window = yield* refused("edit", docs({ since: "soon" }))
    expect(window).toMatchObject({ field: "options.since", reason_code: "invalid_window" })
    expect(window.recovery?.arguments).toMatchObject({ operation: "docs", options: { since: "168h" } })
    const code = yield* refused("edit", docs({ output_path: "src/old.ts" }))
    expect(code).toMatchObject({ field: "options.output_path", reason_code: "holds_code" })
    expect(treeHash(folder.path)).toBe(before)
    const plain = yield* served({ "a.ts": "export const a = 1\n" })
    expect((yield* plain.refused("edit", docs({}))).code).toBe("capability_unavailable")
    expect(
      JSON.parse((yield* call("edit", docs({ since: "2020-01-01" })))["content"]).recent.whole_history
    ).toBe(true)
  })
)
