/**
 * Worker threads that turn files into facts. They live as long as the scope the pool is made in. A file that hangs or
 * brings its thread down costs a new thread and the facts of that file, nothing else. What no thread can survive, such
 * as a fault in native code, ends the process.
 */
import { Data, Effect, Option, type Scope, Stream } from "effect"
import { lstatSync } from "node:fs"
import { availableParallelism } from "node:os"
import { definitionLimit } from "../graph/World.ts"
import type { Interner } from "../languages/Interner.ts"
import type { Language } from "../languages/Language.ts"
import { worthTiering } from "../languages/treesitter/Tiers.ts"
import { LanguageTable } from "./Detect.ts"
import { ownEntry, type WorkerEntry } from "./Entry.ts"
import { noteStat } from "./Extraction.ts"
import { emptyColumns, type GroupResult, type Job, reasonNumber, type Remark, statusNumber } from "./Job.ts"
import { Lane, type Outcome } from "./Lane.ts"
import { Schedule, split } from "./Split.ts"

/** No worker thread could be had. `worker_failed`: it did not start; `languages_differ`: it is of another build. */
export class PoolFailure extends Data.TaggedError("PoolFailure")<{
  readonly reason: "worker_failed" | "languages_differ" | "closed"
  readonly detail: string
}> {
  override get message(): string {
    return `${this.reason}: ${this.detail}`
  }
}

export interface PoolOptions {
  /** The workspace's names; all facts delivered are numbered by them. */
  readonly names: Interner
  /** Must be those of the worker entry, in the same order. */
  readonly languages: ReadonlyArray<Language>
  /** Most threads; by default as many as there are cores, from 1 to 4, and no more than pay. */
  readonly size?: number
  readonly entry?: WorkerEntry
  /** Milliseconds one file gets. Default 10 000. */
  readonly fileTimeoutMs?: number
  /** Milliseconds the start of a thread or the preparation of a language gets. Default 60 000. */
  readonly loadTimeoutMs?: number
  /** Heap a thread may have for JavaScript objects, in MiB. Default 512. */
  readonly heapMb?: number
  /** Most definitions of a file; the graph's limit by default. */
  readonly definitionLimit?: number
  /** Whether to start a thread at once, while the caller finds out what there is to read. */
  readonly eager?: boolean
}

export interface Pool {
  /** Most threads. */
  readonly size: number
  /**
   * Reads a job's files. Every path appears in exactly one group; groups come as they are done. Threads run at most a
   * few groups ahead of whoever consumes them. Ending the stream early leaves the pool usable.
   */
  readonly run: (job: Job) => Stream.Stream<GroupResult, PoolFailure>
  /** How many threads run now. */
  readonly threads: Effect.Effect<number>
}

type Group = Omit<GroupResult, "progress">

/** A group still to be read: places in the job, and what is known of it from earlier attempts. */
interface Piece {
  readonly indices: Int32Array
  /** Set when the file is to be read without its facts, as the last attempt at it went wrong in this way. */
  readonly culprit?: { readonly reason: "timeout" | "crashed"; readonly detail: string }
  /** How often it was lost with nobody to blame. */
  readonly losses: number
}

const maxLosses = 3

/**
 * Bytes of one language at which a second thread for it pays, though it has to compile the reader anew. On few cores
 * that takes time from the first thread, whose own compilation runs beside it.
 */
const worthwhile = (cores: number): number => (cores > 3 ? 4 : 16) << 20

/** Languages of which a job has enough for their parsers to be compiled for speed. */
const muchOf = ({ paths, sizes }: Job, table: LanguageTable): ReadonlySet<number> => {
  const bytes = new Map<number, number>()
  if (sizes !== undefined)
    paths.forEach((path, i) => {
      const language = table.byPath(path)
      if (language >= 0) bytes.set(language, (bytes.get(language) ?? 0) + sizes[i]!)
    })
  return new Set([...bytes].flatMap(([language, sum]) => (sum >= worthTiering ? [language] : [])))
}

/** Makes a pool; its threads start when they are needed and end with the scope. */
export const makePool = (options: PoolOptions): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const cores = availableParallelism()
    const size = Math.max(1, options.size ?? Math.min(4, cores))
    const shared = options.size === undefined ? worthwhile(cores) : 0
    const table = new LanguageTable(options.languages)
    const lanes = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Array.from(
          { length: size },
          () =>
            new Lane({
              names: options.names,
              entry: options.entry ?? ownEntry(),
              languages: options.languages.map(({ id }) => id),
              definitionLimit: options.definitionLimit ?? definitionLimit,
              fileTimeoutMs: options.fileTimeoutMs ?? 10_000,
              loadTimeoutMs: options.loadTimeoutMs ?? 60_000,
              heapMb: options.heapMb ?? 512
            })
        )
      ),
      (lanes) => Effect.promise(() => Promise.all(lanes.map((lane) => lane.close())))
    )
    if (options.eager === true) lanes[0]!.open()
    let lastId = 0

    /** Languages that a job has much of. */
    const plenty = new WeakMap<Job, ReadonlySet<number>>()
    const plentyIn = (job: Job, paths: ReadonlyArray<string>): boolean => {
      let much = plenty.get(job)
      if (much === undefined) plenty.set(job, (much = muchOf(job, table)))
      const languages = much
      return languages.size > 0 && paths.some((path) => languages.has(table.byPath(path)))
    }

    const ask = (lane: Lane, job: Job, piece: Piece): Effect.Effect<Outcome> =>
      Effect.async((resume) => {
        const { root, wantTrigrams } = job
        const paths = Array.from(piece.indices, (index) => job.paths[index]!)
        const factless = piece.culprit !== undefined
        const request = { id: ++lastId, root, paths, wantTrigrams, factless, plenty: plentyIn(job, paths) }
        lane.submit(request, (outcome) => resume(Effect.succeed(outcome)))
      })

    /** Reads a group, in pieces when some of its files do harm. */
    const read = (
      lane: Lane,
      job: Job,
      indices: Int32Array
    ): Effect.Effect<ReadonlyArray<Group>, PoolFailure> =>
      Effect.gen(function* () {
        const done: Array<Group> = []
        const todo: Array<Piece> = [{ indices, losses: 0 }]
        for (let piece = todo.pop(); piece !== undefined; piece = todo.pop()) {
          const outcome = yield* ask(lane, job, piece)
          if (outcome._tag === "Unavailable")
            return yield* new PoolFailure({ reason: outcome.reason, detail: outcome.detail })
          if (outcome._tag === "Read") done.push(groupOf(piece, outcome))
          else if (piece.culprit !== undefined) {
            // Lost as another file's neighbour: try again. Lost by its own doing: there is nothing more to try.
            if (outcome.suspect < 0 && piece.losses < maxLosses)
              todo.push({ ...piece, losses: piece.losses + 1 })
            else done.push(unread(job, table, piece))
          } else todo.push(...retried(piece, outcome))
        }
        return done
      })

    const run = (job: Job): Stream.Stream<GroupResult, PoolFailure> =>
      Stream.suspend(() => {
        let files = 0
        let failed = 0
        const kindOf = (path: string) => {
          const language = options.languages[table.byPath(path)]
          return language === undefined || language.family === "none" ? (language?.id ?? "") : language.family
        }
        const schedule = new Schedule(split(job, kindOf), size, shared)
        const own = (lane: Lane, thread: number) =>
          Stream.unfold(undefined, () =>
            Option.map(
              Option.fromNullable(schedule.next(thread)),
              ({ indices }) => [indices, undefined] as const
            )
          ).pipe(
            // Two a thread: one is read while the next one waits.
            Stream.flatMap((indices) => Stream.fromIterableEffect(read(lane, job, indices)), {
              concurrency: 2,
              bufferSize: 2
            })
          )
        return Stream.mergeAll(lanes.map(own), { concurrency: size, bufferSize: 2 }).pipe(
          Stream.map((group): GroupResult => {
            files += group.indices.length
            for (const status of group.columns.status) if (status === statusNumber.failed) failed++
            return { ...group, progress: { files, totalFiles: job.paths.length, failed } }
          })
        )
      })

    return {
      size,
      run,
      threads: Effect.sync(() => lanes.filter((lane) => lane.threadId !== undefined).length)
    }
  })

/** What to do with a group that was lost: the file at hand is tried alone (after a timeout, without facts), the others together. */
const retried = (
  { indices, losses }: Piece,
  lost: Outcome & { readonly _tag: "Lost" }
): ReadonlyArray<Piece> => {
  const { detail, reason, suspect } = lost
  if (suspect < 0 && losses < maxLosses) return [{ indices, losses: losses + 1 }]
  if (indices.length === 1) return [{ indices, losses: 0, culprit: { reason, detail } }]
  if (suspect < 0) return Array.from(indices, (index) => ({ indices: Int32Array.of(index), losses: 0 }))
  const alone: Piece = {
    indices: indices.slice(suspect, suspect + 1),
    losses: 0,
    ...(reason === "timeout" ? { culprit: { reason, detail } } : {})
  }
  return [{ indices: indices.filter((_, place) => place !== suspect), losses: 0 }, alone]
}

const groupOf = (
  { culprit, indices }: Piece,
  { group, views }: Outcome & { readonly _tag: "Read" }
): Group => {
  const { batch, columns, trigrams } = group
  let remarks: ReadonlyArray<Remark> = group.remarks
  // A culprit was read as mere text; what kept it from being more is what it is known for.
  if (culprit !== undefined && columns.status[0] === statusNumber.text) {
    columns.status[0] = statusNumber.failed
    columns.reason[0] = reasonNumber[culprit.reason]
    remarks = [[0, culprit.detail]]
  }
  return { indices, columns, views, batch, trigrams, remarks }
}

/** A file that could not be read even without its facts. Its stat is taken, so that it is not tried again until it changes. */
const unread = (job: Job, table: LanguageTable, { culprit, indices }: Piece): Group => {
  const columns = emptyColumns(1)
  const path = job.paths[indices[0]!]!
  columns.status[0] = statusNumber.failed
  columns.reason[0] = reasonNumber[culprit!.reason]
  columns.language[0] = table.byPath(path)
  try {
    noteStat(columns, 0, lstatSync(`${job.root}/${path}`))
  } catch {
    // Gone or out of reach: unknown, as the zeros say.
  }
  const none = () => new Int32Array(0)
  return {
    indices,
    columns,
    views: [undefined],
    batch: {
      ints: none(),
      text: new Uint8Array(0),
      strings: { bytes: new Uint8Array(0), ends: none() },
      at: Int32Array.of(-1),
      textAt: Int32Array.of(-1)
    },
    trigrams: job.wantTrigrams ? { buckets: new Uint32Array(0), ends: new Uint32Array(1) } : undefined,
    remarks: [[0, culprit!.detail]]
  }
}
