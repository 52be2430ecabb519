/** Something that changes now and then, and can be waited for until it is at rest. */
import { Effect } from "effect"

export interface Signal {
  /** Says that something changed. */
  readonly fire: () => void
  /**
   * Waits until `when` has held for `quietMillis` without a change. True then, false when `maxMillis` passed first.
   * `quietMillis` 0 returns as soon as `when` holds.
   */
  readonly settled: (options: {
    readonly when: () => boolean
    readonly quietMillis: number
    readonly maxMillis: number
  }) => Effect.Effect<boolean>
}

export const make = (): Signal => {
  const listeners = new Set<() => void>()
  return {
    fire: () => {
      for (const listener of listeners) listener()
    },
    settled: ({ when, quietMillis, maxMillis }) =>
      Effect.async<boolean>((resume) => {
        let quiet: NodeJS.Timeout | undefined
        const end = (answer: boolean): void => {
          clearTimeout(quiet)
          clearTimeout(limit)
          listeners.delete(look)
          resume(Effect.succeed(answer))
        }
        const look = (): void => {
          clearTimeout(quiet)
          quiet = undefined
          if (!when()) return
          if (quietMillis === 0) end(true)
          else quiet = setTimeout(() => end(true), quietMillis)
        }
        const limit = setTimeout(() => end(false), maxMillis)
        listeners.add(look)
        look()
        return Effect.sync(() => {
          clearTimeout(quiet)
          clearTimeout(limit)
          listeners.delete(look)
        })
      })
  }
}
