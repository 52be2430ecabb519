import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { indexFile } from "../../../src/engine/text/Decoding.ts"
import { Matcher, type MatcherOptions } from "../../../src/engine/text/Matcher.ts"
import {
  bucketCount,
  bucketOf,
  fileTrigrams,
  makeScratch,
  TrigramIndex,
  wordBucketOf
} from "../../../src/engine/text/Trigrams.ts"
import { escapeRegex, ownSearch } from "./own.ts"
import type { Tree } from "./ripgrep.ts"

const scratch = makeScratch()
const grams = (text: string): Array<number> => [...fileTrigrams(Buffer.from(text), scratch)]

const alphabet = fc.constantFrom(
  "a",
  "A",
  "b",
  "k",
  "K",
  "s",
  "S",
  "\u212a",
  "\u017f",
  "é",
  "É",
  "x",
  " ",
  "\n",
  "\r\n",
  "日",
  "_",
  "1",
  "abk",
  "Sk_1"
)
const textOf = (max: number) => fc.array(alphabet, { maxLength: max }).map((parts) => parts.join(""))
const treeOf = (texts: ReadonlyArray<string>): Tree => ({
  root: "",
  paths: texts.map((_, id) => `f${id}`),
  bytes: texts.map((text) => Buffer.from(text)),
  remove: () => {}
})
const build = (tree: Tree): TrigramIndex =>
  TrigramIndex.build(tree.bytes.map((bytes, id) => ({ id, buckets: indexFile(bytes, scratch) })))

describe("the trigrams of a file", () => {
  it("are distinct, ascending and blind to ASCII case", () => {
    const found = grams("FooBar foobar")
    expect(found).toEqual([...new Set(found)].sort((left, right) => left - right))
    expect(found).toEqual(grams("foobar FOOBAR"))
    expect(found).toContain(bucketOf(0x6f, 0x6f, 0x42))
  })

  it("do not cross line feeds and leave the scratch clean", () => {
    expect(grams("ab\ncd")).toEqual([])
    expect(grams("\n\nabc\nabc\n")).toEqual([bucketOf(97, 98, 99), wordBucketOf("abc")])
  })

  it("go with its words: whole, of three letters or more, none that begins with a digit", () => {
    const words = (text: string) => grams(text).filter((bucket) => bucket >= bucketCount / 2)
    const buckets = (...list: ReadonlyArray<string>) => list.map(wordBucketOf).sort((a, b) => a - b)
    expect(words("Foo_1 = id(foo_1, 0xff, éabc日)")).toEqual(buckets("foo_1", "abc"))
    expect(words("ab 12345 _a")).toEqual([])
    expect(words("fooBar")).toEqual(buckets("foobar"))
  })

  it("are none for a binary file", () => {
    expect([...indexFile(Buffer.from("abc\0def"), scratch)]).toEqual([])
  })

  it("are those of UTF-8 for a UTF-16 file with a mark", () => {
    expect([...indexFile(Buffer.from("\ufeffname", "utf16le"), scratch)]).toEqual(grams("name"))
  })
})

describe("the index", () => {
  const piece = fc.oneof(
    alphabet.map(escapeRegex),
    fc.constantFrom(
      ".",
      "\\w",
      "[ak]",
      "[a-z]",
      "(?:ab|ks)",
      "(?:a|bx|)",
      "a+",
      "(?:ab)+",
      "(?:xa){2}",
      "k?",
      "(?i:sk)",
      "(?i:É)",
      "^",
      "$",
      "\\b",
      "\\babk\\b",
      "\\b{start-half}sk_1\\b{end-half}",
      "\\B",
      "(?:a|b|k|s|x){2}"
    )
  )
  it("never loses a match, whatever the pattern and options", () => {
    fc.assert(
      fc.property(
        fc.array(textOf(30), { minLength: 1, maxLength: 6 }),
        fc.array(piece, { minLength: 1, maxLength: 7 }).map((parts) => parts.join("")),
        fc.record({
          regexp: fc.boolean(),
          ignoreCase: fc.boolean(),
          word: fc.boolean(),
          multiline: fc.boolean()
        }),
        (texts, pattern, options) => {
          const tree = treeOf(texts)
          expect(ownSearch(tree, pattern, options, build(tree))).toEqual(ownSearch(tree, pattern, options))
        }
      ),
      { numRuns: 300 }
    )
  }, 60_000)

  it("never loses a slice of a file as a literal in any case", () => {
    fc.assert(
      fc.property(
        textOf(40),
        fc.nat(20),
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        (text, at, length, upper) => {
          const slice = [...text].slice(at, at + length).join("")
          const literal = upper
            ? [...slice].map((c) => (c.toUpperCase().length === c.length ? c.toUpperCase() : c)).join("")
            : slice
          if (literal === "") return
          const options: MatcherOptions = { ignoreCase: true, multiline: true }
          const tree = treeOf([text])
          expect(build(tree).candidates(new Matcher(literal, options).query).has(0)).toBe(true)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("rules out files that lack the literal", () => {
    const index = build(treeOf(["alpha beta", "gamma delta", "alphabet"]))
    const of = (pattern: string, options: MatcherOptions = {}) => {
      const candidates = index.candidates(new Matcher(pattern, options).query)
      return [0, 1, 2].filter(candidates.has)
    }
    expect(of("alpha")).toEqual([0, 2])
    expect(of("ALPHA", { ignoreCase: true })).toEqual([0, 2])
    expect(of("alphab")).toEqual([2])
    expect(of("(gamma|alphab)\\w*", { regexp: true })).toEqual([1, 2])
    expect(of("g.*delta", { regexp: true })).toEqual([1])
    expect(of("\\w+", { regexp: true })).toEqual([0, 1, 2])
  })

  it("rules out files that hold all trigrams of a name and not the name", () => {
    const index = build(treeOf(["handle(onDisable, handled, ledis)", "handleDisable()", "rehandleDisable"]))
    const of = (pattern: string, options: MatcherOptions) => {
      const candidates = index.candidates(new Matcher(pattern, options).query)
      return [0, 1, 2].filter(candidates.has)
    }
    expect(of("handleDisable", {})).toEqual([0, 1, 2])
    expect(of("handleDisable", { word: true })).toEqual([1])
    expect(of("\\bhandleDisable\\b", { regexp: true })).toEqual([1])
    expect(of("^handleDisable\\(", { regexp: true })).toEqual([1])
    expect(of("handleDisable\\b", { regexp: true })).toEqual([0, 1, 2])
    expect(of("\\bHANDLEDISABLE\\b", { regexp: true, ignoreCase: true })).toEqual([1])
  })

  it("after any changes equals the index built from scratch", () => {
    const change = fc.tuple(fc.nat(12), fc.option(textOf(20), { nil: undefined }))
    fc.assert(
      fc.property(
        fc.array(textOf(20), { maxLength: 8 }),
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 4 }),
        textOf(4),
        (texts, rounds, literal) => {
          const state = new Map(texts.map((text, id) => [id, text]))
          let index = build(treeOf(texts))
          for (const round of rounds) {
            for (const [id, text] of round) {
              if (text === undefined) state.delete(id)
              else state.set(id, text)
            }
            index = index.with(
              round.map(
                ([id, text]) =>
                  [id, text === undefined ? undefined : indexFile(Buffer.from(text), scratch)] as const
              )
            )
          }
          const rebuilt = TrigramIndex.build(
            [...state].map(([id, text]) => ({ id, buckets: indexFile(Buffer.from(text), scratch) }))
          )
          const [own, other] = [index.toBuffers(), rebuilt.toBuffers()]
          expect([...own.postings]).toEqual([...other.postings])
          expect([...own.files]).toEqual([...other.files])
          expect(Buffer.compare(Buffer.from(own.offsets.buffer), Buffer.from(other.offsets.buffer))).toBe(0)
          expect(index.rebased().deltaSize).toBe(0)
          const query = new Matcher(literal, { multiline: true }).query
          const left = index.candidates(query)
          const right = rebuilt.candidates(query)
          for (let id = 0; id <= 13; id++) {
            expect(index.has(id)).toBe(state.has(id))
            expect(left.has(id)).toBe(right.has(id))
          }
        }
      ),
      { numRuns: 40 }
    )
  }, 60_000)

  it("keeps what readers hold when it changes", () => {
    const before = build(treeOf(["alpha"]))
    const after = before.with([[0, indexFile(Buffer.from("beta"), scratch)]])
    const query = new Matcher("alpha").query
    expect([before.candidates(query).has(0), after.candidates(query).has(0)]).toEqual([true, false])
  })

  it("treats a file it does not know as a candidate", () => {
    const index = build(treeOf(["alpha"])).with([[0, undefined]])
    expect(index.has(0)).toBe(false)
    expect(index.candidates(new Matcher("zebra").query).has(0)).toBe(true)
  })

  it("survives its buffers", () => {
    const tree = treeOf(["alpha beta", "gamma"])
    const buffers = build(tree).toBuffers()
    expect(buffers.offsets.length).toBe(bucketCount + 1)
    const index = TrigramIndex.fromBuffers(structuredClone(buffers))
    expect(ownSearch(tree, "gamma", {}, index)).toEqual(["f1:1:0-5"])
    expect([...index.toBuffers().postings]).toEqual([...buffers.postings])
  })

  it("answers the same from postings that are read as they are needed, and misses nothing when they cannot be", () => {
    const tree = treeOf(["alpha beta", "gamma", "alphabet"])
    const { files, offsets, postings } = build(tree).toBuffers()
    const reads: Array<number> = []
    let broken = false
    const stored = TrigramIndex.fromBuffers({
      offsets,
      files,
      postings: {
        length: postings.length,
        read: (from, to) => {
          if (broken) throw new Error("gone")
          reads.push(to - from)
          return postings.slice(from, to)
        }
      }
    })
    expect(ownSearch(tree, "alpha", {}, stored)).toEqual(ownSearch(tree, "alpha", {}, build(tree)))
    expect(Math.max(...reads)).toBeLessThan(postings.length)
    const { query } = new Matcher("alpha")
    const candidates = (index: TrigramIndex) => [0, 1, 2].filter((id) => index.candidates(query).has(id))
    expect(candidates(stored)).toEqual([0, 2])
    const changed = stored.with([[1, undefined]])
    expect([...changed.toBuffers().postings]).toEqual([
      ...build(tree)
        .with([[1, undefined]])
        .toBuffers().postings
    ])
    expect([...stored.toBuffers().postings]).toEqual([...postings])
    broken = true
    expect(candidates(stored)).toEqual([0, 1, 2])
    expect(stored.with([[1, undefined]]).has(1)).toBe(false)
    expect(() => stored.toBuffers()).toThrow("gone")
  })

  it("counts ids beyond one byte right", () => {
    const buckets = indexFile(Buffer.from("alpha"), scratch)
    const ids = [0, 1, 127, 128, 129, 16_500, 2_100_000]
    const candidates = TrigramIndex.build(ids.map((id) => ({ id, buckets }))).candidates(
      new Matcher("alpha").query
    )
    expect(ids.every(candidates.has)).toBe(true)
  })
})
