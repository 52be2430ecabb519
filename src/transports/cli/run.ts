/** The command line: finds the command, tells usage errors from failures, and gives the exit code. */
import type { Report } from "../../pipeline/Audit.ts"
import type { OpenEngine } from "../../pipeline/Engine.ts"
import { roster } from "../../surface/Tools.ts"
import { usage as mcpUsage } from "../mcp/command.ts"
import { UsageError } from "./Arguments.ts"
import { audit, usage as auditUsage } from "./audit.ts"
import { call, usage as callUsage } from "./call.ts"
import { capabilities, index, status } from "./shortcuts.ts"
import { start, usage as startUsage } from "./start.ts"

/** What commands need of the rest, loaded when they do. */
export interface Deps {
  readonly version: string
  readonly loadEngine: () => Promise<OpenEngine>
  /** The audit of a folder, or why there is none. */
  readonly loadAudit: () => Promise<(directory: string) => (Report & { readonly granted: boolean }) | string>
}

const help = `portico COMMAND

  start [PATH]                       index a folder, show some answers, tell how to connect an agent
  mcp                                serve the Model Context Protocol on standard input and output
  call TOOL …                        make one call of a tool
  index [PATH] [--anew]              bring the index up to date
  status [PATH]                      what is indexed, and what is not and why
  capabilities [DOMAIN [OPERATION]]  what the tools can do
  tools                              the tools and their purpose
  audit                              what every operation may use, checked
  version                            the version

index, status and capabilities take --dir PATH and --json. portico COMMAND --help tells more of start, mcp, call and audit.
`

const tools = async (args: ReadonlyArray<string>): Promise<number> => {
  if (args.length > 1 || (args.length === 1 && args[0] !== "--json"))
    throw new UsageError("portico tools takes --json only")
  if (args[0] === "--json") process.stdout.write(`${JSON.stringify(roster, null, 2)}\n`)
  else {
    const width = Math.max(...roster.map(({ name }) => name.length))
    for (const { description, name } of roster)
      process.stdout.write(`${name.padEnd(width)}  ${description}\n`)
  }
  return 0
}

const commands: { readonly [name: string]: (args: ReadonlyArray<string>, deps: Deps) => Promise<number> } = {
  start,
  call,
  index,
  status,
  capabilities,
  tools,
  audit,
  version: async (_, { version }) => {
    process.stdout.write(`${version}\n`)
    return 0
  },
  help: async ([about]) => {
    const usages: { readonly [name: string]: string } = {
      start: startUsage,
      mcp: mcpUsage,
      call: callUsage,
      audit: auditUsage
    }
    process.stdout.write((about === undefined ? undefined : usages[about]) ?? help)
    return 0
  }
}

const otherNames: { readonly [word: string]: string } = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version"
}

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 not understood. */
export const run = async (argv: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const [word, ...args] = argv
  if (word === undefined) {
    process.stderr.write(help)
    return 2
  }
  const name = otherNames[word] ?? word
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    process.stderr.write(`portico: there is no command ${word}\n\n${help}`)
    return 2
  }
  try {
    return await command(args, deps)
  } catch (cause) {
    const usage =
      cause instanceof UsageError ||
      (cause instanceof Error && "code" in cause && String(cause.code).startsWith("ERR_PARSE_ARGS"))
    process.stderr.write(`portico ${name}: ${cause instanceof Error ? cause.message : String(cause)}\n`)
    return usage ? 2 : 1
  }
}
