/** Lines of files, read once for an answer and with secrets masked. */
import { Effect } from "effect"
import { ReadFs } from "../../services/ReadFs.ts"

/** A reader of lines; undefined for a file that cannot be read as text. */
export const lineReader: Effect.Effect<
  (path: string) => Effect.Effect<ReadonlyArray<string> | undefined>,
  never,
  ReadFs
> = Effect.gen(function* () {
  const fs = yield* ReadFs
  const held = new Map<string, ReadonlyArray<string> | undefined>()
  return (path) =>
    Effect.suspend(() => {
      if (held.has(path)) return Effect.succeed(held.get(path))
      return fs.readText(path).pipe(
        Effect.map((file) => fs.redact(path, file.text).text.split(/\r?\n/)),
        Effect.orElseSucceed(() => undefined),
        Effect.tap((lines) => Effect.sync(() => held.set(path, lines)))
      )
    })
})
