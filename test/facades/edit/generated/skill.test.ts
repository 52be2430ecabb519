import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { served } from "../../read/support.ts"
import { filesBelow, treeHash } from "./support.ts"

const files = {
  "lib/http/client.ts":
    "/** Gets | a page. */\nexport function get(url: string): string {\n  const x = url\n  return x + '```' + '|'\n}\nexport class Client {\n  run() {\n    const secretLine = 1\n    return secretLine\n  }\n}\n",
  "lib/http/README.md": "# HTTP\n",
  "lib/http/data.json": '{ "a": 1 }\n',
  "lib/http/config.json": '{ "password": "hunter2-but-longer" }\n',
  "lib/http/token.ts": `export const token = "ghp_${"a1B2".repeat(10)}"\n`,
  "lib/http/.env": "API_KEY=abcdefghijklmnop123456\n",
  "lib/http/server.pem":
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n",
  "lib/http/logo.bin": Uint8Array.from([0, 1, 2, 3, 0, 255]),
  "lib/http/client.test.ts": "import { get } from './client.ts'\nget('x')\n",
  "other.ts": "export const other = 1\n"
}
const skill = (options: object, rest: object = {}) => ({
  operation: "skill",
  options: { directory: "lib/http", ...options },
  output: { max_bytes: 0 },
  ...rest
})

it.scoped(
  "a folder becomes a skill without its secrets and binaries; a dry run says the same and writes nothing",
  () =>
    Effect.gen(function* () {
      const { call, folder } = yield* served(files)
      const before = treeHash(folder.path)
      const dry = yield* call("edit", skill({}, { dry_run: true }))
      expect(treeHash(folder.path)).toBe(before)
      const done = yield* call("edit", skill({}))
      expect(done).toMatchObject({
        skill_name: "http",
        skill_path: ".claude/skills/http/SKILL.md",
        output_dir: ".claude/skills/http"
      })
      expect(done["references"].map(({ rel_path }: any) => rel_path)).toEqual([
        "references/README.md",
        "references/client.test.ts.md",
        "references/client.ts.md",
        "references/data.json.md"
      ])
      expect(dry["references"].map(({ rel_path }: any) => rel_path)).toEqual(
        done["references"].map(({ rel_path }: any) => rel_path)
      )
      expect(dry["skipped"]).toEqual(done["skipped"])
      const skipped = new Map(done["skipped"].map(({ path, reason }: any) => [path, reason]))
      expect(skipped.get("lib/http/config.json")).toBe("secrets")
      expect(skipped.get("lib/http/token.ts")).toBe("secrets")
      expect(skipped.get("lib/http/logo.bin")).toBe("binary")
      const bundle = filesBelow(folder.path).filter((path) => path.startsWith(".claude/"))
      expect(bundle).toHaveLength(5)
      for (const path of bundle) {
        const text = readFileSync(folder.at(path), "utf8")
        for (const secret of ["hunter2", "ghp_", "PRIVATE KEY", "abcdefghijklmnop"])
          expect(text).not.toContain(secret)
      }
      const page = readFileSync(folder.at(done["skill_path"]), "utf8")
      const front = /^---\nname: (.*)\ndescription: (.*)\nmetadata:\n {2}generator: portico\n---\n/.exec(
        page
      )!
      expect(front[1]).toBe("http")
      expect(JSON.parse(front[2]!)).toBe(done["description"])
      for (const [, to] of page.matchAll(/\]\(<([^>]+)>\)/g))
        expect(bundle).toContain(`.claude/skills/http/${to}`)
      expect(page).toContain("| `get` | function | lib/http/client.ts:2 |")
      const reference = readFileSync(folder.at(".claude/skills/http/references/client.ts.md"), "utf8")
      expect(reference).toBe(`\`\`\`\`typescript\n${files["lib/http/client.ts"]}\`\`\`\`\n`)
      for (const { bytes_written, rel_path } of done["references"])
        expect(readFileSync(folder.at(`.claude/skills/http/${rel_path}`)).length).toBe(bytes_written)
      // Once more is the same.
      const tree = treeHash(folder.path)
      yield* call("edit", skill({}))
      expect(treeHash(folder.path)).toBe(tree)
    })
)

it.scoped(
  "signatures stay and bodies go on request; globs and caps choose; what no longer fits is told",
  () =>
    Effect.gen(function* () {
      const { call, folder } = yield* served(files)
      yield* call("edit", skill({ output_dir: "skills/web" }))
      const done = yield* call(
        "edit",
        skill({
          output_dir: "skills/web",
          skill_name: "web-client",
          description: 'Says "how": \\ # yes',
          include_patterns: "*.ts,*.md",
          ignore_patterns: ["*.test.ts"],
          compress: true,
          max_references: 2
        })
      )
      expect(done["references"].map(({ compressed, rel_path }: any) => [rel_path, compressed])).toEqual([
        ["references/README.md", undefined],
        ["references/client.ts.md", true]
      ])
      expect(done["skipped"]).toEqual([{ path: "lib/http/token.ts", reason: "over_max_references" }])
      expect(done["leftovers"]).toEqual([
        "skills/web/references/client.test.ts.md",
        "skills/web/references/data.json.md"
      ])
      const reference = readFileSync(folder.at("skills/web/references/client.ts.md"), "utf8")
      expect(reference).toContain("export function get(url: string): string {\n  …\n}")
      expect(reference).not.toContain("secretLine = 1")
      const page = readFileSync(folder.at("skills/web/SKILL.md"), "utf8")
      expect(page).toContain('\ndescription: "Says \\"how\\": \\\\ # yes"\n')
    })
)

it.scoped("wrong names, empty folders and somebody else's skill are refused before anything is written", () =>
  Effect.gen(function* () {
    const { folder, refused, write } = yield* served(files)
    write(".claude/skills/http/SKILL.md", "---\nname: http\ndescription: mine\n---\n")
    const before = treeHash(folder.path)
    const name = yield* refused("edit", skill({ skill_name: "My Skill!" }))
    expect(name).toMatchObject({ field: "options.skill_name", reason_code: "invalid_skill_name" })
    expect(name.recovery?.arguments).toMatchObject({ options: { skill_name: "my-skill" } })
    const empty = yield* refused("edit", skill({ directory: "nowhere" }))
    expect(empty).toMatchObject({ code: "not_found", field: "options.directory" })
    const outside = yield* refused("edit", skill({ directory: "../x" }))
    expect(outside).toMatchObject({ code: "path_outside_root", field: "options.directory" })
    const away = yield* refused("edit", skill({ output_dir: "/tmp" }))
    expect(away).toMatchObject({ code: "path_outside_root", field: "options.output_dir" })
    const theirs = yield* refused("edit", skill({}))
    expect(theirs).toMatchObject({ code: "edit_conflict", reason_code: "file_exists" })
    const nothing = yield* refused("edit", skill({ include_patterns: "*.rb" }))
    expect(nothing).toMatchObject({ field: "options.include_patterns", reason_code: "nothing_to_bundle" })
    expect(treeHash(folder.path)).toBe(before)
  })
)
