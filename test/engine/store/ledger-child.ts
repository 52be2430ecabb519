/**
 * Adds rows to a ledger that makes segments, and kills itself at a given moment of it, as `kill -9` would.
 * Arguments: file of the records, moment, rows.
 *
 * - `open`: the segment is planned, and its file not begun.
 * - `write`: half of the segment's file is there.
 * - `rename`: the file is about to be put in place; `renamed`: it is.
 * - `sealed`: it was noted as sealed, and its rows are still in the table.
 * - `always`: it adds rows and lets old ones go until it is killed; it says when it has begun.
 * - `marked`: the row is written that says which rows are kept; `removed`: the first of the others have gone.
 */
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { entry } from "./entry.ts"

const [file = "", moment = "", rows = "0"] = process.argv.slice(2)
const die = (): Promise<never> => {
  process.kill(process.pid, "SIGKILL")
  return new Promise(() => {})
}
const { mkdir, open, rename, rm } = fs
let renamed = false
fs.mkdir = (async (...args: Parameters<typeof mkdir>) => {
  if (moment === "open") await die()
  return mkdir(...args)
}) as typeof mkdir
fs.open = (async (...args: Parameters<typeof open>) => {
  const path = String(args[0])
  // The file is written and about to be synced: half of it is what a power cut would leave.
  if (moment === "write" && path.endsWith(".part")) {
    await fs.truncate(path, 100)
    await die()
  }
  return open(...args)
}) as typeof open
fs.rename = async (from, to) => {
  if (moment === "rename") await die()
  await rename(from, to)
  renamed = true
  if (moment === "renamed") await die()
}
fs.rm = async (path, options) => {
  const segment = String(path).endsWith(".gz")
  if (moment === "marked" && segment) await die()
  await rm(path, options)
  if (moment === "removed" && segment) await die()
}
syncBuiltinESMExports()

if (moment === "sealed") {
  // What takes rows out of the table is the only thing that is not done.
  const { Connection } = await import("../../../src/engine/store/Connection.ts")
  const { run } = Connection.prototype
  Connection.prototype.run = function (statement) {
    if (renamed && statement.compile()[0].startsWith("DELETE FROM ledger"))
      process.kill(process.pid, "SIGKILL")
    return run.call(this, statement) as never
  }
}

const { layerStore } = await import("../../../src/engine/store/layer.ts")
const { AuditLedger } = await import("../../../src/services/AuditLedger.ts")
const scope = await Effect.runPromise(Scope.make())
const goes = moment === "marked" || moment === "removed"
const limits = {
  segmentBytes: 5_000,
  segmentMs: Infinity,
  ...(goes ? { retainMs: 86_400_000 } : moment === "always" ? { retainBytes: 1_000 } : {})
}
const store = await Effect.runPromise(
  Layer.buildWithScope(
    layerStore(file, undefined, () => limits),
    scope
  )
)
const ledger = Context.get(store, AuditLedger)
const add = async () => {
  await Effect.runPromise(
    ledger.append(Array.from({ length: Number(rows) }, (_, at) => entry(1_700_000_100_000 + at)))
  )
  await new Promise(setImmediate)
}
await add()
if (moment === "always") {
  for (let turn = 0; turn < 40; turn++) await add()
  process.stdout.write("begun\n")
  for (;;) await add()
}
await Effect.runPromise(Scope.close(scope, Exit.void))
