/** Any answer in a few lines for a person: scalars as `key: value`, rows of a list one a line, texts as they are. */

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What stands for a list or object without anything in it. */
const nothing = "none"

const word = (value: unknown): string =>
  typeof value === "string"
    ? value === ""
      ? '""'
      : value.replace(/\s+/g, " ")
    : Array.isArray(value)
      ? value.map(word).join(", ") || nothing
      : isRecord(value)
        ? Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .map(([key, inner]) => `${key} ${word(inner)}`)
            .join(", ") || nothing
        : String(value)

const row = (value: unknown): string =>
  isRecord(value)
    ? Object.values(value)
        .filter(
          (inner) =>
            inner !== "" &&
            inner !== null &&
            inner !== undefined &&
            !isRecord(inner) &&
            !(Array.isArray(inner) && inner.length === 0)
        )
        .map(word)
        .join("  ") || nothing
    : word(value)

const linesOf = (value: unknown, indent: string): ReadonlyArray<string> => {
  if (!isRecord(value) || Object.keys(value).length === 0) return [indent + word(value)]
  return Object.entries(value).flatMap(([key, inner]) => {
    if (Array.isArray(inner) && inner.some(isRecord))
      return [`${indent}${key}:`, ...inner.map((item) => `${indent}  ${row(item)}`)]
    if (isRecord(inner) && Object.values(inner).some((each) => typeof each === "object" && each !== null)) {
      return [`${indent}${key}:`, ...linesOf(inner, `${indent}  `)]
    }
    if (typeof inner === "string" && inner.includes("\n")) {
      return [
        `${indent}${key}:`,
        ...inner
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `${indent}  ${line}`)
      ]
    }
    return inner === undefined ? [] : [`${indent}${key}: ${word(inner)}`]
  })
}

/** At most `most` lines of at most `width` characters; a last line says how many lines more there are. */
export const brief = (value: unknown, most: number, width = 120): string => {
  const lines = linesOf(value, "").map((line) =>
    line.length > width ? `${line.slice(0, width - 1)}…` : line
  )
  return lines.length <= most
    ? lines.join("\n")
    : [...lines.slice(0, most - 1), `… ${lines.length - most + 1} lines more`].join("\n")
}
