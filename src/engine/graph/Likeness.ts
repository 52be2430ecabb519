/**
 * Two versions of a file of which others see the same: its definitions, imports, exports and super types are what they
 * were, in the order they were in, though they may stand elsewhere and bodies may do something else. What no other file
 * changed either, references in it mean as before wherever they are written as before.
 */
import { D, E, type FactsView, H, I, N, R, X } from "../languages/Facts.ts"
import { operandsOf } from "../languages/Operands.ts"
import { Bind, Op } from "../languages/Vocabulary.ts"
import { G, type Resolved, S } from "./Edges.ts"

/** References from the first and from the last on that are written as before. */
export interface Common {
  readonly head: number
  readonly tail: number
}

/** Expressions that are nested deeper may be cut short, by what was asked before. */
const deepest = 40

const definitionFields = [D.kind, D.flags, D.name, D.parent, D.container, D.parameters] as const
const definitionTypes = [D.type, D.owner, D.takes, D.generics] as const
const importFields = [I.module, I.imported, I.local, I.flags, I.level, I.within] as const
const exportFields = [E.exported, E.local, E.from, E.imported, E.definition] as const

/** Of operators, the operands that are numbers to be compared: those that are no expressions and no places in a list. */
const plainOf = (op: number): number => {
  switch (op) {
    case Op.unknown:
    case Op.signature:
    case Op.argument:
      return op === Op.unknown ? 0 : 1 << X.b
    case Op.union:
    case Op.call:
    case Op.generic:
    case Op.callable:
      return 1 << X.c
    case Op.name:
      return (1 << X.a) | (1 << X.b)
    case Op.tuple:
    case Op.record:
    case Op.conditional:
    case Op.indexed:
    case Op.mapped:
    case Op.chosen:
    case Op.self:
    case Op.selfType:
    case Op.thisType:
    case Op.super:
    case Op.function:
    case Op.literal:
      return (1 << X.a) | (1 << X.c)
    default:
      return (1 << X.b) | (1 << X.c)
  }
}

/** Where the edges of references before one end: those of imports and exports come after all of them. */
const upTo = (edges: Int32Array, reference: number): number => {
  let [low, high] = [0, edges.length / G.size]
  while (low < high) {
    const middle = (low + high) >> 1
    const source = edges[middle * G.size + G.source]!
    if (source >= 0 && source < reference) low = middle + 1
    else high = middle
  }
  return low * G.size
}

export class Likeness {
  /** By expression of the old version, the one of the new version that is the same, plus one. */
  private readonly partners: Int32Array
  /** Expressions compared at the most; those of a circle would go on for ever. */
  private left: number

  private constructor(
    readonly old: FactsView,
    readonly now: FactsView
  ) {
    const count = old.ints[old.at + H.expressions]!
    this.partners = new Int32Array(count)
    this.left = 4 * count + 64
  }

  /** Undefined where others may see something else. Both versions share their names. */
  static of(old: FactsView, now: FactsView): Likeness | undefined {
    const likeness = new Likeness(old, now)
    return likeness.isOutside() ? likeness : undefined
  }

  /** Undefined where that cannot be told from what is written. */
  common(): Common | undefined {
    const { now, old } = this
    const least = Math.min(old.referenceCount, now.referenceCount)
    let head = 0
    while (head < least && this.isSame(head, head)) head++
    const [a, b] = [old.referenceCount - 1, now.referenceCount - 1]
    let tail = 0
    while (tail < least - head && this.isSame(a - tail, b - tail)) tail++
    for (let i = head; i < now.referenceCount - tail; i++) {
      const bind = now.ref(i, R.bind)
      if ((bind & 7) === Bind.member && this.isDeep(bind >> 3)) return undefined
    }
    return { head, tail }
  }

  /** What the file's names mean where all its references are in common; undefined when that has to be looked up. */
  unchanged({ head, tail }: Common, before: Resolved): Resolved | undefined {
    const { now, old } = this
    if (head + tail < Math.max(old.referenceCount, now.referenceCount)) return undefined
    const lines = new Map<number, number>()
    let moved = false
    for (let i = 0; i < old.inheritCount; i++) {
      const [was, is] = [old.inherit(i, N.line), now.inherit(i, N.line)]
      if ((lines.get(was) ?? is) !== is) return undefined
      lines.set(was, is)
      if (was !== is) moved = true
    }
    if (!moved) return before
    const supers = before.supers.slice()
    for (let p = S.line; p < supers.length; p += S.size) supers[p] = lines.get(supers[p]!)!
    return { ...before, supers }
  }

  /** What the file's names mean: of the references in common what they meant, of all else what was looked up now. */
  joined({ head, tail }: Common, before: Resolved, looked: Resolved): Resolved {
    const { now, old } = this
    const lastOld = old.referenceCount - tail
    const lastNow = now.referenceCount - tail
    const first = upTo(before.edges, head)
    const from = upTo(before.edges, lastOld)
    const to = upTo(before.edges, old.referenceCount)
    const own = upTo(looked.edges, lastNow)
    const edges = new Int32Array(first + own + (to - from) + (looked.edges.length - own))
    edges.set(before.edges.subarray(0, first))
    edges.set(looked.edges.subarray(0, own), first)
    edges.set(before.edges.subarray(from, to), first + own)
    edges.set(looked.edges.subarray(own), first + own + (to - from))
    const end = first + own + (to - from)
    for (let p = first + own + G.source; p < end; p += G.size) edges[p]! += lastNow - lastOld
    const outside = looked.outside.slice()
    const take = (from: number, to: number, shift: number) => {
      for (let i = from; i < to; i++)
        if (((before.outside[i >> 5]! >>> (i & 31)) & 1) === 1)
          outside[(i + shift) >> 5]! |= 1 << ((i + shift) & 31)
    }
    take(0, head, 0)
    take(lastOld, old.referenceCount, lastNow - lastOld)
    return { edges, supers: looked.supers, outside }
  }

  private isOutside(): boolean {
    const { now, old } = this
    const rows = (count: number, is: (row: number) => boolean): boolean => {
      for (let i = 0; i < count; i++) if (!is(i)) return false
      return true
    }
    return (
      old.package === now.package &&
      old.definitionCount === now.definitionCount &&
      old.importCount === now.importCount &&
      old.exportCount === now.exportCount &&
      old.inheritCount === now.inheritCount &&
      rows(
        old.definitionCount,
        (i) =>
          definitionFields.every((field) => old.def(i, field) === now.def(i, field)) &&
          (old.def(i, D.bodyLine) === 0) === (now.def(i, D.bodyLine) === 0) &&
          definitionTypes.every((field) => this.areSame(old.def(i, field), now.def(i, field)))
      ) &&
      rows(old.importCount, (i) =>
        importFields.every((field) => old.import(i, field) === now.import(i, field))
      ) &&
      rows(old.exportCount, (i) =>
        exportFields.every((field) => old.export(i, field) === now.export(i, field))
      ) &&
      rows(
        old.inheritCount,
        (i) =>
          old.inherit(i, N.subject) === now.inherit(i, N.subject) &&
          old.inherit(i, N.how) === now.inherit(i, N.how) &&
          this.areSame(old.inherit(i, N.subjectType), now.inherit(i, N.subjectType)) &&
          this.areSame(old.inherit(i, N.superType), now.inherit(i, N.superType))
      )
    )
  }

  /** Whether a reference of the old version and one of the new are written as one. */
  private isSame(i: number, k: number): boolean {
    const { now, old } = this
    const before = old.ref(i, R.bind)
    const after = now.ref(k, R.bind)
    return (
      old.ref(i, R.name) === now.ref(k, R.name) &&
      old.ref(i, R.place) >> 16 === now.ref(k, R.place) >> 16 &&
      old.ref(i, R.within) === now.ref(k, R.within) &&
      old.ref(i, R.arity) === now.ref(k, R.arity) &&
      (before & 7) === (after & 7) &&
      ((before & 7) === Bind.member ? this.areSame(before >> 3, after >> 3) : before === after)
    )
  }

  /** Whether two expressions are written as one; what names of locals stand for is part of them. */
  private areSame(before: number, after: number): boolean {
    const { partners } = this
    if (before >= 0 && after >= 0 && partners[before] === after + 1) return true
    const one: Array<number> = [before]
    const other: Array<number> = [after]
    const met: Array<number> = []
    while (one.length > 0) {
      const a = one.pop()!
      const b = other.pop()!
      if (a < 0 && b < 0) continue
      if (a >= 0 && b >= 0) {
        if (partners[a] === b + 1) continue
        if (this.left-- > 0 && this.isAlike(a, b)) {
          partners[a] = b + 1
          met.push(a)
          operandsOf(this.old, a, one)
          operandsOf(this.now, b, other)
          if (this.old.expr(a, X.op) !== Op.name) continue
          if (this.old.expr(a, X.b) === Bind.local) {
            one.push(this.old.expr(a, X.c))
            other.push(this.now.expr(b, X.c))
            continue
          }
          if (this.old.expr(a, X.c) === this.now.expr(b, X.c)) continue
        }
      }
      // What was taken to be the same on the way may have been so only if this were.
      for (const expression of met) partners[expression] = 0
      return false
    }
    return true
  }

  /** Whether two expressions are the same but for those in them. */
  private isAlike(a: number, b: number): boolean {
    const { now, old } = this
    const op = old.expr(a, X.op)
    if (op !== now.expr(b, X.op)) return false
    const plain = plainOf(op)
    for (const field of [X.a, X.b, X.c])
      if ((plain & (1 << field)) !== 0 && old.expr(a, field) !== now.expr(b, field)) return false
    return true
  }

  private readonly depths = new Map<number, number>()
  private isDeep(expression: number, above = 0): boolean {
    if (expression < 0) return false
    if (above > deepest) return true
    const known = this.depths.get(expression)
    if (known !== undefined && known >= above) return false
    this.depths.set(expression, above)
    const operands: Array<number> = []
    operandsOf(this.now, expression, operands)
    if (this.now.expr(expression, X.op) === Op.name && this.now.expr(expression, X.b) === Bind.local)
      operands.push(this.now.expr(expression, X.c))
    return operands.some((operand) => this.isDeep(operand, above + 1))
  }
}
