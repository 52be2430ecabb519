/** Messages on a byte stream: a header with their length in bytes, an empty line, and JSON (LSP 3.17, Base Protocol). */

/** The stream is not, or no longer, a sequence of messages. Nothing after this point can be understood. */
export class FramingError extends Error {
  override readonly name = "FramingError"
}

/** Most bytes of one header block. */
const longestHeader = 4096
/** Most bytes of one message unless said otherwise: 256 MiB. */
const largestMessage = 256 * 1024 * 1024

const terminator = Buffer.from("\r\n\r\n")

/** One message as it goes over the wire. */
export const encode = (message: object): Buffer => {
  const body = Buffer.from(JSON.stringify(message), "utf8")
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body])
}

const shown = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 80).toString("latin1"))

const lengthIn = (header: string, largest: number): number => {
  let length: number | undefined
  for (const line of header.split("\r\n")) {
    const colon = line.indexOf(":")
    if (colon <= 0 || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(line.slice(0, colon)))
      throw new FramingError(`not a header line: ${JSON.stringify(line.slice(0, 80))}`)
    if (line.slice(0, colon).toLowerCase() !== "content-length") continue
    const value = line.slice(colon + 1).trim()
    if (!/^\d{1,15}$/.test(value))
      throw new FramingError(`not a length: ${JSON.stringify(value.slice(0, 80))}`)
    if (length !== undefined && length !== Number(value))
      throw new FramingError("two different lengths in one header")
    length = Number(value)
  }
  if (length === undefined)
    throw new FramingError(`a header without Content-Length: ${JSON.stringify(header.slice(0, 80))}`)
  if (length > largest) throw new FramingError(`a message of ${length} bytes; at most ${largest} are taken`)
  return length
}

/** Bytes that are no header whatever follows: no field name at their start, or a line that ends without CR. */
const hopeless = (head: Buffer): boolean => {
  for (let lf = head.indexOf(0x0a); lf >= 0; lf = head.indexOf(0x0a, lf + 1))
    if (head[lf - 1] !== 0x0d) return true
  for (const byte of head) {
    if (byte === 0x3a) return false
    if (byte <= 0x20 || byte >= 0x7f) return true
  }
  return head.length > 256
}

/** Takes bytes in pieces of any size and gives back whole messages. After an error it takes nothing more. */
export class FrameReader {
  private chunks: Array<Buffer> = []
  private size = 0
  /** Length of the body being read; -1 while a header is. */
  private need = -1
  private broken: FramingError | undefined
  private readonly text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  private readonly largest: number

  /** `largest`: most bytes of one message. */
  constructor(largest: number = largestMessage) {
    this.largest = largest
  }

  /** The messages completed by these bytes, in order. Throws {@link FramingError}; earlier messages of the same bytes go to `taken`. */
  push(chunk: Uint8Array, taken: (message: unknown) => void): void {
    if (this.broken !== undefined) throw this.broken
    this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    this.size += chunk.byteLength
    try {
      for (;;) {
        if (this.need < 0 && !this.header()) return
        if (this.size < this.need) return
        const all = this.joined()
        const body = all.subarray(0, this.need)
        this.keep(all.subarray(this.need))
        this.need = -1
        taken(this.parse(body))
      }
    } catch (cause) {
      if (cause instanceof FramingError) {
        this.broken = cause
        this.keep(Buffer.alloc(0))
      }
      throw cause
    }
  }

  private parse(body: Buffer): unknown {
    try {
      return JSON.parse(this.text.decode(body)) as unknown
    } catch {
      throw new FramingError(`a message that is not JSON: ${shown(body)}`)
    }
  }

  private header(): boolean {
    if (this.size === 0) return false
    const all = this.joined()
    const end = all.indexOf(terminator)
    if (end < 0) {
      if (all.length > longestHeader || hopeless(all)) throw new FramingError(`not a header: ${shown(all)}`)
      return false
    }
    if (end > longestHeader) throw new FramingError(`a header of ${end} bytes`)
    this.need = lengthIn(all.toString("latin1", 0, end), this.largest)
    this.keep(all.subarray(end + terminator.length))
    return true
  }

  private joined(): Buffer {
    const [first] = this.chunks
    if (this.chunks.length === 1 && first !== undefined) return first
    const all = Buffer.concat(this.chunks, this.size)
    this.chunks = [all]
    return all
  }

  private keep(rest: Buffer): void {
    this.chunks = rest.length === 0 ? [] : [rest]
    this.size = rest.length
  }
}
