/** The command line: finds the command, tells usage errors from failures, and gives the exit code. */
import type { Audited } from "../../policy/typed/Audited.ts"
import type { Inspect, OpenEngine, OpenRecords } from "../../pipeline/Engine.ts"
import { usage as mcpUsage } from "../mcp/command.ts"
import { serve, usage as serveUsage } from "../http/command.ts"
import { approvals, usage as approvalsUsage } from "./approvals.ts"
import { UsageError } from "./Arguments.ts"
import { audit, usage as auditUsage } from "./audit.ts"
import { call, usage as callUsage } from "./call.ts"
import { counted } from "./Counted.ts"
import { doctor, usage as doctorUsage } from "./doctor.ts"
import { hook, usage as hookUsage } from "./hook.ts"
import { init, usage as initUsage } from "./init.ts"
import { read } from "./Options.ts"
import { capabilities, capabilitiesUsage, index, indexUsage, status, statusUsage } from "./shortcuts.ts"
import { start, usage as startUsage } from "./start.ts"
import { surface, tools, toolsUsage, usage as surfaceUsage } from "./surface.ts"
import { telemetry, usage as telemetryUsage } from "./telemetry.ts"

/** What commands need of the rest, loaded when they do. */
export interface Deps {
  readonly version: string
  readonly loadEngine: () => Promise<OpenEngine>
  /** Opens the records of a folder, and nothing else of it. */
  readonly loadRecords: () => Promise<OpenRecords>
  /** Looks at what is kept of a folder, and writes to none of it. */
  readonly loadInspect: () => Promise<Inspect>
  /** The audit of this program or of a pack under the settings of a folder, or why there is none. */
  readonly loadAudit: () => Promise<(directory: string, pack?: string) => Promise<Audited | string>>
}

const help = `portico COMMAND

  start [PATH]                       index a folder, show some answers, tell how to connect an agent
  init [PATH]                        connect agents: write the entry of this server into their hosts' settings
  doctor [PATH]                      whether agents are connected, and what is kept is in order
  mcp                                serve the Model Context Protocol on standard input and output
  serve                              serve over HTTP: the tool contract and the Model Context Protocol
  call TOOL …                        make one call of a tool
  index [PATH] [--anew]              bring the index up to date
  status [PATH]                      what is indexed, and what is not and why
  capabilities [DOMAIN [OPERATION]]  what the tools can do
  tools                              the tools of a surface and their purpose
  surface list|diff                  the surfaces a client can be given, and how two differ
  approvals                          the calls that wait for you: list, show, approve or deny them
  audit                              what every operation may use, checked
  audit log|verify|export            the record of calls: shown, checked, copied out
  telemetry                          what is counted, and whether
  hook                               what the hook of an agent's host runs
  version                            the version

index, status and capabilities take --dir PATH and --json. portico COMMAND --help tells more of a command.
`

const versionUsage = `portico version

Prints the version.
`

const usages: { readonly [command: string]: string } = {
  start: startUsage,
  init: initUsage,
  doctor: doctorUsage,
  mcp: mcpUsage,
  serve: serveUsage,
  call: callUsage,
  index: indexUsage,
  status: statusUsage,
  capabilities: capabilitiesUsage,
  tools: toolsUsage,
  surface: surfaceUsage,
  approvals: approvalsUsage,
  audit: auditUsage,
  telemetry: telemetryUsage,
  hook: hookUsage,
  version: versionUsage
}

const commands: { readonly [name: string]: (args: ReadonlyArray<string>, deps: Deps) => Promise<number> } = {
  start,
  init,
  doctor,
  serve,
  call,
  index,
  status,
  capabilities,
  tools,
  surface,
  approvals,
  audit,
  telemetry,
  hook,
  version: async (args, { version }) => {
    const asked = read("version", args, {}, 0)
    process.stdout.write(asked.help ? versionUsage : `${version}\n`)
    return 0
  },
  help: async (args) => {
    const [about] = read("help", args, {}, 1).positionals
    if (about !== undefined && !Object.hasOwn(usages, about))
      throw new UsageError(`there is no command ${about}; there are ${Object.keys(usages).join(", ")}`)
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
  // Whoever looks for a fault finds everything as it was.
  if (command !== doctor) counted(Object.keys(commands), name)
  try {
    return await command(args, deps)
  } catch (cause) {
    process.stderr.write(`portico ${name}: ${cause instanceof Error ? cause.message : String(cause)}\n`)
    return cause instanceof UsageError ? 2 : 1
  }
}
