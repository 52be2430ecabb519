/**
 * Which tools a session sees: who may say so, in which order they are heard, and what they can say. Names only; what a
 * name stands for is known to {@link file://./Surface.ts}.
 */

/** Surfaces by name. `compact` has the few tools with operations, `hybrid` those and some single tools, others single tools. */
export const surfaceNames = [
  "compact",
  "hybrid",
  "full",
  "readonly",
  "core",
  "agent",
  "edit",
  "nav",
  "localization"
] as const
export type SurfaceName = (typeof surfaceNames)[number]

/** Other spellings. */
export const aliases: { readonly [alias: string]: SurfaceName } = {
  "facade-v1": "compact",
  facade: "compact",
  "agent-v2": "compact",
  default: "core",
  classic: "core",
  "coding-agent": "agent",
  all: "full",
  "read-only": "readonly",
  editor: "edit",
  "edit-harness": "edit",
  navigate: "nav",
  explore: "nav",
  locate: "localization",
  find: "localization"
}

/** What becomes of tools that are not listed: they cannot be called, or they can, and are found by searching. */
export const modes = ["hide", "defer"] as const
export type Mode = (typeof modes)[number]

/** Where a selection came from, the strongest first. */
export const sources = ["forwarded", "operator", "profile", "client", "default"] as const
export type Source = (typeof sources)[number]

/** What each source says; absent or blank is no opinion. */
export interface Wishes {
  /** `--tools`, or the environment's PORTICO_TOOLS or GORTEX_TOOLS. */
  readonly forwarded?: string | undefined
  /** Pinned by the operator in the settings. */
  readonly operator?: string | undefined
  /** Name of the active instruction profile. */
  readonly profile?: string | undefined
  /** Name the client gave. Any name selects `compact`; none leaves it to the server's default. */
  readonly client?: string | undefined
}

/** A surface as it was asked for. Plain data: it can be handed on, and equal ones mean equal surfaces. */
export interface Choice {
  /** Undefined when single tools were named and nothing else. */
  readonly preset: SurfaceName | undefined
  readonly mode: Mode
  /** Tools listed besides those of the preset. */
  readonly add: ReadonlyArray<string>
  /** Tools that are neither listed nor called. */
  readonly remove: ReadonlyArray<string>
}

export interface Selection extends Choice {
  readonly source: Source
}

/** The closed surface of named clients. */
export const compact: Choice = { preset: "compact", mode: "hide", add: [], remove: [] }

const said = (wish: string | undefined): string | undefined => {
  const word = wish?.trim()
  return word === undefined || word === "" ? undefined : word
}

/** The surface a word names, in any case; undefined when it names none. */
export const surfaceNamed = (word: string): SurfaceName | undefined => {
  const name = word.trim().toLowerCase()
  return (
    surfaceNames.find((known) => known === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
  )
}

/**
 * Reads a specification: words between commas or blanks. The first bare word may name a surface; other bare words and
 * `+name` add tools, `-name` takes one away. Bare words without a surface are the whole surface; changes alone change
 * the server's default. `hide` and `defer` say what becomes of the tools that are not listed; without either they are
 * deferred. `compact` is closed, so it is taken without changes, and hides.
 */
export const parse = (specification: string): Choice => {
  const spoken = specification.split(/[\s,]+/).filter((word) => word !== "")
  const mode = modes.find((each) => spoken.some((word) => word.toLowerCase() === each)) ?? "defer"
  const words = spoken.filter((word) => !modes.some((each) => word.toLowerCase() === each))
  const bare = words.filter((word) => !/^[+-]/.test(word))
  const [first] = bare
  const named = first === undefined ? "core" : surfaceNamed(first)
  if (named === "compact") return compact
  const add: Array<string> = []
  const remove: Array<string> = []
  for (const word of named === undefined || first === undefined ? words : words.filter((_) => _ !== first)) {
    const name = word.replace(/^[+-]/, "").toLowerCase().replaceAll("-", "_")
    if (name !== "") (word.startsWith("-") ? remove : add).push(name)
  }
  return { preset: named, mode, add, remove }
}

/** Surfaces of instruction profiles; a profile that is not here, or has none, has no opinion. */
const profiles: { readonly [profile: string]: SurfaceName | undefined } = {
  core: undefined,
  localization: undefined,
  full: "core"
}

/** Resolves the wishes, the strongest source first. */
export const select = (wishes: Wishes): Selection => {
  const forwarded = said(wishes.forwarded)
  if (forwarded !== undefined) return { ...parse(forwarded), source: "forwarded" }
  const operator = said(wishes.operator)
  if (operator !== undefined) return { ...parse(operator), source: "operator" }
  const profile = said(wishes.profile)?.toLowerCase()
  const preset = profile !== undefined && Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  if (preset !== undefined) return { ...parse(preset), source: "profile" }
  return said(wishes.client) === undefined
    ? { ...parse("core"), source: "default" }
    : { ...compact, source: "client" }
}

/** Whether a choice is the closed surface, whose tools lie ready as data. */
export const isCompact = ({ preset }: Choice): boolean => preset === "compact"
