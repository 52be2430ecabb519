/**
 * Locks that exclude each other across fibres and across processes of one user: a file per locked key that names its
 * holder. A holder that is certainly gone is cleared away; one that cannot be judged is waited for.
 *
 * Clearing is the delicate part. A lock file carries a token of its own; the right to remove it belongs to whoever
 * creates `<lock>.<token>` first, and if that process dies too, to whoever creates the file named after *its* token, and
 * so on. The one with the right looks again whether the lock still carries the token before removing it, and no other
 * process may remove a lock with that token, so a fresh lock is never taken for the stale one.
 */
import { Clock, Effect, type Scope } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { join } from "node:path"
import type { Disk, DiskError } from "./Disk.ts"
import { decodeHolder, type Holder, isGone, thisProcess } from "./Holder.ts"
import { refuse, type EditRefused } from "../../services/EditRefused.ts"

/** How long a lock is waited for, in milliseconds. */
export const lockPatience = 10_000

interface Held extends Holder {
  readonly token: string
  readonly instance: unknown
}

const nameOf = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 40)

/** Tells this thread's locks from those of other threads and copies of this module in the same process. */
const instance = randomBytes(8).toString("hex")
/** Tokens of the locks this thread holds. */
const live = new Set<string>()

/** Whether a lock binds nobody any more: its process is gone, or this thread gave it up without being able to remove it. */
const isOver = (held: Held): boolean =>
  isGone(held) || (held.pid === process.pid && held.instance === instance && !live.has(held.token))

interface Ticket {
  readonly key: string
  readonly file: string
  token: string
}

export class Locks {
  /** Who waits in this process, first come first; the first one may hold the lock. */
  private readonly queues = new Map<string, Array<Ticket>>()

  constructor(
    private readonly disk: Disk,
    /** Absolute and existing. */
    private readonly directory: string
  ) {}

  /**
   * Takes all keys, in one order everywhere so that nobody waits in a circle, and gives them back with the scope.
   * Fails with `busy` when one is not free in time (milliseconds).
   */
  acquire(
    keys: ReadonlyArray<string>,
    patience: number = lockPatience
  ): Effect.Effect<void, EditRefused | DiskError, Scope.Scope> {
    return Effect.forEach(
      [...new Set(keys)].sort(),
      (key) => Effect.acquireRelease(this.take(key, patience), (ticket) => this.release(ticket)),
      { discard: true }
    )
  }

  /** Takes one key at once or tells that it is held. */
  tryAcquire(key: string): Effect.Effect<boolean, DiskError, Scope.Scope> {
    return this.acquire([key], 0).pipe(
      Effect.as(true),
      Effect.catchTag("EditRefused", () => Effect.succeed(false))
    )
  }

  /** Whether a key is held, by a process that lives or that cannot be judged. */
  isHeld(key: string): Effect.Effect<boolean, DiskError> {
    return Effect.gen(this, function* () {
      const file = join(this.directory, `${nameOf(key)}.lock`)
      const held = yield* this.holderOf(file)
      return held === null ? (yield* this.disk.entry(file)) !== null : !isOver(held)
    })
  }

  /** Runs uninterruptibly but for its pauses, so that a lock taken is always a lock handed over. */
  private take(key: string, patience: number): Effect.Effect<Ticket, EditRefused | DiskError> {
    return Effect.suspend(() => {
      const ticket: Ticket = { key, file: join(this.directory, `${nameOf(key)}.lock`), token: "" }
      const queue = this.queues.get(key) ?? []
      this.queues.set(key, queue)
      queue.push(ticket)
      return Effect.gen(this, function* () {
        const until = (yield* Clock.currentTimeMillis) + patience
        let pause = 2
        for (;;) {
          if (queue[0] === ticket && (yield* this.claim(ticket))) return ticket
          const now = yield* Clock.currentTimeMillis
          if (now >= until)
            return yield* refuse("busy", "another writer holds this file; try again", { stage: "execute" })
          yield* Effect.interruptible(Effect.sleep(Math.min(pause, until - now)))
          pause = Math.min(pause * 1.5, queue[0] === ticket ? 10 : 25)
        }
      }).pipe(Effect.onError(() => Effect.sync(() => this.leave(ticket))))
    })
  }

  private leave(ticket: Ticket): void {
    live.delete(ticket.token)
    const queue = this.queues.get(ticket.key)
    if (queue === undefined) return
    const at = queue.indexOf(ticket)
    if (at >= 0) queue.splice(at, 1)
    if (queue.length === 0) this.queues.delete(ticket.key)
  }

  /** Writes a file that names this process under a name that must be free. */
  private stake(file: string, token: string): Effect.Effect<boolean, DiskError> {
    const made = `${file}~${token}`
    return this.disk
      .create(made, Buffer.from(JSON.stringify({ ...thisProcess(), instance, token })), {
        mode: 0o600,
        durable: false
      })
      .pipe(
        Effect.zipRight(this.disk.link(made, file)),
        Effect.as(true),
        Effect.catchIf(
          // ENOENT: a sweep took the file for one left behind.
          ({ step, code }) => step === "link" && (code === "EEXIST" || code === "ENOENT"),
          () => Effect.succeed(false)
        ),
        Effect.ensuring(Effect.ignore(this.disk.unlink(made)))
      )
  }

  private holderOf(file: string): Effect.Effect<Held | null, DiskError> {
    return this.disk.read(file).pipe(
      Effect.map((bytes) => {
        try {
          const value: unknown = JSON.parse(bytes.toString("utf8"))
          const holder = decodeHolder(value)
          const token = (value as { readonly token?: unknown }).token
          return holder !== null && typeof token === "string" && /^[0-9a-f]{16}$/.test(token)
            ? { ...holder, token, instance: (value as { readonly instance?: unknown }).instance }
            : null
        } catch {
          return null
        }
      }),
      Effect.catchIf(
        ({ code }) => code === "ENOENT",
        () => Effect.succeed(null)
      )
    )
  }

  private claim(ticket: Ticket): Effect.Effect<boolean, DiskError> {
    const once = Effect.suspend(() => {
      const token = randomBytes(8).toString("hex")
      live.add(token)
      return this.stake(ticket.file, token).pipe(
        Effect.tap((mine) => Effect.sync(() => (mine ? (ticket.token = token) : live.delete(token)))),
        Effect.onError(() => Effect.sync(() => live.delete(token)))
      )
    })
    return Effect.gen(this, function* () {
      if (yield* once) return true
      const held = yield* this.holderOf(ticket.file)
      if (held === null || !isOver(held)) return false
      yield* this.clear(ticket.file, held)
      return yield* once
    })
  }

  private clear(file: string, stale: Held): Effect.Effect<void, DiskError> {
    const mine = randomBytes(8).toString("hex")
    live.add(mine)
    return Effect.gen(this, function* () {
      const rights: Array<string> = []
      for (let of = stale; ; ) {
        const right = `${file}.${of.token}`
        rights.push(right)
        if (yield* this.stake(right, mine)) break
        const other = yield* this.holderOf(right)
        // Somebody living is at it, or has just finished: look at the lock again later.
        if (other === null || !isOver(other)) return
        of = other
      }
      const now = yield* this.holderOf(file)
      if (now !== null && now.token === stale.token) yield* this.disk.unlink(file)
      for (const right of rights) yield* this.disk.unlink(right)
    }).pipe(Effect.ensuring(Effect.sync(() => live.delete(mine))), Effect.uninterruptible)
  }

  /** Removes what processes that are gone left in the directory. Locks of others, and those in doubt, stay. */
  sweep(): Effect.Effect<void, DiskError> {
    return Effect.gen(this, function* () {
      for (const name of yield* this.disk.list(this.directory)) {
        const [, lock, rest] = /^([0-9a-f]{40}\.lock)(?:[.~][0-9a-f]{16})*$/.test(name)
          ? /^([0-9a-f]{40}\.lock)(.*)$/.exec(name)!
          : []
        if (lock === undefined) continue
        const file = join(this.directory, name)
        const held = yield* this.holderOf(file)
        if (held === null && rest!.includes("~")) {
          // Cut off while being written; whoever is still at it tries again.
          yield* this.disk.unlink(file)
          continue
        }
        if (held === null || !isOver(held)) continue
        if (rest === "") yield* this.clear(file, held)
        else if (rest!.includes("~")) yield* this.disk.unlink(file)
        else {
          // A right to clear matters as long as the lock it speaks of may still be there.
          const at = yield* this.holderOf(join(this.directory, lock))
          if (at === null || !isOver(at)) yield* this.disk.unlink(file)
        }
      }
    })
  }

  private release(ticket: Ticket): Effect.Effect<void> {
    return this.disk
      .unlink(ticket.file)
      .pipe(Effect.ignore, Effect.zipRight(Effect.sync(() => this.leave(ticket))))
  }
}
