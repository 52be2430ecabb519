/**
 * What a call touches, as it is now: the files its arguments name, by content, and everything indexed where it names more
 * than files. Two subjects are equal when nothing of that moved.
 */
import { Effect } from "effect"
import type { Prepared } from "../registry/Dispatcher.ts"
import { hash, isRecord } from "../registry/Json.ts"
import type { ApprovalSubject } from "../services/ApprovalStore.ts"
import type { CodeGraph } from "../services/CodeGraph.ts"
import type { ReadFs } from "../services/ReadFs.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"

/** Names of arguments that hold paths, and of those that hold more than a path tells. */
const pathName = /(^|_)(file|files|path|paths|destination)$/
const wideName = /(^|_)(symbol|symbols|query|id|ids|repo)$/

const gather = (
  value: unknown,
  name: string,
  found: { readonly paths: Set<string>; wide: boolean }
): void => {
  if (typeof value === "string") {
    if (pathName.test(name)) found.paths.add(value)
    else if (wideName.test(name)) found.wide = true
  } else if (Array.isArray(value)) for (const inner of value) gather(inner, name, found)
  else if (isRecord(value)) for (const [key, inner] of Object.entries(value)) gather(inner, key, found)
}

/** Failures that say a path holds no text file, which is a state like any other. */
const absent: ReadonlySet<string> = new Set(["not_found", "not_file", "binary", "too_large", "invalid_path"])

export const subjectOf =
  (files: ReadFs["Type"], graph: CodeGraph["Type"]) =>
  ({ decoded, operation }: Prepared): Effect.Effect<ApprovalSubject, ServiceFailure> =>
    Effect.gen(function* () {
      const found = { paths: new Set<string>(), wide: false }
      gather(decoded.value, "", found)
      const states = yield* Effect.forEach([...found.paths].sort(), (path) =>
        files.readDisk(path).pipe(
          Effect.map(({ sha }) => [path, sha] as const),
          Effect.catchIf(
            ({ reason }) => absent.has(reason),
            () => Effect.succeed([path, null] as const)
          )
        )
      )
      const wide = found.wide || states.length === 0
      const snapshot =
        wide && operation.effect === "local_write"
          ? hash((yield* graph.view).files().map(({ path, sha, size }) => [path, sha, size]))
          : null
      return { files: Object.fromEntries(states), snapshot }
    })
