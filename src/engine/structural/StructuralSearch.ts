/**
 * Search by syntax: a tree-sitter query in its S-expression form, or a piece of code with variables. Files are parsed
 * when they are asked about; nothing is kept.
 */
import { Effect } from "effect"
import { type Language as Grammar, Parser, Query, type Node } from "web-tree-sitter"
import { nextTurn } from "../../registry/Turns.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { TextIndex } from "../../services/TextIndex.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { languages } from "../languages/index.ts"
import { loadParser } from "../languages/treesitter/Grammar.ts"
import { type CodePattern, compile, InvalidCodePattern, matchAt } from "./CodePattern.ts"

type StructuralQuery = Parameters<TextIndex["Type"]["structural"]>[0]
type StructuralResult = Effect.Effect.Success<ReturnType<TextIndex["Type"]["structural"]>>
type Match = StructuralResult["matches"][number]

const largest = 1 << 20
const longestText = 400
const grammars = new Map<string, Promise<Grammar>>()
const grammarOf = (language: string): Promise<Grammar> | undefined => {
  const file = languages.find((l) => l.id === language)?.grammar
  if (file === undefined) return undefined
  let loading = grammars.get(language)
  if (loading === undefined) grammars.set(language, (loading = loadParser(file)))
  return loading
}

/** Ids of the languages that can be searched by syntax. */
export const searchableLanguages = (): ReadonlyArray<string> =>
  languages.flatMap((l) => (l.grammar === undefined ? [] : [l.id]))

const failed = (reason: string, detail: string) =>
  new ServiceFailure({ service: "TextIndex", reason, detail, stateChanged: false })
export const searchStructure = (
  query: StructuralQuery,
  files: ReadonlyArray<FileEntry>,
  read: (file: FileEntry) => Uint8Array | undefined
): Effect.Effect<StructuralResult, ServiceFailure> =>
  Effect.gen(function* () {
    const loading = grammarOf(query.language)
    if (loading === undefined)
      return yield* failed(
        "no_grammar",
        `no grammar for "${query.language}"; there is one for ${searchableLanguages().join(", ")}`
      )
    const grammar = yield* Effect.tryPromise({
      try: () => loading,
      catch: () => failed("no_grammar", `the grammar of ${query.language} is not installed`)
    })
    const parser = yield* Effect.acquireRelease(
      Effect.sync(() => new Parser()),
      (p) => Effect.sync(() => p.delete())
    )
    const finder = yield* Effect.acquireRelease(
      Effect.try({
        try: () => finderOf(query.pattern, query.language, grammar, parser),
        catch: (cause) => failed("invalid_pattern", cause instanceof Error ? cause.message : String(cause))
      }),
      (f) => Effect.sync(() => f.free())
    )
    parser.setLanguage(grammar)
    const until = performance.now() + (query.deadline_ms ?? 10_000)
    const matches: Array<Match> = []
    const errors: Array<string> = []
    let total = 0
    let complete = true
    let walked = 0
    let resumed = performance.now()
    for (const file of files) {
      if (performance.now() > until) {
        complete = false
        errors.push("the time for this search ran out")
        break
      }
      if (performance.now() - resumed > 8) {
        yield* nextTurn
        resumed = performance.now()
      }
      const bytes = read(file)
      if (bytes === undefined || bytes.length > largest) {
        complete = false
        if (errors.length < 20)
          errors.push(
            `${file.path}: ${bytes === undefined ? "could not be read" : "is too large to parse here"}`
          )
        continue
      }
      walked++
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (!finder.words.every((w) => buffer.includes(w))) continue
      const text = buffer.toString("utf8")
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until })
      if (tree === null) {
        complete = false
        parser.reset()
        if (errors.length < 20) errors.push(`${file.path}: took too long to parse`)
        continue
      }
      try {
        finder.each(tree.rootNode, (node, captures) => {
          total++
          if (matches.length < query.limit) {
            matches.push({
              path: file.path,
              line: node.startPosition.row + 1,
              end_line: node.endPosition.row + 1,
              column: node.startPosition.column + 1,
              text: node.text.length > longestText ? `${node.text.slice(0, longestText)}…` : node.text,
              captures
            })
          }
        })
      } finally {
        tree.delete()
      }
    }
    return { matches, total, complete, files_walked: walked, errors }
  }).pipe(Effect.scoped)

interface Finder {
  readonly words: ReadonlyArray<string>
  readonly each: (
    root: Node,
    found: (node: Node, captures: { readonly [name: string]: string }) => void
  ) => void
  readonly free: () => void
}

const finderOf = (pattern: string, language: string, grammar: Grammar, parser: Parser): Finder => {
  if (/^\s*[([;]/.test(pattern)) {
    try {
      return queryFinder(new Query(grammar, pattern))
    } catch (cause) {
      // Parenthesised code looks like a query until it is read as one.
      if (/@\w/.test(pattern) || !/[={};]|\$/.test(pattern))
        throw new InvalidCodePattern(
          `not a valid query: ${cause instanceof Error ? cause.message : String(cause)}`
        )
    }
  }
  return codeFinder(
    compile(
      pattern,
      language === "tsx" ? "typescript" : language === "jsx" ? "javascript" : language,
      grammar,
      parser
    )
  )
}

const queryFinder = (query: Query): Finder => ({
  words: [],
  each: (root, found) => {
    for (const match of query.matches(root)) {
      const whole = match.captures.find((c) => c.name === "match") ?? match.captures[0]
      if (whole === undefined) continue
      const captures: { [name: string]: string } = {}
      for (const c of match.captures)
        if (c.name !== "match") captures[c.name] = c.node.text.slice(0, longestText)
      found(whole.node, captures)
    }
  },
  free: () => query.delete()
})

const codeFinder = (pattern: CodePattern): Finder => ({
  words: pattern.words,
  each: (root, found) => {
    for (const node of root.descendantsOfType(pattern.root.type)) {
      const captures = node === null ? undefined : matchAt(pattern, node)
      if (node !== null && captures !== undefined)
        found(node, Object.fromEntries([...captures].map(([k, v]) => [k, v.slice(0, longestText)])))
    }
  },
  free: () => {}
})
