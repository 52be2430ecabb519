/**
 * Whether anything may be counted, and where to it may be sent. The environment is asked first, then what the user saved;
 * nobody else is, least of all the repository that is served. Unless somebody says yes, the answer is no.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { isRecord } from "../registry/Json.ts"

export type Environment = { readonly [name: string]: string | undefined }

/** Variables that turn it on or off, the strongest first. */
export const switches = ["PORTICO_TELEMETRY", "GORTEX_TELEMETRY"] as const
/** The variable that can only turn it off. */
export const refusal = "DO_NOT_TRACK"
/** The variable that says where to it is sent. */
export const endpointVariable = "PORTICO_TELEMETRY_ENDPOINT"

export type Source = (typeof switches)[number] | typeof refusal | "saved choice" | "default"

export interface Consent {
  readonly on: boolean
  /** Who said so. */
  readonly source: Source
  /** What is wrong with what `source` says; nothing is counted then. */
  readonly problem?: string | undefined
}

/** What the user saved. */
export interface Choice {
  readonly telemetry: "on" | "off"
  readonly endpoint?: string | undefined
}

/** The file of the saved choice, in the XDG configuration folder. */
export const choiceFile = (env: Environment): string =>
  join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "portico", "telemetry.json")

const yes = ["1", "true", "on", "yes"]
const no = ["0", "false", "off", "no"]

/** Reads the saved choice: undefined when there is none, a text that says what is wrong with one that is no choice. */
export const readChoice = (file: string): Choice | string | undefined => {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "the saved choice cannot be read"
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return "the saved choice is not JSON"
  }
  if (!isRecord(value)) return "the saved choice is no object"
  const { endpoint, telemetry } = value
  if (telemetry !== "on" && telemetry !== "off") return "the saved choice is neither on nor off"
  if (endpoint !== undefined && typeof endpoint !== "string") return "the saved endpoint is no text"
  return { telemetry, ...(endpoint === undefined ? {} : { endpoint }) }
}

/** Saves a choice, whole or not at all. */
export const saveChoice = (file: string, choice: Choice): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, `${JSON.stringify(choice)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
}

/** Whether anything may be counted. */
export const consentOf = (env: Environment, file: string): Consent => {
  for (const source of switches) {
    const said = env[source]?.trim().toLowerCase()
    if (said === undefined || said === "") continue
    if (yes.includes(said)) return { on: true, source }
    if (no.includes(said)) return { on: false, source }
    return { on: false, source, problem: `${source} is neither on nor off` }
  }
  const refused = env[refusal]?.trim().toLowerCase() ?? ""
  if (refused !== "" && !no.includes(refused)) return { on: false, source: refusal }
  const choice = readChoice(file)
  if (choice === undefined) return { on: false, source: "default" }
  if (typeof choice === "string") return { on: false, source: "saved choice", problem: choice }
  return { on: choice.telemetry === "on", source: "saved choice" }
}

export interface Endpoint {
  /** Undefined when there is none, or none that may be used. */
  readonly url: string | undefined
  readonly source: typeof endpointVariable | "saved choice" | "none"
  readonly problem?: string | undefined
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** What is wrong with an endpoint; undefined for a good one. */
export const wrongWith = (url: string): string | undefined => {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return "the endpoint is no address"
  }
  if (parsed.username !== "" || parsed.password !== "")
    return "the endpoint must not hold a user or a password"
  if (parsed.protocol === "https:") return undefined
  return parsed.protocol === "http:" && loopback.has(parsed.hostname)
    ? undefined
    : "the endpoint must be an https address, or an http address of this machine"
}

/** Where to it is sent. This build knows no endpoint of its own. */
export const endpointOf = (env: Environment, file: string): Endpoint => {
  const given = env[endpointVariable]?.trim()
  const choice = readChoice(file)
  const saved = typeof choice === "object" ? choice.endpoint : undefined
  const [url, source] =
    given !== undefined && given !== ""
      ? ([given, endpointVariable] as const)
      : ([saved, saved === undefined ? "none" : "saved choice"] as const)
  const problem = url === undefined ? undefined : wrongWith(url)
  return problem === undefined ? { url, source } : { url: undefined, source, problem }
}
