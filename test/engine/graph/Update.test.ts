import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { FileEntry, Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { emptySnapshot, lookedUp, update } from "../../../src/engine/graph/Update.ts"
import { Inline } from "../../../src/engine/indexer/Inline.ts"
import { blobIdOf } from "../../../src/engine/indexer/Job.ts"
import { languages } from "../../../src/engine/languages/index.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { fingerprintDifference, snapshotFingerprint } from "./fingerprint.ts"
import { histories, languagesOfTrees, tweaked } from "./trees.ts"

type Tree = ReadonlyMap<string, string>

/** Snapshots of trees in memory, by way of a scratch folder: the extraction and the update, nothing else. */
class Line {
  private readonly folder = mkdtempSync(join(tmpdir(), "portico-line-"))
  private readonly names = new Interner()
  private readonly inline = new Inline(this.names, languages)
  snapshot: Snapshot = emptySnapshot(this.names)
  private tree: Tree = new Map();

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async to(tree: Tree): Promise<Snapshot> {
    const { byPath, files } = this.snapshot
    const changed = [...tree].filter(([path, content]) => this.tree.get(path) !== content).map(([path]) => path).sort()
    for (const path of changed) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      writeFileSync(join(this.folder, path), tree.get(path)!)
    }
    const group = await Effect.runPromise(this.inline.run({ root: this.folder, paths: changed, wantTrigrams: false }))
    let next = files.length
    const entries = changed.map((path, place): FileEntry => ({
      id: byPath.get(path) ?? next++,
      path,
      language: group.columns.language[place]!,
      size: group.columns.size[place]!,
      mtimeMs: 0,
      ino: 0,
      mode: 0o644,
      oid: blobIdOf(group.columns, place) ?? "",
      unit: 0,
      flags: group.columns.flags[place]!,
      skip: "",
      view: group.views[place]
    }))
    const removed = [...this.tree.keys()].filter((path) => !tree.has(path)).map((path) => byPath.get(path)!)
    this.tree = tree
    if (entries.length + removed.length > 0) {
      this.snapshot = update(this.snapshot, { entries, removed, units: [], at: 0 }, (path) => tree.get(path))
    }
    return this.snapshot
  }
}

const fresh = async (tree: Tree): Promise<Snapshot> => {
  using line = new Line()
  return await line.to(tree)
}
const differenceOf = async (snapshot: Snapshot, tree: Tree) => fingerprintDifference(snapshotFingerprint(snapshot), snapshotFingerprint(await fresh(tree)))
const treeOf = (files: { readonly [path: string]: string }): Tree => new Map(Object.entries(files))

// Enough files beside those of a test that a change of one is a small change.
const ballast: { readonly [path: string]: string } = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`ballast/n${i}.ts`, `export const only${i} = ${i}\n`]))

/** Goes from one tree to another and says what was looked up on the way. */
const step = async (before: { readonly [path: string]: string }, after: { readonly [path: string]: string }) => {
  using line = new Line()
  await line.to(treeOf({ ...ballast, ...before }))
  const tree = treeOf({ ...ballast, ...after })
  const snapshot = await line.to(tree)
  return { difference: await differenceOf(snapshot, tree), looked: lookedUp(snapshot)! }
}

const runs = Number(process.env["PORTICO_HISTORIES"] ?? 12)

describe("an update equals an index from nothing", () => {
  for (const language of [...languagesOfTrees, undefined]) {
    it(`over any history of ${language ?? "several languages"}`, { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(histories(language, 8), async ({ start, steps }) => {
          using line = new Line()
          let tree: Tree = treeOf(ballast)
          for (const edit of start) tree = tweaked(tree, { _tag: "Write", edit })
          await line.to(tree)
          for (const [number, tweaks] of steps.entries()) {
            const before = tree
            for (const tweak of tweaks) tree = tweaked(tree, tweak)
            const snapshot = await line.to(tree)
            const difference = await differenceOf(snapshot, tree)
            if (difference.length > 0) {
              const changed = [...new Set([...before.keys(), ...tree.keys()])].filter((p) => before.get(p) !== tree.get(p))
              throw new Error([
                `step ${number}: ${difference.join("\n")}`,
                ...changed.map((p) => `${p} before:\n${before.get(p)}\nafter:\n${tree.get(p)}`),
                ...[...tree].filter(([p]) => !p.startsWith("ballast/")).map(([p, c]) => `== ${p}\n${c}`)
              ].join("\n"))
            }
          }
        }),
        { numRuns: runs, ...(process.env["PORTICO_SEED"] === undefined ? {} : { seed: Number(process.env["PORTICO_SEED"]) }) }
      )
    })
  }
})
void step
void expect
void beforeAll
void afterAll
