import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, utimesSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Stream } from "effect"
import {
  blobOid,
  catFileBatch,
  diffNameStatus,
  diffPatch,
  discover,
  isIgnored,
  listTree,
  log,
  lsFiles,
  lsIgnoredDirectories,
  mergeBase,
  revParse,
  show,
  status
} from "../../../src/engine/git/Git.ts"
import { RepositoryStamp } from "../../../src/engine/git/HeadStamp.ts"
import { gitEnvironment, run } from "../../../src/engine/git/Process.ts"
import { TempFolder } from "./TempRepo.ts"

const asRoot = process.getuid?.() === 0

describe("discover", () => {
  it.effect("answers top level, git directory and HEAD from a folder below", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      temp.write("r/a/b/c.ts")
      const oid = temp.commit("r", "one")
      const found = yield* discover(temp.at("r/a/b"))
      expect(found).toEqual({
        topLevel: temp.at("r"),
        gitDir: temp.at("r/.git"),
        commonDir: temp.at("r/.git"),
        isWorktree: false,
        headRef: "refs/heads/main",
        headOid: oid
      })
    })
  )

  it.effect("tells unborn, detached and linked work trees apart", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      const unborn = yield* discover(temp.at("r"))
      expect([unborn.headRef, unborn.headOid]).toEqual(["refs/heads/main", null])
      const oid = temp.commit("r", "one")
      temp.git("r", "worktree", "add", "-q", "-b", "side", temp.at("w"))
      temp.git("r", "checkout", "-q", "--detach")
      const detached = yield* discover(temp.at("r"))
      expect([detached.headRef, detached.headOid]).toEqual([null, oid])
      const linked = yield* discover(temp.at("w"))
      expect(linked).toEqual({
        topLevel: temp.at("w"),
        gitDir: temp.at("r/.git/worktrees/w"),
        commonDir: temp.at("r/.git"),
        isWorktree: true,
        headRef: "refs/heads/side",
        headOid: oid
      })
    })
  )

  it.effect("survives a line break in the path", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("two\nlines")
      expect((yield* discover(temp.at("two\nlines"))).topLevel).toBe(temp.at("two\nlines"))
    })
  )

  it.effect("names the reason when there is no answer", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      expect((yield* Effect.flip(discover(temp.path))).reason).toBe("not_a_repository")
      expect((yield* Effect.flip(discover(temp.at("gone")))).reason).toBe("not_found")
    })
  )

  it.effect.skipIf(!asRoot)("reports a repository of another owner as unsafe", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init("r")
      chownSync(temp.at("r"), 12345, 12345)
      chownSync(temp.at("r/.git"), 12345, 12345)
      expect((yield* Effect.flip(discover(temp.at("r")))).reason).toBe("unsafe_ownership")
    })
  )
})

describe("listing", () => {
  it.effect("lists tracked files with mode, blob id and stage, and untracked ones that are not ignored", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write("a.txt", "hello\n")
      temp.write("bin/run.sh", "#!/bin/sh\n")
      chmodSync(temp.at("bin/run.sh"), 0o755)
      temp.write(".gitignore", "*.log\nout/\n")
      temp.commit("", "one")
      temp.write('new "quoted"\nname.ts')
      temp.write("x.log")
      temp.write("out/y.js")
      const { tracked, untracked } = yield* lsFiles(temp.path)
      expect(tracked.files.map((file) => [file.path, file.mode, file.stage])).toEqual([
        [".gitignore", 0o100644, 0],
        ["a.txt", 0o100644, 0],
        ["bin/run.sh", 0o100755, 0]
      ])
      expect(tracked.files[1]!.oid).toBe(blobOid(Buffer.from("hello\n")))
      expect(untracked.files).toEqual(['new "quoted"\nname.ts'])
      expect(yield* lsIgnoredDirectories(temp.path)).toEqual(["out"])
      expect(yield* isIgnored(temp.at("out"))).toBe(true)
      expect(yield* isIgnored(temp.at("bin"))).toBe(false)
    })
  )

  it.effect("gives every stage of a conflict", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write("f", "base\n")
      temp.commit("", "base")
      temp.git("", "checkout", "-q", "-b", "side")
      temp.write("f", "side\n")
      temp.commit("", "side")
      temp.git("", "checkout", "-q", "main")
      temp.write("f", "main\n")
      temp.commit("", "main")
      expect(() => temp.git("", "merge", "-q", "side")).toThrow()
      const { tracked } = yield* lsFiles(temp.path)
      expect(tracked.files.map((file) => [file.path, file.stage])).toEqual([
        ["f", 1],
        ["f", 2],
        ["f", 3]
      ])
      const now = yield* status(temp.path)
      expect(now.entries).toEqual([
        { kind: "unmerged", path: "f", index: "U", workTree: "U", submodule: false }
      ])
    })
  )
})

describe("history", () => {
  const story = (temp: TempFolder) => {
    temp.init()
    temp.write("a.txt", "one\ntwo\nthree\nfour\n")
    const first = temp.commit("", "add a")
    renameSync(temp.at("a.txt"), temp.at("b\nc.txt"))
    temp.write("d.txt", "d\n")
    const second = temp.commit("", "move a — and add d")
    temp.git("", "checkout", "-q", "-b", "side", first)
    temp.write("side.txt")
    const side = temp.commit("", "side")
    temp.git("", "checkout", "-q", "main")
    temp.git("", "merge", "-q", "--no-ff", "-m", "merge side", "side")
    return { first, second, side, merge: temp.git("", "rev-parse", "HEAD").trim() }
  }

  it.effect("logs commits with the files they touched, renames detected", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const { first, merge, second, side } = story(temp)
      const commits = Chunk.toReadonlyArray(yield* Stream.runCollect(log(temp.path)))
      const byOid = new Map(commits.map((commit) => [commit.oid, commit]))
      expect([...byOid.keys()].sort()).toEqual([first, merge, second, side].sort())
      expect(commits.at(-1)!.oid).toBe(first)
      expect(byOid.get(merge)).toMatchObject({ parents: [second, side], subject: "merge side", files: [] })
      expect(byOid.get(second)).toMatchObject({
        parents: [first],
        subject: "move a — and add d",
        authorName: "Ada",
        authorEmail: "ada@example.org",
        files: [
          { kind: "renamed", path: "b\nc.txt", oldPath: "a.txt", similarity: 100 },
          { kind: "added", path: "d.txt" }
        ]
      })
      expect(byOid.get(first)!.parents).toEqual([])
      expect(byOid.get(first)!.authoredAt).toBe(Number(temp.git("", "log", "-1", "--format=%at", first)))
    })
  )

  it.effect("obeys limit, paths, ranges and first-parent", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const { first, merge, second, side } = story(temp)
      const oids = (options: Parameters<typeof log>[1]) =>
        Effect.map(Stream.runCollect(log(temp.path, options)), (all) =>
          Chunk.toReadonlyArray(all).map((commit) => commit.oid)
        )
      expect(yield* oids({ limit: 1 })).toEqual([merge])
      expect(yield* oids({ paths: ["d.txt"] })).toEqual([second])
      expect(yield* oids({ paths: ["*.txt"] })).toEqual([])
      expect(yield* oids({ revision: `${first}..side` })).toEqual([side])
      expect(yield* oids({ since: 4_000_000_000 })).toEqual([])
      const main = Chunk.toReadonlyArray(yield* Stream.runCollect(log(temp.path, { firstParent: true })))
      expect(main.map((commit) => commit.oid)).toEqual([merge, second, first])
      expect(main[0]!.files).toEqual([{ kind: "added", path: "side.txt" }])
    })
  )

  it.effect("has an empty log before the first commit and no answer for an unknown revision", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      expect(Chunk.size(yield* Stream.runCollect(log(temp.path)))).toBe(0)
      expect((yield* Effect.flip(Stream.runCollect(log(temp.path, { revision: "nope" })))).reason).toBe(
        "unknown_revision"
      )
      expect((yield* Effect.flip(Stream.runCollect(log(temp.path, { revision: "--output=x" })))).reason).toBe(
        "invalid_revision"
      )
    })
  )

  it.effect("shows old bytes, lists trees and resolves revisions", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const { first, merge, second, side } = story(temp)
      expect((yield* show(temp.path, first, "a.txt")).toString()).toBe("one\ntwo\nthree\nfour\n")
      expect((yield* show(temp.path, "HEAD", "b\nc.txt")).toString()).toBe("one\ntwo\nthree\nfour\n")
      expect((yield* Effect.flip(show(temp.path, "HEAD", "a.txt"))).reason).toBe("unknown_revision")
      expect((yield* Effect.flip(show(temp.path, "HEAD", "d.txt", { maxBytes: 1 }))).reason).toBe(
        "output_too_large"
      )
      const { entries } = yield* listTree(temp.path, "HEAD")
      expect(entries.map((entry) => [entry.path, entry.size])).toEqual([
        ["b\nc.txt", 19],
        ["d.txt", 2],
        ["side.txt", 9]
      ])
      expect(yield* revParse(temp.path, "HEAD~1", { commit: true })).toBe(second)
      expect((yield* Effect.flip(revParse(temp.path, "HEAD~99"))).reason).toBe("unknown_revision")
      expect((yield* Effect.flip(revParse(temp.path, "-h"))).reason).toBe("invalid_revision")
      expect(yield* mergeBase(temp.path, second, side)).toBe(first)
      expect(merge).toBe(yield* revParse(temp.path, "main"))
    })
  )

  it.effect("compares revisions with each other and with the work tree", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const { first } = story(temp)
      const between = yield* diffNameStatus(temp.path, first, "HEAD")
      expect(between.changes.map((change) => [change.kind, change.oldPath ?? null, change.path])).toEqual([
        ["renamed", "a.txt", "b\nc.txt"],
        ["added", null, "d.txt"],
        ["added", null, "side.txt"]
      ])
      expect(between.changes[1]).toMatchObject({
        newMode: 0o100644,
        oldOid: null,
        newOid: blobOid(Buffer.from("d\n"))
      })
      temp.write("d.txt", "changed\n")
      const disk = yield* diffNameStatus(temp.path, "HEAD")
      expect(disk.changes).toEqual([
        expect.objectContaining({ kind: "modified", path: "d.txt", newOid: null })
      ])
      expect((yield* diffPatch(temp.path, "HEAD", undefined, { context: 0 })).toString()).toContain(
        "-d\n+changed\n"
      )
      expect((yield* Effect.flip(diffNameStatus(temp.path, "nope"))).reason).toBe("unknown_revision")
    })
  )

  it.effect("streams many objects in the order asked", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      const big = Buffer.alloc(300_000, "0123456789\n")
      temp.write("big", big)
      temp.write("empty", "")
      temp.write("small", "x\n\ny")
      temp.commit("", "one")
      const specs = ["HEAD:small", "HEAD:none", blobOid(big), "HEAD:empty", "HEAD:small", "bad\nspec"]
      const objects = Chunk.toReadonlyArray(yield* Stream.runCollect(catFileBatch(temp.path, specs)))
      expect(
        objects.map((object) => [object.spec, object._tag === "Object" ? object.bytes.length : null])
      ).toEqual([
        ["HEAD:small", 4],
        ["HEAD:none", null],
        [blobOid(big), 300_000],
        ["HEAD:empty", 0],
        ["HEAD:small", 4],
        ["bad\nspec", null]
      ])
      expect(objects[2]!._tag === "Object" && objects[2]!.bytes.equals(big)).toBe(true)
      const first = yield* Stream.runCollect(Stream.take(catFileBatch(temp.path, specs), 1))
      expect(Chunk.size(first)).toBe(1)
    })
  )
})

describe("status", () => {
  it.effect("agrees with porcelain v1 on a mixed work tree", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      for (const name of ["keep", "edit", "stage", "gone", "old"]) temp.write(name, `${name}\n`.repeat(9))
      temp.commit("", "one")
      temp.write("edit", "edited\n")
      temp.write("stage", "staged\n")
      temp.git("", "rm", "-q", "gone")
      temp.git("", "mv", "old", "new name")
      temp.git("", "add", "stage")
      temp.write("fresh")
      const now = yield* status(temp.path)
      const v1 = temp
        .git("", "status", "--porcelain", "-z")
        .split("\0")
        .filter((line) => /^.. /.test(line))
      expect(
        now.entries
          .map((entry) => `${entry.index}${entry.workTree} ${entry.path}`.replaceAll(".", " "))
          .sort()
      ).toEqual(v1.sort())
      expect(now.entries.find((entry) => entry.kind === "renamed")).toMatchObject({
        path: "new name",
        oldPath: "old"
      })
      expect([now.branch, now.upstream, now.ahead]).toEqual(["main", null, null])
    })
  )
})

describe("hostile repositories", () => {
  it.effect("start no program: hooks, monitors, filters, diff drivers", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      temp.write("a.txt", "one\n")
      temp.write(".gitattributes", "* filter=e=vil diff=evil\n")
      temp.commit("", "one")
      const bait = `touch '${temp.at("caught")}'; cat`
      temp.git("", "config", "core.fsmonitor", bait)
      temp.git("", "config", "filter.e=vil.clean", bait)
      temp.git("", "config", "filter.e=vil.required", "true")
      temp.git("", "config", "diff.evil.textconv", bait)
      temp.git("", "config", "diff.evil.command", bait)
      temp.git("", "config", "diff.external", bait)
      temp.git("", "config", "core.pager", bait)
      temp.git("", "config", "core.sshCommand", bait)
      temp.write(".git/hooks/post-index-change", `#!/bin/sh\n${bait}\n`)
      chmodSync(temp.at(".git/hooks/post-index-change"), 0o755)
      temp.write("a.txt", "two\n")
      utimesSync(temp.at(".gitattributes"), 1, 1)
      yield* lsFiles(temp.path)
      const now = yield* status(temp.path)
      expect(now.filtersNotRun).toEqual(["e=vil"])
      expect(now.entries.map((entry) => entry.path)).toEqual(["a.txt"])
      expect((yield* diffNameStatus(temp.path, "HEAD")).changes.map((change) => change.path)).toEqual([
        "a.txt"
      ])
      yield* diffPatch(temp.path, "HEAD")
      yield* show(temp.path, "HEAD", "a.txt")
      yield* Stream.runDrain(log(temp.path))
      expect(existsSync(temp.at("caught"))).toBe(false)
      // The bait is real: an unguarded git takes it.
      temp.git("", "config", "--unset", "core.fsmonitor")
      temp.git("", "status")
      expect(existsSync(temp.at("caught"))).toBe(true)
    })
  )

  it("drop inherited GIT_ variables but keep the user's configuration entries", () => {
    const env = gitEnvironment(
      {
        PATH: "/bin",
        GIT_DIR: "/elsewhere",
        GIT_EXTERNAL_DIFF: "x",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "safe.directory",
        GIT_CONFIG_VALUE_0: "*"
      },
      [["a.b", "c"]]
    )
    expect(env["GIT_DIR"]).toBeUndefined()
    expect(env["GIT_EXTERNAL_DIFF"]).toBeUndefined()
    expect(env).toMatchObject({
      PATH: "/bin",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_KEY_1: "a.b",
      GIT_CONFIG_VALUE_1: "c"
    })
  })
})

describe("running git", () => {
  it.live("ends the child when interrupted or out of time", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      temp.init()
      // A FIFO as ignore file makes git wait for ever.
      mkdirSync(temp.at("d"))
      yield* Effect.promise(async () => {
        const { execFileSync } = await import("node:child_process")
        execFileSync("mkfifo", [temp.at("d/.gitignore")])
      })
      const slow = ["ls-files", "-o", "--exclude-standard"]
      expect((yield* Effect.flip(run(temp.path, slow, { timeoutMs: 150 }))).reason).toBe("timeout")
      const fiber = yield* Effect.fork(run(temp.path, slow))
      yield* Effect.sleep(50)
      const exit = yield* Fiber.interrupt(fiber)
      expect(exit._tag).toBe("Failure")
    })
  )
})

describe("RepositoryStamp", () => {
  const stampOf = (gitDir: string, commonDir = gitDir) => new RepositoryStamp(gitDir, commonDir).now()

  it("moves with commits, checkouts, staging and rules, and only then", () => {
    using temp = new TempFolder()
    temp.init()
    const dir = temp.at(".git")
    const stamp = new RepositoryStamp(dir, dir)
    let last = ""
    /** One that has looked before says what a new one says. */
    const moved = (): boolean => {
      const now = stamp.now()
      expect(now).toBe(stampOf(dir))
      const is = now !== last
      last = now
      return is
    }
    expect(moved()).toBe(true)
    temp.write("a")
    expect(moved()).toBe(false)
    const oid = temp.commit("", "one")
    expect(moved()).toBe(true)
    expect(last).toContain(oid)
    temp.write("a", "edited\n")
    expect(moved()).toBe(false)
    temp.git("", "add", "a")
    expect(moved()).toBe(true)
    temp.git("", "pack-refs", "--all")
    expect(moved()).toBe(true)
    const two = temp.commit("", "two")
    expect(moved()).toBe(true)
    expect(last).toContain(two)
    temp.git("", "checkout", "-q", "--detach")
    expect(moved()).toBe(true)
    temp.write(".git/info/exclude", "*.log\n")
    expect(moved()).toBe(true)
    temp.git("", "config", "core.autocrlf", "false")
    expect(moved()).toBe(true)
    expect(moved()).toBe(false)
    temp.git("", "worktree", "add", "-q", "-b", "side", temp.at("w"))
    expect(stampOf(temp.at(".git/worktrees/w"), dir)).toContain("refs/heads/side")
  })

  it("sees a ref that is written in place, with as many bytes, again and again", () => {
    using temp = new TempFolder()
    temp.init()
    temp.write("a")
    temp.commit("", "one")
    const dir = temp.at(".git")
    const stamp = new RepositoryStamp(dir, dir)
    for (let i = 0; i < 200; i++) {
      const oid = i.toString(16).padStart(40, "0")
      temp.write(".git/refs/heads/main", `${oid}\n`)
      expect(stamp.now()).toContain(oid)
    }
  })

  it("does not follow a ref name out of the repository", () => {
    using temp = new TempFolder()
    temp.init()
    const secret = "0123456789012345678901234567890123456789"
    temp.write("secret", `${secret}\n`)
    temp.write(".git/HEAD", "ref: ../secret\n")
    expect(stampOf(temp.at(".git"))).not.toContain(secret)
  })
})
