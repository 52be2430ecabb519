/**
 * The part of V8's heap where objects begin. It grows to 32 MB while a process starts and is hardly ever given back,
 * though one that mostly waits is as fast with less. What little a call leaves there is moved sooner by one thread than
 * others are woken to help.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Bytes, both halves together, from which on it grows no more. */
const enough = 8 << 20
/** Milliseconds a process is given to start: what it makes then mostly stays, and is moved sooner by several threads. */
const startMs = 3_000

const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)
/** How much of what was kept may come before the old are collected, in percent; 0 leaves it to V8, which waits for much more. */
const ripen = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)
const clear = (how: "together" | "alone"): void =>
  setFlagsFromString(how === "alone" ? "--no-parallel-scavenge" : "--parallel-scavenge")

/** Where the launcher and this tell each other: compiled code is cached under the flags that every start has. */
const shared = globalThis as { [key: symbol]: unknown }
/** The factor that every start has. */
const usual = (shared[Symbol.for("portico.nursery.growth")] as number | undefined) ?? 2

let lifted = true
let started = false
let starting: NodeJS.Timeout | undefined

/** Lets it, and that of every thread, grow and be cleared as V8 would. */
const lift = (): void => {
  lifted = true
  clear("together")
  ripen(0)
  grow(usual)
}

/** Lets it grow no further, once it is large enough. */
const limit = (): void => {
  lifted = false
  if (started) settle()
  const size = getHeapSpaceStatistics().find((s) => s.space_name === "new_space")?.space_size ?? 0
  if (size >= enough) grow(1)
  // It is made smaller where little happened for long.
  else if (started) grow(2)
}

const settle = (): void => {
  clear("alone")
  ripen(30)
}

/** Limits it from now on. To be called again after {@link liftNursery}, and when it was too small. */
export const limitNursery = (): void => {
  starting ??= setTimeout(() => {
    started = true
    if (!lifted) settle()
  }, startMs).unref()
  shared[Symbol.for("portico.nursery")] = { lift, limit }
  limit()
}

/** Lifts the limit for work that makes much. */
export const liftNursery = lift
