/** `portico init`: writes our entries into the settings of agents' hosts, and takes them out again. */
import { here, type Host, shownPath, type Where } from "../../hosts/Host.ts"
import { hostNames, hosts } from "../../hosts/index.ts"
import { ownProgram, type Program } from "../../hosts/Program.ts"
import { carryOut, isDue, isHere, plan, type Refusal, sample, type Step } from "../../hosts/Setup.ts"
import { UsageError } from "./Arguments.ts"
import { plain } from "./Columns.ts"
import { countedAs } from "./Counted.ts"
import { flag, read, value, values } from "./Options.ts"
import { project } from "./Place.ts"

export const usage = `portico init [PATH] [--host NAME]... [--global | --project] [--hooks] [--remove] [--dry-run]

Connects agents: writes the entry of this server into the settings of their hosts. All changes are worked out and shown
first. Nothing but the entry is touched: other keys, comments, order and line ends stay as they are. A file that cannot
be understood is left alone, and then nothing is written at all. Doing it again changes nothing.

  --host NAME  a host: ${hostNames.join(", ")}; may be repeated. Without it, those that are found
               on this machine or in the project
  --global     for the user, wherever they work
  --project    for the project. Without either, where the host keeps such entries first
  --hooks      its hooks as well: portico hook --help
  --remove     take the entry and the hooks out again, from where the same command would have put them
  --dry-run    show what would be done, and write nothing

The project is the work tree around PATH, the current folder when absent; --dir PATH says the same. Exits with 0 when it
is done or there is nothing to do, 1 when something could not be, 2 for a wrong command line.
`

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const chosen = (names: ReadonlyArray<string>, where: Where): ReadonlyArray<Host> => {
  const other = names.find((name) => !hostNames.includes(name))
  if (other !== undefined) throw new UsageError(`${other} is none of ${hostNames.join(", ")}`)
  if (names.length > 0) return hosts.filter(({ name }) => names.includes(name))
  const found = hosts.filter((host) => isHere(host, where))
  if (found.length === 0)
    throw new Error(
      `no agent's host was found on this machine or in ${where.project}; name one with --host: ${hostNames.join(", ")}`
    )
  return found
}

const told = ({ file, host, line, remedy, why }: Refusal): string =>
  plain(`${host.title}: ${file}${line === undefined ? "" : `:${line}`}: ${why}; ${remedy}`)

/** What is written where there was nothing: the rest of a file is its owner's business. */
const shown = (step: Step, where: Where, program: Program): string => {
  const { found, host, place, says, what } = step
  const line = plain(`${host.title}, ${shownPath(place.file, where)}: ${says}`)
  return what === "server" && found.text === undefined && isDue(step)
    ? `${line}\n${sample(host, where, program).text.replace(/^/gm, "  ")}`
    : line
}

export const init = async (args: ReadonlyArray<string>): Promise<number> => {
  const {
    help,
    positionals,
    values: given
  } = read(
    "init",
    args,
    {
      dir: value("PATH"),
      host: values("NAME"),
      global: flag,
      project: flag,
      hooks: flag,
      remove: flag,
      "dry-run": flag
    },
    1
  )
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  if (given.global && given.project) throw new UsageError("--global and --project exclude each other")
  const where = here(project(given.dir, positionals[0]))
  const program = ownProgram()
  const { refusals, remarks, steps } = plan({
    hosts: chosen(given.host, where),
    where,
    program,
    scope: given.global ? "global" : given.project ? "project" : undefined,
    hooks: given.hooks,
    remove: given.remove
  })
  for (const step of steps) print(shown(step, where, program))
  for (const remark of remarks) print(`${remark}.`)
  const due = steps.filter(isDue)
  for (const refusal of refusals) process.stderr.write(`portico init: ${told(refusal)}\n`)
  if (refusals.length > 0) {
    print("Nothing was written.")
    return 1
  }
  if (due.length === 0 || given["dry-run"]) {
    print(due.length === 0 ? "There is nothing to do." : "Nothing was written: this was a dry run.")
    return 0
  }
  const failed = due.map(carryOut)
  const done = due.filter((_, place) => failed[place] === undefined)
  countedAs(
    given.remove ? "uninstall" : "install",
    done.filter(({ what }) => what === "server").map(({ host }) => host.name)
  )
  for (const refusal of failed)
    if (refusal !== undefined) process.stderr.write(`portico init: ${told(refusal)}\n`)
  print(`${done.length} of ${due.length} files written.`)
  return done.length === due.length ? 0 : 1
}
