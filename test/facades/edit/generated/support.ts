/** What tests of generated output share: the tree on disk as one word, and readers that know nothing of the writers. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

/** Paths of files below a folder, sorted, git's own left out. */
export const filesBelow = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(".git/"))
    .sort()

/** One word for all files and their bytes. */
export const treeHash = (root: string): string => {
  const hash = createHash("sha256")
  for (const path of filesBelow(root))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0")
  return hash.digest("hex")
}

/** One element of a document. */
export interface Element {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: ReadonlyArray<Element>
  readonly text: string
}

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }
const decoded = (text: string): string => {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/.test(text))
    throw new Error(`bare ampersand in ${text}`)
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text))
    throw new Error("a character XML has not")
  return text.replace(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g, (_, hex, decimal, name) =>
    hex !== undefined
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : decimal !== undefined
        ? String.fromCodePoint(Number(decimal))
        : entities[name]!
  )
}

/** Reads well-formed XML with a declaration or doctype, elements and text; throws on anything else. */
export const parseXml = (source: string): Element => {
  interface Open {
    name: string
    attributes: { [name: string]: string }
    children: Array<Element>
    text: string
  }
  const root: Open = { name: "", attributes: {}, children: [], text: "" }
  const stack = [root]
  let rest = source.replace(/^<\?xml [^?]*\?>\s*/, "").replace(/^<!doctype [^>]*>\s*/i, "")
  while (rest !== "") {
    const tag = /^<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>/.exec(rest)
    const top = stack.at(-1)!
    if (tag !== null) {
      const [whole, closing, name, attributes, empty] = tag as unknown as [
        string,
        string,
        string,
        string,
        string
      ]
      rest = rest.slice(whole.length)
      if (closing === "/") {
        if (top.name !== name) throw new Error(`</${name}> closes <${top.name}>`)
        stack.pop()
        continue
      }
      const made: Open = { name, attributes: {}, children: [], text: "" }
      for (const [, key, value] of attributes.matchAll(/([\w.:-]+)="([^"]*)"/g)) {
        if (Object.hasOwn(made.attributes, key!)) throw new Error(`${key} twice`)
        made.attributes[key!] = decoded(value!)
      }
      top.children.push(made)
      if (empty !== "/") stack.push(made)
      continue
    }
    const text = /^[^<]+/.exec(rest)
    if (text === null || text[0].includes("]]>")) throw new Error(`not XML: ${rest.slice(0, 40)}`)
    top.text += decoded(text[0])
    rest = rest.slice(text[0].length)
  }
  if (stack.length !== 1) throw new Error(`<${stack.at(-1)!.name}> is open`)
  if (root.children.length !== 1) throw new Error("not one root")
  return root.children[0]!
}

/** Fields of a message of the Protocol Buffers wire format, by number, in order: numbers and bytes. */
export type Message = ReadonlyMap<number, ReadonlyArray<number | Uint8Array>>

export const parseWire = (bytes: Uint8Array): Message => {
  const out = new Map<number, Array<number | Uint8Array>>()
  let at = 0
  const varint = (): number => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error("cut off")
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return Number(value)
    }
  }
  while (at < bytes.length) {
    const key = varint()
    const wire = key & 7
    const field = key >>> 3
    let value: number | Uint8Array
    if (wire === 0) value = varint()
    else if (wire === 2) {
      const length = varint()
      if (at + length > bytes.length) throw new Error("longer than the message")
      value = bytes.subarray(at, (at += length))
    } else throw new Error(`wire type ${wire}`)
    out.set(field, [...(out.get(field) ?? []), value])
  }
  return out
}
export const numbersOf = (bytes: Uint8Array): ReadonlyArray<number> => {
  const out: Array<number> = []
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale
    scale *= 128
    if (byte < 0x80) {
      out.push(value)
      value = 0
      scale = 1
    }
  }
  return out
}
export const textOf = (value: number | Uint8Array | undefined): string =>
  value instanceof Uint8Array ? new TextDecoder("utf-8", { fatal: true }).decode(value) : ""
