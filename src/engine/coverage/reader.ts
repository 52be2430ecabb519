/** Reads profiles of coverage from the work tree. */
import { Effect } from "effect"
import type { CoverageReader } from "../../services/CoverageReader.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { PathRefused, readConfinedSync, type Root } from "../files/Confine.ts"
import { parseProfile, Unread } from "./Profile.ts"

/** Bytes of a profile at most. */
const largest = 256 << 20

const failed = (reason: string, detail: string) =>
  new ServiceFailure({ service: "CoverageReader", reason, detail, stateChanged: false })

export const coverageReader = (root: Root): CoverageReader["Type"] => ({
  read: (path) =>
    Effect.suspend(() => {
      const read = readConfinedSync(root, path, { maxBytes: largest })
      if (read instanceof PathRefused)
        return failed(read.reason, `${read.path}: ${read.detail ?? read.reason.replaceAll("_", " ")}`)
      const parsed = parseProfile(read.bytes.toString("utf8"))
      return parsed instanceof Unread
        ? failed(parsed.reason, `${read.file.relative} cannot be read ${parsed.detail}`)
        : Effect.succeed({ path: read.file.relative, mtime_ms: read.mtimeMs, ...parsed })
    })
})
