/** One command, run to its end and measured with everything it started. */
import { spawn } from "node:child_process"
import { PeakMemory } from "./ProcessTree.ts"

export interface Measured {
  readonly wallMs: number
  /** Seconds of user and system time of the command and all it waited for. */
  readonly cpuSeconds: number
  readonly peakBytes: number
  readonly stdout: string
}

/** `minutes`m`seconds`s, twice: user and system. */
const duration = /(\d+)m([\d.]+)s\s+(\d+)m([\d.]+)s/g

/** Seconds of the children, from what the shell's `times` prints: a line for itself, one for them. */
export const childrenSeconds = (times: string): number => {
  const children = [...times.matchAll(duration)][1]
  if (children === undefined) throw new Error(`the shell said nothing of times: ${JSON.stringify(times)}`)
  return Number(children[1]) * 60 + Number(children[2]) + Number(children[3]) * 60 + Number(children[4])
}

/** Groups of processes that are running; none outlives this process. */
const groups = new Set<number>()
const end = (group: number): void => {
  try {
    process.kill(-group, "SIGKILL")
  } catch {
    // It has just ended.
  }
}
process.on("exit", () => groups.forEach(end))

/** Runs a command; one that fails throws with the end of what it said. */
export const measure = (
  command: string,
  args: ReadonlyArray<string>,
  options: {
    readonly cwd: string
    readonly env?: NodeJS.ProcessEnv | undefined
    readonly timeoutMs?: number | undefined
  }
): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn("/bin/sh", ["-c", `"$0" "$@"; code=$?; times >&3; exit $code`, command, ...args], {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: true
    })
    if (child.pid === undefined) return reject(new Error(`${command} could not be started`))
    // The shell, the command and its children.
    groups.add(child.pid)
    const peak = new PeakMemory(child.pid)
    const texts = [1, 2, 3].map((fd) => {
      let text = ""
      const stream = child.stdio[fd] as NodeJS.ReadableStream
      stream.setEncoding("utf8").on("data", (part: string) => (text += part))
      return () => text
    })
    let wallMs = 0
    let late = false
    const timer = setTimeout(() => {
      late = true
      end(child.pid!)
    }, options.timeoutMs ?? 1_800_000)
    child.on("exit", () => {
      wallMs = performance.now() - startedAt
      clearTimeout(timer)
    })
    child.on("close", (code) => {
      groups.delete(child.pid!)
      const peakBytes = peak.stop()
      const [stdout, stderr, times] = texts.map((text) => text()) as [string, string, string]
      if (late) return reject(new Error(`${command} ${args.join(" ")} took too long`))
      if (code !== 0)
        return reject(
          new Error(`${command} ${args.join(" ")} ended with ${code}: ${(stderr || stdout).slice(-600)}`)
        )
      resolve({ wallMs, cpuSeconds: childrenSeconds(times), peakBytes, stdout })
    })
  })
