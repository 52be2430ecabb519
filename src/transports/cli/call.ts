/** `portico call`: a tool by its name and its arguments, the same as over the protocol. */
import { readFileSync } from "node:fs"
import type { CallResult } from "../../pipeline/CallResult.ts"
import { assign, folder, jsonObject, UsageError } from "./Arguments.ts"
import { flag, read, value, values as list } from "./Options.ts"
import type { Deps } from "./run.ts"
import { withSession } from "./Session.ts"

export const usage = `portico call TOOL [--json OBJECT | --json-file FILE] [--arg KEY=TEXT | --arg KEY:=JSON]…

Makes one call. TOOL and the arguments are those of the protocol.

  --json OBJECT     the arguments as one JSON object
  --json-file FILE  the same from a file; - for standard input
  --arg KEY=TEXT    one argument, dots in KEY lead into objects; KEY:=JSON for anything but text
  --format FORMAT   text prints the answer's text (as it is without this), json its structured form
  --meta            print what is said about the call as well
  --dir PATH        folder to serve; the current one when absent

Exits with 0 for an answer, 1 when the tool failed, 2 when the command line was wrong.
`

/** What is printed for a result. */
export const shown = (result: CallResult, format: "text" | "json", meta: boolean): string => {
  if (format === "json") {
    return JSON.stringify(
      meta ? { ...result.structuredContent, _meta: result._meta } : result.structuredContent,
      null,
      2
    )
  }
  const text = result.content.map((part) => part.text).join("\n")
  return meta ? `${text.replace(/\n$/, "")}\n${JSON.stringify({ _meta: result._meta })}` : text
}

/** The exit code a result asks for: a tool that is not there is a wrong command line. */
export const codeOf = (result: CallResult): number =>
  result.isError !== true ? 0 : result.structuredContent["error_code"] === "unknown_tool" ? 2 : 1

const withEnd = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`)

export const call = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, positionals, values } = read(
    "call",
    args,
    {
      json: value("OBJECT"),
      "json-file": value("FILE"),
      arg: list("KEY=TEXT"),
      format: value("FORMAT"),
      meta: flag,
      dir: value("PATH")
    },
    Infinity
  )
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const [tool, ...more] = positionals
  if (tool === undefined) throw new UsageError("name a tool; portico tools lists them")
  if (more.length > 0)
    throw new UsageError(`${more[0]} is not expected here; arguments are given with --arg or --json`)
  const format = values.format ?? "text"
  if (format !== "text" && format !== "json") throw new UsageError(`--format is text or json, not ${format}`)
  if (values.json !== undefined && values["json-file"] !== undefined) {
    throw new UsageError("--json and --json-file exclude each other")
  }
  const file = values["json-file"]
  let sent = {}
  if (values.json !== undefined) sent = jsonObject(values.json, "--json")
  if (file !== undefined) {
    let text: string
    try {
      text = readFileSync(file === "-" ? 0 : file, "utf8")
    } catch (cause) {
      throw new UsageError(
        `--json-file ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
      )
    }
    sent = jsonObject(text, `--json-file ${file}`)
  }
  for (const assignment of values.arg) assign(sent, assignment)
  return withSession(deps.loadEngine, folder(values.dir ?? "."), async (session) => {
    const result = await session.call(tool, sent)
    const code = codeOf(result)
    if (code === 2) process.stderr.write(`portico call: ${String(result.structuredContent["message"])}\n`)
    else process.stdout.write(withEnd(shown(result, format, values.meta)))
    return code
  })
}
