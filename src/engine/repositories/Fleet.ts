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
const standardBudget = 192 << 20

export interface Fleet {
  /** Opened at most once at a time; stays open for a while after. */
  readonly get: (root: string) => Effect.Effect<Opened, WorkspaceFailure>
  /** Gives it up at once. */
  readonly close: (root: string) => Effect.Effect<void>
  /** Roots that are open. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
  /** Has someone told of each root that is given up from now on. */
  readonly closed: (told: (root: string) => void) => void
  /** Gives up those that were not asked for the longest until what is left fits the budget. */
  readonly trim: Effect.Effect<void>
}

export const makeFleet = ({
  budget = standardBudget,
  idle = standardIdle,
  open
}: FleetOptions): Effect.Effect<Fleet, never, Scope.Scope> =>
  Effect.gen(function* () {
    const listeners: Array<(root: string) => void> = []
    const map = yield* RcMap.make({
      lookup: (root: string) =>
        Effect.zipLeft(
          open(root),
          Effect.addFinalizer(() =>
            Effect.sync(() => {
              sizes.delete(root)
              for (const told of listeners) told(root)
            })
          )
        ),
      idleTimeToLive: idle
    })
    /** What tells the bytes of each that is open, in the order in which they were asked for. */
    const sizes = new Map<string, () => number>()
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
              // A first index is stored some time after it was made.
              sizes.set(root, engine.storeBytes)
            })
          )
        ),
      close,
      open: RcMap.keys(map),
      closed: (told) => void listeners.push(told),
      trim: Effect.suspend(() => {
        const rest = [...sizes].map(([root, size]) => [root, size()] as const)
        let total = rest.reduce((n, [, size]) => n + size, 0)
        const leave: Array<string> = []
        while (total > budget && rest.length > 1) {
          const [root, size] = rest.shift()!
          total -= size
          leave.push(root)
        }
        return Effect.forEach(leave, close, { discard: true })
      })
    }
  })
