/** Publishes the writer of a root: commits that the index has seen before they are answered, and their receipts. */
import { Context, Duration, Effect } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import type { EditRefused } from "../../services/EditRefused.ts"
import { type Committed, LocalWriter, type Plan as WirePlan } from "../../services/LocalWriter.ts"
import type { Plan, PlanOptions } from "./Plan.ts"
import type { Receipt, Writer } from "./Writer.ts"

/** What the writer needs to know of where it stands. */
export interface Surroundings {
  /** Brings the index up to date with some files. */
  readonly refresh: (paths: ReadonlyArray<string>) => Effect.Effect<void, unknown>
  /** Whether anything was ever written with the writer's state directory. */
  readonly hasJournals: () => boolean
  /** Forgets an overlay branch of a session whose files are on disk now. */
  readonly spend: (session: string, branch: string) => Effect.Effect<void, unknown>
}

/** How long an answer waits for the index. */
const patience = Duration.seconds(3)
/** Receipts a process remembers. */
const mostRecent = 512
/** Milliseconds it does so. */
const recentMs = 30 * 60 * 1000

const boundless: NonNullable<PlanOptions["limits"]> = {
  edits: 1_000_000,
  files: 100_000,
  text: 64 << 20,
  write: 64 << 20,
  batch: 1 << 30
}

type Given = Parameters<Context.Tag.Service<typeof LocalWriter>["plan"]>[1]

export interface Writing {
  readonly services: Context.Context<LocalWriter>
  readonly receipt: (transactionId: string) => Effect.Effect<Committed | undefined, EditRefused>
  readonly receipts: Effect.Effect<ReadonlyArray<Committed>>
}

const pathsOf = (receipt: Receipt): ReadonlyArray<string> => [
  ...new Set(
    receipt.changes.flatMap(({ changed, destination, path }) =>
      !changed ? [] : destination === null ? [path] : [path, destination]
    )
  )
]

export const writing = (writer: Effect.Effect<Writer, EditRefused>, around: Surroundings): Writing => {
  const recent = new Map<string, Committed>()
  /** Calls whose transaction id is used up. */
  const spent = new WeakSet<object>()
  /** The id of a call's own transaction: of its first one only, since one id is one transaction. */
  const ownTransaction = Effect.map(CallInfo, (call) => {
    if (call.transaction === undefined || spent.has(call)) return undefined
    spent.add(call)
    return call.transaction
  })
  const remember = (committed: Committed): Committed => {
    recent.delete(committed.transactionId)
    recent.set(committed.transactionId, committed)
    for (const [id, { updatedAt }] of recent) {
      if (recent.size <= mostRecent && Date.now() - updatedAt < recentMs) break
      recent.delete(id)
    }
    return committed
  }
  /** Whether the index saw the files in time. What it did not see yet it sees with the next look at the graph. */
  const seen = (receipt: Receipt): Effect.Effect<Committed> => {
    const paths = pathsOf(receipt)
    return paths.length === 0 || receipt.replayed
      ? Effect.succeed({ ...receipt, graphStatus: "fresh" })
      : Effect.matchCause(Effect.timeoutOption(around.refresh(paths), patience), {
          onFailure: () => ({ ...receipt, graphStatus: "failed" as const }),
          onSuccess: ({ _tag }) => ({
            ...receipt,
            graphStatus: _tag === "Some" ? ("fresh" as const) : ("pending" as const)
          })
        })
  }
  const options = (given: Given = {}) =>
    Effect.map(
      CallInfo,
      ({ session }): PlanOptions => ({
        ...(session === undefined ? {} : { owner: session }),
        bulkGuard: "any",
        ...(given.allowParseErrors === undefined ? {} : { allowParseErrors: given.allowParseErrors }),
        ...(given.diff === undefined ? {} : { diff: given.diff }),
        ...(given.states === undefined ? {} : { states: given.states }),
        ...(given.sound === undefined ? {} : { sound: given.sound }),
        ...(given.unlimited === true ? { limits: boundless } : {})
      })
    )
  /** Open conflicts, those of earlier processes too. */
  const open: Effect.Effect<ReadonlyArray<Committed>> = Effect.suspend(() =>
    around.hasJournals()
      ? writer.pipe(
          Effect.flatMap(({ conflicts }) => conflicts),
          Effect.map((found) => found.map((one) => ({ ...one, graphStatus: "fresh" as const }))),
          Effect.orElseSucceed(() => [])
        )
      : Effect.succeed([])
  )
  const planned = (items: Plan["items"], given: Given) =>
    Effect.gen(function* () {
      const own = yield* writer
      return yield* own.plan(items, yield* options(given))
    })
  return {
    services: Context.make(LocalWriter, {
      plan: (items, given): Effect.Effect<WirePlan, EditRefused> => planned(items, given),
      replay: (transactionId, request) =>
        Effect.gen(function* () {
          const own = yield* writer
          const { session } = yield* CallInfo
          const found = yield* own.replay(transactionId, request, session)
          return found === null ? undefined : { ...found, graphStatus: "fresh" as const }
        }),
      commit: (items, given = {}) =>
        Effect.gen(function* () {
          const own = yield* writer
          const plan = yield* planned(items, given)
          const transactionId = given.transactionId ?? (yield* ownTransaction)
          const receipt = yield* own.commit(plan, {
            ...(transactionId === undefined ? {} : { transactionId }),
            ...(given.request === undefined ? {} : { request: given.request })
          })
          const { session } = yield* CallInfo
          if (given.spends !== undefined && session !== undefined)
            yield* Effect.ignore(around.spend(session, given.spends))
          return remember(yield* seen(receipt))
        }),
      resolve: (transactionId, as) =>
        Effect.gen(function* () {
          const own = yield* writer
          const receipt = yield* own.resolve(transactionId, as)
          yield* Effect.ignore(
            Effect.timeout(around.refresh(receipt.conflict?.files.map(({ path }) => path) ?? []), patience)
          )
          recent.delete(transactionId)
          return { ...receipt, graphStatus: "fresh" as const }
        })
    }),
    receipt: (transactionId) =>
      Effect.gen(function* () {
        const known = recent.get(transactionId)
        if (known !== undefined) return known
        const own = yield* writer
        const { transactionFor } = yield* CallInfo
        // Who lost an answer may know the edit by the request id of the call alone.
        const found =
          (yield* own.receipt(transactionId)) ??
          (transactionFor === undefined ? null : yield* own.receipt(transactionFor(transactionId)))
        return found === null ? undefined : { ...found, graphStatus: "fresh" as const }
      }),
    receipts: Effect.map(open, (conflicts) => [
      ...conflicts.filter(({ transactionId }) => !recent.has(transactionId)),
      ...[...recent.values()].reverse()
    ])
  }
}
