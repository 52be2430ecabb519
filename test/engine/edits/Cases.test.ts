import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import { utimesSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Disk, DiskError, realDisk } from "../../../src/engine/edits/Disk.ts"
import { EditRefused, evidence } from "../../../src/services/EditRefused.ts"
import { apply, Bench, edit, outcome, reasonOf, refusedOf, shaOf } from "./support.ts"

/** What has gone wrong with editing tools before, with the bytes it went wrong on. */
describe("an edit", () => {
  it("with LF text finds its place in a CRLF file and leaves every other line ending alone", async () => {
    const before = "\ufeffusing System;\r\n\r\nclass A\r\n{\r\n    int x = 1;\r\n}"
    using bench = new Bench({ "A.cs": before })
    await apply(await bench.writer(), [
      edit("A.cs", "{\n    int x = 1;\n}", "{\n    int x = 2;\n    int y = 3;\n}")
    ])
    expect(bench.text("A.cs")).toBe(
      "\ufeffusing System;\r\n\r\nclass A\r\n{\r\n    int x = 2;\r\n    int y = 3;\r\n}"
    )
  })

  it("with straight quotes does not touch curly ones, and names what differs", async () => {
    const before = "title = \u201cIt\u2019s\u201d\n"
    using bench = new Bench({ "a.md": before })
    const refused = refusedOf(await apply(await bench.writer(), [edit("a.md", `title = "It's"`, "x")]))
    expect(refused.reason).toBe("match_not_found")
    expect(refused.data!["nearest"]).toMatchObject([
      {
        start_line: 1,
        kinds: ["quote"],
        differences: [{ found: "U+201C LEFT DOUBLE QUOTATION MARK" }, {}, {}]
      }
    ])
    expect(bench.text("a.md")).toBe(before)
  })

  it("between two kinds of quotes is a real change", async () => {
    using bench = new Bench({ "a.md": "it's\n" })
    const receipt = await apply(await bench.writer(), [edit("a.md", "it's", "it\u2019s")])
    if (receipt instanceof EditRefused) throw receipt
    expect(receipt.changes[0]).toMatchObject({ changed: true, sha: shaOf("it\u2019s\n") })
    expect(bench.text("a.md")).toBe("it\u2019s\n")
  })

  it("after a formatter ran is refused once and then works with the state it was told", async () => {
    using bench = new Bench({ "a.ts": "f( 1 )\n" })
    const writer = await bench.writer()
    const guarded = (baseSha: string, match: string): ChangeItem => ({
      op: "edit",
      path: "a.ts",
      edits: [{ match, replacement: "g(2)" }],
      guard: { baseSha }
    })
    writeFileSync(bench.at("tree/a.ts"), "f(1);\n")
    const refused = refusedOf(await apply(writer, [guarded(shaOf("f( 1 )\n"), "f( 1 )")]))
    expect(refused.reason).toBe("base_sha_mismatch")
    expect(refused.data).toMatchObject({ reread_required: true, current_sha: shaOf("f(1);\n") })
    const again = await apply(writer, [guarded(String(refused.data!["current_sha"]), "f(1)")])
    expect(reasonOf(again)).toBe("succeeded")
    expect(bench.text("a.ts")).toBe("g(2);\n")
  })

  it("after a mere touch, and after an own edit, is not stale", async () => {
    using bench = new Bench({ "a.ts": "1\n" })
    const writer = await bench.writer()
    let baseSha = shaOf("1\n")
    for (const [from, to] of [
      ["1", "2"],
      ["2", "3"]
    ] as const) {
      utimesSync(bench.at("tree/a.ts"), new Date(), new Date())
      const receipt = await apply(writer, [
        { op: "edit", path: "a.ts", edits: [{ match: from, replacement: to }], guard: { baseSha } }
      ])
      if (receipt instanceof EditRefused) throw receipt
      baseSha = receipt.changes[0]!.sha!
    }
    expect(bench.text("a.ts")).toBe("3\n")
  })

  it("of a text that occurs twice says where, and one of those places works at the first try", async () => {
    using bench = new Bench({ "a.ts": "log(x)\nrun()\nlog(x)\n" })
    const writer = await bench.writer()
    const refused = refusedOf(await apply(writer, [edit("a.ts", "log(x)", "warn(x)")]))
    const recovery = evidence(refused)["conflict_recovery"] as {
      readonly candidate_ranges: ReadonlyArray<{ readonly occurrence: number; readonly start_line: number }>
    }
    const wanted = recovery.candidate_ranges.find(({ start_line }) => start_line === 3)!
    await apply(writer, [edit("a.ts", "log(x)", "warn(x)", { occurrence: wanted.occurrence })])
    expect(bench.text("a.ts")).toBe("log(x)\nrun()\nwarn(x)\n")
  })

  it("of several files that fails says which change and which replacement", async () => {
    using bench = new Bench({ "a.ts": "a b c d\n" })
    const before = bench.treeHash()
    const items: ReadonlyArray<ChangeItem> = [
      { op: "write", path: "n0.ts", content: "" },
      { op: "write", path: "n1.ts", content: "" },
      { op: "write", path: "n2.ts", content: "" },
      {
        op: "edit",
        path: "a.ts",
        edits: [
          { match: "a", replacement: "x" },
          { match: "nowhere", replacement: "x" }
        ]
      },
      { op: "write", path: "n4.ts", content: "" }
    ]
    const refused = refusedOf(await apply(await bench.writer(), items))
    expect(evidence(refused)).toMatchObject({ change_index: 3, edit_index: 1, kind: "edit", path: "a.ts" })
    expect(bench.treeHash()).toBe(before)
  })

  it("that ended without an answer is answered by the same id, and not done twice", async () => {
    using bench = new Bench({ "a.ts": "x\n" })
    const items = [edit("a.ts", "x", "xx")]
    const writer = await bench.writer()
    await Effect.runPromise(
      Effect.flatMap(writer.plan(items), (plan) => writer.commit(plan, { transactionId: "lost" }))
    )
    expect(await outcome(writer.receipt("lost"))).toMatchObject({
      state: "committed",
      diskStatus: "committed"
    })
    expect(await apply(writer, items, {}, { transactionId: "lost" })).toMatchObject({ replayed: true })
    expect(bench.text("a.ts")).toBe("xx\n")
  })

  it("that the system refuses is told apart from one that found nothing", async () => {
    using bench = new Bench({ "a.ts": "x\n" })
    const disk: Disk = {
      ...realDisk,
      read: (path) =>
        path.endsWith("a.ts") ? new DiskError({ step: "read", path, code: "EACCES" }) : realDisk.read(path)
    }
    expect(reasonOf(await apply(await bench.writer({ disk }), [edit("a.ts", "x", "y")]))).toBe(
      "permission_denied"
    )
    expect(reasonOf(await apply(await bench.writer(), [edit("a.ts", "q", "y")]))).toBe("match_not_found")
    expect(reasonOf(await apply(await bench.writer(), [edit("b.ts", "q", "y")]))).toBe("not_found")
  })

  it("tells nothing of where things lie on this machine", async () => {
    using bench = new Bench({ "a.ts": "x\n" })
    const writer = await bench.writer()
    for (const item of [
      edit("a.ts", "q", "y"),
      edit("b.ts", "q", "y"),
      edit("../c", "q", "y"),
      edit(".git/x", "q", "y")
    ]) {
      const refused = refusedOf(await apply(writer, [item]))
      expect(JSON.stringify([refused.message, evidence(refused)])).not.toContain(bench.path)
    }
    const done = await apply(writer, [edit("a.ts", "x", "y")])
    expect(JSON.stringify(done)).not.toContain(bench.path)
  })
})
