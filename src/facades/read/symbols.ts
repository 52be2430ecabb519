import { Effect, Either } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { tagged } from "../shared/etag.ts"
import { graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { calleesOf, callersOf, type Excerpt, excerptOf, headOf, type Texts } from "./Excerpt.ts"
import { read } from "./facade.ts"
import { contextLines } from "./fields.ts"
import { outputOf, windowOf } from "./Window.ts"

/** Neighbours a row names. */
const mostNeighbours = 10

const neighbours = (view: GraphView, ref: SymbolRef) => {
  const named = (key: "callers" | "callees", refs: ReadonlyArray<SymbolRef>) => ({
    ...(refs.length === 0
      ? {}
      : { [key]: refs.slice(0, mostNeighbours).map((other) => view.symbol(other).id) }),
    ...(refs.length > mostNeighbours
      ? { [key === "callers" ? "caller_count" : "callee_count"]: refs.length }
      : {})
  })
  return { ...named("callers", callersOf(view, ref)), ...named("callees", calleesOf(view, ref)) }
}

const wrong = (words: string, { code, data, message }: OperationFailure) => ({
  symbol: words,
  error: {
    reason_code: code,
    message,
    ...(data?.["candidates"] === undefined ? {} : { candidates: data["candidates"] }),
    ...(data?.["suggestions"] === undefined ? {} : { suggestions: data["suggestions"] })
  }
})

/** Bytes kept free for what is said about rows left out, their ids aside. */
const room = 240

const needs = [ReadFs, CodeGraph] as const

export const symbols: Member<typeof read, "symbols", typeof needs> = read.operation("symbols", {
  tool: "batch_symbols",
  presets: ["agent", "localization", "hybrid"],
  summary: "Several symbols at once: source, signature, callers, callees.",
  input: F.input({
    target: F.target({ symbols: Shared.symbols }),
    context: F.group({ context_lines: contextLines }),
    options: F.group({ include_source: F.withDefault(F.flag, true), if_none_match: Shared.ifNoneMatch })
  }),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const { context, options } = input
      const ids = input.target.symbols
      const view = yield* graph
      const texts: Texts = new Map()
      const asking = { facade: "read", operation: "source" }
      const output = outputOf(input)
      const rest = (from: number) =>
        draft("mechanically_followable", "read", {
          operation: "symbols",
          target: { symbols: ids.slice(from) },
          context: { context_lines: context.context_lines },
          options: { include_source: options.include_source },
          ...(Object.keys(output).length === 0 ? {} : { output })
        })

      const rowFor = (words: string) =>
        Effect.gen(function* () {
          const around = (seen: GraphView, ref: SymbolRef) => neighbours(seen, ref)
          if (!options.include_source) {
            const ref = yield* oneDefinition(view, words, asking)
            const symbol = view.symbol(ref)
            const { line: _, ...row } = rowOf(symbol)
            return {
              row: {
                ...row,
                start_line: symbol.start_line,
                end_line: symbol.end_line,
                ...around(view, ref)
              } as object,
              excerpt: undefined
            }
          }
          const excerpt = yield* excerptOf(words, context, asking, view, texts)
          const row: object = { ...headOf(excerpt), ...around(excerpt.view, excerpt.symbol.ref) }
          return { row, excerpt }
        })

      /** The one row that is too large by itself, its source cut, with the read that goes on. */
      const shortened = (row: object, excerpt: Excerpt) => {
        const cut = windowOf(
          excerpt.pieces,
          row,
          call.budget - room - (ids.length > 1 ? byteLength(rest(1)) : 0),
          { path: excerpt.symbol.path, output },
          {
            from: excerpt.from,
            last: excerpt.to,
            whole: excerpt.whole
          }
        )
        return { ...row, source: cut.text, ...cut.partial }
      }

      const rows: Array<object> = []
      let used = 40
      let next = ids.length
      for (const [index, words] of ids.entries()) {
        const made = yield* Effect.either(rowFor(words))
        let row: object
        if (Either.isLeft(made)) row = wrong(words, made.left)
        else {
          const { excerpt } = made.right
          row =
            excerpt === undefined
              ? made.right.row
              : { ...made.right.row, source: excerpt.pieces.map(({ text }) => text).join("") }
        }
        const bytes = byteLength(row) + 1
        const left = index + 1 < ids.length ? byteLength(rest(index + 1)) + room : 0
        if (used + bytes + left > call.budget) {
          if (index > 0) {
            next = index
            break
          }
          if (Either.isRight(made) && made.right.excerpt !== undefined)
            row = shortened(made.right.row, made.right.excerpt)
        }
        rows.push(row)
        used += byteLength(row) + 1
      }
      const failed = rows.filter((row) => "error" in row).length
      const answer = {
        symbols: rows,
        ...(failed === 0 ? {} : { failed_count: failed }),
        ...(next === ids.length
          ? {}
          : {
              total: ids.length,
              returned_count: rows.length,
              truncated: { cause: "max_bytes" },
              next_index: next
            })
      }
      const out = tagged(answer, options.if_none_match, {})
      return next === ids.length || "not_modified" in out ? out : { ...out, follow_up: rest(next) }
    })
})
