/** Somebody else who writes while a commit is under way. */
import { writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Disk, realDisk } from "../../../src/engine/edits/Disk.ts"
import { apply, Bench, edit, reasonOf, refusedOf, shaOf } from "./support.ts"

/** A disk on which something happens each time the new bytes of a file have been prepared: between plan and write. */
const disturbed = (happens: (time: number) => void): Disk => {
  let time = 0
  return {
    ...realDisk,
    create: (path, bytes, options) =>
      Effect.tap(realDisk.create(path, bytes, options), () =>
        Effect.sync(() => {
          if (path.includes(".portico-new-")) happens(++time)
        })
      )
  }
}

const stage = () => new Bench({ "a.txt": "one\ntwo\n", "b.txt": "one\n" })

describe("somebody else who writes during a commit", () => {
  it("to a file beside it is in nobody's way", async () => {
    using bench = stage()
    let times = 0
    const disk = disturbed((time) => {
      times = time
      bench.write("tree/c.txt", `${time}\n`)
      writeFileSync(bench.at("tree/b.txt"), `${time}\n`)
    })
    const writer = await bench.writer({ disk })
    for (let n = 0; n < 5; n++)
      expect(
        reasonOf(
          await apply(writer, [edit("a.txt", n % 2 === 0 ? "one" : "ONE", n % 2 === 0 ? "ONE" : "one")])
        )
      ).toBe("succeeded")
    expect(times).toBe(5)
    expect(bench.text("a.txt")).toBe("ONE\ntwo\n")
  })

  it("the same bytes again is in nobody's way either", async () => {
    using bench = stage()
    let times = 0
    const disk = disturbed((time) => {
      times = time
      writeFileSync(bench.at("tree/a.txt"), "one\ntwo\n")
    })
    expect(reasonOf(await apply(await bench.writer({ disk }), [edit("a.txt", "one", "ONE")]))).toBe(
      "succeeded"
    )
    expect(times).toBe(1)
  })

  it("elsewhere in the file is kept, and the edit that is found by its text is made beside it", async () => {
    using bench = stage()
    const disk = disturbed((time) => {
      if (time <= 2) writeFileSync(bench.at("tree/a.txt"), `one\ntwo\n${"more\n".repeat(time)}`)
    })
    expect(reasonOf(await apply(await bench.writer({ disk }), [edit("a.txt", "one", "ONE")]))).toBe(
      "succeeded"
    )
    expect(bench.text("a.txt")).toBe("ONE\ntwo\nmore\nmore\n")
    expect(bench.names()).toEqual(["a.txt", "b.txt"])
  })

  it("again and again is told of after a few tries, with nothing written", async () => {
    using bench = stage()
    let times = 0
    const disk = disturbed((time) => {
      times = time
      writeFileSync(bench.at("tree/a.txt"), `one\n${time}\n`)
    })
    const refused = refusedOf(await apply(await bench.writer({ disk }), [edit("a.txt", "one", "ONE")]))
    expect([refused.code, refused.reason, refused.path, refused.stateChanged]).toEqual([
      "stale_revision",
      "changed_during_commit",
      "a.txt",
      false
    ])
    expect(times).toBe(4)
    expect(bench.text("a.txt")).toBe("one\n4\n")
    expect(bench.names()).toEqual(["a.txt", "b.txt"])
  })

  it("over the very text makes the edit out of date, not wrong", async () => {
    using bench = stage()
    const disk = disturbed(() => writeFileSync(bench.at("tree/a.txt"), "uno\n"))
    const refused = refusedOf(
      await apply(await bench.writer({ disk }), [edit("b.txt", "one", "ONE"), edit("a.txt", "one", "ONE")])
    )
    expect([refused.reason, refused.path, refused.changeIndex, refused.data?.["refused_now"]]).toEqual([
      "changed_during_commit",
      "a.txt",
      1,
      "match_not_found"
    ])
    expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual(["uno\n", "one\n"])
  })

  it("is never overwritten by what was held to the file as it was", async () => {
    const theirs = "theirs: one\n"
    for (const [item, reason] of [
      [{ op: "write", path: "a.txt", content: "mine\n" }, "changed_during_commit"],
      [{ op: "move", source: "a.txt", destination: "z.txt" }, "changed_during_commit"],
      [edit("a.txt", "one", "ONE", { occurrence: 1 }), "changed_during_commit"],
      [edit("a.txt", "one", "ONE", { lineScope: { startLine: 1, endLine: 1 } }), "changed_during_commit"],
      [{ ...edit("a.txt", "one", "ONE"), guard: { baseSha: shaOf("one\ntwo\n") } }, "base_sha_mismatch"]
    ] as const) {
      using bench = stage()
      const disk = disturbed(() => writeFileSync(bench.at("tree/a.txt"), theirs))
      const refused = refusedOf(
        await apply(await bench.writer({ disk }), [item, edit("b.txt", "one", "ONE")])
      )
      expect([refused.reason, refused.code, refused.path, refused.stateChanged]).toEqual([
        reason,
        "stale_revision",
        "a.txt",
        false
      ])
      expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual([theirs, "one\n"])
      expect(bench.names()).toEqual(["a.txt", "b.txt"])
    }
  })
})
