/**
 * Where a session takes more calls than its task needs: what was refused and then mended, what was read again and again,
 * what always follows each other. Kept for this machine's user, in counts of operations; what the calls were about stays
 * in the memory of the process, as digests, until the session ends.
 */
import * as Buckets from "./Buckets.ts"
import { discoveryFacade, localKeys, type Names, shortened, unknown } from "./Keys.ts"
import { Tally } from "./Tally.ts"

/** What is known of a call once it is over. */
export interface Ended {
  readonly session: string | undefined
  /** As the registry has it; `unknown` for what it does not have. */
  readonly facade: string
  readonly operation: string
  /** Undefined while it is not known. */
  readonly effect: string | undefined
  /** The failure's code; undefined for an answer. */
  readonly code: string | undefined
  /** Stage of the failure. */
  readonly stage: string | undefined
  /** Whether it answered with no rows. */
  readonly empty: boolean
  /** Whether something changed; undefined when that is not known. */
  readonly changed: boolean | undefined
  /** What tells the decoded call from others; undefined when it was not decoded. */
  readonly digest: () => string | undefined
  /** Bytes of the answer; asked of answers about tools. */
  readonly bytes?: () => number
  /** Bytes of the schema of the operation's input; undefined where there is none. */
  readonly contract?: () => number | undefined
  /** Whether the answer said something beside its result: of how fresh or complete it is, or how the input was understood. */
  readonly noted?: boolean
}

/** Stages at which a call is refused for how it is written. */
const early: ReadonlySet<string | undefined> = new Set(["decode", "admission"])
/** Codes of arguments that are wrong as they are written, whoever finds out. What is only not there was written well. */
export const misspelt: ReadonlySet<string> = new Set([
  "invalid_argument",
  "invalid_cursor",
  "invalid_pattern",
  "invalid_path",
  "invalid_glob"
])
/** Refusals that no other spelling of the call would mend. */
const notMended: ReadonlySet<string> = new Set([
  "approval_required",
  "approval_denied",
  "permission_denied",
  "operation_unavailable",
  "capability_unavailable",
  "overloaded"
])

/** Times something happens until it is a habit. */
const habit = 3
/** Operations that check a change. */
const verifying: ReadonlySet<string> = new Set(["change", "review"])
/** Tools that look at the server and what it keeps, not at code. */
const supporting: ReadonlySet<string> = new Set(["workspace", "response"])
/** Times its own schema that is too much to be told of tools before an operation is called. */
const excess = 8
/** Sessions, and things of one session, that are remembered. The oldest go first. */
const mostSessions = 500
const mostThings = 500

/** A map that forgets its oldest entries. */
class Recent<V> {
  readonly #map = new Map<string, V>()
  readonly #most: number
  constructor(most: number) {
    this.#most = most
  }
  get(key: string): V | undefined {
    return this.#map.get(key)
  }
  set(key: string, value: V): void {
    if (!this.#map.has(key) && this.#map.size >= this.#most) {
      const [oldest] = this.#map.keys()
      this.#map.delete(oldest!)
    }
    this.#map.set(key, value)
  }
  /** Takes an entry out; true when there was one. */
  delete(key: string): boolean {
    return this.#map.delete(key)
  }
  clear(): void {
    this.#map.clear()
  }
  get size(): number {
    return this.#map.size
  }
  values(): IterableIterator<V> {
    return this.#map.values()
  }
}

interface Session {
  calls: number
  useful: boolean
  /** Whether files were changed and not checked since. */
  unchecked: boolean
  /** Operations that were refused and not accepted since. */
  readonly rejected: Recent<true>
  /** Reads since the last change, and how often each was made. */
  readonly reads: Recent<number>
  /** Calls that failed, and whether something was read since. */
  readonly failed: Recent<{ read: boolean }>
  /** The last operations, the newest last. */
  readonly last: Array<string>
  /** Bytes of answers about tools since an operation was called. */
  discovered: number
  /** The last call that was about code, if it was answered, and whether that said something beside its result. */
  about: { readonly name: string; readonly noted: boolean } | undefined
  /** The look at the server that followed such an answer. */
  support: string | undefined
  /** Sequences of operations: how often each came, and the call its last one ended with. */
  readonly sequences: Recent<{ times: number; end: number }>
}

const newSession = (): Session => ({
  calls: 0,
  useful: false,
  unchecked: false,
  rejected: new Recent(mostThings),
  reads: new Recent(mostThings),
  failed: new Recent(mostThings),
  last: [],
  discovered: 0,
  about: undefined,
  support: undefined,
  sequences: new Recent(mostThings)
})

export class Ergonomics {
  readonly tally: Tally
  readonly #sessions = new Map<string, Session>()

  constructor(names?: Names) {
    this.tally = new Tally(localKeys, names)
  }

  /** Takes a call in. Calls without a session are nobody's habit. */
  observe(call: Ended): void {
    if (call.session === undefined) return
    const session = this.#session(call.session)
    const name = `${call.facade}.${call.operation}`
    session.calls++
    this.#rejections(session, call, name)
    this.#repeats(session, call, name)
    this.#sequences(session, name)
    this.#discovery(session, call, name)
    this.#support(session, call, name)
    this.#progress(session, call)
  }

  /** Ends a session, and counts what can only be told at its end. */
  close(id: string): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    this.#sessions.delete(id)
    if (session.unchecked) this.tally.add("verified_mutation", "no")
    if (!session.useful && session.calls > 0) this.tally.add("first_useful", "never")
  }

  /** Ends all sessions. */
  closeAll(): void {
    for (const id of this.#sessions.keys()) this.close(id)
  }

  /** Forgets everything without counting it. */
  clear(): void {
    this.#sessions.clear()
    this.tally.clear()
  }

  #session(id: string): Session {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    if (this.#sessions.size >= mostSessions) {
      const [oldest] = this.#sessions.keys()
      this.close(oldest!)
    }
    const made = newSession()
    this.#sessions.set(id, made)
    return made
  }

  #rejections(session: Session, { code, facade, operation, stage }: Ended, name: string): void {
    if (code !== undefined) {
      if (facade === unknown || notMended.has(code)) return
      if (!early.has(stage) && !misspelt.has(code)) return
      this.tally.add("rejection", shortened(name))
      session.rejected.set(name, true)
      return
    }
    // An operation nobody knows is mended by any of the tool's own.
    for (const mended of operation === unknown ? [name] : [name, `${facade}.${unknown}`])
      if (session.rejected.delete(mended)) this.tally.add("rejection_then_fix", shortened(mended))
  }

  #repeats(session: Session, call: Ended, name: string): void {
    const digest = call.digest()
    if (digest === undefined) return
    const failedBefore = session.failed.get(digest)
    if (failedBefore?.read === true) this.tally.add("reread_then_retry", shortened(name))
    if (call.code !== undefined) session.failed.set(digest, { read: false })
    else if (failedBefore !== undefined) session.failed.delete(digest)
    if (call.effect !== "read") {
      // What was read before may no longer be so.
      if (call.code === undefined && call.changed !== false) session.reads.clear()
      return
    }
    if (call.code !== undefined) return
    for (const failed of session.failed.values()) failed.read = true
    const times = (session.reads.get(digest) ?? 0) + 1
    session.reads.set(digest, times)
    if (times === habit) this.tally.add("reread_loop", shortened(name))
  }

  #sequences(session: Session, name: string): void {
    const { last, sequences } = session
    last.push(name)
    if (last.length > 3) last.shift()
    for (const length of [2, 3]) {
      if (last.length < length) continue
      const part = last.slice(-length)
      if (part.every((each) => each === part[0])) continue
      const key = part.join(">")
      const known = sequences.get(key) ?? { times: 0, end: -Infinity }
      // One that shares a call with the one before is the same once more, not another.
      if (session.calls - known.end < length) continue
      const times = known.times + 1
      sequences.set(key, { times, end: session.calls })
      if (times === habit) this.tally.add("repeated_sequence", key)
    }
  }

  #discovery(session: Session, { bytes, code, contract, facade }: Ended, name: string): void {
    // What was refused is chosen again.
    if (code !== undefined) return
    if (facade === discoveryFacade) {
      session.discovered += bytes?.() ?? 0
      return
    }
    const own = session.discovered === 0 ? undefined : contract?.()
    if (own !== undefined && session.discovered > excess * own)
      this.tally.add("discovery_excess", shortened(name))
    session.discovered = 0
  }

  #support(session: Session, { code, effect, facade, noted = false }: Ended, name: string): void {
    if (code === undefined && effect === "read" && supporting.has(facade)) {
      if (session.about?.noted === true) session.support ??= name
      return
    }
    if (session.support !== undefined && code === undefined && session.about?.name === name)
      this.tally.add("support_turn", shortened(session.support))
    session.support = undefined
    session.about = code === undefined && facade !== discoveryFacade ? { name, noted } : undefined
  }

  #progress(session: Session, { changed, code, effect, empty, facade }: Ended): void {
    const answered = code === undefined
    if (facade === "read") this.tally.add("direct_read", answered ? "success" : "failure")
    if (!answered) return
    if (!session.useful && !empty && facade !== discoveryFacade && effect !== "session_write") {
      session.useful = true
      this.tally.add("first_useful", Buckets.bucket(Buckets.calls, session.calls))
    }
    if (effect === "local_write" && changed !== false) session.unchecked = true
    else if (session.unchecked && verifying.has(facade)) {
      session.unchecked = false
      this.tally.add("verified_mutation", "yes")
    }
  }
}
