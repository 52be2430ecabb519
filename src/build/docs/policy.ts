/** docs/policy.md: what every operation may reach, and which modes serve it. */
import { type PolicyRow, policy } from "../../registry/Capabilities.ts"
import {
  classTags,
  closedWorldTags,
  effectClasses,
  openWorldReadTags,
  witness
} from "../../registry/EffectClass.ts"
import type { Registry } from "../../registry/Registry.ts"
import { code, codes, table } from "./markdown.ts"
import { markdownPage, type Page } from "./Page.ts"

const short = (tag: { readonly key: string }): string => tag.key.replace("portico/", "")
const yes = (value: boolean): string => (value ? "yes" : "")

const classes = (rows: ReadonlyArray<PolicyRow>): ReadonlyArray<string> =>
  table(
    ["effect class", "witness", "services of the class", "operations", "planning", "federation"],
    effectClasses.map((effect) => {
      const own = rows.filter((row) => row.effect === effect)
      const stands = witness[effect]
      const served = (mode: "planning" | "federation") => {
        const number = own.filter((row) => row[mode]).length
        return number === 0 ? "none" : number === own.length ? "all" : `${number}`
      }
      return [
        code(effect),
        stands === undefined ? "none" : code(short(stands)),
        codes(classTags[effect].map(short)) || "reads only",
        `${own.length}`,
        served("planning"),
        served("federation")
      ]
    })
  )

export const policyPage = (registry: Registry.Any): Page => {
  const rows = policy(registry)
  return markdownPage(
    "docs/policy.md",
    "Policy",
    [
      "Each operation names the services it needs. A call runs with those and no others, and a handler that asks for more",
      "does not compile. Every operation may read; a write may also use the services of its own class and always needs that",
      "class's witness. Nothing on this page is written by hand in a list of tool names: it follows from the class and the",
      "services of each operation."
    ],
    classes(rows),
    [
      `Closed-world reads: ${codes(closedWorldTags.map(short))}.`,
      `Open-world reads: ${codes(openWorldReadTags.map(short))}.`
    ],
    [
      "*Planning* serves reads and session writes. *Federation* serves operations that need closed-world reads alone. An",
      "operation is open world when one of its services reaches outside this machine. A tool is annotated as open world when",
      "it asks or writes there; a tool that changes this machine is not, whatever one of its operations asks a model for."
    ],
    [
      "Asked of [other servers](federation.md) as well, where settings name some:",
      `${codes(
        registry.facades.flatMap(({ name, operations }) =>
          operations.filter(({ federated }) => federated).map((operation) => `${name}.${operation.name}`)
        )
      )}.`
    ],
    table(
      ["operation", "effect", "world", "services", "planning", "federation", "available"],
      rows.map((row) => [
        code(`${row.facade}.${row.operation}`),
        row.effect,
        row.open_world ? "open" : "closed",
        codes(row.needs),
        yes(row.planning),
        yes(row.federation),
        yes(row.available)
      ])
    )
  )
}
