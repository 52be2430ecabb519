import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs"
import { Inline } from "../../../src/engine/indexer/Inline.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { fileTrigrams, makeScratch } from "../../../src/engine/text/Trigrams.ts"
import { languages } from "./languages.ts"
import { describeGroups, type FileDescription, namesOf } from "./support.ts"
import { TempTree } from "./TempTree.ts"

const read = (
  tree: TempTree,
  paths: ReadonlyArray<string>,
  options: { readonly definitionLimit?: number; readonly wantTrigrams?: boolean } = {}
) => {
  const names = new Interner()
  const job = { root: tree.root, paths, wantTrigrams: options.wantTrigrams ?? true }
  const { definitionLimit } = options
  return Effect.map(
    new Inline(names, languages, definitionLimit === undefined ? {} : { definitionLimit }).run(job),
    (group) => describeGroups(job, [group], names)
  )
}
const one = (tree: TempTree, path: string, options = {}): Effect.Effect<FileDescription> =>
  Effect.map(read(tree, [path], options), (files) => files.get(path)!)

describe("reading a file", () => {
  it.effect("tells its stat, git's blob id, its lines, its facts and its trigrams", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "src/a.wb": "one two\nthree\n" })
      const file = yield* one(tree, "src/a.wb")
      const stat = statSync(tree.at("src/a.wb"))
      assert.deepInclude(file, {
        status: "facts",
        reason: "none",
        language: 0,
        flags: [],
        size: 14,
        lines: 3,
        mtimeMs: stat.mtimeMs,
        ino: stat.ino,
        blob: execFileSync("git", ["hash-object", "--no-filters", tree.at("src/a.wb")], {
          encoding: "utf8"
        }).trim()
      })
      assert.deepStrictEqual(
        file.facts!.definitions.map(({ at, name, signature }) => [name, at, signature]),
        [
          ["one", "1:0", "one"],
          ["two", "1:4", "two"],
          ["three", "2:0", "three"]
        ]
      )
      assert.deepStrictEqual(file.buckets, [...fileTrigrams(Buffer.from("one two\nthree\n"), makeScratch())])
    })
  )

  it.effect("keeps text of no known language searchable", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ notes: "hello there\n", empty: "" })
      const files = yield* read(tree, ["notes", "empty"])
      assert.deepInclude(files.get("notes")!, {
        status: "text",
        reason: "none",
        language: -1,
        lines: 2,
        facts: undefined
      })
      // Nine trigrams and two words.
      assert.strictEqual(files.get("notes")!.buckets!.length, 11)
      assert.deepInclude(files.get("empty")!, {
        status: "text",
        size: 0,
        lines: 1,
        blob: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        buckets: []
      })
    })
  )

  it.effect("lists no trigrams when none are wanted", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "one" })
      assert.isUndefined((yield* one(tree, "a.wb", { wantTrigrams: false })).buckets)
    })
  )

  it.effect("takes off a byte order mark, and counts columns without it", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "\ufeffone", "b.wt": "\ufeffone" })
      for (const path of ["a.wb", "b.wt"]) {
        const file = yield* one(tree, path)
        assert.deepStrictEqual(
          file.facts!.definitions.map(({ at, name }) => [name, at]),
          [["one", "1:0"]]
        )
        assert.strictEqual(file.size, 6)
      }
    })
  )

  it.effect("reads UTF-16 with a byte order mark, either way round", () =>
    Effect.gen(function* () {
      const little = Buffer.from("\ufeffone z\u00e9ro", "utf16le")
      using tree = new TempTree({
        "a.wt": little,
        "b.wt": Buffer.from(little).swap16(),
        "c.wb": Buffer.from("\ufeffone\ntwo", "utf16le")
      })
      const files = yield* read(tree, ["a.wt", "b.wt", "c.wb"])
      assert.deepStrictEqual(namesOf(files.get("a.wt")), ["one", "z\u00e9ro"])
      assert.deepStrictEqual(namesOf(files.get("b.wt")), ["one", "z\u00e9ro"])
      assert.deepStrictEqual(namesOf(files.get("c.wb")), ["one", "two"])
      assert.deepStrictEqual(files.get("c.wb")!.flags, ["utf16"])
      assert.strictEqual(files.get("c.wb")!.lines, 2)
    })
  )

  it.effect("takes every byte of invalid UTF-8 as a character, whatever the parser reads", () =>
    Effect.gen(function* () {
      const latin = Buffer.from("caf\u00e9 \u00a7 next", "latin1")
      using tree = new TempTree({ "a.wt": latin, "b.wb": latin })
      const files = yield* read(tree, ["a.wt", "b.wb"])
      const text = files.get("a.wt")!
      assert.deepStrictEqual(text.flags, ["invalidUtf8"])
      assert.deepStrictEqual(namesOf(text), ["caf\u00e9", "next"])
      assert.strictEqual(text.facts!.definitions[1]!.at, "1:7")
      assert.deepStrictEqual(
        [files.get("b.wb")!.status, files.get("b.wb")!.flags],
        ["facts", ["invalidUtf8"]]
      )
      assert.strictEqual(files.get("b.wb")!.facts!.definitions.at(-1)!.at, "1:7")
      assert.isTrue(Buffer.from(namesOf(files.get("b.wb"))![0]!).includes("caf"))
    })
  )

  it.effect("marks tests, generated and vendored files", () =>
    Effect.gen(function* () {
      using tree = new TempTree({
        "vendor/x_test.wb": "a",
        "gen.wb": "// Code generated by words. DO NOT EDIT.\nb"
      })
      assert.deepStrictEqual((yield* one(tree, "vendor/x_test.wb")).flags.toSorted(), ["test", "vendored"])
      assert.deepStrictEqual((yield* one(tree, "gen.wb")).flags, ["generated"])
    })
  )

  it.effect("finds a language by whole name, longest extension or interpreter", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ Wordfile: "a", "x.tests.wb": "a", run: "#!/usr/bin/env words\nrunning" })
      const files = yield* read(tree, ["Wordfile", "x.tests.wb", "run"])
      assert.deepStrictEqual(
        [...files.values()].map(({ language, status }) => [language, status]),
        [
          [1, "facts"],
          [0, "facts"],
          [0, "facts"]
        ]
      )
    })
  )

  it.effect("takes names with any characters", () =>
    Effect.gen(function* () {
      const paths = ["a b/\u00e9\n\"'$(x).wb", "-rf.wb", "..wb", "%2e.wb"]
      using tree = new TempTree(Object.fromEntries(paths.map((path) => [path, "odd"])))
      const files = yield* read(tree, paths)
      for (const path of paths) assert.deepStrictEqual(namesOf(files.get(path)), ["odd"], path)
    })
  )
})

describe("a file that cannot be read", () => {
  it.effect("is skipped with the reason, and its neighbours are read", () =>
    Effect.gen(function* () {
      using tree = new TempTree({
        "ok.wb": "fine",
        "nul.wb": "a\0b",
        "late.wb": `${"word\n".repeat(2000)}\0`,
        "big.wb": Buffer.alloc(3 * 1024 * 1024, "a b\n"),
        "packed.wb": "a ".repeat(4000),
        "image.png": "not really"
      })
      mkdirSync(tree.at("folder.wb"))
      symlinkSync("ok.wb", tree.at("link.wb"))
      execFileSync("mkfifo", [tree.at("pipe.wb")])
      const paths = [
        "nul.wb",
        "late.wb",
        "big.wb",
        "packed.wb",
        "image.png",
        "folder.wb",
        "link.wb",
        "pipe.wb",
        "gone.wb",
        "ok.wb/inside.wb",
        `${"n".repeat(300)}.wb`,
        "nul\0name.wb",
        "ok.wb"
      ]
      const files = yield* read(tree, paths)
      const told = paths.map((path) => [files.get(path)!.status, files.get(path)!.reason])
      assert.deepStrictEqual(told, [
        ["skipped", "binary"],
        ["facts", "none"],
        ["skipped", "too_large"],
        ["skipped", "minified"],
        ["skipped", "binary"],
        ["skipped", "not_regular"],
        ["skipped", "symlink"],
        ["skipped", "not_regular"],
        ["skipped", "vanished"],
        ["skipped", "vanished"],
        ["skipped", "name_too_long"],
        ["skipped", "unreadable"],
        ["facts", "none"]
      ])
      assert.deepStrictEqual(files.get("late.wb")!.flags, ["nulBytes"])
      assert.strictEqual(files.get("pipe.wb")!.remark, "fifo")
      assert.strictEqual(files.get("big.wb")!.size, 3 * 1024 * 1024)
      assert.isUndefined(files.get("big.wb")!.blob)
      assert.deepStrictEqual(files.get("nul.wb")!.buckets, [])
      assert.deepStrictEqual(namesOf(files.get("ok.wb")), ["fine"])
    })
  )

  it.effect.skipIf(process.getuid?.() === 0)("for lack of permission says so", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "secret.wb": "a" })
      chmodSync(tree.at("secret.wb"), 0)
      assert.deepInclude(yield* one(tree, "secret.wb"), {
        status: "skipped",
        reason: "unreadable",
        remark: "EACCES"
      })
    })
  )
})

describe("a parser that fails", () => {
  it.effect("leaves its file searchable and its neighbours whole", () =>
    Effect.gen(function* () {
      using tree = new TempTree({
        "a.wb": "alpha",
        "b.wb": "beta THROW",
        "c.wb": "gamma UNBALANCED",
        "d.wb": "delta DEEP",
        "e.missing": "epsilon",
        "f.txt": "zeta",
        "g.wt": "eta"
      })
      const paths = ["a.wb", "b.wb", "c.wb", "d.wb", "e.missing", "f.txt", "g.wt"]
      const files = yield* read(tree, paths)
      assert.deepStrictEqual(
        paths.map((path) => [files.get(path)!.status, files.get(path)!.reason]),
        [
          ["facts", "none"],
          ["failed", "extractor_failed"],
          ["failed", "extractor_failed"],
          ["failed", "extractor_failed"],
          ["failed", "language_unavailable"],
          ["text", "none"],
          ["facts", "none"]
        ]
      )
      assert.strictEqual(files.get("b.wb")!.remark, "TypeError: no such word")
      assert.match(files.get("d.wb")!.remark!, /^RangeError: /)
      assert.strictEqual(files.get("e.missing")!.remark, "Error: grammar not installed")
      for (const path of paths) assert.isAbove(files.get(path)!.buckets!.length, 0, path)
      for (const path of paths) assert.match(files.get(path)!.blob!, /^[0-9a-f]{40}$/, path)
      assert.deepStrictEqual(
        files.get("a.wb")!.facts!.definitions.map(({ name, parent, signature }) => [name, parent, signature]),
        [["alpha", -1, "alpha"]]
      )
      assert.deepStrictEqual(
        files.get("g.wt")!.facts!.definitions.map(({ name, parent, signature }) => [name, parent, signature]),
        [["eta", -1, "eta"]]
      )
    })
  )

  it.effect("cannot spoil what was recorded of the bytes", () =>
    Effect.gen(function* () {
      using clean = new TempTree({ "a.wb": "some words" })
      using tree = new TempTree({ "a.wb": "some words SCRIBBLE" })
      const file = yield* one(tree, "a.wb")
      assert.strictEqual(file.lines, 1)
      const grams = new Set(file.buckets)
      for (const bucket of (yield* one(clean, "a.wb")).buckets!) assert.isTrue(grams.has(bucket))
    })
  )

  it.effect("is one that finds more definitions than can be numbered", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "one two three", "b.wb": "one two" })
      const files = yield* read(tree, ["a.wb", "b.wb"], { definitionLimit: 2 })
      assert.deepInclude(files.get("a.wb")!, {
        status: "failed",
        reason: "too_many_definitions",
        remark: "3 definitions, at most 2",
        facts: undefined
      })
      assert.deepStrictEqual(namesOf(files.get("b.wb")), ["one", "two"])
    })
  )
})

describe("reading inline", () => {
  it.effect("asks for a language it cannot foresee, then reads synchronously", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ run: "#!/usr/bin/words\nrunning" })
      const names = new Interner()
      const inline = new Inline(names, languages)
      const job = { root: tree.root, paths: ["run"], wantTrigrams: false }
      assert.deepStrictEqual(inline.runNow(job), { _tag: "LanguageNeeded", language: 0 })
      yield* inline.prepare(0)
      const group = inline.runNow(job)
      if ("_tag" in group) return assert.fail("still asks")
      assert.deepStrictEqual(namesOf(describeGroups(job, [group], names).get("run")), [
        "usr",
        "bin",
        "words",
        "running"
      ])
    })
  )

  it.effect("keeps an earlier answer as it was", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "first" })
      const names = new Interner()
      const inline = new Inline(names, languages)
      const job = { root: tree.root, paths: ["a.wb"], wantTrigrams: true }
      const before = yield* inline.run(job)
      const then = describeGroups(job, [before], names)
      tree.write("a.wb", "second THIRD fourth")
      const after = describeGroups(job, [yield* inline.run(job)], names)
      assert.deepStrictEqual(describeGroups(job, [before], names), then)
      assert.deepStrictEqual(
        [namesOf(then.get("a.wb")), namesOf(after.get("a.wb"))],
        [["first"], ["second", "fourth"]]
      )
    })
  )
})
