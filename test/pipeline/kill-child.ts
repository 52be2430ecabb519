/**
 * Makes one call that runs once, and kills itself at a given moment of it, as `kill -9` would.
 * Arguments: folder, file that is written, request id, principal, moment.
 *
 * - `before`: the file is about to be put in place.
 * - `after`: it is in place, and nobody has noted that yet.
 * - `noted`: the journal has its receipt, and the call's own record still says that it runs.
 * - `never`: it ends by itself.
 */
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { basename } from "node:path"

const [directory = "", file = "", requestId = "", principalId = "", moment = ""] = process.argv.slice(2)
const die = (): Promise<void> => {
  process.kill(process.pid, "SIGKILL")
  return new Promise(() => {})
}
let placed = false
const { rename } = fs
fs.rename = async (from, to) => {
  const target = basename(String(to)) === basename(file)
  if (target && moment === "before") return die()
  await rename(from, to)
  if (target) placed = true
  if (target && moment === "after") return die()
  if (placed && !target && moment === "noted" && basename(String(to)) === "manifest.json") return die()
}
syncBuiltinESMExports()

const { openEngine } = await import("../../src/layers.ts")
const engine = await openEngine({ directory, watch: false })
const result = await engine.call({
  tool: "edit",
  args: { operation: "file", target: { file }, match: "one", replacement: "two" },
  requestId,
  principal: { kind: "agent", id: principalId, authenticated: true }
})
process.stdout.write(JSON.stringify(result.structuredContent))
await engine.close()
