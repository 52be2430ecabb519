/**
 * The other repositories of a workspace, each opened when it is first asked for and given up when nobody has for a
 * while, or sooner when all of them together take too much memory.
 */
import { Duration, Effect, RcMap, type Scope } from "effect"
import type { WorkspaceFailure } from "../workspace/Workspace.ts"
import type { Opened } from "../workspace/layer.ts"

export interface FleetOptions {
  /** Opens the work tree at an absolute path. */
  readonly open: (root: string) => Effect.Effect<Opened, WorkspaceFailure, Scope.Scope>
  /** How long one is kept that nobody asks for. */
  readonly idle?: Duration.DurationInput
  /** Bytes of stored snapshots that may be open at a time; the one that was asked for last always may. */
  readonly budget?: number
}

const standardIdle = Duration.minutes(5)
const standardBudget = 256 << 20

export interface Fleet {
  /** Opened at most once at a time; stays open for a while after. */
  readonly get: (root: string) => Effect.Effect<Opened, WorkspaceFailure>
  /** Gives it up at once. */
  readonly close: (root: string) => Effect.Effect<void>
  /** Roots that are open. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
  /** Gives up those that were not asked for the longest until what is left fits the budget. */
  readonly trim: Effect.Effect<void>
}

export const makeFleet = ({
  budget = standardBudget,
  idle = standardIdle,
  open
}: FleetOptions): Effect.Effect<Fleet, never, Scope.Scope> =>
  Effect.gen(function* () {
    const map = yield* RcMap.make({ lookup: open, idleTimeToLive: idle })
    /** Bytes of each that is open, in the order in which they were asked for. */
    const sizes = new Map<string, number>()
    const close = (root: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        sizes.delete(root)
        return RcMap.invalidate(map, root)
      })
    return {
      get: (root) =>
        Effect.scoped(RcMap.get(map, root)).pipe(
          // What could not be opened may be there the next time.
          Effect.tapErrorCause(() => close(root)),
          Effect.tap(({ engine }) =>
            Effect.sync(() => {
              sizes.delete(root)
              sizes.set(root, engine.storeBytes())
            })
          )
        ),
      close,
      open: RcMap.keys(map),
      trim: Effect.suspend(() => {
        let total = 0
        for (const size of sizes.values()) total += size
        const leave: Array<string> = []
        const rest = [...sizes]
        while (total > budget && rest.length > 1) {
          const [root, size] = rest.shift()!
          total -= size
          leave.push(root)
        }
        return Effect.forEach(leave, close, { discard: true })
      })
    }
  })
