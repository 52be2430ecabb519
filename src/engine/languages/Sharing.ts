/**
 * Makes the expressions of one file that mean the same into one, and drops those that nothing uses. In steps, to be
 * taken in order: {@link Sharing.settle}, {@link Sharing.need} for every root, {@link Sharing.rewrite}, then
 * {@link Sharing.now} for every root. Functions are small: they run for each expression of each file, and one large one
 * takes longer to compile than to run.
 */
import { X } from "./Facts.ts"
import { Bind, Op } from "./Vocabulary.ts"

/** A list of numbers that grows. */
export interface Numbers {
  readonly items: Int32Array
  count: number
  push(value: number): void
}

/** What operands an operator has. */
const Form = {
  /** The first one is an expression and no other is. */
  operand: 1,
  /** The third one is an expression plus one, or 0. */
  behind: 2,
  /** It has a list of parts. */
  parts: 4,
  /** It has a list of parts, and its first operand is an expression too. */
  leads: 8
} as const

const forms = new Uint8Array(64)
for (const op of [
  Op.member,
  Op.call,
  Op.property,
  Op.signature,
  Op.typeParameter,
  Op.delegated,
  Op.typeOf,
  Op.keyOf,
  Op.new,
  Op.instance,
  Op.element,
  Op.unwrap,
  Op.slot,
  Op.selfOf,
  Op.argument,
  Op.parameter
])
  forms[op]! |= Form.operand
for (const op of [Op.argument, Op.signature]) forms[op]! |= Form.behind
for (const op of [
  Op.generic,
  Op.tuple,
  Op.callable,
  Op.call,
  Op.record,
  Op.conditional,
  Op.indexed,
  Op.mapped,
  Op.chosen
])
  forms[op]! |= Form.parts
for (const op of [Op.generic, Op.callable, Op.call]) forms[op]! |= Form.leads

/** Whether an operator with a list of parts has an expression as its first operand too. */
export const leads = (op: number): boolean => (forms[op]! & Form.leads) !== 0

export class Sharing {
  private x: Int32Array = new Int32Array(0)
  private count = 0
  /** By expression, the first one that means the same. */
  private same = new Int32Array(0)
  /** By expression, its new number, or -1 where nothing uses it. */
  private used = new Int32Array(0)
  /** Open addressing: number of an expression plus one. */
  private slots = new Int32Array(1 << 12)
  private mask = 0
  private unknown = -1
  private readonly queue: Array<number> = []

  /** Finds out which of the expressions mean the same; a local variable is what it holds. */
  settle(expressions: Int32Array, count: number): void {
    this.x = expressions
    this.count = count
    const same = new Int32Array(count)
    this.same = same
    this.used = new Int32Array(count).fill(-1)
    let slots = 64
    while (slots < count * 2) slots *= 2
    if (this.slots.length < slots) this.slots = new Int32Array(slots)
    else this.slots.fill(0, 0, slots)
    this.mask = slots - 1
    this.unknown = -1
    for (let i = 0; i < count; i++) same[i] = this.settled(i)
  }

  private settled(i: number): number {
    const { x } = this
    const p = i * X.size
    const op = x[p]!
    if (op === Op.unknown) return this.noOther(i)
    // Operands made later are settled at the end, so such an expression stays itself.
    if (op === Op.name) {
      if (x[p + X.b] !== Bind.local) return this.shared(p, i)
      const value = x[p + X.c]!
      if (value >= 0) return value < i ? this.same[value]! : i
      x[p] = Op.unknown
      x[p + 1] = x[p + 2] = x[p + 3] = 0
      return this.noOther(i)
    }
    if (op === Op.union) {
      const first = this.operand(p + X.a, i)
      return this.operand(p + X.b, i) && first ? this.shared(p, i) : i
    }
    const form = forms[op]!
    if (form === 0) return this.shared(p, i)
    if ((form & Form.parts) !== 0 && (op !== Op.call || x[p + X.c] !== 0)) {
      if ((form & Form.leads) !== 0) this.operand(p + X.a, i)
      return i
    }
    const known = this.operand(p + X.a, i)
    return known && ((form & Form.behind) === 0 || x[p + X.c] === 0) ? this.shared(p, i) : i
  }

  private noOther(i: number): number {
    if (this.unknown < 0) this.unknown = i
    return this.unknown
  }

  /** Whether the operand at a place is settled: it comes before the expression. */
  private operand(at: number, i: number): boolean {
    const { x } = this
    const value = x[at]!
    if (value < 0) return true
    if (value >= i) return false
    x[at] = this.same[value]!
    return true
  }

  private shared(p: number, i: number): number {
    const { mask, slots, x } = this
    const op = x[p]!
    const a = x[p + 1]!
    const b = x[p + 2]!
    const c = x[p + 3]!
    const key = (Math.imul(Math.imul(Math.imul(op, 31) + a, 0x01000193) + b, 0x01000193) + c) | 0
    for (let slot = (key ^ (key >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const k = slots[slot]! - 1
      if (k < 0) {
        slots[slot] = i + 1
        return i
      }
      const q = k * X.size
      if (x[q] === op && x[q + 1] === a && x[q + 2] === b && x[q + 3] === c) return k
    }
  }

  /** Notes that an expression is used; negative for none. */
  need(i: number): void {
    if (i < 0) return
    const kept = this.same[i]!
    if (this.used[kept]! >= 0) return
    this.used[kept] = 0
    this.queue.push(kept)
  }

  /**
   * Moves what is used, and what that is made of, to the front and numbers it anew, the parts in `args` likewise.
   * Returns how many are left.
   */
  rewrite(args: Numbers): number {
    for (let i = this.queue.pop(); i !== undefined; i = this.queue.pop()) this.needOperands(i, args.items)
    const { count, used } = this
    let kept = 0
    for (let i = 0; i < count; i++) if (used[i]! >= 0) used[i] = kept++
    const before = args.items.slice(0, args.count)
    args.count = 0
    for (let i = 0; i < count; i++) if (used[i]! >= 0) this.move(i, before, args)
    return kept
  }

  private needOperands(i: number, args: Int32Array): void {
    const { x } = this
    const p = i * X.size
    const op = x[p]!
    if (op === Op.name) {
      if (x[p + X.b] === Bind.local) this.need(x[p + X.c]!)
      return
    }
    if (op === Op.union) {
      this.need(x[p + X.a]!)
      this.need(x[p + X.b]!)
      return
    }
    const form = forms[op]!
    if ((form & Form.parts) !== 0) {
      if ((form & Form.leads) !== 0) this.need(x[p + X.a]!)
      const start = x[p + X.b]!
      for (let k = 0, n = x[p + X.c]!; k < n; k++) this.need(args[start + k]!)
    } else if ((form & Form.operand) !== 0) {
      this.need(x[p + X.a]!)
      if ((form & Form.behind) !== 0) this.need(x[p + X.c]! - 1)
    }
  }

  /** The new number of an expression; negative ones stay. */
  now(i: number): number {
    return i < 0 ? i : this.used[this.same[i]!]!
  }

  private move(i: number, before: Int32Array, args: Numbers): void {
    const { x } = this
    const p = i * X.size
    const q = this.used[i]! * X.size
    const op = x[p]!
    let a = x[p + 1]!
    let b = x[p + 2]!
    let c = x[p + 3]!
    const form = forms[op]!
    if (op === Op.name) {
      if (b === Bind.local) c = this.now(c)
    } else if (op === Op.union) {
      a = this.now(a)
      b = this.now(b)
    } else if ((form & Form.parts) !== 0) {
      if ((form & Form.leads) !== 0) a = this.now(a)
      const start = args.count
      for (let k = 0; k < c; k++) args.push(this.now(before[b + k]!))
      b = start
    } else if ((form & Form.operand) !== 0) {
      a = this.now(a)
      if ((form & Form.behind) !== 0 && c > 0) c = this.now(c - 1) + 1
    }
    x[q] = op
    x[q + 1] = a
    x[q + 2] = b
    x[q + 3] = c
  }
}
