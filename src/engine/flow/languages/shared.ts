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
