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
  /** Slot → block → places in it that touch the slot. */
  readonly touches: ReadonlyMap<number, ReadonlyMap<number, ReadonlyArray<number>>>
}

const layouts = new WeakMap<FunctionIr, Layout>()

const layoutOf = (fn: FunctionIr): Layout => {
  const known = layouts.get(fn)
  if (known !== undefined) return known
  const block = new Int32Array(fn.ops.length).fill(-1)
  const place = new Int32Array(fn.ops.length)
  const touches = new Map<number, Map<number, Array<number>>>()
  const touch = (slot: number, b: number, at: number) => {
    if (slot < 0) return
    let per = touches.get(slot)
    if (per === undefined) touches.set(slot, (per = new Map()))
    const places = per.get(b)
    if (places === undefined) per.set(b, [at])
    else if (places[places.length - 1] !== at) places.push(at)
  }
  const predecessors: Array<Array<number>> = fn.blocks.map(() => [])
  const blocks = fn.blocks.map(({ statements, successors }, b) => {
    for (const { to } of successors) if (!predecessors[to]!.includes(b)) predecessors[to]!.push(b)
    const ops = statements.flatMap((s) => fn.statements[s]!.ops)
    ops.forEach((op, at) => {
      block[op] = b
      place[op] = at
      const { from, to } = fn.ops[op]!
      for (const slot of from) touch(slot, b, at)
      touch(to, b, at)
    })
    return ops
  })
  const layout = { blocks, block, place, predecessors, touches }
  layouts.set(fn, layout)
  return layout
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
  const entered = new Set<number>()
  const queue: Array<readonly [block: number, from: number]> = [[start, place[op]! + 1]]
  for (let i = 0; i < queue.length; i++) {
    const [b, from] = queue[i]!
    let killed = false
    for (const at of touched.get(b) ?? []) {
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
      if (killed && kind !== "exception") continue
      if (entered.has(to)) continue
      entered.add(to)
      queue.push([to, 0])
    }
  }
  return [...new Set(out)]
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
    const places = touched.get(b) ?? []
    for (let p = places.length - 1; p >= 0 && !found; p--) {
      const at = places[p]!
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

/** The same, and uses in other functions of a variable that several share, in whatever order they run. */
export const usesEverywhere = (file: FileIr, place: Place, slot: number): ReadonlyArray<Place> => {
  const fn = file.functions[place.fn]!
  const own = usesAfter(fn, place.op, slot).map((op) => ({ fn: place.fn, op }))
  const known = file.slots[slot]!
  if (!known.captured) return own
  return [...own, ...(file.captures.get(slot) ?? []).filter((use) => use.fn !== place.fn)]
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
