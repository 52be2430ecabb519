import { Effect } from "effect"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { TextIndex } from "../../services/TextIndex.ts"
import type { FileEntry } from "../graph/Snapshot.ts"

type Query = Parameters<TextIndex["Type"]["structural"]>[0]

/** Structural search over the given files of one language. */
export const structural = (query: Query, _files: ReadonlyArray<FileEntry>, _read: (file: FileEntry) => Uint8Array | undefined): ReturnType<TextIndex["Type"]["structural"]> =>
  Effect.fail(new ServiceFailure({ service: "TextIndex", reason: "no_grammar", detail: `no grammar for ${query.language}`, stateChanged: false }))
