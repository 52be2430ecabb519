/**
 * Writes src/surface/tools.json and src/surface/instructions.json, what a session is greeted with, from the registry:
 * the quick part of `npm run docs`. With `--check` writes nothing and exits with 1 when one of them is not what the
 * registry gives.
 */
import { fileURLToPath } from "node:url"
import { catalog as registry } from "../facades/index.ts"
import { stale, write } from "./docs/Page.ts"
import { rosterPages } from "./docs/roster.ts"

const top = fileURLToPath(new URL("../..", import.meta.url))
const made = rosterPages(registry)

if (!process.argv.includes("--check")) write(top, made)
else
  for (const { path } of stale(top, made)) {
    process.stdout.write(`${path} is stale: run npx tsx src/build/roster.ts\n`)
    process.exitCode = 1
  }
