/** From definitions to their uses, on demand: one walk over the blocks for each question, no fixed point over all names. */
import type { FileIr, FunctionIr, Op } from "./Ir.ts"

export interface Place {
  readonly fn: number
  readonly op: number
}

/** A function's operations by block, and for each slot where it is touched. */
interface Layout {
  /** Operations of each block in order. */
  readonly blocks: ReadonlyArray<ReadonlyArray<number>>
  /** Block and place in it of each operation. */
  readonly block: Int32Array
  readonly place: Int32Array
  readonly predecessors: ReadonlyArray<ReadonlyArray<number>>
  /** By slot, the blocks and places in them that touch it, one after the other, ascending. */
  readonly touches: ReadonlyMap<number, ReadonlyArray<number>>
  /** What {@link usesEverywhere} found, by operation and slot. */
  readonly uses: Map<number, ReadonlyArray<Place>>
}

const layouts = new WeakMap<FunctionIr, Layout>()

const layoutOf = (fn: FunctionIr): Layout => {
  const known = layouts.get(fn)
  if (known !== undefined) return known
  const block = new Int32Array(fn.ops.length).fill(-1)
  const place = new Int32Array(fn.ops.length)
  const touches = new Map<number, Array<number>>()
  const touch = (slot: number, b: number, at: number) => {
    if (slot < 0) return
    const places = touches.get(slot)
    if (places === undefined) touches.set(slot, [b, at])
    else if (places[places.length - 1] !== at || places[places.length - 2] !== b) places.push(b, at)
  }
  const predecessors: Array<Array<number>> = fn.blocks.map(() => [])
  const blocks = fn.blocks.map(({ statements, successors }, b) => {
    for (const { to } of successors) if (!predecessors[to]!.includes(b)) predecessors[to]!.push(b)
    const ops: Array<number> = []
    for (const s of statements)
      for (const op of fn.statements[s]!.ops) {
        const at = ops.length
        ops.push(op)
        block[op] = b
        place[op] = at
        const { from, to } = fn.ops[op]!
        for (const slot of from) touch(slot, b, at)
        touch(to, b, at)
      }
    return ops
  })
  const layout = { blocks, block, place, predecessors, touches, uses: new Map() }
  layouts.set(fn, layout)
  return layout
}

/** Where the touches of a block, or of one behind it, begin. */
const touchesFrom = (touched: ReadonlyArray<number>, block: number): number => {
  let low = 0
  let high = touched.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (touched[2 * middle]! < block) low = middle + 1
    else high = middle
  }
  return 2 * low
}

/** Whether an operation gives a slot a new value; a store gives its base one with another inside. */
const redefines = (op: Op, slot: number): boolean => op.to === slot

/** Operations of the same function that read what a slot holds right after an operation. */
export const usesAfter = (fn: FunctionIr, op: number, slot: number): ReadonlyArray<number> => {
  const { block, blocks, place, touches } = layoutOf(fn)
  const start = block[op]!
  const touched = touches.get(slot)
  if (start < 0 || touched === undefined) return []
  const out: Array<number> = []
  const entered = new Uint8Array(blocks.length)
  const queue: Array<number> = [start]
  let from = place[op]! + 1
  for (let i = 0; i < queue.length; i++) {
    const b = queue[i]!
    let killed = false
    for (let t = touchesFrom(touched, b); touched[t] === b; t += 2) {
      const at = touched[t + 1]!
      if (at < from) continue
      const index = blocks[b]![at]!
      const next = fn.ops[index]!
      if (next.from.includes(slot)) out.push(index)
      if (redefines(next, slot)) {
        killed = true
        break
      }
    }
    for (const { kind, to } of fn.blocks[b]!.successors) {
      if ((killed && kind !== "exception") || entered[to] === 1) continue
      entered[to] = 1
      queue.push(to)
    }
    from = 0
  }
  // Only the first block can be entered again.
  return entered[start] === 1 ? [...new Set(out)] : out
}

/** Operations that may have given a slot the value it has right before an operation. */
export const definitionsBefore = (fn: FunctionIr, op: number, slot: number): ReadonlyArray<number> => {
  const { block, blocks, place, predecessors, touches } = layoutOf(fn)
  const start = block[op]!
  const touched = touches.get(slot)
  if (start < 0 || touched === undefined) return []
  const out = new Set<number>()
  const entered = new Set<number>()
  const queue: Array<readonly [block: number, before: number]> = [[start, place[op]!]]
  for (let i = 0; i < queue.length; i++) {
    const [b, before] = queue[i]!
    let found = false
    for (let t = touchesFrom(touched, b + 1) - 2; t >= 0 && touched[t] === b && !found; t -= 2) {
      const at = touched[t + 1]!
      if (at >= before) continue
      const index = blocks[b]![at]!
      if (redefines(fn.ops[index]!, slot)) {
        out.add(index)
        found = true
      }
    }
    for (const from of predecessors[b]!) {
      if (found) break
      if (entered.has(from)) continue
      entered.add(from)
      queue.push([from, Number.MAX_SAFE_INTEGER])
    }
  }
  return [...out]
}

/** More operations than a function has. */
const mostOperations = 2 ** 24

/** The same, and uses in other functions of a variable that several share, in whatever order they run. */
export const usesEverywhere = (file: FileIr, place: Place, slot: number): ReadonlyArray<Place> => {
  const fn = file.functions[place.fn]!
  const { uses } = layoutOf(fn)
  const key = slot * mostOperations + place.op
  let known = uses.get(key)
  if (known === undefined) {
    const own = usesAfter(fn, place.op, slot).map((op) => ({ fn: place.fn, op }))
    known = file.slots[slot]!.captured
      ? [...own, ...(file.captures.get(slot) ?? []).filter((use) => use.fn !== place.fn)]
      : own
    uses.set(key, known)
  }
  return known
}

/** Blocks that run before a block on every way from the entry, itself included. */
export const dominatorsOf = (fn: FunctionIr): ReadonlyArray<ReadonlySet<number>> => {
  const { predecessors } = layoutOf(fn)
  const all = fn.blocks.map((_, i) => i)
  const sets: Array<Set<number>> = all.map((i) => new Set(i === 0 ? [0] : all))
  for (let changed = true; changed; ) {
    changed = false
    for (let i = 1; i < fn.blocks.length; i++) {
      const from = predecessors[i]!.filter((p) => !fn.blocks[p]!.unreachable)
      if (from.length === 0) continue
      const [first, ...rest] = from
      const next = new Set([...sets[first!]!].filter((d) => rest.every((p) => sets[p]!.has(d))))
      next.add(i)
      if (next.size !== sets[i]!.size) {
        sets[i] = next
        changed = true
      }
    }
  }
  return sets
}

/** Block of an operation; -1 when nothing leads to it. */
export const blockOf = (fn: FunctionIr, op: number): number => layoutOf(fn).block[op]!
