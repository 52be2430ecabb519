/** Git's index, read out of its file entry by entry: no process is started for what it says. */

/** Bytes of an entry ahead of its name. */
const entryHead = 62
const extended = 0x4000
const nameMask = 0xfff

/** An entry's name lies in `name` from `from` to `to`, good until the next; the rest of the entry begins in the index at `at`. */
export type Visit = (at: number, name: Buffer, from: number, to: number) => void

/**
 * Visits the entries of an index file in their order. False when it is not of a form that is known here: not of version 2
 * to 4, or with object names of another length than 20 bytes; then what was visited means nothing.
 */
export const eachEntry = (index: Buffer, visit: Visit): boolean => {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  const count = index.readUInt32BE(8)
  let name = Buffer.alloc(4096)
  let length = 0
  let at = 12
  for (let i = 0; i < count; i++) {
    if (at + entryHead >= index.length) return false
    const flags = index.readUInt16BE(at + 60)
    let start = at + entryHead + ((flags & extended) === 0 ? 0 : 2)
    const said = flags & nameMask
    if (version < 4) {
      const end = said < nameMask ? start + said : index.indexOf(0, start)
      // Where the names are not, the numbers are others than these.
      if (end < start || end >= index.length || index[end] !== 0) return false
      visit(at, index, start, end)
      at += (end - at + 8) & ~7
      continue
    }
    // Names leave out what they share with the one before: first how much of that is dropped from its end.
    let dropped = index[start]! & 127
    while ((index[start++]! & 128) !== 0) {
      if (start >= index.length) return false
      dropped = ((dropped + 1) << 7) | (index[start]! & 127)
    }
    const end = index.indexOf(0, start)
    if (end < 0 || dropped > length) return false
    const kept = length - dropped
    length = kept + end - start
    if (said < nameMask && said !== length) return false
    if (length > name.length) {
      const longer = Buffer.alloc(length * 2)
      name.copy(longer, 0, 0, kept)
      name = longer
    }
    index.copy(name, kept, start, end)
    visit(at, name, 0, length)
    at = end + 1
  }
  return true
}
