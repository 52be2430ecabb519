import { dirname, join } from "node:path"
import { createRequire } from "node:module"
import { afterAll, describe, expect, it } from "vitest"
import { indexFile } from "../../../src/engine/text/Decoding.ts"
import type { SearchOptions } from "../../../src/engine/text/Search.ts"
import { makeScratch, TrigramIndex } from "../../../src/engine/text/Trigrams.ts"
import { escapeRegex, ownSearch, seeded } from "./own.ts"
import { type Found, openTree, ripgrep, type Tree, writeTree } from "./ripgrep.ts"

const scratch = makeScratch()
const indexOf = (tree: Tree): TrigramIndex =>
  TrigramIndex.build(tree.bytes.map((bytes, id) => ({ id, buckets: indexFile(bytes, scratch) })))

const written = writeTree({
  "mixed.txt":
    "hello world\nfoo bar\n\nHELLO Wörld ñandú ΣΑΣ σας ς\r\nfoo\r\n\ttabs  and spaces \nKelvin \u212a \u017ftraße STRASSE\naaa baaac a\n\n\n" +
    "x_y snake_case camelCase 123 ４５ ٣\n(paren) [br] {cu} $d ^c a.b a*b\n日本語 テスト 😀 emoji x😀y\nend no newline",
  "empty.txt": "",
  "one-feed.txt": "\n",
  "blank-last.txt": "a\n\n",
  "crlf.txt": "only\r\ncrlf\r\n\r\n",
  "malformed.txt": Buffer.concat([
    Buffer.from("bad "),
    Buffer.from([0xff, 0xfe, 0x61, 0xc3, 0x28, 0xe2, 0x82, 0x0a, 0xed, 0xa0, 0x80]),
    Buffer.from(" foo\nfoo")
  ]),
  "plain.txt": "foo\nbar\nfoo bar\nbaz\n"
})
const source = openTree(
  join(dirname(createRequire(import.meta.url).resolve("effect/package.json")), "src/internal"),
  /^[^/]*\.ts$/
)
const writtenIndex = indexOf(written)
const sourceIndex = indexOf(source)
afterAll(written.remove)

/**
 * ripgrep reports empty matches between the bytes of one character, and does
 * not report one at the very end of a file without a last line feed.
 */
const settled = (tree: Tree, found: Array<Found> | undefined): Array<Found> | undefined =>
  found?.filter((row) => {
    const [, path, start, end] = /^(.*):\d+:(\d+)-(\d+)$/.exec(row)!
    const bytes = tree.bytes[tree.paths.indexOf(path!)]!
    const at = Number(start)
    if (at !== Number(end)) return true
    if (at === bytes.length) return false
    // Neither is compared next to bytes that are no characters.
    return path !== "malformed.txt" && (bytes[at]! & 0xc0) !== 0x80
  })

/** Both answers must agree; of a block of several lines only the matches are compared, ripgrep also joins blocks that touch. */
const same = (
  tree: Tree,
  index: TrigramIndex,
  pattern: string,
  options: SearchOptions,
  flags: ReadonlyArray<string>
): number => {
  const told = (found: Array<Found> | undefined) => {
    const kept = settled(tree, found)
    return options.multiline === true ? kept?.map((row) => row.replace(/:\d+:/, ":")).sort() : kept
  }
  const theirs = told(ripgrep(tree, pattern, flags))
  expect({ pattern, flags, found: told(ownSearch(tree, pattern, options, index)) }).toEqual({
    pattern,
    flags,
    found: theirs
  })
  return theirs?.length ?? 0
}

const modes: ReadonlyArray<readonly [SearchOptions, ReadonlyArray<string>]> = [
  [{}, []],
  [{ ignoreCase: true }, ["-i"]],
  [{ word: true }, ["-w"]],
  [{ multiline: true }, ["-U"]],
  [{ multiline: true, dotAll: true }, ["-U", "--multiline-dotall"]]
]

const patterns = [
  "foo",
  "^foo",
  "foo$",
  "^$",
  "a*",
  "a*?",
  "\\bfoo\\b",
  "\\Bo",
  "[a-z]+",
  "[^a-z]+",
  "\\w+",
  "\\W+",
  "\\d+",
  "\\s+",
  "\\S+",
  ".",
  ".*",
  ".+?",
  "(?i)k",
  "(?i)s",
  "(?i)straße",
  "(?i)σ",
  "[[:alpha:]]+",
  "[[:^alpha:]]+",
  "\\p{Greek}+",
  "\\pL+",
  "\\PL+",
  "(?i)\\p{Lu}",
  "[\\p{L}&&[^a-z]]+",
  "[a-z--[aeiou]]+",
  "[a-m~~g-z]+",
  "\\x{65e5}",
  "\\U0001F600",
  ".{3}",
  "(a|ab)(c|bcd)*",
  "a??",
  "(?:a|b)*?c",
  "(?U)a+",
  "\\<\\w",
  "\\w\\>",
  "\\b{start}\\w",
  "\\w\\b{end-half}",
  "(?s).+",
  "foo\\z",
  "(?R)foo$",
  "\\(paren\\)",
  "a\\.b",
  "fo{1,}",
  "fo{1,2}?",
  "a**",
  "[]a]",
  "[^]a]",
  "[a-]",
  "[--a]",
  "[a-\\d]",
  "(?P<n>a)",
  "a|",
  "|a",
  "a||b",
  "(|a)+",
  "(|a)*",
  "(a|b*)*c",
  "(^|x)foo",
  "foo($|\\s)",
  "(foo|foo bar|ba[rz])",
  "foo|^bar|baz$",
  "\\r$",
  "(?-u:\\w+)",
  "(?-u:\\b)o",
  "[\\w--\\d]+",
  "\\p{sc=Han}+",
  "\\p{White_Space}",
  "[\\x{e0}-\\x{ff}]+",
  "\\b",
  "$",
  "^",
  "(a*)*",
  "(a*)+",
  "(?:a?){3}",
  "[^\\x00-\\x{10FFFF}]",
  "(?i)[^k]",
  "ß",
  "(?i)ß",
  "ẞ",
  "a{0}b",
  "foo.?",
  "\u212a",
  "\u017f",
  "foo\\s+bar",
  "r\\s*f"
]
const refused = [
  "(?=a)",
  "(?!a)",
  "(?<=a)",
  "(?<!a)",
  "\\1",
  "*a",
  "a{",
  "a{,2}",
  "a{,}",
  "o{2,1}",
  "[",
  "[z-a]",
  "\\q",
  "\\Z",
  "\\h",
  "\\K",
  "(",
  "(?>a)",
  "(?|a)",
  "(?#c)a",
  "(?z)",
  "(?<n>a)(?<n>b)",
  "\\p{foo}",
  "\\p{^Lu}",
  "\\x4",
  "\\x{110000}",
  "[a",
  "\\",
  "\\b{middle}",
  "(?i-i)a",
  "[[:alpha:]"
]

describe("the same answer as ripgrep", () => {
  it.each(modes)(
    "over Unicode, CRLF, empty lines and malformed bytes with %o",
    (options, flags) => {
      for (const pattern of patterns)
        same(written, writtenIndex, pattern, { ...options, regexp: true }, flags)
    },
    60_000
  )

  it("for whole words and any case beside characters beyond ASCII", () => {
    const tree = writeTree({
      "w.txt": Buffer.concat([
        Buffer.from(
          "foo éfoo fooé foo日 「foo」 foo_ _foo xfoo foox foo\nfoofoo foo-foo a a a aa FOO Foo ſoo\n日本 日本語 x日本 日本\n"
        ),
        Buffer.from([0xff]),
        Buffer.from("foo "),
        Buffer.from([0xc3]),
        Buffer.from("foo")
      ])
    })
    for (const text of ["foo", "a", "a a", "日本", "foofoo", "-foo", "foo-", "éfoo", "soo", "é"]) {
      for (const [options, flags] of modes) {
        same(tree, indexOf(tree), text, options, ["-F", ...flags])
        same(tree, indexOf(tree), text, { ...options, ignoreCase: true, word: true }, [
          "-F",
          "-i",
          "-w",
          ...flags
        ])
        same(tree, indexOf(tree), text, { ...options, word: true }, ["-F", "-w", ...flags])
        same(tree, indexOf(tree), `${text}|aa|bar+`, { ...options, regexp: true }, flags)
        same(tree, indexOf(tree), `(${text}|xfoo|foo.x)+`, { ...options, regexp: true }, flags)
      }
    }
    tree.remove()
  }, 60_000)

  it("refuses what ripgrep refuses", () => {
    for (const pattern of refused) {
      expect([pattern, ripgrep(written, pattern, [])]).toEqual([pattern, undefined])
      expect([pattern, ownSearch(written, pattern, { regexp: true })]).toEqual([pattern, undefined])
    }
  })

  it("for 80 random literals over real sources", () => {
    const random = seeded(7)
    let hits = 0
    for (let count = 0; count < 80; ) {
      const bytes = source.bytes[random(source.bytes.length)]!
      const at = random(bytes.length - 40)
      const slice = bytes.toString("latin1", at, at + 6 + random(24))
      const text = count % 3 === 0 ? /[A-Za-z_]{3,}/.exec(slice)?.[0] : /\S[^\n\x80-\xff]*\S/.exec(slice)?.[0]
      if (text === undefined) continue
      const [options, flags] = modes[count % 3]!
      hits += same(source, sourceIndex, text, options, ["-F", ...flags])
      count++
    }
    expect(hits).toBeGreaterThan(1000)
  }, 120_000)

  it("for 80 random regular expressions over real sources", () => {
    const random = seeded(11)
    const one = <A>(choices: ReadonlyArray<A>): A => choices[random(choices.length)]!
    let hits = 0
    for (let count = 0; count < 80; count++) {
      const bytes = source.bytes[random(source.bytes.length)]!
      const at = random(bytes.length - 40)
      const text = bytes.toString("latin1", at, at + 4 + random(12)).replace(/[\n\x80-\xff]/g, "x")
      let pattern = ""
      for (const character of text) {
        const plain = escapeRegex(character)
        switch (random(12)) {
          case 0:
            pattern += one([".", "\\w", "\\S", "\\W?", `[^${/\w/.test(character) ? character : "q"}]?`])
            break
          case 1:
            pattern += `${plain}${one(["+", "*", "?", "{1,3}", "+?"])}`
            break
          case 2:
            pattern += `(?:${plain}|${one(["zz", "\\d+", "ab?"])})`
            break
          default:
            pattern += plain
        }
      }
      pattern = one([
        pattern,
        pattern,
        `^.*${pattern}`,
        `${pattern}.*$`,
        `\\b${pattern}`,
        `(?:${pattern}|Effect[A-Z]\\w+)`,
        `(?i)${pattern}`
      ])
      const [options, flags] = modes[count % 4]!
      hits += same(source, sourceIndex, pattern, { ...options, regexp: true }, flags)
    }
    expect(hits).toBeGreaterThan(1000)
  }, 120_000)
})
