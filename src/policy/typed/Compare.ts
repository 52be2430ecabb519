/** What the compiler sees of each operation, held against the values it runs by and against what callers are granted. */
import { type PolicyRow, policy } from "../../registry/Capabilities.ts"
import { classOfTag, type EffectClass, effectClasses } from "../../registry/EffectClass.ts"
import type { Operation } from "../../registry/Operation.ts"
import type { Registry } from "../../registry/Registry.ts"
import type { Difference } from "../Audit.ts"
import { denial, type Grants } from "../Grants.ts"
import { type PrincipalKind, principalKinds } from "../Principal.ts"
import type { Seen, Sighting } from "./Sightings.ts"

/** The settings that the audit holds an operation against. */
export interface Bounds {
  readonly ceilings: { readonly [facade: string]: ReadonlyArray<string> }
  readonly grants: Grants
}

const nameOf = (key: string): string => key.replace("portico/", "")
const keyOf = (name: string): string => `portico/${name}`
const words = (keys: ReadonlyArray<string>): string => keys.map(nameOf).join(", ") || "none"
const ownerOf = (key: string): EffectClass | undefined => classOfTag(key)
const ownerWord = (key: string): string => ownerOf(key) ?? "of no class"

const allowedIn = (effect: string, key: string): boolean => {
  const owner = ownerOf(key)
  return owner === "read" || (owner !== undefined && owner === effect)
}

const same = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length && left.every((key) => right.includes(key))

/** What is wrong with a declaration by itself. */
const alone = (subject: string, { admits, effect, place, requires }: Sighting): ReadonlyArray<Difference> => {
  if (requires === undefined) return []
  const found: Array<Difference> = []
  for (const key of requires.keys) {
    if (effect !== undefined && !allowedIn(effect, key))
      found.push({
        rule: "authority",
        subject,
        place,
        service: nameOf(key),
        message: `has class ${effect} and its handler requires ${nameOf(key)}, which is ${ownerWord(key)}`
      })
    if (admits.others.length === 0 && !admits.keys.includes(key))
      found.push({
        rule: "needs",
        subject,
        place,
        service: nameOf(key),
        message: `has a handler that requires ${nameOf(key)}, and needs ${words(admits.keys)}`
      })
  }
  for (const other of requires.others)
    found.push({
      rule: "unknown",
      subject,
      place,
      message: `has a handler whose requirements the compiler knows as ${other}`
    })
  return found
}

/** What a declaration says that the value it makes does not. */
const against = (subject: string, row: PolicyRow, sighting: Sighting): ReadonlyArray<Difference> => {
  const { admits, effect, place, requires } = sighting
  const found: Array<Difference> = []
  if (effect !== row.effect)
    found.push({
      rule: "declared",
      subject,
      place,
      message: `has class ${effect ?? "of no single word"} for the compiler and ${row.effect} when it runs`
    })
  const needs = row.needs.map(keyOf)
  if (admits.others.length > 0 || !same(admits.keys, needs))
    found.push({
      rule: "declared",
      subject,
      place,
      message: `needs ${[...admits.keys.map(nameOf), ...admits.others].join(", ") || "none"} for the compiler and ${words(needs)} when it runs`
    })
  if (row.available && requires === undefined)
    found.push({ rule: "unseen", subject, place, message: "runs a handler that the compiler does not see" })
  return found
}

/** An operation that requires one service, for asking what a grant says of it. */
const asking = (operation: Operation.Any, effect: EffectClass, needs: ReadonlyArray<string>): Operation.Any =>
  Object.defineProperties(Object.create(operation) as Operation.Any, {
    effect: { value: effect },
    needs: { value: needs }
  })

const somebody = (kind: PrincipalKind) => ({ kind, id: kind, authenticated: true })

/** The kinds of callers who may have an operation run. */
export const grantedTo = (operation: Operation.Any, grants: Grants): ReadonlyArray<PrincipalKind> =>
  principalKinds.filter(
    (kind) => denial({ user: {}, repository: grants }, somebody(kind), operation) === undefined
  )

/** Services a handler requires and a caller who may run it was not granted; those above the tool's ceiling. */
const bounded = (
  subject: string,
  operation: Operation.Any,
  { place, requires }: Sighting,
  { ceilings, grants }: Bounds
): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  const ceiling = ceilings[operation.facade]
  for (const key of requires?.keys ?? []) {
    const owner = ownerOf(key)
    if (
      ceiling !== undefined &&
      !ceiling.includes(nameOf(key)) &&
      !(owner !== undefined && ceiling.includes(owner))
    )
      found.push({
        rule: "ceilings",
        subject,
        place,
        service: nameOf(key),
        message: `has a handler that requires ${nameOf(key)} (${ownerWord(key)}), which is above its ceiling`
      })
    if (owner === "read") continue
    const asked = owner === undefined ? undefined : asking(operation, owner, [key])
    const kinds = grantedTo(operation, grants).filter(
      (kind) =>
        asked === undefined || denial({ user: {}, repository: grants }, somebody(kind), asked) !== undefined
    )
    if (kinds.length > 0)
      found.push({
        rule: "grants",
        subject,
        place,
        service: nameOf(key),
        message: `may be run by ${kinds.join(", ")}, who ${kinds.length === 1 ? "was" : "were"} not granted ${nameOf(key)} (${ownerWord(key)})`
      })
  }
  return found
}

/** Words of grants that name nothing. */
export const strayGrants = (registry: Registry.Any, grants: Grants): ReadonlyArray<Difference> =>
  principalKinds.flatMap((kind) => {
    const grant = grants[kind]
    if (grant === undefined || !("classes" in grant)) return []
    return Object.entries(grant.tools ?? {}).flatMap(([tool, given]): ReadonlyArray<Difference> => {
      if (registry.facade(tool) === undefined)
        return [{ rule: "grants", subject: tool, message: `is narrowed for ${kind} and is no tool` }]
      return given
        .filter(
          (word) =>
            !(effectClasses as ReadonlyArray<string>).includes(word) && classOfTag(keyOf(word)) === undefined
        )
        .map((word) => ({
          rule: "grants",
          subject: tool,
          message: `has ${word} in the grant for ${kind}, which is no class and no service`
        }))
    })
  })

export interface Typed {
  readonly differences: ReadonlyArray<Difference>
  /** By `facade.operation`: the declaration that holds the handler, else the first one. */
  readonly sightings: ReadonlyMap<string, Sighting>
}

/** Compares. Without a registry, for sources whose values cannot be had, declarations are held against themselves. */
export const compare = (seen: Seen, registry: Registry.Any | undefined, bounds: Bounds): Typed => {
  const found: Array<Difference> = []
  const sightings = new Map<string, Sighting>()
  for (const sighting of seen.sightings) {
    const subject = `${sighting.facade}.${sighting.operation ?? "<any>"}`
    found.push(...alone(subject, sighting))
    if (sighting.operation === undefined) continue
    const other = sightings.get(subject)
    if (other === undefined || (other.requires === undefined && sighting.requires !== undefined))
      sightings.set(subject, sighting)
  }
  for (const row of registry === undefined ? [] : policy(registry)) {
    const subject = `${row.facade}.${row.operation}`
    const sighting = sightings.get(subject)
    const operation = registry?.lookup(row.facade, row.operation) as Operation.Any | undefined
    if (sighting === undefined || operation === undefined) {
      found.push({ rule: "unseen", subject, message: "is declared nowhere that the compiler sees" })
      continue
    }
    found.push(...against(subject, row, sighting), ...bounded(subject, operation, sighting, bounds))
  }
  for (const { at, message, place, rule, services } of seen.hideaways) {
    const holder = seen.sightings.find(
      ({ place: { file }, span }) => file === place.file && span[0] <= at && at < span[1]
    )
    const subject = holder === undefined ? place.file : `${holder.facade}.${holder.operation ?? "<any>"}`
    const from = holder?.effect === undefined ? "" : ` (class ${holder.effect})`
    found.push({
      rule,
      subject,
      place,
      message: `${message}${from}`,
      ...(services[0] === undefined ? {} : { service: nameOf(services[0]) })
    })
  }
  return { differences: found, sightings }
}
