import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { changes, texts } from "../../../src/engine/git/Changes.ts"
import { diff, diffLimits, DiffParser, unquoteName } from "../../../src/engine/git/Diff.ts"
import { TempFolder } from "./TempRepo.ts"

const shortly = (found: {
  readonly files: ReadonlyArray<{ readonly kind: string; readonly path: string }>
}) => found.files.map(({ kind, path }) => `${kind} ${path}`)

describe("diff", () => {
  it.effect("gives hunks without context, in lines of both sides", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/a.ts", "one\ntwo\nthree\nfour\n")
      temp.write("r/empty", "")
      temp.commit("r", "one")
      temp.write("r/a.ts", "zero\none\nTWO\nfour\n")
      temp.write("r/empty", "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\ndiff --git a/a.ts b/a.ts")
      const found = yield* diff(temp.at("r"), { from: "index", to: "work_tree" })
      expect(shortly(found)).toEqual(["modified a.ts", "modified empty"])
      expect(found.files[0]!.hunks).toEqual([
        { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 },
        { oldStart: 2, oldLines: 2, newStart: 3, newLines: 1 }
      ])
      expect(found.files[1]!.hunks).toEqual([{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 4 }])
      expect(found.files.every(({ hunksComplete }) => hunksComplete)).toBe(true)
    })
  )

  it.effect("knows renames, deletions, modes, binaries, links and type changes apart", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      const long = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n")
      temp.write("r/moved.txt", long)
      temp.write("r/gone.txt", "gone\n")
      temp.write("r/run.sh", "echo\n")
      temp.write("r/image.bin", Buffer.from([0, 1, 2, 3]))
      temp.write("r/becomes-link", "text\n")
      symlinkSync("gone.txt", temp.at("r/link"))
      temp.commit("r", "one")
      temp.git("r", "mv", "moved.txt", "now here.txt")
      temp.write("r/now here.txt", long.replace("line 3\n", "line three\n"))
      rmSync(temp.at("r/gone.txt"))
      chmodSync(temp.at("r/run.sh"), 0o755)
      temp.write("r/image.bin", Buffer.from([0, 1, 2, 9]))
      rmSync(temp.at("r/becomes-link"))
      symlinkSync("run.sh", temp.at("r/becomes-link"))
      rmSync(temp.at("r/link"))
      symlinkSync("run.sh", temp.at("r/link"))
      const found = yield* changes(temp.at("r"), "", { scope: "all" })
      const by = Object.fromEntries(found.files.map((file) => [file.path, file]))
      expect(by["now here.txt"]).toMatchObject({
        kind: "renamed",
        previous_path: "moved.txt",
        hunks: [{ old_start: 4, old_lines: 1, new_start: 4, new_lines: 1 }]
      })
      expect(by["gone.txt"]).toMatchObject({ kind: "deleted", old_mode: "100644", new_mode: undefined })
      expect(by["run.sh"]).toMatchObject({
        kind: "modified",
        old_mode: "100644",
        new_mode: "100755",
        hunks: []
      })
      expect(by["image.bin"]).toMatchObject({ kind: "modified", binary: true, hunks: [] })
      expect(by["becomes-link"]).toMatchObject({ kind: "type_changed", type: "symlink" })
      expect(by["link"]).toMatchObject({ kind: "modified", type: "symlink" })
    })
  )

  it.effect("reads names with line breaks, quotes, tabs and other scripts, and says which are no UTF-8", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      const names = [
        "a\nb.ts",
        'say "hi".ts',
        "tab\there.ts",
        "back\\slash.ts",
        "größe 界.ts",
        " space .ts",
        "a b/a b"
      ]
      for (const name of names) temp.write(`r/${name}`, "one\n")
      writeFileSync(Buffer.concat([Buffer.from(temp.at("r")), Buffer.from([0x2f, 0xff, 0x61])]), "one\n")
      temp.commit("r", "one")
      for (const name of names) temp.write(`r/${name}`, "one\ntwo\n")
      writeFileSync(Buffer.concat([Buffer.from(temp.at("r")), Buffer.from([0x2f, 0xff, 0x61])]), "two\n")
      const found = yield* diff(temp.at("r"), { from: "index", to: "work_tree" })
      expect(found.files.map(({ path }) => path).sort()).toEqual([...names].sort())
      for (const file of found.files)
        expect(file.hunks).toEqual([{ oldStart: 1, oldLines: 0, newStart: 2, newLines: 1 }])
      expect(found.undecodable).toEqual(["\\xffa"])
    })
  )

  it.effect("lists a conflict as unmerged, whatever is compared", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/f", "a\nb\n")
      temp.commit("r", "one")
      temp.git("r", "checkout", "-q", "-b", "side")
      temp.write("r/f", "a\nX\n")
      temp.commit("r", "two")
      temp.git("r", "checkout", "-q", "main")
      temp.write("r/f", "a\nY\n")
      temp.commit("r", "three")
      expect(() => temp.git("r", "merge", "-q", "side")).toThrow()
      for (const scope of ["unstaged", "staged", "all"] as const) {
        const found = yield* changes(temp.at("r"), "", { scope })
        expect(shortly(found)).toEqual(["unmerged f"])
        expect(found.files[0]!.hunks_complete).toBe(false)
      }
    })
  )

  it.effect("tells how much it cut", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      const text = (word: string) =>
        Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? `${word}${i}` : "same")).join("\n")
      for (const name of ["a", "b", "c"]) temp.write(`r/${name}`, text("x"))
      temp.commit("r", "one")
      for (const name of ["a", "b", "c"]) temp.write(`r/${name}`, text("y"))
      const few = yield* diff(
        temp.at("r"),
        { from: "index", to: "work_tree" },
        { ...diffLimits, files: 2, hunksPerFile: 5 }
      )
      expect(shortly(few)).toEqual(["modified a", "modified b"])
      expect(few.files[0]!.hunks).toHaveLength(5)
      expect(few.cut).toEqual({ files: 1, hunks: 2 })
    })
  )

  it("stops at its bytes and leaves what it did not reach open", () => {
    const parser = new DiffParser({ files: 10, hunksPerFile: 10, bytes: 260 })
    const output = [
      ":100644 100644 1111111 2222222 M\ta",
      ":100644 100644 1111111 2222222 M\tb",
      "",
      "diff --git a/a b/a",
      "--- a/a",
      "+++ b/a",
      "@@ -1 +1 @@",
      "-x",
      `+${"y".repeat(100)}`,
      "diff --git a/b b/b",
      "--- a/b",
      "+++ b/b",
      "@@ -1 +1 @@"
    ].join("\n")
    let more = true
    for (const part of output.match(/[^]{1,7}/g)!) if (more) more = parser.push(Buffer.from(part))
    expect(more).toBe(false)
    const { cut, files } = parser.finish()
    expect(files.map(({ hunksComplete, path }) => [path, hunksComplete])).toEqual([
      ["a", true],
      ["b", false]
    ])
    expect(cut).toEqual({ files: 0, hunks: 1 })
  })

  it("takes the same from pieces of any size", () => {
    const whole = [
      ':100644 100644 1111111 2222222 R080\told name\t"new\\tname"',
      "",
      'diff --git a/old name "b/new\\tname"',
      "similarity index 80%",
      "rename from old name",
      'rename to "new\\tname"',
      "--- a/old name\t",
      '+++ "b/new\\tname"',
      "@@ -3,0 +4,2 @@ heading",
      "+diff --git a/x b/x",
      "+@@ -1 +1 @@",
      "\\ No newline at end of file",
      ""
    ].join("\n")
    for (let size = 1; size < 40; size++) {
      const parser = new DiffParser()
      for (let at = 0; at < whole.length; at += size) parser.push(Buffer.from(whole.slice(at, at + size)))
      expect(parser.finish().files).toEqual([
        {
          kind: "renamed",
          path: "new\tname",
          oldPath: "old name",
          similarity: 80,
          oldMode: 0o100644,
          newMode: 0o100644,
          oldOid: "1111111",
          newOid: "2222222",
          binary: false,
          hunks: [{ oldStart: 3, oldLines: 0, newStart: 4, newLines: 2 }],
          hunksComplete: true
        }
      ])
    }
  })

  it("reads C-quoted names", () => {
    expect(unquoteName('"a\\nb\\"c\\\\d\\303\\274"')).toBe('a\nb"c\\d\xc3\xbc')
    expect(unquoteName("plain")).toBe("plain")
  })
})

describe("changes", () => {
  it.effect("tells scopes apart, and untracked files from tracked ones", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/a", "1\n")
      temp.write("r/b", "1\n")
      temp.write("r/.gitignore", "ignored\n")
      const first = temp.commit("r", "one")
      temp.write("r/a", "2\n")
      temp.git("r", "add", "a")
      temp.write("r/b", "2\n")
      temp.write("r/new", "1\n")
      temp.write("r/ignored", "1\n")
      const of = (scope: "unstaged" | "staged" | "all") =>
        Effect.map(changes(temp.at("r"), "x/", { scope }), shortly)
      expect(yield* of("unstaged")).toEqual(["modified x/b", "untracked x/new"])
      expect(yield* of("staged")).toEqual(["modified x/a"])
      expect(yield* of("all")).toEqual(["modified x/a", "modified x/b", "untracked x/new"])
      const all = yield* changes(temp.at("r"), "", { scope: "all" })
      expect(all.from).toBe(first)
      expect(yield* texts(temp.at("r"), [all.files[0]!.old_blob!, "0".repeat(40)])).toEqual([
        "1\n",
        undefined
      ])
    })
  )

  it.effect("compares with where a base was left, and refuses one that names nothing", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/a", "1\n")
      const fork = temp.commit("r", "one")
      temp.git("r", "checkout", "-q", "-b", "side")
      temp.write("r/b", "1\n")
      temp.commit("r", "side")
      temp.git("r", "checkout", "-q", "main")
      temp.write("r/c", "1\n")
      const main = temp.commit("r", "main moves on")
      temp.git("r", "checkout", "-q", "side")
      temp.write("r/d", "1\n")
      const found = yield* changes(temp.at("r"), "", { scope: "compare", base: "main" })
      expect(shortly(found)).toEqual(["added b", "untracked d"])
      expect([found.base, found.from, found.unrelated]).toEqual([main, fork, false])
      for (const base of ["nowhere", "--output=x", ""]) {
        const refused = yield* Effect.flip(changes(temp.at("r"), "", { scope: "compare", base }))
        expect(["unknown_revision", "invalid_revision"]).toContain(refused.reason)
      }
    })
  )

  it.effect("works before the first commit and below the top level", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/sub/a", "1\n")
      temp.write("r/b", "1\n")
      temp.git("r", "add", "sub")
      expect(shortly(yield* changes(temp.at("r"), "", { scope: "staged" }))).toEqual(["added sub/a"])
      expect(shortly(yield* changes(temp.at("r"), "", { scope: "all" }))).toEqual([
        "untracked b",
        "added sub/a"
      ])
      expect(shortly(yield* changes(temp.at("r/sub"), "sub/", { scope: "all" }))).toEqual(["added sub/a"])
    })
  )

  it.effect("shows submodules as such and repositories inside as untouched", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("lib")
      temp.write("lib/a", "1\n")
      temp.commit("lib", "one")
      temp.init("r")
      temp.git("r", "submodule", "--quiet", "add", temp.at("lib"), "lib")
      temp.commit("r", "one")
      temp.write("r/lib/a", "2\n")
      temp.git("r/lib", "commit", "-qam", "two")
      temp.init("r/own")
      temp.write("r/own/x", "1\n")
      const found = yield* changes(temp.at("r"), "", { scope: "unstaged" })
      expect(shortly(found)).toEqual(["modified lib"])
      expect(found.files[0]!.type).toBe("submodule")
      expect(found.nested).toEqual(["own"])
    })
  )

  it.effect("runs no program a repository configures", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/.gitattributes", "*.txt filter=bad diff=bad\n")
      temp.write("r/a.txt", "1\n")
      temp.commit("r", "one")
      temp.git("r", "config", "filter.bad.clean", `touch ${temp.at("ran")}; cat`)
      temp.git("r", "config", "diff.bad.command", `touch ${temp.at("ran")}`)
      temp.git("r", "config", "diff.bad.textconv", `touch ${temp.at("ran")}; cat`)
      temp.git("r", "config", "diff.external", `touch ${temp.at("ran")}`)
      temp.git("r", "config", "diff.noprefix", "true")
      temp.write("r/a.txt", "2\n")
      const found = yield* changes(temp.at("r"), "", { scope: "unstaged" })
      expect(shortly(found)).toEqual(["modified a.txt"])
      expect(found.files[0]!.hunks).toHaveLength(1)
      expect(found.filters_not_run).toEqual(["bad"])
      expect(existsSync(temp.at("ran"))).toBe(false)
    })
  )
})
