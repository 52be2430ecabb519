import { createHash } from "node:crypto"

/** Git blob id of some bytes, or of a text as UTF-8. */
export const blobId = (content: Uint8Array | string): string => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
}
