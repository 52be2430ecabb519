/** `portico audit` by itself: what every operation may use, and whether that is what it should be. */
import { sarif } from "../../../policy/Sarif.ts"
import type { Audited, AuditedRow } from "../../../policy/typed/Audited.ts"
import { folder, UsageError } from "../Arguments.ts"
import { columns } from "../Columns.ts"
import { flag, read, value } from "../Options.ts"
import type { Deps } from "../run.ts"

export const usage = `portico audit [--dir PATH] [--pack PATH] [--json | --sarif]

Prints every operation with its effect class, the services it needs, those its handler requires as the compiler sees it,
the modes that serve it and the callers who may run it. Then checks of the values

  homogeneity  each operation has its tool's class
  witness      each write needs the service that stands for its class
  authority    each service an operation needs belongs to reads or to its class
  open world   what reaches the outside says so
  fixed split  a canonical tool behind several classes is told apart by arguments the server fixes
  ceilings     nothing exceeds the ceilings in .effectrc, where there are any
  grants       grants in .effectrc speak of tools and services there are

and of the sources, where they are there and by the types the compiler gives them

  authority    each service a handler requires belongs to reads or to its class
  needs        a handler requires nothing that its operation's needs leave out
  ceilings     nothing a handler requires exceeds the ceilings
  grants       whoever may run an operation was granted what its handler requires
  declared     the compiler's view of an operation is what runs
  unseen       each operation is declared where the compiler sees it
  unknown      what a handler requires is known
  hidden       no assertion takes a service out of a requirement
  silenced     no comment keeps the compiler from complaining
  provided     no operation provides a service or runs an Effect itself
  ambient      no operation loads a module that reaches the machine without a service

--dir PATH   folder whose .effectrc counts; the current one when absent
--pack PATH  an operation pack instead of this program: its folder, its script or a source of it
--json       everything as JSON
--sarif      the differences as a SARIF 2.1.0 log

Exits with 1 when something differs.
`

const world = (row: AuditedRow): string => (row.open_world ? "open" : "closed")

const modes = (row: AuditedRow): string =>
  [row.planning ? "planning" : "", row.federation ? "federation" : "", "full"]
    .filter((mode) => mode !== "")
    .join(" ")

const required = ({ available, requires }: AuditedRow): string =>
  !available ? "no handler" : requires === undefined ? "not seen" : requires.join(" ") || "-"

const table = ({ rows }: Audited): string =>
  columns([
    ["operation", "class", "world", "modes", "callers", "needs", "handler requires"],
    ...rows.map((row) => [
      `${row.facade}.${row.operation}`,
      row.effect,
      world(row),
      modes(row),
      row.granted.join(" "),
      row.needs.join(" ") || "-",
      required(row)
    ])
  ])

const counted = (number: number, one: string, many: string): string =>
  `${number === 0 ? "no" : number} ${number === 1 ? one : many}`

const summary = ({ bounded, differences, looked, rows }: Audited): string =>
  [
    `${counted(rows.length, "operation", "operations")}, ${counted(differences.length, "difference", "differences")}`,
    bounded ? "ceilings of .effectrc checked" : "no ceilings to check",
    looked.typed
      ? `types of ${counted(looked.declarations, "declaration", "declarations")} in ${counted(looked.files, "file", "files")} asked of ${looked.compiler}`
      : `ONLY the values at run time were checked, no types: ${looked.because}`
  ].join("; ")

export const audit = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, values } = read(
    "audit",
    args,
    { dir: value("PATH"), pack: value("PATH"), json: flag, sarif: flag },
    0
  )
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  if (values.json && values.sarif) throw new UsageError("--json and --sarif exclude each other")
  const auditOf = await deps.loadAudit()
  const audited = await auditOf(folder(values.dir ?? "."), values.pack)
  if (typeof audited === "string") {
    process.stderr.write(`portico audit: ${audited}\n`)
    return 1
  }
  const { differences } = audited
  const code = differences.length > 0 ? 1 : 0
  if (values.json) process.stdout.write(`${JSON.stringify(audited, null, 2)}\n`)
  else if (values.sarif) process.stdout.write(`${JSON.stringify(sarif(audited, deps.version), null, 2)}\n`)
  else {
    process.stdout.write(`${table(audited)}\n\n`)
    for (const { message, place, rule, subject } of differences)
      process.stdout.write(
        `${place === undefined ? "" : `${place.file}:${place.line}:${place.column} `}${rule}: ${subject} ${message}\n`
      )
    process.stdout.write(`${summary(audited)}\n`)
  }
  return code
}
