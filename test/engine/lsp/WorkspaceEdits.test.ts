import { Effect } from "effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Lines } from "../../../src/engine/lsp/Positions.ts"
import type { WorkspaceEdit } from "../../../src/engine/lsp/Protocol.ts"
import { type EditContext, normalise, tidy } from "../../../src/engine/lsp/WorkspaceEdits.ts"
import type { LanguageEdit } from "../../../src/services/LanguageReader.ts"

const context: EditContext = {
  root: "/work",
  place: (_, { line, character }) => ({ line: line + 1, column: character }),
  exists: (path) => !path.startsWith("absent"),
  version: (path) => (path === "open.ts" ? 4 : undefined)
}

const range = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end }
})

const span = (path: string, line: number, start: number, end: number, text: string): LanguageEdit => ({
  path,
  startLine: line,
  startColumn: start,
  endLine: line,
  endColumn: end,
  text
})

const run = (edit: WorkspaceEdit) => Effect.runSync(normalise(edit, context))
const refuse = (edit: WorkspaceEdit) => Effect.runSync(Effect.flip(normalise(edit, context)))

describe("a server's edit", () => {
  it("is the same in both of its forms, sorted by path and place", () => {
    const edits = [
      { range: range(4, 2, 5), newText: "late" },
      { range: range(0, 0, 3), newText: "early" }
    ]
    const expected = {
      edits: [span("a/b.ts", 1, 0, 3, "early"), span("a/b.ts", 5, 2, 5, "late"), span("z.ts", 1, 0, 1, "x")],
      files: [],
      duplicates: 0
    }
    const z = [{ range: range(0, 0, 1), newText: "x" }]
    expect(run({ changes: { "file:///work/z.ts": z, "file:///work/a/b.ts": edits } })).toEqual(expected)
    expect(
      run({
        documentChanges: [
          { textDocument: { uri: "file:///work/z.ts", version: null }, edits: z },
          { textDocument: { uri: "file:///work/a/b.ts" }, edits }
        ]
      })
    ).toEqual(expected)
  })

  it("takes two spellings of one URI for one file", () => {
    const edits = [{ range: range(0, 0, 1), newText: "x" }]
    expect(run({ changes: { "file:///work/a%20b.ts": edits, "file:///work/a b.ts": edits } })).toEqual({
      edits: [span("a b.ts", 1, 0, 1, "x")],
      files: [],
      duplicates: 1
    })
  })

  it("loses exact repetitions, which would be applied twice", () => {
    const edit = { range: range(2, 6, 10), newText: "Cash" }
    const change = run({
      changes: { "file:///work/a.ts": [edit, { range: range(1, 0, 1), newText: "" }, edit, edit] }
    })
    expect(change).toEqual({
      edits: [span("a.ts", 2, 0, 1, ""), span("a.ts", 3, 6, 10, "Cash")],
      files: [],
      duplicates: 2
    })
  })

  it.each([
    ["replace the same text differently", range(0, 2, 6), range(0, 2, 6)],
    ["overlap by one column", range(0, 2, 6), range(0, 5, 8)],
    ["contain one another", range(0, 2, 6), range(0, 3, 4)],
    ["contain an insertion", range(0, 2, 6), range(0, 3, 3)]
  ])("is refused when two of its edits %s", (_, a, b) => {
    expect(
      refuse({
        changes: {
          "file:///work/a.ts": [
            { range: a, newText: "x" },
            { range: b, newText: "y" }
          ]
        }
      })
    ).toMatchObject({ _tag: "EditRefused", reason: "overlap", path: "a.ts" })
  })

  it("may touch and may insert where another edit begins or ends", () => {
    const { edits } = run({
      changes: {
        "file:///work/a.ts": [
          { range: range(0, 4, 6), newText: "b" },
          { range: range(0, 2, 4), newText: "a" },
          { range: range(0, 6, 6), newText: "c" },
          { range: range(0, 6, 6), newText: "d" }
        ]
      }
    })
    expect(edits.map(({ text }) => text)).toEqual(["a", "b", "c", "d"])
  })

  it("is refused when it reaches outside the root", () => {
    const edits = [{ range: range(0, 0, 1), newText: "x" }]
    for (const uri of [
      "file:///etc/passwd",
      "file:///work/../a.ts",
      "file:///workshop/a.ts",
      "bundled:///libs/lib.d.ts"
    ])
      expect(refuse({ changes: { [uri]: edits } })).toMatchObject({ reason: "outside" })
    expect(refuse({ documentChanges: [{ kind: "delete", uri: "file:///a" }] })).toMatchObject({
      reason: "outside"
    })
  })

  it("is refused when it was made for another version of a document", () => {
    const of = (version: number) => ({
      documentChanges: [{ textDocument: { uri: "file:///work/open.ts", version }, edits: [] }]
    })
    expect(refuse(of(3))).toMatchObject({ reason: "stale", path: "open.ts" })
    expect(run(of(4)).edits).toEqual([])
  })

  it("names files as they were called before it moves them", () => {
    expect(
      run({
        documentChanges: [
          { kind: "rename", oldUri: "file:///work/a.ts", newUri: "file:///work/b.ts" },
          { textDocument: { uri: "file:///work/b.ts" }, edits: [{ range: range(0, 0, 1), newText: "x" }] },
          { kind: "create", uri: "file:///work/c.ts", options: { overwrite: true } },
          { textDocument: { uri: "file:///work/c.ts" }, edits: [{ range: range(0, 0, 0), newText: "new" }] },
          { kind: "delete", uri: "file:///work/old", options: { recursive: true } }
        ]
      })
    ).toEqual({
      edits: [span("a.ts", 1, 0, 1, "x"), span("c.ts", 1, 0, 0, "new")],
      files: [
        { kind: "rename", from: "a.ts", to: "b.ts", overwrite: false },
        { kind: "create", path: "c.ts", overwrite: true },
        { kind: "delete", path: "old", recursive: true }
      ],
      duplicates: 0
    })
  })
})

describe("an edit of a file that is not there", () => {
  it("says that the file is to be made", () => {
    expect(run({ changes: { "file:///work/absent.ts": [{ range: range(0, 0, 0), newText: "x" }] } })).toEqual(
      {
        edits: [span("absent.ts", 1, 0, 0, "x")],
        files: [{ kind: "create", path: "absent.ts", overwrite: false }],
        duplicates: 0
      }
    )
  })
})

describe("edits of one file", () => {
  const apply = (text: string, edits: ReadonlyArray<LanguageEdit>): string => {
    const lines = new Lines(text)
    return [...edits]
      .reverse()
      .reduce(
        (now, e) =>
          now.slice(0, lines.offset(e.startLine - 1, e.startColumn)) +
          e.text +
          now.slice(lines.offset(e.endLine - 1, e.endColumn)),
        text
      )
  }

  it("come out in one order, whatever order they came in, and change the text alike", () => {
    const text = "abcdefghij\n".repeat(4)
    FastCheck.assert(
      FastCheck.property(
        FastCheck.uniqueArray(FastCheck.nat({ max: 3 * 11 }), { minLength: 2, maxLength: 12 }),
        FastCheck.infiniteStream(FastCheck.nat({ max: 1000 })),
        (cuts, weights) => {
          // Every second stretch between two cuts is replaced.
          const sorted = [...cuts].sort((a, b) => a - b)
          const place = (at: number) => [Math.floor(at / 11) + 1, at % 11] as const
          const edits = sorted.flatMap((from, i): ReadonlyArray<LanguageEdit> => {
            const to = sorted[i + 1]
            if (i % 2 === 1 || to === undefined) return []
            const [startLine, startColumn] = place(from)
            const [endLine, endColumn] = place(to)
            return [{ path: "a", startLine, startColumn, endLine, endColumn, text: `<${i}>` }]
          })
          const shuffled = [...edits, ...edits.slice(0, 2)]
            .map((edit) => ({ edit, weight: weights.next().value ?? 0 }))
            .sort((a, b) => a.weight - b.weight)
            .map(({ edit }) => edit)
          const tidied = Effect.runSync(tidy(shuffled))
          expect(tidied.edits).toEqual(edits)
          expect(tidied.duplicates).toBe(Math.min(2, edits.length))
          expect(apply(text, tidied.edits)).toBe(apply(text, edits))
        }
      ),
      { numRuns: 300 }
    )
  })
})
