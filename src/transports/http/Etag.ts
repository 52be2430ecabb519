/** Entity tags: whether what a caller holds is still what it would be sent. */

/** The tag of a body with this digest. */
export const etagOf = (digest: string): string => `"${digest}"`

/**
 * Whether an `If-None-Match` header names the tag: any of a list, weak or not, or `*`. A header that is no list of tags
 * names none.
 */
export const isCurrent = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  const tags = header.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((part) => part.trim().replace(/^W\//, ""))
  return tags.includes(tag)
}

/** The headers of a body that a caller may keep, so long as it asks again. */
export const cached = (tag: string): { readonly [name: string]: string } => ({
  etag: tag,
  "cache-control": "private, no-cache"
})
