/**
 * Regular expressions of callers, run over lines of text. JavaScript's matcher backtracks, so a pattern whose time could
 * grow exponentially with the line is refused before it runs.
 */
import { Either } from "effect"
import { failure, type OperationFailure } from "../../registry/Failure.ts"

/** Offset of the first match in a line, -1 for none. */
export type Matcher = (line: string) => number

interface Group {
  /** Holds something repeated without bound. */
  repeats: boolean
  /** What each alternative starts with; undefined for anything but a plain character. */
  readonly starts: Array<string | undefined>
  open: boolean
}

const unbounded = /^(?:[*+]|\{\d+,\})/
const special = new Set("\\.[](){}*+?^$|")

/** Whether a repeated group repeats inside, or has alternatives that may start alike. */
const explodes = (pattern: string): boolean => {
  const group = (): Group => ({ repeats: false, starts: [], open: true })
  const stack: Array<Group> = [group()]
  const top = () => stack[stack.length - 1] as Group
  const atom = (start: string | undefined) => {
    const here = top()
    if (here.open) here.starts.push(start)
    here.open = false
  }
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    if (char === "\\") {
      atom(undefined)
      at++
    } else if (char === "[") {
      atom(undefined)
      while (++at < pattern.length && pattern[at] !== "]") if (pattern[at] === "\\") at++
    } else if (char === "(") {
      atom(undefined)
      stack.push(group())
      const prefix = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(pattern.slice(at + 1))
      if (prefix !== null) at += prefix[0].length
    } else if (char === ")") {
      const closed = stack.length > 1 ? (stack.pop() as Group) : top()
      const repeated = unbounded.test(pattern.slice(at + 1))
      const alike =
        closed.starts.length > 1 &&
        (closed.starts.includes(undefined) || new Set(closed.starts).size < closed.starts.length)
      if (repeated && (closed.repeats || alike)) return true
      if (closed.repeats || repeated) top().repeats = true
    } else if (char === "|") top().open = true
    else if (unbounded.test(pattern.slice(at))) top().repeats = true
    else atom(special.has(char) ? undefined : char)
  }
  return false
}

/** UTF-16 units a pattern may have. */
const longest = 10_000

/** By code points where the pattern can be read so, as browsers always have otherwise: `\-` and a bare `{` are text there. */
const regular = (source: string, flags: string): RegExp => {
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    return new RegExp(source, flags)
  }
}

/** Compiles a pattern. Fails with `invalid_pattern` when it is no pattern or may take forever. */
export const compile = (
  pattern: string,
  options: { readonly literal: boolean; readonly ignoreCase: boolean }
): Either.Either<Matcher, OperationFailure> => {
  const refuse = (why: string, reason: string) =>
    Either.left(
      failure("invalid_pattern", `arguments.pattern ${why}`, {
        field: "arguments.pattern",
        failure_stage: "decode",
        reason_code: reason
      })
    )
  if (pattern.length > longest) return refuse(`may have at most ${longest} characters`, "too_long")
  const source = options.literal ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : pattern
  if (!options.literal && explodes(pattern)) {
    return refuse(
      "repeats what already repeats or has alternatives alike, which can take forever; make it simpler or send literal",
      "unbounded_pattern"
    )
  }
  try {
    const expression = regular(source, options.ignoreCase ? "i" : "")
    // The matcher is compiled when it first runs, and only then says that it would be too large.
    expression.test("")
    return Either.right((line) => line.search(expression))
  } catch (cause) {
    return refuse(
      `is not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}`,
      "syntax"
    )
  }
}
