/** Which version a program says it is. Asked without letting it write anything down, or run from the project itself. */
import { spawnSync } from "node:child_process"
import { realpathSync } from "node:fs"
import { dirname } from "node:path"
import type { Where } from "./Host.ts"
import { isPortico, type Program, type Started } from "./Program.ts"
import { isWithin } from "./Within.ts"

export type Version =
  | { readonly says: string }
  /** It was run, and failed. */
  | { readonly fails: string }
  /** It was not run. */
  | { readonly unasked: string }

/** Milliseconds it may take. */
const patienceMs = 10_000

/** Asks programs, each of them once. */
export const asking = (where: Where, own: Program): ((started: Started) => Version) => {
  const known = new Map<string, Version>()
  return (started) => {
    const key = `${started.program}\n${started.script}`
    const version = known.get(key) ?? versionOf(started, where, own)
    known.set(key, version)
    return version
  }
}

/** Asks a program. What a project brings is run only where its user trusts it, or where it is the program that asks. */
const versionOf = (started: Started, where: Where, own: Program): Version => {
  const { program, script } = started
  if (!isPortico(script)) return { unasked: "it is not known to be Portico, and was not run" }
  const trusted = [process.execPath, ...own].map((file) => realpathSync(file))
  if (
    where.env["PORTICO_TRUST_WORKSPACE"] !== "1" &&
    [program, script].some((file) => !trusted.includes(file) && isWithin(file, realpathSync(where.project)))
  )
    return { unasked: "it lies in the project, whose programs are not run" }
  const { error, signal, status, stderr, stdout } = spawnSync(
    program,
    [...(script === program ? [] : [script]), "version"],
    {
      cwd: dirname(script),
      encoding: "utf8",
      timeout: patienceMs,
      env: { ...where.env, PORTICO_NO_CODE_CACHE: "1", PORTICO_TELEMETRY: "off" }
    }
  )
  if (error !== undefined && "code" in error && error.code === "ETIMEDOUT")
    return { fails: `it did not answer in ${patienceMs / 1000} s` }
  if (error !== undefined) return { fails: `it cannot be started: ${error.message}` }
  if (status !== 0)
    return { fails: `it ended with ${status ?? signal}: ${stderr.trim().split("\n").at(-1) ?? ""}` }
  const version = stdout.trim()
  return /^\d+\.\d+\.\d+\S*$/.test(version) ? { says: version } : { fails: "it does not say its version" }
}
