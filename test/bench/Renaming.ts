/** A rename of a symbol with about fifty sites beside the bare language service, which is asked the same. Nothing is written. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { BareService, program, type Spot } from "./BareService.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median, sample } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** Seconds of the server and whatever it started. */
export interface RenameCost {
  readonly wallSeconds: number
  readonly cpuSeconds: number
}

export interface Renamed {
  readonly id: string
  readonly sites: number
  readonly files: number
  /** Files whose problems were compared: those with sites by the bare service, and files that import them by Portico. */
  readonly checked: number
  /** From a service that was just started; the start counts where the service is the bare one. */
  readonly cold: { readonly bare: RenameCost; readonly portico: RenameCost }
  /** From one that has answered such a question before; the middle of the runs. */
  readonly warm: { readonly bare: RenameCost; readonly portico: RenameCost }
}

const wanted = 50
/** Symbols whose sites are counted to find one with about as many as wanted. */
const looked = 80
const script = /\.[cm]?tsx?$/

const costOf = async (processes: ProcessTree, started: boolean, run: () => Promise<unknown>) => {
  const before = started ? processes.processorSeconds() : 0
  const at = performance.now()
  await run()
  return {
    wallSeconds: (performance.now() - at) / 1000,
    cpuSeconds: processes.processorSeconds() - before
  }
}
const middle = (costs: ReadonlyArray<RenameCost>): RenameCost => ({
  wallSeconds: median(costs.map(({ wallSeconds }) => wallSeconds))!,
  cpuSeconds: median(costs.map(({ cpuSeconds }) => cpuSeconds))!
})

const spotOf = (tree: string, { id, name }: Asked): Spot | undefined => {
  const path = id.slice(0, id.indexOf("::"))
  const lines = readFileSync(join(tree, path), "utf8").split("\n")
  const line = lines.findIndex((text) => text.startsWith("export") && new RegExp(`\\b${name}\\b`).test(text))
  return line < 0 ? undefined : { path, line, column: lines[line]!.search(new RegExp(`\\b${name}\\b`)) }
}

/** Undefined where there is no TypeScript to rename in, no compiler, or nothing that both would rename. */
export const renaming = async (
  subject: Subject,
  tree: string,
  functions: ReadonlyArray<Asked>,
  options: { readonly runs: number; readonly next: () => number; readonly say: (text: string) => void }
): Promise<Renamed | undefined> => {
  const scripts = functions.filter(({ id }) => script.test(id.slice(0, id.indexOf("::"))))
  if (program === undefined || scripts.length === 0) return undefined
  const counts: Array<{ readonly asked: Asked; readonly spot: Spot; readonly sites: number }> = []
  const finder = new BareService(tree)
  await finder.open()
  const exported = scripts.flatMap((asked) => {
    const spot = asked.id.endsWith(`::${asked.name}`) ? spotOf(tree, asked) : undefined
    return spot === undefined ? [] : [{ asked, spot }]
  })
  for (const { asked, spot } of sample(exported, looked, options.next)) {
    const edits = await finder.rename(spot, `${asked.name}Renamed`)
    counts.push({ asked, spot, sites: [...edits.values()].reduce((sum, list) => sum + list.length, 0) })
  }
  await finder.close()
  counts.sort((a, b) => Math.abs(a.sites - wanted) - Math.abs(b.sites - wanted))

  const client = subject.serve(tree)
  const processes = new ProcessTree(client.pid)
  try {
    await client.open()
    await client.call("search", { operation: "symbols", query: scripts[0]!.name })
    // What the start left to do in the background is done before anything is measured.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    for (const { asked, spot } of counts.slice(0, 8)) {
      let answer: { readonly [key: string]: unknown } | undefined
      const rename = (run: number) => async () => {
        const { isError, structuredContent } = await client.call("refactor", {
          operation: "rename",
          target: { symbol: asked.id },
          new_name: `${asked.name}Renamed${run}`,
          dry_run: true
        })
        answer = isError === true ? undefined : structuredContent
      }
      const cold = await costOf(processes, true, rename(0))
      if (answer === undefined) {
        options.say(`${asked.id}: refused, another is taken`)
        continue
      }
      const warm: Array<RenameCost> = []
      for (let run = 1; run <= options.runs; run++) warm.push(await costOf(processes, true, rename(run)))

      let found: Awaited<ReturnType<BareService["safely"]>> | undefined
      const at = performance.now()
      const service = new BareService(tree)
      const own = new ProcessTree(service.process.pid!)
      await service.open()
      const bareCold = await costOf(own, false, async () => {
        found = await service.safely(spot, `${asked.name}Renamed0`)
      })
      const opened = { ...bareCold, wallSeconds: (performance.now() - at) / 1000 }
      const bareWarm: Array<RenameCost> = []
      for (let run = 1; run <= options.runs; run++)
        bareWarm.push(await costOf(own, true, () => service.safely(spot, `${asked.name}Renamed${run}`)))
      await service.close()
      return {
        id: asked.id,
        sites: found!.sites,
        files: found!.files,
        checked: Number(answer["checked_files"] ?? 0),
        cold: { bare: opened, portico: cold },
        warm: { bare: middle(bareWarm), portico: middle(warm) }
      }
    }
    return undefined
  } finally {
    await client.close()
  }
}
