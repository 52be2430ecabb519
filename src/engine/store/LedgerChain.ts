/** How rows of the ledger hang together, and how a row is a line of text. */
import { hash as digestOf } from "node:crypto"
import type { LedgerEntry, LedgerRow } from "../../services/AuditLedger.ts"

/** The hash before the first row. */
export const origin = "0".repeat(64)

/** Rows of the table that are read at a time. */
export const stride = 1000

/** A row as the table has it; `entry` is JSON, and what the hash is over. */
export interface Stored {
  readonly seq: number
  readonly previous: string
  readonly hash: string
  readonly entry: string
}

export const hashOf = (seq: number, previous: string, entry: string): string =>
  digestOf("sha256", `${seq}\n${previous}\n${entry}`)

/** Whether a row is what was written in a place: behind a hash, with a number. */
export const follows = (row: Stored, seq: number, previous: string): boolean =>
  row.seq === seq && row.previous === previous && row.hash === hashOf(seq, previous, row.entry)

export const encode = (entry: LedgerEntry): string => JSON.stringify(entry)

export const rowOf = ({ entry, hash, previous, seq }: Stored): LedgerRow => ({
  ...(JSON.parse(entry) as LedgerEntry),
  seq,
  previous,
  hash
})

/** A row as a line of JSON, without the line feed: number and hashes, then the members of the entry as they are written. */
export const lineOf = ({ entry, hash, previous, seq }: Stored): string =>
  `${JSON.stringify({ seq, previous, hash }).slice(0, -1)},${entry.slice(1)}`

const line = /^\{"seq":(\d{1,15}),"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})",(.+\})$/

/** The row of a line; undefined where it is none. */
export const storedOf = (text: string): Stored | undefined => {
  const parts = line.exec(text)
  if (parts === null) return undefined
  const [, seq, previous, hash, entry] = parts as unknown as [string, string, string, string, string]
  return { seq: Number(seq), previous, hash, entry: `{${entry}` }
}
