/**
 * What is known beforehand about one language server.
 *
 * To add a server, add a row to `Catalogue.ts`:
 *
 * 1. `id` is the name users write in `.effectrc` and read in `portico status`. It never changes.
 * 2. `documents` says which files are its own: our name of the language, the protocol's `languageId`, and file name
 *    patterns. Where two rows claim a file, the first row that has a server on this machine answers.
 * 3. `candidates` are tried in order: packages installed beside this program, then programs on PATH. Run the server by
 *    hand with `--version` first; if it wants another word, say so in `versionArgs`. A server that prints no version
 *    has `versionArgs: []` and is taken as it is.
 * 4. `readiness`: ask it for the references of a symbol right after `initialize`. If the first answer is already whole,
 *    it is `waits`. If it is short, find out what the server says when it is ready and name that.
 * 5. `runsWorkspaceCode` is true if opening a folder can run a program that the folder brings: build scripts, plugins,
 *    a configuration file that is a program. When in doubt it is true.
 * 6. Measure the memory of its process group after a rename in a large project; `hardBytes` is twice that.
 * 7. Add the server to `test/engine/lsp/servers.test.ts`, which starts every server it finds on a small project and
 *    compares what it answers with what is right.
 */
import type { Settings } from "./Server.ts"

/** A kind of file a server reads. `globs` match file names; `*` stands for any characters. */
export interface DocumentKind {
  /** This house's name of the language, as the index uses it. */
  readonly language: string
  /** The protocol's. */
  readonly languageId: string
  readonly globs: ReadonlyArray<string>
}

/** Where a server may be found. */
export type Candidate =
  | {
      readonly kind: "package"
      /** Name of an npm package. */
      readonly name: string
      /** A script of the package, run with this Node. */
      readonly script: string
      readonly args: ReadonlyArray<string>
      /** Packages it does not work without. */
      readonly needs?: ReadonlyArray<string>
      /** A native program to run instead of the script, when the package brings one for this machine. */
      readonly native?: (directory: string) => string | undefined
    }
  | {
      readonly kind: "program"
      /** Name of a program on PATH. */
      readonly name: string
      readonly args: ReadonlyArray<string>
      /** Words that make it print its version and leave. Default `--version`; empty: it is not asked. */
      readonly versionArgs?: ReadonlyArray<string>
    }

/**
 * When a server's answers are whole.
 *
 * `waits`: it answers only when it can. `progress`: when work under one of the `tokens` has ended, or none has begun.
 * `status`: when it says that it is at rest. `log`: when it has logged a line that matches. `idle`: when it reports no
 * work any more.
 */
export type ReadinessRule =
  | { readonly kind: "waits" }
  | { readonly kind: "progress"; readonly tokens: ReadonlyArray<string> }
  | { readonly kind: "status" }
  | { readonly kind: "log"; readonly line: RegExp }
  | { readonly kind: "idle" }

/** A known server. */
export interface ServerRow {
  readonly id: string
  readonly documents: ReadonlyArray<DocumentKind>
  /**
   * Files that mark a project's folder. The server of a file is started in the topmost folder on the way from the root
   * to the file that holds one, else in the root.
   */
  readonly rootMarkers: ReadonlyArray<string>
  readonly candidates: ReadonlyArray<Candidate>
  /** Lowest version taken, as numbers with dots. */
  readonly minVersion?: string
  /** Options for `initialize`. `directoryOf` finds the folder of a package installed beside this program. */
  readonly initOptions?: (directoryOf: (name: string) => string | undefined) => unknown
  readonly settings?: Settings
  readonly env?: { readonly [name: string]: string | undefined }
  readonly readiness: ReadinessRule
  /** Starts only in a trusted workspace. */
  readonly runsWorkspaceCode: boolean
  /** `actions`: asked for code actions only, beside the server that answers everything else. */
  readonly serves: "everything" | "actions"
  /** Bytes of resident memory of its process group: above soft it is restarted when idle, above hard it is killed. */
  readonly memory: { readonly softBytes?: number; readonly hardBytes: number }
  /** Milliseconds without a request after which it is stopped. */
  readonly idleMillis: number
  /** What to do to have one. */
  readonly hint: string
  readonly quirks: {
    /** Answers about documents that were never opened. */
    readonly answersUnopened?: boolean
    /** Members to add to `didChange` when an unchanged text is said again to have it judged anew. */
    readonly again?: { readonly [member: string]: unknown }
    /** Settings under which a rename follows re-exports and imports instead of adding an alias. */
    readonly renameThroughAliases?: Settings
    /**
     * The method that tells the project of a document, as `configFilePath`. The server reads a project when a document
     * of it is open, and answers for those it has read.
     */
    readonly projectOf?: string
    /** What it says of a document follows from the files it was told of: unchanged files have the same problems. */
    readonly judgesTexts?: boolean
    /** A rename is of exactly the references, and may leave files out that those are in. */
    readonly renamesReferences?: boolean
  }
}

const patternOf = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`
  )
const patterns = new Map<string, RegExp>()
const matches = (glob: string, name: string): boolean => {
  let pattern = patterns.get(glob)
  if (pattern === undefined) patterns.set(glob, (pattern = patternOf(glob)))
  return pattern.test(name)
}

/** The kind of document a path is to a server; undefined when it is none of its own. */
export const documentKind = (row: ServerRow, path: string): DocumentKind | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return row.documents.find(({ globs }) => globs.some((glob) => matches(glob, name)))
}
