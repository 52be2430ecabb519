/** The records of a folder for one command: opened, used, closed. Nothing is indexed for it. */
import type { OpenedRecords, OpenRecords } from "../../pipeline/Engine.ts"
import { folder, UsageError } from "./Arguments.ts"

/** Runs `use` with the records of a folder, the current one when none is named. */
export const withRecords = async <A>(
  loadRecords: () => Promise<OpenRecords>,
  dir: string | undefined,
  use: (records: OpenedRecords) => Promise<A>
): Promise<A> => {
  const directory = folder(dir ?? ".")
  const open = await loadRecords()
  const records = await open(directory)
  try {
    return await use(records)
  } finally {
    await records.close()
  }
}

/** A whole number of an option; undefined when the option is not there. */
export const numberOf = (name: string, text: string | undefined, least: number): number | undefined => {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
    throw new UsageError(`${name} takes a whole number from ${least} on, not ${text}`)
  return number
}

/** What a store says went wrong, for a person. */
export const told = (cause: unknown): string => {
  if (typeof cause === "object" && cause !== null && "detail" in cause && typeof cause.detail === "string")
    return cause.detail
  return cause instanceof Error ? cause.message : String(cause)
}
