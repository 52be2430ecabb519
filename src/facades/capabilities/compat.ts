/** Discovery in sessions that list single tools: which there are, and which do what the caller has in mind. */
import { Effect } from "effect"
import { CallInfo, type SurfaceDetails } from "../../registry/CallInfo.ts"
import * as Capabilities from "../../registry/Capabilities.ts"
import type { ToolDefinition } from "../../registry/Capabilities.ts"
import { directs } from "../../registry/Direct.ts"
import type { Member } from "../../registry/Facade.ts"
import { invalidArgument } from "../../registry/Failure.ts"
import * as F from "../../registry/Fields.ts"
import { nearest, operationName } from "../../registry/Names.ts"
import type { Registry } from "../../registry/Registry.ts"
import type { Catalog } from "./catalog.ts"
import { capabilities } from "./facade.ts"

/** The tools of a call that came from no surface. */
const unsurfaced = (registry: Registry.Any): SurfaceDetails => ({
  name: "compact",
  mode: "hide",
  tools: () => Capabilities.tools(registry).map((tool) => ({ tool, listed: true }))
})

const surface = (catalog: Catalog) => Effect.map(CallInfo, (call) => call.surface ?? unsurfaced(catalog()))

/** The operations a tool stands for. */
const leadsTo = (registry: Registry.Any, tool: string): ReadonlyArray<string> =>
  (directs(registry).get(tool)?.routes ?? []).map(
    ({ facade, operation }) => `${facade.name}.${operation.name}`
  )

const isAvailable = (registry: Registry.Any, tool: string): boolean => {
  const operations =
    directs(registry)
      .get(tool)
      ?.routes.map(({ operation }) => operation) ?? registry.facade(tool)?.operations
  return operations?.some(({ available }) => available) ?? false
}

const noNeeds = [] as const

export const legacyProfile = (
  catalog: Catalog
): Member<typeof capabilities, "legacy_profile", typeof noNeeds> =>
  capabilities.operation("legacy_profile", {
    tool: "tool_profile",
    presets: ["agent", "core", "edit", "nav", "localization"],
    summary: "Which tools this session has; with tool, one of them and its arguments.",
    hidden: true,
    tier: 2,
    input: F.input({
      arguments: F.group({ tool: F.optional(F.described(F.text, "name of a tool; absent for all")) })
    }),
    needs: noNeeds,
    handler: ({ arguments: { tool: named } }) =>
      Effect.flatMap(surface(catalog), ({ mode, name, tools }) => {
        const all = tools()
        if (named === undefined)
          return Effect.succeed<object>({
            surface: name,
            mode,
            listed: all.flatMap(({ listed, tool }) => (listed ? [tool.name] : [])),
            callable_unlisted: all.flatMap(({ listed, tool }) => (listed ? [] : [tool.name]))
          })
        const wanted = operationName(named)
        const found = all.find(({ tool }) => tool.name === wanted)
        if (found === undefined) {
          const names = all.map(({ tool }) => tool.name)
          const suggested = nearest(wanted, names)
          return invalidArgument(
            "arguments.tool",
            `this session has no tool ${JSON.stringify(named)}${suggested === undefined ? "" : `; did you mean ${suggested}?`}`,
            {
              reason_code: "unknown_tool",
              data: { surface: name, ...(suggested === undefined ? {} : { suggested_tool: suggested }) }
            }
          )
        }
        return Effect.succeed<object>({
          surface: name,
          mode,
          tool: found.tool.name,
          listed: found.listed,
          available: isAvailable(catalog(), found.tool.name),
          description: found.tool.description,
          annotations: found.tool.annotations,
          operations: leadsTo(catalog(), found.tool.name),
          input_schema: found.tool.inputSchema
        })
      })
  })

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)

/** Whether a word is another one, but for its ending. */
const akin = (left: string, right: string): boolean => {
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  return left === right || (short.length > 3 && long.startsWith(short))
}

/**
 * How well each tool fits some words: what stands in its name counts more than in its description, and a word that few
 * tools have more than one that many have. What this build does not have comes last among equals.
 */
const fits = (
  registry: Registry.Any,
  words: ReadonlyArray<string>,
  tools: ReadonlyArray<ToolDefinition>
): ReadonlyArray<number> => {
  const rows = tools.map(({ description, name }) => ({ own: wordsOf(name), told: wordsOf(description) }))
  const has = (those: ReadonlyArray<string>, word: string) => those.some((each) => akin(each, word))
  const weights = words.map((word) => {
    const count = rows.filter(({ own, told }) => has(own, word) || has(told, word)).length
    return count === 0 ? 0 : Math.log(1 + tools.length / count)
  })
  return rows.map(({ own, told }, at) => {
    const { name } = tools[at] as ToolDefinition
    const sum = words.reduce(
      (total, word, index) =>
        total + (weights[index] as number) * ((has(own, word) ? 2 : 0) + (has(told, word) ? 1 : 0)),
      0
    )
    return (name === words.join("_") ? 100 : sum) * (isAvailable(registry, name) ? 1 : 0.5)
  })
}

export const legacySearch = (
  catalog: Catalog
): Member<typeof capabilities, "legacy_search", typeof noNeeds> =>
  capabilities.operation("legacy_search", {
    tool: "tools_search",
    presets: ["agent", "core", "edit", "nav", "localization"],
    summary: "Tools by words, with their arguments; also those that are not listed and can be called.",
    hidden: true,
    tier: 2,
    input: F.input({
      arguments: F.group({
        query: F.optional(F.described(F.text, "what the tool should do, or its name; absent for all")),
        max_results: F.clamped({ min: 1, max: 100, default: 10 }),
        promote: F.withDefault(
          F.described(
            F.flag,
            "taken and without effect: the list stays, and what is found can be called as it is"
          ),
          true
        )
      })
    }),
    needs: noNeeds,
    handler: ({ arguments: { max_results, query } }) =>
      Effect.map(surface(catalog), ({ mode, name, tools }) => {
        const words = wordsOf(query ?? "")
        const all = tools()
        const fit = fits(
          catalog(),
          words,
          all.map(({ tool }) => tool)
        )
        const fitting = all
          .map((row, at) => ({ ...row, at, fit: fit[at] as number }))
          .filter((row) => query === undefined || row.fit > 0)
          .sort((left, right) => right.fit - left.fit || left.at - right.at)
        return {
          surface: name,
          mode,
          tools: fitting.slice(0, max_results).map(({ listed, tool }) => ({
            name: tool.name,
            listed,
            available: isAvailable(catalog(), tool.name),
            description: tool.description,
            input_schema: tool.inputSchema
          })),
          total: fitting.length,
          promoted: []
        }
      })
  })
