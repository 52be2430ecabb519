/** The tools of the agent context for one caller, as they are now: the same for the manifest, the list and the call. */
import { of as catalogOf } from "../../../pipeline/Catalog.ts"
import type { Engine } from "../../../pipeline/Engine.ts"
import type { Principal } from "../../../policy/Principal.ts"
import * as ContextTools from "./ContextTools.ts"
import * as SemanticTools from "./SemanticTools.ts"
import { redact } from "./Redaction.ts"
import { type Settings, settingsOf } from "./Settings.ts"
import { type Ask, Failed } from "./Sources.ts"

export type Fields = { readonly [key: string]: unknown }

export interface Tools {
  readonly list: () => ReadonlyArray<ContextTools.ToolDefinition>
  /** The result of a call; undefined for a tool there is none of. */
  readonly call: (name: string, args: Fields) => Promise<Fields | undefined>
}

export interface Caller {
  readonly engine: Engine
  readonly principal: Principal
  readonly client?: string | undefined
  /** Makes a semantic call run once. */
  readonly key?: string | undefined
  readonly signal: AbortSignal
}

const mostFailure = 500

const failed = (code: string, message: string, more: Fields = {}): Fields => ({
  content: [{ type: "text", text: `${code}: ${redact(message)}`.slice(0, mostFailure) }],
  ...more,
  isError: true,
  _meta: { "portico/error_code": code }
})

/** Reading calls of the caller. */
const askOf =
  ({ client, engine, principal, signal }: Caller): Ask =>
  async (tool, args) => {
    const { isError, structuredContent } = await engine.call(
      { tool, args, principal, door: "agent_context", ...(client === undefined ? {} : { client }) },
      { signal }
    )
    if (isError !== true) return structuredContent
    const { error_code: code, message } = structuredContent
    throw new Failed(String(code ?? "internal"), String(message ?? "the source failed"))
  }

/** What the manifest and the list show. Nothing can be called while the context is disabled, so nothing is shown then. */
export const listOf = (
  engine: Engine,
  settings: Settings,
  principal: Principal
): ReadonlyArray<ContextTools.ToolDefinition> =>
  settings.enabled
    ? [...ContextTools.definitions(settings), ...SemanticTools.definitions(engine, settings, principal)]
    : []

export const toolsOf = (caller: Caller): Tools => {
  const { client, engine, key, principal, signal } = caller
  const settings = settingsOf(engine.policy())
  return {
    list: () => listOf(engine, settings, principal),
    call: async (name, args) => {
      if (!settings.enabled) return undefined
      const run = ContextTools.runOf(settings, name)
      if (run !== undefined) {
        try {
          const value = await run(args, askOf(caller))
          return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value }
        } catch (cause) {
          if (cause instanceof ContextTools.BadArguments) {
            const failure = catalogOf(engine.registry).misread(cause.message)
            const from = { tool: name, args, principal, door: "agent_context" } as const
            await engine.refuse(client === undefined ? from : { ...from, client }, {
              failure,
              stage: "decode"
            })
            return failed(failure.code, failure.message)
          }
          const known = ContextTools.failureOf(cause)
          if (known === undefined) throw cause
          return failed(known.code, known.message)
        }
      }
      const requestId = SemanticTools.requestIdOf(key)
      const result = await SemanticTools.run(name, args, {
        engine,
        settings,
        principal,
        client,
        requestId,
        signal
      })
      if (result === undefined) return undefined
      const structuredContent = result as unknown as Fields
      return result.state === "completed"
        ? { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent }
        : failed(result.errorCode ?? "internal", result.error ?? "the call failed", { structuredContent })
    }
  }
}
