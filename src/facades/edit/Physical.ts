/** What is on disk after a write, read back. */
import { Effect } from "effect"
import { ReadFs } from "../../services/ReadFs.ts"

export const physicalOf = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    return yield* Effect.match(fs.readText(path), {
      onFailure: (cause) => ({ unknown: cause.reason }),
      onSuccess: ({ bytes, sha }) => ({ sha, bytes })
    })
  })
