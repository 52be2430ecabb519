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

/** {@link withRecords} for the record of calls, which is only read. Says on standard error what could not be. */
export const withLedger = (
  loadRecords: () => Promise<OpenRecords>,
  dir: string | undefined,
  use: (ledger: OpenedRecords["ledger"], unread: string | undefined) => Promise<number>
): Promise<number> =>
  withRecords(
    async () => {
      const open = await loadRecords()
      return (directory) => open(directory, { reading: true })
    },
    dir,
    async ({ ledger }) => {
      const unread = await ledger.unread()
      if (unread !== undefined)
        process.stderr.write(`portico: ${unread}; rows that were written last may be in it\n`)
      return use(ledger, unread)
    }
  )

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
