/**
 * What was counted, by day of UTC. A process adds a line to the day's file in one write that begins and ends with a line
 * feed, so any number of them add up without waiting for each other, and one that dies in between spoils its own line
 * only.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { localKeys, sentKeys } from "./Keys.ts"
import { type Counts, Tally } from "./Tally.ts"

/** What is counted to be sent, and what stays. */
export const kinds = { sent: sentKeys, local: localKeys } as const
export type Kind = keyof typeof kinds

const suffix: Record<Kind, string> = { sent: ".counts", local: ".local" }
const claimed = ".claimed"

const dayMs = 86_400_000
/** Days a file is kept after its own. */
const keptDays: { readonly [suffix: string]: number } = { ".counts": 7, ".local": 30, [claimed]: 30 }
/** Bytes of a file that are read. Nobody counts that much in a day. */
const mostBytes = 64 << 20

/** The day of UTC of a time in milliseconds since the epoch, such as `2026-11-30`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Milliseconds since the epoch of a day's beginning. */
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Milliseconds after midnight for which those who counted the day before may still write. */
export const graceMs = 5 * 60_000

export class Days {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Adds counts to a day. Throws what the file system says. */
  append(day: string, kind: Kind, counts: Counts): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const file = openSync(this.#file(day, suffix[kind]), "a", 0o600)
    try {
      writeSync(file, `\n${JSON.stringify(counts)}\n`)
    } finally {
      closeSync(file)
    }
  }

  /** The sum of a day. */
  read(day: string, kind: Kind): Counts {
    return this.#into(new Tally(kinds[kind]), day, kind).counts()
  }

  /** The sum of all days there are. */
  readAll(kind: Kind): Counts {
    const tally = new Tally(kinds[kind])
    for (const day of this.days(kind)) this.#into(tally, day, kind)
    return tally.counts()
  }

  /** The days there is something of, the oldest first. */
  days(kind: Kind): ReadonlyArray<string> {
    return this.#names(suffix[kind])
  }

  /** The days that are over and were not sent. */
  finished(now: number): ReadonlyArray<string> {
    const done = new Set(this.#names(claimed))
    return this.days("sent").filter((day) => !done.has(day) && startOf(day) + dayMs + graceMs <= now)
  }

  /** Takes a day for sending. True for one caller, whatever process it is in, and never again. */
  claim(day: string): boolean {
    try {
      closeSync(openSync(this.#file(day, claimed), "wx", 0o600))
      return true
    } catch {
      return false
    }
  }

  /** Forgets what was counted to be sent on a day. */
  forget(day: string): void {
    this.#remove(day, suffix.sent)
  }

  /** Removes what is older than it is kept. */
  expire(now: number): void {
    for (const [end, kept] of Object.entries(keptDays))
      for (const day of this.#names(end)) if (startOf(day) + (kept + 1) * dayMs < now) this.#remove(day, end)
  }

  /** Removes everything that was counted. That a day was sent stays known. */
  clear(): void {
    for (const kind of ["sent", "local"] as const)
      for (const day of this.days(kind)) this.#remove(day, suffix[kind])
  }

  #into(tally: Tally, day: string, kind: Kind): Tally {
    const file = this.#file(day, suffix[kind])
    let text: string
    try {
      if (statSync(file).size > mostBytes) return tally
      text = readFileSync(file, "utf8")
    } catch {
      return tally
    }
    for (const line of text.split("\n")) {
      if (line === "") continue
      try {
        tally.addAll(JSON.parse(line))
      } catch {
        // Whoever wrote it died on the way.
      }
    }
    return tally
  }

  #names(end: string): ReadonlyArray<string> {
    let names: ReadonlyArray<string>
    try {
      names = readdirSync(this.folder)
    } catch {
      return []
    }
    return names
      .filter((name) => name.endsWith(end) && /^\d{4}-\d\d-\d\d$/.test(name.slice(0, -end.length)))
      .map((name) => name.slice(0, -end.length))
      .sort()
  }

  #file(day: string, end: string): string {
    return join(this.folder, `${day}${end}`)
  }

  #remove(day: string, end: string): void {
    try {
      unlinkSync(this.#file(day, end))
    } catch {
      // Another process was quicker.
    }
  }
}
