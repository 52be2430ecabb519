/** What `portico init` does. */
import { here, type Host, shownPath, type Where } from "../../../hosts/Host.ts"
import { hostNames, hosts } from "../../../hosts/index.ts"
import { ownProgram, type Program } from "../../../hosts/Program.ts"
import { carryOut, isDue, isHere, plan, type Refusal, sample, type Step } from "../../../hosts/Setup.ts"
import { plain } from "../Columns.ts"
import { countedAs } from "../Counted.ts"

/** What the command line asks for; `host` are the hosts it names. */
export interface Given {
  readonly host: ReadonlyArray<string>
  readonly global: boolean
  readonly project: boolean
  readonly hooks: boolean
  readonly remove: boolean
  readonly "dry-run": boolean
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const chosen = (names: ReadonlyArray<string>, where: Where): ReadonlyArray<Host> => {
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

/** Sets hosts up for a project; the answer is the exit code. */
export const setUp = (folder: string, given: Given): number => {
  const where = here(folder)
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
