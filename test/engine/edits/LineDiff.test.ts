import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { unifiedDiff } from "../../../src/engine/edits/LineDiff.ts"
import { TempFolder } from "../git/TempRepo.ts"

const diff = (from: string | null, to: string | null): string =>
  unifiedDiff(
    from === null ? null : { path: "a.txt", bytes: Buffer.from(from) },
    to === null ? null : { path: "a.txt", bytes: Buffer.from(to) }
  )

/** Applies a unified diff by its hunks, strictly. */
const patched = (text: string, patch: string): string => {
  const lines = text.split(/(?<=\n)/)
  const out: Array<string> = []
  let at = 0
  let last: Array<string> | null = null
  for (const row of patch.split(/(?<=\n)/).slice(2)) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(row)
    if (head !== null) {
      const start = head[2] === "0" ? Number(head[1]) : Number(head[1]) - 1
      out.push(...lines.slice(at, start))
      at = start
      const begins = head[4] === "0" ? Number(head[3]) : Number(head[3]) - 1
      expect(out.length).toBe(begins)
      continue
    }
    const body = row.slice(1)
    if (row.startsWith("\\")) {
      if (last !== null) last[last.length - 1] = last.at(-1)!.replace(/\n$/, "")
      continue
    }
    last = null
    if (row.startsWith("+")) {
      out.push(body)
      last = out
      continue
    }
    expect(lines[at]!.replace(/\n$/, "")).toBe(body.replace(/\n$/, ""))
    if (row.startsWith(" ")) {
      out.push(lines[at]!)
    }
    at++
  }
  return [...out, ...lines.slice(at)].join("")
}

describe("a unified diff", () => {
  it("shows a change with its context", () => {
    const before = ["1", "2", "3", "4", "5", "6", "7", "8", ""].join("\n")
    expect(diff(before, before.replace("5", "five"))).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )
  })

  it("shows creation, deletion and a missing final newline", () => {
    expect(diff(null, "a\n")).toBe("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n")
    expect(diff("a\nb", null)).toBe(
      "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"
    )
    expect(diff("a", "a\n")).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
    )
    expect(diff("same\n", "same\n")).toBe("")
  })

  it("names both paths of a move", () => {
    const moved = unifiedDiff(
      { path: "a.txt", bytes: Buffer.from("x\n") },
      { path: "b/c.txt", bytes: Buffer.from("x\n") }
    )
    expect(moved).toBe("rename from a.txt\nrename to b/c.txt\n")
  })

  it("is a shortest script", () => {
    const changed = (patch: string) =>
      patch
        .split("\n")
        .slice(2)
        .filter((row) => /^[-+]/.test(row)).length
    expect(changed(diff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"))).toBe(5)
  })

  const text = fc
    .tuple(fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 }), fc.boolean())
    .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""))

  it("turns one text into the other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = diff(before, after)
        if (before === after) expect(patch).toBe("")
        else expect(patched(before, patch)).toBe(after)
      }),
      { numRuns: 2000 }
    )
  })

  it("is read alike by git", () => {
    fc.assert(
      fc.property(
        text.filter((t) => t !== ""),
        text.filter((t) => t !== ""),
        (before, after) => {
          if (before === after) return
          using temp = new TempFolder()
          temp.write("a.txt", before)
          const run = spawnSync("git", ["apply", "--whitespace=nowarn", "--unidiff-zero", "-"], {
            cwd: temp.path,
            input: diff(before, after)
          })
          expect(run.stderr.toString()).toBe("")
          expect(existsSync(temp.at("a.txt")) && readFileSync(temp.at("a.txt"), "utf8")).toBe(after)
        }
      ),
      { numRuns: 15 }
    )
  })

  it("stays a correct script for texts that differ a lot", () => {
    const before = Array.from({ length: 3_000 }, (_, i) => `old ${i}\n`).join("")
    const after = Array.from({ length: 3_000 }, (_, i) => `new ${i}\n`).join("")
    expect(patched(before, diff(before, after))).toBe(after)
  })
})
