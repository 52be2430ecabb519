/**
 * Runs before each test file, in the process that runs it and others: what a process has one of is afterwards as the file
 * found it.
 */
import { afterAll, vi } from "vitest"

const environment = { ...process.env }
const directory = process.cwd()
const { exitCode } = process

// Nothing of "exit": what is asked to happen then, is asked once in a process.
const events = ["SIGHUP", "SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"] as const
const listeners = new Map(events.map((event) => [event, new Set<unknown>(process.rawListeners(event))]))

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name]
  Object.assign(process.env, environment)
  process.chdir(directory)
  process.exitCode = exitCode
  for (const [event, before] of listeners)
    for (const listener of process.rawListeners(event))
      if (!before.has(listener)) process.off(event, listener as (...args: Array<unknown>) => void)
})
