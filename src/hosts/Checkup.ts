/** What is found where hosts keep our entries: looked at, and never changed. */
import { type HookEntry, hookEntries, missingEvents } from "./HookEntries.ts"
import type { Host, Place, Where } from "./Host.ts"
import { type Program, type Started, startedBy } from "./Program.ts"
import type { Version } from "./Running.ts"
import { type EntryState, entryState } from "./ServerEntry.ts"
import { isHere, look, type Refusal, refusalOf } from "./Setup.ts"

/** A place that has an entry, or that cannot be read. */
export type Seen<A> = { readonly place: Place } & ({ readonly refusal: Refusal } | A)

export interface ServerSeen {
  readonly entry: Exclude<EntryState, { readonly state: "missing" }>
  /** What the program it starts says; undefined where it starts none. */
  readonly version: Version | undefined
}

export interface HooksSeen {
  readonly entries: ReadonlyArray<HookEntry>
  /** Events that none of them is told of. */
  readonly missing: ReadonlyArray<string>
}

export interface Checkup {
  readonly host: Host
  readonly isHere: boolean
  readonly servers: ReadonlyArray<Seen<ServerSeen>>
  readonly hooks: ReadonlyArray<Seen<HooksSeen>>
}

type Ask = (started: Started) => Version

const serverSeen = (
  value: unknown,
  host: Host,
  where: Where,
  own: Program,
  ask: Ask
): ServerSeen | undefined => {
  const entry = entryState(value, host, where, own)
  if (entry.state === "missing") return undefined
  const started: Started | string = entry.state === "remote" ? "" : startedBy(entry.words)
  return { entry, version: typeof started === "string" ? undefined : ask(started) }
}

const hooksSeen = (value: unknown, own: Program): HooksSeen | undefined => {
  const entries = hookEntries(value, own)
  return entries.length === 0 ? undefined : { entries, missing: missingEvents(entries) }
}

/** The address a hook is told of, if it is. */
export const serverOf = ({ words }: HookEntry): string | undefined => {
  const place = words.indexOf("--server")
  return place === -1 ? undefined : words[place + 1]
}

/** Looks at a host. `ask` asks a program for its version. */
export const checkup = (host: Host, where: Where, own: Program, ask: Ask): Checkup => {
  const seen = <A extends object>(
    places: ReadonlyArray<Place>,
    of: (value: unknown) => A | undefined
  ): ReadonlyArray<Seen<A>> =>
    places.flatMap((place): ReadonlyArray<Seen<A>> => {
      try {
        const found = of(look(place, where).value)
        return found === undefined ? [] : [{ place, ...found }]
      } catch (cause) {
        return [{ place, refusal: refusalOf(host, place.file, cause) }]
      }
    })
  return {
    host,
    isHere: isHere(host, where),
    servers: seen(host.servers(where), (value) => serverSeen(value, host, where, own, ask)),
    hooks: seen(host.hooks?.(where) ?? [], (value) => hooksSeen(value, own))
  }
}
