/** `portico telemetry`: whether anything is counted, who said so, and all of what was. */
import type { Counts } from "../../telemetry/Tally.ts"
import { Control, type Report } from "../../telemetry/Telemetry.ts"
import { wrongWith } from "../../telemetry/Consent.ts"
import { UsageError } from "./Arguments.ts"
import { columns } from "./Columns.ts"
import { flag, read, value } from "./Options.ts"

export const usage = `portico telemetry [status | on [--endpoint URL] | off | show] [--json]

Counts of calls and commands by name: off unless you turn it on, and sent nowhere unless you name an endpoint.

  status          whether anything is counted, who said so, and where to it is sent (what is done without a word)
  on              count from now on; with --endpoint URL, send each finished day there, once
  off             count nothing, and remove what was counted
  show            what was counted today, what would be sent as it would be, and what never is

PORTICO_TELEMETRY or GORTEX_TELEMETRY decide before what is saved here; DO_NOT_TRACK can turn it off, never on.
PORTICO_TELEMETRY_ENDPOINT is asked before the saved endpoint. --json gives status and show in their structured form.
`

const verbs = ["status", "on", "off", "show"] as const

const consentLine = ({ consent }: Pick<Report, "consent">): string => {
  const { on, problem, source } = consent
  const who = source === "default" ? "nobody turned it on" : `says ${source}`
  return `telemetry is ${on ? "on" : "off"}: ${problem ?? who}`
}

const endpointLine = ({ consent, endpoint }: Pick<Report, "consent" | "endpoint">): string => {
  const { problem, source, url } = endpoint
  if (problem !== undefined) return `nothing is sent: ${problem} (${source})`
  if (url === undefined) return "nothing is sent: there is no endpoint"
  return consent.on
    ? `each finished day is sent once to ${url} (${source})`
    : `nothing is sent; the endpoint would be ${url} (${source})`
}

const tableOf = (counts: Counts): string => {
  const rows = Object.entries(counts).flatMap(([key, row]) =>
    Object.entries(row).map(([dimension, count]) => [key, dimension, `${count}`])
  )
  return rows.length === 0 ? "  nothing" : columns(rows).replace(/^/gm, "  ")
}

const percent = (rate: number | undefined): string =>
  rate === undefined ? "-" : `${Math.round(100 * rate)} %`

const hooksOf = (hooks: Report["hooks"]): string =>
  hooks.length === 0
    ? "  nothing"
    : columns([
        ["EVENT", "TIMES", "SPOKE", "SERVER", "ALTERNATIVES", "P50", "P95"],
        ...hooks.map((each) => [
          each.event,
          `${each.times}`,
          percent(each.emitted_context_rate),
          percent(each.server_reachable_rate),
          `up to ${each.most_alternation_segments}`,
          `${each.p50_ms} ms`,
          `${each.p95_ms} ms`
        ])
      ]).replace(/^/gm, "  ")

const decisionsOf = (decisions: Report["hook_decisions"]): string =>
  decisions.length === 0
    ? "  nothing"
    : columns([
        ["EVENT", "DECISION", "REASON", "TOOL", "TIMES"],
        ...decisions.map(({ decision, event, reason, times, tool = "-" }) => [
          event,
          decision,
          reason,
          tool,
          `${times}`
        ])
      ]).replace(/^/gm, "  ")

const shown = (report: Report): string =>
  [
    consentLine(report),
    endpointLine(report),
    "",
    "counted today:",
    tableOf(report.today),
    "",
    report.waiting.length === 0
      ? "no finished day waits to be sent"
      : `finished days that were not sent, as they would be:\n${report.waiting.map(({ body }) => `  ${body}`).join("\n")}`,
    "",
    "counted for this machine, never sent:",
    tableOf(report.local.kept),
    "",
    "hooks on this machine, never sent:",
    hooksOf(report.hooks),
    "",
    "what they decided, never sent:",
    decisionsOf(report.hook_decisions)
  ].join("\n")

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

export const telemetry = async (args: ReadonlyArray<string>): Promise<number> => {
  const { help, positionals, values } = read("telemetry", args, { endpoint: value("URL"), json: flag }, 1)
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const [word = "status"] = positionals
  const verb = verbs.find((each) => each === word)
  if (verb === undefined) throw new UsageError(`${word} is none of ${verbs.join(", ")}`)
  const { endpoint, json } = values
  if (endpoint !== undefined && verb !== "on") throw new UsageError("--endpoint goes with on")
  if (json && verb !== "status" && verb !== "show") throw new UsageError("--json goes with status and show")
  const wrong = endpoint === undefined ? undefined : wrongWith(endpoint)
  if (wrong !== undefined) throw new UsageError(`--endpoint ${endpoint}: ${wrong}`)
  const control = new Control()
  if (verb === "on") control.agree(endpoint)
  if (verb === "off") control.refuse()
  if (verb === "show") {
    const report = control.report()
    print(json ? JSON.stringify(report, null, 2) : shown(report))
    return 0
  }
  const { consent } = control
  const status = { consent, endpoint: control.endpoint }
  print(json ? JSON.stringify(status, null, 2) : `${consentLine(status)}\n${endpointLine(status)}`)
  if (verb !== "status" && consent.on !== (verb === "on")) {
    process.stderr.write(`portico telemetry: saved, but ${consent.source} decides otherwise\n`)
    return 1
  }
  return 0
}
