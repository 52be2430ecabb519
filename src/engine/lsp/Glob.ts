/** Patterns of the protocol (LSP 3.17, `Pattern`): `*`, `?`, `**`, `{a,b}`, `[a-z]` and `[!a-z]` over paths with `/`. */

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

const source = (glob: string): string => {
  let out = ""
  let depth = 0
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i] ?? ""
    if (c === "*") {
      if (glob[i + 1] === "*") {
        i++
        if (glob[i + 1] === "/") {
          i++
          out += "(?:[^/]*/)*"
        } else out += ".*"
      } else out += "[^/]*"
    } else if (c === "?") out += "[^/]"
    else if (c === "{") {
      depth++
      out += "(?:"
    } else if (c === "}" && depth > 0) {
      depth--
      out += ")"
    } else if (c === "," && depth > 0) out += "|"
    else if (c === "[") {
      const end = glob.indexOf("]", i + 2)
      if (end < 0) out += "\\["
      else {
        const inside = glob.slice(i + 1, end)
        const negated = inside.startsWith("!")
        out += `[${negated ? "^" : ""}${escaped(negated ? inside.slice(1) : inside).replace(/\\-/g, "-")}]`
        i = end
      }
    } else out += escaped(c)
  }
  return out + ")".repeat(depth)
}

/** A test for paths. A pattern that is none matches nothing. */
export const compile = (glob: string): ((path: string) => boolean) => {
  try {
    const pattern = new RegExp(`^${source(glob)}$`)
    return (path) => pattern.test(path)
  } catch {
    return () => false
  }
}
