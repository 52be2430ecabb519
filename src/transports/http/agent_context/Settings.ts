/** What the agent context shows and grants, and whether the settings that say so can be followed. */
import type { Policy } from "../../../policy/Policy.ts"

/** What there is to show. */
export const scopes = ["repositories", "symbols", "memories", "notebooks", "docs"] as const
export type Scope = (typeof scopes)[number]

export const profiles = ["metadata", "summary"] as const
export type Profile = (typeof profiles)[number]

/** Bounds of every answer. Characters are UTF-16 units of its JSON; a token is taken to be four of them. */
export const limits = {
  defaultResults: 10,
  maxResults: 25,
  maxSummaryChars: 320,
  maxResponseChars: 20_000,
  maxApproxTokens: 5000,
  maxSourceItems: 1000
} as const

/** What is never shown here, whatever the settings say. */
export const exclusions: ReadonlyArray<string> = [
  "contents of source files and of files kept secret",
  "tokens, the settings of the server and its environment",
  "paths outside the served repositories",
  "the audit ledger, approvals and telemetry",
  "sessions, overlays and calls of other clients"
]

export interface Settings {
  readonly enabled: boolean
  /** Whether what is written down can be followed; when not, nothing is enabled. */
  readonly valid: boolean
  readonly profile: Profile
  readonly scopes: ReadonlyArray<Scope>
  /** Grants as they are written down, followed or not. */
  readonly actions: { readonly readPortos: boolean; readonly writePortos: boolean }
}

const standardScopes: ReadonlyArray<Scope> = ["repositories", "symbols"]

/** The settings of a policy. */
export const settingsOf = ({ agentContext, agentContextReadable }: Policy): Settings => {
  const { actions, enabled = false, profile = "metadata", scopes: named = standardScopes } = agentContext
  const valid =
    agentContextReadable &&
    named.length > 0 &&
    new Set(named).size === named.length &&
    named.every((scope) => scopes.includes(scope))
  return {
    enabled: valid && enabled,
    valid,
    profile: valid ? profile : "metadata",
    scopes: valid ? named : standardScopes,
    actions: { readPortos: actions?.read === true, writePortos: actions?.write === true }
  }
}
