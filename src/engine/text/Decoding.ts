import { fileTrigrams, type TrigramScratch } from "./Trigrams.ts"

const sniffed = 8192

/** A NUL in the first 8 KiB. */
export const isBinary = (bytes: Uint8Array): boolean => {
  const at = bytes.indexOf(0)
  return at >= 0 && at < sniffed
}

/** The file as UTF-8 and how many bytes of a byte order mark were taken off. */
export interface Decoded {
  readonly bytes: Buffer
  readonly shift: number
}

/**
 * The bytes that are searched: a UTF-8 byte order mark is taken off, UTF-16
 * with a mark becomes UTF-8. Undefined for a binary file. Trigrams
 * are made from this form too: {@link indexFile}.
 */
export const searchable = (raw: Uint8Array): Decoded | undefined => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (bytes.length >= 2) {
    const little = bytes[0] === 0xff && bytes[1] === 0xfe
    if (little || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      const text = new TextDecoder(little ? "utf-16le" : "utf-16be").decode(bytes)
      return { bytes: Buffer.from(text), shift: 0 }
    }
  }
  if (isBinary(bytes.length > sniffed ? bytes.subarray(0, sniffed) : bytes)) return undefined
  const marked = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return marked ? { bytes: bytes.subarray(3), shift: 3 } : { bytes, shift: 0 }
}

const none = new Uint32Array(0)

/** The trigram buckets of a file from its bytes on disk; none for a binary file. */
export const indexFile = (raw: Uint8Array, scratch: TrigramScratch): Uint32Array => {
  const decoded = searchable(raw)
  return decoded === undefined ? none : fileTrigrams(decoded.bytes, scratch)
}
