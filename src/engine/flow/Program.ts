/** Files of one view, lowered, or functions of theirs, as a question asks for them. */
import { Effect } from "effect"
import type { FileInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { FileText } from "../../services/ReadFs.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { ParseAbandoned } from "../languages/treesitter/Grammar.ts"
import { Form, Forms } from "./Forms.ts"
import type { FileIr } from "./Ir.ts"
import { isLowerable, loweringOf } from "./Lowered.ts"
import { Pieces } from "./Pieces.ts"
import { Unit } from "./Unit.ts"

/** A text as the session of the call sees it. */
export type ReadText = (path: string) => Effect.Effect<Pick<FileText, "text" | "sha">, ServiceFailure>

export type Loaded = Unit | { readonly unread: string }

/** A place in a file: 1-based line, 0-based column. */
export interface Spot {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** What files were lowered to, whatever view asked. */
const forms = new Forms(16 << 20)

/** What is linked with one view: by path and piece. */
interface Links {
  readonly units: Map<string, Map<number, Unit>>
  /** Operations in all of them. */
  operations: number
}

/** By a part of the view that stays the same while only its freshness is new. */
const links = new WeakMap<GraphView["symbol"], Links>()
const divisions = new WeakMap<
  GraphView["symbol"],
  { readonly key: string; readonly pieces: Map<string, Pieces | undefined> }
>()
/** What is linked holds other parts that are, so from so many operations on the next question links anew. */
const mostLinked = 40_000

const linksOf = (view: GraphView): Links => {
  let known = links.get(view.symbol)
  if (known === undefined || known.operations > mostLinked)
    links.set(view.symbol, (known = { units: new Map(), operations: 0 }))
  return known
}

/** The piece that is a file lowered whole. */
const whole = -2

/** How files are lowered; without it whole, and as many as are asked for. */
export interface Share {
  /** Files of at least so many bytes are lowered function by function where their language allows. */
  readonly longFrom: number
  /** Characters of the longest function, or rest of a file, that is lowered. */
  readonly longest: number
  /** Characters to lower at most. What alone is more is lowered if nothing was before. */
  readonly most: number
}
const everything: Share = {
  longFrom: Number.POSITIVE_INFINITY,
  longest: Number.POSITIVE_INFINITY,
  most: Number.POSITIVE_INFINITY
}

/** What a question knows of a file. */
interface Known {
  readonly info: FileInfo | undefined
  /** Undefined for one that is lowered whole. */
  readonly pieces: Pieces | undefined
  readonly units: Map<number, Unit>
  form: Form | undefined
}

/** Lowers files of a view, or functions of theirs, as they are asked for. */
export class Program {
  private readonly linked: Links
  private readonly divided: Map<string, Pieces | undefined>
  private readonly files = new Map<string, Known>()
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
    private readonly share: Share = everything
  ) {
    this.linked = linksOf(view)
    const key = `${share.longFrom}`
    let divided = divisions.get(view.symbol)
    if (divided?.key !== key) divisions.set(view.symbol, (divided = { key, pieces: new Map() }))
    this.divided = divided.pieces
  }

  /** Paths of what could not be lowered, each with the reason. */
  get unread(): ReadonlyMap<string, string> {
    return new Map([...this.missed].map(([key, reason]) => [key.replace(/\0.*$/, ""), reason]))
  }

  private fileOf(path: string): Known {
    let known = this.files.get(path)
    if (known === undefined) {
      const units = this.linked.units.get(path) ?? new Map<number, Unit>()
      known = { info: this.view.file(path), pieces: this.piecesOf(path), units, form: undefined }
      this.files.set(path, known)
    }
    return known
  }

  private piecesOf(path: string): Pieces | undefined {
    const { longFrom } = this.share
    if (longFrom === Number.POSITIVE_INFINITY) return undefined
    let known = this.divided.get(path)
    if (known === undefined && !this.divided.has(path))
      this.divided.set(path, (known = Pieces.of(this.view, path, longFrom)))
    return known
  }

  /** What is lowered together with a place. */
  keyOf(spot: Spot): string {
    const piece = pieceOf(this.fileOf(spot.path), spot)
    return piece === whole ? spot.path : `${spot.path}\0${piece}`
  }

  /** Node of the graph's columns for the function around a place; -1 where its file is lowered whole. */
  nodeAt(spot: Spot): number {
    const file = this.fileOf(spot.path)
    const piece = pieceOf(file, spot)
    const ref = piece < 0 ? undefined : file.pieces?.refOf(piece)
    return ref === undefined ? -1 : this.view.columns.nodeOf(ref)
  }

  /** Where a definition is. */
  spotOf(ref: SymbolRef): Spot {
    const { column, line, path } = this.view.symbol(ref)
    return { path, line, column }
  }

  private linkedAt(spot: Spot): Unit | undefined {
    const file = this.fileOf(spot.path)
    return file.units.get(pieceOf(file, spot))
  }

  /** The file of a place, or the function around it, if it is at hand. */
  at(spot: Spot): Unit | undefined {
    const found = this.linkedAt(spot)
    if (found !== undefined) this.read.add(spot.path)
    return found
  }

  /** Whether it is no use asking for a place again. */
  settled(spot: Spot): boolean {
    return (
      this.linkedAt(spot) !== undefined || this.missed.has(spot.path) || this.missed.has(this.keyOf(spot))
    )
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
    return Effect.map(this.lower(spot, { has, keeps: true }), (file) =>
      "unread" in file ? file : this.link(spot, file)
    )
  }

  /** What the whole of a file is lowered to, for whoever looks at it once: it is neither linked with the graph nor kept. */
  formOf(path: string): Effect.Effect<FileIr | { readonly unread: string }> {
    const spot: Spot = { path, line: 1, column: 0 }
    const known = this.at(spot)
    return known === undefined ? this.lower(spot, { has: "may", keeps: false }) : Effect.succeed(known.file)
  }

  /** Why a file cannot be lowered, as far as that shows without doing it; undefined for no reason. */
  unreadable(path: string): Effect.Effect<string | undefined> {
    const known = this.fileOf(path)
    if (known.units.size > 0) return Effect.succeed(undefined)
    return Effect.map(this.textOf(path, known, true), (form) => ("unread" in form ? form.unread : undefined))
  }

  /** The text of a file that can be lowered. */
  private textOf(
    path: string,
    known: Known,
    keeps: boolean
  ): Effect.Effect<Form | { readonly unread: string }> {
    const before = this.missed.get(path)
    if (before !== undefined) return Effect.succeed({ unread: before })
    const { info } = known
    if (info === undefined || !isLowerable(info.language))
      return Effect.sync(() => this.miss(path, info === undefined ? "not_indexed" : "language_not_covered"))
    if (info.skipped !== undefined) return Effect.sync(() => this.miss(path, info.skipped!))
    const content = contentOf(info)
    const form = known.form ?? (content === undefined ? undefined : forms.get(content))
    if (form !== undefined) return Effect.succeed((known.form = form))
    return Effect.map(Effect.either(this.text(path)), (read) => {
      if (read._tag === "Left") return this.miss(path, read.left.reason)
      const { sha, text } = read.right
      // The graph's places are those of the text it was made from.
      if (info.sha !== "" && sha !== info.sha) return this.miss(path, "changed_since_indexed")
      const made = new Form(text)
      if (keeps && content !== undefined) {
        forms.keep(content, made)
        known.form = made
      }
      return made
    })
  }

  private lower(
    spot: Spot,
    how: { readonly has: "may" | "must"; readonly keeps: boolean }
  ): Effect.Effect<FileIr | { readonly unread: string }> {
    const { has } = how
    const { path } = spot
    const before = this.missed.get(this.keyOf(spot))
    if (before !== undefined) return Effect.succeed({ unread: before })
    const known = this.fileOf(path)
    return Effect.flatMap(this.textOf(path, known, how.keeps), (source) => {
      if ("unread" in source) return Effect.succeed(source)
      const { pieces } = known
      const piece = pieceOf(known, spot)
      const lowered = source.part(piece)
      if (lowered !== undefined) return Effect.succeed(lowered)
      return Effect.gen(this, function* () {
        const info = known.info!
        const content = how.keeps ? contentOf(info) : undefined
        const loading = loweringOf(info.language!)
        if (loading === undefined) return this.miss(path, "language_not_covered")
        const lowering = yield* Effect.either(Effect.tryPromise(() => loading))
        if (lowering._tag === "Left") return this.miss(path, "grammar_not_installed")
        const { lowerParts } = lowering.right
        const { lines, text } = source
        const kept = (file: FileIr) => {
          if (content === undefined) return file
          source.put(piece, file)
          forms.keep(content, source)
          return file
        }
        try {
          if (pieces === undefined || piece === whole)
            return this.takes(text.length, has)
              ? kept(lowerParts(path, text, undefined, lines))
              : { unread: "later" }
          const parts = pieces.stretches(piece, lines, text.length)
          const length = parts.reduce((sum, { endIndex, startIndex }) => sum + endIndex - startIndex, 0)
          if (length > this.share.longest && has === "may")
            return this.miss(this.keyOf(spot), "function_too_long")
          if (!this.takes(length, has)) return { unread: "later" }
          const file = lowerParts(path, text, parts, lines)
          if (file.errors > 0 || (piece >= 0 && file.functions.length < 2)) {
            pieces.broken = true
            return yield* this.lower(spot, how)
          }
          return kept(file)
        } catch (cause) {
          if (cause instanceof ParseAbandoned) return this.miss(path, `not_parsed_${cause.reason}`)
          throw cause
        }
      })
    })
  }

  private link({ column, line, path }: Spot, file: FileIr): Unit {
    const known = this.fileOf(path)
    const piece = pieceOf(known, { line, column })
    const unit = new Unit(path, file, this.view, piece < 0 ? undefined : known.pieces?.refOf(piece))
    known.units.set(piece, unit)
    this.linked.units.set(path, known.units)
    this.linked.operations += file.functions.reduce((sum, { ops }) => sum + ops.length, 0)
    this.read.add(path)
    return unit
  }
}

/** What a text is kept under; undefined for one that is not kept. */
const contentOf = ({ language, sha }: FileInfo): string | undefined =>
  sha === "" ? undefined : `${language}:${sha}`

const pieceOf = ({ pieces }: Known, { column, line }: Pick<Spot, "line" | "column">): number =>
  pieces === undefined || pieces.broken ? whole : pieces.at(line, column)
