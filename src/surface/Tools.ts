/** The tools a session lists, as data that lies ready: listing them loads no part of the registry. */
import type { ToolDefinition } from "../registry/Capabilities.ts"
import rows from "./tools.json" with { type: "json" }

export type { ToolDefinition } from "../registry/Capabilities.ts"

/** Made from the registry by `npx tsx src/build/roster.ts`. */
export const roster = rows as unknown as ReadonlyArray<ToolDefinition>
