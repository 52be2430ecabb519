/** `portico audit log`: rows of the record of calls. */
import type { LedgerRow } from "../../../pipeline/Engine.ts"
import { columns, plain } from "../Columns.ts"
import { numberOf, withLedger } from "../Kept.ts"
import { flag, read, value } from "../Options.ts"
import type { Deps } from "../run.ts"

export const logUsage = `portico audit log [--after N] [--limit N] [--dir PATH] [--json]

Prints rows of the record of calls, oldest first: the newest ones, or with --after those behind a number. A call that
may change something has a row when it begins and one when it has ended; a read and a refusal have both at once.

  --after N   rows with a number greater than N
  --limit N   how many; 50 when absent
  --dir PATH  folder whose record it is; the current one when absent
  --json      the rows as JSON
`

/** Rows shown when nothing else is said. */
const standardLimit = 50

const changed = (row: LedgerRow): string =>
  row.state_changed === undefined ? "?" : row.state_changed ? "yes" : "no"

const table = (rows: ReadonlyArray<LedgerRow>): string =>
  columns([
    ["SEQ", "AT", "DOOR", "PRINCIPAL", "LAYER", "CALL", "CLASS", "DECISION", "OUTCOME", "CHANGED", "MS"],
    ...rows.map((row) => [
      String(row.seq),
      row.at,
      row.door,
      plain(row.principal_id),
      row.layer,
      row.layer === "facade" && row.canonical_tool !== row.facade
        ? `${row.facade}.${row.operation} as ${plain(row.canonical_tool)}`
        : `${row.facade}.${row.operation}`,
      row.effect ?? "?",
      `${row.decision}${row.stage === undefined ? "" : ` at ${row.stage}`}${row.approval === undefined ? "" : ` ${row.approval}`}`,
      row.outcome,
      changed(row),
      String(row.duration_ms)
    ])
  ])

export const log = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, values } = read(
    "audit log",
    args,
    { after: value("N"), limit: value("N"), dir: value("PATH"), json: flag },
    0
  )
  if (help) {
    process.stdout.write(logUsage)
    return 0
  }
  const limit = numberOf("--limit", values.limit, 1) ?? standardLimit
  const given = numberOf("--after", values.after, 0)
  return withLedger(deps.loadRecords, values.dir, async (ledger, unread) => {
    const rows = await ledger.rows(given ?? Math.max(0, (await ledger.last()) - limit), limit)
    if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else
      process.stdout.write(
        rows.length > 0
          ? `${table(rows)}\n`
          : given === undefined
            ? unread === undefined
              ? "No call has been recorded here.\n"
              : "No row is in what could be read.\n"
            : `No row follows ${given}.\n`
      )
    return 0
  })
}
