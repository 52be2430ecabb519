/**
 * Bundles what tests start in threads and processes of their own, once for a whole run: read from its sources, each of
 * them would take seconds of a processor to load.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { rolldown } from "rolldown"
import { inputOptions } from "../src/build/bundle.mjs"
import { inRoot } from "../src/build/paths.mjs"

/** The thread that reads files has to lie beside a program that has it read some. */
const sources = [
  "src/engine/indexer/worker.ts",
  "test/engine/edits/batch-child.ts",
  "test/engine/store/ledger-child.ts",
  "test/engine/workspace/indexOnce.ts",
  "test/engine/workspace/nursery-child.ts",
  "test/pipeline/kill-child.ts",
  "test/pipeline/once-child.ts"
]

export const setup = async ({ provide }) => {
  // Below the packages that a bundle leaves where they are.
  const parent = inRoot("node_modules/.programs")
  mkdirSync(parent, { recursive: true })
  const dir = mkdtempSync(path.join(parent, "run-"))
  writeFileSync(path.join(dir, "package.json"), `${JSON.stringify({ type: "module" })}\n`)
  const bundler = await rolldown({
    ...inputOptions(),
    input: Object.fromEntries(sources.map((file) => [path.parse(file).name, inRoot(file)]))
  })
  try {
    await bundler.write({ dir, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" })
  } finally {
    await bundler.close()
  }
  provide("programs", dir)
  return () => rmSync(dir, { recursive: true, force: true })
}
