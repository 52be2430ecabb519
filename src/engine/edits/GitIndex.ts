/** Which paths git's index lists, read out of its file: no process is started for a path that is there. */

const entryHead = 62
const extended = 0x4000
const nameMask = 0xfff

/**
 * Those of some paths, relative to the work tree, that an index file lists. Undefined when it is not of a form that is
 * known here: not of version 2 to 4, or with object names of another length than 20 bytes.
 */
export const listedIn = (index: Buffer, paths: Iterable<string>): ReadonlySet<string> | undefined => {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return undefined
  const wanted = new Map<number, Array<{ readonly path: string; readonly bytes: Buffer }>>()
  for (const path of paths) {
    const bytes = Buffer.from(path, "utf8")
    const same = wanted.get(bytes.length)
    if (same === undefined) wanted.set(bytes.length, [{ path, bytes }])
    else same.push({ path, bytes })
  }
  const found = new Set<string>()
  const count = index.readUInt32BE(8)
  let name = Buffer.alloc(4096)
  let length = 0
  let at = 12
  for (let i = 0; i < count; i++) {
    if (at + entryHead >= index.length) return undefined
    const flags = index.readUInt16BE(at + 60)
    let start = at + entryHead + ((flags & extended) === 0 ? 0 : 2)
    const said = flags & nameMask
    if (version < 4) {
      const end = said < nameMask ? start + said : index.indexOf(0, start)
      // Where the names are not, the numbers are others than these.
      if (end < start || end >= index.length || index[end] !== 0) return undefined
      for (const one of wanted.get(end - start) ?? [])
        if (one.bytes.equals(index.subarray(start, end))) found.add(one.path)
      at += (end - at + 8) & ~7
      continue
    }
    // Names leave out what they share with the one before: first how much of that is dropped from its end.
    let dropped = index[start]! & 127
    while ((index[start++]! & 128) !== 0) {
      if (start >= index.length) return undefined
      dropped = ((dropped + 1) << 7) | (index[start]! & 127)
    }
    const end = index.indexOf(0, start)
    if (end < 0 || dropped > length) return undefined
    const kept = length - dropped
    length = kept + end - start
    if (said < nameMask && said !== length) return undefined
    if (length > name.length) {
      const longer = Buffer.alloc(length * 2)
      name.copy(longer, 0, 0, kept)
      name = longer
    }
    index.copy(name, kept, start, end)
    for (const one of wanted.get(length) ?? [])
      if (one.bytes.equals(name.subarray(0, length))) found.add(one.path)
    at = end + 1
  }
  return found
}
