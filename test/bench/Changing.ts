/** From the write of a file to an answer that knows of it. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import type { Answer } from "./Client.ts"
import type { Placed } from "./Indexing.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median, percentile, sample } from "./Statistics.ts"
import type { Subject } from "./Subject.ts"

export interface Changed {
  readonly edits: number
  /** Milliseconds from the write to the answer: of a search for the new symbol, and of the question for its new caller. */
  readonly searchP50: number
  readonly searchP95: number
  readonly callersP50: number
  readonly callersP95: number
  /** Most questions that were needed. */
  readonly mostAsked: number
  /** Seconds of the server's processor time for an edit with all its questions. */
  readonly cpuSeconds: number
  /** Bringing a stored index up to date by command, where there is no server: medians over the edits. */
  readonly peers: ReadonlyArray<{
    readonly name: string
    readonly wallSeconds: number
    readonly cpuSeconds: number
  }>
}

/** A function, and another one that calls it. */
const templates: { readonly [extension: string]: (name: string) => string } = {
  ".go": (name) => `\nfunc ${name}() int { return 1 }\n\nfunc ${name}Caller() int { return ${name}() }\n`,
  ".rs": (name) => `\npub fn ${name}() -> u32 { 1 }\n\npub fn ${name}Caller() -> u32 { ${name}() }\n`,
  ".py": (name) => `\ndef ${name}():\n    return 1\n\n\ndef ${name}Caller():\n    return ${name}()\n`,
  ...Object.fromEntries(
    [".js", ".mjs", ".jsx", ".ts", ".tsx"].map((extension) => [
      extension,
      (name: string) => `\nfunction ${name}() { return 1 }\n\nfunction ${name}Caller() { return ${name}() }\n`
    ])
  )
}

const rows = (answer: Answer, list: string): ReadonlyArray<{ readonly [key: string]: unknown }> => {
  const value = answer.structuredContent?.[list]
  return Array.isArray(value) ? value : []
}

/** Appends to files of the tree and leaves them as they were; peers' copies, which are indexed, it leaves changed. */
export const changing = async (
  subject: Subject,
  peers: ReadonlyArray<Placed>,
  tree: string,
  options: { readonly edits: number; readonly next: () => number }
): Promise<Changed> => {
  const { edits, next } = options
  const editable = subject.sources().filter((path) => templates[extname(path)] !== undefined)
  const paths = sample(editable, edits, next)
  const search: Array<number> = []
  const callers: Array<number> = []
  let mostAsked = 0
  const client = subject.serve(tree)
  const processes = new ProcessTree(client.pid)
  let cpuSeconds: number
  try {
    await client.open()
    await client.call("search", { operation: "symbols", query: "main" })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    const cpuBefore = processes.processorSeconds()
    for (const [i, path] of paths.entries()) {
      const name = `benchProbe${i}x${Math.floor(next() * 1e6)}`
      const file = join(tree, path)
      const before = readFileSync(file)
      const at = performance.now()
      appendFileSync(file, templates[extname(path)]!(name))
      try {
        let id: unknown
        for (let asked = 1; id === undefined; asked++) {
          if (asked > 500) throw new Error(`a new function in ${path} is not found`)
          id = rows(await client.call("search", { operation: "symbols", query: name }), "results").find(
            (row) => row["name"] === name
          )?.["id"]
          mostAsked = Math.max(mostAsked, asked)
        }
        search.push(performance.now() - at)
        for (let asked = 1, seen = false; !seen; asked++) {
          if (asked > 500) throw new Error(`a new caller in ${path} is not found`)
          seen = JSON.stringify(
            (await client.call("relations", { operation: "callers", target: { symbol: id } }))
              .structuredContent
          ).includes(`${name}Caller`)
        }
        callers.push(performance.now() - at)
      } finally {
        writeFileSync(file, before)
      }
      // The next edit finds a server at rest.
      await client.call("search", { operation: "symbols", query: name })
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    cpuSeconds = (processes.processorSeconds() - cpuBefore) / paths.length
  } finally {
    await client.close()
  }
  const others: Array<Changed["peers"][number]> = []
  for (const { peer, tree: copy } of peers) {
    const runs = []
    for (const path of paths.slice(0, 3)) {
      appendFileSync(join(copy, path), templates[extname(path)]!("benchProbe"))
      runs.push(await peer.update(copy))
    }
    others.push({
      name: peer.name,
      wallSeconds: median(runs.map(({ wallMs }) => wallMs / 1000))!,
      cpuSeconds: median(runs.map((run) => run.cpuSeconds))!
    })
  }
  return {
    edits: paths.length,
    searchP50: percentile(search, 0.5)!,
    searchP95: percentile(search, 0.95)!,
    callersP50: percentile(callers, 0.5)!,
    callersP95: percentile(callers, 0.95)!,
    mostAsked,
    cpuSeconds,
    peers: others
  }
}
