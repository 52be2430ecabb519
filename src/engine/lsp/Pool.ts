/** Running servers: one process for each server and folder, started when asked for, and not kept longer than useful. */
import { Deferred, Effect, Exit, Scope } from "effect"
import { totalmem } from "node:os"
import type { Root } from "../files/Confine.ts"
import type { Found } from "./Discovery.ts"
import { Documents, type View } from "./Documents.ts"
import { type BadQuestion, BreakerOpen, type CallFailure, ServerGone } from "./LspFailure.ts"
import { groupMemory } from "./Memory.ts"
import { Readiness } from "./Readiness.ts"
import { decide, defaultPolicy, recent, type RestartPolicy } from "./Restarts.ts"
import { type Server, start } from "./Server.ts"
import { ViewLock } from "./ViewLock.ts"

/** A running server with what belongs to its process. */
export interface Running {
  readonly server: Server
  readonly documents: Documents
  readonly found: Found
  /** Whether it has answered a question of the kind that needs the whole project. */
  readonly warmed: () => boolean
  readonly warm: () => void
  /**
   * Runs a question while the server sees a view, with these paths open and its project read, and the projects of the
   * files in `across`. The question is told whether the server has finished reading.
   */
  readonly seeing: <A, E, R>(
    view: View,
    needed: ReadonlyArray<string>,
    body: (settled: boolean) => Effect.Effect<A, E, R>,
    across?: ReadonlyArray<string>
  ) => Effect.Effect<A, E | BadQuestion | CallFailure, R>
}

/** What one entry of the pool is doing. */
export interface PoolStatus {
  readonly id: string
  /** Absolute folder. */
  readonly root: string
  readonly state: "stopped" | "starting" | "running" | "failing" | "broken"
  readonly server: Server | undefined
  readonly memory: number | undefined
  readonly starts: number
  /** Its latest failure in words. */
  readonly last: string | undefined
}

/** Limits of a pool. */
export interface PoolOptions {
  /** The workspace's root. */
  readonly root: Root
  readonly restarts?: RestartPolicy
  /** Milliseconds between looks at memory and idleness. Default 5000. */
  readonly everyMillis?: number
  /** Bytes for all servers together. Default 40 % of the machine's memory. */
  readonly budgetBytes?: number
  /** Instead of the rows' own. */
  readonly idleMillis?: number
  readonly initializeMillis?: number
  /** Longest wait for a server to have read its project, in milliseconds. Default: as long as its rule says. */
  readonly settleMillis?: number
}

export type StartFailure = CallFailure | BreakerOpen

/** See the module's comment. */
export interface Pool {
  /** Runs something with the server of a folder, which is started if need be and stays while it runs. */
  readonly use: <A, E, R>(
    found: Found,
    root: string,
    body: (running: Running) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StartFailure, R>
  /** Runs something with each server that is running now; none is started. */
  readonly each: (body: (running: Running) => Effect.Effect<void>) => Effect.Effect<void>
  readonly status: Effect.Effect<ReadonlyArray<PoolStatus>>
  /** Stops a folder's server if nobody uses it. True when one was stopped. */
  readonly stop: (id: string, root: string) => Effect.Effect<boolean>
}

interface Live extends Running {
  readonly scope: Scope.CloseableScope
}

interface Entry {
  readonly id: string
  readonly root: string
  live: Live | undefined
  starting: Deferred.Deferred<Live, StartFailure> | undefined
  failures: ReadonlyArray<number>
  last: string | undefined
  starts: number
  users: number
  lastUsed: number
  memory: number | undefined
  softBytes: number | undefined
  hardBytes: number
  idleMillis: number
}

/** A pool whose servers are gone when its scope is closed. */
export const make = (options: PoolOptions): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const policy = options.restarts ?? defaultPolicy
    const budget = options.budgetBytes ?? totalmem() * 0.4
    const entries = new Map<string, Entry>()
    const scope = yield* Effect.scope

    const close = (live: Live): Effect.Effect<void> => Scope.close(live.scope, Exit.void)

    const retire = (entry: Entry): Effect.Effect<void> =>
      Effect.suspend(() => {
        const { live } = entry
        if (live === undefined) return Effect.void
        entry.live = undefined
        entry.memory = undefined
        return Effect.asVoid(Effect.forkIn(Effect.uninterruptible(close(live)), scope))
      })

    const failed = (entry: Entry, message: string): void => {
      const now = Date.now()
      entry.failures = [...recent(policy, entry.failures, now), now]
      entry.last = message
    }

    const running = (found: Found, server: Server, own: Scope.CloseableScope): Live => {
      const documents = new Documents(server, found.row, options.root)
      const readiness = new Readiness(server, found.row.readiness)
      const lock = new ViewLock()
      let warmed = false
      return {
        server,
        documents,
        found,
        scope: own,
        warmed: () => warmed,
        warm: () => {
          warmed = true
        },
        seeing: (view, needed, body, across) =>
          lock.with(
            view.key,
            Effect.gen(function* () {
              yield* documents.show(view, needed, lock.readers === 1)
              if (across !== undefined) yield* documents.spread(across)
              return yield* body(yield* readiness.wait(options.settleMillis))
            })
          )
      }
    }

    /** Starts a server in a scope of its own, which is closed again if that fails or is interrupted. */
    const launch = (entry: Entry, found: Found): Effect.Effect<Live, StartFailure> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const own = yield* Scope.make()
          entry.starts++
          const server = yield* restore(
            start({
              id: found.row.id,
              root: entry.root,
              launch: found.launch,
              initializationOptions: found.initOptions,
              settings: found.settings,
              ...(options.initializeMillis === undefined
                ? {}
                : { initializeMillis: options.initializeMillis })
            }).pipe(Scope.extend(own))
          ).pipe(Effect.onError(() => Scope.close(own, Exit.void)))
          // From here on the pool's own finalizer sees it.
          const live = running(found, server, own)
          entry.live = live
          entry.lastUsed = Date.now()
          return live
        })
      )

    const bringUp = (entry: Entry, found: Found): Effect.Effect<Live, StartFailure> =>
      Effect.gen(function* () {
        const decision = decide(policy, entry.failures, Date.now())
        if (decision.kind === "open")
          return yield* new BreakerOpen({
            server: entry.id,
            failures: entry.failures.length,
            retryMillis: decision.millis,
            last: entry.last ?? "unknown"
          })
        if (decision.millis > 0) yield* Effect.sleep(decision.millis)
        const live = yield* Effect.tapError(launch(entry, found), (cause) =>
          Effect.sync(() => failed(entry, cause.message))
        )
        yield* live.server.gone.pipe(
          Effect.flatMap((cause) =>
            Effect.suspend(() => {
              if (entry.live !== live) return Effect.void
              failed(entry, cause.message)
              return retire(entry)
            })
          ),
          Effect.forkIn(live.scope)
        )
        return live
      })

    const acquire = (entry: Entry, found: Found): Effect.Effect<Live, StartFailure> =>
      Effect.gen(function* () {
        const { live } = entry
        if (live !== undefined) {
          const cause = live.server.goneWith()
          if (cause === undefined) return live
          failed(entry, cause.message)
          yield* retire(entry)
        }
        if (entry.starting !== undefined) return yield* Deferred.await(entry.starting)
        const starting = yield* Deferred.make<Live, StartFailure>()
        entry.starting = starting
        // Started for all who wait: the first who gives up does not end it.
        yield* bringUp(entry, found).pipe(
          Effect.onExit((exit) =>
            Effect.suspend(() => {
              entry.starting = undefined
              return Exit.isFailure(exit) && Exit.isInterrupted(exit)
                ? Deferred.fail(
                    starting,
                    new ServerGone({
                      server: entry.id,
                      phase: "start",
                      reason: "the pool was closed",
                      exitCode: null,
                      stderrTail: ""
                    })
                  )
                : Deferred.done(starting, exit)
            })
          ),
          Effect.forkIn(scope)
        )
        return yield* Deferred.await(starting)
      })

    const entryOf = (found: Found, root: string): Entry => {
      const { id, memory, idleMillis } = found.row
      const key = `${id}\0${root}`
      let entry = entries.get(key)
      if (entry === undefined) {
        entry = {
          id,
          root,
          live: undefined,
          starting: undefined,
          failures: [],
          last: undefined,
          starts: 0,
          users: 0,
          lastUsed: Date.now(),
          memory: undefined,
          softBytes: memory.softBytes,
          hardBytes: memory.hardBytes,
          idleMillis: options.idleMillis ?? idleMillis
        }
        entries.set(key, entry)
      }
      return entry
    }

    const look = Effect.gen(function* () {
      const lives = [...entries.values()].filter((entry) => entry.live !== undefined)
      if (lives.length === 0) return
      const memory = yield* groupMemory(
        new Set(lives.flatMap((e) => (e.live === undefined ? [] : [e.live.server.pid])))
      )
      let total = 0
      for (const entry of lives) {
        const { live } = entry
        if (live === undefined) continue
        entry.memory = memory.get(live.server.pid)
        total += entry.memory ?? 0
        if (entry.memory !== undefined && entry.memory > entry.hardBytes)
          yield* Effect.forkIn(
            live.server.kill(
              `it used ${Math.round(entry.memory / 2 ** 20)} MiB, more than ${Math.round(entry.hardBytes / 2 ** 20)}`
            ),
            scope
          )
        else if (
          entry.users === 0 &&
          (Date.now() - entry.lastUsed > entry.idleMillis ||
            (entry.softBytes !== undefined && entry.memory !== undefined && entry.memory > entry.softBytes))
        ) {
          total -= entry.memory ?? 0
          yield* retire(entry)
        }
      }
      const idle = lives
        .filter((entry) => entry.live !== undefined && entry.users === 0)
        .sort((a, b) => a.lastUsed - b.lastUsed)
      for (const entry of idle) {
        if (total <= budget) break
        total -= entry.memory ?? 0
        yield* retire(entry)
      }
    })

    // Closing the pool ends its servers side by side: each may take its time to leave.
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        const lives = [...entries.values()].flatMap((entry) => (entry.live === undefined ? [] : [entry.live]))
        for (const entry of entries.values()) entry.live = undefined
        return Effect.forEach(lives, close, { concurrency: "unbounded", discard: true })
      })
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(look, options.everyMillis ?? 5000)))

    const stateOf = (entry: Entry): PoolStatus["state"] => {
      if (entry.live !== undefined) return "running"
      const decision = decide(policy, entry.failures, Date.now())
      if (decision.kind === "open") return "broken"
      if (entry.failures.length > 0 && recent(policy, entry.failures, Date.now()).length > 0) return "failing"
      return entry.starting !== undefined ? "starting" : "stopped"
    }

    return {
      use: (found, root, body) =>
        Effect.suspend(() => {
          const entry = entryOf(found, root)
          return Effect.acquireUseRelease(
            Effect.sync(() => void entry.users++),
            () => Effect.flatMap(acquire(entry, found), body),
            () =>
              Effect.sync(() => {
                entry.users--
                entry.lastUsed = Date.now()
              })
          )
        }),
      each: (body) =>
        Effect.suspend(() =>
          Effect.forEach(
            [...entries.values()].flatMap((entry) => (entry.live === undefined ? [] : [entry.live])),
            body,
            { discard: true }
          )
        ),
      status: Effect.sync(() =>
        [...entries.values()].map((entry) => ({
          id: entry.id,
          root: entry.root,
          state: stateOf(entry),
          server: entry.live?.server,
          memory: entry.memory,
          starts: entry.starts,
          last: entry.last
        }))
      ),
      stop: (id, root) =>
        Effect.suspend(() => {
          const entry = entries.get(`${id}\0${root}`)
          if (entry?.live === undefined || entry.users > 0) return Effect.succeed(false)
          return Effect.as(retire(entry), true)
        })
    }
  })
