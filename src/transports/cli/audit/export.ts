/** `portico audit export`: the whole record of calls, for keeping and reading elsewhere. */
import { once } from "node:events"
import type { LedgerRow } from "../../../pipeline/Engine.ts"
import { UsageError } from "../Arguments.ts"
import { numberOf, withLedger } from "../Kept.ts"
import { read, value } from "../Options.ts"
import type { Deps } from "../run.ts"

export const exportUsage = `portico audit export [--format jsonl|csv] [--after N] [--dir PATH]

Prints all rows of the record of calls, oldest first.

  --format FORMAT  jsonl, one JSON object a line (as it is without this), or csv with a line of names
  --after N        only rows with a number greater than N
  --dir PATH       folder whose record it is; the current one when absent

In jsonl a row can be checked without this program: its hash is the SHA-256 of its seq, a line feed, its previous, a line
feed, and the rest of its members as compact JSON in the order they stand in.
`

/** Rows read at a time. */
const stride = 1000

/** Members of a row in the order of the columns. */
const members = Object.keys({
  seq: true,
  previous: true,
  hash: true,
  at: true,
  request_id: true,
  principal_kind: true,
  principal_id: true,
  door: true,
  session: true,
  layer: true,
  facade: true,
  operation: true,
  canonical_tool: true,
  effect: true,
  decision: true,
  stage: true,
  approval: true,
  duration_ms: true,
  outcome: true,
  state_changed: true,
  arguments_digest: true,
  retained_from: true,
  retained_previous: true
} satisfies Record<keyof LedgerRow, true>) as ReadonlyArray<keyof LedgerRow>

const jsonLine = ({ hash, previous, seq, ...entry }: LedgerRow): string =>
  JSON.stringify({ seq, previous, hash, ...entry })

/** A cell of RFC 4180. What a spreadsheet would take for a formula is held off with an apostrophe. */
export const cell = (value: LedgerRow[keyof LedgerRow]): string => {
  if (value === undefined || value === null) return ""
  const text = String(value)
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvLine = (row: LedgerRow): string => members.map((name) => cell(row[name])).join(",")

export const exported = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, values } = read(
    "audit export",
    args,
    { format: value("FORMAT"), after: value("N"), dir: value("PATH") },
    0
  )
  if (help) {
    process.stdout.write(exportUsage)
    return 0
  }
  const format = values.format ?? "jsonl"
  if (format !== "jsonl" && format !== "csv") throw new UsageError(`--format is jsonl or csv, not ${format}`)
  const from = numberOf("--after", values.after, 0) ?? 0
  const [line, end] = format === "jsonl" ? ([jsonLine, "\n"] as const) : ([csvLine, "\r\n"] as const)
  return withLedger(deps.loadRecords, values.dir, async (ledger) => {
    if (format === "csv") process.stdout.write(`${members.join(",")}${end}`)
    for (let after = from; ; ) {
      const rows = await ledger.rows(after, stride)
      const last = rows.at(-1)
      if (last === undefined) return 0
      const room = process.stdout.write(rows.map((row) => line(row) + end).join(""))
      if (!room) await once(process.stdout, "drain")
      after = last.seq
    }
  })
}
