/** Channels a session can be told on, and the names under which a session keeps what it joined. */

/** What is told: that indexed files changed, and whether the index is there. */
export const channels = ["graph_invalidated", "workspace_readiness"] as const
export type Channel = (typeof channels)[number]

/** Set to true for a session whose connection takes notifications. */
export const listensName = "listens"

/** What a session joined, by channel. */
export interface Joined {
  readonly graph_invalidated?: {
    /** Changes of the index that the session knows of: those after them are told. */
    readonly seen: number
    /** Only changes of this file, or below this folder, are told; of all when absent. */
    readonly path_prefix?: string
  }
  readonly workspace_readiness?: Record<string, never>
}
export const joinedName = "joined"

/** What a session joined, out of its value. */
export const joinedOf = (value: unknown): Joined => (value ?? {}) as Joined

/** The method of a channel's notifications. */
export const methodOf = (channel: Channel): string => `notifications/${channel}`
