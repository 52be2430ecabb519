/** How long a running server takes over the change loop: what a change reaches, what an edit would do. Nothing is written. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Answer } from "./Client.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { type Latency, latency, timed } from "./Serving.ts"
import { percentile, sample } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

export interface Written {
  readonly operations: ReadonlyArray<Latency>
}

/** A line of a file that stands there once, and its 0-based number. */
interface Line {
  readonly path: string
  readonly text: string
  readonly number: number
}

/** The line each function begins on, where its text stands nowhere else in its file. */
const linesOf = (tree: string, functions: ReadonlyArray<Asked>): ReadonlyArray<Line> =>
  functions.flatMap(({ id, name }) => {
    const path = id.slice(0, id.indexOf("::"))
    const whole = readFileSync(join(tree, path), "utf8")
    const lines = whole.split("\n")
    const number = lines.findIndex((line) => line.includes(name) && line.trim().length > name.length)
    const text = lines[number]
    return text === undefined || whole.indexOf(text) !== whole.lastIndexOf(text)
      ? []
      : [{ path, text, number }]
  })

/** Measures on a tree whose index is stored; the tree stays as it is. */
export const writing = async (
  subject: Subject,
  tree: string,
  functions: ReadonlyArray<Asked>,
  options: { readonly count: number; readonly next: () => number }
): Promise<Written> => {
  const picked = sample(functions, options.count, options.next)
  const lines = linesOf(tree, picked)
  const client = subject.serve(tree)
  const processes = new ProcessTree(client.pid)
  try {
    await client.open()
    await client.call("change", { operation: "impact", target: { symbol: picked[0]!.id } })
    // What the start left to do in the background is done before anything is measured.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    const pings = await timed(
      client,
      processes,
      picked.map(() => () => client.request("ping"))
    )
    const ping = percentile(pings.ms, 0.5)!
    const plans: ReadonlyArray<readonly [string, ReadonlyArray<() => Promise<Answer>>]> = [
      [
        "what a change reaches",
        picked.map(
          ({ id }) =>
            () =>
              client.call("change", { operation: "impact", target: { symbol: id } })
        )
      ],
      [
        "tests of a symbol",
        picked.map(
          ({ id }) =>
            () =>
              client.call("change", { operation: "tests", target: { symbol: id } })
        )
      ],
      [
        "dry run of an edit",
        lines.map(
          ({ path, text }) =>
            () =>
              client.call("edit", {
                operation: "file",
                target: { file: path },
                match: text,
                replacement: `${text} `,
                options: { dry_run: true }
              })
        )
      ],
      [
        "simulation of an edit",
        lines.map(({ number, path, text }) => () => {
          const end = { line: number, character: text.length }
          return client.call("change", {
            operation: "simulate",
            source: { steps: [{ changes: { [path]: [{ range: { start: end, end }, newText: " " }] } }] },
            options: { diagnostics: false }
          })
        })
      ]
    ]
    const operations: Array<Latency> = []
    for (const [operation, calls] of plans)
      if (calls.length > 0) operations.push(latency(operation, await timed(client, processes, calls), ping))
    return { operations }
  } finally {
    await client.close()
  }
}
