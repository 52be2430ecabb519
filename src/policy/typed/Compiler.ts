/**
 * The TypeScript compiler on a folder of sources, asked for types rather than for complaints. It is given a configuration
 * of its own that stands in no file, so that what is audited is what the sources say, whatever else a project leaves out.
 */
import { version } from "typescript"
import type { SourceFile } from "typescript/unstable/ast"
import { API, type Checker, type Project, type Snapshot } from "typescript/unstable/sync"
import { existsSync, realpathSync } from "node:fs"
import { join, relative, sep } from "node:path"

/** What the compiler is to look at. */
export interface Sources {
  /** Absolute folder; a `tsconfig.json` in it is followed where it has a say. */
  readonly root: string
  /** Globs relative to it. Files these import are looked at for their types only. */
  readonly include: ReadonlyArray<string>
  /** Files that modules which are no packages of the folder stand for, by module name. */
  readonly paths?: { readonly [module: string]: string } | undefined
}

/** A program, read and not yet checked: types are made as they are asked for. */
export interface Program {
  readonly checker: Checker
  /** The files the globs name, by absolute path, in order. */
  readonly files: ReadonlyArray<SourceFile>
  /** Path of a file relative to the folder, with `/`. */
  readonly shown: (file: string) => string
  readonly version: string
  readonly close: () => void
}

/** Why there is no program: the compiler failed, or does not take the folder for one. */
export class NoProgram extends Error {}

const settings = ({ include, paths, root }: Sources): string => {
  const own = existsSync(join(root, "tsconfig.json"))
  return JSON.stringify({
    ...(own ? { extends: "./tsconfig.json" } : {}),
    include,
    exclude: ["**/node_modules", "**/dist"],
    references: [],
    compilerOptions: {
      ...(own
        ? {}
        : { target: "ES2022", lib: ["ES2023"], module: "NodeNext", moduleResolution: "NodeNext", types: [] }),
      allowJs: true,
      checkJs: true,
      strict: true,
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      plugins: [],
      ...(paths === undefined
        ? {}
        : { paths: Object.fromEntries(Object.entries(paths).map(([name, file]) => [name, [file]])) })
    }
  })
}

/** Where the compiler's process is held, if this version holds it there. */
interface Held {
  readonly client?: { readonly channel?: { readonly child?: { readonly kill?: (signal: string) => void } } }
}

/** Ends the compiler. Asked to end, it may complain of that on standard error; it has nothing to put away. */
const end = (api: API, snapshot?: Snapshot): void => {
  snapshot?.dispose()
  ;(api as unknown as Held).client?.channel?.child?.kill?.("SIGKILL")
  api.close()
}

/** Opens the compiler. Throws {@link NoProgram}. */
export const open = (sources: Sources): Program => {
  const root = realpathSync(sources.root)
  const name = join(root, ".portico-audit.tsconfig.json")
  const text = settings({ ...sources, root })
  const api = new API({
    cwd: root,
    fs: {
      readFile: (file) => (file === name ? text : undefined),
      fileExists: (file) => (file === name ? true : undefined)
    }
  })
  let snapshot: Snapshot
  let project: Project | undefined
  try {
    snapshot = api.updateSnapshot({ openProjects: [name] })
    project = snapshot.getProject(name)
  } catch (cause) {
    end(api)
    throw new NoProgram(
      `the TypeScript compiler failed: ${cause instanceof Error ? cause.message : String(cause)}`
    )
  }
  if (project === undefined) {
    end(api, snapshot)
    throw new NoProgram("the TypeScript compiler finds no project there")
  }
  const { checker, program, rootFiles } = project
  const [wrong] = program.getConfigFileParsingDiagnostics()
  if (wrong !== undefined) {
    end(api, snapshot)
    throw new NoProgram(`the project's settings do not hold: ${wrong.text}`)
  }
  return {
    checker,
    files: rootFiles
      .flatMap((file) => program.getSourceFile(file) ?? [])
      .filter((file) => !file.isDeclarationFile),
    shown: (file) => relative(root, file).split(sep).join("/"),
    version,
    close: () => end(api, snapshot)
  }
}
