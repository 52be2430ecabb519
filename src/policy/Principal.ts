/** Who calls, as the transport knows it. No argument of a call can say or change any of it. */

/** Kinds of callers. A kind is what grants are written for. */
export const principalKinds = ["agent", "ui", "federation", "cli"] as const
export type PrincipalKind = (typeof principalKinds)[number]

/** The ways into the house. */
export const doors = ["stdio", "mcp_http", "http", "agent_context", "cli", "federation"] as const
export type Door = (typeof doors)[number]

export interface Principal {
  readonly kind: PrincipalKind
  /** Stable for one caller across calls and restarts, such as `agent:stdio` or `ui:token-4f1c…`. Never a secret. */
  readonly id: string
  /**
   * Whether the transport knows more of the caller than that it reached this machine: it was started by the user, or it
   * showed a token. A caller who did not may read and nothing else.
   */
  readonly authenticated: boolean
}

/** The user's own hand at the command line. */
export const cli: Principal = { kind: "cli", id: "cli", authenticated: true }

/** The agent whose host started this process and holds the other end of its pipes. */
export const stdioAgent: Principal = { kind: "agent", id: "agent:stdio", authenticated: true }
