import { Context, type Effect } from "effect"

/** Another server, as settings name it. */
export interface PeerAddress {
  readonly name: string
  /** Its HTTP address, without a path. */
  readonly url: string
  /** Environment variable that holds the token for it. */
  readonly token_env?: string
}

/** A call of a tool, as it is sent. */
export interface PeerCall {
  readonly tool: string
  readonly arguments: { readonly [key: string]: unknown }
}

/**
 * How asking a server came out.
 *
 * `ok`: it answered. `refused`: it answered that it cannot or may not. `unauthorized`: it does not take the token.
 * `no_token`: there is none to show, and it was not asked. `timeout`: not within the time. `unreachable`: no connection.
 * `bad_answer`: something else than an answer. `resting`: not asked, because it failed repeatedly a short while ago.
 * `disabled`: not asked, because the session or the settings turn it off.
 */
export type PeerStatus =
  | "ok"
  | "refused"
  | "unauthorized"
  | "no_token"
  | "timeout"
  | "unreachable"
  | "bad_answer"
  | "resting"
  | "disabled"

export interface PeerReply {
  readonly name: string
  readonly status: PeerStatus
  /** Milliseconds it took. */
  readonly ms: number
  /** The answer; present exactly with `ok`. */
  readonly value?: { readonly [key: string]: unknown }
  /** Code of what it refused with, such as `symbol_not_found`. */
  readonly code?: string
  /** What is wrong, without a secret or an address in it. */
  readonly detail?: string
}

/** Other servers whose reads may be asked. Not a service of operations: no handler can reach another server. */
export class Peers extends Context.Tag("portico/Peers")<
  Peers,
  {
    /** Asks all of them at once. One reply each, in their order; nothing makes it fail, and it keeps to its budget. */
    readonly ask: (
      peers: ReadonlyArray<PeerAddress>,
      call: PeerCall
    ) => Effect.Effect<ReadonlyArray<PeerReply>>
  }
>() {}
