/** A graph of texts that are no files of the work tree: their definitions and imports, bound to nothing. */
import { isAscii } from "node:buffer"
import type { GraphView } from "../../services/CodeGraph.ts"
import { isTestPath, LanguageTable } from "../indexer/Detect.ts"
import { FileBit } from "../indexer/Job.ts"
import { FactsView } from "../languages/Facts.ts"
import { FactsBuilder } from "../languages/FactsBuilder.ts"
import { languages } from "../languages/index.ts"
import { Interner } from "../languages/Interner.ts"
import type { Extract } from "../languages/Language.ts"
import { Source } from "../languages/Source.ts"
import { type FileEntry, Incoming } from "./Snapshot.ts"
import { makeView } from "./View.ts"

const table = new LanguageTable(languages)
/** Names after which a desk is cleared: they are only ever added. */
const mostNames = 200_000

/** What texts are read with: readers of languages keep to the names they began with, so all texts share them. */
class Desk {
  readonly names = new Interner()
  readonly builder = new FactsBuilder(this.names)
  /** Readers that were asked for, by the number of their language; null for one that could not be prepared. */
  private readonly readers = new Map<number, Promise<Extract | null>>()

  reader(language: number): Promise<Extract | null> {
    let reader = this.readers.get(language)
    if (reader === undefined) {
      reader = languages[language]!.load().then(
        (extract) => extract,
        () => null
      )
      this.readers.set(language, reader)
    }
    return reader
  }
}
let desk = new Desk()

/** A text, and the path that says what it is written in. */
export interface SketchedText {
  readonly path: string
  readonly text: string
}

/** Reads the texts. One of no known language, or that its reader fails on, has no definitions and says why in `skipped`. */
export const sketch = async (texts: ReadonlyArray<SketchedText>): Promise<GraphView> => {
  if (desk.names.size > mostNames) desk = new Desk()
  const here = desk
  const { builder, names } = here
  const files: Array<FileEntry> = []
  const byPath = new Map<string, number>()
  for (const { path, text } of texts) {
    const bytes = Buffer.from(text)
    const language = table.of(path, bytes)
    const extract = language < 0 ? undefined : await here.reader(language)
    let view: FactsView | undefined
    let skip = language < 0 ? "" : extract === null ? "language_unavailable" : "extractor_failed"
    if (extract !== undefined && extract !== null) {
      const { hoisting, reads } = languages[language]!
      let begun = false
      try {
        builder.begin(
          reads === "bytes"
            ? Source.bytes(path, bytes)
            : Source.text(path, bytes, isAscii(bytes) ? bytes.toString("latin1") : text),
          { hoisting }
        )
        begun = true
        extract(builder)
        builder.end()
        const batch = builder.take()
        view = new FactsView(batch.ints, batch.at[0]!, batch.text, batch.textAt[0]!)
        skip = ""
      } catch {
        if (begun) builder.abandon()
        builder.take()
      }
    }
    const id = files.length
    byPath.set(path, id)
    files.push({
      id,
      path,
      language,
      size: bytes.length,
      mtimeMs: 0,
      ino: 0,
      mode: 0,
      oid: "",
      unit: 0,
      flags: isTestPath(path) ? FileBit.test : 0,
      skip,
      view
    })
  }
  return makeView(
    {
      generation: 0,
      files,
      byPath,
      resolved: [],
      names,
      units: [],
      incoming: new Incoming(files, []),
      configs: new Map(),
      at: 0
    },
    { state: "fresh", stale_files: [], head: undefined, checked_at: new Date(0).toISOString() }
  )
}
