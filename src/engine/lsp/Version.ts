/** Versions as programs print them. */

/** The first version in a text, as its numbers; undefined when there is none. */
export const versionIn = (text: string): string | undefined => /(?<![\d.])\d+\.\d+(?:\.\d+)*/.exec(text)?.[0]

/** Whether a version is at least another. Both are numbers with dots; missing ones are zero. */
export const atLeast = (version: string, lowest: string): boolean => {
  const a = version.split(".").map(Number)
  const b = lowest.split(".").map(Number)
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
