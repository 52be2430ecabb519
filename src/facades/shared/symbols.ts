/** Definitions as answers show them, and the words of callers brought to exactly one of them. */
import { Effect, Either } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { nearest } from "../../registry/Names.ts"
import {
  CodeGraph,
  type Freshness,
  type GraphView,
  type SymbolInfo,
  type SymbolRef
} from "../../services/CodeGraph.ts"
import { unreadFiles } from "./coverage.ts"
import { ReadFs } from "../../services/ReadFs.ts"

/** The graph as of now. */
export const graph: Effect.Effect<GraphView, OperationFailure, CodeGraph> = Effect.flatMap(
  CodeGraph,
  ({ view }) => Effect.mapError(view, (cause) => fromService(cause))
)

/** One definition or file in an answer. */
export interface SymbolRow {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly file_path: string
  readonly line: number
  readonly signature?: string
  readonly test?: true
}

/** What an answer's row becomes while it is made. */
export type Open<A> = { -readonly [K in keyof A]: A[K] }

/**
 * A new row, which the caller may add to. Written out for each set of keys: rows are made by the hundred, and one that is
 * spread together takes twenty times as long.
 */
export const rowOf = (symbol: SymbolInfo): Open<SymbolRow> => {
  const { id, kind, line, name, path: file_path } = symbol
  const signature = kind === "file" ? "" : symbol.signature
  if (symbol.test)
    return signature === ""
      ? { id, kind, name, file_path, line, test: true }
      : { id, kind, name, file_path, line, signature, test: true }
  return signature === ""
    ? { id, kind, name, file_path, line }
    : { id, kind, name, file_path, line, signature }
}

/** What of the graph's freshness a reader has to know. */
export const freshnessOf = ({ stale_files, state }: Freshness) => ({
  state,
  ...(stale_files.length === 0 ? {} : { stale_files })
})

/** What asks, so that a refusal can name the field and offer the same call again. */
export interface Asking {
  readonly facade: string
  readonly operation: string
  readonly field?: string
  /** Further arguments of the call that go along when it is offered again. */
  readonly rest?: { readonly [key: string]: unknown }
}

/** Candidates a refusal lists. */
const mostCandidates = 20

export interface Candidate {
  readonly id: string
  readonly kind: string
  readonly path: string
  readonly line: number
  readonly signature: string
}
export const candidateOf = ({ id, kind, line, path, signature }: SymbolInfo): Candidate => ({
  id,
  kind,
  path,
  line,
  signature
})

/** The file an id of the form `path::name` names, when it looks like one. */
const fileOfId = (words: string): string | undefined => {
  const split = words.indexOf("::")
  const path = split > 0 ? words.slice(0, split) : ""
  return path.includes("/") || /\.\w+$/.test(path) ? path : undefined
}

const missing = (
  view: GraphView,
  words: string,
  suggestions: ReadonlyArray<string>,
  asking: Asking
): OperationFailure => {
  const path = fileOfId(words)
  const file = path === undefined ? undefined : view.file(path)
  const name = words
    .slice(Math.max(words.lastIndexOf("::") + 2 * Number(words.includes("::")), words.lastIndexOf(".") + 1))
    .replace(/~\d+$/, "")
  const because =
    path === undefined
      ? ""
      : file === undefined
        ? `; ${path} is not an indexed file`
        : file.skipped === undefined
          ? ""
          : `; ${path} has no symbols in the index: ${file.skipped}`
  // An id that is nearly right is nearly another one of its own file.
  const close =
    path === undefined
      ? undefined
      : nearest(
          name,
          view.definitions(path).map((ref) => view.symbol(ref).id)
        )
  const unread = file === undefined ? unreadFiles(view) : 0
  const suggested = [...new Set([...(close === undefined ? [] : [close]), ...suggestions])]
  return failure(
    file?.skipped === undefined ? "symbol_not_found" : "symbol_not_indexed",
    `no symbol ${JSON.stringify(words)}${because}`,
    {
      field: asking.field ?? "target.symbol",
      failure_stage: "resolve",
      data: {
        symbol: words,
        ...(suggested.length === 0 ? {} : { suggestions: suggested }),
        ...(file?.skipped === undefined ? {} : { reason: file.skipped }),
        ...(unread === 0 ? {} : { unread_files: unread }),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      },
      ...(name.trim() === ""
        ? {}
        : { recovery: draft("fallback_recovery", "search", { operation: "symbols", query: name }) })
    }
  )
}

/**
 * The one definition or file some words mean. None fails with `symbol_not_found`, several with `invalid_argument` and
 * the candidates; nothing is ever guessed.
 */
export const oneOf = (
  view: GraphView,
  words: string,
  asking: Asking
): Either.Either<SymbolRef, OperationFailure> => {
  const { found, suggestions } = view.resolve(words)
  const [first] = found
  if (first === undefined) return Either.left(missing(view, words, suggestions, asking))
  if (found.length === 1) return Either.right(first)
  const candidates = found.slice(0, mostCandidates).map((ref) => candidateOf(view.symbol(ref)))
  return Either.left(
    invalidArgument(
      asking.field ?? "target.symbol",
      `${JSON.stringify(words)} means ${found.length} definitions; name one by its id`,
      {
        reason_code: "ambiguous_symbol",
        data: {
          symbol: words,
          candidates,
          ...(found.length > candidates.length ? { candidate_count: found.length } : {})
        },
        recovery: draft("fallback_recovery", asking.facade, {
          operation: asking.operation,
          target: { symbol: (candidates[0] as Candidate).id },
          ...asking.rest
        })
      }
    )
  )
}

/** The same, and a file is refused: the operation is about definitions. */
export const oneDefinition = (
  view: GraphView,
  words: string,
  asking: Asking
): Either.Either<SymbolRef, OperationFailure> =>
  Either.flatMap(oneOf(view, words, asking), (ref) =>
    view.isFile(ref)
      ? Either.left(
          invalidArgument(
            asking.field ?? "target.symbol",
            `${JSON.stringify(words)} is a file, and ${asking.facade}.${asking.operation} is about one symbol`,
            {
              reason_code: "file_not_symbol",
              data: { symbol: words },
              recovery: draft("fallback_recovery", "read", {
                operation: "summary",
                target: { file: view.symbol(ref).path }
              })
            }
          )
        )
      : Either.right(ref)
  )

/** A listed file by a path as callers write it: relative to the root or absolute. Fails with `file_not_indexed`. */
export const oneFile = (view: GraphView, path: string): Effect.Effect<SymbolRef, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    const known = view.fileRef(path)
    if (known !== undefined) return known
    const relative = yield* Effect.mapError(fs.relative(path), (cause) =>
      fromService(cause, { field: "target.file", failure_stage: "resolve" })
    )
    const ref = view.fileRef(relative)
    if (ref !== undefined) return ref
    const name = relative.slice(relative.lastIndexOf("/") + 1)
    return yield* failure("file_not_indexed", `${relative} is not an indexed file`, {
      field: "target.file",
      failure_stage: "resolve",
      data: { file: relative },
      ...(name === ""
        ? {}
        : { recovery: draft("fallback_recovery", "search", { operation: "files", query: name }) })
    })
  })
