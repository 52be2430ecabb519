/** Visits that most languages share. */
import { Scope, Space } from "../FactsBuilder.ts"
import { Inherit, Op, Role } from "../Vocabulary.ts"
import type { Visit } from "./Rules.ts"
import type { Node } from "./SyntaxTree.ts"
import type { Walk } from "./Walk.ts"

type Part = (w: Walk, n: Node) => Node

/** A leaf that uses a lexical name; reads it unless it was given another role. */
export const useName =
  (fallback: number = Role.read): Visit =>
  (w, n) => {
    const role = w.roleOf(n, fallback)
    w.reference(n, role, spaceOf(role))
  }
/** A leaf that uses a type's name. */
export const useType: Visit = useName(Role.type)

/** Name space a role looks in: types for annotations, everything for values. */
export const spaceOf = (role: number): number =>
  role === Role.read ||
  role === Role.write ||
  role === Role.call ||
  role === Role.macro ||
  role === Role.mention ||
  role === Role.export
    ? Space.any
    : Space.type

/** `receiver.name` where no call is made of it. */
export const useMember =
  (receiver: Part, name: Part): Visit =>
  (w, n) => {
    const at = name(w, n)
    if (at < 0) return
    w.member(receiver(w, n), at, w.roleOf(n, Role.read))
    w.skip(at)
  }
/** `Outer.Inner` in type position: the last name has the role, the outer ones are read as types. */
export const useTypeMember =
  (outer: Part, name: Part): Visit =>
  (w, n) => {
    const at = name(w, n)
    const from = outer(w, n)
    if (at < 0 || from < 0) return
    w.memberReference(
      w.typeOf(from) < 0 ? w.unknown : w.typeOf(from),
      w.name(at),
      w.start(at),
      w.roleOf(n, Role.type)
    )
    w.skip(at)
    w.assign(from, Role.type)
  }

/** Opens a scope for the node. */
export const scoped =
  (kind: number = Scope.block): Visit =>
  (w, n) =>
    w.scope(n, kind)
/** One more path through the function. */
export const branches: Visit = (w) => w.b.branch()
/** Both. */
export const branchScope: Visit = (w, n) => {
  w.b.branch()
  w.scope(n)
}
/** Leaves the node and all below it out. */
export const ignored: Visit = (w, n) => w.skipChildren(n)
/** Several visits of one node, in turn. */
export const both =
  (...visits: ReadonlyArray<Visit>): Visit =>
  (w, n) => {
    for (const visit of visits) visit(w, n)
  }

/** A binary expression: short-circuit operators are branches. */
export const binary =
  (...operators: ReadonlyArray<string>): Visit =>
  (w, n) => {
    if (operators.some((o) => w.has(n, o))) w.b.branch()
  }

/** `left = right`: the left side is written. */
export const assigns =
  (left: Part): Visit =>
  (w, n) =>
    w.assign(left(w, n), Role.write)

/** Type arguments: each argument is one. */
export const typeArguments: Visit = (w, n) => {
  for (const a of w.all(n)) w.assign(a, Role.generic_arg)
}

/** A super type of the definition, given as a type node. */
export const inherits = (w: Walk, definition: number, type: Node, how: keyof typeof Inherit): void => {
  w.assign(type, how === "implements" ? Role.implements : Role.extends)
  const expression = w.typeOf(type)
  if (expression >= 0 && definition >= 0) w.b.inherit(definition, -1, expression, Inherit[how], w.start(type))
}

/** Iteration variable type: an element of the collection, or -1. */
export const elementOf = (w: Walk, collection: Node): number => {
  const c = w.valueOf(collection)
  return c < 0 ? -1 : w.b.expression(Op.element, c)
}
