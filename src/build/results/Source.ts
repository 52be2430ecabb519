/** The modules that hold what operations answer. A place for each operation, so that a change shows as what it is. */
import { isRecord, type Json } from "../../registry/Json.ts"
import type { Layouts } from "./Layouts.ts"
import type { Shape } from "./Shape.ts"

const widest = 110

/** A text as the formatter quotes it. */
const quoted = (text: string): string =>
  text.includes('"') ? `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'` : JSON.stringify(text)

/** The same with what has no order in one: the compiler has none of its own for the members of a union. */
const ordered = (value: Json, within = ""): Json => {
  if (Array.isArray(value)) {
    const parts = (value as ReadonlyArray<Json>).map((part) => ordered(part))
    return ["required", "enum", "anyOf"].includes(within)
      ? parts.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
      : parts
  }
  if (!isRecord(value)) return value
  // What never is has no schema: a list that is always empty, say.
  if (Array.isArray(value["anyOf"]) && value["anyOf"].length === 0) return {}
  const entries = Object.entries(value as { readonly [key: string]: Json })
  if (within === "properties") entries.sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, ordered(inner, within === "properties" ? "" : key)])
  )
}

const entry = (name: string, text: string, last: boolean): string => {
  const line = `  "${name}": ${quoted(text)}${last ? "" : ","}`
  return line.length <= widest ? line : line.replace(": ", ":\n    ")
}

const table = (entries: ReadonlyArray<readonly [string, string]>): string =>
  [...entries]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, text], at) => entry(name, text, at === entries.length - 1))
    .join("\n")

const made = "Made from the handlers' types by `npx tsx src/build/results.ts`; edits are lost."

/** The module of the schemas of results. */
export const shapesSource = (shapes: ReadonlyMap<string, Shape>): string =>
  `/** What each operation answers: schemas as JSON, by \`facade.operation\`. ${made} */
export const results: { readonly [operation: string]: string } = {
${table([...shapes].map(([name, shape]) => [name, JSON.stringify(ordered(shape))]))}
}
`

/** The module of the columns. */
export const layoutsSource = (layouts: Layouts): string =>
  `/**
 * Columns of the lists of answers in the line form: a \`Layout\` as JSON, by \`facade.operation\`. A column keeps its place; new
 * ones come behind, under the next version. ${made}
 */
export const layouts: { readonly [operation: string]: string } = {
${table(Object.entries(layouts).map(([name, layout]) => [name, JSON.stringify(layout)]))}
}
`
