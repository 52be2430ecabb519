/** Language servers that know better, by language, and what they call a reference. */
import { Effect, type Scope } from "effect"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { SymbolInfo } from "../../../src/services/CodeGraph.ts"
import { type LanguageServer, type ServerCommand, ServerProblem, start } from "./LanguageServer.ts"
import type { Tree } from "./Tree.ts"

/** A place: 1-based line, 0-based UTF-16 column. */
export interface Place {
  readonly path: string
  readonly line: number
  readonly column: number
}
export const placeKey = (p: Place): string => `${p.path}:${p.line}:${p.column}`

export interface Oracle {
  /** Everything the server calls a reference, declarations included; undefined when it knows no symbol there. */
  readonly references: (symbol: SymbolInfo) => Effect.Effect<ReadonlyArray<Place> | undefined, ServerProblem>
  /** How many definitions of what stands at a place lie in the tree, and how many outside of it. */
  readonly definitions: (
    place: Place
  ) => Effect.Effect<{ readonly inside: number; readonly outside: number }, ServerProblem>
  /** Whether the server takes the file for part of the project. */
  readonly knows: (path: string) => Effect.Effect<boolean>
}

export type OracleLanguage = "typescript" | "javascript" | "python" | "rust" | "go"
interface Location {
  readonly uri: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

interface Link {
  readonly targetUri: string
}

/** Where a package's file is: among our dependencies, or in the folder named by PORTICO_ORACLES. */
const packaged = (name: string, file: string): string | undefined => {
  const extra = process.env["PORTICO_ORACLES"]
  for (const base of [
    import.meta.url,
    ...(extra === undefined ? [] : [pathToFileURL(join(extra, "package.json")).href])
  ]) {
    try {
      const path = join(dirname(createRequire(base).resolve(`${name}/package.json`)), file)
      if (existsSync(path)) return path
    } catch {
      // The next place may have it.
    }
  }
  return undefined
}

const commandFor = (language: OracleLanguage, root: string): ServerCommand | undefined => {
  if (language === "rust") {
    return {
      command: "rust-analyzer",
      args: [],
      root,
      initializationOptions: {
        cargo: { features: "all", buildScripts: { enable: false }, allTargets: true },
        procMacro: { enable: false },
        checkOnSave: false,
        cachePriming: { enable: false }
      }
    }
  }
  if (language === "go") {
    // Beside PATH it may lie in the folder named by PORTICO_ORACLES.
    const extra = join(process.env["PORTICO_ORACLES"] ?? "", "bin", "gopls")
    return { command: existsSync(extra) ? extra : "gopls", args: [], root }
  }
  if (language === "python") {
    const path = packaged("basedpyright", "langserver.index.js") ?? packaged("pyright", "langserver.index.js")
    return path === undefined
      ? undefined
      : {
          command: process.execPath,
          args: [path, "--stdio"],
          root,
          settings: {
            python: {
              analysis: { diagnosticMode: "workspace", autoSearchPaths: true, useLibraryCodeForTypes: true }
            }
          }
        }
  }
  const path = packaged("typescript", "bin/tsc")
  return path === undefined
    ? undefined
    : { command: process.execPath, args: [path, "--lsp", "--stdio"], root }
}

const languageIds: { readonly [extension: string]: string } = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescriptreact",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascriptreact",
  py: "python",
  rs: "rust",
  go: "go"
}

/** Starts the oracle for a tree. */
export const oracleFor = (
  language: OracleLanguage,
  tree: Tree
): Effect.Effect<Oracle, ServerProblem, Scope.Scope> =>
  Effect.gen(function* () {
    const command = commandFor(language, tree.root)
    if (command === undefined)
      return yield* new ServerProblem({
        reason: "gone",
        method: "start",
        detail: `no language server for ${language} is installed`
      })
    const server: LanguageServer = yield* start(command)
    if (language === "rust" || language === "go") yield* server.quiet("6 seconds", "600 seconds")
    const opened = new Set<string>()
    const known = new Map<string, boolean>()
    const show = (path: string) =>
      Effect.suspend(() => {
        const uri = pathToFileURL(join(tree.root, path)).href
        if (language === "rust" || language === "go" || opened.has(uri)) return Effect.succeed(uri)
        opened.add(uri)
        const extension = path.slice(path.lastIndexOf(".") + 1)
        return server
          .notify("textDocument/didOpen", {
            textDocument: {
              uri,
              languageId: languageIds[extension] ?? language,
              version: 1,
              text: tree.lines(path).join("\n")
            }
          })
          .pipe(Effect.as(uri))
      })
    /** The path of a file of the tree, undefined for one outside. */
    const pathOf = (uri: string): string | undefined => {
      if (!uri.startsWith("file:")) return undefined
      const path = relative(tree.root, fileURLToPath(uri)).replaceAll("\\", "/")
      return path.startsWith("..") || path.startsWith("node_modules/") ? undefined : path
    }
    return {
      definitions: (place) =>
        Effect.gen(function* () {
          const uri = yield* show(place.path)
          const found = yield* server
            .request<Location | ReadonlyArray<Location | Link> | null>("textDocument/definition", {
              textDocument: { uri },
              position: { line: place.line - 1, character: place.column }
            })
            .pipe(
              Effect.catchIf(
                (problem) => problem.reason === "refused",
                () => Effect.succeed(null)
              )
            )
          const all = found === null ? [] : "uri" in found ? [found] : found
          const inside = all.filter(
            (one) => pathOf("uri" in one ? one.uri : one.targetUri) !== undefined
          ).length
          return { inside, outside: all.length - inside }
        }),
      knows: (path) =>
        Effect.suspend(() => {
          const already = known.get(path)
          if (already !== undefined) return Effect.succeed(already)
          return server
            .request("textDocument/documentSymbol", {
              textDocument: { uri: pathToFileURL(join(tree.root, path)).href }
            })
            .pipe(
              Effect.match({ onFailure: () => false, onSuccess: (found) => found !== null }),
              Effect.tap((answer) => Effect.sync(() => known.set(path, answer)))
            )
        }),
      references: (symbol) =>
        Effect.gen(function* () {
          const uri = yield* show(symbol.path)
          const found = yield* server
            .request<ReadonlyArray<Location> | null>(
              "textDocument/references",
              {
                textDocument: { uri },
                position: { line: symbol.line - 1, character: symbol.column },
                context: { includeDeclaration: true }
              },
              // The first question may wait for all the server has to read.
              "600 seconds"
            )
            .pipe(
              Effect.catchIf(
                (problem) => problem.reason === "refused",
                () => Effect.succeed(null)
              )
            )
          if (found === null) return undefined
          return found.flatMap(({ range, uri }) => {
            const path = pathOf(uri)
            return path === undefined
              ? []
              : [{ path, line: range.start.line + 1, column: range.start.character }]
          })
        })
    }
  })
