/** What a place in a file is, as far as its text tells. */
import type { EdgeInfo, GraphView } from "../../../src/services/CodeGraph.ts"
import { type Place, placeKey } from "./Oracle.ts"
import type { Tree } from "./Tree.ts"

const commentOf: { readonly [extension: string]: RegExp } = { py: /(^|\s)#/, rs: /\/\// }

/** Whether the place lies in a comment: documentation mentions are no usages. */
export const inComment = (tree: Tree, place: Place): boolean => {
  const line = tree.lines(place.path)[place.line - 1] ?? ""
  const before = line.slice(0, place.column)
  const comment =
    commentOf[place.path.slice(place.path.lastIndexOf(".") + 1)] ??
    /(^|[^:"'`])\/\/|^\s*\/?\*|(?:^|\s)\/\*(?!.*\*\/)/
  return comment.test(before)
}

/** Whether the place is the new name in `import { a as b }` or `import a as b`: a declaration of its own. */
export const isAlias = (tree: Tree, place: Place): boolean => {
  const line = tree.lines(place.path)[place.line - 1] ?? ""
  if (!/\bas\s+$/.test(line.slice(0, place.column))) return false
  return (
    /^\s*(?:import|export|from|(?:pub\b.*)?use)\b/.test(line) ||
    /^\s*(?:type\s+)?[\w$.]+\s+as\s+[\w$]+\s*,?\s*\)?$/.test(line)
  )
}

/** Whether what stands there is called: type arguments, `?.` and `!` may come before the parenthesis. An element of JSX calls its component. */
export const isCalled = (tree: Tree, place: Place): boolean => {
  const lines = tree.lines(place.path)
  const rest = [
    (lines[place.line - 1] ?? "").slice(place.column),
    ...lines.slice(place.line, place.line + 12)
  ].join("\n")
  const name = /^(?:r#)?[#\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u.exec(rest)
  if (name === null) return false
  const before = (lines[place.line - 1] ?? "").slice(0, place.column)
  if (/\.(?:[cm]?[jt]sx|[cm]?js)$/.test(place.path) && /(?:^|[\s(>{}?:&|=,;])<(?:[\w$]+\.)*$/.test(before))
    return true
  let after = rest.slice(name[0].length).replace(/^(?:!(?!=))?(?:\s*\?\.(?=\s*[(<]))?\s*/, "")
  if (after.startsWith("::<")) after = after.slice(2)
  if (after.startsWith("<")) {
    const close = closing(after)
    if (close < 0) return false
    after = after.slice(close + 1).trimStart()
  }
  return after.startsWith("(") || after.startsWith("`")
}

/** Where the angle bracket that `text` starts with closes; -1 when what follows can be no type. */
const closing = (text: string): number => {
  let depth = 0
  for (let i = 0; i < text.length && i < 2000; i++) {
    const c = text[i]!
    if (c === "<") depth++
    else if (c === ">" && text[i - 1] !== "=" && text[i - 1] !== "-") {
      if (--depth === 0) return i
    } else if (c === ";") return -1
  }
  return -1
}

/** Every edge of the view by its place. */
export const edgesByPlace = (view: GraphView): ReadonlyMap<string, ReadonlyArray<EdgeInfo>> => {
  const out = new Map<string, Array<EdgeInfo>>()
  for (const file of view.files()) {
    const ref = view.fileRef(file.path)
    if (ref === undefined) continue
    for (const edge of view.outgoing(ref)) {
      const key = placeKey(edge)
      const there = out.get(key)
      if (there === undefined) out.set(key, [edge])
      else there.push(edge)
    }
  }
  return out
}

/**
 * Whether the place takes the name from a module loaded on the spot, as in `const { name } = await import("…")`.
 * Servers stop there: the local name is another symbol to them.
 */
export const isLoaded = (tree: Tree, place: Place): boolean => {
  const lines = tree.lines(place.path)
  const rest = [
    (lines[place.line - 1] ?? "").slice(place.column),
    ...lines.slice(place.line, place.line + 30)
  ].join("\n")
  return (
    /^[\w$]+(?:\s*:\s*[\w$]+)?[\s\w$,:]*\}\s*=\s*(?:await\s+import|require)\s*\(/.test(rest) ||
    /^[\w$]+\s*[;,)]?[^\n]*\bimport\(/.test(rest)
  )
}

/** Whether the place lies in the body of a Rust macro, which has no meaning of its own until it is expanded. */
export const isTemplate = (tree: Tree, place: Place): boolean => {
  if (!place.path.endsWith(".rs")) return false
  const lines = tree.lines(place.path)
  const own = /^\s*/.exec(lines[place.line - 1] ?? "")![0].length
  for (let i = place.line - 1; i > 0; i--) {
    const line = lines[i - 1]!
    const open = /^(\s*)macro_rules!/.exec(line)
    if (open !== null) return open[1]!.length < own
    if (/^\S/.test(line) && !/^[})\]]/.test(line)) return false
    if (/^[})\]]/.test(line)) return false
  }
  return false
}
