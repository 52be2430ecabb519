/** C declarators: from `*(*name[3])(int)` to the name, and to what is declared about it. */
import type { Node } from "../treesitter/SyntaxTree.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { Op } from "../Vocabulary.ts"

export interface Declarator {
  /** The name: an identifier, a qualified, operator or destructor name. */
  readonly name: Node
  /** The function declarator when a function is declared (not a pointer to one), else -1. */
  readonly function: Node
  /** Whether an array of the type is declared. */
  readonly array: boolean
  /** Whether a pointer to a function is declared. */
  readonly callback: boolean
  /** The initializer, else -1. */
  readonly value: Node
}

/** Follows a declarator down to its name; undefined for abstract ones. */
export const declaratorOf = (w: Walk, declarator: Node): Declarator | undefined => {
  let at = declarator
  let func = -1
  let array = false
  let callback = false
  let value = -1
  for (let i = 0; i < 64 && at >= 0; i++) {
    switch (w.type(at)) {
      case "init_declarator":
        value = w.child(at, "value")
        at = w.child(at, "declarator")
        break
      case "function_declarator":
        func = at
        at = w.child(at, "declarator")
        break
      case "pointer_declarator":
        // A pointer inside a function declarator's parentheses points to the function.
        if (func >= 0) {
          callback = true
          func = -1
        }
        at = w.child(at, "declarator")
        break
      case "array_declarator":
        array = true
        if (func >= 0) {
          callback = true
          func = -1
        }
        at = w.child(at, "declarator")
        break
      case "parenthesized_declarator":
      case "attributed_declarator":
        at = w.named(at)
        break
      case "reference_declarator":
      case "variadic_declarator":
      case "pointer_type_declarator":
        at = w.named(at, -1)
        break
      case "identifier":
      case "field_identifier":
      case "type_identifier":
      case "qualified_identifier":
      case "destructor_name":
      case "operator_name":
      case "operator_cast":
      case "template_function":
      case "template_method":
      case "structured_binding_declarator":
        if (w.type(at) === "operator_cast") func = w.child(at, "declarator")
        return { name: at, function: func, array, callback, value }
      default:
        return undefined
    }
  }
  return undefined
}

/** Type expression of what is declared: the base type, or an array of it; -1 for callbacks and unknown types. */
export const declaredType = (w: Walk, type: Node, d: Declarator): number => {
  if (d.callback) return -1
  const base = w.typeOf(type)
  return d.array && base >= 0 ? w.collection("array", [base]) : base
}
/** A value of the declared type, or -1. */
export const declaredValue = (w: Walk, type: Node, d: Declarator): number => {
  const t = declaredType(w, type, d)
  return t < 0 ? -1 : w.b.expression(Op.instance, t)
}

/** The parts of `A::B::c` from left to right, template arguments left out; a leading `::` gives no part. */
export const qualifiedParts = (w: Walk, n: Node): ReadonlyArray<Node> => {
  const parts: Array<Node> = []
  let at = n
  while (w.type(at) === "qualified_identifier") {
    const scope = w.child(at, "scope")
    if (scope >= 0) parts.push(scope)
    const name = w.child(at, "name")
    if (name < 0) break
    at = name
  }
  parts.push(at)
  return parts
}

/** The node that spells the bare name: without template arguments. */
export const bareName = (w: Walk, n: Node): Node => {
  const type = w.type(n)
  return type === "template_type" || type === "template_function" || type === "template_method"
    ? w.child(n, "name")
    : n
}
