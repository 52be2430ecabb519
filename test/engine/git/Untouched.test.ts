/** What git's index says of files' bytes without reading them, held against the bytes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, lstatSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { statCensus } from "../../../src/engine/files/Census.ts"
import { walk } from "../../../src/engine/files/Walk.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { locateHere } from "../../../src/engine/git/HeadStamp.ts"
import { untouched } from "../../../src/engine/git/Untouched.ts"
import { TempFolder } from "./TempRepo.ts"

/** Moves the time of an index on, as if it had been written long after the files. */
const settle = (temp: TempFolder, tree = "", by = 10): void => {
  const index = join(locateHere(temp.at(tree))!.gitDir, "index")
  const at = statSync(index).mtimeMs / 1000 + by
  utimesSync(index, at, at)
}

/** The paths that are known. Whatever is said of a file with as many bytes as its blob has is what its bytes are. */
const known = (temp: TempFolder, tree = "") =>
  Effect.gen(function* () {
    const root = temp.at(tree)
    const { entries } = yield* walk(root)
    const blobOf = (yield* untouched(root, locateHere(root)!.gitDir))(entries)
    const sizes = new Map(
      temp
        .git(tree, "-c", "core.quotePath=false", "ls-files", "-s")
        .trimEnd()
        .split("\n")
        .map((line) => {
          const [, oid, path] = /^\d+ (\w+) \d\t(.*)$/.exec(line)!
          return [path, Number(temp.git(tree, "cat-file", "-s", oid!))] as const
        })
    )
    const found: Array<string> = []
    for (const entry of entries) {
      const oid = blobOf(entry)
      if (oid === undefined || sizes.get(entry.path) !== entry.size) continue
      assert.strictEqual(oid, blobOid(readFileSync(join(root, entry.path))), entry.path)
      found.push(entry.path)
    }
    return found
  })

const repository = Effect.acquireRelease(
  Effect.sync(() => {
    const temp = new TempFolder()
    temp.init()
    for (const name of ["a", "b", "c/d", "c/ü"]) temp.write(name, `${name} one\n`)
    temp.commit("", "start")
    return temp
  }),
  (temp) => Effect.sync(() => temp[Symbol.dispose]())
)
const all = ["a", "b", "c/d", "c/ü"]

describe("the bytes of files that git knows", () => {
  for (const version of ["2", "4"])
    it.scopedLive(`are told by an index of version ${version}`, () =>
      Effect.gen(function* () {
        const temp = yield* repository
        temp.git("", "update-index", "--index-version", version)
        settle(temp)
        assert.deepStrictEqual(yield* known(temp), all)
      })
    )

  it.scopedLive("are told in a work tree that was added", () =>
    Effect.gen(function* () {
      const temp = yield* repository
      temp.git("", "worktree", "add", "-q", temp.at("other"))
      settle(temp, "other")
      assert.deepStrictEqual(yield* known(temp, "other"), all)
    })
  )

  it.scopedLive("are not told of files that changed, however little shows of it", () =>
    Effect.gen(function* () {
      const temp = yield* repository
      settle(temp)
      const path = temp.at("a")
      const { atime, mtime, mtimeMs } = lstatSync(path)
      writeFileSync(path, "a two\n")
      utimesSync(path, atime, mtime)
      utimesSync(path, atime.getTime() / 1000, mtimeMs / 1000)
      // Another file that is put in its place with all its times.
      writeFileSync(temp.at("new"), "b two\n")
      renameSync(temp.at("new"), temp.at("b"))
      chmodSync(temp.at("c/d"), 0o755)
      assert.deepStrictEqual(yield* known(temp), ["c/ü"])
    })
  )

  it.scopedLive("are not told of files that git is told not to look at", () =>
    Effect.gen(function* () {
      const temp = yield* repository
      temp.git("", "update-index", "--assume-unchanged", "a")
      temp.git("", "update-index", "--skip-worktree", "b")
      temp.write("c/new", "x\n")
      temp.git("", "add", "-N", "c/new")
      settle(temp)
      assert.deepStrictEqual(yield* known(temp), ["c/d", "c/ü"])
    })
  )

  it.scopedLive("are not told of files as young as the index", () =>
    Effect.gen(function* () {
      const temp = yield* repository
      const index = temp.at(".git/index")
      const at = Math.max(...all.map((path) => lstatSync(temp.at(path)).mtimeMs)) / 1000
      utimesSync(index, at, at)
      assert.deepStrictEqual(yield* known(temp), [])
    })
  )

  it.scopedLive("are not told of files that git may have written otherwise", () =>
    Effect.gen(function* () {
      const temp = yield* repository
      const id = `$Id: ${"0".repeat(40)} $\n`
      temp.write("x.id", id)
      temp.write("x.rot", "abc\n")
      temp.write("x.crlf", "one\ntwo\n")
      temp.write("x.none", "one\n")
      temp.commit("", "as they are")
      temp.write(".gitattributes", "*.id ident\n*.rot filter=rot\n*.crlf text eol=crlf\n*.none -filter\n")
      temp.git("", "config", "filter.rot.smudge", "tr a-z b-za")
      temp.commit("", "attributes")
      temp.git("", "worktree", "add", "-q", temp.at("other"))
      settle(temp, "other")
      assert.notStrictEqual(readFileSync(temp.at("other/x.id"), "utf8"), id)
      assert.strictEqual(readFileSync(temp.at("other/x.rot"), "utf8"), "bcd\n")
      assert.deepStrictEqual(yield* known(temp, "other"), [".gitattributes", ...all])
      // Nor of any once attributes are others than those they were written under.
      temp.write("other/.gitattributes", "*.id -ident\n")
      assert.deepStrictEqual(yield* known(temp, "other"), [])
    })
  )

  it.scopedLive("are not told where the index cannot be read", () =>
    Effect.gen(function* () {
      const temp = yield* repository
      settle(temp)
      const ask = yield* untouched(temp.path, temp.at(".git"))
      const files = statCensus(temp.path, all).flatMap((fact) => (fact._tag === "File" ? [fact] : []))
      assert.isDefined(ask(files)(files[0]!))
      writeFileSync(temp.at(".git/index"), "no index")
      assert.isUndefined(ask(files)(files[0]!))
    })
  )
})
