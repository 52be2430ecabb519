/** `portico init`: writes our entries into the settings of agents' hosts, and takes them out again. */
import { hostNames } from "../../hosts/index.ts"
import { UsageError } from "./Arguments.ts"
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
  const other = given.host.find((name) => !hostNames.includes(name))
  if (other !== undefined) throw new UsageError(`${other} is none of ${hostNames.join(", ")}`)
  const folder = project(given.dir, positionals[0])
  const { setUp } = await import("./init/setUp.ts")
  return setUp(folder, given)
}
