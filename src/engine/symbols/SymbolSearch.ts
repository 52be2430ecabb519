/**
 * Finds definitions by words. A name looked for by itself comes first whatever else fits; prose is ranked by how much
 * of it a definition's name, owner, path, signature and documentation say (BM25F), and by what the definition is.
 */
import { isWithin, prefixOf } from "../../registry/Place.ts"
import type { SymbolMatch, SymbolMatches, SymbolQuery } from "../../services/CodeGraph.ts"
import type { FileEntry, Snapshot } from "../graph/Snapshot.ts"
import { FileFlag } from "../graph/Snapshot.ts"
import { nodeOf } from "../graph/World.ts"
import { D, type FactsView } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { definitionKinds, Flag, kindNumber as K } from "../languages/Vocabulary.ts"
import { NameTable } from "./NameTable.ts"
import { Numbering } from "./Numbering.ts"
import { type ParsedQuery, parseQuery } from "./Query.ts"
import { TermIndex } from "./TermIndex.ts"
import { words } from "./Words.ts"

/** How a definition was found, best first; the number is its rung. */
const rungs = ["fuzzy", "text", "subword", "prefix", "exact", "exact"] as const
const rung = { fuzzy: 0, text: 1, subword: 2, prefix: 3, folded: 4, exact: 5 } as const

const dataKinds = new Set<number>([K.key, K.heading, K.selector, K.element, K.target, K.label])
const callableKinds = new Set<number>([
  K.function,
  K.method,
  K.constructor,
  K.operator,
  K.macro,
  K.procedure,
  K.rpc
])
const typeKinds = new Set<number>([
  K.class,
  K.interface,
  K.struct,
  K.enum,
  K.trait,
  K.type_alias,
  K.union,
  K.object,
  K.message,
  K.service
])
const valueKinds = new Set<number>([K.variable, K.field, K.property, K.enum_member])

/** Weight of a word by where it stands, against 1 for one mention in a signature. */
const weightOf = { name: 5, owner: 1.6, path: 1.2 } as const
/** BM25 saturation, and how much long signatures and docs are held back. */
const k1 = 1.6
const lengthShare = 0.5
/** Units of a posting's weight that make one mention. */
const unit = 3

/** A word that more than this share of all definitions say is common; so many definitions found by rarer ones are enough. */
const commonShare = 0.03
const enough = 400

/** Names whose fuzzy spelling is looked for have at least this many letters; below, everything is close to everything. */
const shortestFuzzy = 4

/** The best so many of what is offered, best first. Ties go to what comes first. */
class Best {
  private readonly heap: Array<number> = []
  constructor(
    private readonly most: number,
    private readonly scores: Float32Array,
    private readonly numbering: Numbering
  ) {}
  private worse(a: number, b: number): boolean {
    return (
      this.scores[a]! < this.scores[b]! || (this.scores[a] === this.scores[b] && this.numbering.isLater(a, b))
    )
  }
  offer(item: number): void {
    const { heap } = this
    if (heap.length < this.most) {
      let i = heap.push(item) - 1
      while (i > 0) {
        const up = (i - 1) >> 1
        if (!this.worse(item, heap[up]!)) break
        heap[i] = heap[up]!
        i = up
      }
      heap[i] = item
      return
    }
    if (heap.length === 0 || !this.worse(heap[0]!, item)) return
    let i = 0
    for (;;) {
      let down = 2 * i + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && this.worse(heap[down + 1]!, heap[down]!)) down++
      if (!this.worse(heap[down]!, item)) break
      heap[i] = heap[down]!
      i = down
    }
    heap[i] = item
  }
  /** Whether nothing of a score below this would be kept. */
  isBeyond(score: number): boolean {
    return this.heap.length >= this.most && this.most > 0 && score < this.scores[this.heap[0]!]!
  }
  sorted(): Array<number> {
    return this.heap.sort((a, b) => (this.worse(a, b) ? 1 : -1))
  }
}

/** Whether an ascending list has a number. */
const has = (list: Int32Array, wanted: number): boolean => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return list[low] === wanted
}

type Filter = (file: FileEntry, view: FactsView, definition: number) => boolean

/** Finds definitions by words. Each part is built when a query first needs it. */
export class SymbolSearch {
  private readonly numbering: Numbering
  /** Dense number of each file's first definition. */
  private readonly firsts: Int32Array
  private nameTable: NameTable | undefined
  private termIndex: TermIndex | undefined
  private scratch:
    | {
        readonly scores: Float32Array
        readonly heard: Int32Array
        readonly part: Float32Array
        readonly rungs: Uint8Array
      }
    | undefined

  constructor(readonly snapshot: Snapshot) {
    this.numbering = Numbering.of(snapshot)
    this.firsts = this.numbering.firsts
  }

  private get names(): NameTable {
    return (this.nameTable ??= new NameTable(this.snapshot, this.numbering))
  }
  private get terms(): TermIndex {
    return (this.termIndex ??= new TermIndex(this.numbering))
  }
  private get room() {
    const { total } = this.numbering
    return (this.scratch ??= {
      scores: new Float32Array(total),
      heard: new Int32Array(total),
      part: new Float32Array(total),
      rungs: new Uint8Array(total)
    })
  }
  private fileOf(definition: number): number {
    return this.numbering.fileOf(definition)
  }

  search(query: SymbolQuery): SymbolMatches {
    const parsed = parseQuery(query)
    if (this.numbering.live === 0 || query.limit <= 0)
      return { matches: [], total: 0, query_class: parsed.queryClass }
    const touched: Array<number> = []
    const { heard, rungs: best, scores } = this.room
    try {
      const symbol = parsed.queryClass === "symbol" && parsed.parts.length > 0
      if (parsed.text === "") this.everything(touched)
      else if (symbol) this.bySymbol(parsed, touched)
      else this.byWords(parsed, touched)
      return this.answer(query, parsed, touched)
    } finally {
      for (const d of touched) {
        scores[d] = 0
        heard[d] = 0
        best[d] = 0
      }
    }
  }

  /** A definition with its rung plus one kept as the mark of having been touched. */
  private touch(definition: number, found: number, score: number, touched: Array<number>): void {
    const { rungs: best, scores } = this.room
    if (best[definition] === 0) touched.push(definition)
    if (found + 1 > best[definition]! || (found + 1 === best[definition] && score > scores[definition]!)) {
      best[definition] = found + 1
      scores[definition] = score
    }
  }

  private everything(touched: Array<number>): void {
    for (let d = 0, n = this.numbering.total; d < n; d++)
      if (!this.numbering.isDead(d)) this.touch(d, rung.text, 1, touched)
  }

  private bySymbol(parsed: ParsedQuery, touched: Array<number>): void {
    const { names } = this
    const wanted = parsed.parts[parsed.parts.length - 1]!
    const lower = wanted.toLowerCase()
    const owners = parsed.parts.slice(0, -1).map((p) => p.toLowerCase())
    const whole = parsed.text.replace(/\(\)$/, "")
    const { rungs: best, scores } = this.room
    let found = 0
    let score = 0
    const visit =
      owners.length === 0
        ? (d: number) => {
            if (best[d] === 0) touched.push(d)
            if (found + 1 > best[d]! || (found + 1 === best[d] && score > scores[d]!)) {
              best[d] = found + 1
              scores[d] = score
            }
          }
        : (d: number) => {
            if (this.within(d, owners)) this.touch(d, found, score, touched)
          }
    const take = (place: number, on: number, worth: number) => {
      found = on
      score = worth
      names.each(place, visit)
    }
    // A name may hold the very characters that part qualified names, as keys of data files do.
    if (owners.length > 0) {
      const [from, to] = names.spelt(whole.toLowerCase())
      for (let place = from; place < to; place++) {
        names.each(place, (d) =>
          this.touch(d, names.text(place) === whole ? rung.exact : rung.folded, 1, touched)
        )
      }
    }
    const [from, to] = names.spelt(lower)
    for (let place = from; place < to; place++)
      take(place, names.text(place) === wanted ? rung.exact : rung.folded, 1)
    const [first, last] = names.beginning(lower)
    for (let place = first; place < last; place++) {
      if (place < from || place >= to) take(place, rung.prefix, lower.length / names.lower(place).length)
    }
    const stems = parsed.stems
    if (stems.length > 0) {
      const own = owners.length === 0 ? stems : [...new Set(parseQuery({ text: wanted, limit: 1 }).stems)]
      const lists = own.map((s) => names.holding(s)).sort((a, b) => a.length - b.length)
      const others = lists.slice(1)
      if (lists.length > 0) {
        for (const place of lists[0]!) {
          if (others.every((o) => has(o, place)))
            take(place, rung.subword, own.length / Math.max(own.length, names.wordCount(place)))
        }
      }
    }
    if (touched.length === 0 && lower.length >= 3) {
      for (const place of names.containing(lower))
        take(place, rung.subword, (0.5 * lower.length) / names.lower(place).length)
    }
    if (touched.length === 0) {
      // Words of a compound name may be spread over names and texts; then what is spelt almost so.
      if (stems.length > 1 || lower.length >= 3) this.byWords(parsed, touched, stems.length > 1)
      if (lower.length >= shortestFuzzy) {
        for (const { distance, place } of names.near(lower, lower.length >= 6 ? 2 : 1))
          take(place, rung.fuzzy, 1 / (1 + distance))
      }
    }
  }

  /** Whether a definition lies in owners of these lower-case names, innermost last; files and folders count as owners. */
  private within(definition: number, owners: ReadonlyArray<string>): boolean {
    const { files, names } = this.snapshot
    const f = this.fileOf(definition)
    const file = files[f]!
    const view = file.view!
    const chain: Array<string> = []
    for (let i = definition - this.firsts[f]!; i >= 0; i = view.def(i, D.parent)) {
      if (i !== definition - this.firsts[f]!) chain.push(names.text(view.def(i, D.name)).toLowerCase())
      const container = view.def(i, D.container)
      if (container !== 0) chain.push(names.text(container).toLowerCase())
    }
    const path = file.path.toLowerCase().split("/")
    const base = path.pop()!
    chain.push(base.replace(/\.[^.]*$/, ""), ...path.reverse())
    if (view.package !== 0)
      chain.push(
        ...names
          .text(view.package)
          .toLowerCase()
          .split(/[.\\/]|::/)
          .reverse()
      )
    let at = 0
    for (let o = owners.length - 1; o >= 0; o--) {
      while (at < chain.length && chain[at] !== owners[o]) at++
      if (at++ >= chain.length) return false
    }
    return true
  }

  /** Ranks by the words. With `every`, definitions must say all of them. */
  private byWords(parsed: ParsedQuery, touched: Array<number>, every = false): void {
    const { names, terms } = this
    const { files } = this.snapshot
    const { heard, part, rungs: best, scores } = this.room
    const total = this.numbering.live
    const stems = parsed.stems.slice(0, 24)
    const placeMask = new Int32Array(names.size)
    const fileMask = new Int32Array(files.length)
    const frequencies = stems.map((s) => {
      let borne = 0
      for (const place of names.holding(s)) borne += names.count(place)
      return Math.min(total, Math.max(terms.frequency(s), borne))
    })
    const idfs = frequencies.map((n) => Math.log(1 + (total - n + 0.5) / (n + 0.5)))
    const average = terms.averageLength
    const mine: Array<number> = []
    let known = false
    const add = (d: number, weight: number) => {
      if (known && best[d] === 0) return
      if (part[d] === 0) mine.push(d)
      part[d]! += weight
    }
    // Rare words first: once they have found enough, common ones add to what is found and find nothing by themselves.
    const byRarity = stems.map((_, t) => t).sort((a, b) => frequencies[a]! - frequencies[b]!)
    for (const t of byRarity) {
      const s = stems[t]!
      const bit = 1 << t
      known = touched.length >= enough && frequencies[t]! > total * commonShare
      for (const place of names.holding(s)) {
        placeMask[place]! |= bit
        const weight = weightOf.name / (0.6 + 0.4 * Math.max(1, names.wordCount(place)))
        names.each(place, (d) => add(d, weight))
      }
      terms.each(s, (d, weight) =>
        add(d, weight / unit / (1 - lengthShare + (lengthShare * terms.lengths[d]!) / average))
      )
      for (const f of terms.paths(s)) fileMask[f]! |= bit
      for (const d of mine) {
        if (best[d] === 0) {
          best[d] = rung.text + 1
          touched.push(d)
        }
        scores[d]! += (idfs[t]! * part[d]!) / (k1 + part[d]!)
        heard[d]! |= bit
        part[d] = 0
      }
      mine.length = 0
    }
    if (parsed.queryClass === "path" || touched.length === 0) this.byPath(fileMask, idfs, touched)
    const sum = idfs.reduce((a, b) => a + b, 0) || 1
    const joined = words(parsed.text).join("")
    let kept = 0
    for (const d of touched) {
      const f = this.fileOf(d)
      const view = files[f]!.view!
      const i = d - this.firsts[f]!
      const own = heard[d]!
      let all = own
      const place = names.placeOf(view.def(i, D.name))
      const parent = view.def(i, D.parent)
      const container = view.def(i, D.container)
      const above =
        (parent < 0 ? 0 : this.maskOf(placeMask, view.def(parent, D.name))) |
        (container === 0 ? 0 : this.maskOf(placeMask, container))
      const rest = (above | fileMask[f]!) & ~own
      if (rest !== 0) {
        for (let t = 0; t < stems.length; t++) {
          if ((rest & (1 << t)) === 0) continue
          const weight =
            ((above & (1 << t)) !== 0 ? weightOf.owner : 0) +
            ((fileMask[f]! & (1 << t)) !== 0 ? weightOf.path : 0)
          scores[d]! += (idfs[t]! * weight) / (k1 + weight)
          all |= 1 << t
        }
      }
      let said = 0
      for (let t = 0; t < stems.length; t++) if ((all & (1 << t)) !== 0) said += idfs[t]!
      // Half of the words say less than half: they may be the common half.
      scores[d]! *= 0.35 + 0.65 * (said / sum)
      const inName = place < 0 ? 0 : placeMask[place]!
      if (inName !== 0) {
        best[d] = rung.subword + 1
        if (
          stems.length > 1 &&
          inName === 2 ** stems.length - 1 &&
          words(names.text(place)).join("") === joined
        ) {
          best[d] = rung.folded + 1
          scores[d]! *= 2
        }
      }
      if (every && all !== 2 ** stems.length - 1) {
        scores[d] = 0
        best[d] = 0
        heard[d] = 0
      } else touched[kept++] = d
    }
    touched.length = kept
  }
  private maskOf(mask: Int32Array, name: number): number {
    const place = this.names.placeOf(name)
    return place < 0 ? 0 : mask[place]!
  }

  /** Top-level definitions of the files whose paths say most. */
  private byPath(fileMask: Int32Array, idfs: ReadonlyArray<number>, touched: Array<number>): void {
    const { files } = this.snapshot
    const { rungs: best, scores } = this.room
    let most = 0
    const said = new Float32Array(files.length)
    for (let f = 0; f < files.length; f++) {
      for (let t = 0; t < idfs.length; t++) if ((fileMask[f]! & (1 << t)) !== 0) said[f]! += idfs[t]!
      if (said[f]! > most) most = said[f]!
    }
    for (let f = 0; f < files.length; f++) {
      const view = files[f]?.view
      if (most === 0 || said[f]! < most * 0.75 || view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        if (view.def(i, D.parent) >= 0) continue
        const d = this.firsts[f]! + i
        if (best[d] === 0) {
          touched.push(d)
          best[d] = rung.text + 1
        }
        scores[d]! += said[f]!
      }
    }
  }

  private answer(query: SymbolQuery, parsed: ParsedQuery, touched: Array<number>): SymbolMatches {
    const { files } = this.snapshot
    const { rungs: best, scores } = this.room
    const { firsts, numbering } = this
    const fits = this.filter(query, parsed)
    const symbol = parsed.queryClass === "symbol"
    const perFile = query.per_file ?? 0
    const asksTests = parsed.stems.some(
      (s) => s === "test" || s === "spec" || s === "fixtur" || s === "mock" || s === "benchmark"
    )
    let total = 0
    // Rows that the bound per file puts off are taken up again behind the others.
    const pool = new Best(perFile > 0 || !symbol ? query.limit * 4 + 40 : query.limit, scores, this.numbering)
    for (const d of touched) {
      const f = numbering.fileOf(d)
      const file = files[f]!
      const view = file.view!
      const i = d - firsts[f]!
      if (!fits(file, view, i)) continue
      total++
      // A rung outweighs every signal; within one the words count, then the signals.
      const words = symbol ? best[d]! * 16 + Math.min(8, scores[d]! * 3) : scores[d]!
      // Not the best signal would bring it among the best.
      if (pool.isBeyond(symbol ? words + 4.001 : words * 1.001)) continue
      const signal = this.signal(file, view, i, asksTests)
      scores[d] = symbol ? words + 4 * signal : words * signal
      pool.offer(d)
    }
    const ranked = pool.sorted()
    const rows: Array<number> = []
    const later: Array<number> = []
    const seen = new Map<number, number>()
    const leaves = new Set<number>()
    for (const d of ranked) {
      const f = this.fileOf(d)
      const view = files[f]!.view!
      const i = d - this.firsts[f]!
      const literal = symbol && best[d]! >= rung.folded + 1
      const count = seen.get(f) ?? 0
      const leaf = !symbol && dataKinds.has(view.def(i, D.kind))
      if (!literal && ((perFile > 0 && count >= perFile) || (leaf && leaves.has(view.def(i, D.name))))) {
        later.push(d)
        continue
      }
      if (leaf) leaves.add(view.def(i, D.name))
      seen.set(f, count + 1)
      rows.push(d)
    }
    const matches: Array<SymbolMatch> = []
    for (const d of [...rows, ...later].slice(0, query.limit)) {
      const f = this.fileOf(d)
      matches.push({ ref: nodeOf(f, d - this.firsts[f]!), score: scores[d]!, match: rungs[best[d]! - 1]! })
    }
    return { matches, total, query_class: parsed.queryClass }
  }

  /** What a definition is worth apart from its words, between 0.05 and 1. */
  private signal(file: FileEntry, view: FactsView, i: number, asksTests: boolean): number {
    const kind = view.def(i, D.kind)
    const flags = view.def(i, D.flags)
    let value = 0.55
    if ((flags & (Flag.exported | Flag.defaultExport)) !== 0) value += 0.08
    if (callableKinds.has(kind) || typeKinds.has(kind)) value += 0.1
    else if (valueKinds.has(kind)) value -= 0.06
    value += Math.min(0.2, 0.03 * Math.log2(1 + this.snapshot.incoming.count(file.id, i)))
    if ((flags & Flag.declaration) !== 0) value *= 0.8
    if ((flags & Flag.local) !== 0) value *= 0.6
    if ((flags & Flag.deprecated) !== 0) value *= 0.85
    if (dataKinds.has(kind)) value *= 0.35
    if ((file.flags & (FileFlag.generated | FileFlag.vendored | FileFlag.lockFile)) !== 0) value *= 0.4
    if (!asksTests && isTest(file, view, i)) value *= 0.45
    return Math.max(0.05, Math.min(1, value))
  }

  private filter(query: SymbolQuery, parsed: ParsedQuery): Filter {
    const kindSet = (list: ReadonlyArray<string> | undefined) =>
      list === undefined || list.length === 0 ? undefined : new Set(list.map((k) => k.toLowerCase()))
    const all: Array<Filter> = []
    const kind = (view: FactsView, i: number) => definitionKinds[view.def(i, D.kind)]!
    const language = (file: FileEntry) => languages[file.language]?.id ?? ""
    for (const list of [query.kinds, parsed.kinds]) {
      const set = kindSet(list)
      if (set !== undefined) all.push((_, view, i) => set.has(kind(view, i)))
    }
    for (const list of [query.languages, parsed.languages]) {
      const set = kindSet(list)
      if (set === undefined) continue
      const fits = languages.map(({ id }) => set.has(id))
      all.push((file) => fits[file.language] ?? set.has(""))
    }
    const paths = (list: ReadonlyArray<string> | undefined) =>
      list === undefined || list.length === 0 ? undefined : list.map(pathTest)
    for (const list of [query.paths, parsed.paths]) {
      const tests = paths(list)
      if (tests !== undefined) all.push((file) => tests.some((t) => t(file.path)))
    }
    const notKinds = kindSet(parsed.notKinds)
    if (notKinds !== undefined) all.push((_, view, i) => !notKinds.has(kind(view, i)))
    const notLanguages = kindSet(parsed.notLanguages)
    if (notLanguages !== undefined) all.push((file) => !notLanguages.has(language(file)))
    const notPaths = paths(parsed.notPaths)
    if (notPaths !== undefined) all.push((file) => !notPaths.some((t) => t(file.path)))
    if (query.tests === false) all.push((file, view, i) => !isTest(file, view, i))
    for (const phrase of parsed.phrases) {
      all.push(
        (_, view, i) =>
          this.snapshot.names.text(view.def(i, D.name)).toLowerCase().includes(phrase) ||
          view.signature(i).toLowerCase().includes(phrase) ||
          view.doc(i).toLowerCase().includes(phrase)
      )
    }
    const [only] = all
    if (only !== undefined && all.length === 1) return only
    return (file, view, i) => all.every((f) => f(file, view, i))
  }

  /** Bytes its arrays hold; what has not been needed yet has not been built. */
  get bytes(): number {
    const { scratch } = this
    return (
      this.numbering.base.bytes +
      (this.nameTable?.bytes ?? 0) +
      (this.termIndex?.bytes ?? 0) +
      (scratch === undefined
        ? 0
        : scratch.scores.byteLength +
          scratch.heard.byteLength +
          scratch.part.byteLength +
          scratch.rungs.byteLength)
    )
  }
}

/** A prefix is a folder or a whole path; with `*` it is a pattern over the path; without `/` a folder or file of that name anywhere will do. */
const pathTest = (raw: string): ((path: string) => boolean) => {
  const path = prefixOf(raw)
  if (path.includes("*")) {
    const source = path
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replace(/\*\*\/?|\*|\?/g, (w) => (w.startsWith("**") ? "(?:.*)" : w === "*" ? "[^/]*" : "[^/]"))
    const whole = new RegExp(`^${path.includes("/") ? "" : "(?:.*/)?"}${source}$`)
    return (p) => whole.test(p)
  }
  return (p) => isWithin(p, path)
}

const isTest = (file: FileEntry, view: FactsView, definition: number): boolean => {
  if ((file.flags & FileFlag.test) !== 0) return true
  for (let i = definition; i >= 0; i = view.def(i, D.parent)) {
    if ((view.def(i, D.flags) & Flag.test) !== 0 || view.def(i, D.kind) === K.test) return true
  }
  return false
}
