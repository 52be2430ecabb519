import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import { execFileSync } from "node:child_process"
import { chmodSync, linkSync, symlinkSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { gitPathFacts } from "../../../src/engine/edits/PathFacts.ts"
import { type Plan, sha256, statusText } from "../../../src/engine/edits/Plan.ts"
import { openGate } from "../../../src/engine/edits/SyntaxGate.ts"
import { makeWriter } from "../../../src/engine/edits/Writer.ts"
import { apply, Bench, edit, outcome, planOf, reasonOf, refusedOf, rootAt, shaOf } from "./support.ts"

/** Reason, item and edit of every problem. */
const problems = (plan: Plan) =>
  plan.problems.map(({ reason, changeIndex, editIndex }) => `${reason} ${changeIndex}.${editIndex ?? ""}`)

describe("a dry run", () => {
  it("tells what would happen and writes nothing", async () => {
    using bench = new Bench({ "a.txt": "one\r\ntwo\r\none\r\n", "b.txt": "b\n", "c.txt": "c\n" })
    const before = bench.treeHash()
    const plan = await planOf(
      await bench.writer(),
      [
        edit("a.txt", "one", "1", { occurrence: 2 }),
        { op: "move", source: "b.txt", destination: "d/b.txt" },
        { op: "delete", path: "c.txt" },
        { op: "write", path: "new.txt", content: "n\n" }
      ],
      { diff: true }
    )
    expect(bench.treeHash()).toBe(before)
    expect(plan.problems).toEqual([])
    expect(plan.conflicts).toBe(0)
    expect(plan.changes.map(({ wouldChange }) => wouldChange)).toEqual([true, true, true, true])
    expect(plan.changes[0]!.edits).toEqual([
      {
        matchCount: 1,
        expectedMatchCount: null,
        ranges: [{ occurrence: 2, startLine: 3, endLine: 3 }],
        rangesTruncated: false,
        eolNormalized: false,
        wouldChange: true
      }
    ])
    expect(plan.changes[1]).toMatchObject({
      path: "b.txt",
      destination: "d/b.txt",
      source: { exists: true, kind: "file", sha256: sha256("b\n") },
      destinationState: { exists: false, kind: null }
    })
    expect(plan.files.map(({ path, diff }) => [path, diff])).toEqual([
      ["a.txt", "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\r\n two\r\n-one\r\n+1\r\n"],
      ["b.txt", null],
      ["c.txt", "--- a/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n"],
      ["d/b.txt", "rename from b.txt\nrename to d/b.txt\n"],
      ["new.txt", "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n"]
    ])
  })

  it("does not repeat source text outside of diffs", async () => {
    using bench = new Bench({ "a.txt": "precious\n".repeat(38) })
    const plan = await planOf(await bench.writer(), [
      { op: "edit", path: "a.txt", edits: [{ match: "precious", replacement: "x" }] }
    ])
    expect(JSON.stringify(plan.changes)).not.toContain("precious")
    expect(statusText(plan.changes[0]!)).toBe("conflict: the text occurs 38 times")
  })

  it("reports every problem, not only the first", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const plan = await planOf(await bench.writer(), [
      edit("a.txt", "nope", "x"),
      { op: "delete", path: "missing.txt" },
      { op: "delete", path: "../out.txt" }
    ])
    expect(problems(plan)).toEqual(["match_not_found 0.0", "not_found 1.", "path_outside_root 2."])
    expect(plan.changes.map(({ status }) => status)).toEqual(["conflict", "conflict", "failed"])
    expect(plan.conflicts).toBe(3)
    expect(plan.files).toEqual([])
  })

  it("says what git thinks of the paths of a move", async () => {
    using bench = new Bench({ "kept.txt": "k\n", "loose.txt": "l\n", ".gitignore": "out/\n" })
    bench.init("tree")
    execFileSync("git", ["add", "kept.txt", ".gitignore"], { cwd: bench.at("tree") })
    const writer = await Effect.runPromise(
      makeWriter({ root: rootAt(bench.at("tree")), state: bench.at("state"), gate: openGate })
    )
    const plan = await planOf(writer, [
      { op: "move", source: "kept.txt", destination: "out/kept.txt" },
      { op: "delete", path: "loose.txt" }
    ])
    expect(plan.changes[0]!.source).toEqual({
      exists: true,
      kind: "file",
      git: "tracked",
      ignored: false,
      sha256: sha256("k\n")
    })
    expect(plan.changes[0]!.destinationState).toEqual({
      exists: false,
      kind: null,
      git: "untracked",
      ignored: true
    })
    expect(plan.changes[1]!.source).toMatchObject({ git: "untracked", ignored: false })
  })

  it("does not take a folder outside of any repository for an untracked one", async () => {
    using bench = new Bench({ "a.txt": "a\n" })
    const facts = await Effect.runPromise(gitPathFacts(bench.at("tree"))(["a.txt"]))
    expect(facts.get("a.txt")).toEqual({ git: "no_repository", ignored: null })
  })

  it("follows git's index", async () => {
    using bench = new Bench({ "a.txt": "a\n", "b.txt": "b\n" })
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-C", bench.at("tree"), ...args], { stdio: "pipe" })
    git("init", "-q")
    git("add", "a.txt")
    const facts = gitPathFacts(bench.at("tree"))
    const ask = async () => {
      const found = await Effect.runPromise(facts(["a.txt", "b.txt"]))
      return [found.get("a.txt")?.git, found.get("b.txt")?.git]
    }
    expect(await ask()).toEqual(["tracked", "untracked"])
    expect(await ask()).toEqual(["tracked", "untracked"])
    git("rm", "-q", "--cached", "a.txt")
    git("add", "b.txt")
    expect(await ask()).toEqual(["untracked", "tracked"])
  })
})

describe("paths", () => {
  const stage = (): Bench => {
    const bench = new Bench({
      "a.txt": "one\n",
      "d/x.txt": "one\n",
      ".git/config": "one\n",
      "ro.txt": "one\n"
    })
    bench.write("outside.txt", "one\n")
    symlinkSync("a.txt", bench.at("tree/link.txt"))
    symlinkSync("d", bench.at("tree/folder-link"))
    symlinkSync(bench.at("outside.txt"), bench.at("tree/out.txt"))
    chmodSync(bench.at("tree/ro.txt"), 0o444)
    return bench
  }
  const move = (source: string, destination: string): ChangeItem => ({ op: "move", source, destination })

  it.each([
    [edit("../outside.txt", "one", "x"), "path_outside_root"],
    [edit("out.txt", "one", "x"), "path_outside_root"],
    [edit(".git/config", "one", "x"), "sensitive_path"],
    [edit("d", "one", "x"), "not_file"],
    [edit(".", "one", "x"), "not_file"],
    [edit("missing.txt", "one", "x"), "not_found"],
    [edit("*.txt", "one", "x"), "match_not_found"],
    [edit("**/*.txt", "one", "x"), "invalid_path"],
    [edit("ro.txt", "one", "x"), "read_only"],
    [{ op: "write", path: "new*.txt", content: "" } as ChangeItem, "invalid_path"],
    [{ op: "write", path: "a.txt/b", content: "" } as ChangeItem, "not_found"],
    [{ op: "write", path: "d", content: "" } as ChangeItem, "not_file"],
    [{ op: "write", path: "a.txt", content: "", ifExists: "refuse" } as ChangeItem, "file_exists"],
    [{ op: "write", path: ".git/hooks/pre-commit", content: "" } as ChangeItem, "sensitive_path"],
    [{ op: "write", path: "sub/.git", content: "" } as ChangeItem, "sensitive_path"],
    [{ op: "write", path: ".env", content: "" } as ChangeItem, "sensitive_path"],
    [{ op: "write", path: "keys/id_rsa", content: "" } as ChangeItem, "sensitive_path"],
    [
      { op: "write", path: "config.json", content: '{"token": "[redacted:named_value]"}' } as ChangeItem,
      "redacted_text"
    ],
    [move("a.txt", "d/x.txt"), "destination_exists"],
    [move("a.txt", "d"), "destination_exists"],
    [move("a.txt", "a.txt"), "path_overlap"],
    [move("d", "e"), "not_file"],
    [move("missing.txt", "e"), "not_found"],
    [move("link.txt", "e"), "symlink_component"],
    [move("folder-link/x.txt", "e"), "symlink_component"],
    [move("a.txt", "folder-link/e"), "symlink_component"],
    [move("a.txt", "../e"), "path_outside_root"],
    [{ op: "delete", path: "link.txt" } as ChangeItem, "symlink_component"],
    [{ op: "delete", path: "d" } as ChangeItem, "not_file"]
  ])("%j: %s", async (item, reason) => {
    using bench = stage()
    bench.write("tree/*.txt", "literal name\n")
    const before = bench.treeHash()
    const refused = refusedOf(await apply(await bench.writer(), [item]))
    expect(refused.reason).toBe(reason)
    expect(refused.stateChanged).toBe(false)
    expect(bench.treeHash()).toBe(before)
  })

  it.each([".env.example", ".env.template", "docs/keys.md", "src/config.ts", "key.ts"])(
    "of no secret: %s",
    async (path) => {
      using bench = new Bench()
      expect(reasonOf(await apply(await bench.writer(), [{ op: "write", path, content: "x\n" }]))).toBe(
        "succeeded"
      )
    }
  )

  it("inside the state directory are never written to", async () => {
    using bench = new Bench()
    const writer = await Effect.runPromise(
      makeWriter({
        root: rootAt(bench.at("tree")),
        state: bench.at("tree/.cache/state"),
        gate: openGate,
        facts: () => Effect.succeed(new Map()),
        kept: [bench.at("tree/kept")]
      })
    )
    const write = (path: string) => apply(writer, [{ op: "write", path, content: "" }])
    expect(reasonOf(await write(".cache/state/locks/x.lock"))).toBe("sensitive_path")
    expect(reasonOf(await write("kept/x"))).toBe("sensitive_path")
    expect(reasonOf(await write(".cache/other"))).toBe("succeeded")
  })
})

describe("items that get in each other's way", () => {
  it.each([
    [
      "two edits that overlap",
      [edit("a.txt", "one two", "x"), edit("a.txt", "two three", "y")],
      ["edit_overlap 0.0", "edit_overlap 1.0"]
    ],
    [
      "two edits of one item",
      [
        {
          op: "edit",
          path: "a.txt",
          edits: [
            { match: "one", replacement: "" },
            { match: "ne t", replacement: "" }
          ]
        }
      ],
      ["edit_overlap 0.0", "edit_overlap 0.1"]
    ],
    [
      "an edit and a write",
      [edit("a.txt", "one", "x"), { op: "write", path: "a.txt", content: "" }],
      ["path_overlap 0.", "path_overlap 1."]
    ],
    [
      "an edit and a deletion",
      [edit("a.txt", "one", "x"), { op: "delete", path: "./a.txt" }],
      ["path_overlap 0.", "path_overlap 1."]
    ],
    [
      "an edit of a move's destination",
      [
        { op: "move", source: "a.txt", destination: "c.txt" },
        { op: "write", path: "c.txt", content: "" }
      ],
      ["path_overlap 0.", "path_overlap 1."]
    ],
    [
      "two moves to one place",
      [
        { op: "move", source: "a.txt", destination: "c.txt" },
        { op: "move", source: "b.txt", destination: "c.txt" }
      ],
      ["path_overlap 0.", "path_overlap 1."]
    ],
    [
      "a chain of moves",
      [
        { op: "move", source: "a.txt", destination: "c.txt" },
        { op: "move", source: "b.txt", destination: "a.txt" }
      ],
      ["destination_exists 1.", "path_overlap 0.", "path_overlap 1."]
    ],
    [
      "one path under two names",
      [
        { op: "write", path: "a.txt", content: "" },
        { op: "write", path: "link.txt", content: "" }
      ],
      ["path_overlap 0.", "path_overlap 1."]
    ],
    [
      "two names of one file",
      [edit("a.txt", "one", "x"), edit("hard.txt", "one", "x")],
      ["path_overlap 0.", "path_overlap 1."]
    ],
    [
      "a file and something inside it",
      [
        { op: "write", path: "n", content: "" },
        { op: "write", path: "n/m", content: "" }
      ],
      ["path_overlap 0.", "path_overlap 1."]
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<ChangeItem>, ReadonlyArray<string>]>)(
    "%s are refused with both indices",
    async (_, items, expected) => {
      using bench = new Bench({ "a.txt": "one two three\n", "b.txt": "b\n" })
      symlinkSync("a.txt", bench.at("tree/link.txt"))
      linkSync(bench.at("tree/a.txt"), bench.at("tree/hard.txt"))
      const plan = await planOf(await bench.writer(), items)
      expect([...problems(plan)].sort()).toEqual(expected)
      for (const { reason, data } of plan.problems)
        if (reason !== "destination_exists") expect(data!["conflicts_with"]).toHaveProperty("change_index")
      expect(plan.files).toEqual([])
    }
  )

  it("may touch without overlapping, and never see each other's output", async () => {
    using bench = new Bench({ "a.txt": "onetwo\n" })
    const items = [edit("a.txt", "one", "two"), edit("a.txt", "two", "one")]
    expect(reasonOf(await apply(await bench.writer(), items))).toBe("succeeded")
    expect(bench.text("a.txt")).toBe("twoone\n")
  })
})

describe("limits", () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => i)
  const refusal = async (items: ReadonlyArray<ChangeItem>) => {
    using bench = new Bench({
      "a.txt": many(30)
        .map((i) => `<${i}>\n`)
        .join("")
    })
    const before = bench.treeHash()
    const result = await apply(await bench.writer(), items)
    if (reasonOf(result) !== "succeeded") expect(bench.treeHash()).toBe(before)
    return reasonOf(result)
  }
  const edits = (n: number): ReadonlyArray<ChangeItem> => [
    { op: "edit", path: "a.txt", edits: many(n).map((i) => ({ match: `<${i}>`, replacement: "x" })) }
  ]
  const writes = (n: number): ReadonlyArray<ChangeItem> =>
    many(n).map((i) => ({ op: "write", path: `n${i}`, content: "" }))
  const replacement = (n: number) => [edit("a.txt", "<1>", "é".repeat(n / 2))]
  const content = (n: number): ReadonlyArray<ChangeItem> => [
    { op: "write", path: "b", content: "x".repeat(n) }
  ]

  it("hold at their edge and refuse the request whole beyond it", async () => {
    expect(await refusal(edits(20))).toBe("succeeded")
    expect(await refusal(edits(21))).toBe("too_many_edits")
    expect(await refusal(writes(16))).toBe("succeeded")
    expect(await refusal(writes(17))).toBe("too_many_files")
    expect(await refusal(replacement(512 << 10))).toBe("succeeded")
    expect(await refusal(replacement((512 << 10) + 2))).toBe("text_too_large")
    expect(await refusal(content(256 << 10))).toBe("succeeded")
    expect(await refusal(content((256 << 10) + 1))).toBe("text_too_large")
    expect(
      await refusal([
        ...content(256 << 10),
        ...many(3).map((i): ChangeItem => ({ op: "write", path: `m${i}`, content: "x".repeat(256 << 10) }))
      ])
    ).toBe("succeeded")
    expect(
      await refusal([
        ...content(256 << 10),
        ...many(3).map((i): ChangeItem => ({ op: "write", path: `m${i}`, content: "x".repeat(256 << 10) })),
        { op: "write", path: "k", content: "x" }
      ])
    ).toBe("batch_too_large")
    expect(await refusal([])).toBe("no_changes")
    expect(await refusal([{ op: "edit", path: "a.txt", edits: [] }])).toBe("no_changes")
  })

  it("can be set for one request", async () => {
    using bench = new Bench()
    expect(reasonOf(await apply(await bench.writer(), writes(40), { limits: { files: 40 } }))).toBe(
      "succeeded"
    )
  })
})

describe("guards", () => {
  const guarded = (guard: ChangeItem["guard"]): ChangeItem => ({
    op: "edit",
    path: "a.txt",
    edits: [{ match: "one", replacement: "two" }],
    ...(guard === undefined ? {} : { guard })
  })
  it.each([
    [{ baseSha: shaOf("one\n").toUpperCase() }, "succeeded"],
    [{ baseSha: shaOf("other\n") }, "base_sha_mismatch"],
    [{ baseSha: "abc" }, "invalid_guard"],
    [{ sha256: sha256("one\n") }, "succeeded"],
    [{ sha256: sha256("other\n") }, "sha256_mismatch"],
    [{ sha256: shaOf("one\n") }, "invalid_guard"],
    [{ readRevision: 0 }, "invalid_guard"],
    [{ readRevision: 7 }, "unknown_read_revision"],
    [{ baseSha: shaOf("one\n"), sha256: sha256("other\n") }, "sha256_mismatch"]
  ])("%j: %s", async (guard, reason) => {
    using bench = new Bench({ "a.txt": "one\n" })
    expect(reasonOf(await apply(await bench.writer(), [guarded(guard)]))).toBe(reason)
  })

  it("on a file that is not there do not hold", async () => {
    using bench = new Bench()
    const item: ChangeItem = { op: "write", path: "a.txt", content: "", guard: { baseSha: shaOf("") } }
    expect(reasonOf(await apply(await bench.writer(), [item]))).toBe("base_sha_mismatch")
  })

  it("hold for moves and deletions too", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const writer = await bench.writer()
    const stale = { sha256: sha256("other\n") }
    expect(reasonOf(await apply(writer, [{ op: "delete", path: "a.txt", guard: stale }]))).toBe(
      "sha256_mismatch"
    )
    expect(
      reasonOf(await apply(writer, [{ op: "move", source: "a.txt", destination: "b", guard: stale }]))
    ).toBe("sha256_mismatch")
    expect(
      reasonOf(await apply(writer, [{ op: "delete", path: "a.txt", guard: { sha256: sha256("one\n") } }]))
    ).toBe("succeeded")
  })
})

describe("a whole-file write", () => {
  it("is taken byte for byte, and says when line endings or the byte order mark change", async () => {
    using bench = new Bench({ "a.txt": "\ufeffone\r\ntwo\r\n" })
    const writer = await bench.writer()
    const item: ChangeItem = { op: "write", path: "a.txt", content: "one\ntwo\n" }
    expect((await planOf(writer, [item])).changes[0]!.warnings).toEqual([
      "line_endings_changed",
      "bom_removed"
    ])
    await apply(writer, [item])
    expect(bench.text("a.txt")).toBe("one\ntwo\n")
    await apply(writer, [{ op: "write", path: "raw.bin", content: Uint8Array.of(0, 255, 13) }])
    expect([...bench.bytes("raw.bin")]).toEqual([0, 255, 13])
  })
})

describe("the order of items", () => {
  it("is by rank, then file, then position", async () => {
    using bench = new Bench({ "a.txt": "1 2 3\n", "b.txt": "1\n", "c.txt": "c\n" })
    const plan = await planOf(await bench.writer(), [
      { op: "delete", path: "c.txt" },
      edit("b.txt", "1", "x"),
      edit("a.txt", "3", "x"),
      edit("a.txt", "1", "x"),
      { ...edit("a.txt", "2", "x"), rank: 0 } as ChangeItem
    ])
    expect(plan.changes.map(({ order }) => order)).toEqual([4, 3, 2, 1, 0])
  })

  it("does not matter to the outcome", async () => {
    using bench = new Bench()
    const words = ["ab", "ba", "aab", "c", "abc", "cc"]
    const files = ["a.txt", "b.txt", "d/c.txt"]
    for (const file of files) bench.write(`tree/${file}`, "ab c aab\nba abc cc\n")
    const writer = await bench.writer()
    const path = fc.constantFrom(...files, "new.txt", "d/new.txt")
    const word = fc.constantFrom(...words)
    const item: fc.Arbitrary<ChangeItem> = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          op: fc.constant("edit" as const),
          path: fc.constantFrom(...files),
          edits: fc.array(
            fc.record({ match: word, replacement: word, occurrence: fc.integer({ min: 1, max: 2 }) }),
            { minLength: 1, maxLength: 2 }
          )
        })
      },
      { weight: 1, arbitrary: fc.record({ op: fc.constant("write" as const), path, content: word }) },
      {
        weight: 1,
        arbitrary: fc.record({ op: fc.constant("move" as const), source: path, destination: path })
      },
      { weight: 1, arbitrary: fc.record({ op: fc.constant("delete" as const), path }) }
    )
    const shuffled = fc.array(item, { minLength: 1, maxLength: 4 }).chain((items) =>
      fc.tuple(
        fc.constant(items),
        fc.shuffledSubarray(
          items.map((_, i) => i),
          { minLength: items.length }
        )
      )
    )
    let planned = 0
    await fc.assert(
      fc.asyncProperty(shuffled, async ([items, order]) => {
        const straight = await planOf(writer, items)
        const mixed = await planOf(
          writer,
          order.map((i) => items[i]!)
        )
        const filesOf = (plan: Plan) => plan.files.map(({ path: at, after }) => [at, after?.sha256 ?? null])
        expect(filesOf(mixed)).toEqual(filesOf(straight))
        if (straight.problems.length === 0) planned++
        const reasons = (plan: Plan, index: (i: number) => number) =>
          plan.problems
            .map(
              ({ reason, changeIndex, editIndex }) => `${index(changeIndex!)}.${editIndex ?? ""} ${reason}`
            )
            .sort()
        expect(new Set(reasons(mixed, (i) => order[i]!))).toEqual(new Set(reasons(straight, (i) => i)))
      }),
      { numRuns: 1000 }
    )
    expect(planned).toBeGreaterThan(100)
  })
})

describe("what a request is known by", () => {
  it("does not depend on how it was spelled, only on what it says", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writer = await bench.writer()
    const print = async (items: ReadonlyArray<ChangeItem>, allowParseErrors = false) =>
      (await planOf(writer, items, { allowParseErrors })).fingerprint
    const one = await print([{ op: "edit", path: "a.txt", edits: [{ match: "x", replacement: "y" }] }])
    expect(await print([{ edits: [{ replacement: "y", match: "x" }], path: "a.txt", op: "edit" }])).toBe(one)
    expect(await print([edit("a.txt", "x", "z")])).not.toBe(one)
    expect(await print([edit("a.txt", "x", "y")], true)).not.toBe(one)
  })

  it("fails as a value for a request that is wrong in itself", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const refused = refusedOf(await outcome((await bench.writer()).plan([edit("a.txt", "", "y")])))
    expect(refused).toMatchObject({
      reason: "empty_match",
      code: "invalid_argument",
      stage: "admission",
      changeIndex: 0,
      editIndex: 0
    })
  })
})
