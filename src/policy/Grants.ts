/**
 * What a principal may have done. A grant is a set of effect classes, narrowed tool by tool to classes or services. The
 * user's grant takes the place of the standard one; a repository's can only take away from it.
 */
import { classOfTag, type EffectClass, effectClasses } from "../registry/EffectClass.ts"
import type { Operation } from "../registry/Operation.ts"
import type { Principal, PrincipalKind } from "./Principal.ts"

/** A grant as it is written down: classes, or classes with what is left of them for single tools. */
export type Grant =
  | ReadonlyArray<EffectClass>
  | {
      readonly classes: ReadonlyArray<EffectClass>
      /** By tool: classes or names of services. */
      readonly tools?: { readonly [tool: string]: ReadonlyArray<string> }
    }

export type Grants = { readonly [K in PrincipalKind]?: Grant }

/** What each kind has when nothing is written down. Nobody publishes unasked. */
export const standard: Required<Grants> = {
  agent: ["read", "local_write", "session_write", "control_write"],
  ui: ["read", "local_write", "session_write", "control_write"],
  federation: ["read"],
  cli: ["read", "local_write", "session_write", "control_write", "external_write"]
}

/** Why a principal may not have an operation run. */
export interface Denial {
  readonly reason: "class_not_granted" | "tool_narrowed" | "not_authenticated"
  /** Where the grant that is missing would be written. */
  readonly source: "standard" | "user" | "repository"
  readonly effect: EffectClass
  /** The classes the principal has. */
  readonly granted: ReadonlyArray<EffectClass>
}

const classesOf = (grant: Grant): ReadonlyArray<EffectClass> => ("classes" in grant ? grant.classes : grant)

const toolsOf = (grant: Grant): { readonly [tool: string]: ReadonlyArray<string> } | undefined =>
  "classes" in grant ? grant.tools : undefined

/** Whether what an operation needs is among the words of a narrowing. */
const within = (operation: Operation.Any, words: ReadonlyArray<string>): boolean =>
  words.includes(operation.effect) ||
  operation.needs.every((key) => {
    const owner = classOfTag(key)
    return owner === "read" || words.includes(key.replace("portico/", ""))
  })

/** The grants that hold for one kind of caller, the user's or the standard ones first. */
interface Link {
  readonly source: Denial["source"]
  readonly grant: Grant
}

const chain = (kind: PrincipalKind, user: Grants, repository: Grants): ReadonlyArray<Link> => {
  const own = user[kind]
  const first: Link =
    own === undefined ? { source: "standard", grant: standard[kind] } : { source: "user", grant: own }
  const last = repository[kind]
  return last === undefined ? [first] : [first, { source: "repository", grant: last }]
}

/** Finds what stands against an operation; undefined when nothing does. What a repository grants beyond the user is void. */
export const denial = (
  { repository, user }: { readonly user: Grants; readonly repository: Grants },
  principal: Principal,
  operation: Operation.Any
): Denial | undefined => {
  const { effect } = operation
  const links = chain(principal.kind, user, repository)
  const granted = effectClasses.filter((word) => links.every(({ grant }) => classesOf(grant).includes(word)))
  for (const { grant, source } of links) {
    if (!classesOf(grant).includes(effect)) return { reason: "class_not_granted", source, effect, granted }
    const words = toolsOf(grant)?.[operation.facade]
    if (words !== undefined && !within(operation, words))
      return { reason: "tool_narrowed", source, effect, granted }
  }
  return !principal.authenticated && effect !== "read"
    ? { reason: "not_authenticated", source: "standard", effect, granted }
    : undefined
}
