/** Made texts put into files: all of them or none, and never over somebody's code. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../../registry/Failure.ts"
import type { FollowUpData } from "../../../registry/Failure.ts"
import { draft } from "../../../registry/FollowUp.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import { LocalWriter } from "../../../services/LocalWriter.ts"
import type { OverlayView } from "../../../services/OverlayView.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { receiptOf } from "../Answers.ts"
import { refuseOverlaid } from "../Overlaid.ts"
import { refusing } from "../Refused.ts"

export interface Made {
  readonly path: string
  readonly content: string | Uint8Array
}

/** One written file in an answer. */
export interface Written {
  readonly path: string
  readonly bytes: number
  readonly changed?: false
}

/** Languages of made texts; files in any other one are somebody's code. */
const made: ReadonlySet<string> = new Set(["markdown", "html", "json", "xml", "text"])

/** A path inside the root, relative to it. */
export const inside = (path: string, field: string): Effect.Effect<string, OperationFailure, ReadFs> =>
  Effect.flatMap(ReadFs, (fs) =>
    Effect.mapError(fs.relative(path), (cause) => fromService(cause, { field, failure_stage: "resolve" }))
  )

/** Refuses to put made text where a file with code is. */
export const refuseCode = (
  view: GraphView,
  path: string,
  field: string
): Effect.Effect<void, OperationFailure> => {
  const file = view.file(path)
  return file === undefined || file.symbols === 0 || made.has(file.language ?? "")
    ? Effect.void
    : Effect.fail(
        failure("edit_conflict", `${path} holds code; generated text would replace it`, {
          field,
          reason_code: "holds_code",
          failure_stage: "preflight",
          data: { path, language: file.language },
          recovery: draft("fallback_recovery", "read", { operation: "summary", target: { file: path } })
        })
      )
}

/** Writes the files in one transaction; files that are there are replaced, or refused when `replace` is false. */
export const put = (
  files: ReadonlyArray<Made>,
  options: {
    readonly field: string
    readonly replace: boolean
    /** The call that replaces what is there. */
    readonly again?: FollowUpData
  }
): Effect.Effect<
  { readonly files: ReadonlyArray<Written>; readonly receipt: string },
  OperationFailure,
  LocalWriter | OverlayView | ReadFs
> =>
  Effect.gen(function* () {
    yield* refuseOverlaid(
      files.map(({ path }) => path),
      options.field
    )
    const writer = yield* LocalWriter
    const items = files.map(({ content, path }) => ({
      op: "write" as const,
      path,
      content,
      ifExists: options.replace ? ("replace" as const) : ("refuse" as const)
    }))
    const how = { unlimited: true, allowParseErrors: true }
    if (!options.replace) {
      const { problems } = yield* writer.plan(items, how)
      const there = problems.filter(({ reason }) => reason === "file_exists")
      if (there.length > 0)
        return yield* failure("edit_conflict", `${there.length} of the ${files.length} files exist already`, {
          field: options.field,
          reason_code: "file_exists",
          failure_stage: "preflight",
          data: { files: there.slice(0, 50).map(({ path }) => path), file_count: there.length },
          recovery: options.again
        })
    }
    const committed = yield* writer.commit(items, how)
    return {
      files: committed.changes.map(({ changed, index, path }) => {
        const { content } = files[index]!
        return {
          path,
          bytes: typeof content === "string" ? Buffer.byteLength(content) : content.length,
          ...(changed ? {} : { changed: false as const })
        }
      }),
      ...receiptOf(committed)
    }
  }).pipe(refusing({ path: options.field, content: options.field }))
