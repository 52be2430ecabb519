/** `portico start`: indexes a folder, shows what can be asked about it, and how to connect an agent. */
import { here, shownPath } from "../../hosts/Host.ts"
import { hosts } from "../../hosts/index.ts"
import { ownProgram, type Program, shellLine } from "../../hosts/Program.ts"
import { folder } from "./Arguments.ts"
import { brief } from "./Brief.ts"
import { read } from "./Options.ts"
import { dirWords, type Place, placeOf, workTree } from "./Place.ts"
import type { Deps } from "./run.ts"
import { type Session, withSession } from "./Session.ts"

export const usage = `portico start [PATH]

Indexes the work tree around PATH, the current folder when absent, shows a few answers about it, and prints how to
connect an agent.
`

const print = (text = ""): void => {
  process.stdout.write(`${text}\n`)
}

/** A command line that makes the same call. `dir` are the words that name the folder. */
const line = (tool: string, dir: ReadonlyArray<string>, args: { readonly [key: string]: unknown }): string =>
  shellLine(["portico", "call", tool, ...dir, "--json", JSON.stringify(args)])

const visit = async (
  { call }: Session,
  dir: ReadonlyArray<string>,
  title: string,
  tool: string,
  args: { readonly [key: string]: unknown },
  most: number
): Promise<void> => {
  const result = await call(tool, args)
  print(`── ${title}`)
  print(`$ ${line(tool, dir, args)}`)
  print(
    result.isError === true
      ? `not answered: ${String(result.structuredContent["message"])}`
      : brief(result.structuredContent, most)
  )
  print()
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const tour = async (session: Session, dir: ReadonlyArray<string>): Promise<void> => {
  let found
  try {
    found = await session.engine.highlights(1)
  } catch (cause) {
    print(`There is no index to ask: ${cause instanceof Error ? cause.message : String(cause)}`)
    print()
    return
  }
  await visit(session, dir, "What is here", "explore", { operation: "outline" }, 24)
  const [first] = found
  if (first === undefined) {
    print("No definition is indexed here, so there is nothing to search, read or follow.")
    print()
    return
  }
  const { calls, uses } = first
  const where = `${first.name} (${first.kind}, ${first.path}:${first.line})`
  print(
    calls > 0
      ? `A definition to look at: ${where}, with ${counted(calls, "call")}.`
      : uses > 0
        ? `A definition to look at: ${where}, with ${counted(uses, "use")}.`
        : `A definition to look at: ${where}. No use of any definition is known here.`
  )
  print()
  await visit(
    session,
    dir,
    "Find it by name",
    "search",
    { operation: "symbols", query: first.name, output: { limit: 5 } },
    12
  )
  await visit(session, dir, "Read it", "read", { target: { symbol: first.id } }, 24)
  if (uses === 0) return
  const [question, operation] = calls > 0 ? ["Who calls it", "callers"] : ["Where it is used", "usages"]
  await visit(
    session,
    dir,
    question,
    "relations",
    { operation, target: { symbol: first.id }, output: { limit: 8 } },
    16
  )
}

const titleOf = ({ name, within }: Place): string =>
  `Portico on ${name}${within === undefined ? "" : `\nThe folder ${within} lies in it; all of ${name} is indexed.`}`

/** What connects agents, host by host: how it is written by itself, and what that is. */
const connections = async (program: Program, directory: string): Promise<string> => {
  const { sample } = await import("../../hosts/Setup.ts")
  const where = here(workTree(directory))
  const entries = hosts.map((host) => {
    const { place, text } = sample(host, where, program)
    return `${host.title}, in ${shownPath(place.file, where)}:\n${text.replace(/^/gm, "  ")}`
  })
  return ["To connect an agent: portico init. It writes these entries and nothing else.", ...entries].join(
    "\n\n"
  )
}

export const start = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const {
    help,
    positionals: [given]
  } = read("start", args, {}, 1)
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const directory = folder(given ?? ".")
  const program = ownProgram()
  return withSession(deps.loadEngine, directory, async (session) => {
    const began = performance.now()
    await session.engine.warm(session.meter.report)
    session.meter.end()
    const { workspace } = (await session.call("workspace", { operation: "info" })).structuredContent
    print(titleOf(placeOf(directory, typeof workspace === "string" ? workspace : undefined)))
    const health = await session.call("workspace", { operation: "index" })
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    print(
      health.isError === true
        ? `The state of the index is not known: ${String(health.structuredContent["message"])}`
        : `Index up to date after ${seconds} s\n${brief(health.structuredContent, 16)}`
    )
    print()
    await tour(session, dirWords(given))
    print(`Here portico stands for ${shellLine(program)}.`)
    print()
    print(await connections(program, directory))
    return 0
  })
}
