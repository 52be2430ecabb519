/** One served folder for all tests of a file. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import type { OperationFailure } from "../../src/registry/Failure.ts"
import { type Folder, served, type Value } from "./read/support.ts"

export interface Once {
  readonly folder: () => Folder
  readonly call: (tool: string, args: Value, session?: string) => Promise<Value>
  readonly refused: (tool: string, args: Value, session?: string) => Promise<OperationFailure>
}

/** The folder is made before the first test and gone after the last. */
export const servedOnce = (...args: Parameters<typeof served>): Once => {
  const scope = Effect.runSync(Scope.make())
  let at: Folder | undefined
  beforeAll(async () => {
    at = await Effect.runPromise(Scope.extend(served(...args), scope))
  }, 60_000)
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const folder = () => {
    if (at === undefined) throw new Error("not served yet")
    return at
  }
  return {
    folder,
    call: (tool, of, session) => Effect.runPromise(folder().call(tool, of, session)),
    refused: (tool, of, session) => Effect.runPromise(folder().refused(tool, of, session))
  }
}
