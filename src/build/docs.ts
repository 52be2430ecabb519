/**
 * Writes the generated part of docs/, and the JSON files of src/surface/. With `--check` nothing is written: stale files
 * are named, and the exit code is 1 when there is one.
 */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { stale, write } from "./docs/Page.ts"
import { pages } from "./docs/pages.ts"

const top = fileURLToPath(new URL("../..", import.meta.url))
const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values
const made = await pages(top)

if (check) {
  const found = stale(top, made)
  for (const { path, reason } of found)
    process.stdout.write(
      `${path} ${reason === "missing" ? "is missing" : "is not up to date"}: run npm run docs\n`
    )
  process.exitCode = found.length > 0 ? 1 : 0
} else for (const path of write(top, made)) process.stdout.write(`wrote ${path}\n`)
