/**
 * What is derived from the registry: the tool list, the domains and operations capabilities answers with, policy. Data
 * only; nothing here is written down twice.
 */
import { closedWorldTags, type EffectClass } from "./EffectClass.ts"
import { type Facade, listed } from "./Facade.ts"
import { hash, type Json, type JsonRecord } from "./Json.ts"
import * as JsonSchema from "./JsonSchema.ts"
import type { Operation } from "./Operation.ts"
import type { Registry } from "./Registry.ts"

/** Name of the surface's contract; changes when a client could tell. */
export const surfaceVersion = "facade-v1"

/** A tool as a client lists it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: Json }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: boolean
  }
  /** Of a tool with operations that may take minutes: its calls may be tasks, as the protocol has them since 2025-11-25. */
  readonly execution?: { readonly taskSupport: "optional" }
}

/** What a tool that leads to these operations says of how it is run. */
export const executionOf = (operations: ReadonlyArray<Operation.Any>): Pick<ToolDefinition, "execution"> =>
  operations.some(({ available, long }) => available && long)
    ? { execution: { taskSupport: "optional" } }
    : {}

const destructive: ReadonlySet<EffectClass> = new Set(["local_write", "control_write", "external_write"])

/** Classes of tools whose work is with the outside where they reach it: asking there, and writing there. */
const outgoing: ReadonlySet<EffectClass> = new Set(["read", "external_write"])

/**
 * Whether a tool is annotated as one of the open world. One that changes this machine is not: what it may ask a model for on
 * the way, where the user has set one up, is said of that operation, and decides where it is served.
 */
const isOpenWorldFacade = (facade: Facade.Any): boolean =>
  outgoing.has(facade.effect) && facade.operations.some((operation) => operation.openWorld)

/** Words for the field that names the operation: the frequent ones, the default marked. */
const operationWords = (facade: Facade.Any): string => {
  const available = listed(facade).filter((operation) => operation.available)
  const shown = available.filter((operation) => operation.tier === 1)
  const names = shown.map((operation) =>
    operation.name === facade.default ? `${operation.name} (default)` : operation.name
  )
  return `${names.join(", ")}${shown.length < available.length ? ", …" : ""}`
}

/** The advertised schema of a facade. */
export const staticSchema = (facade: Facade.Any): ToolDefinition["inputSchema"] => ({
  type: "object",
  properties: {
    [facade.discriminator]: { type: "string", description: operationWords(facade) },
    ...facade.envelope.properties
  },
  ...(facade.envelope.required === undefined ? {} : { required: facade.envelope.required })
})

/** The tools of a registry that are ours, in its order. Those of packs are told of by capabilities alone. */
export const tools = (registry: Registry.Any): ReadonlyArray<ToolDefinition> =>
  registry.facades
    .filter(({ pack }) => pack === undefined)
    .map((facade) => ({
      name: facade.name,
      description: facade.purpose,
      inputSchema: staticSchema(facade),
      annotations: {
        readOnlyHint: facade.effect === "read",
        destructiveHint: destructive.has(facade.effect),
        openWorldHint: isOpenWorldFacade(facade)
      },
      ...executionOf(listed(facade))
    }))

/** All domains: how many operations each lists, and how many of them this build has. */
export const domains = (registry: Registry.Any) => ({
  surface_version: surfaceVersion,
  domains: registry.facades.map((facade) => {
    const operations = listed(facade)
    return {
      name: facade.name,
      description: facade.purpose,
      effect: facade.effect,
      ...(facade.pack === undefined ? {} : { pack: facade.pack }),
      operations: operations.length,
      available: operations.filter((operation) => operation.available).length
    }
  })
})

/** The operations of a domain. */
export const domain = (facade: Facade.Any) => ({
  surface_version: surfaceVersion,
  domain: facade.name,
  effect: facade.effect,
  operations: listed(facade).map((operation) => ({
    operation: operation.name,
    available: operation.available,
    summary: operation.summary
  }))
})

const schemas = new WeakMap<Operation.Any, JsonRecord>()

/** The public schema of an operation; the same object each time. */
export const inputSchema = (facade: Facade.Any, operation: Operation.Any): JsonRecord => {
  const held = schemas.get(operation)
  if (held !== undefined) return held
  const made = JsonSchema.ofInput(operation.input, {
    name: facade.discriminator,
    value: operation.name,
    required: operation.name !== facade.default
  })
  schemas.set(operation, made)
  return made
}

/** Arguments that call the operation, placeholders in place of what only the caller knows. */
export const requestShape = (facade: Facade.Any, operation: Operation.Any): JsonRecord => ({
  [facade.discriminator]: operation.name,
  ...JsonSchema.sampleArguments(inputSchema(facade, operation))
})

/** One operation, in summary or with its schema. */
export const capability = (
  facade: Facade.Any,
  operation: Operation.Any,
  detail: "summary" | "schema" = "summary"
) => {
  const base = {
    surface_version: surfaceVersion,
    domain: facade.name,
    operation: operation.name,
    effect: operation.effect,
    available: operation.available,
    ...(operation.unavailable === undefined ? {} : { unavailable_reason: operation.unavailable }),
    summary: operation.summary,
    ...(Object.keys(operation.fixed).length === 0 ? {} : { fixed_arguments: operation.fixed })
  }
  if (detail === "summary") return base
  const schema = inputSchema(facade, operation)
  return {
    ...base,
    input_schema: schema,
    request_shape: requestShape(facade, operation),
    request_shape_note: `Pass these fields to ${facade.name} as they stand; replace what is in angle brackets.`,
    schema_hash: hash(schema)
  }
}

/** What an operation may do, and where. */
export interface PolicyRow {
  readonly facade: string
  readonly operation: string
  readonly tools: ReadonlyArray<string>
  readonly effect: EffectClass
  readonly open_world: boolean
  readonly available: boolean
  readonly hidden: boolean
  /** Names of the services, without their prefix. */
  readonly needs: ReadonlyArray<string>
  readonly fixed: JsonRecord
  /** Served while planning: reads, and the session itself. */
  readonly planning: boolean
  /** Served to a federated peer: closed-world reads only. */
  readonly federation: boolean
}

const closedWorld: ReadonlySet<string> = new Set(closedWorldTags.map((tag) => tag.key))

/** The policy of every operation, the hidden ones included. */
export const policy = (registry: Registry.Any): ReadonlyArray<PolicyRow> =>
  registry.facades.flatMap((facade) =>
    facade.operations.map((operation) => ({
      facade: facade.name,
      operation: operation.name,
      tools: operation.tools,
      effect: operation.effect,
      open_world: operation.openWorld,
      available: operation.available,
      hidden: operation.hidden,
      needs: operation.needs.map((key) => key.replace("portico/", "")),
      fixed: operation.fixed,
      planning: operation.effect === "read" || operation.effect === "session_write",
      federation: operation.needs.every((key) => closedWorld.has(key))
    }))
  )
