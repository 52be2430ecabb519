/** Reads the facts of a snapshot: finds the files that may hold some, runs the passes over them, links what they say. */
import { Effect } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import type { FactCoverage, FactReading, Family, Note, PassRow } from "../../services/FrameworkFacts.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { languages } from "../languages/index.ts"
import { bucketOf, type TrigramQuery } from "../text/Trigrams.ts"
import type { Current } from "../workspace/Workspace.ts"
import { Linker } from "./Link.ts"
import type { LocalFact } from "./Local.ts"
import { type Pass, Source } from "./Pass.ts"
import { passes as allPasses } from "./passes.ts"

/** Milliseconds one call reads at most; what is not read then is said, and read by the next. */
const patience = 20_000
/** Files whose facts are kept, over all families. */
const mostKept = 60_000
/** Bytes of a file that is read. */
const largest = 1 << 20

/** Of one file: the facts of each pass that found something, and those that looked. */
interface Kept {
  readonly facts: ReadonlyArray<LocalFact>
  /** Passes that saw one of their signs. */
  readonly signs: ReadonlyArray<string>
}

/** A condition on trigrams that a text with one of the hints meets. */
const hinted = (hints: ReadonlyArray<string>): TrigramQuery => ({
  kind: "or",
  parts: hints.map((hint): TrigramQuery => {
    const bytes = Buffer.from(hint)
    const parts: Array<TrigramQuery> = []
    for (let i = 0; i + 2 < bytes.length; i++)
      parts.push({ kind: "bucket", bucket: bucketOf(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!) })
    return parts.length === 0 ? { kind: "all" } : { kind: "and", parts }
  })
})

export class Frameworks {
  private readonly kept = new Map<string, Kept>()
  private readonly linked = new WeakMap<GraphView["symbol"], Map<string, FactReading>>()

  constructor(
    private readonly read: (file: FileEntry, current: Current) => Uint8Array | undefined,
    private readonly passes: ReadonlyArray<Pass> = allPasses
  ) {}

  /** The facts of these families, by the graph of the same snapshot. */
  reading(current: Current, view: GraphView, families: ReadonlyArray<Family>): Effect.Effect<FactReading> {
    const wanted = [...new Set(families)].sort()
    const key = wanted.join(",")
    const known = this.linked.get(view.symbol)?.get(key)
    if (known !== undefined) return Effect.succeed({ ...known, freshness: view.freshness })
    return Effect.gen(this, function* () {
      const until = performance.now() + patience
      const chosen = wanted.map((family) => this.passes.filter((pass) => pass.family === family))
      const signs = new Map<string, number>()
      const files = new Map<string, Array<LocalFact>>()
      const unread: Array<{ readonly path: string; readonly reason: string }> = []
      let candidates = 0
      let resumed = performance.now()
      const found = this.candidates(current, chosen)
      for (const { file, reasons, sets } of found) {
        candidates++
        if (reasons !== undefined) {
          unread.push({ path: file.path, reason: reasons })
          continue
        }
        let source: Source | undefined
        for (const [i, passes] of sets.entries()) {
          if (passes.length === 0) continue
          const id = `${wanted[i]}\0${file.oid}\0${file.path}`
          let kept = this.kept.get(id)
          if (kept === undefined) {
            if (performance.now() > until) {
              unread.push({ path: file.path, reason: "not_in_time" })
              break
            }
            if (source === undefined) {
              const bytes = this.read(file, current)
              if (bytes === undefined || bytes.length > largest) {
                unread.push({ path: file.path, reason: bytes === undefined ? "unreadable" : "too_large" })
                break
              }
              source = new Source(
                file.path,
                languages[file.language]?.id ?? file.path.slice(file.path.lastIndexOf(".") + 1),
                textOf(bytes)
              )
            }
            const read = readWith(source, passes)
            if (typeof read === "string") {
              unread.push({ path: file.path, reason: read })
              continue
            }
            kept = read
            this.kept.set(id, kept)
            if (this.kept.size > mostKept) this.kept.delete(this.kept.keys().next().value!)
            if (performance.now() - resumed > 10) {
              yield* nextTurn
              resumed = performance.now()
            }
          }
          for (const sign of kept.signs) signs.set(sign, (signs.get(sign) ?? 0) + 1)
          if (kept.facts.length > 0) {
            const list = files.get(file.path)
            if (list === undefined) files.set(file.path, [...kept.facts])
            else list.push(...kept.facts)
          }
        }
      }
      const paths = [...files.keys()].sort()
      const linker = new Linker(
        view,
        current.snapshot.units.map(({ root }) => root),
        (path) => current.snapshot.byPath.has(path)
      )
      const each = paths.map((path) => [path, files.get(path)!] as const)
      const notes: Array<Note> = []
      for (const [path, facts] of each) {
        if (performance.now() - resumed > 10) {
          yield* nextTurn
          resumed = performance.now()
        }
        for (const fact of facts) {
          if (fact.kind !== "note" || fact.what === "global_prefix") continue
          const note = fact.what === "called" ? linker.external(path, fact) : linker.note(path, fact)
          if (note !== undefined) notes.push(note)
        }
      }
      const routes = wanted.includes("routes") || wanted.includes("messages") ? linker.routes(each) : []
      unread.sort((a, b) => (a.path < b.path ? -1 : 1))
      const coverage: FactCoverage = {
        candidate_files: candidates,
        read_files: candidates - new Set(unread.map(({ path }) => path)).size,
        unread
      }
      const reading: FactReading = {
        routes,
        notes,
        coverage,
        passes: rowsOf(chosen.flat(), signs),
        generation: view.generation,
        freshness: view.freshness
      }
      if (!unread.some(({ reason }) => reason === "not_in_time")) {
        const byKey = this.linked.get(view.symbol) ?? new Map<string, FactReading>()
        byKey.set(key, reading)
        this.linked.set(view.symbol, byKey)
      }
      return reading
    })
  }

  /** The files that passes may find something in, with those passes by family. */
  private *candidates(
    current: Current,
    chosen: ReadonlyArray<ReadonlyArray<Pass>>
  ): Generator<{
    readonly file: FileEntry
    readonly reasons: string | undefined
    readonly sets: ReadonlyArray<ReadonlyArray<Pass>>
  }> {
    const may = new Map<Pass, (id: number) => boolean>()
    for (const pass of chosen.flat())
      if (pass.hints !== undefined) may.set(pass, current.trigrams.candidates(hinted(pass.hints)).has)
    const byLanguage = new Map<string, ReadonlyArray<ReadonlyArray<Pass>>>()
    const passesOf = (language: string): ReadonlyArray<ReadonlyArray<Pass>> => {
      let known = byLanguage.get(language)
      if (known === undefined)
        byLanguage.set(
          language,
          (known = chosen.map((passes) => passes.filter((pass) => pass.languages.includes(language))))
        )
      return known
    }
    const unnamed = chosen.map((passes) => passes.filter(({ files }) => files !== undefined))
    for (const file of current.snapshot.files) {
      if (file === undefined) continue
      const language = file.language < 0 ? undefined : languages[file.language]!.id
      const base = language === undefined ? unnamed : passesOf(language)
      if (base.every((passes) => passes.length === 0)) continue
      const sets = base.map((passes) =>
        passes.filter(
          (pass) => (pass.files === undefined || pass.files(file.path)) && (may.get(pass)?.(file.id) ?? true)
        )
      )
      if (sets.every((passes) => passes.length === 0)) continue
      if (file.oid === "") {
        // What nobody would write by hand holds nothing that is missed.
        if (file.skip === "binary" || file.skip === "minified") continue
        yield { file, reasons: file.skip === "" ? "unreadable" : file.skip, sets }
      } else yield { file, reasons: undefined, sets }
    }
  }
}

const textOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** What the passes say of a file, or why they could not. */
const readWith = (source: Source, passes: ReadonlyArray<Pass>): Kept | string => {
  const facts: Array<LocalFact> = []
  const signs: Array<string> = []
  for (const pass of passes) {
    if (pass.hints !== undefined && !pass.hints.some((hint) => source.text.includes(hint))) continue
    signs.push(`${pass.family}:${pass.name}`)
    try {
      for (const fact of pass.read(source)) facts.push(fact)
    } catch (cause) {
      // A pass that trips over a file costs what it would have found there, and the file is named.
      return `failed: ${pass.name}: ${cause instanceof Error ? cause.message : String(cause)}`
    }
  }
  return { facts, signs }
}

const rowsOf = (passes: ReadonlyArray<Pass>, signs: ReadonlyMap<string, number>): ReadonlyArray<PassRow> => {
  const rows = new Map<string, PassRow>()
  for (const { family, hidden, languages: read, name } of passes) {
    if (hidden === true) continue
    const key = `${family}:${name}`
    const known = rows.get(key)
    rows.set(key, {
      name,
      family,
      languages: [...new Set([...(known?.languages ?? []), ...read])],
      files: signs.get(key) ?? 0
    })
  }
  return [...rows.values()].sort((a, b) =>
    a.family < b.family ? -1 : a.family > b.family ? 1 : a.name < b.name ? -1 : 1
  )
}
