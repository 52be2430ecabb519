/**
 * Operation packs: modules with tools of their own, made with the same builder as ours. A pack is taken whole or not at
 * all. What it may do follows from what its operations need, which is checked here by value; a call of one runs with those
 * services and no others.
 */
import { createRequire } from "node:module"
import { basename, dirname, isAbsolute, join } from "node:path"
import { type Allowed, type EffectClass, effectClasses, witness } from "../registry/EffectClass.ts"
import type { Facade } from "../registry/Facade.ts"
import * as kit from "../registry/Kit.ts"
import { isMade, type Operation } from "../registry/Operation.ts"
import * as Registry from "../registry/Registry.ts"
import { audit } from "./Audit.ts"

/** A pack as settings name it. */
export interface Named {
  /** A path, or the name of a package. */
  readonly module: string
  /** Folders it is looked for from, in order. */
  readonly from: ReadonlyArray<string>
}

/** A tool of a pack, by its class: it needs nothing that the class does not admit. */
export type PackFacade = {
  [C in EffectClass]: Facade<string, C, Operation<string, string, C, Allowed<C>>>
}[EffectClass]

/** What became of a pack. */
export interface Loaded {
  readonly module: string
  /** The file it was loaded from; undefined when it was not found. */
  readonly file: string | undefined
  readonly facades: ReadonlyArray<PackFacade>
  /** Why it was refused, as clauses; empty for one that was taken. */
  readonly refused: ReadonlyArray<string>
}

/** Where a pack's own `portico/registry` finds the one it is loaded by. */
export const slot = Symbol.for("portico.registry")

const isFacade = (value: unknown): value is Facade.Any =>
  typeof value === "object" &&
  value !== null &&
  "operations" in value &&
  Array.isArray(value.operations) &&
  "effect" in value &&
  "name" in value

/**
 * The facades a module exports, alone or in lists. A module whose default export is a function gives them when it is
 * handed the kit, and need not find `portico/registry` itself.
 */
const facadesOf = (whole: unknown): ReadonlyArray<Facade.Any> => {
  if (typeof whole !== "object" || whole === null) return []
  const values: ReadonlyArray<unknown> = Object.entries(whole).map(([name, value]) =>
    name === "default" && typeof value === "function" ? (value as (given: typeof kit) => unknown)(kit) : value
  )
  return [
    ...new Set(values.flatMap((value): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])))
  ].filter(isFacade)
}

const namePattern = /^[a-z][a-z0-9_]{1,39}$/

/** What stands against one facade. `taken` are the names in use, with whose they are. */
const against = (facade: Facade.Any, taken: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const { effect, name, operations } = facade
  if (typeof name !== "string" || !namePattern.test(name))
    return [`${String(name)} is no name for a tool: lower case letters, digits and _, at most 40`]
  if (!(effectClasses as ReadonlyArray<string>).includes(effect)) return [`${name} has no effect class`]
  const holder = taken.get(name)
  if (holder !== undefined) found.push(`${name} is the name of ${holder}`)
  if (operations.length === 0) found.push(`${name} has no operation`)
  for (const operation of operations) {
    const subject = `${name}.${operation.name}`
    if (!isMade(operation)) {
      found.push(`${subject} was not made by the builder`)
      continue
    }
    for (const tool of operation.tools) {
      const other = taken.get(tool)
      if (other !== undefined) found.push(`${subject} stands behind ${tool}, which is the name of ${other}`)
    }
    const own = witness[operation.effect]
    if (own !== undefined && !operation.needs.includes(own.key)) found.push(`${subject} lacks ${own.key}`)
  }
  return found
}

const words = (cause: unknown): string =>
  (cause instanceof Error ? cause.message.split("\n")[0] : undefined) ?? String(cause)

const resolved = ({ from, module }: Named): string | Error => {
  if (isAbsolute(module)) return module
  let last: unknown
  for (const folder of from) {
    try {
      return createRequire(join(folder, "package.json")).resolve(module)
    } catch (cause) {
      last = cause
    }
  }
  return last instanceof Error ? last : new Error("there is nowhere to look for it")
}

/** The names a registry has in use, with whose they are. */
const namesOf = (registry: Registry.Registry.Any): Map<string, string> =>
  new Map(
    registry.facades.flatMap(({ name, operations }) => [
      [name, "a tool of this server"] as const,
      ...operations.flatMap(({ tools }) => tools.map((tool) => [tool, "a tool of this server"] as const))
    ])
  )

/** Loads packs beside a registry. None of them stops another, and none makes this fail. */
export const load = (packs: ReadonlyArray<Named>, beside: Registry.Registry.Any): ReadonlyArray<Loaded> => {
  const taken = namesOf(beside)
  const published = globalThis as { [slot]?: unknown }
  published[slot] ??= kit
  return packs.map((pack): Loaded => {
    const { module } = pack
    const file = resolved(pack)
    if (typeof file !== "string")
      return { module, file: undefined, facades: [], refused: [`it is not found: ${words(file)}`] }
    const refused = (because: ReadonlyArray<string>): Loaded => ({
      module,
      file,
      facades: [],
      refused: because
    })
    let facades: ReadonlyArray<Facade.Any>
    try {
      facades = facadesOf(createRequire(file)(file))
    } catch (cause) {
      return refused([
        (cause as NodeJS.ErrnoException).code === "ERR_REQUIRE_ASYNC_MODULE"
          ? "it awaits at its top level, and packs are loaded at once"
          : `it cannot be loaded: ${words(cause)}`
      ])
    }
    if (facades.length === 0) return refused(["it exports no tool"])
    const problems = facades.flatMap((facade) => against(facade, taken))
    if (problems.length > 0) return refused(problems)
    try {
      const { differences } = audit(Registry.make(...facades))
      if (differences.length > 0)
        return refused(differences.map(({ message, subject }) => `${subject} ${message}`))
    } catch (cause) {
      return refused([words(cause)])
    }
    for (const { name, operations } of facades)
      for (const each of [name, ...operations.flatMap(({ tools }) => tools)])
        taken.set(each, `a tool of ${module}`)
    return {
      module,
      file,
      // An answer shows no path of this machine.
      facades: facades.map((facade) => ({
        ...facade,
        pack: isAbsolute(module) ? basename(dirname(file)) : module
      })) as ReadonlyArray<PackFacade>,
      refused: []
    }
  })
}
