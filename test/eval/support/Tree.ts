/** A source tree to be judged: a copy of its own, indexed from scratch. */
import { type Context, Effect, type Scope } from "effect"
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { servicesOf, type WorkspaceServices } from "../../../src/engine/workspace/layer.ts"
import { open, type WorkspaceFailure } from "../../../src/engine/workspace/Workspace.ts"
import { CodeGraph, type GraphView } from "../../../src/services/CodeGraph.ts"
import { TextIndex } from "../../../src/services/TextIndex.ts"

export interface Tree {
  readonly name: string
  /** Absolute path of the copy. */
  readonly root: string
  readonly view: GraphView
  readonly text: Context.Tag.Service<TextIndex>
  /** What operations over the copy are run with. */
  readonly services: Context.Context<WorkspaceServices>
  /** Lines of a file, without their ends. */
  readonly lines: (path: string) => ReadonlyArray<string>
}

const left = new Set([".git", "node_modules", "target", "dist"])
const plainTsconfig = {
  compilerOptions: {
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "Bundler",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: false,
    jsx: "react-jsx",
    allowImportingTsExtensions: true,
    customConditions: ["@zod/source"]
  }
}

/** Copies a folder without its history and dependencies; the dependencies are linked. Gone at the end of the scope. */
const copied = (directory: string, git: boolean): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const from = realpathSync(resolve(directory))
      const root = join(realpathSync(mkdtempSync(join(tmpdir(), "portico-eval-"))), basename(from))
      cpSync(from, root, {
        recursive: true,
        filter: (source) =>
          source === from || !left.has(basename(source)) || (git && basename(source) === ".git")
      })
      if (existsSync(join(from, "node_modules")))
        symlinkSync(join(from, "node_modules"), join(root, "node_modules"))
      if (!existsSync(join(root, "tsconfig.json")) && !existsSync(join(root, "jsconfig.json"))) {
        writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ ...plainTsconfig, include: ["**/*"] }))
      }
      return root
    }),
    (root) => Effect.sync(() => rmSync(resolve(root, ".."), { recursive: true, force: true }))
  )

/** Copies and indexes a folder. */
export const treeOf = (
  directory: string,
  /** Keeps its history, which says what is part of it whatever is ignored. */
  { git = false }: { readonly git?: boolean } = {}
): Effect.Effect<Tree, WorkspaceFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const root = yield* copied(directory, git)
    const engine = yield* open({ directory: root, exact: true, watch: false, store: false, threads: 1 })
    const services = servicesOf(engine)
    const view = yield* Effect.orDie(
      Effect.flatMap(CodeGraph, (graph) => graph.view).pipe(Effect.provide(services))
    )
    const text = yield* Effect.provide(TextIndex, services)
    const cache = new Map<string, ReadonlyArray<string>>()
    return {
      name:
        basename(resolve(directory)) === "src"
          ? basename(resolve(directory, ".."))
          : basename(resolve(directory)),
      root,
      view,
      text,
      services,
      lines: (path) => {
        const known = cache.get(path)
        if (known !== undefined) return known
        const lines = readFileSync(join(root, path), "utf8")
          .replace(/^\uFEFF/, "")
          .split(/\r\n|\n|\r/)
        cache.set(path, lines)
        return lines
      }
    }
  })
