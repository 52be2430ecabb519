import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import { describe, expect, it } from "@effect/vitest"
import { maxRevisionsOfOwner, Revisions } from "../../../src/engine/edits/Revisions.ts"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import { apply, Bench, reasonOf, shaOf } from "./support.ts"

const key = { owner: "s1", project: "/p", path: "a.txt" }

describe("a read revision", () => {
  it("admits the content it was issued for", () => {
    const revisions = new Revisions()
    const revision = revisions.issue(key, shaOf("one"))
    expect(Number.isSafeInteger(revision) && revision > 0).toBe(true)
    expect(revisions.check(key, revision, shaOf("one").toUpperCase())).toBe(null)
    expect(revisions.issue(key, shaOf("one"))).toBe(revision)
    expect(revisions.issue(key, shaOf("two"))).not.toBe(revision)
  })

  it("is refused with one reason each for what does not fit", () => {
    const revisions = new Revisions()
    const revision = revisions.issue(key, shaOf("one"))
    const reason = (other: Partial<typeof key>, sha = shaOf("one"), number = revision) =>
      revisions.check({ ...key, ...other }, number, sha)?.reason
    expect(reason({}, shaOf("one"), revision + 1)).toBe("unknown_read_revision")
    expect(reason({ owner: "s2" })).toBe("read_revision_owner_mismatch")
    expect(reason({ project: "/q" })).toBe("read_revision_project_mismatch")
    expect(reason({ path: "b.txt" })).toBe("read_revision_path_mismatch")
    expect(reason({}, shaOf("two"))).toBe("stale_read_revision")
  })

  it("of an earlier process is unknown rather than mistaken", () => {
    const old = new Revisions().issue(key, shaOf("one"))
    const fresh = new Revisions()
    fresh.issue(key, shaOf("one"))
    expect(fresh.check(key, old, shaOf("one"))?.reason).toBe("unknown_read_revision")
  })

  it("is forgotten with its owner, and when many newer ones came", () => {
    const revisions = new Revisions()
    const first = revisions.issue(key, shaOf("0"))
    const kept = revisions.issue({ ...key, owner: "s2" }, shaOf("0"))
    for (let i = 1; i <= maxRevisionsOfOwner; i++) revisions.issue(key, String(i).padStart(40, "0"))
    expect(revisions.check(key, first, shaOf("0"))?.reason).toBe("unknown_read_revision")
    expect(revisions.check({ ...key, owner: "s2" }, kept, shaOf("0"))).toBe(null)
    revisions.forget("s2")
    expect(revisions.check({ ...key, owner: "s2" }, kept, shaOf("0"))?.reason).toBe("unknown_read_revision")
  })
})

describe("an edit under a read revision", () => {
  const item = (match: string, replacement: string, readRevision: number, more = {}): ChangeItem => ({
    op: "edit",
    path: "a.txt",
    edits: [{ match, replacement, ...more }],
    guard: { readRevision }
  })

  it("returns the next one, so that the following edit needs no read", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const writer = await bench.writer()
    const owner = { owner: "s1" }
    let revision = writer.revisions.issue(
      { ...owner, project: bench.at("tree"), path: "a.txt" },
      shaOf("one\n")
    )
    for (const [from, to] of [
      ["one", "two"],
      ["two", "three"],
      ["three", "four"]
    ] as const) {
      const receipt = await apply(writer, [item(from, to, revision)], owner)
      if (receipt instanceof EditRefused) throw receipt
      revision = receipt.readRevisions["a.txt"]!
    }
    expect(bench.text("a.txt")).toBe("four\n")
  })

  it("is refused after somebody else's change and after the caller's own revision is spent", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const writer = await bench.writer()
    const owner = { owner: "s1" }
    const revision = writer.revisions.issue(
      { ...owner, project: bench.at("tree"), path: "a.txt" },
      shaOf("one\n")
    )
    expect(reasonOf(await apply(writer, [item("one", "two", revision)], owner))).toBe("succeeded")
    const stale = await apply(writer, [item("two", "three", revision)], owner)
    expect(reasonOf(stale)).toBe("stale_read_revision")
    expect((stale as EditRefused).data).toMatchObject({ reread_required: true, current_sha: shaOf("two\n") })
    expect(reasonOf(await apply(writer, [item("two", "three", revision)], { owner: "s2" }))).toBe(
      "read_revision_owner_mismatch"
    )
  })

  it("is what replacing many matches takes, and a base sha alone only when the caller says so", async () => {
    using bench = new Bench({ "a.txt": "x x\n" })
    const writer = await bench.writer()
    const owner = { owner: "s1" }
    const bulk = { match: "x", replacement: "y", expectedMatchCount: 2 }
    const unguarded: ChangeItem = { op: "edit", path: "a.txt", edits: [bulk] }
    const bySha: ChangeItem = { ...unguarded, guard: { baseSha: shaOf("x x\n") } }
    expect(reasonOf(await apply(writer, [unguarded], owner))).toBe("guard_required")
    expect(reasonOf(await apply(writer, [bySha], owner))).toBe("guard_required")
    expect(bench.text("a.txt")).toBe("x x\n")
    const revision = writer.revisions.issue(
      { ...owner, project: bench.at("tree"), path: "a.txt" },
      shaOf("x x\n")
    )
    expect(reasonOf(await apply(writer, [{ ...unguarded, guard: { readRevision: revision } }], owner))).toBe(
      "succeeded"
    )
    expect(bench.text("a.txt")).toBe("y y\n")
    const back: ChangeItem = {
      op: "edit",
      path: "a.txt",
      edits: [{ match: "y", replacement: "x", replaceAll: true }],
      guard: { baseSha: shaOf("y y\n") }
    }
    expect(reasonOf(await apply(writer, [back], { ...owner, bulkGuard: "any" }))).toBe("succeeded")
  })
})
