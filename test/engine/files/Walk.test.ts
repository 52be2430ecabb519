import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { census, statCensus } from "../../../src/engine/files/Census.ts"
import type { WalkResult } from "../../../src/engine/files/Walk.ts"
import { walk } from "../../../src/engine/files/Walk.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { nulList, TempFolder, withoutPrivilege } from "../git/TempRepo.ts"

const paths = (result: WalkResult) => result.entries.map((entry) => entry.path)
const reasons = (result: WalkResult) =>
  Object.fromEntries(result.skipped.map((item) => [item.path, item.reason]))
const gitsOwn = (temp: TempFolder, folder: string) =>
  nulList(temp.git(folder, "ls-files", "-co", "--exclude-standard", "-z"))

describe("walking a repository", () => {
  it.effect("finds what git tracks or would let you add, ignore files honoured at every level", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write(".gitignore", "*.log\n/build/\nnode_modules\n!keep.log\n")
      temp.write("src/.gitignore", "gen/\n!special.log\n*.tmp\n")
      temp.write("src/deep/.gitignore", "!*.tmp\n/only-here\n")
      for (const name of [
        "a.log",
        "keep.log",
        "build/x.js",
        "src/build/x.js",
        "src/gen/y.ts",
        "src/special.log",
        "src/a.tmp",
        "src/deep/b.tmp",
        "src/deep/only-here",
        "src/deep/er/only-here",
        "node_modules/p/i.js",
        "src/node_modules/p.js",
        "forced.log",
        "README.md"
      ])
        temp.write(name)
      temp.write(".git/info/exclude", "README.md\n")
      temp.git("", "add", "-f", "forced.log", "src/deep/b.tmp")
      const result = yield* walk(temp.path)
      expect(paths(result)).toEqual(gitsOwn(temp, ""))
      expect(paths(result)).toContain("forced.log")
      expect(paths(result)).not.toContain("README.md")
      expect(result.units).toMatchObject([{ root: "", kind: "git", problem: null }])
      expect(result.complete).toBe(true)
    })
  )

  it.effect(
    "agrees with git check-ignore on random trees and rules",
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            FastCheck.array(
              FastCheck.array(FastCheck.constantFrom("a", "b", "c.x", "d.y", "é", "- q"), {
                minLength: 1,
                maxLength: 3
              }),
              { minLength: 1, maxLength: 8 }
            ),
            FastCheck.array(
              FastCheck.tuple(
                FastCheck.constantFrom("", "a/", "b/"),
                FastCheck.array(
                  FastCheck.constantFrom(
                    "a",
                    "/a",
                    "a/",
                    "*.x",
                    "!c.x",
                    "**/d.y",
                    "b/*",
                    "!b/a",
                    "é",
                    "a/**",
                    "!a/",
                    "?",
                    "[ab]"
                  ),
                  { minLength: 1, maxLength: 3 }
                )
              ),
              { maxLength: 3 }
            ),
            async (files, rules) => {
              using git = new TempFolder()
              using plain = new TempFolder()
              git.init()
              for (const temp of [git, plain]) {
                for (const [folder, lines] of rules)
                  tryWrite(temp, `${folder}.gitignore`, `${lines.join("\n")}\n`)
                for (const parts of files) tryWrite(temp, parts.join("/"), "x\n")
              }
              const want = gitsOwn(git, "")
              expect(paths(await Effect.runPromise(walk(git.path)))).toEqual(want)
              // Our own walker, without any repository, must come to the same answer.
              expect(paths(await Effect.runPromise(walk(plain.path)))).toEqual(want)
            }
          ),
          { numRuns: 20 }
        )
      ),
    60_000
  )

  it.effect("gives index blob ids, and none for untracked or unmerged files", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write("a", "staged\n")
      temp.commit("", "one")
      temp.write("a", "on disk\n")
      temp.write("b")
      const result = yield* walk(temp.path)
      expect(result.entries.map((entry) => [entry.path, entry.indexOid, entry.size])).toEqual([
        ["a", blobOid(Buffer.from("staged\n")), 8],
        ["b", null, 2]
      ])
      rmSync(temp.at("a"))
      const later = yield* walk(temp.path)
      expect([paths(later), later.absent]).toEqual([["b"], 1])
    })
  )

  it.effect("walks a folder inside a repository, and an ignored folder on its own", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write(".gitignore", "*.log\nout/\n")
      temp.write("sub/a.ts")
      temp.write("sub/a.log")
      temp.write("other.ts")
      temp.write("out/x.ts")
      temp.commit("", "one")
      const sub = yield* walk(temp.at("sub"))
      expect([paths(sub), sub.units[0]!.kind]).toEqual([["a.ts"], "git"])
      const out = yield* walk(temp.at("out"))
      expect([paths(out), out.units[0]!.kind]).toEqual([["x.ts"], "plain"])
    })
  )

  it.effect("keeps to include and exclude patterns and counts what they drop", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      for (const name of ["a.ts", "b.js", "docs/c.ts", "gen/d.ts"]) temp.write(name)
      const result = yield* walk(temp.path, { include: ["*.ts"], exclude: ["gen/"] })
      expect([paths(result), result.excluded]).toEqual([["a.ts", "docs/c.ts"], 2])
      const few = yield* walk(temp.path, { maxEntries: 2 })
      expect([few.entries.length, few.complete]).toEqual([2, false])
    })
  )
})

describe("units below the root", () => {
  it.effect("are submodules, linked work trees and nested repositories with their own rules", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("lib")
      temp.write("lib/lib.ts")
      temp.write("lib/.gitignore", "*.out\n")
      const libHead = temp.commit("lib", "lib")
      temp.init("r")
      temp.write("r/.gitignore", "*.log\nhidden/\n")
      temp.write("r/main.ts")
      temp.commit("r", "one")
      temp.git("r", "submodule", "--quiet", "add", temp.at("lib"), "deps/lib")
      temp.commit("r", "with submodule")
      temp.write("r/deps/lib/new.ts")
      temp.write("r/deps/lib/new.out")
      temp.write("r/deps/lib/new.log")
      temp.git("r", "worktree", "add", "-q", "-b", "side", ".claude/worktrees/x")
      temp.init("r/play/inner")
      temp.write("r/play/inner/i.log")
      temp.write("r/play/outer.ts")
      temp.init("r/hidden/h")
      temp.write("r/hidden/h/secret.ts")
      const result = yield* walk(temp.at("r"))
      const unit = (root: string) => {
        const at = result.units.findIndex((one) => one.root === root)
        return {
          ...result.units[at]!,
          files: result.entries.filter((entry) => entry.unit === at).map((entry) => entry.path)
        }
      }
      expect(result.units.map((one) => one.root).sort()).toEqual([
        "",
        ".claude/worktrees/x",
        ".claude/worktrees/x/deps/lib",
        "deps/lib",
        "play/inner"
      ])
      expect(unit("")).toMatchObject({
        kind: "git",
        files: [".gitignore", ".gitmodules", "main.ts", "play/outer.ts"]
      })
      expect(unit("deps/lib")).toMatchObject({
        kind: "submodule",
        head: { oid: libHead },
        files: ["deps/lib/.gitignore", "deps/lib/lib.ts", "deps/lib/new.log", "deps/lib/new.ts"]
      })
      expect(unit(".claude/worktrees/x")).toMatchObject({
        kind: "linked-worktree",
        head: { ref: "refs/heads/side" },
        commonDir: temp.at("r/.git"),
        files: [".gitignore", ".gitmodules", "main.ts"].map((name) => `.claude/worktrees/x/${name}`)
      })
      expect(unit(".claude/worktrees/x/deps/lib")).toMatchObject({
        kind: "submodule",
        problem: "not_initialised",
        files: []
      })
      expect(unit("play/inner")).toMatchObject({ kind: "nested-repository", files: ["play/inner/i.log"] })
      expect(paths(result).some((path) => path.includes(".git/"))).toBe(false)
    })
  )

  it.effect("of a plain folder are repositories too", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("one")
      temp.write("one/.gitignore", "x\n")
      temp.write("one/x")
      temp.write("one/y")
      temp.write("z/x")
      temp.write("z/node_modules/m/i.js")
      temp.write("z/.git/not-a-repository")
      const result = yield* walk(temp.path)
      expect(paths(result)).toEqual(["one/.gitignore", "one/y", "z/x"])
      expect(result.units.map((unit) => [unit.root, unit.kind])).toEqual([
        ["", "plain"],
        ["one", "nested-repository"]
      ])
    })
  )

  it.effect("without a checkout, or broken, say so", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("lib")
      temp.write("lib/lib.ts")
      temp.commit("lib", "lib")
      temp.init("r")
      temp.git("r", "submodule", "--quiet", "add", temp.at("lib"), "lib")
      temp.commit("r", "one")
      temp.git("", "clone", "-q", temp.at("r"), "copy")
      const copy = yield* walk(temp.at("copy"))
      expect(copy.units).toMatchObject([
        { root: "" },
        { root: "lib", kind: "submodule", problem: "not_initialised" }
      ])
      temp.write("r/.git/index", "garbage")
      temp.write("r/kept.ts")
      const broken = yield* walk(temp.at("r"))
      expect(broken.units[0]).toMatchObject({ kind: "git", problem: "failed" })
      expect(paths(broken)).toContain("kept.ts")
      temp.init("away")
      temp.write("away/a.ts")
      temp.git("away", "config", "core.worktree", temp.at("lib"))
      const away = yield* walk(temp.at("away"))
      expect(away.units[0]).toMatchObject({ problem: "work_tree_elsewhere" })
      expect(paths(away)).toEqual(["a.ts"])
    })
  )
})

describe("hostile trees", () => {
  const odd = (temp: TempFolder) => {
    temp.write("ok.ts")
    temp.write("line\nbreak \"q\" 'q' \\ $x.ts")
    temp.write(" lead and trail ")
    writeFileSync(
      Buffer.concat([Buffer.from(temp.at("bad-")), Buffer.from([0xff, 0xfe]), Buffer.from(".ts")]),
      "x\n"
    )
    temp.write("bad-\ufffd\ufffd.ts")
    execFileSync("mkfifo", [temp.at("fifo")])
    symlinkSync("ok.ts", temp.at("inside"))
    symlinkSync("/etc/passwd", temp.at("outside"))
    symlinkSync("/etc", temp.at("outside-folder"))
    symlinkSync("gone", temp.at("dangling"))
    symlinkSync("../elsewhere/gone", temp.at("dangling-out"))
    symlinkSync("loop-b", temp.at("loop-a"))
    symlinkSync("loop-a", temp.at("loop-b"))
    mkdirSync(temp.at("d"))
    symlinkSync("..", temp.at("d/up"))
    symlinkSync(".", temp.at("d/self"))
  }
  const wantedReasons = {
    "bad-\\xff\\xfe.ts": "name_not_utf8",
    inside: "symlink",
    outside: "symlink_outside",
    "outside-folder": "symlink_outside",
    dangling: "symlink_dangling",
    "dangling-out": "symlink_outside",
    "loop-a": "symlink_loop",
    "loop-b": "symlink_loop",
    "d/up": "symlink",
    "d/self": "symlink"
  }
  const wantedPaths = [" lead and trail ", "bad-\ufffd\ufffd.ts", "line\nbreak \"q\" 'q' \\ $x.ts", "ok.ts"]

  it.effect("are indexed or skipped with a reason, in a repository", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      odd(temp)
      const result = yield* walk(temp.path)
      expect(paths(result)).toEqual(wantedPaths)
      // git never lists a FIFO, so there is nothing to say about it.
      expect(reasons(result)).toEqual(wantedReasons)
      temp.git("", "add", "-A")
      const tracked = yield* walk(temp.path)
      expect(paths(tracked)).toEqual(wantedPaths)
      expect(reasons(tracked)).toEqual(wantedReasons)
    })
  )

  it.effect("are indexed or skipped with a reason, without one", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      odd(temp)
      const server = createServer()
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(temp.at("socket"), resolve)))
      const result = yield* walk(temp.path)
      yield* Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
      expect(paths(result)).toEqual(wantedPaths)
      expect(reasons(result)).toEqual({ ...wantedReasons, fifo: "not_regular", socket: "not_regular" })
    })
  )

  it.effect("cannot lead a tracked path through a link that replaced its folder", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/dir/passwd")
      temp.write("elsewhere/passwd", "outside\n")
      temp.commit("r", "one")
      renameSync(temp.at("r/dir"), temp.at("moved"))
      symlinkSync(temp.at("elsewhere"), temp.at("r/dir"))
      const result = yield* walk(temp.at("r"))
      expect(paths(result)).toEqual([])
      expect(reasons(result)).toEqual({ dir: "symlink_outside", "dir/passwd": "behind_symlink" })
    })
  )

  it.live("with an ignore file that never ends are listed by our own walker", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write("d/a.ts")
      temp.write(".gitignore", "*.log\n")
      temp.write("d/b.log")
      execFileSync("mkfifo", [temp.at("d/.gitignore")])
      const result = yield* walk(temp.path, { listTimeoutMs: 300 })
      expect(result.units[0]).toMatchObject({ kind: "git", problem: "timeout" })
      expect(paths(result)).toEqual([".gitignore", "d/a.ts"])
    })
  )

  it("with unreadable folders are incomplete, not empty", async (test) => {
    for (const repository of [false, true]) {
      using temp = new TempFolder()
      if (repository) temp.init()
      temp.write("a.ts")
      temp.write("locked/b.ts")
      chmodSync(temp.at("locked"), 0)
      const result = await withoutPrivilege(temp, () => Effect.runPromise(walk(temp.path)))
      if (result === null) return test.skip("this process cannot give up its privilege")
      expect(result.units[0]).toMatchObject({ kind: repository ? "git" : "plain", problem: null })
      expect([paths(result), result.complete]).toEqual([["a.ts"], false])
      expect(reasons(result)).toEqual({ locked: "unreadable" })
    }
  })

  it.effect("survive great depth", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const deep = Array.from({ length: 300 }, () => "nested").join("/")
      temp.write(`${deep}/end.ts`)
      expect(paths(yield* walk(temp.path))).toEqual([`${deep}/end.ts`])
    })
  )

  it.effect("give an error only when the root itself is no use", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.write("file")
      expect((yield* Effect.flip(walk(temp.at("gone")))).reason).toBe("not_found")
      expect((yield* Effect.flip(walk(temp.at("file")))).reason).toBe("not_directory")
    })
  )
})

describe("census", () => {
  it.effect("tells added, changed, removed and same files apart", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      for (const name of ["same", "edit", "replace", "chmod", "gone"]) temp.write(name)
      const before = yield* walk(temp.path)
      temp.write("edit", "longer than before\n")
      temp.write("new-copy", "replace\n")
      renameSync(temp.at("new-copy"), temp.at("replace"))
      chmodSync(temp.at("chmod"), 0o755)
      rmSync(temp.at("gone"))
      temp.write("fresh")
      const after = yield* walk(temp.path)
      const result = census(before.entries, after.entries)
      expect({
        added: result.added.map((entry) => entry.path),
        changed: result.changed.map((entry) => entry.path),
        removed: result.removed,
        same: result.same
      }).toEqual({ added: ["fresh"], changed: ["chmod", "edit", "replace"], removed: ["gone"], same: 1 })
      expect(census(after.entries, after.entries)).toEqual({ added: [], changed: [], removed: [], same: 5 })
    })
  )

  it("looks at single paths without following links", () => {
    using temp = new TempFolder()
    temp.write("f", "12345")
    symlinkSync("f", temp.at("l"))
    const facts = statCensus(temp.path, ["f", "l", "none", "f/below", "x".repeat(5000)])
    expect(facts.map((fact) => fact._tag)).toEqual(["File", "Other", "Absent", "Absent", "Unknown"])
    expect(facts[0]).toMatchObject({ path: "f", size: 5 })
  })
})

/** Writes unless a file and a folder would have to share a name. */
function tryWrite(temp: TempFolder, path: string, content: string): void {
  try {
    temp.write(path, content)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code !== "EISDIR" && code !== "ENOTDIR" && code !== "EEXIST") throw cause
  }
}
