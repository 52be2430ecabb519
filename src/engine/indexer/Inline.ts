/**
 * Reads a few files on the calling thread, straight into the workspace's names: for a file that was just edited. There
 * is no time limit and no protection from a file that hangs; files known for that belong in the pool.
 */
import { Effect } from "effect"
import type { Interner } from "../languages/Interner.ts"
import type { Language } from "../languages/Language.ts"
import { LanguageTable } from "./Detect.ts"
import { Extraction, type ExtractionOptions } from "./Extraction.ts"
import { type GroupResult, type Job, statusNumber } from "./Job.ts"
import { viewsOf } from "./Names.ts"

/** A language that has to be prepared before a job can be read; by its number. */
export interface LanguageNeeded {
  readonly _tag: "LanguageNeeded"
  readonly language: number
}

/** A job of which some files are not read from disk but given. */
export interface InlineJob extends Job {
  readonly texts?: ReadonlyMap<string, Buffer> | undefined
}

export class Inline {
  private readonly extraction: Extraction
  private readonly table: LanguageTable

  constructor(names: Interner, languages: ReadonlyArray<Language>, options: ExtractionOptions = {}) {
    this.table = new LanguageTable(languages)
    this.extraction = new Extraction(this.table, names, options)
  }

  /** Reads all files of a job at once, or says which language to {@link prepare} first. Synchronous, in one go. */
  runNow(job: InlineJob): GroupResult | LanguageNeeded {
    const { extraction } = this
    const { paths, root, texts, wantTrigrams } = job
    extraction.begin(root, paths.length, { wantTrigrams })
    for (const path of paths) {
      const language = extraction.file(path, texts?.get(path))
      if (language >= 0) return { _tag: "LanguageNeeded", language }
    }
    const group = extraction.take()
    let failed = 0
    for (const status of group.columns.status) if (status === statusNumber.failed) failed++
    return {
      ...group,
      indices: Int32Array.from(paths, (_, place) => place),
      views: viewsOf(group.batch),
      progress: { files: paths.length, totalFiles: paths.length, failed }
    }
  }

  /** Prepares a language by its number. */
  prepare(language: number): Effect.Effect<void> {
    return Effect.promise(() => this.extraction.load(language))
  }

  /** Reads all files of a job as one group, preparing languages as they turn up. Never fails: files do, in their rows. */
  run(job: InlineJob): Effect.Effect<GroupResult> {
    return Effect.gen(this, function* () {
      // Known by their names, so that the job is not begun in vain.
      const known = new Set(job.paths.map((path) => this.table.byPath(path)))
      for (const language of known)
        if (language >= 0 && !this.extraction.isLoaded(language)) yield* this.prepare(language)
      for (;;) {
        const answer = this.runNow(job)
        if (!("_tag" in answer)) return answer
        yield* this.prepare(answer.language)
      }
    })
  }
}
