/** Expression forms that most languages share. Each is made for the names a grammar gives to the parts. */
import { Space } from "../FactsBuilder.ts"
import { Op } from "../Vocabulary.ts"
import type { Form } from "./Rules.ts"
import type { Node } from "./SyntaxTree.ts"
import type { Walk } from "./Walk.ts"

type Part = (w: Walk, n: Node) => Node

/** The part with a field name, or the `index`-th named child. */
export const field =
  (name: string): Part =>
  (w, n) =>
    w.child(n, name)
export const nth =
  (index: number): Part =>
  (w, n) =>
    w.named(n, index)

/** A lexical name in value position. */
export const nameForm: Form = (w, n) => w.nameExpression(n, Space.any)
/** A lexical name in type position. */
export const typeNameForm: Form = (w, n) => w.nameExpression(n, Space.type)

/** A literal or built-in type of a fixed name. */
export const literalForm =
  (name: string): Form =>
  (w) =>
    w.literalExpression(name)
/** A built-in type named by the node's own text. */
export const builtinForm: Form = (w, n) => w.literalExpression(w.text(n))

/** `receiver.name` in value position. */
export const memberForm =
  (receiver: Part, name: Part): Form =>
  (w, n) => {
    const at = name(w, n)
    return at < 0 ? -1 : w.memberExpression(w.receiverOf(receiver(w, n)), at)
  }
/** `Outer.Inner` in type position. */
export const typeMemberForm =
  (outer: Part, name: Part): Form =>
  (w, n) => {
    const at = name(w, n)
    if (at < 0) return -1
    const from = outer(w, n)
    return from < 0 ? w.nameExpression(at, Space.type) : w.memberExpression(w.typeOf(from), at)
  }
/** The result of a call of a value. */
export const callForm =
  (callee: Part): Form =>
  (w, n) => {
    const f = w.valueOf(callee(w, n))
    return f < 0 ? -1 : w.b.expression(Op.call, f)
  }
/** A new instance of a type. */
export const newForm =
  (type: Part): Form =>
  (w, n) => {
    const t = w.typeOf(type(w, n))
    return t < 0 ? -1 : w.b.expression(Op.new, t)
  }
/** An element of a collection value. */
export const elementForm =
  (collection: Part): Form =>
  (w, n) => {
    const c = w.valueOf(collection(w, n))
    return c < 0 ? -1 : w.b.expression(Op.element, c)
  }
/** What awaiting or unwrapping a value yields. */
export const unwrapForm =
  (value: Part): Form =>
  (w, n) => {
    const v = w.valueOf(value(w, n))
    return v < 0 ? -1 : w.b.expression(Op.unwrap, v)
  }
/** A value converted to a type. */
export const castForm =
  (type: Part): Form =>
  (w, n) =>
    w.instanceOf(type(w, n))
/** A type with type arguments. */
export const genericForm =
  (base: Part, args: Part): Form =>
  (w, n) =>
    w.generic(
      w.typeOf(base(w, n)),
      w.all(args(w, n)).map((a) => w.typeOf(a))
    )
/** An array type. */
export const arrayForm =
  (element: Part): Form =>
  (w, n) =>
    w.collection("array", [w.typeOf(element(w, n))])
/** One value or the other. */
export const eitherForm =
  (left: Part, right: Part): Form =>
  (w, n) => {
    const a = w.valueOf(left(w, n))
    const b = w.valueOf(right(w, n))
    return a < 0 ? b : b < 0 ? a : w.b.expression(Op.union, a, b)
  }
/** The current instance of the innermost class. */
export const selfForm: Form = (w) => {
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.self, type)
}
export const superForm: Form = (w) => {
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.super, type)
}
