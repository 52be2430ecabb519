/** Commands that are one call with a name of their own. */
import { parseArgs } from "node:util"
import { folder, UsageError } from "./Arguments.ts"
import { brief } from "./Brief.ts"
import { codeOf, shown } from "./call.ts"
import type { Deps } from "./run.ts"
import { withSession } from "./Session.ts"

const read = (command: string, args: ReadonlyArray<string>, most: number) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      dir: { type: "string" },
      json: { type: "boolean", default: false },
      anew: { type: "boolean", default: false }
    }
  })
  if (positionals.length > most)
    throw new UsageError(`${positionals[most]} is not expected after portico ${command}`)
  if (values.anew && command !== "index") throw new UsageError(`portico ${command} has no --anew`)
  return { positionals, ...values }
}

const one = async (
  deps: Deps,
  directory: string,
  json: boolean,
  tool: string,
  sent: { readonly [key: string]: unknown }
): Promise<number> =>
  withSession(deps.loadEngine, directory, async ({ call }) => {
    const result = await call(tool, sent)
    const failed = result.isError === true
    const text = json
      ? shown(result, "json", false)
      : brief(failed ? result.structuredContent["message"] : result.structuredContent, 400, 1000)
    ;(failed && !json ? process.stderr : process.stdout).write(`${text}\n`)
    return codeOf(result)
  })

/** What is indexed, what is left out and why. */
export const status = (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { dir, json, positionals } = read("status", args, 1)
  return one(deps, folder(dir ?? positionals[0] ?? "."), json, "workspace", { operation: "index" })
}

/** Brings the index up to date; with `--anew` from nothing. */
export const index = (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { anew, dir, json, positionals } = read("index", args, 1)
  const directory = folder(dir ?? positionals[0] ?? ".")
  return one(
    deps,
    directory,
    json,
    "workspace_admin",
    anew ? { operation: "index", arguments: { path: directory } } : { operation: "reindex" }
  )
}

/** What the tools can do. */
export const capabilities = (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const {
    dir,
    json,
    positionals: [domain, operation]
  } = read("capabilities", args, 2)
  return one(deps, folder(dir ?? "."), json, "capabilities", {
    ...(domain === undefined ? {} : { domain }),
    ...(operation === undefined ? {} : { operation, detail: "schema" })
  })
}
