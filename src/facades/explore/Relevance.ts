/**
 * Ranks symbols and files by what a task says. Evidence of several kinds is added up: places and names it mentions,
 * words of symbols, words in file texts, paths, and nearness in the graph to what these found.
 */
import { Effect } from "effect"
import { isUnder } from "../../registry/Place.ts"
import type { GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { equivalentsOf, partsOf, type Question, rootOf } from "./Question.ts"

/** Why something is in the answer, strongest first. */
export type Reason = "place" | "path" | "name" | "message" | "words" | "text" | "graph" | "test"

export interface RankedSymbol {
  readonly ref: SymbolRef
  readonly info: SymbolInfo
  readonly score: number
  readonly reasons: ReadonlyArray<Reason>
  /** Lines of the symbol that say words of the task, ascending. */
  readonly lines: ReadonlyArray<number>
}
export interface RankedFile {
  readonly path: string
  readonly score: number
  readonly reasons: ReadonlyArray<Reason>
}
export interface Relevance {
  readonly symbols: ReadonlyArray<RankedSymbol>
  readonly files: ReadonlyArray<RankedFile>
  /** Symbols and files that any evidence spoke for. */
  readonly candidates: number
  /** False when a text search behind the ranking did not see every file. */
  readonly searched: boolean
  /** Names and places of the task that mean nothing here. */
  readonly unmatched: ReadonlyArray<string>
}

export interface Scope {
  /** Path prefixes; everything when empty. */
  readonly paths: ReadonlyArray<string>
}

/** Weights of the kinds of evidence, against 1 for the best match of words. */
const weights = {
  place: 4,
  path: 3,
  name: 2.4,
  message: 2.5,
  words: 1,
  text: 0.9,
  pathWords: 0.8,
  graph: 0.35,
  lift: 0.5
} as const

/** Words looked for in texts, and files a word may be in to tell anything. */
const mostWords = 8
const searchMs = 250

const dataKinds: ReadonlySet<string> = new Set(["key", "heading", "selector", "element", "target", "label"])
const codeless =
  /\.(?:md|mdx|rst|txt|json|ya?ml|toml|lock|svg|html?|css|csv|xml|ini|cfg)$|(?:^|\/)(?:changelog|license|readme)/i
const aside =
  /(?:^|\/)(?:docs?|examples?|samples?|fixtures?|testdata|vendor|third_party|node_modules|dist|benchmarks?|bench)\//i

const inScope = (path: string, scope: Scope): boolean =>
  scope.paths.length === 0 || scope.paths.some((prefix) => isUnder(prefix)(path))

/** Files whose path ends with the most of a path's last segments. Foreign roots in front of it do not matter. */
const filesAt = (paths: ReadonlyArray<string>, wanted: string): ReadonlyArray<string> => {
  const parts = wanted
    .replaceAll("\\", "/")
    .split("/")
    .filter((p) => p !== "" && p !== "." && p !== "..")
  const last = parts[parts.length - 1]
  if (last === undefined) return []
  let best: Array<string> = []
  let most = 0
  for (const path of paths) {
    const own = path.split("/")
    let same = 0
    while (
      same < own.length &&
      same < parts.length &&
      own[own.length - 1 - same] === parts[parts.length - 1 - same]
    )
      same++
    if (same === 0 || same < most) continue
    if (same > most) best = []
    most = same
    best.push(path)
  }
  return best
}

class Evidence<K> {
  readonly scores = new Map<K, number>()
  readonly reasons = new Map<K, Set<Reason>>()
  add(key: K, score: number, reason: Reason): void {
    this.scores.set(key, (this.scores.get(key) ?? 0) + score)
    const set = this.reasons.get(key)
    if (set === undefined) this.reasons.set(key, new Set([reason]))
    else set.add(reason)
  }
}

/** Ranks what a graph holds for a question. */
export const relevanceOf = (
  view: GraphView,
  question: Question,
  scope: Scope
): Effect.Effect<Relevance, ServiceFailure, TextIndex> =>
  Effect.gen(function* () {
    const text = yield* TextIndex
    const files = view.files().filter((f) => inScope(f.path, scope))
    const byPath = new Map(files.map((f) => [f.path, f]))
    const paths = files.map((f) => f.path)
    const symbols = new Evidence<SymbolRef>()
    const fileEvidence = new Evidence<string>()
    const lines = new Map<SymbolRef, Set<number>>()
    const unmatched: Array<string> = []
    const infos = new Map<SymbolRef, SymbolInfo>()
    const infoOf = (ref: SymbolRef): SymbolInfo => {
      let info = infos.get(ref)
      if (info === undefined) infos.set(ref, (info = view.symbol(ref)))
      return info
    }
    const pathOf = (ref: SymbolRef) => infoOf(ref).path
    let searched = true

    const place = (path: string, line: number): SymbolRef | undefined => {
      const ref = view.at(path, line)
      return ref === undefined || view.isFile(ref) ? undefined : ref
    }
    const mark = (ref: SymbolRef, line: number) => {
      const set = lines.get(ref)
      if (set === undefined) lines.set(ref, new Set([line]))
      else set.add(line)
    }

    // Places. The innermost frame of ours says most; a trace names many.
    let order = 0
    for (const frame of question.frames) {
      const found = filesAt(paths, frame.path)
      if (found.length === 0 || found.length > 4) {
        if (!/node_modules|site-packages|\/usr\/|^node:|runtime\//.test(frame.path))
          unmatched.push(`${frame.path}:${frame.line}`)
        continue
      }
      const weight = weights.place / (1 + 0.25 * order++) / found.length
      for (const path of found) {
        fileEvidence.add(path, weight, "place")
        const ref = place(path, frame.line)
        if (ref !== undefined) {
          symbols.add(ref, weight, "place")
          mark(ref, frame.line)
        }
      }
    }
    for (const wanted of question.paths) {
      const folder = wanted.replace(/\/+$/, "")
      const inside = paths.filter((p) => p.startsWith(`${folder}/`))
      const found = inside.length > 0 ? [] : filesAt(paths, wanted)
      if (inside.length > 0)
        for (const path of inside) fileEvidence.add(path, weights.path / (2 + inside.length), "path")
      else if (found.length > 0 && found.length <= 8)
        for (const path of found) fileEvidence.add(path, weights.path / Math.sqrt(found.length), "path")
      else unmatched.push(wanted)
    }

    // Names. A name that many bear says little about each of them.
    question.identifiers.forEach((name, at) => {
      const found = view.resolve(name).found.filter((r) => !view.isFile(r) && inScope(pathOf(r), scope))
      const rows =
        found.length > 0
          ? found
          : view
              .search({ text: name, limit: 8, paths: scope.paths })
              .matches.filter((m) => m.match === "exact" || m.match === "prefix")
              .map((m) => m.ref)
      if (rows.length === 0) {
        unmatched.push(name)
        return
      }
      const weight = (weights.name * (found.length > 0 ? 1 : 0.5)) / Math.sqrt(rows.length) / (1 + 0.05 * at)
      for (const ref of rows.slice(0, 24)) {
        symbols.add(ref, weight, "name")
        fileEvidence.add(pathOf(ref), weight * 0.7, "name")
      }
    })

    // Messages, as they stand; then their longest part without values.
    for (const message of question.messages) {
      const pieces = [
        message,
        ...message
          .split(/["'`<>{}]|%[a-z]|\d+|: /)
          .map((p) => p.trim())
          .filter((p) => p.length >= 8)
          .sort((a, b) => b.length - a.length)
          .slice(0, 2)
      ]
      for (const piece of new Set(pieces)) {
        const found = yield* text.search({
          pattern: piece,
          regexp: false,
          limit: 40,
          mode: "matches",
          deadline_ms: searchMs,
          ...(scope.paths.length > 0 ? { paths: scope.paths } : {})
        })
        if (!found.complete && !found.causes.includes("limit")) searched = false
        const hits = found.matches.filter((m) => byPath.has(m.path))
        if (hits.length === 0) continue
        const weight = weights.message / Math.sqrt(hits.length)
        for (const hit of hits) {
          const demoted = codeless.test(hit.path) || byPath.get(hit.path)!.test ? 0.3 : 1
          fileEvidence.add(hit.path, weight * 0.7 * demoted, "message")
          const ref = place(hit.path, hit.line)
          if (ref !== undefined) {
            symbols.add(ref, weight * demoted, "message")
            mark(ref, hit.line)
          }
        }
        break
      }
    }

    // Words of symbols.
    const words = question.words
    if (words.length > 0) {
      const { matches } = view.search({ text: words.join(" "), limit: 120, paths: scope.paths })
      const top = matches[0]?.score ?? 1
      for (const { ref, score } of matches) symbols.add(ref, weights.words * (score / top) ** 1.3, "words")
      const more = [...new Set(words.flatMap(equivalentsOf))].filter((w) => !words.includes(w)).slice(0, 12)
      if (more.length > 0) {
        const wider = view.search({
          text: [...words, ...more].join(" "),
          limit: 40,
          paths: scope.paths
        }).matches
        const best = wider[0]?.score ?? 1
        for (const { ref, score } of wider)
          symbols.add(ref, 0.3 * weights.words * (score / best) ** 1.3, "words")
      }
    }

    // Words in texts: which files say them, and for rare ones in which symbols.
    const roots = [...new Set(words.map(rootOf))].filter((r) => r.length >= 3)
    const total = Math.max(1, files.length)
    const said = new Map<string, Array<number>>()
    const rarity: Array<number> = []
    let weightSum = 0
    for (const root of roots.slice(0, mostWords)) {
      const found = yield* text.search({
        pattern: root,
        regexp: false,
        ignore_case: true,
        limit: 100_000,
        mode: "count",
        deadline_ms: searchMs,
        ...(scope.paths.length > 0 ? { paths: scope.paths } : {})
      })
      if (!found.complete) searched = false
      const hits = found.files.filter((f) => byPath.has(f.path))
      const idf = Math.log(1 + (total - hits.length + 0.5) / (hits.length + 0.5))
      const at = rarity.push(idf) - 1
      weightSum += idf
      for (const hit of hits) {
        const counts = said.get(hit.path) ?? []
        counts[at] = hit.count
        said.set(hit.path, counts)
      }
    }
    const averageLines = files.reduce((n, f) => n + f.lines, 0) / total || 1
    const textScores = new Map<string, number>()
    let bestText = 0
    for (const [path, counts] of said) {
      const file = byPath.get(path)!
      const norm = 0.4 + 0.6 * Math.min(6, (file.lines || file.size / 30) / averageLines)
      let score = 0
      rarity.forEach((idf, at) => {
        const n = counts[at] ?? 0
        if (n > 0) score += (idf * n) / (n + 1.2 * norm)
      })
      textScores.set(path, score)
      bestText = Math.max(bestText, score)
    }
    for (const [path, score] of textScores)
      fileEvidence.add(path, (weights.text * score) / Math.max(bestText, 0.6 * weightSum, 1e-9), "text")

    // Words of paths.
    const pathWords = new Map<string, ReadonlySet<string>>()
    const frequency = new Map<string, number>()
    for (const path of paths) {
      const set = new Set(partsOf(path.replace(/\.[^./]*$/, "")).map(rootOf))
      pathWords.set(path, set)
      for (const w of set) frequency.set(w, (frequency.get(w) ?? 0) + 1)
    }
    const known = [...new Set(words.map(rootOf))].filter((r) => frequency.has(r))
    if (known.length > 0) {
      const idf = (w: string) => Math.log(1 + total / frequency.get(w)!)
      const sum = [...new Set(words.map(rootOf))].reduce(
        (n, w) => n + Math.log(1 + total / (frequency.get(w) ?? 1)),
        0
      )
      for (const path of paths) {
        const own = pathWords.get(path)!
        const base = new Set(
          partsOf(path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "")).map(rootOf)
        )
        let score = 0
        for (const w of known) if (own.has(w)) score += idf(w) * (base.has(w) ? 1 : 0.7)
        if (score > 0) fileEvidence.add(path, (weights.pathWords * score) / sum, "path")
      }
    }

    // Symbols in whose text rare words stand.
    const telling = roots
      .slice(0, mostWords)
      .map((root, at) => ({ root, idf: rarity[at] ?? 0 }))
      .sort((a, b) => b.idf - a.idf)
      .slice(0, 4)
    const candidates = [...fileEvidence.scores]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 24)
      .map(([path]) => path)
    if (candidates.length > 0) {
      const heard = new Map<SymbolRef, number>()
      for (const { idf, root } of telling) {
        if (idf < 0.7) continue
        const found = yield* text.search({
          pattern: root,
          regexp: false,
          ignore_case: true,
          limit: 400,
          per_file: 24,
          mode: "matches",
          deadline_ms: searchMs,
          paths: candidates
        })
        const first = new Set<SymbolRef>()
        for (const hit of found.matches) {
          const ref = place(hit.path, hit.line)
          if (ref === undefined) continue
          mark(ref, hit.line)
          if (first.has(ref)) continue
          first.add(ref)
          heard.set(ref, (heard.get(ref) ?? 0) + idf)
        }
      }
      const most = Math.max(1e-9, ...heard.values(), 0.5 * weightSum)
      for (const [ref, sum] of heard) symbols.add(ref, (0.6 * sum) / most, "text")
    }

    // What a definition or file is worth apart from what it says.
    const standing = (path: string): number => {
      const file = byPath.get(path)
      let worth = 1
      if (file === undefined) return 0
      if (file.test && !question.tests) worth *= 0.4
      if (file.generated) worth *= 0.3
      if (codeless.test(path)) worth *= 0.35
      if (aside.test(path)) worth *= 0.5
      return worth
    }

    // A walk from what was found so far, two steps, hubs thinned out.
    const seeds = [...symbols.scores]
      .map(([ref, score]) => [ref, score * standing(pathOf(ref))] as const)
      .sort((a, b) => b[1] - a[1])
      .slice(0, 12)
    const lifted = new Map<SymbolRef, number>()
    const testLift = new Map<SymbolRef, number>()
    for (const [ref, score] of seeds) {
      const own = infoOf(ref)
      const next = new Map<SymbolRef, number>()
      for (const edge of view.outgoing(ref)) {
        if (edge.tier !== "name" && edge.to !== ref && !view.isFile(edge.to))
          next.set(edge.to, (next.get(edge.to) ?? 0) + 1)
      }
      const used = view.incomingCount(ref)
      if (used <= 60)
        for (const edge of view.incoming(ref))
          if (edge.tier !== "name" && !view.isFile(edge.from))
            next.set(edge.from, (next.get(edge.from) ?? 0) + 1)
      const parent = view.parent(ref)
      if (parent !== undefined && !view.isFile(parent)) next.set(parent, 1)
      const share = 1 / Math.sqrt(Math.max(1, next.size))
      for (const [to] of next) {
        const hub = 1 / (1 + Math.log2(1 + view.incomingCount(to)) / 6)
        if (own.test && !infoOf(to).test)
          testLift.set(
            to,
            Math.max(testLift.get(to) ?? 0, score * weights.lift * hub * Math.min(1, 2 * share))
          )
        else lifted.set(to, (lifted.get(to) ?? 0) + score * weights.graph * share * hub)
      }
    }
    for (const [ref, score] of lifted)
      if (inScope(pathOf(ref), scope)) symbols.add(ref, Math.min(score, 0.6), "graph")
    for (const [ref, score] of testLift)
      if (inScope(pathOf(ref), scope)) symbols.add(ref, Math.min(score, 1), "test")

    // Files gather what their symbols have, the best first and the others less.
    const perFile = new Map<string, Array<number>>()
    for (const [ref, score] of symbols.scores) {
      const list = perFile.get(pathOf(ref))
      const worth = dataKinds.has(infoOf(ref).kind) ? 0.3 * score : score
      if (list === undefined) perFile.set(pathOf(ref), [worth])
      else list.push(worth)
    }
    for (const [path, scores] of perFile) {
      scores.sort((a, b) => b - a)
      let sum = 0
      scores.slice(0, 5).forEach((s, i) => {
        sum += s / (1 + 1.5 * i)
      })
      fileEvidence.add(
        path,
        sum,
        fileEvidence.reasons.has(path) ? [...fileEvidence.reasons.get(path)!][0]! : "words"
      )
    }
    const rankedFiles: Array<RankedFile> = [...fileEvidence.scores]
      .map(([path, score]) => ({
        path,
        score: score * standing(path),
        reasons: [...fileEvidence.reasons.get(path)!]
      }))
      .filter((f) => f.score > 0)
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    const fileScore = new Map(rankedFiles.map((f) => [f.path, f.score]))
    const topFile = rankedFiles[0]?.score ?? 1
    const ranked: Array<RankedSymbol> = [...symbols.scores]
      .map(([ref, score]) => {
        const info = infoOf(ref)
        let worth = standing(info.path)
        if (info.test && worth > 0.4 && !question.tests) worth *= 0.4
        if (dataKinds.has(info.kind)) worth *= 0.4
        if (info.flags.includes("local")) worth *= 0.6
        return {
          ref,
          info,
          reasons: [...symbols.reasons.get(ref)!],
          score: (score + (0.5 * (fileScore.get(info.path) ?? 0)) / topFile) * worth,
          lines: [...(lines.get(ref) ?? [])].sort((a, b) => a - b)
        }
      })
      .filter((s) => s.score > 0)
      .sort((a, b) => b.score - a.score || (a.info.id < b.info.id ? -1 : 1))
    return { symbols: ranked, files: rankedFiles, candidates: ranked.length, searched, unmatched }
  })

/** The head of a ranking: few rows a file, and of leaves of data with one name only the first. */
export const headOf = (
  ranked: ReadonlyArray<RankedSymbol>,
  limit: number,
  perFile = 3
): ReadonlyArray<RankedSymbol> => {
  const out: Array<RankedSymbol> = []
  const count = new Map<string, number>()
  const leaves = new Set<string>()
  for (const row of ranked) {
    if (out.length === limit) break
    const n = count.get(row.info.path) ?? 0
    const strong = row.reasons.includes("place") || row.reasons.includes("name")
    if (n >= (strong ? perFile * 2 : perFile)) continue
    if (dataKinds.has(row.info.kind)) {
      if (leaves.has(row.info.name)) continue
      leaves.add(row.info.name)
    }
    count.set(row.info.path, n + 1)
    out.push(row)
  }
  return out
}
