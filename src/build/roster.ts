/**
 * Writes src/surface/tools.json, the tool list a session is answered with, from the registry. With `--check` writes
 * nothing and exits with 1 when the file is not what the registry gives.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { registry } from "../facades/index.ts"
import { rosterText } from "../surface/RosterFile.ts"

const file = new URL("../surface/tools.json", import.meta.url)
const text = rosterText(registry)

const present = (): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

if (!process.argv.includes("--check")) writeFileSync(file, text)
else if (present() !== text) {
  process.stdout.write("src/surface/tools.json is stale: run npx tsx src/build/roster.ts\n")
  process.exitCode = 1
}
