/**
 * Reads the texts that rules must and must not find something in. A fixture file has a part for each rule:
 *
 *     ## rule-id
 *     + code with a finding, on one line
 *     - code without one
 *     +typescript code read as this language; without a word it is the first of the rule's
 *     @ path/of/the/next.ts
 *     + a token such as gh@@@@p_@@a36@@
 *     + <<<
 *     several lines
 *     >>>
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { languages } from "../../../src/engine/languages/index.ts"

export interface Fixture {
  readonly rule: string
  readonly matches: boolean
  readonly language: string | undefined
  readonly path: string | undefined
  readonly text: string
  readonly at: string
}

const alphabets: { readonly [kind: string]: string } = {
  a: "k9Qx2Lm7Rt4Vw8Zp3Ns6Bd1Hf5Jc0GyUeTiOaKoPqWzXvCnM",
  u: "QJ7XK2VN5ZRT3WLP6HGY4DFM",
  h: "3f9a07c1d2e84b65"
}

/** Tokens are put together here, so that none stands in a file: `@@a36@@` for 36 letters and digits, `@@@@` for nothing. */
const withTokens = (text: string): string =>
  text.replace(/@@(?:([auh])(\d+))?@@/g, (_, kind: string | undefined, count: string | undefined) =>
    kind === undefined
      ? ""
      : Array.from(
          { length: Number(count) },
          (_, i) => alphabets[kind]![(i * 7 + 3) % alphabets[kind]!.length]
        ).join("")
  )

export const fixtures = (folder: string): ReadonlyArray<Fixture> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".txt"))
    .flatMap((name) => {
      const out: Array<Fixture> = []
      const lines = readFileSync(join(folder, name), "utf8").split("\n")
      let rule = ""
      let path: string | undefined
      for (let i = 0; i < lines.length; i++) {
        const line = lines[i]!
        const at = `${name}:${i + 1}`
        if (line.trim() === "") continue
        if (line.startsWith("## ")) {
          rule = line.slice(3).trim()
          path = undefined
          continue
        }
        if (line.startsWith("@ ")) {
          path = line.slice(2).trim()
          continue
        }
        const head = /^([+-])(\w*) (.*)$/.exec(line)
        if (head === null) throw new Error(`${at}: not a line of a fixture`)
        let text = head[3]!
        if (text === "<<<") {
          const end = lines.indexOf(">>>", i)
          text = lines.slice(i + 1, end).join("\n")
          i = end
        }
        out.push({
          rule,
          matches: head[1] === "+",
          language: head[2] === "" ? undefined : head[2],
          path,
          text: withTokens(text),
          at
        })
      }
      return out
    })

/** What makes statements a file of a language, unless they are one already. */
const around: { readonly [language: string]: readonly [whole: RegExp, before: string, after: string] } = {
  go: [/^\s*(?:package|import|func)\b/m, "package p\nfunc sample() {\n", "\n}\n"],
  java: [/^\s*(?:package|import|public|class|@|interface)/m, "class Sample { void sample() {\n", "\n} }\n"],
  csharp: [/^\s*(?:using \w+;|namespace|public|class|\[)/m, "class Sample { void Run() {\n", "\n} }\n"],
  rust: [
    /^\s*(?:use|fn|pub|impl|#!?\[|struct|unsafe (?:impl|fn)|static|async fn)\b/m,
    "fn sample() {\n",
    "\n}\n"
  ],
  php: [/<\?/, "<?php\n", "\n"],
  c: [/^\s*(?:#include|\w+ \**\w+\([^)]*\)\s*\{)/m, "void sample() {\n", "\n}\n"],
  cpp: [
    /^\s*(?:#include|class|using|template|struct|\w+ \**\w+\([^)]*\)\s*\{)/m,
    "void sample() {\n",
    "\n}\n"
  ]
}

export const wholeFile = (language: string, text: string): string => {
  const [whole, before, after] = around[language] ?? [/^/, "", ""]
  return whole.test(text) ? text : `${before}${text}${after}`
}

/** A path that a file of the language may have. */
export const pathFor = (language: string): string => {
  const known = languages.find(({ id }) => id === language)
  return known === undefined
    ? "config/sample.txt"
    : known.extensions.length > 0
      ? `src/sample${known.extensions[0]}`
      : known.filenames![0]!
}
