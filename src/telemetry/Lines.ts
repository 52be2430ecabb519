/**
 * A file of JSON lines for this machine alone, written where the user agreed to counting. It is bounded: when it is full
 * it makes way for another one, and one earlier is kept. What a line may hold is checked when it is written and when it is
 * read.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { choiceFile, consentOf, type Environment } from "./Consent.ts"
import { countsFolder } from "./Home.ts"

/** Bytes of the file at which another one is begun. */
const mostBytes = 1 << 20

export class Lines<A> {
  /** Name of the file. */
  readonly name: string
  readonly #checked: (value: unknown) => A | undefined

  /** `checked` makes a line out of anything, with what a line may hold and nothing else; undefined for what is none. */
  constructor(stem: string, checked: (value: unknown) => A | undefined) {
    this.name = `${stem}.jsonl`
    this.#checked = checked
  }

  /** Name of the earlier file. */
  get before(): string {
    return this.name.replace(/\.jsonl$/, ".1.jsonl")
  }

  #files(env: Environment): readonly [now: string, before: string] {
    return [join(countsFolder(env), this.name), join(countsFolder(env), this.before)]
  }

  /** Adds a line. What cannot be written is lost. */
  add(value: A, env: Environment): void {
    const line = this.#checked(value)
    if (line === undefined || !consentOf(env, choiceFile(env)).on) return
    const [now, before] = this.#files(env)
    try {
      mkdirSync(countsFolder(env), { recursive: true, mode: 0o700 })
      if ((statSync(now, { throwIfNoEntry: false })?.size ?? 0) >= mostBytes) renameSync(now, before)
      appendFileSync(now, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch {
      // A full or read-only disk, or another process was quicker.
    }
  }

  /** What was written down, the oldest first. */
  read(env: Environment): ReadonlyArray<A> {
    return [...this.#files(env)].reverse().flatMap((file) => {
      let text: string
      try {
        text = readFileSync(file, "utf8")
      } catch {
        return []
      }
      return text.split("\n").flatMap((line) => {
        try {
          return this.#checked(JSON.parse(line)) ?? []
        } catch {
          return []
        }
      })
    })
  }

  /** Removes what was written down. */
  clear(env: Environment): void {
    for (const file of this.#files(env)) rmSync(file, { force: true })
  }
}
