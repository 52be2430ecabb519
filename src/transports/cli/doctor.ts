/** `portico doctor`: whether what connects agents to this server, and what it keeps, is in order. It writes nothing. */
import { plain } from "./Columns.ts"
import { type Finding, verdicts } from "./doctor/Finding.ts"
import { flag, read, value } from "./Options.ts"
import { project } from "./Place.ts"
import type { Deps } from "./run.ts"

export const usage = `portico doctor [PATH] [--json]

Looks whether agents' hosts are set up for this server, whether what they start runs and is this version, and whether
the settings, the index and the record of calls are in order. It writes nothing and mends nothing; what it finds stands
with what it means and the command that mends it.

  --dir PATH  the same as PATH; the current folder when absent
  --json      the findings as JSON

What could not be found out is told as unknown, and never as good. Exits with 0 when nothing is broken, 1 otherwise.
`

const shown = ({ about, means, mend, status, verdict }: Finding): string => {
  const width = Math.max(...verdicts.map((each) => each.length)) + 2
  return [`${verdict.padEnd(width)}${about}: ${status}`, means, ...(mend === undefined ? [] : [`$ ${mend}`])]
    .map((line, at) => `${at === 0 ? "" : " ".repeat(width)}${plain(line)}\n`)
    .join("")
}

/** How many there are of each verdict. */
const summed = (findings: ReadonlyArray<Finding>): string =>
  verdicts
    .map((verdict) => `${findings.filter((one) => one.verdict === verdict).length} ${verdict}`)
    .join(", ")

export const doctor = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, positionals, values } = read("doctor", args, { dir: value("PATH"), json: flag }, 1)
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const folder = project(values.dir, positionals[0])
  const { examined } = await import("./doctor/examined.ts")
  const { findings, own } = await examined(folder, deps)
  const isWell = findings.every(({ verdict }) => verdict !== "broken")
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ok: isWell, version: deps.version, program: own, project: folder, findings }, null, 2)}\n`
      : `${findings.map(shown).join("")}\n${summed(findings)}\n`
  )
  return isWell ? 0 : 1
}
