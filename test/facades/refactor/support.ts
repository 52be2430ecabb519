/** Refactorings over real folders, with the real TypeScript server and no other. */
import { Context, Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { catalogue } from "../../../src/engine/lsp/Catalogue.ts"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import { LanguageReader } from "../../../src/services/LanguageReader.ts"
import { type Folder, served, type Value } from "../read/support.ts"

export type { Value } from "../read/support.ts"

export interface Work {
  readonly folder: Folder
  readonly refactor: (args: Value, session?: string) => Effect.Effect<Value>
  readonly refused: (args: Value, session?: string) => Effect.Effect<OperationFailure>
  readonly read: (path: string) => string
  readonly has: (path: string) => boolean
  /** Every file of the folder with its text. */
  readonly tree: () => { readonly [path: string]: string }
  readonly reader: LanguageReader["Type"]
}

export const project = {
  "package.json": '{ "type": "module", "private": true }\n',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      module: "nodenext",
      moduleResolution: "nodenext",
      target: "es2022",
      noEmit: true,
      allowImportingTsExtensions: true,
      // Most of what a compiler does for a small folder is to read and check what the browser declares.
      lib: ["es2022"],
      skipLibCheck: true,
      types: []
    }
  })
}

/** A folder with these files, and the servers of some languages; that of TypeScript unless others are named. */
export const working = (
  files: { readonly [path: string]: string | Uint8Array },
  options: {
    readonly git?: boolean
    readonly servers?: ReadonlyArray<string>
    readonly watch?: boolean
  } = {}
): Effect.Effect<Work, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* served(files, {
      ...(options.git === undefined ? {} : { git: options.git }),
      ...(options.watch === undefined ? {} : { watch: options.watch }),
      servers: catalogue.filter(({ documents }) =>
        documents.some(({ language }) => (options.servers ?? ["typescript"]).includes(language))
      )
    })
    const reader = Context.get(folder.context, LanguageReader)
    const at = (path: string) => folder.folder.at(path)
    const walk = function* (under: string): Generator<string> {
      for (const entry of readdirSync(under, { withFileTypes: true })) {
        if (entry.name === ".git") continue
        const path = join(under, entry.name)
        if (entry.isDirectory()) yield* walk(path)
        else yield relative(folder.folder.path, path)
      }
    }
    return {
      folder,
      reader,
      refactor: (args, session) => folder.call("refactor", args, session),
      refused: (args, session) => folder.refused("refactor", args, session),
      read: (path) => readFileSync(at(path), "utf8"),
      has: (path) => existsSync(at(path)),
      tree: () =>
        Object.fromEntries(
          [...walk(folder.folder.path)].sort().map((path) => [path, readFileSync(at(path), "utf8")])
        )
    }
  })

/** What the compiler says of a folder; empty when nothing. */
export const compilerErrors = (folder: string): string => {
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "lib",
    "tsc.js"
  )
  try {
    execFileSync(process.execPath, [tsc, "--noEmit", "-p", folder], { encoding: "utf8", stdio: "pipe" })
    return ""
  } catch (cause) {
    return String((cause as { readonly stdout?: unknown }).stdout)
  }
}
