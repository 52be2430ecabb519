/** Asks a real server things and ends in exit code 0 when it was answered. It prints nothing; the test looks whether that is so. */
import { Effect } from "effect"
import { layerLanguageServers } from "../../../../src/engine/lsp/LanguageServers.ts"
import { LanguageReader } from "../../../../src/services/LanguageReader.ts"

const root = process.argv[2] ?? "."

const program = Effect.gen(function* () {
  const reader = yield* LanguageReader
  const found = yield* reader.diagnostics("src/broken.ts")
  const edits = yield* reader.rename({ path: "src/shape.ts", line: 2, column: 2 }, "surface")
  if (found.value.length !== 1 || edits.value.edits.length !== 4) process.exitCode = 9
})

await Effect.runPromise(Effect.provide(program, layerLanguageServers({ root, path: "" })))
