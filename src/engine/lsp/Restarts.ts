/** When a server that keeps dying may be started again. Times are milliseconds since 1970. */

/** `delays`: waits before the first, second, … restart. When as many restarts within `windowMillis` did not help, the breaker opens. */
export interface RestartPolicy {
  readonly delays: ReadonlyArray<number>
  readonly windowMillis: number
}

/** Restarts after 1, 4 and 15 s, and then a pause until five minutes have passed. */
export const defaultPolicy: RestartPolicy = {
  delays: [1000, 4000, 15_000],
  windowMillis: 5 * 60_000
}

/** What to do now: start, after `millis` (0 at once), or leave it alone for `millis`. */
export type Decision =
  | { readonly kind: "start"; readonly millis: number }
  | { readonly kind: "open"; readonly millis: number }

/** Failures still counted, oldest first. */
export const recent = (
  policy: RestartPolicy,
  failures: ReadonlyArray<number>,
  now: number
): ReadonlyArray<number> => failures.filter((at) => now - at < policy.windowMillis)

/** Decides by the times at which it failed, oldest first. */
export const decide = (policy: RestartPolicy, failures: ReadonlyArray<number>, now: number): Decision => {
  const counted = recent(policy, failures, now)
  const last = counted.at(-1)
  if (last === undefined) return { kind: "start", millis: 0 }
  const delay = policy.delays[counted.length - 1]
  if (delay === undefined) {
    // So many may still count that one more start is allowed.
    const oldest = counted[counted.length - 1 - policy.delays.length] ?? last
    return { kind: "open", millis: Math.max(0, oldest + policy.windowMillis - now) }
  }
  return { kind: "start", millis: Math.max(0, last + delay - now) }
}
