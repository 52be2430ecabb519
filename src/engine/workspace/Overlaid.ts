/** The state of a workspace with other files over it: as if they were on disk, in memory alone. */
import { Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isWithin } from "../../registry/Place.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import type { Root } from "../files/Confine.ts"
import { blobOid } from "../git/Git.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { update } from "../graph/Update.ts"
import { Inline } from "../indexer/Inline.ts"
import { languages } from "../languages/index.ts"
import { type Current, entryOf } from "./Workspace.ts"

type Files = ReadonlyMap<string, OverlayFile>

interface Made {
  /** The files it was made over. */
  readonly base: Current["snapshot"]["files"]
  readonly made: Current
}

/** Mode of a file that is not on disk. */
const regular = 0o100644

export class Overlaid {
  /** By the overlay, which never changes: another one is another value. */
  readonly #made = new WeakMap<Files, Made>()
  #inline: Inline | undefined
  #names: Current["snapshot"]["names"] | undefined

  constructor(readonly root: Root) {}

  /** Blob id of a file on disk; undefined when there is none to read. */
  #onDisk(current: Current, path: string): string | undefined {
    const id = current.snapshot.byPath.get(path)
    const listed = id === undefined ? undefined : current.snapshot.files[id]
    if (listed !== undefined && listed.oid !== "") return listed.oid
    try {
      return blobOid(readFileSync(join(this.root.real, path)))
    } catch {
      return undefined
    }
  }

  /** Overlaid files made from other bytes than those on disk. What is on disk just as it is overlaid has arrived. */
  drifted(current: Current, files: Files): ReadonlyArray<string> {
    const found: Array<string> = []
    for (const file of files.values()) {
      if (file.baseSha === undefined) continue
      const disk = this.#onDisk(current, file.path)
      if (disk === file.baseSha.toLowerCase()) continue
      const arrived = file.deleted ? disk === undefined : disk === blobOid(Buffer.from(file.content))
      if (!arrived) found.push(file.path)
    }
    return found
  }

  #readerOf(current: Current): Inline {
    if (this.#inline === undefined || this.#names !== current.snapshot.names) {
      this.#names = current.snapshot.names
      this.#inline = new Inline(this.#names, languages)
    }
    return this.#inline
  }

  /** Fails with reason overlay_drift. */
  over(current: Current, files: Files): Effect.Effect<Current, ServiceFailure> {
    return Effect.gen(this, function* () {
      if (files.size === 0) return current
      const drifted = this.drifted(current, files)
      if (drifted.length > 0) {
        return yield* new ServiceFailure({
          service: "OverlayView",
          reason: "overlay_drift",
          detail: `changed on disk since the overlay was made from it: ${drifted.slice(0, 8).join(", ")}${drifted.length > 8 ? ` and ${drifted.length - 8} more` : ""}`,
          stateChanged: false
        })
      }
      const { snapshot } = current
      const known = this.#made.get(files)
      const held = known?.base === snapshot.files ? known.made : yield* this.#make(current, files)
      if (held !== known?.made) this.#made.set(files, { base: snapshot.files, made: held })
      const { stale } = current
      return held.checkedAt === current.checkedAt && held.problem === current.problem
        ? held
        : {
            ...held,
            stale: stale.filter((path) => !files.has(path)),
            problem: current.problem,
            checkedAt: current.checkedAt,
            left: current.left
          }
    })
  }

  #make(current: Current, files: Files): Effect.Effect<Current, ServiceFailure> {
    return Effect.gen(this, function* () {
      const { snapshot } = current
      const texts = new Map<string, Buffer>()
      const removed: Array<number> = []
      for (const file of files.values()) {
        if (!file.deleted) texts.set(file.path, Buffer.from(file.content))
        else {
          const id = snapshot.byPath.get(file.path)
          if (id !== undefined) removed.push(id)
        }
      }
      const paths = [...texts.keys()].sort()
      const group = yield* this.#readerOf(current).run({
        root: this.root.real,
        paths,
        texts,
        wantTrigrams: false
      })
      const contents = new Map<string, Buffer>()
      const entries: Array<FileEntry> = []
      // An index of text that does not know a file has every search look into it.
      const unsearched: Array<readonly [number, undefined]> = removed.map((id) => [id, undefined])
      let next = snapshot.files.length
      for (let place = 0; place < paths.length; place++) {
        const path = paths[group.indices[place]!]!
        const id = snapshot.byPath.get(path) ?? next++
        const old = snapshot.files[id]
        const entry = entryOf(
          {
            path,
            size: texts.get(path)!.length,
            mtimeMs: 0,
            ctimeMs: 0,
            ino: 0,
            mode: old?.mode ?? regular,
            indexOid: null,
            unit: old?.unit ?? this.#unitOf(current, path)
          },
          id,
          group.columns,
          place,
          group.views[place]
        )
        entries.push(entry)
        if (entry.oid !== "") contents.set(entry.oid, texts.get(path)!)
        unsearched.push([id, undefined])
      }
      const made = yield* Effect.try({
        try: () =>
          update(snapshot, { entries, removed, units: snapshot.units, at: snapshot.at }, (path) =>
            files.has(path) ? texts.get(path)?.toString("utf8") : this.#config(path)
          ),
        catch: (cause) =>
          new ServiceFailure({
            service: "OverlayView",
            reason: "index_failed",
            detail: `names of the overlay could not be resolved: ${String(cause)}`,
            stateChanged: false
          })
      })
      return {
        ...current,
        snapshot: made,
        trigrams: current.trigrams.with(unsearched),
        stale: current.stale.filter((path) => !files.has(path)),
        contents
      }
    })
  }

  /** The innermost repository a path lies in. */
  #unitOf(current: Current, path: string): number {
    let best = 0
    current.snapshot.units.forEach((unit, i) => {
      if (isWithin(path, unit.root) && unit.root.length > (current.snapshot.units[best]?.root.length ?? 0))
        best = i
    })
    return best
  }

  #config(path: string): string | undefined {
    try {
      const absolute = join(this.root.real, path)
      return statSync(absolute).size > 1 << 20 ? undefined : readFileSync(absolute, "utf8")
    } catch {
      return undefined
    }
  }
}
