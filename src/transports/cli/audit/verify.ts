/** `portico audit verify`: whether the record of calls is what was written. */
import type { LedgerVerdict } from "../../../pipeline/Engine.ts"
import { UsageError } from "../Arguments.ts"
import { withLedger } from "../Kept.ts"
import { flag, read, value } from "../Options.ts"
import type { Deps } from "../run.ts"

export const verifyUsage = `portico audit verify [--head HASH] [--dir PATH] [--json]

Walks the whole record of calls, segments and all, and checks that no row was edited, removed or reordered, and that no
segment is missing, damaged or another one. Where old rows were let go because settings say so, a row of the record tells
from which number on it is whole. It prints the hash of the last row: keep it elsewhere, and give it back with --head to learn as well whether the record still goes on from there. Without
that, whoever can write the file could have written the whole of it anew.

  --head HASH  a hash that was printed earlier; some row has to have it
  --dir PATH   folder whose record it is; the current one when absent
  --json       the verdict as JSON

A record that cannot be written to is checked in a copy of it. Exits with 1 when something does not fit, or when part of
the record could not be read: then it says which, and what it found holds for the rest.
`

/** Rows looked through at a time. */
const stride = 1000

const what = {
  segment_missing: "is missing",
  segment_swapped: "is not the one that was written there",
  segment_damaged: "cannot be read on"
} as const

/** A verdict in a sentence or two, each in a line; `unread` is what of the record could not be read. */
export const verdictTold = (
  { broken, from, head, rows }: LedgerVerdict,
  unread: string | undefined
): string => {
  const whole = from > 1 ? `${rows} rows from ${from} on` : `${rows} rows`
  if (broken === undefined)
    return head === undefined
      ? unread === undefined
        ? "No call has been recorded here.\n"
        : "No row is in what could be read.\n"
      : `${whole}, all as they were written.\nhead ${head}\n`
  const before = `the ${rows} before it are as they were written.\n`
  return "segment" in broken
    ? `Segment ${broken.segment} ${what[broken.reason]}, at row ${broken.seq}; ${before}`
    : `Row ${broken.seq} was ${broken.reason}; ${before}`
}

export const verify = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, values } = read(
    "audit verify",
    args,
    { head: value("HASH"), dir: value("PATH"), json: flag },
    0
  )
  if (help) {
    process.stdout.write(verifyUsage)
    return 0
  }
  const { head } = values
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new UsageError("--head takes a hash of 64 hexadecimal digits, as verify prints it")
  return withLedger(deps.loadRecords, values.dir, async (ledger, unread) => {
    const verdict = await ledger.verify()
    /** Number of the row that has the given hash; 0 when none has. */
    let known = 0
    if (head !== undefined)
      for (let after = 0, rows; known === 0; after = rows.at(-1)?.seq ?? 0) {
        rows = await ledger.rows(after, stride)
        known = rows.find(({ hash }) => hash === head)?.seq ?? 0
        if (known === 0 && verdict.previous === head) known = verdict.from - 1
        if (rows.length < stride) break
      }
    const good = verdict.ok && unread === undefined && (head === undefined || known > 0)
    if (values.json) {
      process.stdout.write(
        `${JSON.stringify({ ...verdict, ok: good, ...(unread === undefined ? {} : { unread }), ...(head === undefined ? {} : { known: known > 0 ? known : null }) }, null, 2)}\n`
      )
      return good ? 0 : 1
    }
    process.stdout.write(verdictTold(verdict, unread))
    if (head !== undefined)
      process.stdout.write(
        known > 0
          ? `Row ${known} has the hash that was given.\n`
          : `No row has the hash that was given: this is not the record it was read from, or rows are gone${
              verdict.from > 1 ? `, as those before row ${verdict.from} are` : ""
            }.\n`
      )
    return good ? 0 : 1
  })
}
