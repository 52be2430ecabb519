/** JSON with comments and trailing commas. */
import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"
import { type Format, lineEnd, lineOf, nested, type Path, Unreadable } from "./Format.ts"

const isBlank = (text: string): boolean => text.trim() === ""

/** The tree of a text; undefined for one without anything. */
const treeOf = (text: string): Node | undefined => {
  if (isBlank(text)) return undefined
  const errors: Array<ParseError> = []
  let tree: Node | undefined
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true })
  } catch {
    throw new Unreadable("it is nested too deep")
  }
  const [error] = errors
  if (error !== undefined)
    throw new Unreadable(
      printParseErrorCode(error.error)
        .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
        .trim(),
      lineOf(text, error.offset)
    )
  if (tree?.type !== "object") throw new Unreadable("there is no object at its top", 1)
  return tree
}

/** A member of an object, or an element of an array, and its value. */
interface Child {
  readonly whole: Node
  readonly value: Node
}

const childrenOf = ({ children = [], type }: Node): ReadonlyArray<Child> =>
  children.map((whole) => ({ whole, value: type === "object" ? whole.children![1]! : whole }))

const childAt = (text: string, container: Node, key: string | number): Child | undefined => {
  if (container.type !== (typeof key === "number" ? "array" : "object"))
    throw new Unreadable(
      `an ${typeof key === "number" ? "array" : "object"} is expected where there is another value`,
      lineOf(text, container.offset)
    )
  const children = childrenOf(container)
  if (typeof key === "number") return children[key]
  const [first, second] = children.filter(({ whole }) => whole.children![0]!.value === key)
  if (second !== undefined)
    throw new Unreadable(`${key} is there more than once`, lineOf(text, second.whole.offset))
  return first
}

/** The nodes along a path, as far as there are any; the first is the top. */
const along = (text: string, top: Node, path: Path): ReadonlyArray<Child> => {
  const found: Array<Child> = [{ whole: top, value: top }]
  for (const key of path) {
    const next = childAt(text, found.at(-1)!.value, key)
    if (next === undefined) break
    found.push(next)
  }
  return found
}

const endOf = ({ length, offset }: Node): number => offset + length

/** Where the next comma ends, if it is the next thing but comments from an offset on. */
const commaAfter = (text: string, offset: number): number | undefined => {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return text[at] === "," ? at + 1 : undefined
}

/** White space at the beginning of the line of an offset. */
const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))![0]

/** One step of indentation: that of the first member of the top. */
const stepOf = (text: string, top: Node | undefined): string => {
  const first = top?.children?.[0]
  const indent = first === undefined ? "" : indentOf(text, first.offset)
  return indent === "" || !text.slice(0, first!.offset).includes("\n") ? "  " : indent
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

const edited = (text: string, edits: ReadonlyArray<Edit>): string =>
  [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((whole, edit) => whole.slice(0, edit.from) + edit.text + whole.slice(edit.to), text)

const put = (text: string, path: Path, value: unknown): string => {
  const top = treeOf(text)
  const end = lineEnd(text)
  const step = stepOf(text, top)
  const written = (inner: unknown, indent: string): string =>
    JSON.stringify(inner, null, step).replaceAll("\n", `${end}${indent}`)
  if (top === undefined) return `${written(nested(path, value), "")}${end}`
  const found = along(text, top, path)
  const container = found.at(-1)!.value
  const [key, ...rest] = path.slice(found.length - 1)
  const indent = indentOf(text, container.offset)
  const replacement = (inner: unknown) =>
    edited(text, [{ from: container.offset, to: endOf(container), text: written(inner, indent) }])
  if (key === undefined) return replacement(value)
  // Tells whether there can be such a child.
  childAt(text, container, key)
  const last = container.children?.at(-1)
  if (last === undefined && isBlank(text.slice(container.offset + 1, endOf(container) - 1)))
    return replacement(nested([key, ...rest], value))
  const first = container.children?.[0] ?? last
  const isSpread = first === undefined || text.slice(container.offset, first.offset).includes("\n")
  const inside = first === undefined ? `${indent}${step}` : indentOf(text, first.offset)
  const name = typeof key === "number" ? "" : `${JSON.stringify(key)}: `
  const inner = nested(rest, value)
  const item = isSpread
    ? `${end}${inside}${name}${written(inner, inside)}`
    : ` ${name}${JSON.stringify(inner)}`
  if (last === undefined) {
    const from = container.offset + 1
    return edited(text, [{ from, to: from, text: item }])
  }
  const comma = commaAfter(text, endOf(last))
  const from = comma ?? endOf(last)
  // A comment behind the last member belongs to that.
  const remark = isSpread
    ? /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))*/.exec(text.slice(from))![0].length
    : 0
  return edited(
    text,
    comma === undefined
      ? remark === 0
        ? [{ from, to: from, text: `,${item}` }]
        : [
            { from, to: from, text: "," },
            { from: from + remark, to: from + remark, text: item }
          ]
      : [{ from: from + remark, to: from + remark, text: `${item},` }]
  )
}

const drop = (text: string, path: Path): string => {
  const top = treeOf(text)
  if (top === undefined) return text
  const found = along(text, top, path)
  if (found.length <= path.length) return text
  let level = path.length
  // What held nothing else goes with it.
  for (; level > 1; level--) {
    const { value } = found[level - 1]!
    const { whole } = found[level]!
    const around = text.slice(value.offset + 1, whole.offset) + text.slice(endOf(whole), endOf(value) - 1)
    if (value.children!.length > 1 || !/^[\s,]*$/.test(around)) break
  }
  const { whole } = found[level]!
  const siblings = found[level - 1]!.value.children!
  const before = siblings[siblings.indexOf(whole) - 1]
  const from = text.slice(0, whole.offset).trimEnd().length
  // Where a comment may end there, its line has to.
  const isRemark =
    text.slice(text.lastIndexOf("\n", from - 1) + 1, from).includes("//") &&
    !/^[ \t]*,?[ \t]*\r?\n/.test(text.slice(endOf(whole)))
  const edits: Array<Edit> = [{ from, to: endOf(whole), text: isRemark ? lineEnd(text) : "" }]
  const comma = commaAfter(text, endOf(whole))
  const earlier = before === undefined ? undefined : commaAfter(text, endOf(before))
  if (comma !== undefined) edits.push({ from: comma - 1, to: comma, text: "" })
  else if (earlier !== undefined)
    // It may lie right before what goes.
    edits.push({ from: earlier - 1, to: earlier, text: "" })
  return edited(text, edits)
}

export const json: Format = {
  name: "JSON",
  read: (text) => {
    const tree = treeOf(text)
    return tree === undefined ? {} : getNodeValue(tree)
  },
  put,
  drop,
  isEmpty: (text) => /^\s*(?:\{\s*\})?\s*$/.test(text)
}
