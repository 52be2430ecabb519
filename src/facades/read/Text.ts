/** The text a session sees: its overlay's where there is one, else what is on disk. */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { type FileText, ReadFs } from "../../services/ReadFs.ts"
import { blobId } from "../shared/blob.ts"

const notThere = (path: string, cause: OperationFailure): OperationFailure => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return cause.code !== "not_found" || name.trim() === ""
    ? cause
    : failure("not_found", cause.message, {
        field: cause.field,
        reason_code: cause.reason_code,
        failure_stage: cause.failure_stage,
        data: { file: path },
        recovery: draft("fallback_recovery", "search", { operation: "files", query: name })
      })
}

/** Reads a file. Fails with not_found, not_file, path_outside_root, permission_denied, invalid_path, invalid_utf8 (binary), range_too_large or io_error. */
export const textOf = (path: string): Effect.Effect<FileText, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    const refused = { field: "target.file", failure_stage: "resolve" as const, data: { file: path } }
    return yield* Effect.mapError(fs.readText(path), (cause) => notThere(path, fromService(cause, refused)))
  })

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()

/** The bytes on disk, made again from their text. Undefined when they do not come out as what was read. */
const bytesOf = ({ bom, encoding, sha, text }: FileText): Buffer | undefined => {
  const whole = bom ? `\uFEFF${text}` : text
  const bytes =
    encoding === "utf16le"
      ? Buffer.from(whole, "utf16le")
      : encoding === "utf16be"
        ? swapped(Buffer.from(whole, "utf16le"))
        : Buffer.from(whole, encoding.startsWith("latin1") ? "latin1" : "utf8")
  return blobId(bytes) === sha ? bytes : undefined
}

/** SHA-256 of the file on disk, hex; undefined when its bytes cannot be told from its text. */
export const sha256Of = (file: FileText): string | undefined => {
  const bytes = bytesOf(file)
  return bytes === undefined ? undefined : hash("sha256", bytes)
}
