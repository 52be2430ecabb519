/** `portico audit`: what every operation may use, and whether that is what it should be. */
import { folder } from "./Arguments.ts"
import { flag, read, value } from "./Options.ts"
import type { Deps } from "./run.ts"

export const usage = `portico audit [--dir PATH] [--json]

Prints every operation with its effect class, the services it needs and the modes that serve it, then checks that

  homogeneity  each operation has its tool's class
  witness      each write needs the service that stands for its class
  authority    each service an operation needs belongs to reads or to its class
  open world   what reaches the outside says so
  fixed split  a canonical tool behind several classes is told apart by arguments the server fixes
  ceilings     nothing exceeds the ceilings in .effectrc, where there are any

These are the values by which calls are narrowed when they run. That handlers require nothing beyond them is checked by
the compiler. Exits with 1 when something differs.
`

const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

export const audit = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, values } = read("audit", args, { dir: value("PATH"), json: flag }, 0)
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const auditOf = await deps.loadAudit()
  const audited = auditOf(folder(values.dir ?? "."))
  if (typeof audited === "string") {
    process.stderr.write(`portico audit: ${audited}\n`)
    return 1
  }
  const { bounded, differences, rows } = audited
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ rows, differences }, null, 2)}\n`)
    return differences.length > 0 ? 1 : 0
  }
  const table = rows.map((row) => [
    `${row.facade}.${row.operation}`,
    row.effect,
    [row.planning ? "planning" : "", row.federation ? "federation" : "", "full"]
      .filter((mode) => mode !== "")
      .join(" "),
    row.open_world ? "open" : "closed",
    row.available ? "" : "no handler",
    row.needs.join(" ")
  ])
  process.stdout.write(`${columns([["operation", "class", "modes", "world", "", "services"], ...table])}\n\n`)
  for (const { message, rule, subject } of differences)
    process.stdout.write(`${rule}: ${subject} ${message}\n`)
  process.stdout.write(
    `${rows.length} operations, ${differences.length} ${differences.length === 1 ? "difference" : "differences"}; ${
      bounded ? "ceilings of .effectrc checked" : "no ceilings to check"
    }\n`
  )
  return differences.length > 0 ? 1 : 0
}
