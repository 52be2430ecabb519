/** A lowered file, or one function of it, with what the graph knows of the names in it. */
import type { EdgeInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import { type FileIr, type FunctionIr, type Op, positionOf } from "./Ir.ts"

export class Unit {
  private edges: Map<number, Array<EdgeInfo>> | undefined
  private definitions: Map<number, SymbolRef> | undefined
  private symbols: Array<SymbolRef | undefined> | undefined
  private opsByAt: Map<number, ReadonlyArray<{ readonly fn: number; readonly op: number }>> | undefined
  private closures: Map<number, Set<number>> | undefined
  private temporaries: Map<number, number> | undefined
  private aliases: Map<string, string> | undefined
  private functions: Map<SymbolRef, FunctionIr> | undefined
  /** What walks have found out about operations and functions here, by the question and the least tier they followed. */
  readonly found = new Map<string, Map<object, unknown>>()

  constructor(
    readonly path: string,
    readonly file: FileIr,
    readonly view: GraphView,
    /** The definition it is when it is one function of a file. */
    private readonly only?: SymbolRef
  ) {}

  /** Path and offset of a function. */
  placeOf(fn: number): string {
    return (this.places[fn] ??= `${this.path}:${this.file.functions[fn]!.start}`)
  }
  private readonly places: Array<string | undefined> = []

  positionAt(at: number) {
    return positionOf(this.file.lines, at)
  }

  /** Offset of a place the graph tells; -1 for one behind the text. */
  private offsetOf(line: number, column: number): number {
    const start = this.file.lines[line - 1]
    return start === undefined ? -1 : start + column
  }

  private link(): Map<number, Array<EdgeInfo>> {
    if (this.edges === undefined) {
      this.edges = new Map()
      const ref = this.only ?? this.view.fileRef(this.path)
      for (const edge of ref === undefined ? [] : this.view.outgoing(ref)) {
        const at = this.offsetOf(edge.line, edge.column)
        const known = this.edges.get(at)
        if (known === undefined) this.edges.set(at, [edge])
        else known.push(edge)
      }
    }
    return this.edges
  }

  private defined(): Map<number, SymbolRef> {
    if (this.definitions === undefined) {
      this.definitions = new Map()
      for (const ref of this.definitionsIn()) {
        const { column, line } = this.view.symbol(ref)
        const at = this.offsetOf(line, column)
        if (!this.definitions.has(at)) this.definitions.set(at, ref)
      }
    }
    return this.definitions
  }

  private *definitionsIn(): Iterable<SymbolRef> {
    const { only, view } = this
    if (only === undefined) return yield* view.definitions(this.path)
    yield only
    const { columns } = view
    const { parents } = columns
    // What lies in a definition comes right after it.
    const first = columns.nodeOf(only)
    for (let node = first + 1; node < columns.nodeCount && parents[node]! >= first; node++)
      yield columns.refOf(node)
  }

  /** Edges of the name at an offset. */
  edgesAt(at: number): ReadonlyArray<EdgeInfo> {
    return at < 0 ? noEdges : (this.link().get(at) ?? noEdges)
  }

  /** What is defined with its name at an offset. */
  definedAt(at: number): SymbolRef | undefined {
    return at < 0 ? undefined : this.defined().get(at)
  }

  /** The definition a function is; undefined for one the graph does not name. */
  symbolOf(fn: number): SymbolRef | undefined {
    this.symbols ??= this.file.functions.map((f) => this.definedAt(f.nameAt))
    return this.symbols[fn]
  }

  /** The definition around a function, itself if it is one. */
  within(fn: number): SymbolRef | undefined {
    for (let at = fn; at >= 0; at = this.file.functions[at]!.parent) {
      const own = this.symbolOf(at)
      if (own !== undefined) return own
    }
    return this.view.fileRef(this.path)
  }

  /** Node of the graph's columns that stands for the code of a function: edges of what is local to a body are those of what is around it. */
  nodeOf(fn: number): number {
    const known = this.nodes[fn]
    if (known !== undefined) return known
    const { columns } = this.view
    const { flagBits, flags, parents, primaries } = columns
    const ref = this.within(fn)
    let node = ref === undefined ? -1 : columns.nodeOf(ref)
    while (node >= 0 && (flags[node]! & (flagBits.local | flagBits.case)) === flagBits.local)
      node = parents[node]!
    return (this.nodes[fn] = node < 0 ? -1 : primaries[node]!)
  }
  private readonly nodes: Array<number | undefined> = []

  /** The function a definition is: by the place of its name, else by its lines. */
  functionOf(ref: SymbolRef): FunctionIr | undefined {
    if (this.functions === undefined) {
      this.functions = new Map()
      for (const fn of this.file.functions) {
        const own = fn.index === 0 ? undefined : this.symbolOf(fn.index)
        if (own !== undefined && !this.functions.has(own)) this.functions.set(own, fn)
      }
    }
    const known = this.functions.get(ref)
    if (known !== undefined) return known
    const symbol = this.view.symbol(ref)
    const start = (this.file.lines[symbol.start_line - 1] ?? 0) + symbol.start_column
    return this.file.functions.find((f) => f.index > 0 && f.start === start)
  }

  /** Operations that read or call a name, by the place of the name. */
  opsAt(line: number, column: number): ReadonlyArray<{ readonly fn: number; readonly op: number }> {
    if (this.opsByAt === undefined) {
      const found = new Map<number, Array<{ fn: number; op: number }>>()
      for (const fn of this.file.functions)
        fn.ops.forEach((op, index) => {
          if (
            op.at < 0 ||
            (op.kind !== "load" && op.kind !== "call" && op.kind !== "copy" && op.kind !== "store")
          )
            return
          const place = { fn: fn.index, op: index }
          const known = found.get(op.at)
          if (known === undefined) found.set(op.at, [place])
          else known.push(place)
        })
      this.opsByAt = found
    }
    return this.opsByAt.get(this.offsetOf(line, column)) ?? []
  }

  /** Functions a slot may hold, however it got there. */
  closuresIn(slot: number): ReadonlySet<number> {
    if (this.closures === undefined) {
      const found = new Map<number, Set<number>>()
      for (let changed = true; changed; ) {
        changed = false
        for (const fn of this.file.functions)
          for (const { fn: made, from, how, kind, to } of fn.ops) {
            if (to < 0) continue
            const gives =
              kind === "closure"
                ? [made]
                : kind === "copy" && (how === "assign" || how === "choose")
                  ? from.flatMap((s) => [...(found.get(s) ?? [])])
                  : []
            for (const one of gives) {
              let known = found.get(to)
              if (known === undefined) found.set(to, (known = new Set()))
              if (!known.has(one)) {
                known.add(one)
                changed = true
              }
            }
          }
      }
      this.closures = found
    }
    return this.closures.get(slot) ?? none
  }

  /** The operation of a function that first gives a temporary its value; undefined for a slot with a name. */
  made(fn: FunctionIr, slot: number): Op | undefined {
    if (slot < 0 || this.file.slots[slot]!.kind !== "temporary") return undefined
    this.temporaries ??= new Map()
    const owner = this.file.functions[this.file.slots[slot]!.fn]!
    if (!this.temporaries.has(-1 - owner.index)) {
      this.temporaries.set(-1 - owner.index, 1)
      owner.ops.forEach(({ to }, index) => {
        if (to >= 0 && !this.temporaries!.has(to)) this.temporaries!.set(to, index)
      })
    }
    const index = this.temporaries.get(slot)
    return index === undefined ? undefined : owner.ops[index]
  }

  /** A dotted name with its first word as what is imported under it: `run` for `exec` of `child_process` is `child_process.exec`. */
  canonical(dotted: string): string {
    if (this.aliases === undefined) {
      this.aliases = new Map()
      for (const { external, local, module, name, targets } of this.view.imports(this.path)) {
        if (local === "" || (!external && targets.length > 0 && name === local)) continue
        const from = module.replaceAll("::", ".").replace(/^node:/, "")
        const whole =
          name === "" || name === "*" || name === "default"
            ? from
            : from === name || from.endsWith(`.${name}`)
              ? from
              : `${from}.${name}`
        this.aliases.set(local, whole.slice(whole.lastIndexOf("/") + 1))
      }
    }
    const end = dotted.search(/[.([]/)
    const first = end < 0 ? dotted : dotted.slice(0, end)
    const whole = this.aliases.get(first)
    return whole === undefined || whole === first ? dotted : whole + (end < 0 ? "" : dotted.slice(end))
  }
}
const none: ReadonlySet<number> = new Set()
const noEdges: ReadonlyArray<EdgeInfo> = []
