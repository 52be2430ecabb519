/** What has to be written to set hosts up, or to take that back: planned whole, then written file by file. */
import { existsSync } from "node:fs"
import { dirname, isAbsolute, relative } from "node:path"
import { checkWritable, FileRefused, type Found, readConfig, writeConfig } from "./config/File.ts"
import { at, changed, type Path, Unreadable } from "./config/Format.ts"
import { formats } from "./config/formats.ts"
import { hookCommand, hookEntries, hookGroup, missingEvents } from "./HookEntries.ts"
import type { Host, Place, Scope, Where } from "./Host.ts"
import { found as programAt, type Program } from "./Program.ts"
import { entryState, wantedEntry } from "./ServerEntry.ts"

export interface Wish {
  readonly hosts: ReadonlyArray<Host>
  readonly where: Where
  readonly program: Program
  /** Without it, each host's own first place is taken. */
  readonly scope: Exclude<Scope, "local"> | undefined
  readonly hooks: boolean
  /** Take out what is ours, instead of putting it in. */
  readonly remove: boolean
}

/** A file, and what becomes of it. */
export interface Step {
  readonly host: Host
  readonly place: Place
  readonly what: "server" | "hooks"
  /** In a few words. */
  readonly says: string
  readonly found: Found
  /** Its text afterwards, undefined for no file. */
  readonly after: string | undefined
}

export interface Refusal {
  readonly host: Host
  readonly file: string
  readonly line: number | undefined
  readonly why: string
  readonly remedy: string
}

export interface Plan {
  readonly steps: ReadonlyArray<Step>
  readonly refusals: ReadonlyArray<Refusal>
  /** What was wished for and there is no place for. */
  readonly remarks: ReadonlyArray<string>
}

/** Whether a host is on this machine, or was used in the project. */
export const isHere = (host: Host, where: Where): boolean =>
  programAt(host.program, where.env["PATH"]) !== undefined ||
  host.signs(where).some((file) => existsSync(file))

/** The file of a place, and what stands there. Throws {@link FileRefused} or {@link Unreadable}. */
export const look = (place: Place, where: Where): { readonly found: Found; readonly value: unknown } => {
  const found = readConfig(place.file, place.scope === "project" ? where.project : undefined)
  return { found, value: at(formats[place.format].read(found.text ?? ""), place.path) }
}

/** Why a file could not be taken; whatever else went wrong goes on. */
export const refusalOf = (host: Host, file: string, cause: unknown): Refusal => {
  if (cause instanceof FileRefused)
    return { host, file, line: cause.line, why: cause.message, remedy: cause.remedy }
  if (cause instanceof Unreadable)
    return {
      host,
      file,
      line: cause.line,
      why: cause.message,
      remedy: "mend that, or move the file away, and run this again"
    }
  throw cause
}

interface Change {
  readonly says: string
  readonly after: string
}

const server = (place: Place, text: string, value: unknown, host: Host, wish: Wish): Change => {
  const put = (from: string, path: Path, inner: unknown) =>
    changed(formats[place.format], from, [...place.path, ...path], inner)
  if (wish.remove)
    return value === undefined
      ? { says: "", after: text }
      : { says: "takes the server out", after: put(text, [], undefined) }
  const entry = entryState(value, host, wish.where, wish.program)
  switch (entry.state) {
    case "current":
      return { says: "", after: text }
    case "remote":
      return { says: `leaves the server at ${entry.url}`, after: text }
    case "missing":
      return {
        says: "adds the server",
        after: put(text, [], wantedEntry([], host, wish.where, wish.program))
      }
    case "stale": {
      const wanted = wantedEntry(entry.words, host, wish.where, wish.program)
      const says = `mends the server: ${entry.why}`
      // What else the user wrote into it stays.
      if (typeof value !== "object" || value === null) return { says, after: put(text, [], wanted) }
      return {
        says,
        after: Object.entries(wanted).reduce((from, [key, inner]) => put(from, [key], inner), text)
      }
    }
  }
}

const hooks = (place: Place, text: string, value: unknown, host: Host, wish: Wish): Change => {
  const format = formats[place.format]
  const put = (from: string, path: Path, inner: unknown) =>
    changed(format, from, [...place.path, ...path], inner)
  const entries = hookEntries(value, wish.program)
  if (wish.remove)
    return {
      says: entries.length === 0 ? "" : "takes the hooks out",
      // From behind, so that the places of those before stay. A group of several commands of ours is left with one.
      after: entries.reduceRight((from) => {
        const last = hookEntries(at(format.read(from), place.path), wish.program).at(-1)!
        return put(from, last.whole, undefined)
      }, text)
    }
  const missing = missingEvents(entries)
  const stale = entries.filter((entry) => entry.stale !== undefined)
  const mended = stale.reduce(
    (from, { path, words }) => put(from, [...path, "command"], hookCommand(words, host.name, wish.program)),
    text
  )
  const command = hookCommand([], host.name, wish.program)
  return {
    says: [
      ...(stale.length === 0 ? [] : [`mends hooks: ${stale[0]!.stale}`]),
      ...(missing.length === 0 ? [] : [`adds hooks for ${missing.join(", ")}`])
    ].join("; "),
    after: missing.reduce((from, event) => {
      const groups = at(value, [event])
      return put(from, [event, Array.isArray(groups) ? groups.length : 0], hookGroup(event, command))
    }, mended)
  }
}

/** The folder that has to be there, and below which folders are made. */
const baseOf = ({ file, scope }: Place, { home, project }: Where): string => {
  if (scope === "project") return project
  const way = relative(home, file)
  return way.startsWith("..") || isAbsolute(way) ? dirname(file) : home
}

/** Works out every change, and writes nothing. */
export const plan = (wish: Wish): Plan => {
  const steps: Array<Step> = []
  const refusals: Array<Refusal> = []
  const remarks: Array<string> = []
  const kinds = [
    ["server", server],
    ...(wish.hooks || wish.remove ? [["hooks", hooks] as const] : [])
  ] as const
  for (const host of wish.hosts) {
    const scope = wish.scope ?? host.servers(wish.where)[0]!.scope
    for (const [what, change] of kinds) {
      const places = (what === "server" ? host.servers : host.hooks)?.(wish.where) ?? []
      const place = places.find((one) => one.scope === scope)
      if (place === undefined) {
        if (!wish.remove)
          remarks.push(
            places.length === 0
              ? `${host.title} has no ${what} that are set up here`
              : `${host.title} has its ${what} in a project only`
          )
        continue
      }
      try {
        const { found, value } = look(place, wish.where)
        const { after, says } = change(place, found.text ?? "", value, host, wish)
        const isChanged = after !== (found.text ?? "")
        if (isChanged) checkWritable(found, baseOf(place, wish.where))
        steps.push({
          host,
          place,
          what,
          says: says === "" ? "nothing to do" : says,
          found,
          after: !isChanged
            ? found.text
            : wish.remove && formats[place.format].isEmpty(after)
              ? undefined
              : after
        })
      } catch (cause) {
        refusals.push(refusalOf(host, place.file, cause))
      }
    }
  }
  return { steps, refusals, remarks }
}

/** Whether a step changes anything. */
export const isDue = ({ after, found }: Step): boolean => after !== found.text

/** Writes what a step says; answers why not, where it could not be done. */
export const carryOut = ({ after, found, host, place }: Step): Refusal | undefined => {
  try {
    writeConfig(found, after, place.scope === "project" ? 0o644 : 0o600)
    return undefined
  } catch (cause) {
    return refusalOf(host, place.file, cause)
  }
}

/** What a host's first place has in it, by itself: what a person would write there. */
export const sample = (
  host: Host,
  where: Where,
  program: Program
): { readonly place: Place; readonly text: string } => {
  const place = host.servers(where)[0]!
  return {
    place,
    text: formats[place.format].put("", place.path, wantedEntry([], host, where, program)).trimEnd()
  }
}
