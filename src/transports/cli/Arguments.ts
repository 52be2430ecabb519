/** Arguments of a tool as a command line writes them. */

import { statSync } from "node:fs"
import { resolve } from "node:path"

/** What is wrong with a command line; told on standard error, with exit code 2. */
export class UsageError extends Error {}

/** Absolute path of a folder that is there. */
export const folder = (given: string): string => {
  const found = statSync(given, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`${given} is not there`)
  if (!found.isDirectory()) throw new UsageError(`${given} is no folder`)
  return resolve(given)
}

type Draft = { [key: string]: unknown }

const isRecord = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const json = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${where} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Reads a JSON object; `where` names its place in messages. */
export const jsonObject = (text: string, where: string): Draft => {
  const value = json(text, where)
  if (!isRecord(value)) throw new UsageError(`${where} must be a JSON object`)
  return value
}

/**
 * Puts `key=text` and `key:=json` into an object. Dots in a key lead into objects. A key that is there already, or leads
 * through something that is no object, is refused.
 */
export const assign = (into: Draft, assignment: string): void => {
  const at = assignment.indexOf("=")
  const raw = at > 0 && assignment[at - 1] === ":"
  const key = assignment.slice(0, raw ? at - 1 : at)
  if (at <= 0 || key === "") throw new UsageError(`--arg ${assignment}: write key=text or key:=json`)
  const path = key.split(".")
  if (path.some((name) => name === "" || name === "__proto__"))
    throw new UsageError(`--arg ${assignment}: ${key} is no key`)
  const text = assignment.slice(at + 1)
  const value = raw ? json(text, `--arg ${key}`) : text
  const last = path.pop() as string
  let here = into
  for (const name of path) {
    const next = Object.hasOwn(here, name) ? here[name] : (here[name] = {})
    if (!isRecord(next)) throw new UsageError(`--arg ${key}: ${name} is no object`)
    here = next
  }
  if (Object.hasOwn(here, last)) throw new UsageError(`--arg ${key} is given twice`)
  here[last] = value
}
