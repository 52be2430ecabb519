/** Files of one view, lowered, with what the graph knows of the names in them. */
import { Effect } from "effect"
import type { EdgeInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { FileText } from "../../services/ReadFs.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { ParseAbandoned } from "../languages/treesitter/Grammar.ts"
import { type FileIr, type FunctionIr, type Op, positionOf } from "./Ir.ts"
import { isLowerable, keep, loweringOf, recall } from "./Lowered.ts"

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
    readonly view: GraphView
  ) {}

  positionAt(at: number) {
    return positionOf(this.file.lines, at)
  }

  private link(): Map<number, Array<EdgeInfo>> {
    if (this.edges === undefined) {
      this.edges = new Map()
      const ref = this.view.fileRef(this.path)
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
      for (const ref of this.view.definitions(this.path)) {
        const { column, line } = this.view.symbol(ref)
        const key = placeKey(line, column)
        if (!this.definitions.has(key)) this.definitions.set(key, ref)
      }
    }
    return this.definitions
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

/** By a part of the view that stays the same while only its freshness is new. */
const units = new WeakMap<GraphView["symbol"], Map<string, Unit>>()
/** Files linked at a time. */
const mostUnits = 200

/** Lowers files of a view as they are asked for. */
export class Program {
  private readonly linked: Map<string, Unit>
  readonly unread = new Map<string, string>()
  /** Files lowered or found lowered. */
  readonly read = new Set<string>()

  constructor(
    readonly view: GraphView,
    private readonly text: ReadText
  ) {
    let known = units.get(view.symbol)
    if (known === undefined) units.set(view.symbol, (known = new Map()))
    this.linked = known
  }

  /** A file that is at hand. */
  at(path: string): Unit | undefined {
    const found = this.linked.get(path)
    if (found !== undefined) this.read.add(path)
    return found
  }

  /** Whether it is no use asking for a file again. */
  settled(path: string): boolean {
    return this.linked.has(path) || this.unread.has(path)
  }

  private miss(path: string, unread: string): Loaded {
    this.unread.set(path, unread)
    return { unread }
  }

  load(path: string): Effect.Effect<Loaded> {
    const known = this.at(path)
    if (known !== undefined) return Effect.succeed(known)
    const before = this.unread.get(path)
    if (before !== undefined) return Effect.succeed({ unread: before })
    const info = this.view.file(path)
    const language = info?.language
    if (info === undefined || !isLowerable(language) || language === undefined)
      return Effect.sync(() => this.miss(path, info === undefined ? "not_indexed" : "language_not_covered"))
    if (info.skipped !== undefined) return Effect.sync(() => this.miss(path, info.skipped!))
    const kept = info.sha === "" ? undefined : recall(`${language}:${info.sha}`)
    if (kept !== undefined) return Effect.sync(() => this.link(path, kept))
    return Effect.gen(this, function* () {
      const read = yield* Effect.either(this.text(path))
      if (read._tag === "Left") return this.miss(path, read.left.reason)
      const { sha, text } = read.right
      // The graph's places are those of the text it was made from.
      if (info.sha !== "" && sha !== info.sha) return this.miss(path, "changed_since_indexed")
      const loading = loweringOf(language)
      if (loading === undefined) return this.miss(path, "language_not_covered")
      const lowering = yield* Effect.either(Effect.tryPromise(() => loading))
      if (lowering._tag === "Left") return this.miss(path, "grammar_not_installed")
      try {
        const file = lowering.right.lower(path, text)
        keep(`${language}:${sha}`, file)
        return this.link(path, file)
      } catch (cause) {
        if (cause instanceof ParseAbandoned) return this.miss(path, `not_parsed_${cause.reason}`)
        throw cause
      }
    })
  }

  private link(path: string, file: FileIr): Unit {
    const unit = new Unit(path, file, this.view)
    this.linked.set(path, unit)
    this.read.add(path)
    if (this.linked.size > mostUnits) {
      const [oldest] = this.linked.keys()
      if (oldest !== undefined) this.linked.delete(oldest)
    }
    return unit
  }
}
