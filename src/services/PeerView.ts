import { Context, type Effect } from "effect"

/** Another server, as settings name it. */
export interface NamedPeer {
  readonly name: string
  /** Whether sessions that do not say otherwise ask it. */
  readonly enabled: boolean
}

/** The other servers that settings name, as they are now. Reaching one is no part of it. */
export class PeerView extends Context.Tag("portico/PeerView")<
  PeerView,
  {
    /** In the order of the settings; empty when they name none. */
    readonly peers: Effect.Effect<ReadonlyArray<NamedPeer>>
  }
>() {}
