/**
 * Reads a tree out of the parser's linear memory into a {@link SyntaxTree}: no object per node and no call into
 * WebAssembly. The offsets are those of web-tree-sitter 0.27.1 on a 32-bit memory (`SubtreeHeapData`,
 * `SubtreeInlineData` in tree-sitter's subtree.h, `TSLanguage` in its parser.h); {@link import("./Grammar.ts")}
 * compares the outcome with the public API before it relies on them.
 */
import type { Language, Tree } from "web-tree-sitter"
import { NodeFlag, type SyntaxTree } from "./SyntaxTree.ts"

/** A WebAssembly memory; growing it replaces the buffer. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer
}

/** Offsets into TSLanguage. */
const L = {
  symbolCount: 4,
  aliasCount: 8,
  productionCount: 28,
  fieldCount: 32,
  maxAliasLength: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  metadata: 72,
  publicSymbols: 76,
  aliasSequences: 84
} as const

/** Offsets into SubtreeHeapData. */
const S = {
  paddingBytes: 4,
  sizeBytes: 16,
  childCount: 36,
  symbol: 40,
  bits: 44,
  production: 66,
  cell: 8
} as const

const errorSymbol = 0xffff

/** Per open node: address of the next child, children left, position, production, structural index, row, field, row the children hang from. */
const frame = {
  cell: 0,
  left: 1,
  position: 2,
  production: 3,
  structural: 4,
  row: 5,
  inherited: 6,
  parent: 7,
  size: 8
} as const

/** web-tree-sitter keeps the address of its native object in slot 0. */
const addressOf = (object: object): number => {
  const address = (object as { readonly 0?: unknown })[0]
  if (typeof address !== "number") throw new TypeError("web-tree-sitter object without an address")
  return address
}

export class HeapReader {
  private u8: Uint8Array
  private u16: Uint16Array
  private u32: Uint32Array
  private stack = new Int32Array(frame.size * 256)
  private readonly publicSymbol: Uint16Array
  /** Bit 0 visible, bit 1 named. */
  private readonly metadata: Uint8Array
  private readonly aliasLength: number
  private readonly aliases: Uint16Array
  /** Per production: field of each structural child, or nothing where the production has no fields. */
  private readonly fieldsOf: ReadonlyArray<Uint16Array | undefined>
  private readonly errorType: number

  constructor(
    private readonly memory: LinearMemory,
    language: Language,
    errorType: number
  ) {
    this.u8 = new Uint8Array(memory.buffer)
    this.u16 = new Uint16Array(memory.buffer)
    this.u32 = new Uint32Array(memory.buffer)
    this.errorType = errorType
    const at = addressOf(language)
    const word = (offset: number) => this.u32[(at + offset) >> 2]!
    const symbols = word(L.symbolCount) + word(L.aliasCount)
    const productions = word(L.productionCount)
    if (symbols < 2 || symbols > 20_000 || productions > 20_000)
      throw new RangeError("unknown language layout")
    this.aliasLength = this.u16[(at + L.maxAliasLength) >> 1]!
    this.publicSymbol = this.u16.slice(word(L.publicSymbols) >> 1, (word(L.publicSymbols) >> 1) + symbols)
    this.aliases = this.u16.slice(
      word(L.aliasSequences) >> 1,
      (word(L.aliasSequences) >> 1) + productions * this.aliasLength
    )
    this.metadata = new Uint8Array(symbols)
    for (let i = 0, p = word(L.metadata); i < symbols; i++, p += 3)
      this.metadata[i] = this.u8[p]! | (this.u8[p + 1]! << 1)
    const fieldsOf: Array<Uint16Array | undefined> = []
    if (word(L.fieldCount) > 0) {
      for (let production = 0; production < productions; production++) {
        const slice = (word(L.fieldSlices) + production * 4) >> 1
        const first = this.u16[slice]!
        const length = this.u16[slice + 1]!
        if (length === 0) continue
        const table = new Uint16Array(256)
        for (let i = 0; i < length; i++) {
          const entry = word(L.fieldEntries) + (first + i) * 4
          const child = this.u8[entry + 2]!
          const inherited = this.u8[entry + 3]! !== 0
          if (!inherited && table[child] === 0) table[child] = this.u16[entry >> 1]!
        }
        fieldsOf[production] = table
      }
    }
    this.fieldsOf = fieldsOf
  }

  /** Fills `out` with the tree; at most `limit` nodes, otherwise false and `out` is incomplete. */
  read(tree: Tree, out: SyntaxTree, limit: number): boolean {
    if (this.u8.buffer !== this.memory.buffer) {
      this.u8 = new Uint8Array(this.memory.buffer)
      this.u16 = new Uint16Array(this.memory.buffer)
      this.u32 = new Uint32Array(this.memory.buffer)
    }
    const { u8, u16, u32 } = this
    out.clear()
    let { stack } = this
    let top = -frame.size

    // The root is the only child of an imaginary production 0.
    let cell = addressOf(tree)
    let position = 0
    let production = 0
    let structural = -1
    let parent = -1
    let inherited = 0
    for (;;) {
      let symbol: number
      let bits: number
      let padding: number
      let size: number
      let children = 0
      let heap = 0
      if ((u8[cell]! & 1) !== 0) {
        bits = u8[cell]! >> 1
        symbol = u8[cell + 1]!
        padding = u8[cell + 6]!
        size = u8[cell + 7]!
        // visible, named, extra, has changes, is missing
        bits = (bits & 7) | ((bits & 16) !== 0 ? 8 : 0)
      } else {
        heap = u32[cell >> 2]!
        const raw = u16[(heap + S.bits) >> 1]!
        bits = (raw & 7) | ((raw & (1 << 9)) !== 0 ? 8 : 0)
        symbol = u16[(heap + S.symbol) >> 1]!
        padding = u32[(heap + S.paddingBytes) >> 2]!
        size = u32[(heap + S.sizeBytes) >> 2]!
        children = u32[(heap + S.childCount) >> 2]!
      }
      const start = position + padding
      position = start + size
      if (top >= 0) {
        stack[top + frame.position] = position
        stack[top + frame.cell] = cell + S.cell
        stack[top + frame.left]!--
      }

      let field = 0
      if ((bits & 4) === 0 && top >= 0) {
        const alias =
          production === 0
            ? 0
            : structural < this.aliasLength
              ? this.aliases[production * this.aliasLength + structural]!
              : 0
        const table = this.fieldsOf[production]
        if (table !== undefined && structural < 256) field = table[structural]!
        if (field === 0) field = inherited
        stack[top + frame.structural]!++
        if (alias !== 0) {
          symbol = alias
          bits = (bits & ~3) | this.metadata[alias]!
        }
      }

      let row = -1
      if ((bits & 1) !== 0) {
        const type =
          symbol === errorSymbol
            ? this.errorType
            : symbol === errorSymbol - 1
              ? this.errorType
              : this.publicSymbol[symbol]!
        if (out.count >= limit) return false
        row = out.push(
          type,
          start >> 1,
          position >> 1,
          parent,
          field,
          ((bits & 2) !== 0 ? NodeFlag.named : 0) |
            ((bits & 8) !== 0 ? NodeFlag.missing : 0) |
            ((bits & 4) !== 0 ? NodeFlag.extra : 0)
        )
      }
      if (children > 0) {
        top += frame.size
        if (top >= stack.length) {
          const more = new Int32Array(stack.length * 2)
          more.set(stack)
          this.stack = stack = more
        }
        stack[top + frame.cell] = heap - S.cell * children
        stack[top + frame.left] = children
        stack[top + frame.position] = start - padding
        stack[top + frame.production] = u16[(heap + S.production) >> 1]!
        stack[top + frame.structural] = 0
        stack[top + frame.row] = row
        stack[top + frame.inherited] = row < 0 ? field : 0
        stack[top + frame.parent] = row < 0 ? parent : row
      }

      while (top >= 0 && stack[top + frame.left] === 0) {
        const done = stack[top + frame.row]!
        if (done >= 0) out.after[done] = out.count
        top -= frame.size
      }
      if (top < 0) return true
      cell = stack[top + frame.cell]!
      position = stack[top + frame.position]!
      production = stack[top + frame.production]!
      structural = stack[top + frame.structural]!
      parent = stack[top + frame.parent]!
      inherited = stack[top + frame.inherited]!
    }
  }
}
