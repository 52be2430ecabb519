/** From the start of a process to its first answers. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Client } from "./Client.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median, percentile } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** Milliseconds from the start of the process. */
export interface Spread {
  readonly least: number
  readonly median: number
  readonly p95: number
}

export interface Started {
  readonly runs: number
  /** `node -e 0`, to its end. */
  readonly node: Spread
  /** A script that answers from fixed texts, to its list of tools. */
  readonly bare: Spread
  /** Ours, to its list of tools. */
  readonly tools: Spread
  /** Median seconds of processor time by then. */
  readonly bareCpuSeconds: number
  readonly toolsCpuSeconds: number
  readonly toolCount: number
  /** Of the list of tools as JSON, and of the instructions. */
  readonly toolsBytes: number
  readonly instructionsBytes: number
  /** Ours on an indexed tree, to the answer of a first question for callers. */
  readonly firstCallers: Spread
}

const spread = (values: ReadonlyArray<number>): Spread => ({
  least: Math.min(...values),
  median: median(values)!,
  p95: percentile(values, 0.95)!
})

const emptyRun = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const at = performance.now()
    spawn(process.execPath, ["-e", "0"], { stdio: "ignore" })
      .on("error", reject)
      .on("exit", () => resolve(performance.now() - at))
  })

export const starting = async (
  subject: Subject,
  tree: string,
  asked: Asked,
  runs: number
): Promise<Started> => {
  const times = {
    node: [] as Array<number>,
    bare: [] as Array<number>,
    tools: [] as Array<number>,
    callers: [] as Array<number>
  }
  const seconds = { bare: [] as Array<number>, tools: [] as Array<number> }
  let toolsText = "[]"
  let toolCount = 0
  let instructions = ""
  const opened = async (client: Client, ours: boolean): Promise<void> => {
    try {
      const hello = await client.open()
      const { tools } = await client.request("tools/list")
      const at = performance.now() - client.startedAt
      const cpu = new ProcessTree(client.pid).processorSeconds()
      if (ours) {
        times.tools.push(at)
        seconds.tools.push(cpu)
        toolsText = JSON.stringify(tools)
        toolCount = tools?.length ?? 0
        instructions = String(hello["instructions"] ?? "")
      } else {
        times.bare.push(at)
        seconds.bare.push(cpu)
      }
    } finally {
      await client.close()
    }
  }
  const bare = fileURLToPath(new URL("./bare.mjs", import.meta.url))
  for (let round = -1; round < runs; round++) {
    const node = await emptyRun()
    await opened(
      new Client(process.execPath, [bare], { cwd: tree, env: { ...subject.env, BARE_TOOLS: toolsText } }),
      false
    )
    await opened(subject.serve(tree), true)
    const client = subject.serve(tree)
    try {
      await client.open()
      const answer = await client.call("relations", { operation: "callers", target: { symbol: asked.id } })
      if (answer.isError === true)
        throw new Error(`callers of ${asked.id}: ${answer.content?.[0]?.text ?? ""}`)
      times.callers.push(performance.now() - client.startedAt)
    } finally {
      await client.close()
    }
    times.node.push(node)
    // The first round fills caches, and tells the bare server what to list.
    if (round < 0) for (const list of [...Object.values(times), ...Object.values(seconds)]) list.length = 0
  }
  return {
    runs,
    node: spread(times.node),
    bare: spread(times.bare),
    tools: spread(times.tools),
    bareCpuSeconds: median(seconds.bare)!,
    toolsCpuSeconds: median(seconds.tools)!,
    toolCount,
    toolsBytes: Buffer.byteLength(toolsText),
    instructionsBytes: Buffer.byteLength(instructions),
    firstCallers: spread(times.callers)
  }
}
