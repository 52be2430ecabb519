import { Clock, Context, DefaultServices, Duration, Effect, FiberId, Runtime } from "effect"
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

/** Calls back once, when so many milliseconds have gone by; answers how to have that stopped. */
type Wake = (ms: number, then: () => void) => () => void

/** The machine's clock is waited for without a fiber of its own: every call comes by here. */
const byMachine: Wake = (ms, then) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}
const byClock =
  (clock: Clock.Clock): Wake =>
  (ms, then) => {
    const asleep = Effect.runFork(clock.sleep(Duration.millis(ms)))
    asleep.addObserver((exit) => {
      if (exit._tag === "Success") then()
    })
    return () => asleep.unsafeInterruptAsFork(FiberId.none)
  }
const machine = Context.get(DefaultServices.liveServices, Clock.Clock)

/** What else goes on around work that has a deadline. */
export interface Around {
  /**
   * Told when the work begins, and how signs of progress are given for it from elsewhere; answers what to call once, when
   * nobody waits for it any longer.
   */
  readonly during?: (report: Report) => () => void
  /** Told that the work goes on although it was given up; answers how to tell that it has ended. */
  readonly abandon?: () => () => void
  /** Services for the work, before those of its caller. */
  readonly services?: Context.Context<never>
}

const nobody = () => {}

/**
 * Interrupts what takes too long and fails in its place. A call that reports progress is alive, so each report starts
 * the quiet time anew. The failure does not wait for the interruption to end.
 */
export const within = <A, E, R, E2>(
  self: Effect.Effect<A, E, R>,
  limits: Limits,
  late: (waitedMs: number) => E2,
  { abandon, during, services = Context.empty() }: Around = {}
): Effect.Effect<A, E | E2, R> =>
  Effect.withFiberRuntime<A, E | E2, R>((fiber, { runtimeFlags }) => {
    const outerContext = fiber.currentContext
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const wake = clock === machine ? byMachine : byClock(clock)
    const now = () => clock.unsafeCurrentTimeMillis()
    const started = now()
    const outer = Context.get(outerContext, Progress)
    let sign = started
    const report: Report = (done, total, message) =>
      Effect.suspend(() => {
        sign = now()
        return outer(done, total, message)
      })
    // There are many services around a call, and each merging copies all of its first ones.
    const context = Context.merge(outerContext, Context.add(services, Progress, report)) as Context.Context<R>
    const runtime = Runtime.make({ context, runtimeFlags, fiberRefs: fiber.getFiberRefs() })
    // A race of the library would fork and merge more than the one fiber this takes.
    return Effect.async<A, E | E2>((resume) => {
      const end = during?.(report) ?? nobody
      const working = Runtime.runFork(runtime)(self)
      let over = false
      let calm = nobody
      const finish = (): boolean => {
        if (over) return false
        over = true
        end()
        calm()
        return true
      }
      const watch = (): void => {
        const left = Math.min(sign + limits.quietMs, started + limits.totalMs) - now()
        if (left > 0) {
          calm = wake(left, watch)
          return
        }
        if (!finish()) return
        working.unsafeInterruptAsFork(FiberId.none)
        if (abandon !== undefined && working.unsafePoll() === null) working.addObserver(abandon())
        resume(Effect.fail(late(now() - started)))
      }
      working.addObserver((exit) => {
        if (finish()) resume(exit)
      })
      if (!over) watch()
      return Effect.sync(() => {
        if (finish()) working.unsafeInterruptAsFork(FiberId.none)
      })
    })
  })
