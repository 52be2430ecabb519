/** `portico start`: indexes a folder, shows what can be asked about it, and how to connect an agent. */
import { realpathSync } from "node:fs"
import { basename } from "node:path"
import { parseArgs } from "node:util"
import { folder, UsageError } from "./Arguments.ts"
import { brief } from "./Brief.ts"
import type { Deps } from "./run.ts"
import { type Session, withSession } from "./Session.ts"

export const usage = `portico start [PATH]

Indexes PATH, the current folder when absent, shows a few answers about it, and prints how to connect an agent.
`

const print = (text = ""): void => {
  process.stdout.write(`${text}\n`)
}

const quote = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** A command line that makes the same call. */
const line = (tool: string, args: { readonly [key: string]: unknown }): string =>
  `portico call ${tool} --json ${quote(JSON.stringify(args))}`

const visit = async (
  { call }: Session,
  title: string,
  tool: string,
  args: { readonly [key: string]: unknown },
  most: number
): Promise<void> => {
  const result = await call(tool, args)
  print(`── ${title}`)
  print(`$ ${line(tool, args)}`)
  print(
    result.isError === true
      ? `not answered: ${String(result.structuredContent["message"])}`
      : brief(result.structuredContent, most)
  )
  print()
}

const tour = async (session: Session): Promise<void> => {
  let found
  try {
    found = await session.engine.highlights(1)
  } catch (cause) {
    print(`There is no index to ask: ${cause instanceof Error ? cause.message : String(cause)}`)
    print()
    return
  }
  await visit(session, "What is here", "explore", { operation: "outline" }, 24)
  const [first] = found
  if (first === undefined) {
    print("No functions or types were found here, so there is nothing to search, read or follow.")
    print()
    return
  }
  print(
    `The most used definition is ${first.name} (${first.kind}, ${first.path}:${first.line}), with ${first.uses} uses.`
  )
  print()
  await visit(
    session,
    "Find it by name",
    "search",
    { operation: "symbols", query: first.name, output: { limit: 5 } },
    12
  )
  await visit(session, "Read it", "read", { target: { symbol: first.id } }, 24)
  await visit(
    session,
    "Who calls it",
    "relations",
    { operation: "callers", target: { symbol: first.id }, output: { limit: 8 } },
    16
  )
}

/** Commands and files that connect agents. `program` is node and the script it runs. */
export const connections = (program: readonly [string, string], directory: string): string => {
  const [command, script] = program
  const words = [quote(command), quote(script), "mcp"].join(" ")
  const server = (args: ReadonlyArray<string>) =>
    JSON.stringify({ mcpServers: { portico: { command, args } } }, null, 2)
  return `Claude Code, in the folder to work on:
  claude mcp add portico -- ${words}

Codex, in ~/.codex/config.toml:
  [mcp_servers.portico]
  command = ${JSON.stringify(command)}
  args = ${JSON.stringify([script, "mcp"])}

Cursor, in .cursor/mcp.json:
${server([script, "mcp", "--dir", directory]).replace(/^/gm, "  ")}`
}

export const start = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } }
  })
  if (values.help === true) {
    process.stdout.write(usage)
    return 0
  }
  if (positionals.length > 1) throw new UsageError(`${positionals[1]} is not expected after the folder`)
  const directory = folder(positionals[0] ?? ".")
  const program = [process.execPath, realpathSync(process.argv[1] as string)] as const
  return withSession(deps.loadEngine, directory, async (session) => {
    const began = performance.now()
    await session.engine.warm(session.meter.report)
    session.meter.end()
    print(`Portico on ${basename(directory)}`)
    const health = await session.call("workspace", { operation: "index" })
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    print(
      health.isError === true
        ? `The state of the index is not known: ${String(health.structuredContent["message"])}`
        : `Index up to date after ${seconds} s\n${brief(health.structuredContent, 16)}`
    )
    print()
    await tour(session)
    const [node, script] = program
    print(`Here portico stands for ${quote(node)} ${quote(script)}.`)
    print()
    print(connections(program, directory))
    return 0
  })
}
