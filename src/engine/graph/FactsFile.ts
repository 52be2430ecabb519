/**
 * References and texts of files that stay in the file of a stored snapshot until they are asked for. Single ones are read
 * by pieces, whole files' references for as long as they are worked on; of both the newest is held, up to a budget.
 */
import type { FactsHome, FactsView } from "../languages/Facts.ts"
import { H, R } from "../languages/Facts.ts"

/** Bytes of whole files held at a time, unless one file has more. */
const budget = 3 << 20

/** A section of the file. */
export interface ReadSection {
  /** Bytes. */
  readonly length: number
  /** Fills an array from a byte on. Throws what the file system throws, and when the file is not as it was. */
  readonly read: (into: Uint8Array, from: number) => void
}

/** Bytes of a piece, as a power of two. */
const pieceBits = 12
const pieceBytes = 1 << pieceBits
/** Numbers of a piece, as a power of two. */
const numberBits = pieceBits - 2
/** Pieces that are held of each section. */
const mostReferences = 384
const mostTexts = 128

interface Piece {
  readonly bytes: Uint8Array
  readonly numbers: Int32Array
}

/** The newest pieces of a section. They are read into the same memory again and again. */
class Pieces {
  private readonly held = new Map<number, Piece>()
  private last = -1
  private lastPiece: Piece | undefined

  constructor(
    private readonly section: ReadSection,
    private readonly most: number
  ) {}

  /** One of them, good until the next is asked for. */
  at(number: number): Piece {
    if (number === this.last) return this.lastPiece!
    const piece = this.held.get(number) ?? this.load(number)
    this.last = number
    return (this.lastPiece = piece)
  }

  private load(number: number): Piece {
    const piece = this.free()
    const from = number * pieceBytes
    this.section.read(piece.bytes.subarray(0, Math.min(pieceBytes, this.section.length - from)), from)
    this.held.set(number, piece)
    return piece
  }
  private free(): Piece {
    if (this.held.size >= this.most)
      for (const [oldest, piece] of this.held) {
        this.held.delete(oldest)
        this.last = -1
        return piece
      }
    const bytes = new Uint8Array(pieceBytes)
    return { bytes, numbers: new Int32Array(bytes.buffer) }
  }
}

export class FactsFile implements FactsHome {
  private readonly held: Array<FactsView> = []
  /** The first of them that is still held. */
  private first = 0
  private size = 0
  private scratch = new Int32Array(1 << 12)
  private letters = new Uint8Array(pieceBytes)
  private readonly numbers: Pieces
  private readonly texts: Pieces
  private failed = false

  constructor(
    private readonly allReferences: ReadSection,
    private readonly allTexts: ReadSection
  ) {
    this.numbers = new Pieces(allReferences, mostReferences)
    this.texts = new Pieces(allTexts, mostTexts)
  }

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

  number(view: FactsView, at: number): number {
    const place = view.refsPlace + at
    return this.piece(this.numbers, place >>> numberBits).numbers[place & ((1 << numberBits) - 1)]!
  }

  part(view: FactsView, from: number, length: number): Uint8Array {
    if (length > this.letters.length) this.letters = new Uint8Array(length)
    let place = view.textPlace + from
    for (let done = 0; done < length; ) {
      const inside = place & (pieceBytes - 1)
      const count = Math.min(length - done, pieceBytes - inside)
      const { bytes } = this.piece(this.texts, place >>> pieceBits)
      if (count === length) return bytes.subarray(inside, inside + count)
      this.letters.set(bytes.subarray(inside, inside + count), done)
      done += count
      place += count
    }
    return this.letters.subarray(0, length)
  }

  text(view: FactsView): Uint8Array {
    const text = new Uint8Array(view.ints[view.at + H.textLength]!)
    this.read(this.allTexts, text, view.textPlace)
    this.hold(view, undefined, text)
    return text
  }

  private fill(refs: Int32Array, view: FactsView): void {
    const bytes = new Uint8Array(refs.buffer, refs.byteOffset, refs.byteLength)
    this.read(this.allReferences, bytes, view.refsPlace * Int32Array.BYTES_PER_ELEMENT)
  }
  private piece(pieces: Pieces, number: number): Piece {
    try {
      return pieces.at(number)
    } catch (cause) {
      this.failed = true
      throw cause
    }
  }
  private read(section: ReadSection, into: Uint8Array, from: number): void {
    if (into.length === 0) return
    try {
      section.read(into, from)
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
