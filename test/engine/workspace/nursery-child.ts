/**
 * Started with a nursery that does not grow, as it is once V8 has made it smaller: lets it grow as a server does, makes
 * much that stays for a while, and prints how large it was before, and at most afterwards, in bytes.
 */
import { setImmediate, setTimeout } from "node:timers/promises"
import { getHeapSpaceStatistics } from "node:v8"
import { limitNursery } from "../../../src/engine/workspace/Nursery.ts"

const size = (): number => getHeapSpaceStatistics().find((s) => s.space_name === "new_space")!.space_size

limitNursery()
// Its start has to be over.
await setTimeout(3_500)
const before = size()
limitNursery()
let most = 0
let kept: Array<object> = []
for (let turn = 0; turn < 100; turn++) {
  kept = Array.from({ length: 30_000 }, (_, at) => ({ at, turn, before }))
  await setImmediate()
  most = Math.max(most, size())
}
process.stdout.write(JSON.stringify({ before, most, kept: kept.length }))
