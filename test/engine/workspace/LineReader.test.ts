import { appendFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { linesOf } from "../../../src/facades/read/Lines.ts"
import { openRootSync, type Root } from "../../../src/engine/files/Confine.ts"
import { decodeText } from "../../../src/engine/files/Reader.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import type { FileEntry, Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { LineReader } from "../../../src/engine/workspace/LineReader.ts"
import { TempFolder } from "../git/TempRepo.ts"

let temp: TempFolder
let root: Root
beforeAll(() => {
  temp = new TempFolder()
  root = openRootSync(temp.path) as Root
})
afterAll(() => temp[Symbol.dispose]())

/** What an index knows of a file that was written a while ago. */
const indexed = (path: string, bytes: Buffer): Snapshot => {
  writeFileSync(temp.at(path), bytes)
  utimesSync(temp.at(path), 1_700_000_000, 1_700_000_000)
  const { ino, mtimeMs, size } = statSync(temp.at(path))
  const file = { id: 0, path, size, mtimeMs, ino, oid: blobOid(bytes) } as FileEntry
  return { at: Date.now(), files: [file], byPath: new Map([[path, 0]]) } as unknown as Snapshot
}
const text = (line: (i: number) => string, last = "end") =>
  Array.from({ length: 9000 }, (_, i) => line(i)).join("") + last

describe("lines of a file", () => {
  it.each([
    ["plain", Buffer.from(text((i) => `line ${i} of some length\n`))],
    ["ended", Buffer.from(text((i) => `line ${i} of some length\n`, ""))],
    ["crlf", Buffer.from(text((i) => `${i} of some length here\r\n${i % 9 === 0 ? "\n" : ""}`))],
    ["marked", Buffer.from(`\uFEFF${text((i) => `Zeile ${i} über Länge 😀\n`)}`)],
    [
      "latin1",
      Buffer.from(
        text((i) => `Zeile ${i} über eine Länge\n`),
        "latin1"
      )
    ]
  ])("are those of its text: %s", (name, bytes) => {
    const snapshot = indexed(`${name}.txt`, bytes)
    const reader = new LineReader(root)
    const whole = linesOf(decodeText(bytes).text)
    for (const [from, to] of [
      [1, 1],
      [1, 200],
      [64, 65],
      [4096, 4100],
      [8990, whole.length],
      [whole.length, whole.length + 50]
    ] as const)
      expect(reader.lines(snapshot, `${name}.txt`, from, to), `${from}-${to}`).toEqual({
        path: `${name}.txt`,
        sha: blobOid(bytes),
        lines: whole.slice(from - 1, to),
        whole: to >= whole.length
      })
    expect(reader.lines(snapshot, `${name}.txt`, whole.length + 1, whole.length + 9)).toBeUndefined()
  })

  it("are those of its text for every number of lines around a mark", () => {
    const reader = new LineReader(root)
    for (const count of [1, 2, 63, 64, 65, 127, 128, 129])
      for (const last of ["", "x"]) {
        const name = `${count}${last}.txt`
        const bytes = Buffer.from(Array.from({ length: count }, (_, i) => `${i}\n`).join("") + last)
        const whole = linesOf(bytes.toString())
        const snapshot = indexed(name, bytes)
        for (let from = 1; from <= whole.length; from++)
          for (const to of [from, from + 1, from + 64, whole.length])
            expect(reader.lines(snapshot, name, from, to), `${name} ${from}-${to}`).toEqual({
              path: name,
              sha: blobOid(bytes),
              lines: whole.slice(from - 1, to),
              whole: to >= whole.length
            })
        expect(reader.lines(snapshot, name, whole.length + 1, whole.length + 1)).toBeUndefined()
      }
    expect(reader.lines(indexed("empty.txt", Buffer.alloc(0)), "empty.txt", 1, 1)).toBeUndefined()
  })

  it("are left to a reading of the whole where the file may be another, is masked or is no such text", () => {
    const bytes = Buffer.from(text((i) => `line ${i} of some length\n`))
    const reader = new LineReader(root)
    const ask = (snapshot: Snapshot, path: string) => reader.lines(snapshot, path, 1, 9)
    const snapshot = indexed("changed.txt", bytes)
    expect(ask(snapshot, "changed.txt")).toBeDefined()
    expect(ask({ ...snapshot, at: 1_700_000_000_050 }, "changed.txt")).toBeUndefined()
    appendFileSync(temp.at("changed.txt"), "more")
    expect(ask(snapshot, "changed.txt")).toBeUndefined()
    expect(ask(indexed("settings.env", bytes), "settings.env")).toBeUndefined()
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString(), "utf16le")])
    expect(ask(indexed("wide.txt", wide), "wide.txt")).toBeUndefined()
    const binary = Buffer.concat([Buffer.alloc(9), bytes])
    expect(ask(indexed("binary.dat", binary), "binary.dat")).toBeUndefined()
  })
})
