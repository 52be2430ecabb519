/** What texts were lowered to, by content: what was asked for last stays while there is room. */
import { type FileIr, linesOf } from "./Ir.ts"

/** About so many bytes an operation takes with its slots and its share of statements and blocks, and a file without any. */
const bytesOfOperation = 400
const bytesOfFile = 600

/** A text, and what it or parts of it were lowered to. */
export class Form {
  /** Offsets at which lines start. */
  readonly lines: Int32Array
  readonly #parts = new Map<number, FileIr>()
  #bytes: number

  constructor(readonly text: string) {
    this.lines = linesOf(text)
    this.#bytes = text.length + this.lines.byteLength
  }

  /** About so many it takes on the heap. */
  get bytes(): number {
    return this.#bytes
  }

  part(part: number): FileIr | undefined {
    return this.#parts.get(part)
  }

  put(part: number, file: FileIr): void {
    this.#parts.set(part, file)
    this.#bytes +=
      bytesOfFile + bytesOfOperation * file.functions.reduce((sum, { ops }) => sum + ops.length, 0)
  }
}

export class Forms {
  /** The newest is the last one. */
  readonly #kept = new Map<string, { readonly form: Form; readonly bytes: number }>()
  #bytes = 0

  /** Keeps so many bytes at most, but the newest whatever it takes. */
  constructor(private readonly most: number) {}

  get(content: string): Form | undefined {
    const kept = this.#kept.get(content)
    if (kept === undefined) return undefined
    this.#kept.delete(content)
    this.#kept.set(content, kept)
    return kept.form
  }

  /** Keeps a form, or takes note that it has grown. */
  keep(content: string, form: Form): void {
    this.#forget(content)
    this.#kept.set(content, { form, bytes: form.bytes })
    this.#bytes += form.bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.most || oldest === content) break
      this.#forget(oldest)
    }
  }

  #forget(content: string): void {
    this.#bytes -= this.#kept.get(content)?.bytes ?? 0
    this.#kept.delete(content)
  }
}
