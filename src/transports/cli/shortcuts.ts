/** Commands that are one call with a name of their own. */
import { folder } from "./Arguments.ts"
import { brief } from "./Brief.ts"
import { codeOf, shown } from "./call.ts"
import { health } from "./Health.ts"
import { flag, read, value } from "./Options.ts"
import { place } from "./Place.ts"
import type { Deps } from "./run.ts"
import { withSession } from "./Session.ts"

export const statusUsage = `portico status [PATH] [--json]

Prints what is indexed, and what is not and why: files skipped by reason, files that failed, files that changed since.

  --dir PATH  the same as PATH; the current folder when absent
  --json      the answer in its structured form

The work tree around the folder is what is indexed. Exits with 0 for an answer, 1 when there is none.
`

export const indexUsage = `portico index [PATH] [--anew] [--json]

Brings the index up to date with the work tree and prints what was read.

  --dir PATH  the same as PATH; the current folder when absent
  --anew      forget what is indexed and read everything again
  --json      the answer in its structured form

The work tree around the folder is what is indexed. Exits with 0 when it is done, 1 when it failed.
`

export const capabilitiesUsage = `portico capabilities [DOMAIN [OPERATION]] [--json]

Prints what the tools can do: all of them, the operations of one, or one operation with its arguments.

  --dir PATH  folder to serve; the current one when absent
  --json      the answer in its structured form
`

const common = { dir: value("PATH"), json: flag }

const told = (usage: string): Promise<number> => {
  process.stdout.write(usage)
  return Promise.resolve(0)
}

const one = async (
  deps: Deps,
  directory: string,
  json: boolean,
  tool: string,
  sent: { readonly [key: string]: unknown },
  view: (answer: { readonly [key: string]: unknown }) => unknown = (answer) => answer
): Promise<number> =>
  withSession(deps.loadEngine, directory, async ({ call }) => {
    const result = await call(tool, sent)
    const failed = result.isError === true
    const text = json
      ? shown(result, "json", false)
      : brief(failed ? result.structuredContent["message"] : view(result.structuredContent), 400, 1000)
    ;(failed && !json ? process.stderr : process.stdout).write(`${text}\n`)
    return codeOf(result)
  })

/** What is indexed, what is left out and why. */
export const status = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const {
    help,
    positionals,
    values: { dir, json }
  } = read("status", args, common, 1)
  if (help) return told(statusUsage)
  const sent = { operation: "index", arguments: { compact: false } }
  return one(deps, place(dir, positionals[0]), json, "workspace", sent, health)
}

/** Brings the index up to date; with `--anew` from nothing. */
export const index = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const {
    help,
    positionals,
    values: { anew, dir, json }
  } = read("index", args, { ...common, anew: flag }, 1)
  if (help) return told(indexUsage)
  const directory = place(dir, positionals[0])
  return one(
    deps,
    directory,
    json,
    "workspace_admin",
    anew ? { operation: "index", arguments: { path: directory } } : { operation: "reindex" }
  )
}

/** Lists of tools and operations with what is available in words; other answers as they are. */
const inWords = (answer: { readonly [key: string]: unknown }): unknown => {
  const { domains, operations: list } = answer
  if (Array.isArray(domains)) {
    return {
      ...answer,
      domains: domains.map(({ available, description, effect, name, operations }) => ({
        name,
        effect,
        operations: `${available} of ${operations} operations available`,
        description
      }))
    }
  }
  if (!Array.isArray(list)) return answer
  return {
    ...answer,
    operations: list.map(({ available, ...operation }) => ({
      ...operation,
      available: available === true ? "" : "(not available)"
    }))
  }
}

/** What the tools can do. */
export const capabilities = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const {
    help,
    positionals: [domain, operation],
    values: { dir, json }
  } = read("capabilities", args, common, 2)
  if (help) return told(capabilitiesUsage)
  const sent = {
    ...(domain === undefined ? {} : { domain }),
    ...(operation === undefined ? {} : { operation, detail: "schema" })
  }
  return one(deps, folder(dir ?? "."), json, "capabilities", sent, inWords)
}
