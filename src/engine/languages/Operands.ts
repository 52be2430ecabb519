import { type FactsView, X } from "./Facts.ts"
import { Op } from "./Vocabulary.ts"

/**
 * Puts the expressions that an expression is made of onto a list; a negative number stands for none. What a name stands
 * for is no part of it.
 */
export const operandsOf = (view: FactsView, expression: number, into: Array<number>): void => {
  const op = view.expr(expression, X.op)
  const a = view.expr(expression, X.a)
  const b = view.expr(expression, X.b)
  const c = view.expr(expression, X.c)
  switch (op) {
    case Op.name:
    case Op.self:
    case Op.selfType:
    case Op.thisType:
    case Op.super:
    case Op.function:
    case Op.literal:
    case Op.unknown:
      break
    case Op.union:
      into.push(a, b)
      break
    case Op.call:
    case Op.generic:
    case Op.callable:
    case Op.tuple:
    case Op.record:
    case Op.conditional:
    case Op.indexed:
    case Op.mapped:
    case Op.chosen:
      if (op === Op.call || op === Op.generic || op === Op.callable) into.push(a)
      for (let i = 0; i < c; i++) into.push(view.ints[view.args + b + i]!)
      break
    case Op.signature:
    case Op.argument:
      into.push(a, c - 1)
      break
    default:
      into.push(a)
  }
}
