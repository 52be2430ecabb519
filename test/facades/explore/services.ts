/** A folder with files and the services over it, as a server has them. */
import { Context, Effect, Layer, type Scope } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { servicesOf } from "../../../src/engine/workspace/layer.ts"
import { open } from "../../../src/engine/workspace/Workspace.ts"
import { CodeGraph } from "../../../src/services/CodeGraph.ts"
import { TextIndex } from "../../../src/services/TextIndex.ts"

type Read = ReturnType<typeof servicesOf> extends Context.Context<infer R> ? R : never

export interface Folder {
  readonly root: string
  readonly graph: CodeGraph["Type"]
  readonly text: TextIndex["Type"]
  readonly layer: Layer.Layer<Read>
}

/** Writes the files into a new folder and opens it; both are gone with the scope. */
export const folder = (files: {
  readonly [path: string]: string
}): Effect.Effect<Folder, never, Scope.Scope> =>
  Effect.gen(function* () {
    const root = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "portico-folder-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const services = servicesOf(
      yield* Effect.orDie(open({ directory: root, exact: true, watch: true, store: false, threads: 1 }))
    )
    return {
      root,
      graph: Context.get(services, CodeGraph),
      text: Context.get(services, TextIndex),
      layer: Layer.succeedContext(services)
    }
  })
