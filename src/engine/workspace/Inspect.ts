/** How the stored index of a work tree stands, found out by looking alone: nothing is brought up to date, nothing is swept. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { census } from "../files/Census.ts"
import { openRootSync } from "../files/Confine.ts"
import { FileReader } from "../files/Reader.ts"
import { maxFileBytes } from "../files/Skip.ts"
import { type Entry, walk } from "../files/Walk.ts"
import { blobOid } from "../git/Git.ts"
import { isOfAnother, loadSnapshot } from "../graph/Persist.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { readDerived } from "./Derived.ts"
import { keptBelow } from "./Home.ts"
import { placeOf } from "./Store.ts"
import { buildId, parked } from "./Workspace.ts"

export type IndexStanding =
  /** `other_build`: of another version of this program, which is made anew as one that is missing. */
  | { readonly state: "missing" | "other_build" | "damaged" }
  | { readonly state: "fresh" | "stale"; readonly files: number; readonly differing: number }
  | { readonly state: "unknown"; readonly why: string }

/** Looks at the index of a root. */
export const inspectIndex = (directory: string): Effect.Effect<IndexStanding> =>
  Effect.gen(function* () {
    const root = openRootSync(directory)
    if ("_tag" in root) return { state: "unknown", why: `the folder cannot be opened: ${root.reason}` }
    const place = placeOf(root.real, undefined)
    const build = buildId()
    const derived = existsSync(place.file) ? undefined : readDerived(place, build, root.real)
    const file = derived?.file ?? place.file
    if (!existsSync(file)) return { state: "missing" }
    const stored = loadSnapshot(file, build, parked)
    if (stored === undefined) return { state: isOfAnother(file, build) ? "other_build" : "damaged" }
    const snapshot = derived === undefined ? stored.snapshot : derived.apply(stored.snapshot)
    const walked = yield* Effect.either(walk(root.real, { kept: keptBelow(root.real) }))
    if (walked._tag === "Left")
      return { state: "unknown", why: `the folder cannot be listed: ${walked.left.reason}` }
    const { complete, entries } = walked.right
    const before = new Map<string, FileEntry>()
    for (const entry of snapshot.files) if (entry !== undefined) before.set(entry.path, entry)
    const { added, changed, removed } = census(before.values(), entries)
    const reader = new FileReader(maxFileBytes + 1)
    const isOther = ({ path, size }: Entry): boolean => {
      const old = before.get(path)!
      if (old.oid === "" || old.size !== size) return true
      const outcome = reader.read(join(root.real, path))
      return outcome._tag !== "Bytes" || blobOid(outcome.bytes) !== old.oid
    }
    // A write right before the look leaves no trace in the stat.
    const known = new Set(changed.map(({ path }) => path))
    const suspects = entries.filter(({ path }) => {
      const old = before.get(path)
      return old !== undefined && old.oid !== "" && !known.has(path) && old.mtimeMs >= snapshot.at - 100
    })
    // A folder that could not be read says nothing about what was in it.
    const gone = complete ? removed.length : 0
    const differing = added.length + gone + [...changed, ...suspects].filter(isOther).length
    if (differing === 0 && !complete) return { state: "unknown", why: "some folders could not be read" }
    return { state: differing === 0 ? "fresh" : "stale", files: before.size, differing }
  })
