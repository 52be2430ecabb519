/**
 * A surface: the tools a session lists, and what any name a client may call leads to there. Made of a registry and a
 * choice, the same one each time, and never changed.
 */
import { Either } from "effect"
import type { SurfaceDetails } from "../registry/CallInfo.ts"
import { type ToolDefinition, tools as facadeTools } from "../registry/Capabilities.ts"
import { definition, type Direct, directs, isPassing, raise } from "../registry/Direct.ts"
import { type Facade, select } from "../registry/Facade.ts"
import type { FollowUpData } from "../registry/FollowUp.ts"
import type { Operation } from "../registry/Operation.ts"
import { presets } from "../registry/Presets.ts"
import type { Registry } from "../registry/Registry.ts"
import { type Choice, compact, type Mode, type SurfaceName } from "./Selection.ts"

/** What a name leads to. */
export type Resolution =
  | { readonly tag: "facade"; readonly facade: Facade.Any }
  | { readonly tag: "direct"; readonly direct: Direct }
  /** It exists, and this session does without it. */
  | { readonly tag: "hidden" }
  | { readonly tag: "unknown" }

export interface Surface {
  /** `custom` where no preset was named. */
  readonly name: SurfaceName | "custom"
  readonly mode: Mode
  /** In the order they are listed. */
  readonly tools: ReadonlyArray<ToolDefinition>
  /** Whether the tools with operations are called by their names here. */
  readonly hasFacades: boolean
  /** What was asked for and is not there, as sentences for the operator. */
  readonly warnings: ReadonlyArray<string>
  readonly resolve: (tool: string) => Resolution
  /** Whether an operation may be reached here, whatever leads to it. */
  readonly permits: (operation: Operation.Any) => boolean
  /** A follow-up in the names of this surface; undefined when nothing here does what it says. */
  readonly translate: (followUp: FollowUpData) => FollowUpData | undefined
  /** What operations about the surface know of it. */
  readonly details: SurfaceDetails
}

/** Tools that every surface of single tools keeps: they find the others. */
const finders: ReadonlySet<string> = new Set(["tools_search", "tool_profile"])

const everything = (): boolean => true

/** What a choice lists, and which preset that came to. */
const listing = (
  registry: Registry.Any,
  choice: Choice,
  warnings: Array<string>
): { readonly name: Surface["name"]; readonly listed: ReadonlyArray<Direct> } => {
  const table = directs(registry)
  const asked = choice.add.filter((name) => table.has(name))
  for (const name of choice.add.filter((each) => !table.has(each)))
    warnings.push(`there is no tool ${JSON.stringify(name)} to list`)
  for (const name of choice.remove.filter((each) => !table.has(each)))
    warnings.push(`there is no tool ${JSON.stringify(name)} to leave out`)
  const failsOpen = choice.preset === undefined && asked.length === 0
  if (failsOpen)
    warnings.push(`${JSON.stringify(choice.add.join(","))} names no surface; all tools are listed`)
  const preset: SurfaceName | undefined = failsOpen ? "full" : choice.preset
  const belongs = (direct: Direct): boolean => {
    const known = presets.find((each) => each === preset)
    if (known !== undefined) return direct.presets.has(known)
    return direct.listed && (preset === "full" || (preset === "readonly" && direct.reads))
  }
  const listed = [...table.values()].filter((direct) => {
    if (finders.has(direct.name)) return preset !== "hybrid" || asked.includes(direct.name)
    if (choice.remove.includes(direct.name)) return false
    return asked.includes(direct.name) || belongs(direct)
  })
  return { name: preset ?? "custom", listed }
}

const make = (registry: Registry.Any, choice: Choice): Surface => {
  const warnings: Array<string> = []
  const table = directs(registry)
  const isClosed = choice.preset === "compact"
  const hasFacades = isClosed || choice.preset === "hybrid"
  const { listed, name } = isClosed
    ? { name: "compact" as const, listed: [] }
    : listing(registry, choice, warnings)
  // A name shared with a facade is the facade's where there are facades.
  const shown = listed.filter((direct) => !hasFacades || registry.facade(direct.name) === undefined)
  const listedNames = new Set(shown.map((direct) => direct.name))
  const removed = new Set(choice.remove.filter((each) => !finders.has(each)))
  const mode: Mode = isClosed ? "hide" : choice.mode
  const permits = name === "readonly" ? isPassing : everything
  const callable = (direct: Direct): boolean => {
    if (isClosed || removed.has(direct.name)) return false
    if (hasFacades && registry.facade(direct.name) !== undefined) return false
    if (name === "readonly" && !direct.reads) return false
    return mode === "defer" || listedNames.has(direct.name)
  }
  const resolve = (tool: string): Resolution => {
    const facade = registry.facade(tool)
    if (facade !== undefined && hasFacades) return { tag: "facade", facade }
    const direct = table.get(tool)
    if (direct !== undefined && callable(direct)) return { tag: "direct", direct }
    return direct !== undefined || facade !== undefined ? { tag: "hidden" } : { tag: "unknown" }
  }
  const tools = [...(hasFacades ? facadeTools(registry) : []), ...shown.map(definition)]

  /** The direct tool that does what an operation does here. */
  const directTo = (operation: Operation.Any): Direct | undefined =>
    operation.tools
      .flatMap((tool) => table.get(tool) ?? [])
      .find((direct) => callable(direct) && direct.routes.some((route) => route.operation === operation))

  const translate = (followUp: FollowUpData): FollowUpData | undefined => {
    const facade = registry.facade(followUp.tool)
    if (hasFacades || facade === undefined) return followUp
    const { arguments: args } = followUp
    const selected = select(facade, args)
    if (Either.isLeft(selected)) return undefined
    const { operation } = selected.right
    if (operation.direct === "never") {
      // What is known of an operation is known of its tool.
      const [domain, named] = [args["domain"], args["operation"]]
      const about =
        typeof domain === "string" && typeof named === "string" ? registry.lookup(domain, named) : undefined
      const tool = about === undefined ? undefined : directTo(about)
      return tool === undefined
        ? {
            ...followUp,
            tool: "tools_search",
            arguments: typeof domain === "string" ? { query: domain } : {}
          }
        : { ...followUp, tool: "tool_profile", arguments: { tool: tool.name } }
    }
    const direct = directTo(operation)
    return direct === undefined
      ? undefined
      : {
          ...followUp,
          tool: direct.name,
          arguments: raise(direct, operation, selected.right.args) as FollowUpData["arguments"]
        }
  }

  const details: SurfaceDetails = {
    name,
    mode,
    tools: () => [
      ...tools.map((tool) => ({ tool, listed: true })),
      ...[...table.values()]
        .filter((direct) => !listedNames.has(direct.name) && callable(direct))
        .map((direct) => ({ tool: definition(direct), listed: false }))
    ]
  }
  return { name, mode, tools, hasFacades, warnings, resolve, permits, translate, details }
}

const surfaces = new WeakMap<Registry.Any, Map<string, Surface>>()

/** Choices come from settings and command lines, so there are few; a server that is sent many forgets the oldest. */
const mostKept = 64

/** The surface of a choice over a registry; equal choices get the same one. */
export const surfaceOf = (registry: Registry.Any, choice: Choice = compact): Surface => {
  const kept = surfaces.get(registry) ?? new Map<string, Surface>()
  surfaces.set(registry, kept)
  const key = JSON.stringify([choice.preset ?? null, choice.mode, choice.add, choice.remove])
  const held = kept.get(key)
  if (held !== undefined) return held
  const made = make(registry, choice)
  const [oldest] = kept.keys()
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
  kept.set(key, made)
  return made
}
