/**
 * The parse gate over the grammars that are installed: tree-sitter for programming languages and stylesheets, a JSON
 * reader for JSON. Languages without a grammar are `unknown`.
 */
import type { GateAnswer, SyntaxError } from "../../services/LocalWriter.ts"
import { Effect } from "effect"
import { isUtf8 } from "node:buffer"
import { type ParseError, parse as parseJson, printParseErrorCode } from "jsonc-parser"
import type { Language as Wasm, Node, Tree } from "web-tree-sitter"
import { LanguageTable } from "../indexer/Detect.ts"
import { languages } from "../languages/index.ts"
import { type GrammarFile, loadParser } from "../languages/treesitter/Grammar.ts"
import { newlinesIn } from "./Common.ts"
import { canBeCut, type Cuts, cutsOf, type Part, partAround, spliced } from "./Cuts.ts"
import { type Look, mostLooks, Parse, TooSlow } from "./Parse.ts"
import type { Outline, ParseGate, Side } from "./ParseGate.ts"
import { type Stretch, stretchesAround } from "./Stretch.ts"
import { changed, type Grown, Trees } from "./Trees.ts"

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

const hasBom = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** UTF-16 units of the first bytes of a text. */
const unitsUpTo = (bytes: Uint8Array, count: number): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, count).toString("utf8").length

const textOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")
  return text.startsWith("\ufeff") ? text.slice(1) : text
}

/** What of the errors after was not there before: those outside the changed stretch are paired by their place. */
const compare = (
  before: string | null,
  after: string,
  old: ReadonlyArray<Found>,
  has: ReadonlyArray<Found>
): GateAnswer => {
  if (has.length === 0) return { status: "clean" }
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

/** What is known of a text: its errors and, where it has none and its language allows, where it can be cut. */
interface Known {
  readonly errors: ReadonlyArray<Found>
  readonly cuts: Cuts | null
}

const mostTexts = 512
/** Errors of a text that is remembered. */
const mostRemembered = 64

/** What a gate knows of texts it has judged. */
class Memory {
  /** By language and blob id, the last used ones last. */
  readonly #texts = new Map<string, Known>()
  /** By language and path. */
  readonly trees: Trees

  constructor(units: number) {
    this.trees = new Trees(units)
  }

  of(key: string): Known | undefined {
    const known = this.#texts.get(key)
    if (known === undefined) return undefined
    this.#texts.delete(key)
    this.#texts.set(key, known)
    return known
  }

  note(key: string, known: Known): void {
    if (known.errors.length > mostRemembered) return
    this.#texts.delete(key)
    this.#texts.set(key, known)
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= mostTexts) break
      this.#texts.delete(oldest)
    }
  }
}

/** Bytes of a text that is read as a whole: what it is to be known of it costs little. */
const short = 4096

/**
 * Whether a text that ends with the tail of a stretch, from a place on, is without errors and has what the tail begins with
 * where it belongs, and whether nothing was looked for beyond the stretch, where the whole may have it.
 */
const isWhole = ({ item, last, tail }: Stretch, at: number, { rootNode }: Tree, ended: number): boolean => {
  if (rootNode.hasError) return false
  if (tail !== "" && (ended < at || rootNode.lastNamedChild?.startIndex !== (last ?? at))) return false
  if (item === undefined) return true
  const place = at + item
  let node = rootNode.descendantForIndex(place)
  while (node?.parent?.startIndex === place) node = node.parent
  return node?.startIndex === place && node.parent?.parent?.parent?.id === rootNode.id
}

const keyOf = (id: string, { sha }: Side): string => `${id} ${sha}`

/** The gate of a grammar, for one comparison. */
class GrammarGate {
  readonly #parse: Parse

  constructor(
    private readonly memory: Memory,
    private readonly id: string,
    private readonly grammar: Wasm,
    /** Where the text is, among all trees that are kept. */
    private readonly place: string
  ) {
    this.#parse = new Parse(grammar, patience)
  }

  close(): void {
    this.#parse.close()
  }

  /** What is known of a text, found out where it must be. */
  known(side: Side): Known {
    const key = keyOf(this.id, side)
    const before = this.memory.of(key)
    if (before !== undefined) return before
    const text = textOf(side.bytes)
    const known = this.#parse.read(text, (tree, looks): Known => {
      const errors = treeErrors(tree)
      if (errors.length > 0) return { errors, cuts: null }
      this.memory.trees.keep(this.place, { tree, text, looks })
      return { errors, cuts: this.#cutsOf(tree, text, side.bytes, looks) }
    })
    this.memory.note(key, known)
    return known
  }

  /** Whether a text is known to have no errors by what is known of another one, or of an earlier one in its place. */
  follows(from: Side, to: Side): boolean {
    const grown = this.memory.trees.get(this.place)
    if (grown !== undefined) return this.#byTree(grown, to)
    const known = this.memory.of(keyOf(this.id, from))
    if (known === undefined) return false
    const { cuts } = known
    const part = cuts === null ? null : partAround(cuts, from.bytes, to.bytes)
    return cuts !== null && part !== null && this.#byPart(cuts, part, to)
  }

  #byPart(cuts: Cuts, part: Part, to: Side): boolean {
    const bytes = to.bytes.subarray(part.start, part.end)
    if (hasBom(bytes)) return false
    const text = textOf(bytes)
    const own = this.#parse.read(text, (tree, looks, ended) =>
      tree.rootNode.hasError ||
      // Something was looked for up to the end of the part, from before the last item: the whole may have it further on.
      (part.last >= 0 && ended < unitsUpTo(bytes, part.lastStart - part.start))
        ? null
        : this.#cutsOf(tree, text, bytes, looks)
    )
    const whole = own === null ? null : spliced(cuts, part, own)
    if (whole === null) return false
    this.memory.note(keyOf(this.id, to), { errors: [], cuts: whole })
    return true
  }

  /**
   * What the items say that a change is in, of a text whose outline is known and that no grammar has read yet. They begin
   * where a definition does. Where they are whole items of one list, before and after, a parser stands before them as it
   * did, and behind them where it stands behind any item. Null when they say nothing.
   */
  byStretch(outline: Outline, from: Side, to: Side): GateAnswer | null {
    if (this.memory.trees.get(this.place) !== undefined || this.memory.of(keyOf(this.id, from)) !== undefined)
      return null
    const sketch = outline(from)
    if (sketch === undefined || hasBom(from.bytes) || hasBom(to.bytes)) return null
    if (!sketch.isSound && from.bytes.length < short) return null
    for (const stretch of stretchesAround(this.id, sketch, from.bytes, to.bytes)) {
      const { end, head, start, tail } = stretch
      const endAfter = end + to.bytes.length - from.bytes.length
      const is = `${head}${textOf(to.bytes.subarray(start, endAfter))}`
      const was = `${head}${textOf(from.bytes.subarray(start, end))}`
      const text = was + tail
      const holds = this.#parse.read(text, (tree, looks, ended) =>
        isWhole(stretch, was.length, tree, ended)
          ? changed({ tree, text, looks }, is + tail, (old) =>
              this.#parse.read(is + tail, (next, __, last) => isWhole(stretch, is.length, next, last), old)
            )
          : undefined
      )
      if (holds === undefined) continue
      if (!holds) return null
      if (sketch.isSound) return { status: "clean" }
      const startLine = 1 + newlinesIn(to.bytes, 0, start)
      return {
        status: "none_added",
        startLine,
        endLine: startLine + newlinesIn(to.bytes, start, endAfter - 1)
      }
    }
    return null
  }

  #byTree(grown: Grown, to: Side): boolean {
    const text = textOf(to.bytes)
    return changed(grown, text, (old, kept) =>
      this.#parse.read(
        text,
        (tree, found) => {
          if (tree.rootNode.hasError) return false
          const looks = [...found, ...kept]
          this.memory.trees.keep(this.place, { tree, text, looks })
          this.memory.note(keyOf(this.id, to), {
            errors: [],
            cuts: this.#cutsOf(tree, text, to.bytes, looks)
          })
          return true
        },
        old
      )
    )
  }

  compare(before: Side | null, after: Side, outline?: Outline): GateAnswer {
    const told = this.memory.of(keyOf(this.id, after))
    if (told === undefined && before !== null) {
      if (this.follows(before, after)) return { status: "clean" }
      const answer = outline === undefined ? null : this.byStretch(outline, before, after)
      if (answer !== null) return answer
    }
    const { errors } = told ?? this.known(after)
    if (errors.length === 0) {
      // The next edit is probably one of the same text.
      if (before !== null && this.memory.of(keyOf(this.id, before)) === undefined) this.follows(after, before)
      return { status: "clean" }
    }
    const had = before === null ? [] : this.known(before).errors
    return compare(before === null ? null : textOf(before.bytes), textOf(after.bytes), had, errors)
  }

  #cutsOf(tree: Tree, text: string, bytes: Uint8Array, looks: ReadonlyArray<Look>): Cuts | null {
    return !canBeCut(this.id) || hasBom(bytes) || looks.length > mostLooks
      ? null
      : cutsOf(this.id, this.grammar, tree, text, bytes, looks)
  }
}

const byGrammar = (
  memory: Memory,
  id: string,
  grammar: Wasm,
  path: string,
  before: Side | null,
  after: Side,
  outline: Outline | undefined
): GateAnswer => {
  const gate = new GrammarGate(memory, id, grammar, `${id} ${path}`)
  try {
    return gate.compare(before, after, outline)
  } catch (cause) {
    return { status: "unknown", because: cause instanceof TooSlow ? "too_slow" : "failed" }
  } finally {
    gate.close()
  }
}

/** Whether a text is JSON without doubt; the reader that tells what is wrong with others is slower. */
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * A gate that remembers the texts it has judged, so that what follows from them is not worked out again: where texts were
 * without errors, and, of texts of so many UTF-16 units together, their trees.
 */
export const makeSyntaxGate = (units = 1 << 19): ParseGate => {
  const memory = new Memory(units)
  return {
    check: (path, before, after, outline) =>
      Effect.gen(function* () {
        const json = jsonName.test(path)
        const grammar = json ? null : grammarOf(path, after.bytes)
        if (!json && grammar === null) return { status: "unknown", because: "no_grammar" } as const
        if (!isUtf8(after.bytes)) return { status: "unknown", because: "not_text" } as const
        if (Math.max(before?.bytes.length ?? 0, after.bytes.length) > largest)
          return { status: "unknown", because: "too_large" } as const
        const from = before === null || !isUtf8(before.bytes) ? null : before
        if (grammar === null) {
          const loose = looseJson.test(path)
          const text = textOf(after.bytes)
          // An empty file is no JSON text, but nobody means it as a mistake in one.
          if (text.trim() === "" || isJson(text)) return { status: "clean" } as const
          const errors = jsonErrors(text, loose)
          const was = from === null ? null : textOf(from.bytes)
          return compare(was, text, was === null || errors.length === 0 ? [] : jsonErrors(was, loose), errors)
        }
        return yield* Effect.tryPromise(() => load(grammar)).pipe(
          Effect.map((language) => byGrammar(memory, grammar.id, language, path, from, after, outline)),
          Effect.catchAll(() => Effect.succeed({ status: "unknown", because: "failed" } as const))
        )
      })
  }
}

/** The gate of the product. */
export const syntaxGate: ParseGate = makeSyntaxGate()

/** Lets everything pass as unknown; for callers that switched the gate off. */
export const openGate: ParseGate = {
  check: () => Effect.succeed({ status: "unknown", because: "no_grammar" })
}
