/**
 * Writes src/surface/tools.json and src/surface/instructions.json, what a session is greeted with, from the registry:
 * the quick part of `npm run docs`. With `--check` writes nothing and exits with 1 when one of them is not what the
 * registry gives.
 */
import { fileURLToPath } from "node:url"
import { catalog as registry } from "../facades/index.ts"
import { settle } from "./docs/Page.ts"
import { rosterPages } from "./docs/roster.ts"

settle(fileURLToPath(new URL("../..", import.meta.url)), rosterPages(registry), "npx tsx src/build/roster.ts")
