/** Who holds a lock, and whether that process still lives. */
import { execFileSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** A process, told apart from later ones with the same number. Null members could not be found out. */
export interface Holder {
  readonly pid: number
  /** When it started, in the system's own spelling. */
  readonly start: string | null
  /** The run of the machine it lives in. */
  readonly boot: string | null
  /** The space its number counts in: host and process namespace. */
  readonly space: string
}

const quietly = <A>(run: () => A): A | null => {
  try {
    return run()
  } catch {
    return null
  }
}

const startOf = (pid: number): string | null =>
  process.platform === "linux"
    ? quietly(() => {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
        // The second column is the program's name, which may hold anything; start time is the 22nd.
        return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null
      })
    : process.platform === "win32"
      ? null
      : quietly(
          () =>
            execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
              encoding: "utf8",
              stdio: ["ignore", "pipe", "ignore"],
              env: { ...process.env, LC_ALL: "C" }
            }).trim() || null
        )

/** A process that has ended but was not yet waited for holds nothing any more. */
const isZombie = (pid: number): boolean =>
  process.platform === "linux" &&
  quietly(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))
  }) === true

let own: Holder | undefined

/** This process. */
export const thisProcess = (): Holder =>
  (own ??= {
    pid: process.pid,
    start: startOf(process.pid),
    boot:
      process.platform === "linux"
        ? quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim())
        : null,
    space: `${hostname()} ${process.platform === "linux" ? (quietly(() => readlinkSync("/proc/self/ns/pid")) ?? "") : ""}`
  })

/**
 * Whether a holder is certainly gone. A process of another host or container cannot be judged from here and counts as
 * living.
 */
export const isGone = (holder: Holder): boolean => {
  const me = thisProcess()
  const [host, ...name] = holder.space.split(" ")
  const [myHost, ...myName] = me.space.split(" ")
  if (host !== myHost) return false
  if (holder.boot !== null && me.boot !== null && holder.boot !== me.boot) return true
  if (name.join(" ") !== myName.join(" ")) return false
  try {
    process.kill(holder.pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ESRCH"
  }
  if (isZombie(holder.pid)) return true
  const start = startOf(holder.pid)
  return start !== null && holder.start !== null && start !== holder.start
}

/** A holder read back from text, null if it is none. */
export const decodeHolder = (value: unknown): Holder | null => {
  if (typeof value !== "object" || value === null) return null
  const { pid, start, boot, space } = value as { readonly [key: string]: unknown }
  return Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    (start === null || typeof start === "string") &&
    (boot === null || typeof boot === "string") &&
    typeof space === "string"
    ? { pid: pid as number, start: start as string | null, boot: boot as string | null, space }
    : null
}
