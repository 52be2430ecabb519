import { hash } from "node:crypto"

/** First 16 hex digits of the SHA-256 of an answer. */
export const etagOf = (value: object): string => hash("sha256", JSON.stringify(value)).slice(0, 16)

/**
 * The answer with its etag, or `not_modified` when that is the one the caller holds. `brief` is all a held answer needs;
 * `own` is of the session that asks, so that equal answers of two sessions have one etag.
 */
export const tagged = <A extends object, B extends object, O extends object = {}>(
  value: A,
  held: string | undefined,
  brief: B,
  own: O = {} as O
): (A & O & { readonly etag: string }) | (B & O & { readonly not_modified: true; readonly etag: string }) => {
  const etag = etagOf(value)
  return held === etag ? { ...brief, ...own, not_modified: true, etag } : { ...value, ...own, etag }
}
