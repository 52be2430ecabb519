/** Where a run took place. */
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os"

export interface Machine {
  readonly date: string
  readonly cores: number
  readonly processor: string
  readonly memoryBytes: number
  readonly system: string
  readonly node: string
}

export const machine = (): Machine => ({
  date: new Date().toISOString().slice(0, 10),
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? "unknown",
  memoryBytes: totalmem(),
  system: `${platform()} ${release()}`,
  node: process.version
})

/** Processes that ran or waited to run, on average over the last minute. */
export const load = (): number => loadavg()[0]!
