import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { listedIn } from "../../../src/engine/edits/GitIndex.ts"

const long = `deep/${"long".repeat(1100)}`.slice(0, 200)
const names = ["a", "a.go", "a/b.go", "a/bc.go", "a/bcd/e.go", "über/straße.ts", "z z.txt", long]
const absent = ["a/b", "b.go", "a/bc.g", "new.txt", "over/strasse.ts"]

const inRepository = (prepare: (git: (...args: ReadonlyArray<string>) => void) => void): Buffer => {
  const dir = mkdtempSync(join(tmpdir(), "index-"))
  try {
    const git = (...args: ReadonlyArray<string>) => {
      execFileSync("git", args, { cwd: dir, stdio: "ignore" })
    }
    git("init", "-q")
    for (const name of names.filter((name) => name !== "a")) {
      mkdirSync(join(dir, dirname(name)), { recursive: true })
      writeFileSync(join(dir, name), name)
    }
    git("add", "-A")
    writeFileSync(join(dir, "new.txt"), "")
    prepare(git)
    return readFileSync(join(dir, ".git", "index"))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
const asked = [...names, ...absent]
const listed = (index: Buffer) => [...(listedIn(index, asked) ?? ["unknown"])].sort()
const tracked = names.filter((name) => name !== "a").sort()

describe("git's index", () => {
  it("is read in each of its versions", () => {
    for (const version of ["2", "4"]) {
      const index = inRepository((git) => git("update-index", "--index-version", version))
      assert.strictEqual(index.readUInt32BE(4), Number(version))
      assert.deepStrictEqual(listed(index), tracked)
    }
    const marked = inRepository((git) => git("add", "-N", "new.txt"))
    assert.strictEqual(marked.readUInt32BE(4), 3)
    assert.deepStrictEqual(listed(marked), [...tracked, "new.txt"].sort())
  })

  it("is left to git when it is of another form", () => {
    const index = inRepository(() => {})
    assert.isUndefined(listedIn(index.subarray(0, 100), asked))
    assert.isUndefined(listedIn(Buffer.from("no index at all"), asked))
    const later = Buffer.from(index)
    later.writeUInt32BE(5, 4)
    assert.isUndefined(listedIn(later, asked))
    const other = mkdtempSync(join(tmpdir(), "index-"))
    try {
      execFileSync("git", ["init", "-q", "--object-format=sha256"], { cwd: other, stdio: "ignore" })
      for (const name of ["one.go", "two.go"]) writeFileSync(join(other, name), name)
      execFileSync("git", ["add", "-A"], { cwd: other, stdio: "ignore" })
      assert.isUndefined(listedIn(readFileSync(join(other, ".git", "index")), ["one.go", "two.go"]))
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  })
})
