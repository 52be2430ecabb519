/** The manifest of the agent context: what it is, and what could be called now. */
import type { Engine } from "../../../pipeline/Engine.ts"
import type { Principal } from "../../../policy/Principal.ts"
import { newest } from "./Rpc.ts"
import { grantedNames } from "./SemanticTools.ts"
import { exclusions, limits, settingsOf } from "./Settings.ts"
import { listOf } from "./Tools.ts"

export const endpoint = "/api/agent-context/mcp"

/** Shape of the manifest; a new number for a shape that older readers would misread. */
const schemaVersion = 3

/** The manifest for a caller. Also of a context that is disabled; it has no tools then. */
export const manifest = (engine: Engine, principal: Principal) => {
  const settings = settingsOf(engine.policy())
  return {
    kind: "portos-agent-context",
    schemaVersion,
    protocolVersion: newest,
    enabled: settings.enabled,
    configurationValid: settings.valid,
    transport: { type: "streamable-http", endpoint, loopbackOnly: true, stateful: false },
    profile: settings.profile,
    scopes: settings.scopes,
    limits,
    exclusions,
    actions: settings.actions,
    tools: listOf(engine, settings, principal),
    ...(settings.enabled ? {} : { grantedWhenEnabled: grantedNames(engine, settings, principal) })
  }
}
