/** From the start of a process to its first answers. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Client } from "./Client.ts"
import { HttpClient } from "./HttpClient.ts"
import { HttpSubject, serveHttp } from "./HttpSubject.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median, percentile } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** Milliseconds from the start of the process. */
export interface Spread {
  readonly least: number
  readonly median: number
  readonly p95: number
}

/** One way in. */
export interface Way {
  /** A script that answers from fixed texts, to its list of tools. */
  readonly bare: Spread
  /** Ours, to its list of tools. */
  readonly tools: Spread
  /** Median seconds of processor time by then. */
  readonly bareCpuSeconds: number
  readonly toolsCpuSeconds: number
  /** Ours on an indexed tree, to the answer of a first question for callers. */
  readonly firstCallers: Spread
}

export interface Started {
  readonly runs: number
  /** `node -e 0`, to its end. */
  readonly node: Spread
  readonly stdio: Way
  readonly http: Way
  readonly toolCount: number
  /** Of the list of tools as JSON, and of the instructions. */
  readonly toolsBytes: number
  readonly instructionsBytes: number
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

/** Measurements of one way in, as they come. */
const measurements = () => ({
  bare: [] as Array<number>,
  tools: [] as Array<number>,
  callers: [] as Array<number>,
  bareCpu: [] as Array<number>,
  toolsCpu: [] as Array<number>
})

const wayOf = (m: ReturnType<typeof measurements>): Way => ({
  bare: spread(m.bare),
  tools: spread(m.tools),
  bareCpuSeconds: median(m.bareCpu)!,
  toolsCpuSeconds: median(m.toolsCpu)!,
  firstCallers: spread(m.callers)
})

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const starting = async (
  subject: Subject,
  tree: string,
  asked: Asked,
  tokens: string,
  runs: number
): Promise<Started> => {
  const node: Array<number> = []
  const stdio = measurements()
  const http = measurements()
  let toolsText = "[]"
  let toolCount = 0
  let instructions = ""
  const question = { operation: "callers", target: { symbol: asked.id } }
  const bareOptions = () => ({ cwd: tree, env: { ...subject.env, BARE_TOOLS: toolsText } })
  const refused = (text: string | undefined) => new Error(`callers of ${asked.id}: ${text ?? ""}`)

  const opened = async (client: Client, which: "bare" | "tools"): Promise<void> => {
    try {
      const hello = await client.open()
      const { tools } = await client.request("tools/list")
      stdio[which].push(performance.now() - client.startedAt)
      stdio[`${which}Cpu`].push(new ProcessTree(client.pid).processorSeconds())
      if (which === "bare") return
      toolsText = JSON.stringify(tools)
      toolCount = tools?.length ?? 0
      instructions = String(hello["instructions"] ?? "")
    } finally {
      await client.close()
    }
  }
  const openedHttp = async (server: HttpSubject, which: "bare" | "tools"): Promise<void> => {
    const client = new HttpClient(await server.url)
    try {
      await client.open("bench")
      const { message, status } = await client.request("tools/list")
      http[which].push(performance.now() - server.startedAt)
      http[`${which}Cpu`].push(new ProcessTree(server.pid).processorSeconds())
      if (message?.["result"]?.tools?.length !== toolCount)
        throw new Error(`the list of tools was answered with ${status}`)
    } finally {
      client.destroy()
      await server.close()
    }
  }
  const ourHttp = () => serveHttp(subject.main, tree, subject.env, tokens)
  const bareHttp = () => new HttpSubject(process.execPath, [script("./bare_http.mjs")], bareOptions())

  for (let round = -1; round < runs; round++) {
    const empty = await emptyRun()
    await opened(new Client(process.execPath, [script("./bare.mjs")], bareOptions()), "bare")
    await opened(subject.serve(tree), "tools")
    await openedHttp(bareHttp(), "bare")
    await openedHttp(ourHttp(), "tools")
    const client = subject.serve(tree)
    try {
      await client.open()
      const answer = await client.call("relations", question)
      if (answer.isError === true) throw refused(answer.content?.[0]?.text)
      stdio.callers.push(performance.now() - client.startedAt)
    } finally {
      await client.close()
    }
    const server = ourHttp()
    const caller = new HttpClient(await server.url)
    try {
      await caller.open("bench")
      const { message } = await caller.call("relations", question)
      if (message?.["result"]?.isError !== undefined || message?.["result"] === undefined)
        throw refused(JSON.stringify(message))
      http.callers.push(performance.now() - server.startedAt)
    } finally {
      caller.destroy()
      await server.close()
    }
    node.push(empty)
    // The first round fills caches, and tells the bare servers what to list.
    if (round < 0) for (const list of [node, ...Object.values(stdio), ...Object.values(http)]) list.length = 0
  }
  return {
    runs,
    node: spread(node),
    stdio: wayOf(stdio),
    http: wayOf(http),
    toolCount,
    toolsBytes: Buffer.byteLength(toolsText),
    instructionsBytes: Buffer.byteLength(instructions)
  }
}
