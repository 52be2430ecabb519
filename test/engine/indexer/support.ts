import { Chunk, Effect, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { workerEntry } from "../../../src/engine/indexer/Entry.ts"
import {
  blobIdOf,
  FileBit,
  type GroupResult,
  type Job,
  reasons,
  statuses,
  trigramsOf
} from "../../../src/engine/indexer/Job.ts"
import { makePool, type PoolOptions } from "../../../src/engine/indexer/Pool.ts"
import { describeFacts } from "../../../src/engine/languages/describe.ts"
import type { Interner } from "../../../src/engine/languages/Interner.ts"
import { languages } from "./languages.ts"

const folder = mkdtempSync(join(tmpdir(), "portico-worker-"))

/** The worker of the test languages as one script, which starts much faster than its sources do. */
export const wordEntry = workerEntry(pathToFileURL(join(folder, "worker.mjs")))

/** Writes the script of {@link wordEntry}; returns what removes it. */
export const bundleWordWorker = async (): Promise<() => void> => {
  const input = fileURLToPath(new URL("./wordWorker.ts", import.meta.url))
  const bundler = await rolldown({ input, platform: "node", logLevel: "silent" })
  await bundler.write({ file: fileURLToPath(wordEntry.script), format: "esm" })
  await bundler.close()
  return () => rmSync(folder, { recursive: true, force: true })
}

/** What is known of a file, in words. */
export const describeFile = (group: GroupResult, place: number, names: Interner) => {
  const { columns } = group
  const view = group.views[place]
  const buckets = trigramsOf(group, place)
  return {
    status: statuses[columns.status[place]!]!,
    reason: reasons[columns.reason[place]!]!,
    remark: group.remarks.find(([at]) => at === place)?.[1],
    language: columns.language[place]!,
    flags: Object.entries(FileBit)
      .filter(([, bit]) => (columns.flags[place]! & bit) !== 0)
      .map(([name]) => name),
    size: columns.size[place]!,
    mtimeMs: columns.mtimeMs[place]!,
    ino: columns.ino[place]!,
    blob: blobIdOf(columns, place),
    lines: columns.lines[place]!,
    parseErrors: columns.parseErrors[place]!,
    facts: view === undefined ? undefined : describeFacts(view, (id) => names.text(id)),
    buckets: buckets === undefined ? undefined : [...buckets]
  }
}
export type FileDescription = ReturnType<typeof describeFile>

/** What is known of every file of a job, by path. */
export const describeGroups = (
  job: Job,
  groups: Iterable<GroupResult>,
  names: Interner
): Map<string, FileDescription> => {
  const out = new Map<string, FileDescription>()
  for (const group of groups) {
    group.indices.forEach((index, place) => {
      const path = job.paths[index]!
      if (out.has(path)) throw new Error(`${path} was delivered twice`)
      out.set(path, describeFile(group, place, names))
    })
  }
  return out
}

/** Reads a job in a pool of the test languages. */
export const inPool = (job: Job, names: Interner, options: Partial<PoolOptions> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* makePool({
        names,
        languages,
        entry: wordEntry,
        size: 1,
        fileTimeoutMs: 3_000,
        ...options
      })
      return describeGroups(job, Chunk.toReadonlyArray(yield* Stream.runCollect(pool.run(job))), names)
    })
  )

export const namesOf = (file: FileDescription | undefined): ReadonlyArray<string> | undefined =>
  file?.facts?.definitions.map(({ name }) => name)
