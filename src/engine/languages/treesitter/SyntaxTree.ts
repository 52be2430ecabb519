/**
 * A parsed file as flat columns: one row per visible node in source order, parents before children. Nothing in it
 * points into the parser's memory, and walking it needs no recursion. One value is refilled for every file.
 *
 * A node is its row number; -1 stands for "no such node". Offsets count UTF-16 units.
 */
export type Node = number

/** Bits of {@link SyntaxTree.flags}. */
export const NodeFlag = { named: 1, missing: 2, extra: 4 } as const

/** A named node that is no comment and was really there. */
const solid = NodeFlag.named | NodeFlag.extra | NodeFlag.missing

export class SyntaxTree {
  /** Number of nodes of the present file. */
  count = 0
  /** Node type, an index into {@link types}. */
  symbol = new Uint16Array(1 << 12)
  start = new Int32Array(1 << 12)
  end = new Int32Array(1 << 12)
  parent = new Int32Array(1 << 12)
  /** Row after the node's last descendant. */
  after = new Int32Array(1 << 12)
  /** Number of the field the node has in its parent, 0 for none. */
  field = new Uint16Array(1 << 12)
  flags = new Uint8Array(1 << 12)

  constructor(
    /** Names of the node types; the last one is "ERROR". */
    readonly types: ReadonlyArray<string>,
    /** Numbers of the fields by name. */
    readonly fields: ReadonlyMap<string, number>
  ) {}

  clear(): void {
    this.count = 0
  }

  /** Adds a node whose descendants follow; `after` is set when they are all there. */
  push(symbol: number, start: number, end: number, parent: Node, field: number, flags: number): Node {
    const n = this.count++
    if (n === this.symbol.length) this.grow()
    this.symbol[n] = symbol
    this.start[n] = start
    this.end[n] = end
    this.parent[n] = parent
    this.after[n] = n + 1
    this.field[n] = field
    this.flags[n] = flags
    return n
  }

  private grow(): void {
    const bigger = <A extends Uint8Array | Uint16Array | Int32Array>(old: A, fresh: A): A => {
      fresh.set(old)
      return fresh
    }
    const size = this.symbol.length * 2
    this.symbol = bigger(this.symbol, new Uint16Array(size))
    this.start = bigger(this.start, new Int32Array(size))
    this.end = bigger(this.end, new Int32Array(size))
    this.parent = bigger(this.parent, new Int32Array(size))
    this.after = bigger(this.after, new Int32Array(size))
    this.field = bigger(this.field, new Uint16Array(size))
    this.flags = bigger(this.flags, new Uint8Array(size))
  }

  /** Name of the node's type, such as "class_declaration" or, for a token, its text. */
  type(n: Node): string {
    return n < 0 ? "" : this.types[this.symbol[n]!]!
  }

  isNamed(n: Node): boolean {
    return (this.flags[n]! & NodeFlag.named) !== 0
  }

  /** First child, tokens and comments included. */
  first(n: Node): Node {
    return n >= 0 && this.after[n]! > n + 1 ? n + 1 : -1
  }

  /** Next sibling, tokens and comments included. */
  next(n: Node): Node {
    const parent = this.parent[n]!
    const next = this.after[n]!
    return parent >= 0 && next < this.after[parent]! ? next : -1
  }

  /** The first child that has the field. As all look-ups below, blind to nodes the parser only supposes to be missing. */
  child(n: Node, field: string): Node {
    const wanted = this.fields.get(field)
    if (wanted === undefined || n < 0) return -1
    for (let c = n + 1, end = this.after[n]!; c < end; c = this.after[c]!)
      if (this.field[c] === wanted && (this.flags[c]! & NodeFlag.missing) === 0) return c
    return -1
  }

  hasField(n: Node, field: string): boolean {
    return n >= 0 && this.field[n] !== 0 && this.field[n] === this.fields.get(field)
  }

  /** The first child of the type. */
  childOf(n: Node, type: string): Node {
    if (n < 0) return -1
    for (let c = n + 1, end = this.after[n]!; c < end; c = this.after[c]!)
      if (this.types[this.symbol[c]!] === type && (this.flags[c]! & NodeFlag.missing) === 0) return c
    return -1
  }

  /** The `index`-th named child that is no comment; counted from the end when negative. */
  named(n: Node, index = 0): Node {
    if (n < 0) return -1
    if (index < 0) {
      const all = this.namedChildren(n)
      return all[all.length + index] ?? -1
    }
    for (let c = n + 1, end = this.after[n]!; c < end; c = this.after[c]!) {
      if ((this.flags[c]! & solid) === NodeFlag.named && index-- === 0) return c
    }
    return -1
  }

  /** All named children that are no comments. */
  namedChildren(n: Node): Array<Node> {
    const out: Array<Node> = []
    if (n < 0) return out
    for (let c = n + 1, end = this.after[n]!; c < end; c = this.after[c]!) {
      if ((this.flags[c]! & solid) === NodeFlag.named) out.push(c)
    }
    return out
  }

  /** All children, tokens and comments included. */
  children(n: Node): Array<Node> {
    const out: Array<Node> = []
    if (n < 0) return out
    for (let c = n + 1, end = this.after[n]!; c < end; c = this.after[c]!) out.push(c)
    return out
  }
}
