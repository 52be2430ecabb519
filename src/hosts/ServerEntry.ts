/** The entry of our server in a host's settings. */
import { isRecord } from "./hook/Event.ts"
import type { Host, Where } from "./Host.ts"
import { isOwn, type Program, startedBy } from "./Program.ts"

export interface ServerEntry {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** What stands in the place of an entry. */
export type EntryState =
  | { readonly state: "missing" }
  /** The user runs the server, and the host finds it at an address. */
  | { readonly state: "remote"; readonly url: string }
  /** It starts this program. */
  | { readonly state: "current"; readonly words: ReadonlyArray<string> }
  /** It starts another one, or nothing. */
  | { readonly state: "stale"; readonly why: string; readonly words: ReadonlyArray<string> }

const wordsOf = (value: { readonly [name: string]: unknown }): ReadonlyArray<string> => {
  const { args = [], command } = value
  return [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string")
}

/** What an entry is; `value` is what stands in its place. */
export const entryState = (value: unknown, host: Host, where: Where, own: Program): EntryState => {
  if (value === undefined) return { state: "missing" }
  if (!isRecord(value)) return { state: "stale", why: "it is no entry of a server", words: [] }
  const words = wordsOf(value)
  if (words.length === 0)
    return typeof value["url"] === "string"
      ? { state: "remote", url: value["url"] }
      : { state: "stale", why: "it names no program", words }
  const started = startedBy(words)
  const stale = (why: string): EntryState => ({ state: "stale", why, words })
  if (typeof started === "string") return stale(started)
  if (!isOwn(started, own)) return stale(`it starts ${started.script}`)
  if (started.rest[0] !== "mcp") return stale("it starts no server")
  const [name, folder] = host.serverArguments(where)
  if (name !== undefined && started.rest[started.rest.indexOf(name) + 1] !== folder)
    return stale(`its server is not told ${name} ${folder}`)
  return { state: "current", words }
}

/** The entry that starts this program. What the user wrote behind `mcp` in another one stays. */
export const wantedEntry = (
  words: ReadonlyArray<string>,
  host: Host,
  where: Where,
  [command, script]: Program
): ServerEntry => {
  const begins = words.indexOf("mcp")
  const rest = begins === 1 || begins === 2 ? words.slice(begins + 1) : []
  const given = host.serverArguments(where)
  const at = given[0] === undefined ? -1 : rest.indexOf(given[0])
  const kept = at === -1 ? rest : [...rest.slice(0, at), ...rest.slice(at + given.length)]
  return { command, args: [script, "mcp", ...given, ...kept] }
}
