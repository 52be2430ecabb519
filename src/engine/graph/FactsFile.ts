/**
 * References and texts of files that stay in the file of a stored snapshot until they are asked for. Of what was asked
 * for the newest is held, up to a budget.
 */
import type { FactsHome, FactsView } from "../languages/Facts.ts"
import { H, R } from "../languages/Facts.ts"

/** Bytes held at a time, unless one file has more. */
const budget = 3 << 20

/** Fills an array from a byte of a section on. Throws what the file system throws, and when the file is not as it was. */
export type ReadSection = (into: Uint8Array, from: number) => void

export class FactsFile implements FactsHome {
  private readonly held: Array<FactsView> = []
  /** The first of them that is still held. */
  private first = 0
  private size = 0
  private scratch = new Int32Array(1 << 12)
  private failed = false

  constructor(
    private readonly readReferences: ReadSection,
    private readonly readTexts: ReadSection
  ) {}

  /** Whether something could not be read; then no fact can be trusted to be there. */
  get lost(): boolean {
    return this.failed
  }

  references(view: FactsView): Int32Array {
    const refs = new Int32Array(view.referenceCount * R.size)
    this.fill(refs, view)
    this.hold(view, refs, undefined)
    return refs
  }

  glance(view: FactsView): Int32Array {
    const length = view.referenceCount * R.size
    if (length > this.scratch.length) this.scratch = new Int32Array(length + (length >> 1))
    const refs = this.scratch.subarray(0, length)
    this.fill(refs, view)
    return refs
  }

  text(view: FactsView): Uint8Array {
    const text = new Uint8Array(view.ints[view.at + H.textLength]!)
    this.read(this.readTexts, text, view.textPlace)
    this.hold(view, undefined, text)
    return text
  }

  private fill(refs: Int32Array, view: FactsView): void {
    const bytes = new Uint8Array(refs.buffer, refs.byteOffset, refs.byteLength)
    this.read(this.readReferences, bytes, view.refsPlace * Int32Array.BYTES_PER_ELEMENT)
  }
  private read(section: ReadSection, into: Uint8Array, from: number): void {
    if (into.length === 0) return
    try {
      section(into, from)
    } catch (cause) {
      this.failed = true
      throw cause
    }
  }
  private hold(view: FactsView, refs: Int32Array | undefined, text: Uint8Array | undefined): void {
    view.hold(refs, text)
    this.size += (refs?.byteLength ?? 0) + (text?.byteLength ?? 0)
    this.held.push(view)
    while (this.size > budget && this.first < this.held.length - 1)
      this.size -= this.held[this.first++]!.release()
    if (this.first < 1024) return
    this.held.splice(0, this.first)
    this.first = 0
  }
}
