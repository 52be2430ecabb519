/** Asks for one call many times at once. Arguments: file of the records, file that has a line for every effect, how many. */
import { Context, Effect, Layer } from "effect"
import { appendFileSync } from "node:fs"
import { layerStore } from "../../src/engine/store/layer.ts"
import { succeeded } from "../../src/pipeline/CallResult.ts"
import { Once } from "../../src/pipeline/Once.ts"
import { CallRecords } from "../../src/services/CallRecords.ts"

const [file = "", effects = "", count = "1"] = process.argv.slice(2)
const program = Effect.gen(function* () {
  const context = yield* Layer.buildWithScope(layerStore(file), yield* Effect.scope)
  const once = new Once(Context.get(context, CallRecords))
  const call = Effect.gen(function* () {
    const run = `run in ${process.pid}`
    appendFileSync(effects, `${run}\n`)
    yield* Effect.sleep(300)
    return succeeded({ facade: "edit", operation: "file", canonical_tool: "edit_file" }, { run })
  })
  const draft = { principalId: "p", requestId: "r", operation: "edit.file", fingerprint: "f", write: true }
  return yield* Effect.forEach(Array.from({ length: Number(count) }), () => once.run(draft, call), {
    concurrency: "unbounded"
  })
})
const outcomes = await Effect.runPromise(Effect.scoped(program))
process.stdout.write(
  JSON.stringify(
    outcomes.map(({ duplicate, result }) => ({ duplicate, run: result.structuredContent["run"] }))
  )
)
