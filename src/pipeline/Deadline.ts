import { Clock, Effect, FiberId, Runtime } from "effect"
import { Progress, type Report } from "../registry/Progress.ts"

/** How long a call may take. */
export interface Limits {
  /** Milliseconds a call may go without a sign of progress. */
  readonly quietMs: number
  /** Milliseconds it may take in all. */
  readonly totalMs: number
}

/** A minute without a sign of progress, a quarter of an hour in all. */
export const standard: Limits = { quietMs: 60_000, totalMs: 15 * 60_000 }

/** Subscribes to reports of work that a call may be waiting for without doing it itself; answers how to end that. */
export type Elsewhere = (report: Report) => () => void

/**
 * Interrupts what takes too long and fails in its place. A call that reports progress is alive, so each report starts
 * the quiet time anew. The failure does not wait for the interruption to end.
 */
export const within = <A, E, R, E2>(
  self: Effect.Effect<A, E, R>,
  limits: Limits,
  late: (waitedMs: number) => E2,
  elsewhere: Elsewhere = () => () => {},
  /** Told that the work goes on although it was given up; answers how to tell that it has ended. */
  abandon: () => () => void = () => () => {}
): Effect.Effect<A, E | E2, R> =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const outer = yield* Progress
    let sign = started
    const report: Report = (done, total, message) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        sign = now
        return outer(done, total, message)
      })
    const watch: Effect.Effect<never, E2> = Effect.suspend(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const left = Math.min(sign + limits.quietMs, started + limits.totalMs) - now
        return left <= 0 ? Effect.fail(late(now - started)) : Effect.zipRight(Effect.sleep(left), watch)
      })
    )
    const runtime = yield* Effect.runtime<R>()
    // Every call comes by here, and a race of the library would fork and merge more than the two fibers this takes.
    return yield* Effect.async<A, E | E2>((resume) => {
      const run = Runtime.runFork(runtime)
      const end = elsewhere(report)
      const working = run(Effect.provideService(self, Progress, report))
      const watching = working.unsafePoll() === null ? run(watch) : undefined
      let over = false
      const finish = (stopped: typeof working | typeof watching): boolean => {
        if (over) return false
        over = true
        end()
        stopped?.unsafeInterruptAsFork(FiberId.none)
        return true
      }
      working.addObserver((exit) => {
        if (finish(watching)) resume(exit)
      })
      watching?.addObserver((exit) => {
        if (!finish(working)) return
        if (working.unsafePoll() === null) working.addObserver(abandon())
        resume(exit)
      })
      return Effect.sync(() => {
        if (finish(working)) watching?.unsafeInterruptAsFork(FiberId.none)
      })
    })
  })
