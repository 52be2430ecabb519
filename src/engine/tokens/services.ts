/** Publishes the tokens of a workspace's files. */
import { Effect } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import type {
  BodyMeasure,
  ClonePair,
  Clones,
  CodeTokens,
  SharedRun,
  TokenUnit
} from "../../services/CodeTokens.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { decodeText } from "../files/Reader.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { FileFlag } from "../graph/Snapshot.ts"
import {
  candidates,
  jaccard,
  type Prints,
  printsOf,
  runs,
  shinglesOf,
  type Signed,
  signatureOf,
  unitAt
} from "./Clones.ts"
import { type FileTokens, fileTokens, mannerOf, type Unit } from "./FileTokens.ts"
import { manners } from "./Lexer.ts"

/** Files of the session's state, and their bytes. */
export interface TokensGround {
  readonly files: Effect.Effect<ReadonlyArray<FileEntry | undefined>, ServiceFailure>
  readonly read: (file: FileEntry) => Effect.Effect<Uint8Array | undefined, ServiceFailure>
}

/** Numbers kept of files that were read: of tokens only while they are compared, 128 MiB, of what is found by them 16 MiB. */
const mostTokens = 32 << 20
const mostKept = 4 << 20
const largest = 1 << 20

/** Values by key, the least recently used forgotten first. */
class Bounded<A> {
  private readonly values = new Map<string, { readonly value: A; readonly weight: number }>()
  private weight = 0
  constructor(private readonly most: number) {}
  get(key: string): A | undefined {
    const known = this.values.get(key)
    if (known === undefined) return undefined
    this.values.delete(key)
    this.values.set(key, known)
    return known.value
  }
  clear(): void {
    this.values.clear()
    this.weight = 0
  }
  set(key: string, value: A, weight: number): void {
    this.weight -= this.values.get(key)?.weight ?? 0
    this.values.delete(key)
    this.values.set(key, { value, weight })
    this.weight += weight
    for (const [old, { weight: own }] of this.values) {
      if (this.weight <= this.most || old === key) break
      this.values.delete(old)
      this.weight -= own
    }
  }
}

interface Compared {
  readonly units: ReadonlyArray<{ readonly unit: Unit; readonly signature: Int32Array }>
  readonly prints: Prints
}

const plain = ({ column, end_line, line, path, start_line, tokens }: Unit): TokenUnit => ({
  path,
  line,
  column,
  start_line,
  end_line,
  tokens
})

export const codeTokens = ({ files, read }: TokensGround): CodeTokens["Type"] => {
  const texts = new Bounded<FileTokens>(mostTokens)
  const measured = new Bounded<ReadonlyArray<BodyMeasure>>(mostKept)
  const compared = new Bounded<Compared>(mostKept)
  const keyOf = (file: FileEntry): string => `${file.language} ${file.oid} ${file.path}`

  /** The tokens of a file; undefined when there is nothing to read. */
  const tokensOf = (file: FileEntry): Effect.Effect<FileTokens | undefined, ServiceFailure> =>
    Effect.gen(function* () {
      const key = keyOf(file)
      const known = texts.get(key)
      if (known !== undefined) return known
      const manner = mannerOf(file)
      if (manner === undefined || file.view === undefined || file.size > largest) return undefined
      const bytes = yield* read(file)
      if (bytes === undefined) return undefined
      const made = fileTokens(file, decodeText(bytes).text, manner)
      texts.set(key, made, made.alike.length * 3)
      measured.set(key, made.measures, made.measures.length * 16)
      return made
    })

  const measures: CodeTokens["Type"]["measures"] = (paths) =>
    Effect.gen(function* () {
      const wanted = new Set(paths)
      const out = new Map<string, ReadonlyArray<BodyMeasure>>()
      let resumed = performance.now()
      for (const file of yield* files) {
        if (file === undefined || !wanted.has(file.path) || mannerOf(file)?.bodies === undefined) continue
        const known = measured.get(keyOf(file))
        if (known !== undefined) out.set(file.path, known)
        else if ((yield* tokensOf(file)) !== undefined) {
          out.set(file.path, measured.get(keyOf(file)) ?? [])
          texts.clear()
        }
        if (performance.now() - resumed > 8) {
          yield* nextTurn
          resumed = performance.now()
        }
      }
      return out
    })

  const clones: CodeTokens["Type"]["clones"] = ({ deadline_ms, min_run, min_similarity, min_tokens }) =>
    Effect.gen(function* () {
      const until = performance.now() + deadline_ms
      const late = () => performance.now() > until
      let resumed = performance.now()
      const pause = Effect.suspend(() => {
        if (performance.now() - resumed < 8) return Effect.void
        return Effect.map(nextTurn, () => {
          resumed = performance.now()
        })
      })
      const listed = (yield* files).filter(
        (file): file is FileEntry =>
          file?.view !== undefined && (file.flags & FileFlag.generated) === 0 && mannerOf(file) !== undefined
      )
      listed.sort((a, b) => (a.path < b.path ? -1 : 1))
      let unread = 0
      let complete = true
      const chosen: Array<FileEntry> = []
      const prints: Array<Prints> = []
      const signed: Array<Signed> = []
      for (const file of listed) {
        if (late()) {
          complete = false
          break
        }
        const key = `${keyOf(file)} ${min_tokens} ${min_run}`
        let own = compared.get(key)
        if (own === undefined) {
          const tokens = yield* tokensOf(file)
          if (tokens === undefined) {
            unread++
            continue
          }
          own = {
            units: tokens.units
              .slice(0, -1)
              .filter((unit) => unit.tokens >= min_tokens)
              .map((unit) => ({
                unit,
                signature: signatureOf(shinglesOf(tokens.alike, unit.from, unit.to))
              })),
            prints: printsOf(tokens.exact, min_run)
          }
          compared.set(key, own, own.units.length * 60 + own.prints.at.length * 2)
        }
        for (const each of own.units) signed.push({ file: chosen.length, ...each })
        prints.push(own.prints)
        chosen.push(file)
        yield* pause
      }

      const sets = new Map<number, Int32Array>()
      const setOf = (i: number): Effect.Effect<Int32Array, ServiceFailure> =>
        Effect.gen(function* () {
          const known = sets.get(i)
          if (known !== undefined) return known
          const { file, unit } = signed[i]!
          const tokens = yield* tokensOf(chosen[file]!)
          const made = tokens === undefined ? new Int32Array(0) : shinglesOf(tokens.alike, unit.from, unit.to)
          sets.set(i, made)
          return made
        })
      const pairs: Array<ClonePair> = []
      const together = new Set<string>()
      const nameOf = (unit: TokenUnit) => `${unit.path}:${unit.line}:${unit.column}`
      for (const [i, k] of candidates(signed)) {
        if (late()) {
          complete = false
          break
        }
        const a = signed[i]!
        const b = signed[k]!
        // A body and one inside it share what is inside.
        if (a.file === b.file && a.unit.from <= b.unit.from && b.unit.to <= a.unit.to) continue
        const similarity = jaccard(yield* setOf(i), yield* setOf(k))
        yield* pause
        if (similarity < min_similarity) continue
        pairs.push({ a: plain(a.unit), b: plain(b.unit), similarity })
        together.add(`${nameOf(a.unit)} ${nameOf(b.unit)}`)
      }

      const loaded = new Map<number, FileTokens>()
      /** Files that may share a run are few among many. */
      const shared = new Map<number, number>()
      for (const { hashes } of prints)
        for (const hash of new Set(hashes)) shared.set(hash, (shared.get(hash) ?? 0) + 1)
      for (let i = 0; i < chosen.length && !late(); i++) {
        const { hashes } = prints[i]!
        const again = new Set(hashes).size < hashes.length
        if (!again && !hashes.some((hash) => shared.get(hash)! > 1)) continue
        const tokens = yield* tokensOf(chosen[i]!)
        if (tokens !== undefined) loaded.set(i, tokens)
        yield* pause
      }
      const found = runs(prints, min_run, (file) => loaded.get(file)?.exact, late)
      if (late()) complete = false
      const out: Array<SharedRun> = []
      for (const run of found) {
        const fileA = loaded.get(run.fileA)!
        const fileB = loaded.get(run.fileB)!
        const a = unitAt(fileA, run.a)
        const b = unitAt(fileB, run.b)
        if (together.has(`${nameOf(a)} ${nameOf(b)}`) && run.a + run.tokens <= a.to + 2) continue
        out.push({
          tokens: run.tokens,
          a: plain(a),
          b: plain(b),
          a_start: fileA.lines[run.a]!,
          a_end: fileA.lines[run.a + run.tokens - 1]!,
          b_start: fileB.lines[run.b]!,
          b_end: fileB.lines[run.b + run.tokens - 1]!
        })
      }
      const result: Clones = {
        pairs: pairs.sort((a, b) => b.similarity - a.similarity || compareUnits(a, b)),
        runs: out.sort((a, b) => b.tokens - a.tokens || compareUnits(a, b)),
        compared: signed.length,
        files: chosen.length,
        unread_files: unread,
        complete
      }
      return result
    }).pipe(Effect.ensuring(Effect.sync(() => texts.clear())))

  return {
    languages: {
      read: Object.keys(manners).sort(),
      measured: Object.keys(manners)
        .filter((language) => manners[language]!.bodies !== undefined)
        .sort()
    },
    measures,
    clones
  }
}

const compareUnits = (
  a: { readonly a: TokenUnit; readonly b: TokenUnit },
  b: { readonly a: TokenUnit; readonly b: TokenUnit }
): number => {
  const of = (unit: TokenUnit) =>
    `${unit.path} ${String(unit.line).padStart(9)} ${String(unit.column).padStart(9)}`
  const left = `${of(a.a)} ${of(a.b)}`
  const right = `${of(b.a)} ${of(b.b)}`
  return left < right ? -1 : left > right ? 1 : 0
}
