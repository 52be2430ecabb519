/**
 * The parse gate over the grammars that are installed: tree-sitter for programming languages and stylesheets, a JSON
 * reader for JSON. Languages without a grammar are `unknown`.
 */
import type { GateAnswer, SyntaxError } from "../../services/LocalWriter.ts"
import { Effect } from "effect"
import { isUtf8 } from "node:buffer"
import { type ParseError, parse as parseJson, printParseErrorCode } from "jsonc-parser"
import { type Language as Wasm, type Node, Parser, type Tree } from "web-tree-sitter"
import { LanguageTable } from "../indexer/Detect.ts"
import { languages } from "../languages/index.ts"
import { type GrammarFile, loadParser } from "../languages/treesitter/Grammar.ts"
import type { ParseGate } from "./ParseGate.ts"

/** Longest text that is parsed, in bytes, and the time one parse may take, in milliseconds. */
const largest = 1 << 20
const patience = 2_000
const maxErrors = 8
/** Errors looked at on each side. */
const maxCounted = 2_000

/** Grammars of languages whose facts are read without one. */
const further: { readonly [language: string]: GrammarFile } = {
  css: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-css.wasm" }
}

/** Dialects that share a language with CSS but not its grammar, and templates whose text is no plain program. */
const apart = /\.(?:scss|sass|less|styl|erb|ejs|j2|jinja2?|tmpl|tpl|hbs|mustache)$/i

const table = new LanguageTable(languages)

const grammarOf = (
  path: string,
  bytes: Uint8Array
): { readonly id: string; readonly file: GrammarFile } | null => {
  if (apart.test(path)) return null
  const language = languages[table.of(path, bytes)]
  const file = language === undefined ? undefined : (language.grammar ?? further[language.id])
  return language === undefined || file === undefined ? null : { id: language.id, file }
}

const jsonName = /\.(?:json|geojson|webmanifest|jsonc|code-workspace)$/i
/** Names whose readers accept comments and trailing commas. */
const looseJson =
  /(?:\.jsonc|\.code-workspace)$|(?:^|\/)(?:[jt]sconfig[^/]*|\.eslintrc|\.babelrc|\.swcrc|devcontainer|api-extractor[^/]*|deno|language-configuration|\.oxlintrc|turbo|nx|wrangler|biome|\.[^/]*rc)\.json$|(?:^|\/)\.(?:vscode|zed|devcontainer|cursor)\//i

/** An error with the offsets it spans, in UTF-16 units. */
interface Found {
  readonly from: number
  readonly to: number
  readonly what: string
}

const textOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")
  return text.startsWith("\ufeff") ? text.slice(1) : text
}

/** What of the errors after was not there before: those outside the changed stretch are paired by their place. */
const compare = (
  before: string | null,
  after: string,
  had: () => ReadonlyArray<Found>,
  has: ReadonlyArray<Found>
): GateAnswer => {
  if (has.length === 0) return { status: "clean" }
  const old = before === null ? [] : had()
  const was = before ?? ""
  let head = 0
  const least = Math.min(was.length, after.length)
  while (head < least && was[head] === after[head]) head++
  let tail = 0
  while (tail < least - head && was[was.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const shift = after.length - was.length
  const keyOf = ({ from, to, what }: Found, moved: number) => `${from + moved}-${to + moved}:${what}`
  const known = new Map<string, number>()
  for (const error of old) {
    const key = keyOf(error, error.from >= was.length - tail ? shift : 0)
    known.set(key, (known.get(key) ?? 0) + 1)
  }
  const fresh = has.filter((error) => {
    const key = keyOf(error, 0)
    const count = known.get(key) ?? 0
    if (count > 0) known.set(key, count - 1)
    return count === 0
  })
  const gone = old.length - (has.length - fresh.length)
  const added = fresh.length - gone
  if (added <= 0) return { status: "not_worse", remaining: has.length }
  const errors = fresh.slice(0, maxErrors).map(({ from, what }): SyntaxError => {
    const lineStart = after.lastIndexOf("\n", from - 1) + 1
    let line = 1
    for (let at = after.indexOf("\n"); at >= 0 && at < lineStart; at = after.indexOf("\n", at + 1)) line++
    return { line, column: from - lineStart, what }
  })
  return { status: "added", added, errors }
}

const jsonErrors = (text: string, loose: boolean): ReadonlyArray<Found> => {
  const errors: Array<ParseError> = []
  parseJson(text, errors, { allowTrailingComma: loose, disallowComments: !loose })
  return errors.slice(0, maxCounted).map(({ error, offset, length }) => ({
    from: offset,
    to: offset + length,
    what: printParseErrorCode(error)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
  }))
}

const treeErrors = (tree: Tree): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  const pending: Array<Node> = [tree.rootNode]
  while (pending.length > 0 && found.length < maxCounted) {
    const node = pending.pop()!
    if (!node.hasError && !node.isMissing) continue
    if (node.isError) found.push({ from: node.startIndex, to: node.endIndex, what: "unexpected text" })
    else if (node.isMissing)
      found.push({
        from: node.startIndex,
        to: node.endIndex,
        what: `missing ${node.isNamed ? node.type.replaceAll("_", " ") : JSON.stringify(node.type)}`
      })
    for (const child of node.children.toReversed()) if (child !== null) pending.push(child)
  }
  return found
}

const loaded = new Map<string, Promise<Wasm>>()
const load = ({ id, file }: { readonly id: string; readonly file: GrammarFile }): Promise<Wasm> => {
  let grammar = loaded.get(id)
  if (grammar === undefined) {
    grammar = loadParser(file)
    loaded.set(id, grammar)
    // A grammar that failed to load may be there the next time.
    grammar.catch(() => loaded.delete(id))
  }
  return grammar
}

class TooSlow extends Error {}

const parsed = <A>(parser: Parser, text: string, use: (tree: Tree) => A): A => {
  const deadline = performance.now() + patience
  const tree = parser.parse((index) => text.slice(index, index + 5_120), null, {
    progressCallback: () => performance.now() > deadline
  })
  if (tree === null) {
    parser.reset()
    throw new TooSlow()
  }
  try {
    return use(tree)
  } finally {
    tree.delete()
  }
}

const byGrammar = (grammar: Wasm, before: string | null, after: string): GateAnswer => {
  const parser = new Parser()
  try {
    parser.setLanguage(grammar)
    const has = parsed(parser, after, treeErrors)
    return compare(before, after, () => parsed(parser, before!, treeErrors), has)
  } catch (cause) {
    return { status: "unknown", because: cause instanceof TooSlow ? "too_slow" : "failed" }
  } finally {
    parser.delete()
  }
}

/** The gate of the product. */
export const syntaxGate: ParseGate = {
  check: (path, beforeBytes, afterBytes) =>
    Effect.gen(function* () {
      const json = jsonName.test(path)
      const grammar = json ? null : grammarOf(path, afterBytes)
      if (!json && grammar === null) return { status: "unknown", because: "no_grammar" } as const
      if (!isUtf8(afterBytes)) return { status: "unknown", because: "not_text" } as const
      if (Math.max(beforeBytes?.length ?? 0, afterBytes.length) > largest)
        return { status: "unknown", because: "too_large" } as const
      const before = beforeBytes === null || !isUtf8(beforeBytes) ? null : textOf(beforeBytes)
      const after = textOf(afterBytes)
      if (grammar === null) {
        const loose = looseJson.test(path)
        // An empty file is no JSON text, but nobody means it as a mistake in one.
        if (after.trim() === "") return { status: "clean" } as const
        return compare(before, after, () => jsonErrors(before!, loose), jsonErrors(after, loose))
      }
      return yield* Effect.tryPromise(() => load(grammar)).pipe(
        Effect.map((language) => byGrammar(language, before, after)),
        Effect.catchAll(() => Effect.succeed({ status: "unknown", because: "failed" } as const))
      )
    })
}

/** Lets everything pass as unknown; for callers that switched the gate off. */
export const openGate: ParseGate = {
  check: () => Effect.succeed({ status: "unknown", because: "no_grammar" })
}
