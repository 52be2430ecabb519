/** Readings that several languages share. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { Lower, LowerExpression, LowerNode } from "../Lower.ts"

/** The value of the only part, whatever is around it. */
export const inner: LowerExpression = (lower, n) => lower.expr(lower.tree.named(n))
export const valueOf =
  (field: string): LowerExpression =>
  (lower, n) =>
    lower.expr(lower.field(n, field))
/** A value that nothing flows into. */
export const constant: LowerExpression = (lower, n) => lower.constant("", lower.at(n))
/** One value made of all parts. */
export const derived: LowerExpression = (lower, n) => {
  const parts = lower.named(n).map((c) => lower.expr(c))
  return parts.length === 0 ? lower.constant() : lower.derive(parts)
}
export const chosen: LowerExpression = (lower, n) => lower.choose(lower.named(n).map((c) => lower.expr(c)))
export const compared: LowerExpression = (lower, n) => lower.compare(lower.named(n).map((c) => lower.expr(c)))
export const nothing: LowerNode = () => {}
export const children: LowerNode = (lower, n) => lower.each(lower.named(n))
export const scopedChildren: LowerNode = (lower, n) => lower.scoped(() => lower.each(lower.named(n)))

// ---- statements

export const returning: LowerNode = (lower, n) => {
  lower.statement("return", n, () => {
    const value = lower.tree.named(n)
    lower.return(n, value < 0 ? [] : [lower.expr(value)])
  })
  lower.fn.return()
}
/** Throws a value, or again what was caught where none is written. */
export const throwing: LowerNode = (lower, n) => {
  lower.statement("throw", n, () => {
    const value = lower.tree.named(n)
    lower.throw(n, value < 0 ? lower.thrown() : lower.expr(value))
  })
  lower.fn.throw()
}
export const breaking: LowerNode = (lower, n) => {
  lower.statement("jump", n, () => {})
  lower.fn.break()
}
export const continuing: LowerNode = (lower, n) => {
  lower.statement("jump", n, () => {})
  lower.fn.continue()
}
/** With fields `condition`, `consequence` and `alternative`. */
export const ifElse: LowerNode = (lower, n) => {
  const alternative = lower.field(n, "alternative")
  lower.if(
    () => lower.test(lower.field(n, "condition")),
    () => lower.any(lower.field(n, "consequence")),
    alternative < 0 ? undefined : () => lower.any(alternative)
  )
}
/** With fields `body` and `condition`. */
export const doWhile: LowerNode = (lower, n) =>
  lower.do(
    lower.takeLabels(),
    () => lower.any(lower.field(n, "body")),
    () => lower.test(lower.field(n, "condition"))
  )
/** The loop of C: what is done first, then fields `condition`, `update` and `body`. */
export const counting =
  (first: LowerNode): LowerNode =>
  (lower, n) => {
    const labels = lower.takeLabels()
    lower.scoped(() => {
      first(lower, n)
      const condition = lower.field(n, "condition")
      const updates = lower.fields(n, "update")
      lower.while({
        labels,
        condition: condition < 0 ? undefined : () => lower.test(condition),
        step:
          updates.length === 0
            ? undefined
            : () => updates.forEach((update) => lower.statement("step", update, () => lower.expr(update))),
        body: () => lower.any(lower.field(n, "body"))
      })
    })
  }
/** A loop over the elements of a value: `bind` gives each to what stands on the left. */
export const over = (lower: Lower, n: Node, left: Node, value: Node, bind: (item: number) => void): void => {
  const labels = lower.takeLabels()
  lower.scoped(() => {
    let from = -1
    lower.statement("loop", value, () => {
      from = lower.expr(value)
    })
    lower.while({
      labels,
      condition: () => {
        lower.spanning("loop", left, value, () => bind(lower.load(from, "[]")))
        return lower.fn.current
      },
      body: () => lower.any(lower.field(n, "body"))
    })
  })
}

const comparing = new Set([
  "==",
  "!=",
  "===",
  "!==",
  "<",
  ">",
  "<=",
  ">=",
  "in",
  "instanceof",
  "is",
  "not in",
  "is not",
  "<=>"
])
const choosing = new Set(["&&", "||", "??", "and", "or", "?:"])

/** Operators over a left spine, walked without recursion: `a + b + c + …`. */
export const binary =
  (type: string, left = "left", right = "right", operator = "operator"): LowerExpression =>
  (lower, n) => {
    const parts: Array<{ readonly node: Node; readonly operator: string }> = []
    let at = n
    while (lower.type(at) === type) {
      parts.push({ node: lower.field(at, right), operator: lower.textOf(lower.field(at, operator)) })
      at = lower.field(at, left)
    }
    let value = lower.expr(at)
    let gathered: Array<number> = [value]
    let kind = ""
    const flush = () => {
      if (gathered.length > 1)
        value =
          kind === "compare"
            ? lower.compare(gathered)
            : kind === "choose"
              ? lower.choose(gathered)
              : lower.derive(gathered)
      gathered = [value]
    }
    for (const part of parts.reverse()) {
      const next = comparing.has(part.operator)
        ? "compare"
        : choosing.has(part.operator)
          ? "choose"
          : "derive"
      if (kind !== "" && next !== kind) flush()
      kind = next
      gathered.push(lower.expr(part.node))
    }
    flush()
    return value
  }

/** Field name of an index: a literal one is told apart from others. */
export const elementName = (lower: Lower, index: Node): string => {
  const text = lower.textOf(index)
  if (/^\d+$/.test(text)) return `[${Number(text)}]`
  const quoted = /^(["'`])([\w$.-]+)\1$/.exec(text)
  return quoted === null ? "[]" : quoted[2]!
}

/** The element of a collection at an index. */
export const element = (lower: Lower, base: Node, index: Node): number => {
  const from = lower.expr(base)
  if (index >= 0 && elementName(lower, index) === "[]") lower.expr(index)
  return lower.load(from, index < 0 ? "[]" : elementName(lower, index), lower.at(index))
}
