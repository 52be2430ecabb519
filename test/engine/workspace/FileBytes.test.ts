import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blobOid } from "../../../src/engine/git/Git.ts"
import type { FileEntry } from "../../../src/engine/graph/Snapshot.ts"
import { FileBytes } from "../../../src/engine/workspace/FileBytes.ts"
import { random } from "../../eval/support/Sample.ts"
import { TempFolder } from "../git/TempRepo.ts"

let temp: TempFolder
beforeAll(() => {
  temp = new TempFolder()
})
afterAll(() => temp[Symbol.dispose]())

/** Bytes that are the same for the same seed and tell one file from another anywhere. */
const letters = (seed: number, size: number): Buffer => {
  const out = Buffer.alloc(size)
  for (let at = 0, block = 0; at < size; at += 32, block++)
    createHash("sha256").update(`${seed} ${block}`).digest().copy(out, at)
  return out
}
const written = (id: number, bytes: Buffer): FileEntry => {
  const path = `${id}.bin`
  writeFileSync(temp.at(path), bytes)
  return { id, path, size: bytes.length, oid: blobOid(bytes) } as FileEntry
}

describe("bytes of files", () => {
  it("are those on disk, whichever of them are kept", () => {
    const sizes = [0, 1, 700, 60_000, 65_536, 300_000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20]
    const files = Array.from({ length: 40 }, (_, id) => {
      const bytes = letters(id, sizes[id % sizes.length]!)
      return { bytes, entry: written(id, bytes) }
    })
    const bytes = new FileBytes(temp.path)
    const next = random(5)
    const owned: Array<readonly [Uint8Array, Buffer]> = []
    for (let round = 0; round < 500; round++) {
      const { bytes: expected, entry } = files[Math.floor(next() * files.length)]!
      const found = round % 25 === 0 ? bytes.read(entry) : bytes.peek(entry)
      expect(found !== undefined && expected.equals(found), `${entry.path}, round ${round}`).toBe(true)
      if (round % 25 === 0) owned.push([found!, expected])
    }
    // What the reader owns stays as it was.
    for (const [found, expected] of owned) expect(expected.equals(found)).toBe(true)
  })

  it("of a changed file are the new ones", () => {
    const bytes = new FileBytes(temp.path)
    const before = written(90, letters(1, 5000))
    expect(bytes.peek(before)).toEqual(letters(1, 5000))
    const after = written(90, letters(2, 7000))
    expect(bytes.peek(after)).toEqual(letters(2, 7000))
  })

  it("longer than was known are read to their end, and told when there are none", () => {
    const bytes = new FileBytes(temp.path)
    const grown = { ...written(91, letters(3, 400_000)), size: 10, oid: "grown" } as FileEntry
    expect(letters(3, 400_000).equals(bytes.peek(grown)!)).toBe(true)
    expect(bytes.peek({ ...grown, path: "absent.bin", oid: "absent" } as FileEntry)).toBeUndefined()
    expect(bytes.peek({ ...written(92, letters(4, 10)), size: 5 << 20 } as FileEntry)).toBeUndefined()
  })
})
