/** The command line of `portico mcp`. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { userFile } from "../../policy/UserFile.ts"
import { surfaceNames, type Wishes } from "../../surface/Selection.ts"
import type { ServeOptions } from "./serve.ts"

export const usage = `portico mcp [--dir PATH] [--tools NAMES]

Serves the Model Context Protocol on standard input and output.

  --dir PATH     folder to serve; the current one when absent
  --tools NAMES  tools to show, with commas or blanks between: a surface, changed by +NAME and -NAME, or single
                 tools; with hide, tools that are not shown are refused. Overrides PORTICO_TOOLS.
                 Surfaces: ${surfaceNames.join(", ")}
`

/**
 * The surface the user's settings pin, or those of a folder. Settings are decoded only when they seem to pin one; broken
 * ones pin nothing, and that is said on standard error.
 */
const pinned = async (directory: string): Promise<string | undefined> => {
  for (const file of [userFile(), join(directory, ".effectrc")]) {
    let text: string
    try {
      text = readFileSync(file, "utf8")
    } catch {
      continue
    }
    if (!text.includes('"tools"')) continue
    const { read } = await import("../../policy/Config.ts")
    const config = read(text)
    if (config._tag === "Left") process.stderr.write(`portico mcp: ${config.left}\n`)
    else if (config.right.tools !== undefined) return config.right.tools
  }
  return undefined
}

/** What the environment says, under the first of these names that says something. */
const environment = (...names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => process.env[name]).find((value) => value !== undefined && value.trim() !== "")

/** What a start on a folder wishes of its sessions; `tools` is what the command line says. */
export const wishesOf = async (
  directory: string,
  tools: string | undefined
): Promise<Omit<Wishes, "client">> => ({
  forwarded: tools ?? environment("PORTICO_TOOLS", "GORTEX_TOOLS"),
  operator: await pinned(directory),
  profile: environment("PORTICO_INSTRUCTIONS_PROFILE", "GORTEX_INSTRUCTIONS_PROFILE")
})

/** Reads the arguments and serves. Wrong ones are said on standard error, and the process exits with 2. */
export const mcp = async (
  args: ReadonlyArray<string>,
  given: Pick<ServeOptions, "version" | "loadEngine">
): Promise<void> => {
  let values: {
    readonly dir?: string | undefined
    readonly tools?: string | undefined
    readonly help?: boolean | undefined
  }
  try {
    values = parseArgs({
      args: [...args],
      options: { dir: { type: "string" }, tools: { type: "string" }, help: { type: "boolean", short: "h" } }
    }).values
  } catch (cause) {
    process.stderr.write(`portico mcp: ${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`)
    process.exitCode = 2
    return
  }
  if (values.help === true) {
    process.stdout.write(usage)
    return
  }
  const { serve } = await import("./serve.ts")
  const directory = resolve(values.dir ?? ".")
  await serve({
    ...given,
    directory,
    wishes: await wishesOf(directory, values.tools)
  })
}
