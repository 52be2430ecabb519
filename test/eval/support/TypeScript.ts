/** The language service of TypeScript in this process, as far as renames are judged by it. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve, sep } from "node:path"

/** The release that is installed where none is named: the last one whose compiler is a library. */
const release = "6.0.3"

interface SourceFile {
  readonly fileName: string
}
interface Diagnostic {
  readonly code: number
  readonly category: number
  readonly messageText: unknown
}
interface RenameLocation {
  readonly fileName: string
  readonly textSpan: { readonly start: number; readonly length: number }
  readonly prefixText?: string
  readonly suffixText?: string
}
interface Service {
  readonly getProgram: () => { readonly getSourceFiles: () => ReadonlyArray<SourceFile> } | undefined
  readonly getSyntacticDiagnostics: (file: string) => ReadonlyArray<Diagnostic>
  readonly getSemanticDiagnostics: (file: string) => ReadonlyArray<Diagnostic>
  readonly getRenameInfo: (
    file: string,
    position: number,
    preferences: object
  ) => { readonly canRename: boolean; readonly localizedErrorMessage?: string }
  readonly findRenameLocations: (
    file: string,
    position: number,
    inStrings: boolean,
    inComments: boolean,
    preferences: object
  ) => ReadonlyArray<RenameLocation> | undefined
}
interface Api {
  readonly version: string
  readonly sys: {
    readonly readFile: (path: string) => string | undefined
    readonly useCaseSensitiveFileNames: boolean
  }
  readonly readConfigFile: (
    path: string,
    read: unknown
  ) => { readonly config?: object; readonly error?: Diagnostic }
  readonly parseJsonConfigFileContent: (
    json: object,
    host: unknown,
    directory: string,
    options: object,
    path: string
  ) => {
    readonly options: { readonly [name: string]: unknown }
    readonly fileNames: ReadonlyArray<string>
  }
  readonly createLanguageService: (host: object) => Service
  readonly ScriptSnapshot: { readonly fromString: (text: string) => unknown }
  readonly getDefaultLibFilePath: (options: object) => string
  readonly flattenDiagnosticMessageText: (message: unknown, newLine: string) => string
}

/** A TypeScript with an API from its folder; without one it is installed below the temporary folder, once. */
export const typescriptFrom = (folder: string | undefined): Api => {
  const load = (at: string): Api => createRequire(import.meta.url)(at) as Api
  if (folder !== undefined) return load(resolve(folder))
  const room = join(tmpdir(), `portico-typescript-${release}`)
  const installed = join(room, "node_modules", "typescript")
  if (!existsSync(installed)) {
    mkdirSync(room, { recursive: true })
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", room, `typescript@${release}`], {
      stdio: ["ignore", "ignore", "inherit"]
    })
  }
  return load(installed)
}

/** An error without its place. */
export interface Complaint {
  readonly path: string
  readonly code: number
  readonly message: string
}

const complaintKey = ({ code, message, path }: Complaint): string => `${path}\0${code}\0${message}`

/** What became of a rename by the service: texts of the files that change, or why there is none. */
export type ServiceRename =
  | { readonly texts: ReadonlyMap<string, string>; readonly edits: number }
  | { readonly refused: string }

/** The service over one `tsconfig.json`. Paths are relative to the root, with `/`; texts are without byte order marks. */
export class TypeScriptProject {
  readonly version: string
  /** Files of the program that are the package's own. */
  readonly files: ReadonlyArray<string>
  private readonly service: Service
  private readonly given = new Map<string, { readonly text: string; readonly version: number }>()
  private clock = 0

  constructor(
    private readonly api: Api,
    private readonly root: string,
    project: string
  ) {
    this.version = api.version
    const config = join(root, project)
    const { config: json, error } = api.readConfigFile(config, api.sys.readFile)
    if (json === undefined || error !== undefined) throw new Error(`${project} cannot be read`)
    const parsed = api.parseJsonConfigFileContent(json, api.sys, dirname(config), { noEmit: true }, config)
    const read = new Map<string, unknown>()
    this.service = api.createLanguageService({
      ...api.sys,
      useCaseSensitiveFileNames: () => api.sys.useCaseSensitiveFileNames,
      getCompilationSettings: () => parsed.options,
      getScriptFileNames: () => parsed.fileNames,
      getScriptVersion: (name: string) => String(this.given.get(name)?.version ?? 0),
      getScriptSnapshot: (name: string) => {
        const given = this.given.get(name)
        if (given !== undefined) return api.ScriptSnapshot.fromString(given.text)
        if (!read.has(name)) {
          const text = api.sys.readFile(name)
          read.set(name, text === undefined ? undefined : api.ScriptSnapshot.fromString(text))
        }
        return read.get(name)
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (options: object) => api.getDefaultLibFilePath(options)
    })
    this.files = (this.service.getProgram()?.getSourceFiles() ?? []).flatMap(({ fileName }) => {
      const path = this.pathOf(fileName)
      return path === undefined || path.includes("node_modules/") ? [] : [path]
    })
  }

  text(path: string): string {
    const file = join(this.root, path)
    return this.given.get(file)?.text ?? this.api.sys.readFile(file) ?? ""
  }

  /** Takes other texts from now on. */
  set(texts: ReadonlyMap<string, string>): void {
    for (const [path, text] of texts) this.given.set(join(this.root, path), { text, version: ++this.clock })
  }

  /** Renames what is named at an offset, keeping what other modules see by aliases. */
  rename(path: string, offset: number, to: string): ServiceRename {
    const file = join(this.root, path)
    const preferences = { providePrefixAndSuffixTextForRename: true, allowRenameOfImportPath: false }
    const info = this.service.getRenameInfo(file, offset, preferences)
    if (!info.canRename) return { refused: info.localizedErrorMessage ?? "not said" }
    const locations = this.service.findRenameLocations(file, offset, false, false, preferences) ?? []
    const byFile = new Map<string, Map<number, RenameLocation>>()
    for (const location of locations) {
      const at = this.pathOf(location.fileName)
      if (at === undefined || at.includes("node_modules/"))
        return { refused: `it would change ${location.fileName}` }
      let list = byFile.get(at)
      if (list === undefined) byFile.set(at, (list = new Map()))
      list.set(location.textSpan.start, location)
    }
    const texts = new Map<string, string>()
    let edits = 0
    for (const [at, list] of byFile) {
      let text = this.text(at)
      for (const { prefixText, suffixText, textSpan } of [...list.values()].sort(
        (a, b) => b.textSpan.start - a.textSpan.start
      )) {
        edits++
        text = `${text.slice(0, textSpan.start)}${prefixText ?? ""}${to}${suffixText ?? ""}${text.slice(textSpan.start + textSpan.length)}`
      }
      texts.set(at, text)
    }
    return { texts, edits }
  }

  /** Errors in the files that would be new if they had these texts; `words` are taken for those they replace. */
  newErrors(
    texts: ReadonlyMap<string, string>,
    words: { readonly from: string; readonly to: string }
  ): ReadonlyArray<Complaint> {
    const paths = [...texts.keys()]
    const before = paths.flatMap((path) => this.errors(path).map(complaintKey))
    const old = new Map(paths.map((path) => [path, this.text(path)]))
    this.set(texts)
    const after = paths.flatMap((path) => this.errors(path))
    this.set(old)
    return after.filter((complaint) => {
      const at = before.indexOf(
        complaintKey({ ...complaint, message: complaint.message.replaceAll(words.to, words.from) })
      )
      if (at >= 0) before.splice(at, 1)
      return at < 0
    })
  }

  private errors(path: string): ReadonlyArray<Complaint> {
    const file = join(this.root, path)
    return [...this.service.getSyntacticDiagnostics(file), ...this.service.getSemanticDiagnostics(file)]
      .filter(({ category }) => category === 1)
      .map(({ code, messageText }) => ({
        path,
        code,
        message: this.api.flattenDiagnosticMessageText(messageText, " ")
      }))
  }

  private pathOf(name: string): string | undefined {
    const path = relative(this.root, resolve(name)).split(sep).join("/")
    return path.startsWith("../") ? undefined : path
  }
}
