/** Agents that work side by side in one server, and the paths they say they hold. */
import { Clock, Effect, Either } from "effect"
import { invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { isWithin } from "../../registry/Place.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { sessionId } from "../shared/session.ts"
import { session } from "./facade.ts"
import { rekeep } from "./Kept.ts"
import { placeOf } from "./Place.ts"

const agentsName = "agents"
/** An agent that was not heard of for so many milliseconds is gone, and what it held is free. */
const lifeMs = 120_000
/** Agents that one session may have, paths that one agent may hold, and characters of a text. */
const mostAgents = 32
const mostPaths = 256
const mostText = 256

interface Agent {
  readonly id: string
  readonly name: string | undefined
  readonly cursor: string | undefined
  readonly status: string | undefined
  /** Relative to the repository, each once, in order. */
  readonly paths: ReadonlyArray<string>
  /** Milliseconds since the epoch. */
  readonly seen: number
}

const alive = (now: number, value: unknown): ReadonlyArray<Agent> =>
  ((value ?? []) as ReadonlyArray<Agent>).filter(({ seen }) => now - seen < lifeMs)

const rowOf = (agent: Agent, mine: boolean) => ({
  id: agent.id,
  ...(agent.name === undefined ? {} : { name: agent.name }),
  ...(agent.cursor === undefined ? {} : { cursor: agent.cursor }),
  ...(agent.status === undefined ? {} : { status: agent.status }),
  locked_paths: agent.paths,
  last_seen: new Date(agent.seen).toISOString(),
  mine
})

const holds = (held: string, path: string): boolean => held === "." || isWithin(path, held)
const meet = (left: string, right: string): boolean => holds(left, right) || holds(right, left)

const actions = ["list", "register", "heartbeat", "lock", "unlock", "unregister"] as const
type Action = (typeof actions)[number]

/** Arguments that an action takes besides the id. */
const taken: { readonly [A in Action]: ReadonlyArray<"name" | "cursor" | "status" | "paths"> } = {
  list: ["name"],
  register: ["name", "cursor", "status"],
  heartbeat: ["name", "cursor", "status"],
  lock: ["paths"],
  unlock: ["paths"],
  unregister: []
}

interface Wanted {
  readonly action: Action
  readonly id: string
  readonly name?: string | undefined
  readonly cursor?: string | undefined
  readonly status?: string | undefined
  readonly paths?: ReadonlyArray<string> | undefined
}

const refuse = (field: string, message: string, reason: string) =>
  Either.left(invalidArgument(`arguments.${field}`, message, { reason_code: reason }))

/** What an action answers: `list` agents, `register` and `heartbeat` the agent, the others what became of it or its paths. */
interface Answer {
  readonly agents?: ReadonlyArray<ReturnType<typeof rowOf>>
  readonly total?: number
  readonly agent?: ReturnType<typeof rowOf>
  readonly id?: string
  readonly removed?: boolean
  readonly locked?: ReadonlyArray<string>
  readonly conflicts?: ReadonlyArray<{
    readonly path: string
    readonly held_by: string
    readonly holds: string
  }>
  readonly unlocked?: ReadonlyArray<string>
  readonly not_held?: ReadonlyArray<string>
  readonly locked_paths?: ReadonlyArray<string>
}

/** What an action answers, and the session's agents after it. */
const settle = (
  wanted: Wanted,
  now: number,
  own: ReadonlyArray<Agent>,
  others: ReadonlyArray<Agent>
): Either.Either<readonly [answer: Answer, own: ReadonlyArray<Agent>], OperationFailure> => {
  const { action, id } = wanted
  if (action === "list") {
    const rows = [...own.map((agent) => rowOf(agent, true)), ...others.map((agent) => rowOf(agent, false))]
    const shown = rows.filter(({ name }) => wanted.name === undefined || name?.includes(wanted.name) === true)
    return Either.right([{ agents: shown, total: shown.length }, own])
  }
  if (others.some((agent) => agent.id === id))
    return refuse("id", `${JSON.stringify(id)} is an agent of another session`, "agent_of_another_session")
  const before = own.find((agent) => agent.id === id)
  const rest = own.filter((agent) => agent.id !== id)
  if (action === "unregister") return Either.right([{ id, removed: before !== undefined }, rest])
  if (before === undefined && action !== "register")
    return Either.left(
      invalidArgument(
        "arguments.id",
        `no agent ${JSON.stringify(id)} is registered, or it was not heard of for ${lifeMs / 1000} s`,
        {
          reason_code: "agent_unknown",
          recovery: draft("fallback_recovery", "session", {
            operation: "agents",
            arguments: { action: "register", id }
          })
        }
      )
    )
  if (before === undefined && own.length >= mostAgents)
    return refuse("id", `a session has at most ${mostAgents} agents`, "too_many_agents")
  const agent: Agent = {
    id,
    name: wanted.name ?? before?.name,
    cursor: wanted.cursor ?? before?.cursor,
    status: wanted.status ?? before?.status,
    paths: before?.paths ?? [],
    seen: now
  }
  if (action === "register" || action === "heartbeat")
    return Either.right([{ agent: rowOf(agent, true) }, [...rest, agent]])
  const paths = wanted.paths ?? agent.paths
  if (action === "unlock") {
    const left = agent.paths.filter((path) => !paths.includes(path))
    const unlocked = paths.filter((path) => agent.paths.includes(path))
    const notHeld = paths.filter((path) => !agent.paths.includes(path))
    return Either.right([
      { id, unlocked, ...(notHeld.length === 0 ? {} : { not_held: notHeld }), locked_paths: left },
      [...rest, { ...agent, paths: left }]
    ])
  }
  const conflicts = paths.flatMap((path) =>
    [...rest, ...others].flatMap((other) =>
      other.paths.filter((held) => meet(held, path)).map((held) => ({ path, held_by: other.id, holds: held }))
    )
  )
  const locked = paths.filter((path) => conflicts.every((conflict) => conflict.path !== path))
  const held = [...new Set([...agent.paths, ...locked])].sort()
  if (held.length > mostPaths)
    return refuse("paths", `an agent holds at most ${mostPaths} paths`, "too_many_paths")
  return Either.right([{ id, locked, conflicts, locked_paths: held }, [...rest, { ...agent, paths: held }]])
}

const short = (value: string, field: string): Effect.Effect<void, OperationFailure> =>
  value.length <= mostText
    ? Effect.void
    : invalidArgument(`arguments.${field}`, `has ${value.length} characters, and may have ${mostText}`)

const needs = [SessionStore] as const

export const agents: Member<typeof session, "agents", typeof needs> = session.operation("agents", {
  tool: "agent_registry",
  summary: "Agents at work and the paths they hold; locks advise, they do not block.",
  tier: 2,
  input: F.input({
    arguments: F.group({
      action: F.withDefault(F.choice(...actions), "list"),
      id: F.optional(F.described(F.text, "this session when absent")),
      name: F.optional(F.described(F.text, "of list, a part of it")),
      cursor: F.optional(F.described(F.text, "symbol or file in focus")),
      status: F.optional(F.text),
      paths: F.optional(F.csv)
    })
  }),
  needs,
  handler: ({ arguments: { action, id, ...given } }) =>
    Effect.gen(function* () {
      const mine = yield* sessionId
      const stray = (["name", "cursor", "status", "paths"] as const).find(
        (name) => given[name] !== undefined && !taken[action].includes(name)
      )
      if (stray !== undefined)
        return yield* invalidArgument(`arguments.${stray}`, `is nothing that ${action} takes`)
      for (const field of ["name", "cursor", "status"] as const) yield* short(given[field] ?? "", field)
      yield* short(id ?? "", "id")
      if (action === "lock" && given.paths === undefined)
        return yield* invalidArgument("arguments.paths", "lock needs the paths to hold")
      const places = given.paths?.map((path) => [path, placeOf(path)] as const)
      const outside = places?.find(([, place]) => place === undefined)
      if (outside !== undefined)
        return yield* invalidArgument(
          "arguments.paths",
          `${JSON.stringify(outside[0])} is no path relative to the repository`
        )
      const paths = places === undefined ? undefined : [...new Set(places.map(([, place]) => place!))].sort()
      const now = yield* Clock.currentTimeMillis
      const settled = yield* rekeep(agentsName, (value, theirs) => {
        const own = alive(now, value)
        const result = settle(
          { ...given, action, id: id ?? mine, paths },
          now,
          own,
          theirs.flatMap((each) => alive(now, each))
        )
        return [result, Either.isRight(result) ? result.right[1] : own]
      })
      const [answer] = yield* settled
      return { ...answer, expire_after_seconds: lifeMs / 1000, scope: "the sessions of this server process" }
    })
})
