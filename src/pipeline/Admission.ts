/**
 * The gate before a call: names the session's surface knows pass, names it does without are refused with what does the
 * same there, others are unknown.
 */
import { Either } from "effect"
import { type Direct, directs, isFacadeForm, lower } from "../registry/Direct.ts"
import { type Facade, select } from "../registry/Facade.ts"
import { failure, type OperationFailure } from "../registry/Failure.ts"
import * as FollowUp from "../registry/FollowUp.ts"
import { isRecord, show, type UnknownRecord } from "../registry/Json.ts"
import { nearest } from "../registry/Names.ts"
import type { Operation } from "../registry/Operation.ts"
import type { Registry } from "../registry/Registry.ts"
import { type Surface, surfaceOf } from "../surface/Surface.ts"
import type { Routing } from "./CallResult.ts"

const unknown = "unknown"

/** A call that was let in, as its facade takes it. */
export interface Admitted {
  readonly facade: Facade.Any
  readonly args: UnknownRecord
  readonly routing: Routing
  /** The operation, where the call came by the name of its canonical tool; its arguments are lowered already. */
  readonly direct: Operation.Any | undefined
}

interface Refused {
  readonly routing: Routing
  readonly failure: OperationFailure
}

const nowhere: Routing = { facade: unknown, operation: unknown, canonical_tool: unknown }

/** Makes the gate of a registry. */
export const make = (registry: Registry.Any) => {
  const table = directs(registry)
  const compact = surfaceOf(registry)

  /** Looking up what a name leads to here; dropped where the surface has no such call. */
  const recovery = (domain: string, operation?: string) =>
    Either.getOrUndefined(
      FollowUp.make(registry, {
        kind: "fallback_recovery",
        tool: "capabilities",
        arguments: { domain, ...(operation === undefined ? {} : { operation, detail: "schema" }) }
      })
    )

  const refuse = (
    surface: Surface,
    routing: Routing,
    tool: string,
    message: string,
    given: {
      readonly replacements: ReadonlyArray<{ readonly tool: string; readonly operation?: string }>
      readonly domain: string
      readonly operation?: string | undefined
    }
  ): Refused => ({
    routing,
    failure: failure("tool_blocked_by_mode", message, {
      field: "tool",
      failure_stage: "admission",
      data: {
        tool,
        surface: surface.name,
        replacements: given.replacements,
        recovery_tool: surface.hasFacades ? "capabilities" : "tools_search"
      },
      recovery: recovery(given.domain, given.operation)
    })
  })

  const listOf = (replacements: ReadonlyArray<{ readonly tool: string; readonly operation?: string }>) =>
    replacements
      .map(({ operation, tool }) => (operation === undefined ? tool : `${tool}.${operation}`))
      .join(", ")

  /** A canonical tool that the surface does without. */
  const blockedDirect = (surface: Surface, { name, routes }: Direct): Refused => {
    const [first] = [...routes].sort((a, b) => Number(a.operation.hidden) - Number(b.operation.hidden))
    const { facade, operation } = first as Direct["routes"][number]
    const routing = { facade: facade.name, operation: operation.name, canonical_tool: name }
    const replacements = surface.hasFacades
      ? routes
          .filter((route) => !route.operation.hidden)
          .map((route) => ({ tool: route.facade.name, operation: route.operation.name }))
      : []
    return refuse(
      surface,
      routing,
      name,
      replacements.length > 0
        ? `${name} cannot be called directly; it is ${listOf(replacements)}`
        : surface.hasFacades
          ? `${name} cannot be called directly; see ${facade.name}`
          : `${name} is not among the tools of this session, which sees the surface ${surface.name}`,
      { replacements, domain: facade.name, operation: operation.hidden ? undefined : operation.name }
    )
  }

  /** A tool with operations, in a session of single tools. */
  const blockedFacade = (surface: Surface, facade: Facade.Any, args: UnknownRecord): Refused => {
    const selected = Either.getOrUndefined(select(facade, args))?.operation
    const near = facade.operations
      .filter((operation) => !operation.hidden && (selected === undefined || operation === selected))
      .flatMap(({ tools }) => tools)
      .filter((tool) => surface.resolve(tool).tag === "direct")
    const replacements = [...new Set(near)].map((tool) => ({ tool }))
    return refuse(
      surface,
      {
        facade: facade.name,
        operation: selected?.name ?? unknown,
        canonical_tool: selected?.tools[0] ?? unknown
      },
      facade.name,
      `${facade.name} is not called in a session of single tools${replacements.length === 0 ? "" : `; there ${replacements.length === 1 ? "is" : "are"} ${listOf(replacements)}`}`,
      { replacements, domain: facade.name, operation: selected?.hidden === false ? selected.name : undefined }
    )
  }

  const unheard = (surface: Surface, tool: string): OperationFailure => {
    const tools = surface.tools.map(({ name }) => name)
    const suggested = nearest(tool, tools)
    return failure(
      "unknown_tool",
      `there is no tool ${show(tool)}${suggested === undefined ? "" : `; did you mean ${suggested}?`}; tools: ${tools.join(", ")}`,
      {
        field: "tool",
        failure_stage: "admission",
        data: { tool, valid_tools: tools, ...(suggested === undefined ? {} : { suggested_tool: suggested }) }
      }
    )
  }

  const throughFacade = (facade: Facade.Any, args: UnknownRecord): Admitted => {
    const start: Routing = { facade: facade.name, operation: unknown, canonical_tool: unknown }
    return {
      facade,
      args,
      direct: undefined,
      routing: Either.match(select(facade, args), {
        onLeft: ({ data }) => {
          const stated = data?.["operation"]
          const known =
            typeof stated === "string" ? facade.operations.find(({ name }) => name === stated) : undefined
          return known === undefined
            ? start
            : { facade: facade.name, operation: known.name, canonical_tool: known.tools[0] ?? unknown }
        },
        onRight: ({ operation }) => ({
          facade: facade.name,
          operation: operation.name,
          canonical_tool: operation.tools[0] ?? unknown
        })
      })
    }
  }

  const throughDirect = (
    surface: Surface,
    direct: Direct,
    args: UnknownRecord
  ): Either.Either<Admitted, Refused> => {
    // Names that both have are called in either form.
    const namesake = registry.facade(direct.name)
    if (namesake !== undefined && isFacadeForm(args)) return Either.right(throughFacade(namesake, args))
    return Either.flatMap(
      Either.mapLeft(lower(direct, args), (refused): Refused => {
        const { facade, operation } = direct.discriminator?.default ?? direct.routes[0]
        return {
          routing: { facade: facade.name, operation: operation.name, canonical_tool: direct.name },
          failure: refused
        }
      }),
      ({ args: lowered, route: { facade, operation } }) =>
        surface.permits(operation)
          ? Either.right({
              facade,
              args: lowered,
              direct: operation,
              routing: { facade: facade.name, operation: operation.name, canonical_tool: direct.name }
            })
          : Either.left(
              refuse(
                surface,
                { facade: facade.name, operation: operation.name, canonical_tool: direct.name },
                direct.name,
                `${direct.name} would write here, and the surface ${surface.name} only reads`,
                { replacements: [], domain: facade.name }
              )
            )
    )
  }

  /** Admits a call, or says why not together with what is known of where it leads. */
  return (tool: string, args: unknown, surface: Surface = compact): Either.Either<Admitted, Refused> => {
    const found = surface.resolve(tool)
    const record = args ?? {}
    if (found.tag === "unknown") return Either.left({ routing: nowhere, failure: unheard(surface, tool) })
    if (found.tag === "hidden") {
      const facade = registry.facade(tool)
      const direct = table.get(tool)
      return Either.left(
        facade !== undefined && !surface.hasFacades
          ? blockedFacade(surface, facade, isRecord(record) ? record : {})
          : blockedDirect(surface, direct as Direct)
      )
    }
    if (!isRecord(record)) {
      return Either.left({
        routing:
          found.tag === "facade"
            ? { facade: found.facade.name, operation: unknown, canonical_tool: unknown }
            : { ...nowhere, canonical_tool: tool },
        failure: failure("invalid_argument", `${tool}: arguments must be an object, got ${show(args)}`, {
          field: "arguments",
          failure_stage: "admission",
          reason_code: "not_an_object"
        })
      })
    }
    return found.tag === "facade"
      ? Either.right(throughFacade(found.facade, record))
      : throughDirect(surface, found.direct, record)
  }
}
