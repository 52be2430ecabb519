/** Whether a server that settings name is there. */
import { broken, type Finding, ok, unknown } from "./Finding.ts"

/** Milliseconds a server may take to say so. */
const patienceMs = 2000

const loopback = ["127.0.0.1", "localhost", "[::1]"]

/** The version that what answers says it is; undefined where that is no server of ours. Rejects where nothing answers. */
const versionAt = async (origin: string): Promise<string | undefined> => {
  const answer = await fetch(`${origin}/health`, {
    signal: AbortSignal.timeout(patienceMs),
    redirect: "error"
  })
  const text = await answer.text()
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === "object" && said !== null && "version" in said ? String(said.version) : undefined
  } catch {
    return undefined
  }
}

/** Asks a server. One that is not on this machine is asked only where the user named it, who is who `anywhere` says so for. */
export const server = async (
  about: string,
  address: string,
  version: string,
  { anywhere = false } = {}
): Promise<Finding> => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return broken(about, "unreachable", `${address} is no address of a server`)
  const { hostname, origin } = url
  if (!anywhere && !loopback.includes(hostname))
    return unknown(about, `${origin} is not on this machine, and was not asked`)
  let other: string | undefined
  try {
    other = await versionAt(origin)
  } catch {
    return broken(about, "unreachable", `nothing answers at ${origin}`)
  }
  if (other === undefined) return unknown(about, `what answers at ${origin} does not say that it is Portico`)
  return other === version
    ? ok(about, "reachable", `${origin} serves, version ${other}`)
    : broken(about, "stale", `${origin} serves version ${other}, and this is ${version}: start it anew`)
}
