/** The language service of TypeScript with nothing around it: asked for a rename, and whether it would bring errors. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { catalogue } from "../../src/engine/lsp/Catalogue.ts"
import { encode, FrameReader } from "../../src/engine/lsp/Framing.ts"

/** The compiler that the product would start, undefined where it is not installed. */
const compiler = (): string | undefined => {
  const [candidate] = catalogue.find(({ id }) => id === "typescript")?.candidates ?? []
  try {
    const home = dirname(createRequire(import.meta.url).resolve("typescript/package.json"))
    return candidate?.kind === "package" ? candidate.native?.(home) : undefined
  } catch {
    return undefined
  }
}
export const program = compiler()

interface Place {
  readonly line: number
  readonly character: number
}
interface Edit {
  readonly range: { readonly start: Place; readonly end: Place }
  readonly newText: string
}
interface Changed {
  readonly documentChanges?: ReadonlyArray<{
    readonly textDocument: { readonly uri: string }
    readonly edits: ReadonlyArray<Edit>
  }>
  readonly changes?: { readonly [uri: string]: ReadonlyArray<Edit> }
}

/** A name in a file; line and column 0-based, in UTF-16 units. */
export interface Spot {
  readonly path: string
  readonly line: number
  readonly column: number
}

const edited = (text: string, edits: ReadonlyArray<Edit>): string => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  const offset = ({ character, line }: Place) => starts[line]! + character
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (out, { newText, range }) => out.slice(0, offset(range.start)) + newText + out.slice(offset(range.end)),
      text
    )
}

export class BareService {
  readonly process: ChildProcess
  readonly #root: string
  readonly #waiting = new Map<number, (answer: unknown) => void>()
  readonly #open = new Map<string, string>()
  #last = 0
  #version = 1

  constructor(root: string) {
    this.#root = root
    this.process = spawn(program!, ["--lsp", "--stdio"], {
      cwd: root,
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, GOMEMLIMIT: "1536MiB" }
    })
    const frames = new FrameReader()
    this.process.stdout!.on("data", (chunk: Buffer) =>
      frames.push(chunk, (message) => {
        const { id, method, params, result } = message as {
          readonly id?: number
          readonly method?: string
          readonly params?: { readonly items?: ReadonlyArray<unknown> }
          readonly result?: unknown
        }
        if (id === undefined) return
        if (method === undefined) this.#waiting.get(id)?.(result)
        else
          this.#send({
            id,
            result: params?.items?.map(() => ({ preferences: { useAliasesForRenames: true } })) ?? null
          })
      })
    )
  }

  #send(message: object): void {
    this.process.stdin!.write(encode({ jsonrpc: "2.0", ...message }))
  }
  #ask(method: string, params: object): Promise<unknown> {
    return new Promise((resolve) => {
      const id = ++this.#last
      this.#waiting.set(id, resolve)
      this.#send({ id, method, params })
    })
  }
  #uri(path: string): string {
    return pathToFileURL(join(this.#root, path)).href
  }
  #show(path: string): string {
    const known = this.#open.get(path)
    if (known !== undefined) return known
    const text = readFileSync(join(this.#root, path), "utf8")
    this.#open.set(path, text)
    this.#send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri: this.#uri(path), languageId: "typescript", version: 1, text } }
    })
    return text
  }
  #say(path: string, text: string): void {
    this.#send({
      method: "textDocument/didChange",
      params: {
        textDocument: { uri: this.#uri(path), version: ++this.#version },
        contentChanges: [{ text }]
      }
    })
  }
  /** Asked side by side, as many as there are. */
  async #problems(paths: ReadonlyArray<string>): Promise<number> {
    const reports = await Promise.all(
      paths.map((path) => this.#ask("textDocument/diagnostic", { textDocument: { uri: this.#uri(path) } }))
    )
    return reports.reduce<number>(
      (sum, report) =>
        sum + ((report as { readonly items?: ReadonlyArray<unknown> } | null)?.items?.length ?? 0),
      0
    )
  }

  async open(): Promise<void> {
    const uri = pathToFileURL(this.#root).href
    await this.#ask("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "tree" }],
      capabilities: { workspace: { configuration: true, workspaceEdit: { documentChanges: true } } }
    })
    this.#send({ method: "initialized", params: {} })
  }

  /** Edits of a rename by path; empty where nothing can be renamed. */
  async rename({ column, line, path }: Spot, to: string): Promise<ReadonlyMap<string, ReadonlyArray<Edit>>> {
    this.#show(path)
    const answer = (await this.#ask("textDocument/rename", {
      textDocument: { uri: this.#uri(path) },
      position: { line, character: column },
      newName: to
    })) as Changed | null | undefined
    const lists: ReadonlyArray<readonly [string, ReadonlyArray<Edit>]> =
      answer?.documentChanges?.map(({ edits, textDocument }) => [textDocument.uri, edits] as const) ??
      Object.entries(answer?.changes ?? {})
    return new Map(lists.map(([uri, edits]) => [relative(this.#root, fileURLToPath(uri)), edits]))
  }

  /**
   * What a rename needs that is to bring no error: the edits, the problems of the files they are in as these are, and the
   * problems with the edits made. Everything is as before afterwards. Answers how many edits and files, and problems.
   */
  async safely(spot: Spot, to: string) {
    const edits = await this.rename(spot, to)
    const paths = [...edits.keys()]
    const texts = paths.map((path) => this.#show(path))
    const before = await this.#problems(paths)
    paths.forEach((path, i) => this.#say(path, edited(texts[i]!, edits.get(path)!)))
    const after = await this.#problems(paths)
    paths.forEach((path, i) => this.#say(path, texts[i]!))
    return {
      sites: [...edits.values()].reduce((sum, list) => sum + list.length, 0),
      files: paths.length,
      before,
      after
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("exit", resolve))
    await Promise.race([
      this.#ask("shutdown", {}),
      new Promise((resolve) => setTimeout(resolve, 2000).unref())
    ])
    this.#send({ method: "exit" })
    const timer = setTimeout(() => this.process.kill("SIGKILL"), 3000)
    await ended
    clearTimeout(timer)
  }
}
