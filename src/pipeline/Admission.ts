/** The gate before a call: tools that are listed pass, names of the tools behind them are refused, others are unknown. */
import { Either } from "effect"
import { type Facade, select } from "../registry/Facade.ts"
import { failure, type OperationFailure } from "../registry/Failure.ts"
import * as FollowUp from "../registry/FollowUp.ts"
import { isRecord, show, type UnknownRecord } from "../registry/Json.ts"
import { nearest } from "../registry/Names.ts"
import type { Registry } from "../registry/Registry.ts"
import type { Routing } from "./CallResult.ts"

const unknown = "unknown"

interface Admitted {
  readonly facade: Facade.Any
  readonly args: UnknownRecord
  readonly routing: Routing
}

/** Where a name that is not listed leads: the operations a canonical tool stands behind. */
type Behind = ReadonlyMap<
  string,
  ReadonlyArray<{ readonly facade: Facade.Any; readonly operation: string; readonly shown: boolean }>
>

const behind = (registry: Registry.Any): Behind => {
  const found = new Map<string, Array<{ facade: Facade.Any; operation: string; shown: boolean }>>()
  for (const facade of registry.facades) {
    for (const { hidden, name, tools } of facade.operations) {
      for (const tool of tools) {
        const rows = found.get(tool) ?? []
        rows.push({ facade, operation: name, shown: !hidden })
        found.set(tool, rows)
      }
    }
  }
  return found
}

/** Makes the gate of a registry. */
export const make = (registry: Registry.Any) => {
  const hidden = behind(registry)

  const blocked = (
    tool: string
  ): { readonly routing: Routing; readonly failure: OperationFailure } | undefined => {
    const rows = hidden.get(tool)
    if (rows === undefined) return undefined
    const [first] = [...rows].sort((a, b) => Number(b.shown) - Number(a.shown))
    if (first === undefined) return undefined
    const replacements = rows
      .filter(({ shown }) => shown)
      .map(({ facade, operation }) => ({ tool: facade.name, operation }))
    const recovery = FollowUp.make(registry, {
      kind: "fallback_recovery",
      tool: "capabilities",
      arguments: {
        domain: first.facade.name,
        ...(first.shown ? { operation: first.operation, detail: "schema" } : {})
      }
    })
    return {
      routing: { facade: first.facade.name, operation: first.operation, canonical_tool: tool },
      failure: failure(
        "tool_blocked_by_mode",
        replacements.length === 0
          ? `${tool} cannot be called directly; see ${first.facade.name}`
          : `${tool} cannot be called directly; it is ${replacements.map((row) => `${row.tool}.${row.operation}`).join(", ")}`,
        {
          field: "tool",
          failure_stage: "admission",
          data: { tool, replacements, recovery_tool: "capabilities" },
          recovery: Either.getOrUndefined(recovery)
        }
      )
    }
  }

  const unheard = (tool: string): OperationFailure => {
    const tools = registry.facades.map(({ name }) => name)
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

  /** Admits a call, or says why not together with what is known of where it leads. */
  return (
    tool: string,
    args: unknown
  ): Either.Either<Admitted, { readonly routing: Routing; readonly failure: OperationFailure }> => {
    const facade = registry.facade(tool)
    if (facade === undefined) {
      return Either.left(
        blocked(tool) ?? {
          routing: { facade: unknown, operation: unknown, canonical_tool: unknown },
          failure: unheard(tool)
        }
      )
    }
    const nowhere: Routing = { facade: facade.name, operation: unknown, canonical_tool: unknown }
    const record = args ?? {}
    if (!isRecord(record)) {
      return Either.left({
        routing: nowhere,
        failure: failure("invalid_argument", `${tool}: arguments must be an object, got ${show(args)}`, {
          field: "arguments",
          failure_stage: "admission",
          reason_code: "not_an_object"
        })
      })
    }
    return Either.right({
      facade,
      args: record,
      routing: Either.match(select(facade, record), {
        onLeft: ({ data }) => {
          const stated = data?.["operation"]
          const known =
            typeof stated === "string" ? facade.operations.find(({ name }) => name === stated) : undefined
          return known === undefined
            ? nowhere
            : { facade: facade.name, operation: known.name, canonical_tool: known.tools[0] ?? unknown }
        },
        onRight: ({ operation }) => ({
          facade: facade.name,
          operation: operation.name,
          canonical_tool: operation.tools[0] ?? unknown
        })
      })
    })
  }
}
