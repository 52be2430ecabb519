/** A documentation comment as prose: comment markers, common indentation and tags' asterisks removed. */
export const cleanDoc = (raw: string): string => {
  if (raw === "") return ""
  const lines = raw.split(/\r?\n/).map((line) =>
    line
      .replace(/^\s*(?:\/\*\*?!?|\/\/[/!]?|#+!?|--+|;+|\*\/|\*)\s?/, "")
      .replace(/\s*\*\/\s*$/, "")
      .replace(/^\s*(?:"""|''')/, "")
      .replace(/(?:"""|''')\s*$/, "")
      .trimEnd()
  )
  while (lines.length > 0 && lines[0]!.trim() === "") lines.shift()
  while (lines.length > 0 && lines[lines.length - 1]!.trim() === "") lines.pop()
  const indent = Math.min(...lines.filter((l) => l.trim() !== "").map((l) => l.length - l.trimStart().length))
  return lines.map((l) => l.slice(indent)).join("\n")
}
