/** Etags that know what they stand for: each holds short hashes of its pack's items, so that two packs can be compared. */
import { createHash } from "node:crypto"
import { canonical } from "../../registry/Json.ts"

export interface Item {
  readonly id: string
  readonly content: unknown
}

const version = "p1."
const bytes = 6
const short = (text: string): Buffer => createHash("sha256").update(text).digest().subarray(0, bytes)

/** The etag of a pack: of its items in order, and of everything else in it. */
export const etagOf = (items: ReadonlyArray<Item>, rest: unknown): string =>
  version +
  Buffer.concat([
    short(canonical(rest)),
    ...items.flatMap(({ content, id }) => [short(id), short(canonical(content))])
  ]).toString("base64url")

/** What changed between a held pack and these items. Undefined when the etag is none of ours. */
export const deltaFrom = (
  etag: string,
  items: ReadonlyArray<Item>
):
  | { readonly added: ReadonlySet<string>; readonly changed: ReadonlySet<string>; readonly removed: number }
  | undefined => {
  if (!etag.startsWith(version)) return undefined
  const held = Buffer.from(etag.slice(version.length), "base64url")
  if (held.length < bytes || (held.length - bytes) % (2 * bytes) !== 0) return undefined
  const before = new Map<string, string>()
  for (let at = bytes; at < held.length; at += 2 * bytes)
    before.set(held.toString("hex", at, at + bytes), held.toString("hex", at + bytes, at + 2 * bytes))
  const added = new Set<string>()
  const changed = new Set<string>()
  let kept = 0
  for (const { content, id } of items) {
    const old = before.get(short(id).toString("hex"))
    if (old === undefined) added.add(id)
    else {
      kept++
      if (old !== short(canonical(content)).toString("hex")) changed.add(id)
    }
  }
  return { added, changed, removed: before.size - kept }
}
