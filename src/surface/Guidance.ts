/** The guidance on a registry's tools: only what this build can do is recommended. */
import { listed } from "../registry/Facade.ts"
import type { Registry } from "../registry/Registry.ts"

/** Characters a client is asked to read at most. */
export const mostCharacters = 549

/** A step of work: how it is said, and the tools that do it. */
interface Step {
  readonly words: string
  readonly tools: ReadonlyArray<string>
  /** Operations worth naming, of the step's only tool. */
  readonly named?: ReadonlyArray<string>
}

const steps: ReadonlyArray<Step> = [
  { words: "locate with", tools: ["explore", "search"] },
  { words: "read with", tools: ["read"] },
  { words: "follow uses with", tools: ["relations", "trace"] },
  { words: "change with", tools: ["edit", "refactor"] },
  { words: "check with", tools: ["change"], named: ["detect", "tests", "guards"] }
]

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The text every client gets once, at initialization, in words a model needs no glossary for. */
export const guidance = (registry: Registry.Any): string => {
  const operations = (tool: string): ReadonlyArray<string> => {
    const facade = registry.facade(tool)
    return facade === undefined
      ? []
      : listed(facade).flatMap(({ available, name }) => (available ? [name] : []))
  }
  const order = steps.flatMap(({ named = [], tools, words }) => {
    const there = tools.filter((tool) => operations(tool).length > 0)
    if (there.length === 0) return []
    const worth = named.filter((name) => tools.some((tool) => operations(tool).includes(name)))
    return [`${words} ${there.join(" or ")}${worth.length === 0 ? "" : ` (${worth.join(", ")})`}`]
  })
  const empty = registry.facades.map(({ name }) => name).filter((name) => operations(name).length === 0)
  const text = (missing: string): string =>
    [
      "Portico answers questions about this code base from an index that follows the work tree.",
      order.length === 0 ? "" : `${capital(order.join(", "))}.`,
      missing,
      "Name a file or symbol in target; give ids from earlier answers back unchanged.",
      "An answer says what it left out and how to get the rest.",
      operations("capabilities").length === 0
        ? ""
        : "capabilities shows the exact arguments of any operation."
    ]
      .filter((sentence) => sentence !== "")
      .join(" ")
  if (empty.length === 0) return text("")
  const full = text(`Without operations in this build: ${empty.join(", ")}.`)
  return full.length <= mostCharacters
    ? full
    : text(`${empty.length} of the ${registry.facades.length} tools have no operations in this build.`)
}
