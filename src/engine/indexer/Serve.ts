/** The worker's side: reads the groups it is sent, in order, and posts what it read without copying it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import { Interner } from "../languages/Interner.ts"
import type { Language } from "../languages/Language.ts"
import { expectPlenty } from "../languages/treesitter/Tiers.ts"
import { LanguageTable } from "./Detect.ts"
import { Extraction } from "./Extraction.ts"
import {
  Beat,
  type GroupRequest,
  Phase,
  type RawGroup,
  type WorkerMessage,
  type WorkerSettings
} from "./Job.ts"

/** The buffers of a group that move to the thread it is posted to. */
const transferred = ({ batch, columns, trigrams }: RawGroup): ReadonlyArray<ArrayBuffer> => [
  ...Object.values(columns as unknown as Record<string, { readonly buffer: ArrayBuffer }>).map(
    ({ buffer }) => buffer
  ),
  ...[batch.ints, batch.text, batch.at, batch.textAt, batch.strings.bytes, batch.strings.ends].map(
    ({ buffer }) => buffer
  ),
  ...(trigrams === undefined ? [] : [trigrams.buckets.buffer, trigrams.ends.buffer])
]

/** Answers group requests until the thread is ended. To be called once, in a worker started by the pool. */
export const serve = (languages: ReadonlyArray<Language>): void => {
  if (parentPort === null) throw new Error("not in a worker thread")
  const port: MessagePort = parentPort
  const settings = workerData as WorkerSettings
  const beat = new Int32Array(settings.beat)
  const extraction = new Extraction(new LanguageTable(languages), new Interner(), {
    definitionLimit: settings.definitionLimit
  })
  const post = (message: WorkerMessage, buffers: ReadonlyArray<ArrayBuffer> = []) =>
    port.postMessage(message, buffers)
  const enter = (phase: number) => {
    Atomics.store(beat, Beat.phase, phase)
    Atomics.add(beat, Beat.count, 1)
  }

  const read = async ({ factless, id, paths, plenty, root, wantTrigrams }: GroupRequest) => {
    expectPlenty(plenty)
    extraction.begin(root, paths.length, { wantTrigrams, factless })
    Atomics.store(beat, Beat.group, id)
    for (let place = 0; place < paths.length; place++) {
      Atomics.store(beat, Beat.place, place)
      enter(Phase.reading)
      for (
        let needed = extraction.file(paths[place]!);
        needed >= 0;
        needed = extraction.file(paths[place]!)
      ) {
        enter(Phase.loading)
        await extraction.load(needed)
        enter(Phase.reading)
      }
    }
    enter(Phase.idle)
    const group = extraction.take()
    post({ _tag: "Group", id, group }, transferred(group))
  }

  let last: Promise<void> = Promise.resolve()
  port.on("message", (request: GroupRequest) => {
    last = last.then(() => read(request))
  })
  post({ _tag: "Ready", languages: languages.map(({ id }) => id) })
}
