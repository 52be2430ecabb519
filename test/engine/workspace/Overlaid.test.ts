import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { Overlaid } from "../../../src/engine/workspace/Overlaid.ts"
import { TextSearch } from "../../../src/engine/workspace/TextSearch.ts"
import type { OverlayFile } from "../../../src/services/OverlayView.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { fingerprintDifference, snapshotFingerprint } from "../graph/fingerprint.ts"
import { histories, tweaked } from "../graph/trees.ts"
import { freshSnapshot, opened } from "./support.ts"

const runs = Number(process.env["PORTICO_OVERLAYS"] ?? 6)

const write = (root: string, tree: ReadonlyMap<string, string>) => {
  for (const [path, content] of tree) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
const over = (files: ReadonlyArray<OverlayFile>) => new Map(files.map((file) => [file.path, file]))

describe("a work tree with an overlay", () => {
  it("is known as if the overlay were on disk, and stays as it was without it", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.tuple(histories(undefined, 8), histories("ecmascript", 8)),
        async ([mixed, ecmascript]) => {
          using temp = new TempFolder()
          using other = new TempFolder()
          let before: ReadonlyMap<string, string> = new Map()
          for (const edit of [...mixed.start, ...ecmascript.start])
            before = tweaked(before, { _tag: "Write", edit })
          let after = before
          for (const tweak of [...mixed.steps, ...ecmascript.steps].flat().slice(0, 12))
            after = tweaked(after, tweak)
          write(temp.path, before)
          write(other.path, after)
          const files: Array<OverlayFile> = []
          for (const [path, content] of after)
            if (before.get(path) !== content) files.push({ path, content, deleted: false })
          for (const path of before.keys()) if (!after.has(path)) files.push({ path, deleted: true })
          await opened({ directory: temp.path }, (w) =>
            Effect.gen(function* () {
              const base = yield* w.current
              const untouched = snapshotFingerprint(base.snapshot)
              const overlaid = yield* new Overlaid(w.root).over(base, over(files))
              const fresh = yield* Effect.promise(() => freshSnapshot(other.path))
              expect(
                fingerprintDifference(snapshotFingerprint(overlaid.snapshot), snapshotFingerprint(fresh))
              ).toEqual([])
              expect(fingerprintDifference(snapshotFingerprint(base.snapshot), untouched)).toEqual([])
              // The workspace goes its own way afterwards.
              write(temp.path, new Map([["later.ts", "export const later = () => 1\n"]]))
              const later = yield* w.current
              const { snapshot } = yield* new Overlaid(w.root).over(later, over(files))
              write(other.path, new Map([["later.ts", "export const later = () => 1\n"]]))
              expect(
                fingerprintDifference(
                  snapshotFingerprint(snapshot),
                  snapshotFingerprint(yield* Effect.promise(() => freshSnapshot(other.path)))
                )
              ).toEqual([])
              rmSync(temp.at("later.ts"))
            })
          )
        }
      ),
      { numRuns: runs }
    )
  )

  it("is searched with the overlay's texts", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        using temp = new TempFolder()
        write(
          temp.path,
          new Map([
            ["a.ts", "const needle = 1\n"],
            ["b.ts", "const needle = 2\n"],
            ["c.ts", "needle\n"]
          ])
        )
        yield* Effect.promise(() =>
          opened({ directory: temp.path }, (w) =>
            Effect.gen(function* () {
              const base = yield* w.current
              const search = new TextSearch(w.root.real)
              const found = (current: typeof base) =>
                Effect.map(
                  search.search(current, { pattern: "needle", regexp: false, limit: 10, mode: "matches" }),
                  ({ matches }) => matches.map(({ line, path }) => `${path}:${line}`)
                )
              const overlaid = yield* new Overlaid(w.root).over(
                base,
                over([
                  { path: "a.ts", content: "\n\nconst needle = 3\n", deleted: false },
                  { path: "b.ts", deleted: true },
                  { path: "d/new.ts", content: "needle\n", deleted: false }
                ])
              )
              expect(yield* found(overlaid)).toEqual(["a.ts:3", "c.ts:1", "d/new.ts:1"])
              expect(yield* found(base)).toEqual(["a.ts:1", "b.ts:1", "c.ts:1"])
            })
          )
        )
      })
    ))

  it("is refused once a file it was made from has changed, unless it changed to the overlay's text", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        using temp = new TempFolder()
        write(temp.path, new Map([["a.ts", "one\n"]]))
        yield* Effect.promise(() =>
          opened({ directory: temp.path }, (w) =>
            Effect.gen(function* () {
              const files = over([
                { path: "a.ts", content: "two\n", deleted: false, baseSha: blobOid(Buffer.from("one\n")) }
              ])
              const overlaid = new Overlaid(w.root)
              yield* overlaid.over(yield* w.current, files)
              write(temp.path, new Map([["a.ts", "somebody else\n"]]))
              const refused = yield* Effect.flip(overlaid.over(yield* w.current, files))
              expect([refused.reason, refused.detail]).toEqual([
                "overlay_drift",
                "changed on disk since the overlay was made from it: a.ts"
              ])
              write(temp.path, new Map([["a.ts", "two\n"]]))
              yield* overlaid.over(yield* w.current, files)
            })
          )
        )
      })
    ))
})
