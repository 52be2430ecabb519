/** Lines, ranges and histories against what git itself says by plain commands. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { assert } from "vitest"
import { commitGraph } from "../../../src/engine/git/CommitGraph.ts"
import { lineage, rangeBefore } from "../../../src/engine/git/Lineage.ts"
import * as Past from "../../../src/engine/git/Past.ts"
import { firstSeen, tags } from "../../../src/engine/git/Tags.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { lacksObjects } from "../../../src/engine/git/GitError.ts"
import { generate } from "./Generated.ts"
import { TempFolder } from "./TempRepo.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => new TempFolder()),
  (made) => Effect.sync(() => made[Symbol.dispose]())
)
const filesOf = (temp: TempFolder) =>
  temp
    .git("", "ls-files", "-z")
    .split("\0")
    .filter((path) => path !== "" && path !== ".mailmap")
const linesOf = (temp: TempFolder, path: string) => readFileSync(temp.at(path), "utf8").split("\n").length - 1
const blamed = (temp: TempFolder, ...args: ReadonlyArray<string>) =>
  temp
    .git("", "blame", "-p", ...args)
    .split("\n")
    .flatMap((line) => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? [])
const list = (text: string) => text.split("\n").filter((line) => line !== "")
const place = (temp: TempFolder) => ({ directory: temp.path, prefix: "" })
const requests = (temp: TempFolder) =>
  filesOf(temp).map((path) => {
    const lines = linesOf(temp, path)
    const third = Math.max(1, Math.floor(lines / 3))
    return {
      path,
      lines,
      sha: blobOid(readFileSync(temp.at(path))),
      ranges: [
        [third, Math.min(lines, 2 * third)],
        [1, lines]
      ] as ReadonlyArray<readonly [number, number]>
    }
  })

describe("lineage", () => {
  for (const [seed, merges] of [
    [1, false],
    [2, true],
    [3, true]
  ] as const)
    it.scoped(`finds what git blame and git log -L find, seed ${seed}`, () =>
      Effect.gen(function* () {
        const temp = yield* folder
        const made = generate(temp, seed, { commits: 60, merges })
        assert.isAbove(made.renames, 0)
        if (merges) assert.isAbove(made.merges, 2)
        const asked = requests(temp)
        const found = yield* Past.lineage(place(temp), asked, { limit: 1000 })
        assert.isFalse(found.truncated)
        asked.forEach(({ path, ranges }, i) => {
          const file = found.files[i]!
          assert.isUndefined(file.untraced)
          assert.deepStrictEqual(
            [...file.origins].map((origin) => found.commits[origin]?.id),
            blamed(temp, "HEAD", "--", path),
            path
          )
          ranges.forEach(([first, last], at) => {
            assert.sameMembers(
              file.touches[at]!.map((commit) => found.commits[commit]!.id),
              list(temp.git("", "log", "--no-merges", "-s", "--format=%H", `-L${first},${last}:${path}`)),
              `${path}:${first}-${last}`
            )
          })
          if (!merges)
            assert.deepStrictEqual(
              file.commits.map((commit) => found.commits[commit]!.id),
              list(temp.git("", "log", "--follow", "--format=%H", "--", path)),
              path
            )
        })
        // The names of the mailmap, and no others.
        const names = new Set(found.commits.map(({ author, email }) => `${author} <${email}>`))
        assert.sameMembers([...names], [...new Set(list(temp.git("", "log", "--format=%aN <%aE>")))])
        assert.isTrue(names.has("Ada Lovelace <ada@example.org>"))
        assert.isFalse([...names].some((name) => name.includes("countess")))
      })
    )

  it.scoped("tells lines nobody committed, and files no commit knows, from the rest", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      temp.init()
      temp.write("a.txt", "one\ntwo\nthree\n")
      temp.write("gone.txt", "x\n")
      const first = temp.commit("", "first")
      temp.write("a.txt", "zero\none\nTWO\nthree\n")
      temp.write("new.txt", "n\n")
      temp.git("", "mv", "gone.txt", "moved.txt")
      const of = (path: string, lines: number, sha = blobOid(readFileSync(temp.at(path)))) => ({
        path,
        lines,
        sha,
        ranges: [[1, lines]] as const
      })
      const found = yield* Past.lineage(
        place(temp),
        [of("a.txt", 4), of("new.txt", 1), of("moved.txt", 1), { ...of("a.txt", 4), sha: "0".repeat(40) }],
        { limit: 10 }
      )
      assert.deepStrictEqual([...found.files[0]!.origins], [-1, 0, -1, 0])
      assert.strictEqual(found.commits[0]!.id, first)
      assert.strictEqual(found.files[1]!.untraced, "untracked")
      assert.deepStrictEqual([...found.files[1]!.origins], [-1])
      assert.deepStrictEqual([...found.files[2]!.origins], [0])
      assert.strictEqual(found.files[3]!.untraced, "moved")
    })
  )

  it.scoped("says where it stopped: at a limit, and where a shallow clone ends", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      temp.init("one")
      for (const n of [1, 2, 3, 4]) {
        temp.write("one/a.txt", Array.from({ length: n }, (_, i) => `line ${i}\n`).join(""))
        temp.commit("one", `commit ${n}`)
      }
      const asked = [
        {
          path: "a.txt",
          lines: 4,
          sha: blobOid(readFileSync(temp.at("one/a.txt"))),
          ranges: [[1, 4]] as const
        }
      ]
      const cut = yield* Past.lineage({ directory: temp.at("one"), prefix: "" }, asked, { limit: 2 })
      assert.isTrue(cut.truncated)
      assert.deepStrictEqual([...cut.files[0]!.origins], [-2, -2, 1, 0])
      assert.isFalse(cut.files[0]!.whole)
      temp.git("", "clone", "-q", "--depth", "2", `file://${temp.at("one")}`, "two")
      const shallow = yield* Past.lineage({ directory: temp.at("two"), prefix: "" }, asked, { limit: 100 })
      assert.isTrue(shallow.shallow)
      // The oldest commit of the clone has lines of commits that are not here.
      assert.deepStrictEqual([...shallow.files[0]!.origins], [-2, -2, -2, 0])
      assert.isTrue((yield* Past.state({ directory: temp.at("two"), prefix: "" })).shallow)
      const whole = yield* Past.state({ directory: temp.at("one"), prefix: "" })
      assert.deepInclude(whole, { shallow: false, branch: "main", default_branch: "main", linked: false })
    })
  )

  it("carries a range by the rules of git log -L", () => {
    const hunk = (oldStart: number, oldEnd: number, newStart: number, newEnd: number) => [
      { oldStart, oldEnd, newStart, newEnd }
    ]
    assert.deepStrictEqual(rangeBefore([4, 8], hunk(0, 0, 0, 2)), { touched: false, set: [2, 6] })
    assert.deepStrictEqual(rangeBefore([4, 8], hunk(5, 7, 5, 6)), { touched: true, set: [4, 9] })
    // Lines taken away at its edge are not its own; within it they are.
    assert.deepStrictEqual(rangeBefore([4, 8], hunk(4, 6, 4, 4)), { touched: false, set: [6, 10] })
    assert.deepStrictEqual(rangeBefore([4, 8], hunk(5, 7, 5, 5)), { touched: true, set: [4, 10] })
    assert.deepStrictEqual(rangeBefore([4, 8], hunk(0, 0, 2, 12)), { touched: true, set: [] })
  })
})

describe("history", () => {
  it.scoped("lists the commits, files and lines that git log lists", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      generate(temp, 7, { commits: 60, merges: true })
      const histories = new Past.Histories()
      const found = yield* Past.history(place(temp), histories, { limit: 1000, lines: true, merges: true })
      assert.deepStrictEqual(
        found.commits.map(({ at, author, email, id, parents, subject }) =>
          [id, parents, at, author, email, subject].join("|")
        ),
        list(temp.git("", "log", "--format=%H|%P|%ct|%aN|%aE|%s")).map((row) => {
          const [id, parents, ...rest] = row.split("|")
          return [id, parents === "" ? 0 : parents!.split(" ").length, ...rest].join("|")
        })
      )
      for (const { files, id } of found.commits.slice(0, 25)) {
        const want = list(
          temp.git("", "show", "--numstat", "-M", "--no-renames", "--format=", "--diff-merges=off", id)
        )
        // Without renames the old name has the removed lines and the new one the added ones.
        const plain = files.filter(({ previous_path }) => previous_path === undefined)
        for (const { added, deleted, path } of plain)
          assert.include(want, `${added}\t${deleted}\t${path}`, id)
        for (const { path, previous_path } of files)
          if (previous_path !== undefined) {
            assert.isTrue(want.some((row) => row.endsWith(`\t${path}`)))
            assert.isTrue(want.some((row) => row.endsWith(`\t${previous_path}`)))
          }
        assert.strictEqual(files.length + (files.length - plain.length), want.length, id)
      }
      assert.isTrue(
        found.commits.some(({ files }) => files.some(({ previous_path }) => previous_path !== undefined))
      )
      // Asked again it is the same object; cut, it says so.
      assert.strictEqual(
        yield* Past.history(place(temp), histories, { limit: 1000, lines: true, merges: true }),
        found
      )
      const cut = yield* Past.history(place(temp), histories, { limit: 5 })
      assert.deepStrictEqual(
        cut.commits.map(({ id }) => id),
        list(temp.git("", "log", "--no-merges", "-n5", "--format=%H"))
      )
      assert.isTrue(cut.truncated)
    })
  )

  it.scoped(
    "of a clone without all objects has the names of files, and says that renames are not followed",
    () =>
      Effect.gen(function* () {
        const temp = yield* folder
        temp.init("one")
        temp.write("one/a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n")
        temp.commit("one", "first")
        temp.git("one", "mv", "a.txt", "b.txt")
        temp.write("one/b.txt", "1\n2\n3\n4\n5\n6\n7\nx\n")
        temp.commit("one", "move")
        temp.git("one", "config", "uploadpack.allowFilter", "true")
        temp.git("", "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${temp.at("one")}`, "two")
        const two = { directory: temp.at("two"), prefix: "" }
        assert.isTrue((yield* Past.state(two)).partial)
        const found = yield* Past.history(two, new Past.Histories(), { limit: 9 })
        assert.isFalse(found.renames)
        assert.deepStrictEqual(
          found.commits.map(({ files }) => files.map(({ path }) => path)),
          [["a.txt", "b.txt"], ["a.txt"]]
        )
        const whole = yield* Past.history({ ...two, directory: temp.at("one") }, new Past.Histories(), {
          limit: 9
        })
        assert.deepStrictEqual(whole.commits[0]!.files, [{ path: "b.txt", previous_path: "a.txt" }])
        const sha = temp.git("one", "rev-parse", "HEAD:b.txt").trim()
        const refused = yield* Effect.flip(
          Past.lineage(two, [{ path: "b.txt", sha, lines: 8, ranges: [] }], { limit: 9 })
        )
        assert.isTrue(lacksObjects(refused))
      })
  )

  it.scoped("survives names of any kind", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      temp.init()
      const odd = 'tab\tquote" new\nline é 100%.txt'
      temp.write(odd, "1\n2\n3\n")
      temp.commit("", "add\tit")
      temp.write(odd, "1\n2\n3\n4\n")
      temp.commit("", "commit 0123456789012345678901234567890123456789")
      const { commits } = yield* Past.history(place(temp), new Past.Histories(), { limit: 9, lines: true })
      assert.deepStrictEqual(
        commits.map(({ files, subject }) => [subject, files]),
        [
          ["commit 0123456789012345678901234567890123456789", [{ path: odd, added: 1, deleted: 0 }]],
          ["add\tit", [{ path: odd, added: 3, deleted: 0 }]]
        ]
      )
      const [file] = (yield* Past.lineage(
        place(temp),
        [{ path: odd, lines: 4, sha: blobOid(readFileSync(temp.at(odd))), ranges: [] }],
        { limit: 9 }
      )).files
      assert.deepStrictEqual([...file!.origins], [1, 1, 1, 0])
    })
  )

  it.scoped("reads messages, and texts as a commit had them", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      temp.init()
      temp.write("a.txt", "old\n")
      temp.git("", "add", "-A")
      temp.git("", "commit", "-q", "-m", "subject", "-m", "first line\nsecond line", "-m", "more")
      const one = temp.git("", "rev-parse", "HEAD").trim()
      temp.write("a.txt", "new\n")
      const two = temp.commit("", "other")
      const missing = "f".repeat(40)
      assert.deepStrictEqual(
        (yield* Past.messages(place(temp), [two, missing, one, two])).map(({ body, id, subject }) => [
          id,
          subject,
          body
        ]),
        [
          [two, "other", ""],
          [one, "subject", "first line\nsecond line\n\nmore"],
          [two, "other", ""]
        ]
      )
      assert.strictEqual(yield* Past.textAt(place(temp), one, "a.txt"), "old\n")
      assert.isUndefined(yield* Past.textAt(place(temp), one, "b.txt"))
      const bad = yield* Effect.flip(Past.messages(place(temp), ["--all"]))
      assert.strictEqual(bad.reason, "invalid_revision")
    })
  )
})

describe("tags", () => {
  it.scoped("lead to commits, with the files each tree was the first to have", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      temp.init()
      temp.write("a.txt")
      temp.commit("", "1")
      temp.git("", "tag", "v1.0.0")
      temp.write("b.txt")
      temp.write("sub/c.txt")
      temp.commit("", "2")
      temp.git("", "tag", "-a", "-m", "two", "v2.0.0")
      temp.git("", "rm", "-q", "b.txt")
      temp.commit("", "3")
      temp.git("", "tag", "v3.0.0")
      temp.write("b.txt")
      temp.commit("", "4")
      temp.git("", "tag", "v4.0.0")
      temp.git("", "tag", "tree", "HEAD^{tree}")
      const found = [...(yield* tags(temp.path, undefined))].sort((a, b) => (a.name < b.name ? -1 : 1))
      assert.deepStrictEqual(
        found.map(({ annotated, commit, name }) => [name, annotated, commit]),
        ["v1.0.0", "v2.0.0", "v3.0.0", "v4.0.0"].map((name) => [
          name,
          name === "v2.0.0",
          temp.git("", "rev-parse", `${name}^{commit}`).trim()
        ])
      )
      assert.deepStrictEqual(
        (yield* tags(temp.path, "v2.0.0")).map(({ name }) => name),
        ["v1.0.0", "v2.0.0"]
      )
      assert.deepStrictEqual(
        yield* firstSeen(
          temp.path,
          found.map(({ tree }) => tree)
        ),
        [["a.txt"], ["b.txt", "sub/c.txt"], [], []]
      )
      assert.deepStrictEqual(
        yield* Past.firstReached(
          place(temp),
          found.map(({ commit }) => commit)
        ),
        [1, 1, 1, 1]
      )
    })
  )
})

describe("the commit graph", () => {
  it.scoped("has children before parents and stops where it is told", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      generate(temp, 11, { commits: 40, merges: true })
      const graph = yield* commitGraph(temp.path, {
        revision: "HEAD",
        limit: 1000,
        commonDir: temp.at(".git")
      })
      for (const { id, parents } of graph.commits)
        for (const parent of parents) assert.isAbove(graph.placeOf.get(parent)!, graph.placeOf.get(id)!)
      assert.strictEqual(graph.commits.length, Number(temp.git("", "rev-list", "--count", "HEAD").trim()))
      const none = yield* lineage(
        temp.path,
        { ...graph, commits: [], placeOf: new Map(), beyond: new Map() },
        []
      )
      assert.deepStrictEqual(none, [])
      writeFileSync(temp.at("x"), "")
      const bad = yield* Effect.flip(
        commitGraph(temp.path, { revision: "--output=x", limit: 1, commonDir: temp.at(".git") })
      )
      assert.strictEqual(bad.reason, "invalid_revision")
    })
  )
})
