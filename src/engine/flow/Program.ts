/** Files of one view, lowered, with what the graph knows of the names in them. */
import { Effect } from "effect"
import type { EdgeInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { FileText } from "../../services/ReadFs.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { ParseAbandoned } from "../languages/treesitter/Grammar.ts"
import { type FileIr, type FunctionIr, linesOf, type Op, positionOf } from "./Ir.ts"
import { isLowerable, keep, loweringOf, recall } from "./Lowered.ts"
import { Pieces } from "./Pieces.ts"

/** A text as the session of the call sees it. */
export type ReadText = (path: string) => Effect.Effect<Pick<FileText, "text" | "sha">, ServiceFailure>

const placeKey = (line: number, column: number): number => line * 65_536 + column

/** A lowered file with the graph's edges by place. */
export class Unit {
  private edges: Map<number, Array<EdgeInfo>> | undefined
  private definitions: Map<number, SymbolRef> | undefined
  private symbols: Array<SymbolRef | undefined> | undefined
  private opsByAt: Map<number, ReadonlyArray<{ readonly fn: number; readonly op: number }>> | undefined
  private closures: Map<number, Set<number>> | undefined
  private temporaries: Map<number, number> | undefined
  private aliases: Map<string, string> | undefined
  private functions: Map<SymbolRef, FunctionIr> | undefined
  /** What walks have found out about operations and functions here, by the least tier they followed. */
  readonly found = new Map<string, WeakMap<object, unknown>>()

  constructor(
    readonly path: string,
    readonly file: FileIr,
    readonly view: GraphView,
    /** The definition it is when it is one function of a file. */
    private readonly only?: SymbolRef
  ) {}

  positionAt(at: number) {
    return positionOf(this.file.lines, at)
  }

  private link(): Map<number, Array<EdgeInfo>> {
    if (this.edges === undefined) {
      this.edges = new Map()
      const ref = this.only ?? this.view.fileRef(this.path)
      for (const edge of ref === undefined ? [] : this.view.outgoing(ref)) {
        const key = placeKey(edge.line, edge.column)
        const known = this.edges.get(key)
        if (known === undefined) this.edges.set(key, [edge])
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
        const key = placeKey(line, column)
        if (!this.definitions.has(key)) this.definitions.set(key, ref)
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
    if (at < 0) return []
    const { column, line } = this.positionAt(at)
    return this.link().get(placeKey(line, column)) ?? []
  }

  /** What is defined with its name at an offset. */
  definedAt(at: number): SymbolRef | undefined {
    if (at < 0) return undefined
    const { column, line } = this.positionAt(at)
    return this.defined().get(placeKey(line, column))
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
    return this.opsByAt.get((this.file.lines[line - 1] ?? -1) + column) ?? []
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

export type Loaded = Unit | { readonly unread: string }

/** A place in a file: 1-based line, 0-based column. */
export interface Spot {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** By a part of the view that stays the same while only its freshness is new. */
const units = new WeakMap<GraphView["symbol"], Map<string, Unit>>()
const divisions = new WeakMap<
  GraphView["symbol"],
  { readonly key: string; readonly pieces: Map<string, Pieces | undefined> }
>()
/** Files, and functions of long ones, linked at a time. */
const mostUnits = 400

/** Texts of files that are lowered in pieces, by content. */
const texts = new Map<string, { readonly text: string; readonly lines: Int32Array }>()
const mostTexts = 48

/** How files are lowered; without it whole, and as many as are asked for. */
export interface Share {
  /** Files of at least so many bytes are lowered function by function where their language allows. */
  readonly longFrom: number
  /** Characters of the longest function, or rest of a file, that is lowered. */
  readonly longest: number
  /** Characters to lower at most. What alone is more is lowered if nothing was before. */
  readonly most: number
}
const whole: Share = {
  longFrom: Number.POSITIVE_INFINITY,
  longest: Number.POSITIVE_INFINITY,
  most: Number.POSITIVE_INFINITY
}

/** Lowers files of a view, or functions of theirs, as they are asked for. */
export class Program {
  private readonly linked: Map<string, Unit>
  private readonly divided: Map<string, Pieces | undefined>
  /** Why something could not be lowered, by what {@link keyOf} gives or the path. */
  private readonly missed = new Map<string, string>()
  /** Files lowered or found lowered. */
  readonly read = new Set<string>()
  /** Characters that were lowered, and not found lowered. */
  private lowered = 0
  /** Something was left for the next question. */
  full = false

  constructor(
    readonly view: GraphView,
    private readonly text: ReadText,
    private readonly share: Share = whole
  ) {
    let known = units.get(view.symbol)
    if (known === undefined) units.set(view.symbol, (known = new Map()))
    this.linked = known
    const key = `${share.longFrom}`
    let divided = divisions.get(view.symbol)
    if (divided?.key !== key) divisions.set(view.symbol, (divided = { key, pieces: new Map() }))
    this.divided = divided.pieces
  }

  /** Paths of what could not be lowered, each with the reason. */
  get unread(): ReadonlyMap<string, string> {
    return new Map([...this.missed].map(([key, reason]) => [key.replace(/\0.*$/, ""), reason]))
  }

  private piecesOf(path: string): Pieces | undefined {
    const { longFrom } = this.share
    if (longFrom === Number.POSITIVE_INFINITY) return undefined
    let known = this.divided.get(path)
    if (known === undefined && !this.divided.has(path))
      this.divided.set(path, (known = Pieces.of(this.view, path, longFrom)))
    return known?.broken === true ? undefined : known
  }

  /** What is lowered together with a place. */
  keyOf({ column, line, path }: Spot): string {
    const pieces = this.piecesOf(path)
    return pieces === undefined ? path : `${path}\0${pieces.at(line, column)}`
  }

  /** Where a definition is. */
  spotOf(ref: SymbolRef): Spot {
    const { column, line, path } = this.view.symbol(ref)
    return { path, line, column }
  }

  /** The file of a place, or the function around it, if it is at hand. */
  at(spot: Spot): Unit | undefined {
    const found = this.linked.get(this.keyOf(spot))
    if (found !== undefined) this.read.add(spot.path)
    return found
  }

  /** Whether it is no use asking for a place again. */
  settled(spot: Spot): boolean {
    const key = this.keyOf(spot)
    return this.linked.has(key) || this.missed.has(key) || this.missed.has(spot.path)
  }

  private miss(key: string, unread: string): { readonly unread: string } {
    this.missed.set(key, unread)
    return { unread }
  }
  /** Whether so many characters may still be lowered; they are counted. */
  private takes(length: number, has: "may" | "must"): boolean {
    if (has === "may" && this.lowered > 0 && this.lowered + length > this.share.most) {
      this.full = true
      return false
    }
    this.lowered += length
    return true
  }

  /** The whole of a file. */
  loadFile(path: string): Effect.Effect<Loaded> {
    return this.load({ path, line: 1, column: 0 })
  }

  /** The file of a place, or the function around it; what has to be there is lowered however long it is. */
  load(spot: Spot, has: "may" | "must" = "may"): Effect.Effect<Loaded> {
    const known = this.at(spot)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(this.formAt(spot, { has, keeps: true }), (form) =>
      "unread" in form ? form : this.link(spot, form)
    )
  }

  /** What the whole of a file is lowered to, for whoever looks at it once: it is neither linked with the graph nor kept. */
  formOf(path: string): Effect.Effect<FileIr | { readonly unread: string }> {
    const spot: Spot = { path, line: 1, column: 0 }
    const known = this.at(spot)
    return known === undefined ? this.formAt(spot, { has: "may", keeps: false }) : Effect.succeed(known.file)
  }

  private formAt(
    spot: Spot,
    how: { readonly has: "may" | "must"; readonly keeps: boolean }
  ): Effect.Effect<FileIr | { readonly unread: string }> {
    const { has, keeps } = how
    const { path } = spot
    const before = this.missed.get(path) ?? this.missed.get(this.keyOf(spot))
    if (before !== undefined) return Effect.succeed({ unread: before })
    const info = this.view.file(path)
    const language = info?.language
    if (info === undefined || !isLowerable(language) || language === undefined)
      return Effect.sync(() => this.miss(path, info === undefined ? "not_indexed" : "language_not_covered"))
    if (info.skipped !== undefined) return Effect.sync(() => this.miss(path, info.skipped!))
    const pieces = this.piecesOf(path)
    const piece = pieces?.at(spot.line, spot.column)
    const content = `${language}:${info.sha}${piece === undefined ? "" : `:${piece}`}`
    const kept = info.sha === "" ? undefined : recall(content)
    if (kept !== undefined) return Effect.succeed(kept)
    return Effect.gen(this, function* () {
      let source = pieces === undefined ? undefined : texts.get(info.sha)
      if (source === undefined) {
        const read = yield* Effect.either(this.text(path))
        if (read._tag === "Left") return this.miss(path, read.left.reason)
        const { sha, text } = read.right
        // The graph's places are those of the text it was made from.
        if (info.sha !== "" && sha !== info.sha) return this.miss(path, "changed_since_indexed")
        source = { text, lines: linesOf(text) }
        if (pieces !== undefined && info.sha !== "") {
          texts.set(info.sha, source)
          if (texts.size > mostTexts) texts.delete(texts.keys().next().value!)
        }
      }
      const loading = loweringOf(language)
      if (loading === undefined) return this.miss(path, "language_not_covered")
      const lowering = yield* Effect.either(Effect.tryPromise(() => loading))
      if (lowering._tag === "Left") return this.miss(path, "grammar_not_installed")
      const { lower, lowerParts } = lowering.right
      const { lines, text } = source
      try {
        if (pieces === undefined || piece === undefined) {
          if (!this.takes(text.length, has)) return { unread: "later" }
          const file = lower(path, text)
          if (keeps && info.sha !== "") keep(content, file)
          return file
        }
        const parts = pieces.stretches(piece, lines, text.length)
        const length = parts.reduce((sum, { endIndex, startIndex }) => sum + endIndex - startIndex, 0)
        if (length > this.share.longest && has === "may")
          return this.miss(this.keyOf(spot), "function_too_long")
        if (!this.takes(length, has)) return { unread: "later" }
        const file = lowerParts(path, text, parts, lines)
        if (file.errors > 0 || (piece >= 0 && file.functions.length < 2)) {
          pieces.broken = true
          return yield* this.formAt(spot, how)
        }
        if (keeps && info.sha !== "") keep(content, file)
        return file
      } catch (cause) {
        if (cause instanceof ParseAbandoned) return this.miss(path, `not_parsed_${cause.reason}`)
        throw cause
      }
    })
  }

  private link(spot: Spot, file: FileIr): Unit {
    const pieces = this.piecesOf(spot.path)
    const unit = new Unit(spot.path, file, this.view, pieces?.refOf(pieces.at(spot.line, spot.column)))
    this.linked.set(this.keyOf(spot), unit)
    this.read.add(spot.path)
    if (this.linked.size > mostUnits) {
      const [oldest] = this.linked.keys()
      if (oldest !== undefined) this.linked.delete(oldest)
    }
    return unit
  }
}
