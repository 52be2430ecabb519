import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { FileEntry, Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { emptySnapshot, update } from "../../../src/engine/graph/Update.ts"
import { Inline } from "../../../src/engine/indexer/Inline.ts"
import { blobIdOf } from "../../../src/engine/indexer/Job.ts"
import { languages } from "../../../src/engine/languages/index.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"

export type Tree = ReadonlyMap<string, string>

/** Snapshots of trees in memory, by way of a scratch folder: the extraction and the update, nothing else. */
export class Line {
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
    const changed = [...tree]
      .filter(([path, content]) => this.tree.get(path) !== content)
      .map(([path]) => path)
      .sort()
    for (const path of changed) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      writeFileSync(join(this.folder, path), tree.get(path)!)
    }
    const group = await Effect.runPromise(
      this.inline.run({ root: this.folder, paths: changed, wantTrigrams: false })
    )
    let next = files.length
    const entries = changed.map(
      (path, place): FileEntry => ({
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
      })
    )
    const removed = [...this.tree.keys()].filter((path) => !tree.has(path)).map((path) => byPath.get(path)!)
    this.tree = tree
    if (entries.length + removed.length > 0) {
      this.snapshot = update(this.snapshot, { entries, removed, units: [], at: 0 }, (path) => tree.get(path))
    }
    return this.snapshot
  }
}

export const fresh = async (tree: Tree): Promise<Snapshot> => {
  using line = new Line()
  return await line.to(tree)
}
export const treeOf = (files: { readonly [path: string]: string }): Tree => new Map(Object.entries(files))
