/** Puts part of a text into an answer: what fits the budget, what was left out and why, and the call that goes on. */
import { type FollowUpData } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { byteLength, isRecord, type UnknownRecord } from "../../registry/Json.ts"
import { fit, type Fitted, type Piece } from "./Lines.ts"

/** What the continuation of a read sends again beside its lines. */
export interface Again {
  readonly path: string
  readonly options?: UnknownRecord
  readonly context?: UnknownRecord
  /** The output controls of the call, as decoded. */
  readonly output?: UnknownRecord | undefined
  /** Bytes of the caller's own bound on the text, 0 for none. */
  readonly maxChars?: number
}

/** Output controls that bound an answer, out of the decoded input. */
export const outputOf = (input: object): UnknownRecord => {
  const output = (input as UnknownRecord)["output"]
  return isRecord(output)
    ? Object.fromEntries(
        ["max_bytes", "max_tokens"].flatMap((name) =>
          output[name] === undefined ? [] : [[name, output[name]]]
        )
      )
    : {}
}

const nonEmpty = (name: string, value: UnknownRecord | undefined) =>
  value === undefined || Object.keys(value).length === 0 ? {} : { [name]: value }

/** Bytes kept free for what is said about a cut. */
const room = 260

/** The read of the lines that are missing. A line too long for the budget is asked for with one that holds it. */
const continuation = (
  again: Again,
  cut: NonNullable<Fitted["cut"]>,
  last: number,
  whole: boolean,
  overhead: number,
  budget: number
): FollowUpData => {
  const long = cut.clipped
  const needed = long === undefined ? 0 : long.json + overhead + 1024
  const output: UnknownRecord =
    needed <= budget ? (again.output ?? {}) : { max_bytes: needed > 10_000_000 ? 0 : needed }
  const bound = again.maxChars ?? 0
  return draft("mechanically_followable", "read", {
    operation: "file",
    target: { file: again.path },
    options: {
      offset: cut.next,
      ...(whole ? {} : { limit: last - cut.next + 1 }),
      ...again.options,
      ...(bound === 0 ? {} : { max_chars: long === undefined ? bound : Math.max(bound, long.of) })
    },
    ...nonEmpty("context", again.context),
    ...nonEmpty("output", output)
  })
}

export interface Window {
  readonly text: string
  /** First line asked for and last line covered. */
  readonly from: number
  readonly to: number
  readonly fitted: Fitted
  /** Present when something that was asked for is missing. */
  readonly partial?: {
    readonly truncated: {
      readonly cause: string
      readonly next_line: number
      readonly clipped_line?: {
        readonly line: number
        readonly returned_bytes: number
        readonly bytes: number
      }
    }
    readonly follow_up: FollowUpData
  }
}

/**
 * Fits pieces into what the rest of the answer leaves of the budget. `last` is the last line asked for, `whole` that it is
 * the file's last.
 */
export const windowOf = (
  pieces: ReadonlyArray<Piece>,
  rest: object,
  budget: number,
  again: Again,
  asked: { readonly from: number; readonly last: number; readonly whole: boolean }
): Window => {
  const overhead = byteLength(rest)
  const raw = again.maxChars === undefined || again.maxChars === 0 ? Infinity : again.maxChars
  let fitted = fit(pieces, { json: budget - overhead - 80, raw })
  if (fitted.cut !== undefined) {
    const trailer =
      byteLength(continuation(again, fitted.cut, asked.last, asked.whole, overhead, budget)) + room
    fitted = fit(pieces, { json: Math.max(0, budget - overhead - trailer), raw })
  }
  const { cut } = fitted
  if (cut === undefined) return { text: fitted.content, from: asked.from, to: asked.last, fitted }
  return {
    text: fitted.content,
    from: asked.from,
    to: fitted.end,
    fitted,
    partial: {
      truncated: {
        cause: cut.cause,
        next_line: cut.next,
        ...(cut.clipped === undefined
          ? {}
          : { clipped_line: { line: cut.next, returned_bytes: cut.clipped.returned, bytes: cut.clipped.of } })
      },
      follow_up: continuation(again, cut, asked.last, asked.whole, overhead, budget)
    }
  }
}
