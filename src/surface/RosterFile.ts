import { tools } from "../registry/Capabilities.ts"
import type { Registry } from "../registry/Registry.ts"

/** Text of `tools.json` for a registry: its tools, made once so that listing them loads nothing. */
export const rosterText = (registry: Registry.Any): string => `${JSON.stringify(tools(registry), null, 2)}\n`
