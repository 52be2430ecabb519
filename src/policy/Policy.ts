/**
 * What the settings come to. The user's own settings hold for every repository; a repository's settings arrive with its
 * contents, so they can only take away: narrow grants, ask more often, hide more. What would widen is left out and told.
 */
import type { EffectClass } from "../registry/EffectClass.ts"
import type { Operation } from "../registry/Operation.ts"
import { type AgentContext, type Config, type Http, type Peer, trustModes } from "./Config.ts"
import { type Denial, denial } from "./Grants.ts"
import { standardHttp } from "./HttpLimits.ts"
import type { Principal } from "./Principal.ts"

export type TrustMode = (typeof trustModes)[number]

/** Seconds a question to a person stands when no setting says otherwise. */
export const standardExpiry = 300

/** The classes a mode asks about. */
const asked: Record<TrustMode, ReadonlyArray<EffectClass>> = {
  inspect: ["local_write", "control_write", "external_write"],
  edit: ["control_write", "external_write"],
  trusted: []
}

/** Bytes and age of rows of the ledger that go into a segment when no setting says otherwise. */
export const standardSegment = { megabytes: 16, days: 90 } as const

const megabyte = 1_000_000
const day = 86_400_000

/** When rows of the ledger go into a segment, and when segments go. */
export interface LedgerRules {
  readonly segmentBytes: number
  readonly segmentMs: number
  /** Undefined: they stay, however old. */
  readonly retainMs: number | undefined
  /** Undefined: they stay, however many. */
  readonly retainBytes: number | undefined
}

export interface Settings {
  /** Of the user; for all repositories. */
  readonly user?: Config | undefined
  /** Of the repository that is served. */
  readonly repository?: Config | undefined
  /** Whether the user said that the repository's settings may widen as well. */
  readonly trusted?: boolean | undefined
  /** Which of them are written down and could not be understood. */
  readonly broken?: ReadonlyArray<"user" | "repository"> | undefined
}

export interface Policy {
  /** Why a principal may not have an operation run; undefined when it may. */
  readonly denial: (principal: Principal, operation: Operation.Any) => Denial | undefined
  /** Whether a person must agree before an operation runs for a principal. */
  readonly asks: (principal: Principal, operation: Operation.Any) => boolean
  readonly trustMode: TrustMode
  /** Milliseconds a question to a person stands. */
  readonly approvalMs: number
  /** Whether a principal's sessions begin in planning mode. */
  readonly startsPlanning: (principal: Principal) => boolean
  /** The surface an operator pins; undefined for none. */
  readonly tools: string | undefined
  /** Whether sessions that do not say otherwise ask it is settled for each. */
  readonly peers: ReadonlyArray<Peer & { readonly enabled: boolean }>
  readonly agentContext: AgentContext
  /** Whether the settings it would stand in could be understood. */
  readonly agentContextReadable: boolean
  /** How much an HTTP server works on at a time, as far as it is stated. */
  readonly http: Http
  /** Modules with operations of their own, and whose settings name them: what a path there is relative to. */
  readonly packs: ReadonlyArray<{ readonly module: string; readonly of: "user" | "repository" }>
  /** Globs of further files that nobody may read or write. */
  readonly secretPaths: ReadonlyArray<string>
  /** Whether the ledger has reads, too. */
  readonly recordsReads: boolean
  readonly ledger: LedgerRules
  /** Settings of the repository that were left out, as sentences for the operator. */
  readonly leftOut: ReadonlyArray<string>
}

/** The limits of the user, or lower ones of the repository. */
const lower = (user: Http = {}, repository: Http = {}): Http => {
  const limits: { -readonly [K in keyof Http]: number } = { ...user }
  for (const [key, limit] of Object.entries(repository) as ReadonlyArray<[keyof Http, number]>)
    limits[key] = Math.min(limit, limits[key] ?? standardHttp[key])
  return limits
}

const stricter = (left: TrustMode | undefined, right: TrustMode | undefined): TrustMode =>
  trustModes.find((mode) => mode === left || mode === right) ?? "trusted"

/** Puts settings together. */
export const make = ({ broken = [], repository, trusted = false, user }: Settings): Policy => {
  const grants = { user: user?.grants ?? {}, repository: repository?.grants ?? {} }
  const trustMode = stricter(user?.approvals?.mode, repository?.approvals?.mode)
  const seconds = [user, repository].flatMap((config) => config?.approvals?.expires_seconds ?? [])
  const widening: Array<string> = (["federation", "agent_context", "packs"] as const).filter(
    (key) => repository?.[key] !== undefined
  )
  if (repository?.audit?.retain !== undefined) widening.push("audit.retain")
  const own = trusted ? repository : undefined
  const segment = { ...standardSegment, ...repository?.audit?.segment, ...user?.audit?.segment }
  const retain = user?.audit?.retain ?? own?.audit?.retain
  return {
    denial: (principal, operation) => denial(grants, principal, operation),
    // Whoever sits at the command line is the person who would be asked.
    asks: (principal, operation) => principal.kind !== "cli" && asked[trustMode].includes(operation.effect),
    trustMode,
    approvalMs: 1000 * (seconds.length === 0 ? standardExpiry : Math.min(...seconds)),
    // A command is a session by itself: it would have no way out.
    startsPlanning: (principal) =>
      principal.kind !== "cli" && (user?.planning === true || repository?.planning === true),
    tools: user?.tools ?? repository?.tools,
    peers: [...(user?.federation?.peers ?? []), ...(own?.federation?.peers ?? [])].map((peer) => ({
      ...peer,
      enabled: peer.enabled ?? true
    })),
    agentContext: { ...user?.agent_context, ...own?.agent_context },
    http: trusted ? { ...user?.http, ...repository?.http } : lower(user?.http, repository?.http),
    agentContextReadable: !broken.includes("user") && !(trusted && broken.includes("repository")),
    packs: [
      ...(user?.packs ?? []).map((module) => ({ module, of: "user" as const })),
      ...(own?.packs ?? []).map((module) => ({ module, of: "repository" as const }))
    ],
    secretPaths: [...(user?.secrets?.paths ?? []), ...(repository?.secrets?.paths ?? [])],
    recordsReads: (user?.audit?.reads ?? true) || repository?.audit?.reads === true,
    ledger: {
      segmentBytes: segment.megabytes * megabyte,
      segmentMs: segment.days * day,
      retainMs: retain?.days === undefined ? undefined : retain.days * day,
      retainBytes: retain?.megabytes === undefined ? undefined : retain.megabytes * megabyte
    },
    leftOut: trusted
      ? []
      : widening.map(
          (key) =>
            `${key} of the repository's .effectrc is not followed, because it would widen what this server does; state it in your own settings, or set PORTICO_TRUST_WORKSPACE=1`
        )
  }
}
