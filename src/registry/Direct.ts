/**
 * Canonical tools called by their own names, with flat arguments. A direct tool is a way to operations that facades hold;
 * where one canonical tool stands behind several, an argument tells them apart.
 */
import { Either } from "effect"
import { executionOf, type ToolDefinition } from "./Capabilities.ts"
import type { EffectClass } from "./EffectClass.ts"
import type { Facade } from "./Facade.ts"
import { failure, type OperationFailure } from "./Failure.ts"
import * as Flat from "./Flat.ts"
import { equal, isRecord, type Json, type JsonRecord, show, type UnknownRecord } from "./Json.ts"
import * as JsonSchema from "./JsonSchema.ts"
import { containers } from "./Input.ts"
import { operationName } from "./Names.ts"
import type { Operation } from "./Operation.ts"
import type { Preset } from "./Presets.ts"
import type { Registry } from "./Registry.ts"

/** One operation a direct tool leads to. */
export interface Route {
  readonly facade: Facade.Any
  readonly operation: Operation.Any
  /** The discriminating argument's value; undefined where there is no such argument. */
  readonly when: Json | undefined
}

/** A call of a direct tool, as its operation takes it. */
export interface Lowered {
  readonly route: Route
  readonly args: UnknownRecord
}

export interface Direct {
  readonly name: string
  /** At least one. */
  readonly routes: readonly [Route, ...ReadonlyArray<Route>]
  /** The argument that tells routes apart, and the route of a call without it. */
  readonly discriminator: { readonly name: string; readonly default: Route } | undefined
  readonly presets: ReadonlySet<Preset>
  /** Whether surfaces that list everything list it. */
  readonly listed: boolean
  /** Whether it belongs to a surface of readers. */
  readonly reads: boolean
}

/** Effects that outlast the session. */
const lasting: ReadonlySet<EffectClass> = new Set(["local_write", "control_write", "external_write"])

/** Whether an operation leaves nothing behind when the session ends. */
export const isPassing = (operation: Operation.Any): boolean => !lasting.has(operation.effect)

/** The fixed argument in which all differ, if there is one. */
const discriminating = (rows: ReadonlyArray<{ readonly operation: Operation.Any }>): string | undefined => {
  const [first] = rows
  return Object.keys(first?.operation.fixed ?? {}).find((name) => {
    const values = rows.map(({ operation }) => operation.fixed[name])
    return values.every(
      (value, at) => value !== undefined && values.findIndex((other) => equal(other, value)) === at
    )
  })
}

const of = (
  name: string,
  rows: ReadonlyArray<{ readonly facade: Facade.Any; readonly operation: Operation.Any }>
): Direct => {
  const key = rows.length === 1 ? undefined : discriminating(rows)
  const routes = (key === undefined ? rows.slice(0, 1) : rows).map(
    ({ facade, operation }): Route => ({
      facade,
      operation,
      when: key === undefined ? undefined : operation.fixed[key]
    })
  ) as [Route, ...Array<Route>]
  const fallback =
    routes.find(({ facade, operation, when }) => when === false || operation.name === facade.default) ??
    routes[0]
  const uses = routes.map(({ operation }) => operation.direct)
  return {
    name,
    routes,
    discriminator: key === undefined ? undefined : { name: key, default: fallback },
    presets: new Set(routes.flatMap(({ operation }) => operation.presets)),
    listed: !uses.includes("unlisted"),
    reads:
      !uses.includes("formerWriter") &&
      (routes.some(({ operation }) => operation.effect === "read") ||
        routes.every(({ operation }) => isPassing(operation)))
  }
}

const tables = new WeakMap<Registry.Any, ReadonlyMap<string, Direct>>()

/** The direct tools of a registry by name, in its order; the same map each time. */
export const directs = (registry: Registry.Any): ReadonlyMap<string, Direct> => {
  const held = tables.get(registry)
  if (held !== undefined) return held
  const rows = new Map<string, Array<{ facade: Facade.Any; operation: Operation.Any }>>()
  for (const facade of registry.facades)
    for (const operation of facade.operations) {
      if (operation.direct === "never") continue
      for (const tool of operation.tools) {
        const those = rows.get(tool)
        if (those === undefined) rows.set(tool, [{ facade, operation }])
        else those.push({ facade, operation })
      }
    }
  const table = new Map(
    [...rows].map(([name, those]) => {
      // An operation that stands for several tools leaves the tool to the one that is only its.
      const own = those.filter(({ operation }) => operation.tools.length === 1)
      return [name, of(name, own.length === 0 ? those : own)] as const
    })
  )
  tables.set(registry, table)
  return table
}

/** Whether arguments are in the form of a facade: they name an operation, select a target or fill a container. */
export const isFacadeForm = (args: UnknownRecord): boolean =>
  args["operation"] !== undefined ||
  args["target"] !== undefined ||
  args["to"] !== undefined ||
  containers.some((name) => isRecord(args[name]))

/** Finds the operation of a direct call and brings its arguments to their places. */
export const lower = (direct: Direct, args: UnknownRecord): Either.Either<Lowered, OperationFailure> => {
  const { discriminator, routes } = direct
  if (discriminator === undefined)
    return Either.right({ route: routes[0], args: Flat.lower(routes[0].operation, args) })
  const { [discriminator.name]: value, ...rest } = args
  const said = typeof value === "string" ? operationName(value) : value
  const route = said === undefined ? discriminator.default : routes.find(({ when }) => equal(when, said))
  if (route !== undefined) return Either.right({ route, args: Flat.lower(route.operation, rest) })
  const valid = routes.filter(({ operation }) => operation.available).map(({ when }) => when)
  return Either.left(
    failure(
      "invalid_argument",
      `${direct.name}: ${discriminator.name} ${show(value)} is not known; valid: ${valid.map(show).join(", ")}`,
      {
        field: discriminator.name,
        failure_stage: "admission",
        reason_code: "unknown_operation",
        data: { tool: direct.name, [discriminator.name]: value, valid_values: valid }
      }
    )
  )
}

/** The arguments with which a direct tool makes a call of one of its operations. */
export const raise = (direct: Direct, operation: Operation.Any, args: UnknownRecord): UnknownRecord => {
  const { discriminator, routes } = direct
  const route = routes.find((each) => each.operation === operation)
  const flat = Flat.raise(operation, args)
  return discriminator === undefined || route === undefined || route === discriminator.default
    ? flat
    : { [discriminator.name]: route.when, ...flat }
}

/** A refusal that named published places, in the flat names of a direct call. */
export const speak = (operation: Operation.Any, refused: OperationFailure): OperationFailure => {
  const { selector, sentence, word } = Flat.speak(operation)
  const translate = (value: unknown, key: string): unknown => {
    if (typeof value === "string")
      return key === "message" || key === "problem" || key === "expected"
        ? sentence(value)
        : key === "valid_selectors" || key === "selectors"
          ? selector(value)
          : /^(?:field|fields|canonical_field|suggested_field|valid_fields)$/.test(key)
            ? word(value)
            : value
    if (Array.isArray(value)) return value.map((inner) => translate(inner, key))
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translate(inner, name)]))
    return value
  }
  const { code: _, message: __, ...rest } = refused
  return failure(refused.code, sentence(refused.message), {
    ...rest,
    field: refused.field === undefined ? undefined : word(refused.field),
    data: refused.data === undefined ? undefined : (translate(refused.data, "data") as UnknownRecord)
  } as Parameters<typeof failure>[2])
}

const definitions = new WeakMap<Direct, ToolDefinition>()

const destructive = (operation: Operation.Any): boolean => !isPassing(operation)

const describe = ({ discriminator, name, routes }: Direct): string => {
  const first = discriminator?.default ?? routes[0]
  const sentences =
    routes.length > 8
      ? [first.facade.purpose]
      : [
          first.operation.summary,
          ...routes
            .filter((route) => route !== first)
            .map(({ operation, when }) => `With ${discriminator?.name} ${show(when)}: ${operation.summary}`)
        ]
  const selectors = routes.length > 8 ? [] : Flat.flatten(first.operation).selectors
  for (const { names, required } of selectors)
    sentences.push(`${required ? "Send exactly" : "Send at most"} one of ${names.join(", ")}.`)
  if (routes.every(({ operation }) => !operation.available))
    sentences.push(`Not in this build: ${first.operation.unavailable}.`)
  return sentences.join(" ") || name
}

/** A flat field as a client reads it, without what every schema would repeat. */
const property = ({ field }: Flat.FlatField): JsonRecord => JsonSchema.ofField(field)

/** Output controls that every tool takes; a list names those that steer a conversation, and leaves the rest to be known. */
const shownControls: ReadonlySet<string> = new Set(["limit", "cursor", "format"])

/** A direct tool as a client lists it; the same object each time. */
export const definition = (direct: Direct): ToolDefinition => {
  const held = definitions.get(direct)
  if (held !== undefined) return held
  const { discriminator, routes } = direct
  const properties: { [name: string]: JsonRecord } = {}
  if (discriminator !== undefined) {
    const values = routes.map(({ when }) => when as Json)
    properties[discriminator.name] = values.every((value) => typeof value === "boolean")
      ? { type: "boolean", default: discriminator.default.when as Json }
      : { type: "string", enum: values, default: discriminator.default.when as Json }
  }
  const required = new Map<string, number>()
  for (const { operation } of routes)
    for (const flat of Flat.flatten(operation).fields.values()) {
      if (flat.place.startsWith("output.") && !shownControls.has(flat.name) && isShared(flat.name)) continue
      if (flat.required) required.set(flat.name, (required.get(flat.name) ?? 0) + 1)
      const before = properties[flat.name]
      if (before === undefined) properties[flat.name] = property(flat)
      else if (flat.name !== discriminator?.name && !equal(before, property(flat)))
        properties[flat.name] = common(before, property(flat))
    }
  const needed = [...required].filter(([, count]) => count === routes.length).map(([name]) => name)
  const operations = routes.map(({ operation }) => operation)
  const made: ToolDefinition = {
    name: direct.name,
    description: describe(direct),
    inputSchema: { type: "object", properties, ...(needed.length === 0 ? {} : { required: needed }) },
    annotations: {
      readOnlyHint: operations.every(({ effect }) => effect === "read"),
      destructiveHint: operations.some(destructive),
      openWorldHint: operations.some(({ openWorld }) => openWorld)
    },
    ...executionOf(operations)
  }
  definitions.set(direct, made)
  return made
}

const shared: ReadonlySet<string> = new Set([
  "format",
  "max_bytes",
  "max_tokens",
  "limit",
  "cursor",
  "fields"
])
const isShared = (name: string): boolean => shared.has(name)

/** What two schemas of a name have in common: the type, or nothing. */
const common = (left: JsonRecord, right: JsonRecord): JsonRecord =>
  left["type"] !== undefined && equal(left["type"], right["type"])
    ? {
        type: left["type"],
        ...(left["items"] !== undefined && equal(left["items"], right["items"])
          ? { items: left["items"] }
          : {})
      }
    : {}
