/** The tags of an XML text, one after the other: all that reports need, whose facts stand in attributes. */

export interface Tag {
  readonly name: string
  readonly attributes: string
  /** An end tag; one that is empty counts as a beginning only. */
  readonly closes: boolean
}

const tag =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g

export const tagsOf = function* (text: string): Generator<Tag> {
  for (const [, closes, name, attributes] of text.matchAll(tag))
    if (name !== undefined) yield { name, attributes: attributes!, closes: closes === "/" }
}

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const plain = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
        hex !== undefined
          ? String.fromCodePoint(Number.parseInt(hex, 16))
          : decimal !== undefined
            ? String.fromCodePoint(Number(decimal))
            : (entities[name] ?? whole)
      )
    : text

export const attributesOf = (text: string): ReadonlyMap<string, string> => {
  const out = new Map<string, string>()
  for (const [, name, double, single] of text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    out.set(name!, plain(double ?? single ?? ""))
  return out
}
