/**
 * What sessions are told without asking. While a session is on a channel, the work tree is looked at once a second, as it
 * is before an answer; what changed since the session joined, or was told last, is told once.
 */
import { type Channel, type Joined, methodOf } from "../registry/Channels.ts"
import { isWithin } from "../registry/Place.ts"
import type { IndexedChange, IndexFeed, IndexHealth } from "../services/WorkspaceView.ts"

/** A notification as the protocol has it. */
export interface Notice {
  readonly method: string
  readonly params: { readonly [name: string]: unknown }
}

/** Milliseconds between two looks. */
const everyMs = 1000
/** Milliseconds a look may take before the index counts as not there yet. */
const patienceMs = 250
/** Files that one notification names. */
const mostFiles = 200

export interface NoticeOptions {
  readonly joined: (session: string) => Joined
  /** Compares with the work tree first. */
  readonly feed: () => Promise<IndexFeed>
  readonly health: () => Promise<IndexHealth>
}

interface Listener {
  readonly notify: (notice: Notice) => void
  /** The membership that `seen` belongs to: a session that joins again begins anew. */
  of?: Joined["graph_invalidated"]
  /** Changes that were told or were there before. */
  seen: number
  /** What was told of readiness last; undefined for a session that is to hear what holds. */
  readiness?: string | undefined
}

/** Each file once, as it was changed last. */
const lastOf = (changes: ReadonlyArray<IndexedChange>): ReadonlyArray<IndexedChange> => [
  ...new Map(changes.map((change) => [change.path, change])).values()
]

export class Notices {
  readonly #options: NoticeOptions
  readonly #listeners = new Map<string, Listener>()
  #timer: NodeJS.Timeout | undefined
  #looking = false
  #again = false
  #ended = false
  /** The index as it was looked at last, and the number of changes it was made with. */
  #index: { readonly changes: number; readonly health: IndexHealth } | undefined

  constructor(options: NoticeOptions) {
    this.#options = options
  }

  open(session: string, notify: (notice: Notice) => void): void {
    this.#listeners.set(session, { notify, seen: 0 })
  }

  close(session: string): void {
    this.#listeners.delete(session)
  }

  end(): void {
    this.#ended = true
    this.#listeners.clear()
    clearTimeout(this.#timer)
  }

  /** Looks now, and goes on while somebody is on a channel. */
  look(): void {
    this.#again = this.#looking
    if (this.#looking || this.#ended) return
    clearTimeout(this.#timer)
    this.#looking = true
    void this.#tell().then((goOn) => {
      this.#looking = false
      if (this.#ended) return
      if (this.#again) this.look()
      else if (goOn) this.#timer = setTimeout(() => this.look(), everyMs).unref()
    })
  }

  /** Tells what there is to tell; answers whether anybody is on a channel. */
  async #tell(): Promise<boolean> {
    const on = this.#joined()
    if (on.length === 0) return false
    const waiting = setTimeout(() => {
      if (this.#index === undefined) this.#tellReadiness("indexing")
    }, patienceMs)
    try {
      const feed = await this.#options.feed()
      const changes = feed.forgotten + feed.changes.length
      if (this.#index?.changes !== changes) this.#index = { changes, health: await this.#options.health() }
      const { health } = this.#index
      for (const [joined, listener] of this.#joined()) this.#tellChanges(joined, listener, feed, health)
      const { indexed_files, listed_files, state, symbols } = health
      this.#tellReadiness(state, { listed_files, indexed_files, symbols })
    } catch {
      this.#index = undefined
      this.#tellReadiness("unavailable")
    } finally {
      clearTimeout(waiting)
    }
    return true
  }

  #joined(): ReadonlyArray<readonly [Joined, Listener]> {
    return [...this.#listeners].flatMap(([session, listener]) => {
      const joined = this.#options.joined(session)
      if (joined.workspace_readiness === undefined) listener.readiness = undefined
      return Object.keys(joined).length === 0 ? [] : [[joined, listener] as const]
    })
  }

  #tellReadiness(state: string, counts: Notice["params"] = {}): void {
    const said = JSON.stringify({ state, counts })
    for (const [joined, listener] of this.#joined()) {
      if (joined.workspace_readiness === undefined || listener.readiness === said) continue
      const replay = listener.readiness === undefined ? { initial_replay: true } : {}
      listener.readiness = said
      this.#send(listener, "workspace_readiness", {
        phase: state,
        ready: state === "ready",
        ...counts,
        ...replay
      })
    }
  }

  #tellChanges(
    { graph_invalidated: member }: Joined,
    listener: Listener,
    feed: IndexFeed,
    { edges, symbols }: IndexHealth
  ): void {
    if (member === undefined) return
    if (listener.of !== member) {
      listener.of = member
      listener.seen = member.seen
    }
    const lost = Math.max(0, feed.forgotten - listener.seen)
    const news = lastOf(feed.changes.slice(Math.max(0, listener.seen - feed.forgotten))).filter(({ path }) =>
      isWithin(path, member.path_prefix ?? "")
    )
    listener.seen = feed.forgotten + feed.changes.length
    if (news.length === 0 && lost === 0) return
    this.#send(listener, "graph_invalidated", {
      reason: "files_changed",
      node_count: symbols,
      edge_count: edges,
      files: news.slice(0, mostFiles).map(({ kind, path }) => ({ path, kind })),
      total: news.length,
      // Older changes that nobody can name any more.
      ...(lost === 0 ? {} : { unnamed_changes: lost })
    })
  }

  #send(listener: Listener, channel: Channel, params: Notice["params"]): void {
    listener.notify({ method: methodOf(channel), params: { ...params, ts: new Date().toISOString() } })
  }
}
