/** The command line of `portico mcp`. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { ServeOptions } from "./serve.ts"

export const usage = `portico mcp [--dir PATH] [--tools NAME]

Serves the Model Context Protocol on standard input and output.

  --dir PATH    folder to serve; the current one when absent
  --tools NAME  tools to show; overrides PORTICO_TOOLS
`

/**
 * The surface a folder's configuration pins. The configuration is decoded only when it seems to pin one; one that is
 * broken pins nothing, and that is said on standard error.
 */
const pinned = async (directory: string): Promise<string | undefined> => {
  let text: string
  try {
    text = readFileSync(join(directory, ".effectrc"), "utf8")
  } catch {
    return undefined
  }
  if (!text.includes('"tools"')) return undefined
  const { read } = await import("../../policy/Config.ts")
  const config = read(text)
  if (config._tag === "Right") return config.right.tools
  process.stderr.write(`portico mcp: ${config.left}\n`)
  return undefined
}

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
    wishes: { forwarded: values.tools ?? process.env["PORTICO_TOOLS"], operator: await pinned(directory) }
  })
}
