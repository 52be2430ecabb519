/**
 * What the registry's values say about authority, held against its own rules and a repository's ceilings. These are the
 * values that narrow a call when it runs; that each handler requires no more than they say is the compiler's part.
 */
import { type PolicyRow, policy } from "../registry/Capabilities.ts"
import { classOfTag, effectClasses, isOpenWorld, witness } from "../registry/EffectClass.ts"
import { equal } from "../registry/Json.ts"
import type { Registry } from "../registry/Registry.ts"

/** The rules, each with what it says. */
export const rules = {
  homogeneity: "Each operation has its tool's class.",
  witness: "Each write needs the service that stands for its class.",
  authority: "Each service an operation needs, or its handler requires, belongs to reads or to its class.",
  open_world: "What reaches the outside says so.",
  fixed_split: "A canonical tool behind several classes is told apart by arguments the server fixes.",
  ceilings: "Nothing exceeds the ceilings in .effectrc.",
  grants: "Whoever may run an operation was granted every service its handler requires.",
  needs: "A handler requires nothing that its operation's needs leave out.",
  declared: "The operation as the compiler sees it is the operation that runs.",
  unseen: "Each operation, and each handler, is declared where the compiler sees it.",
  unknown: "What a handler requires is known.",
  hidden: "No assertion takes a service out of a requirement.",
  silenced: "No comment keeps the compiler from complaining about an operation.",
  provided: "Operations provide no service and run no Effect themselves.",
  refused: "A pack is one that this server takes.",
  ambient: "Operations reach the machine through services alone."
} as const

/** A place in a source: path relative to the audited folder, line and column (UTF-16) from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A rule that does not hold. */
export interface Difference {
  readonly rule: keyof typeof rules
  /** `facade.operation`, the tool, or the file. */
  readonly subject: string
  readonly message: string
  /** Where that is written, when a source was looked at. */
  readonly place?: Place | undefined
  /** Name of the service it is about. */
  readonly service?: string | undefined
}

export interface Report {
  readonly rows: ReadonlyArray<PolicyRow>
  readonly differences: ReadonlyArray<Difference>
}

const tagKey = (name: string): string => `portico/${name}`

const ofRow = (row: PolicyRow, facadeEffect: string): ReadonlyArray<Difference> => {
  const subject = `${row.facade}.${row.operation}`
  const found: Array<Difference> = []
  if (row.effect !== facadeEffect) {
    found.push({
      rule: "homogeneity",
      subject,
      message: `has class ${row.effect} in a tool of class ${facadeEffect}`
    })
  }
  const needed = witness[row.effect]
  if (needed !== undefined && !row.needs.map(tagKey).includes(needed.key)) {
    found.push({
      rule: "witness",
      subject,
      message: `has class ${row.effect} and lacks ${needed.key.replace("portico/", "")}`
    })
  }
  for (const need of row.needs) {
    const owner = classOfTag(tagKey(need))
    if (owner !== "read" && owner !== row.effect) {
      found.push({
        rule: "authority",
        subject,
        message: `has class ${row.effect} and needs ${need}, which is ${owner ?? "of no class"}`
      })
    }
  }
  if (row.open_world !== isOpenWorld(row.needs.map(tagKey))) {
    found.push({
      rule: "open_world",
      subject,
      message: `says open_world ${row.open_world}, which is not what its services say`
    })
  }
  return found
}

/** A canonical tool behind operations of several classes must be told apart by arguments the server fixes. */
const splits = (rows: ReadonlyArray<PolicyRow>): ReadonlyArray<Difference> => {
  const byTool = new Map<string, Array<PolicyRow>>()
  for (const row of rows) for (const tool of row.tools) byTool.set(tool, [...(byTool.get(tool) ?? []), row])
  return [...byTool].flatMap(([tool, sharing]) =>
    sharing.flatMap((row, at) =>
      sharing
        .slice(at + 1)
        .filter((other) => other.effect !== row.effect && equal(other.fixed, row.fixed))
        .map(
          (other): Difference => ({
            rule: "fixed_split",
            subject: tool,
            message: `is ${row.facade}.${row.operation} (${row.effect}) and ${other.facade}.${other.operation} (${other.effect}) with the same fixed arguments`
          })
        )
    )
  )
}

const above = (
  rows: ReadonlyArray<PolicyRow>,
  ceilings: { readonly [facade: string]: ReadonlyArray<string> }
): ReadonlyArray<Difference> => {
  const facades = new Set(rows.map(({ facade }) => facade))
  const classes = new Set<string>(effectClasses)
  const found: Array<Difference> = []
  for (const [facade, words] of Object.entries(ceilings)) {
    if (!facades.has(facade)) {
      found.push({ rule: "ceilings", subject: facade, message: "has a ceiling and is no tool" })
      continue
    }
    for (const word of words) {
      if (!classes.has(word) && classOfTag(tagKey(word)) === undefined) {
        found.push({
          rule: "ceilings",
          subject: facade,
          message: `has ${word} in its ceiling, which is no class and no service`
        })
      }
    }
    const services = words.filter((word) => !classes.has(word))
    for (const row of rows.filter((each) => each.facade === facade)) {
      const subject = `${facade}.${row.operation}`
      for (const need of row.needs) {
        const owner = classOfTag(tagKey(need))
        if (services.includes(need) || (owner !== undefined && words.includes(owner))) continue
        found.push({
          rule: "ceilings",
          subject,
          message: `needs ${need} (${owner ?? "no class"}), which is above its ceiling`
        })
      }
    }
  }
  return found
}

/** Audits a registry. Without ceilings only its own rules are checked. */
export const audit = (
  registry: Registry.Any,
  ceilings: { readonly [facade: string]: ReadonlyArray<string> } = {}
): Report => {
  const rows = policy(registry)
  return {
    rows,
    differences: [
      ...rows.flatMap((row) => ofRow(row, registry.facade(row.facade)?.effect ?? "none")),
      ...splits(rows),
      ...above(rows, ceilings)
    ]
  }
}
