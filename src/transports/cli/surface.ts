/** What a client would see: the tools of a surface, and how two surfaces differ. */
import { compact, isCompact, parse, surfaceNames } from "../../surface/Selection.ts"
import type { Surface } from "../../surface/Surface.ts"
import { roster, type ToolDefinition } from "../../surface/Tools.ts"
import { UsageError } from "./Arguments.ts"
import { flag, read, value } from "./Options.ts"
import type { Deps } from "./run.ts"
import { withSession } from "./Session.ts"

const specification = `A surface is ${surfaceNames.join(", ")}, changed by +NAME and -NAME, or the names of single
tools; with hide, tools that are not shown are refused. Commas or blanks stand between the words.`

export const toolsUsage = `portico tools [--surface NAMES] [--json]

Prints the tools of a surface and their purpose; with --json as a client lists them.

  --surface NAMES  the surface; compact when absent
  --json           the list as a client gets it

${specification}
`

export const usage = `portico surface COMMAND

  list      the surfaces: how many tools each has, and the bytes of their list
  diff A B  what a client would see of B and not of A, and what changes

  --json    the answer in its structured form

${specification}
`

type Shown = Pick<Surface, "name" | "mode" | "tools" | "warnings">

/** Looks at surfaces; only others than the compact one need the registry. */
const withSurfaces = async <A>(
  deps: Deps,
  specifications: ReadonlyArray<string>,
  use: (surfaces: ReadonlyArray<Shown>) => A
): Promise<A> => {
  const choices = specifications.map(parse)
  if (choices.every(isCompact))
    return use(choices.map(() => ({ name: "compact", mode: compact.mode, tools: roster, warnings: [] })))
  const surfaces = await withSession(deps.loadEngine, ".", async ({ engine }) => choices.map(engine.surface))
  for (const { warnings } of surfaces)
    for (const warning of warnings) process.stderr.write(`portico: ${warning}\n`)
  return use(surfaces)
}

const print = (text: string): void => {
  process.stdout.write(text)
}

const asJson = (answer: unknown): void => print(`${JSON.stringify(answer, null, 2)}\n`)

const table = (rows: ReadonlyArray<readonly [name: string, words: string]>): string => {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, words]) => `${name.padEnd(width)}  ${words}\n`).join("")
}

/** `portico tools`. */
export const tools = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, values } = read("tools", args, { json: flag, surface: value("NAMES") }, 0)
  if (help) print(toolsUsage)
  else
    await withSurfaces(deps, [values.surface ?? "compact"], ([surface]) => {
      const shown = (surface as Shown).tools
      if (values.json) asJson(shown)
      else print(table(shown.map(({ description, name }) => [name, description])))
    })
  return 0
}

/** Bytes of a list of tools as a client gets it. */
const bytesOf = (of: ReadonlyArray<ToolDefinition>): number =>
  Buffer.byteLength(JSON.stringify({ tools: of }))

/** What two tools of one name differ in: any member a client is shown. */
const changes = (left: ToolDefinition, right: ToolDefinition): ReadonlyArray<string> =>
  ([...new Set(Object.keys({ ...left, ...right }))] as ReadonlyArray<keyof ToolDefinition>).filter(
    (part) => JSON.stringify(left[part]) !== JSON.stringify(right[part])
  )

const facts = ({ mode, name, tools: of }: Shown) => ({
  surface: name,
  mode,
  tools: of.length,
  bytes: bytesOf(of)
})

/** What a client would see of the second and not of the first, and the other way round. */
export const difference = (left: Shown, right: Shown) => {
  const [before, after] = [left, right].map(
    ({ tools: of }) => new Map(of.map((tool) => [tool.name, tool]))
  ) as [Map<string, ToolDefinition>, Map<string, ToolDefinition>]
  const changed = [...before].flatMap(([name, tool]) => {
    const other = after.get(name)
    const parts = other === undefined ? [] : changes(tool, other)
    return parts.length === 0 ? [] : [{ name, changes: parts }]
  })
  return {
    from: facts(left),
    to: facts(right),
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed,
    same: [...before.keys()].filter((name) => after.has(name)).length - changed.length
  }
}

const sentence = ({ bytes, mode, surface, tools: count }: ReturnType<typeof facts>): string =>
  `${surface} (${mode}): ${count} tools, ${bytes} bytes`

/** `portico surface`. */
export const surface = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, positionals, values } = read("surface", args, { json: flag }, 3)
  const [command, ...names] = positionals
  if (help) {
    print(usage)
    return 0
  }
  if (command === "list" && names.length === 0)
    await withSurfaces(deps, surfaceNames, (surfaces) => {
      const rows = surfaces.map(facts)
      if (values.json) asJson({ surfaces: rows })
      else
        print(table(rows.map((row) => [row.surface, `${row.mode}  ${row.tools} tools  ${row.bytes} bytes`])))
    })
  else if (command === "diff" && names.length === 2)
    await withSurfaces(deps, names, ([left, right]) => {
      const found = difference(left as Shown, right as Shown)
      if (values.json) return asJson(found)
      print(`- ${sentence(found.from)}\n+ ${sentence(found.to)}\n\n`)
      for (const name of found.removed) print(`- ${name}\n`)
      for (const name of found.added) print(`+ ${name}\n`)
      for (const { changes: parts, name } of found.changed) print(`~ ${name}: ${parts.join(", ")}\n`)
      print(`${found.same} the same\n`)
    })
  else throw new UsageError("surface takes list, or diff and two surfaces; portico surface --help tells more")
  return 0
}
