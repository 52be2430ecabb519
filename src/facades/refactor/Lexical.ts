/** Which parts of a text are comments and strings, by how a language writes them. */

export type Where = "code" | "comment" | "string"

interface Style {
  readonly line: ReadonlyArray<string>
  readonly block: ReadonlyArray<readonly [string, string]>
  /** Opening and closing mark, and whether it may span lines. Longer marks first. */
  readonly strings: ReadonlyArray<readonly [string, string, boolean]>
  /** Strings with code inside `${` and `}`. */
  readonly templates?: boolean
  readonly nested?: boolean
  readonly regexps?: boolean
}

const quotes: Style["strings"] = [
  ['"', '"', false],
  ["'", "'", false]
]
const c: Style = { line: ["//"], block: [["/*", "*/"]], strings: quotes }
const styles: { readonly [language: string]: Style } = {
  ecmascript: { ...c, templates: true, regexps: true },
  python: {
    line: ["#"],
    block: [],
    strings: [['"""', '"""', true], ["'''", "'''", true], ...quotes]
  },
  go: { ...c, strings: [["`", "`", true], ...quotes] },
  rust: {
    ...c,
    nested: true,
    strings: [
      ['r#"', '"#', true],
      ['r"', '"', true],
      ['"', '"', true]
    ]
  },
  java: { ...c, strings: [['"""', '"""', true], ...quotes] },
  php: {
    ...c,
    line: ["//", "#"],
    strings: [
      ['"', '"', true],
      ["'", "'", true]
    ]
  },
  ruby: {
    line: ["#"],
    block: [["\n=begin", "\n=end"]],
    strings: [
      ['"', '"', true],
      ["'", "'", true]
    ]
  },
  bash: {
    line: ["#"],
    block: [],
    strings: [
      ['"', '"', true],
      ["'", "'", true]
    ]
  },
  lua: { line: ["--"], block: [["--[[", "]]"]], strings: [["[[", "]]", true], ...quotes] },
  sql: { line: ["--"], block: [["/*", "*/"]], strings: quotes },
  hash: { line: ["#"], block: [], strings: quotes },
  text: { line: [], block: [], strings: [] }
}
const styleOf = (language: string | undefined): Style | undefined => {
  switch (language) {
    case undefined:
    case "markdown":
      return undefined
    case "javascript":
    case "jsx":
    case "typescript":
    case "tsx":
    case "vue":
    case "svelte":
      return styles["ecmascript"]
    case "kotlin":
    case "scala":
    case "swift":
      return styles["java"]
    case "yaml":
    case "toml":
    case "ini":
    case "dockerfile":
    case "terraform":
      return styles["hash"]
    default:
      return styles[language] ?? c
  }
}

/** A part of a text that is no code; the end is exclusive. */
export interface Part {
  readonly from: number
  readonly to: number
  readonly where: "comment" | "string"
}

/**
 * The comments and strings of a text, in order. Undefined for a language without code, where everything is prose. What a
 * template holds in braces is code.
 */
export const partsOf = (text: string, language: string | undefined): ReadonlyArray<Part> | undefined => {
  const style = styleOf(language)
  if (style === undefined) return undefined
  const out: Array<Part> = []
  /** Depth of braces in each open template's hole. */
  const holes: Array<number> = []
  let last = ""
  let at = 0
  const template = (from: number) => {
    let i = from
    while (i < text.length) {
      if (text[i] === "\\") i += 2
      else if (text[i] === "`") {
        i++
        break
      } else if (text.startsWith("${", i)) {
        i += 2
        holes.push(0)
        break
      } else i++
    }
    return Math.min(i, text.length)
  }
  while (at < text.length) {
    const open = style.block.find(([mark]) => text.startsWith(mark, at))
    if (open !== undefined) {
      let end = at + open[0].length
      let depth = 1
      while (depth > 0 && end < text.length) {
        if (style.nested === true && text.startsWith(open[0], end)) {
          depth++
          end += open[0].length
        } else if (text.startsWith(open[1], end)) {
          depth--
          end += open[1].length
        } else end++
      }
      out.push({ from: at, to: end, where: "comment" })
      at = end
      continue
    }
    if (style.line.some((mark) => text.startsWith(mark, at))) {
      const end = text.indexOf("\n", at)
      out.push({ from: at, to: end < 0 ? text.length : end, where: "comment" })
      at = end < 0 ? text.length : end
      continue
    }
    const string = style.strings.find(([mark]) => text.startsWith(mark, at))
    if (string !== undefined) {
      const raw = string[0].startsWith("r") || (string[0] === "`" && style === styles["go"])
      let end = at + string[0].length
      let closed = false
      while (end < text.length) {
        if (!raw && text[end] === "\\") end += 2
        else if (text.startsWith(string[1], end)) {
          end += string[1].length
          closed = true
          break
        } else if (text[end] === "\n" && !string[2]) break
        else end++
      }
      end = Math.min(end, text.length)
      if (closed) {
        out.push({ from: at, to: end, where: "string" })
        at = end
      } else at += string[0].length
      last = '"'
      continue
    }
    if (style.templates === true && text[at] === "`") {
      const end = template(at + 1)
      out.push({ from: at, to: end, where: "string" })
      at = end
      last = '"'
      continue
    }
    if (holes.length > 0 && text[at] === "{") holes[holes.length - 1]!++
    if (holes.length > 0 && text[at] === "}") {
      if (holes.at(-1) === 0) {
        holes.pop()
        const end = template(at + 1)
        out.push({ from: at, to: end, where: "string" })
        at = end
        last = '"'
        continue
      }
      holes[holes.length - 1]!--
    }
    if (style.regexps === true && text[at] === "/" && !/[\w)\]}"]/.test(last)) {
      let end = at + 1
      let bracket = false
      while (end < text.length && text[end] !== "\n" && (bracket || text[end] !== "/")) {
        if (text[end] === "\\") end++
        else if (text[end] === "[") bracket = true
        else if (text[end] === "]") bracket = false
        end++
      }
      if (text[end] === "/") {
        out.push({ from: at, to: end + 1, where: "string" })
        at = end + 1
        last = '"'
        continue
      }
    }
    if (!/\s/.test(text[at]!)) last = text[at]!
    at++
  }
  return out
}

/** What an offset lies in. */
export const whereIs = (parts: ReadonlyArray<Part> | undefined, offset: number): Where => {
  if (parts === undefined) return "comment"
  let low = 0
  let high = parts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (parts[middle]!.to <= offset) low = middle + 1
    else high = middle
  }
  const part = parts[low]
  return part !== undefined && part.from <= offset ? part.where : "code"
}
