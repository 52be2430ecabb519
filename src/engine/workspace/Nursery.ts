/**
 * The part of V8's heap where objects begin, and how much may grow old beside it. The nursery grows to 32 MB while a
 * process starts and is hardly ever given back, though one that mostly waits is as fast with less. What little a call
 * leaves there is moved sooner by one thread than others are woken to help. What is old is not looked through before
 * there is twice as much of it as is in use, unless told otherwise.
 */
import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Bytes, both halves together, that it is not to exceed. */
const enough = 8 << 20
/** Milliseconds a process is given to start: what it makes then mostly stays, and is moved sooner by several threads. */
const startMs = 3_000
/** How much may become old before it is looked through, in percent of what is in use; 0 leaves that to V8. */
const older = 50

const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)
const clear = (how: "together" | "alone"): void =>
  setFlagsFromString(how === "alone" ? "--no-parallel-scavenge" : "--parallel-scavenge")
const age = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/** Looks through all of the heap, some 20 ms: only then V8 works out anew how much may become old. */
const collect = (): void => {
  setFlagsFromString("--expose-gc")
  try {
    const all = runInNewContext("gc") as () => void
    all()
  } finally {
    setFlagsFromString("--no-expose-gc")
  }
}

/** Where the launcher and this tell each other: compiled code is cached under the flags that every start has. */
const shared = globalThis as { [key: symbol]: unknown }
/** The factor that every start has. */
const usual = (shared[Symbol.for("portico.nursery.growth")] as number | undefined) ?? 2

let lifted = true
let started = false
/** Whether how much may become old was worked out under the limit. */
let reckoned = false
let starting: NodeJS.Timeout | undefined

/** Lets it, and that of every thread, grow and be cleared as V8 would. */
const lift = (): void => {
  lifted = true
  clear("together")
  age(0)
  grow(usual)
}

const settle = (): void => {
  clear("alone")
  age(older)
  if (reckoned) return
  reckoned = true
  collect()
}

/** Whether it would be too large once it grew. */
const isLargeEnough = (): boolean =>
  2 * (getHeapSpaceStatistics().find((s) => s.space_name === "new_space")?.space_size ?? 0) > enough

/** Told of each time it was cleared, while it grows again: that is when it grows, and a few times are enough for all of it. */
let growing: PerformanceObserver | undefined

const regrow = (): void => {
  grow(2)
  if (growing !== undefined) return
  growing = new PerformanceObserver(() => {
    if (!lifted && isLargeEnough()) stop()
  })
  growing.observe({ entryTypes: ["gc"] })
}

const stop = (): void => {
  grow(1)
  growing?.disconnect()
  growing = undefined
}

/** Lets it grow no further, once it is large enough. */
const limit = (): void => {
  lifted = false
  if (started) settle()
  if (isLargeEnough()) stop()
  // It is made smaller where little happened for long.
  else if (started) regrow()
}

/** Lets it grow no further, once it is large enough, while there is nothing yet that takes long to start. */
export const boundNursery = (): void => {
  shared[Symbol.for("portico.nursery")] = { lift, limit }
  limit()
}

/** Limits it from now on. To be called again after {@link liftNursery}, and to let it grow where it was made smaller. */
export const limitNursery = (): void => {
  starting ??= setTimeout(() => {
    started = true
    if (!lifted) settle()
  }, startMs).unref()
  boundNursery()
}

/** Lifts the limit for work that makes much. */
export const liftNursery = (): void => {
  reckoned = false
  lift()
}
