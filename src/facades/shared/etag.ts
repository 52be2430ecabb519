import { createHash } from "node:crypto"

/** First 16 hex digits of the SHA-256 of an answer. */
export const etagOf = (value: object): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16)

/** The answer with its etag, or `not_modified` when that is the one the caller holds. `brief` is all a held answer needs. */
export const tagged = <A extends object, B extends object>(
  value: A,
  held: string | undefined,
  brief: B
): (A & { readonly etag: string }) | (B & { readonly not_modified: true; readonly etag: string }) => {
  const etag = etagOf(value)
  return held === etag ? { ...brief, not_modified: true, etag } : { ...value, etag }
}
