import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import type { Receipt } from "../../../src/engine/edits/Writer.ts"
import { Bench, edit, outcome } from "./support.ts"

describe("twenty writers of the same files", () => {
  it("see every success in the bytes and every conflict refused", async () => {
    using bench = new Bench()
    const slots = 10
    const line = (slot: number, by: string) => `slot ${slot} taken by ${by};`
    for (const name of ["a.txt", "b.txt", "c.txt"])
      bench.write(
        `tree/${name}`,
        Array.from({ length: slots }, (_, slot) => line(slot, "nobody")).join("\n") + "\n"
      )
    // Two writers want each slot, in three files at once; half of them share a writer, half have their own.
    const shared = await bench.writer()
    const own = await bench.writer()
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, n): Promise<{ n: number; result: Receipt | EditRefused }> => {
        const writer = n % 2 === 0 ? shared : own
        const slot = n % slots
        const items = ["a.txt", "b.txt", "c.txt"].map((name) =>
          edit(name, line(slot, "nobody"), line(slot, `writer ${n}`))
        )
        const result = await outcome(
          Effect.flatMap(writer.plan(items), (plan) => writer.commit(plan, { patience: 60_000 }))
        )
        return { n, result }
      })
    )
    const won = results.filter(({ result }) => !(result instanceof EditRefused))
    const lost = results.filter(({ result }) => result instanceof EditRefused)
    expect(won).toHaveLength(slots)
    for (const { n } of won)
      for (const name of ["a.txt", "b.txt", "c.txt"])
        expect(bench.text(name)).toContain(line(n % slots, `writer ${n}`))
    for (const { n, result } of lost) {
      expect((result as EditRefused).reason).toBe("match_not_found")
      for (const name of ["a.txt", "b.txt", "c.txt"]) expect(bench.text(name)).not.toContain(`writer ${n};`)
    }
    expect(bench.names()).toEqual(["a.txt", "b.txt", "c.txt"])
  })

  it("with a guard, let exactly one through per state of the file", async () => {
    using bench = new Bench({ "a.txt": "0\n" })
    const writer = await bench.writer()
    const revision = writer.revisions.issue(
      { owner: "s", project: bench.at("tree"), path: "a.txt" },
      "8b1acc12b635a26aa0ed5a4ab61ab6b4fa3a3f2f"
    )
    expect(revision).toBeGreaterThan(0)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        outcome(
          Effect.flatMap(
            writer.plan([
              {
                op: "write",
                path: "a.txt",
                content: `${n}\n`.repeat(2),
                guard: { baseSha: "573541ac9702dd3969c9bc859d2b91ec1f7e6e56" }
              }
            ]),
            (plan) => writer.commit(plan, { patience: 60_000 })
          )
        )
      )
    )
    const won = results.flatMap((result, n) => (result instanceof EditRefused ? [] : [n]))
    expect(won).toHaveLength(1)
    expect(bench.text("a.txt")).toBe(`${won[0]}\n`.repeat(2))
    for (const result of results)
      if (result instanceof EditRefused) expect(result.reason).toBe("base_sha_mismatch")
  })

  it("under one transaction id apply once", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writers = await Promise.all([bench.writer(), bench.writer()])
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const writer = writers[n % 2]!
        return outcome(
          Effect.flatMap(writer.plan([edit("a.txt", "x", "xx")]), (plan) =>
            writer.commit(plan, { transactionId: "one", patience: 60_000 })
          )
        )
      })
    )
    const receipts = results.map((result) => {
      if (result instanceof EditRefused) throw result
      return result
    })
    expect(receipts.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(bench.text("a.txt")).toBe("xx\n")
  })
})
