/** Where counts lie: in a folder of the user's cache folder, beside everything else this program keeps there. */
import { homedir } from "node:os"
import { join } from "node:path"
import type { Environment } from "./Consent.ts"

/** `telemetry` in `PORTICO_HOME`, else in `portico` in the XDG cache folder. */
export const countsFolder = (env: Environment): string =>
  join(
    env["PORTICO_HOME"] ?? join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "portico"),
    "telemetry"
  )
