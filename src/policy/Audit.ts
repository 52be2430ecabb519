/**
 * What the registry's values say about authority, held against its own rules and a repository's ceilings. These are the
 * values that narrow a call when it runs; that each handler requires no more than they say is the compiler's part.
 */
import { type PolicyRow, policy } from "../registry/Capabilities.ts"
import { classOfTag, effectClasses, isOpenWorld, witness } from "../registry/EffectClass.ts"
import { equal } from "../registry/Json.ts"
import type { Registry } from "../registry/Registry.ts"

/** A rule that does not hold. */
export interface Difference {
  readonly rule: "homogeneity" | "witness" | "authority" | "open_world" | "fixed_split" | "ceilings"
  /** `facade.operation`, or the tool. */
  readonly subject: string
  readonly message: string
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
