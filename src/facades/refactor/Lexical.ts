/** Which parts of a text are comments and strings, by how a language writes them. */
import type { SourceText } from "./SourceText.ts"

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

/** Matches what a part may begin with, or what opens and closes holes of templates. */
const stopOf = (style: Style): RegExp => {
  const marks = [
    ...style.line,
    ...style.block.map(([open]) => open),
    ...style.strings.map(([open]) => open),
    ...(style.templates === true ? ["`", "{", "}"] : []),
    ...(style.regexps === true ? ["/"] : [])
  ]
  const firsts = [...new Set(marks.map((mark) => mark[0]!))]
  return firsts.length === 0
    ? /$^/g
    : new RegExp(`[${firsts.map((one) => one.replace(/[\\\]^-]/, "\\$&")).join("")}]`, "g")
}
const stops = new Map<Style, RegExp>()

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
    const mark = /[\\`]|\$\{/g
    mark.lastIndex = from
    for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
      if (found[0] === "`") return found.index + 1
      if (found[0] === "${") {
        holes.push(0)
        return found.index + 2
      }
      mark.lastIndex = found.index + 2
    }
    return text.length
  }
  const stop = stops.get(style) ?? stopOf(style)
  stops.set(style, stop)
  while (at < text.length) {
    stop.lastIndex = at
    const next = stop.exec(text)?.index ?? text.length
    if (next > at) {
      let back = next - 1
      while (back >= at && /\s/.test(text[back]!)) back--
      if (back >= at) last = text[back]!
      at = next
      continue
    }
    const open = style.block.find(([mark]) => text.startsWith(mark, at))
    if (open !== undefined) {
      let end = at + open[0].length
      for (let depth = 1; depth > 0 && end < text.length; ) {
        const close = text.indexOf(open[1], end)
        const inner = style.nested === true ? text.indexOf(open[0], end) : -1
        const nests = inner >= 0 && (close < 0 || inner < close)
        if (!nests && close < 0) end = text.length
        else end = nests ? inner + open[0].length : close + open[1].length
        depth += nests ? 1 : -1
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

const known = new WeakMap<SourceText, readonly [string | undefined, ReadonlyArray<Part> | undefined]>()

/** {@link partsOf} a text that is asked about more than once. */
export const partsIn = (source: SourceText, language: string | undefined) => {
  const held = known.get(source)
  if (held !== undefined && held[0] === language) return held[1]
  const parts = partsOf(source.text, language)
  known.set(source, [language, parts])
  return parts
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
