/** Writes messages of the Protocol Buffers wire format: varints, length-delimited fields, packed numbers. */

/** A message under construction: bytes of its fields, in the order they were put. */
export class Message {
  private readonly parts: Array<Uint8Array> = []
  private size = 0

  private push(part: Uint8Array): void {
    this.parts.push(part)
    this.size += part.length
  }

  private key(field: number, wireType: number): void {
    this.push(varint((field << 3) | wireType))
  }

  /** A number from 0 to 2^31 - 1; 0 is the default and not written. */
  number(field: number, value: number): this {
    if (value !== 0) {
      this.key(field, 0)
      this.push(varint(value))
    }
    return this
  }

  flag(field: number, value: boolean): this {
    return this.number(field, value ? 1 : 0)
  }

  /** "" is the default and not written. */
  text(field: number, value: string): this {
    return value === "" ? this : this.bytes(field, Buffer.from(value, "utf8"))
  }

  /** One of a repeated text, which may be "". */
  item(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, "utf8"))
  }

  packed(field: number, values: ReadonlyArray<number>): this {
    return values.length === 0 ? this : this.bytes(field, Buffer.concat(values.map(varint)))
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.finish())
  }

  private bytes(field: number, value: Uint8Array): this {
    this.key(field, 2)
    this.push(varint(value.length))
    this.push(value)
    return this
  }

  finish(): Uint8Array {
    return Buffer.concat(this.parts, this.size)
  }
}

const varint = (value: number): Uint8Array => {
  const out: Array<number> = []
  let left = value
  while (left > 0x7f) {
    out.push((left % 0x80) | 0x80)
    left = Math.floor(left / 0x80)
  }
  out.push(left)
  return Uint8Array.from(out)
}
