/**
 * Every listed operation as a tool of its own: `facade.operation`, whose input is closed and does not name the operation.
 * What a door that lists operations rather than facades shows, and how a name given to it finds its call.
 */
import { Either } from "effect"
import type { Policy } from "../policy/Policy.ts"
import type { Principal } from "../policy/Principal.ts"
import type { EffectClass } from "../registry/EffectClass.ts"
import { type Facade, listed, select } from "../registry/Facade.ts"
import { failure, type OperationFailure } from "../registry/Failure.ts"
import { hash, type Json, type JsonRecord, type UnknownRecord } from "../registry/Json.ts"
import * as JsonSchema from "../registry/JsonSchema.ts"
import { nearest } from "../registry/Names.ts"
import type { Operation } from "../registry/Operation.ts"
import type { Registry } from "../registry/Registry.ts"
import { outputSchema } from "../registry/Result.ts"
import { ungranted } from "./Authority.ts"
import { byProviderName } from "./Providers.ts"

/** Kinds of callers a tool may be listed for. */
export const scopes = ["agent", "ui"] as const

/** How far what a tool shows concerns a person: what the build is, what the code is, what people wrote down. */
export type Privacy = "public" | "internal" | "personal"

export interface CatalogPolicy {
  readonly scopes: ReadonlyArray<(typeof scopes)[number]>
  /** Effect classes a caller must have been granted. */
  readonly requiredCapabilities: ReadonlyArray<EffectClass>
  readonly sideEffect: "read" | "write"
  readonly effect: EffectClass
  readonly privacy: Privacy
  /** Whether making the same call twice comes to the same as making it once. */
  readonly idempotent: boolean
  /** Whether it may take long enough to be answered with a job. */
  readonly async: boolean
  /** What stands before it: nothing, a grant, or a person who must agree each time. */
  readonly confirmation: "none" | "capability-grant" | "approval"
  readonly openWorld: boolean
}

/** One operation as a tool. Nothing of it depends on the time or on where the server runs. */
export interface CatalogEntry {
  readonly type: "portos_tool"
  /** `facade.operation`. */
  readonly name: string
  readonly version: 1
  /** The name with `_` for `.` and `-`: what providers of models accept. */
  readonly providerName: string
  /** Other names that find it; `providerName` is among them. */
  readonly aliases: ReadonlyArray<string>
  /** A few words for a person. */
  readonly title: string
  /** One sentence of at most 280 characters. */
  readonly description: string
  readonly input_schema: JsonRecord
  readonly output_schema: JsonRecord
  readonly policy: CatalogPolicy
  readonly available: boolean
  /** Why it is not available. */
  readonly unavailableReason?: string
}

/** An entry as one caller sees it. */
export interface CatalogRow extends CatalogEntry {
  readonly availableInScope: boolean
  /** Whether the scope's callers have what it needs; null where the question was about no scope. */
  readonly granted: boolean | null
}

/** A call of a facade, as the pipeline takes it. */
export interface CatalogCall {
  readonly tool: string
  readonly args: UnknownRecord
}

export interface Catalog {
  /** In the registry's order. */
  readonly entries: ReadonlyArray<CatalogEntry>
  /** The entries as a policy has them: what a person must agree to is said, and what the scope's callers lack. */
  readonly rows: (policy: Policy, scope: string) => ReadonlyArray<CatalogRow>
  /** Finds an entry by its name, its provider name or another name of it. */
  readonly resolve: (name: string) => CatalogEntry | undefined
  /** What is said of a name that finds nothing; `suggested` in its data is the nearest there is. */
  readonly unknown: (name: string) => OperationFailure
  /** The refusal of a tool that the settings of a place do not grant there; `where` names the place. */
  readonly withheld: (entry: CatalogEntry, where: string) => OperationFailure
  /** The refusal of arguments that a tool beside the catalog does not take. */
  readonly misread: (message: string) => OperationFailure
  /** Why a caller may not have an entry's operation run, whatever the arguments; undefined when it may. */
  readonly denial: (policy: Policy, principal: Principal, entry: CatalogEntry) => OperationFailure | undefined
  /** The call an entry's arguments come to. Fails when they name an operation, or amount to another one. */
  readonly callOf: (entry: CatalogEntry, args: UnknownRecord) => Either.Either<CatalogCall, OperationFailure>
}

const longestName = 64
const longestDescription = 280

/** Names as providers of models accept them. */
export const providerNameOf = (name: string): string => name.replace(/[.-]/g, "_")

/** The first sentence, white space collapsed, cut at the last word that fits. */
export const sentence = (text: string): string => {
  const flat = text.replace(/\s+/g, " ").trim()
  const first = /^.*?[.!?](?= |$)/.exec(flat)?.[0] ?? flat
  if (first.length <= longestDescription) return first
  const cut = first.slice(0, longestDescription - 1)
  const space = cut.lastIndexOf(" ")
  return `${space > longestDescription / 2 ? cut.slice(0, space) : cut}…`
}

const titleOf = (name: string): string => {
  const words = name.replace(/[._-]+/g, " ")
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Services whose contents people wrote for themselves. */
const personal = /^portico\/(Knowledge|Session)/

const privacyOf = ({ needs }: Operation.Any): Privacy =>
  needs.length === 0 ? "public" : needs.some((key) => personal.test(key)) ? "personal" : "internal"

const entryOf = (operation: Operation.Any, tools: ReadonlyArray<string>): CatalogEntry => {
  const name: string = `${operation.facade}.${operation.name}`
  const providerName = providerNameOf(name)
  const reads = operation.effect === "read"
  return {
    type: "portos_tool",
    name,
    version: 1,
    providerName,
    aliases: [...new Set([...tools, providerName])],
    title: titleOf(name),
    description: sentence(operation.summary),
    get input_schema() {
      return inputOf(operation)
    },
    get output_schema() {
      return outputSchema(operation)
    },
    policy: {
      scopes,
      requiredCapabilities: [operation.effect],
      sideEffect: reads ? "read" : "write",
      effect: operation.effect,
      privacy: privacyOf(operation),
      idempotent: reads,
      async: operation.long,
      confirmation: reads ? "none" : "capability-grant",
      openWorld: operation.openWorld
    },
    available: operation.available,
    ...(operation.unavailable === undefined ? {} : { unavailableReason: operation.unavailable })
  }
}

const inputs = new WeakMap<Operation.Any, JsonRecord>()

const inputOf = (operation: Operation.Any): JsonRecord => {
  const held = inputs.get(operation)
  if (held !== undefined) return held
  const made = JsonSchema.ofInput(operation.input)
  inputs.set(operation, made)
  return made
}

/** Fields that name an operation, wherever in the arguments they stand. */
const discriminators = (facade: Facade.Any): ReadonlyArray<string> => [
  facade.discriminator,
  ...facade.discriminatorAliases
]

/** The catalog of a registry. Throws where two operations would go by one name, or a name is none that can be used. */
export const make = (registry: Registry.Any): Catalog => {
  const pairs = registry.facades.flatMap((facade) =>
    listed(facade).map((operation) => ({ facade, operation }))
  )
  const holders = new Map<string, number>()
  for (const { operation } of pairs)
    for (const tool of operation.tools) holders.set(tool, (holders.get(tool) ?? 0) + 1)
  // A tool that stands behind several operations names none of them.
  const entries = pairs.map(({ operation }) =>
    entryOf(
      operation,
      operation.tools.filter((tool) => holders.get(tool) === 1)
    )
  )
  const providerNames: ReadonlyArray<string> = entries.map(({ providerName }) => providerName)
  const byName = new Map<string, CatalogEntry>()
  for (const entry of entries) {
    for (const name of new Set([entry.name, ...entry.aliases])) {
      const other = byName.get(name)
      if (other !== undefined) throw new Error(`${name} is a name of both ${other.name} and ${entry.name}`)
      if (name.length > longestName) throw new Error(`${name} is longer than ${longestName} characters`)
      byName.set(name, entry)
    }
  }
  byProviderName(entries)
  const operations = new Map(
    pairs.map(({ facade, operation }): readonly [string, (typeof pairs)[number]] => [
      `${facade.name}.${operation.name}`,
      { facade, operation }
    ])
  )
  const pairOf = (entry: CatalogEntry) => operations.get(entry.name) as (typeof pairs)[number]

  return {
    entries,
    rows: (policy, scope) => {
      const principal: Principal | undefined = (scopes as ReadonlyArray<string>).includes(scope)
        ? { kind: scope as (typeof scopes)[number], id: scope, authenticated: true }
        : undefined
      return entries.flatMap((entry): ReadonlyArray<CatalogRow> => {
        const inScope = scope === "all" || principal !== undefined
        if (!inScope) return []
        const { operation } = pairOf(entry)
        const asked = scopes.some((kind) => policy.asks({ kind, id: kind, authenticated: true }, operation))
        return [
          {
            ...entry,
            policy: asked ? { ...entry.policy, confirmation: "approval" } : entry.policy,
            availableInScope: inScope,
            granted: principal === undefined ? null : policy.denial(principal, operation) === undefined
          }
        ]
      })
    },
    resolve: (name) => byName.get(name),
    unknown: (name) => {
      const found = nearest(providerNameOf(name), providerNames)
      const suggested = found === undefined ? undefined : byName.get(found)?.name
      return failure("unknown_tool", `there is no tool ${name}`, {
        field: "tool",
        failure_stage: "admission",
        data: suggested === undefined ? undefined : { suggested }
      })
    },
    withheld: ({ name }, where) =>
      failure("permission_denied", `${name} is not granted to ${where}`, {
        field: "tool",
        failure_stage: "admission",
        reason_code: "not_granted",
        state_changed: false
      }),
    misread: (message) =>
      failure("invalid_argument", message, { failure_stage: "decode", state_changed: false }),
    denial: (policy, principal, entry) => ungranted(policy, principal, pairOf(entry).operation),
    callOf: (entry, args) => {
      const { facade, operation } = pairOf(entry)
      const naming = discriminators(facade).find((field) => Object.hasOwn(args, field))
      if (naming !== undefined)
        return Either.left(
          failure("invalid_argument", `${entry.name} takes no ${naming}: its name says the operation`, {
            field: naming,
            failure_stage: "decode",
            reason_code: "unknown_field"
          })
        )
      const call: CatalogCall = {
        tool: facade.name,
        args: { ...args, [facade.discriminator]: operation.name }
      }
      const selected = select(facade, call.args)
      if (Either.isLeft(selected)) return Either.left(selected.left)
      const found = selected.right.operation.name
      return found === operation.name
        ? Either.right(call)
        : Either.left(
            failure(
              "invalid_argument",
              `these arguments are for ${facade.name}.${found}, not for ${entry.name}`,
              {
                failure_stage: "decode",
                reason_code: "other_operation",
                data: { name: entry.name, operation: `${facade.name}.${found}` }
              }
            )
          )
    }
  }
}

const made = new WeakMap<Registry.Any, Catalog>()

/** The catalog of a registry, made once. */
export const of = (registry: Registry.Any): Catalog => {
  const held = made.get(registry)
  if (held !== undefined) return held
  const catalog = make(registry)
  made.set(registry, catalog)
  return catalog
}

/** Base64url SHA-256 of a value, whatever the order of its keys. */
export const digestOf = (value: unknown): string => Buffer.from(hash(value), "hex").toString("base64url")

/** What a catalog adds up to. */
export const statsOf = (rows: ReadonlyArray<CatalogRow>): { readonly [name: string]: Json } => {
  const read = rows.filter(({ policy }) => policy.sideEffect === "read").length
  return {
    total: rows.length,
    read,
    write: rows.length - read,
    granted: rows.filter(({ granted }) => granted === true).length
  }
}
