/**
 * Rewrites sixteen files from one generation to the next, in one transaction each, until it is killed.
 * Says `ready`, and of each transaction when it starts `writing` and when it is `done`.
 * Arguments: root, state directory, how many files.
 */
import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { realDisk } from "../../../src/engine/edits/Disk.ts"
import { makeWriter } from "../../../src/engine/edits/Writer.ts"
import { openRootSync, PathRefused } from "../../../src/engine/files/Confine.ts"

const [tree, state, count] = [process.argv[2]!, process.argv[3]!, Number(process.argv[4])]
const root = openRootSync(tree)
if (root instanceof PathRefused) throw root

const generation = Number(readFileSync(join(tree, "f0.txt"), "utf8").split(" ")[1])
let told = ""
const tell = (what: string): void => {
  if (what !== told) process.stdout.write(`${what}\n`)
  told = what
}

// Killing a process does not lose what the system has taken, so its syncs are left out to get more kills in between.
const disk: typeof realDisk = {
  ...realDisk,
  create: (path, bytes, options) => {
    if (path.includes(".portico-new-")) tell("writing")
    return realDisk.create(path, bytes, { ...options, durable: false })
  },
  syncDirectory: () => Effect.void
}

const program = Effect.gen(function* () {
  const writer = yield* makeWriter({
    root,
    state,
    disk,
    gate: { check: () => Effect.succeed({ status: "unknown", because: "no_grammar" }) },
    facts: () => Effect.succeed(new Map())
  })
  tell("ready")
  for (let n = generation; ; n++) {
    const items: Array<ChangeItem> = Array.from({ length: count - 1 }, (_, i) => ({
      op: "edit",
      path: `f${i}.txt`,
      edits: [{ match: `generation ${n} `, replacement: `generation ${n + 1} ` }]
    }))
    items.push({ op: "move", source: `moving-${n}.txt`, destination: `moving-${n + 1}.txt` })
    yield* writer.commit(yield* writer.plan(items), { transactionId: `generation ${n} by ${process.pid}` })
    tell("done")
  }
})

await Effect.runPromise(program)
