/**
 * A process of its own that indexes a folder with a store: `indexOnce <folder> <store> [rounds]`. Prints "begun"
 * when it is about to start, then one line of JSON per round; every round indexes from nothing and stores the result.
 */
import { Effect } from "effect"
import { writeSync } from "node:fs"
import { open } from "../../../src/engine/workspace/Workspace.ts"

const [, , directory, store, rounds] = process.argv
const main = async (): Promise<void> => {
  writeSync(1, "begun\n")
  for (let round = 0; round < Number(rounds ?? 1); round++) {
    const refreshed = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(
          open({ directory: directory!, exact: true, watch: false, store: store!, threads: 1 }),
          (workspace) => workspace.refresh({ anew: true })
        )
      )
    )
    writeSync(1, `${JSON.stringify({ full: refreshed.full, updated: refreshed.updated.length })}\n`)
  }
}
main().catch((cause: unknown) => {
  writeSync(2, String(cause))
  process.exitCode = 1
})
