/** What one server believes the files hold: the disk, with the contents of an overlay in front of it. */
import { Effect } from "effect"
import { existsSync, statSync } from "node:fs"
import { createHash } from "node:crypto"
import { join, relative, sep } from "node:path"
import { confineSync, readConfinedSync, type Root } from "../files/Confine.ts"
import { decodeText } from "../files/Reader.ts"
import * as Glob from "./Glob.ts"
import { BadQuestion, type CallFailure } from "./LspFailure.ts"
import { fromUtf16, Lines, toUtf16 } from "./Positions.ts"
import type { Position } from "./Protocol.ts"
import { overlaid } from "./Discovery.ts"
import type { Server, Settings } from "./Server.ts"
import { documentKind, type ServerRow } from "./ServerRow.ts"
import { pathOf, uriOf } from "./Uri.ts"

/**
 * A state of the files: the disk where `files` says nothing, else this text, or null for a file that is taken away.
 * `settings` are laid over the server's. Two views with one `key` are the same.
 */
export interface View {
  readonly key: string
  readonly files: ReadonlyMap<string, string | null>
  readonly settings?: Settings
}

/** The disk as it is. */
export const disk: View = { key: "", files: new Map() }

/** The view of an overlay; paths are root-relative. */
export const viewOf = (files: ReadonlyMap<string, string | null>, settings?: Settings): View => {
  if (files.size === 0 && settings === undefined) return disk
  const hash = createHash("sha1").update(JSON.stringify(settings ?? null))
  for (const path of [...files.keys()].sort()) hash.update(JSON.stringify([path, files.get(path)]))
  return { key: hash.digest("base64"), files, ...(settings === undefined ? {} : { settings }) }
}

/** How a file changed on disk; `unknown` when only that it did is known. */
export type ChangeKind = "created" | "changed" | "deleted" | "unknown"

interface Open {
  readonly uri: string
  version: number
  text: string
  lines: Lines | undefined
  /** What the disk looked like when the text was taken from it; undefined for text of an overlay. */
  stamp: string | undefined
  /** Messages about diagnostics seen when the server was last told of this text. */
  toldAt: number
  lastUsed: number
}

/** Most bytes of a document: 16 MiB. */
const largest = 16 * 1024 * 1024
/** Milliseconds for a server to find a document's project, which it may have to read. */
const projectMillis = 60_000
/** Most documents kept open that nobody asks about. */
const mostOpen = 64

const stampOf = (absolute: string): string | undefined => {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(absolute, { bigint: true })
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`
  } catch {
    return undefined
  }
}

/** The documents of one process. Changes are made one at a time; the caller keeps the view while it asks. */
export class Documents {
  private readonly open = new Map<string, Open>()
  private shown: View = disk
  /** A change of views was given up halfway; it is made again from where it stands. */
  private halfway = false
  private clock = 0
  /** Grows with every text the server is told of. */
  private epoch = 0
  /** Grows with every change of the disk that is noticed. */
  private changes = 0
  /** Projects of documents, by path, in a state of the disk; "" for none. */
  private projects: { readonly disk: number; readonly of: Map<string, string> } = { disk: 0, of: new Map() }
  /** Documents that stand for their projects: they stay open until others are asked for. */
  private standing: ReadonlySet<string> = new Set()
  /** For which files they stand, in which state of the disk. */
  private stood: { readonly disk: number; readonly paths: ReadonlyArray<string> } | undefined
  /** What documents looked like on disk when they were last opened. */
  private readonly stamps = new Map<string, string | undefined>()
  private readonly mutex = Effect.unsafeMakeSemaphore(1)
  private readonly server: Server
  private readonly row: ServerRow
  private readonly root: Root
  private readonly ownSettings: Settings

  /** `root` is the workspace's, which paths are relative to; the server may have been started below it. */
  constructor(server: Server, row: ServerRow, root: Root) {
    this.server = server
    this.row = row
    this.root = root
    this.ownSettings = server.settings()
  }

  /** URI of a root-relative path. */
  uri(path: string): string {
    return uriOf(this.root.real, path)
  }

  /**
   * Makes the server see a view, with these paths open. `alone` allows documents that nobody asks about to be closed.
   * Fails with `BadQuestion` when a path is not there in this view, or holds no text.
   */
  show(view: View, needed: ReadonlyArray<string>, alone: boolean): Effect.Effect<void, BadQuestion> {
    return this.mutex.withPermits(1)(
      Effect.gen(this, function* () {
        if (view.key !== this.shown.key || this.halfway) yield* this.switchTo(view)
        yield* this.refresh(view)
        for (const path of needed) yield* this.ensure(view, path)
        if (alone && this.open.size > mostOpen) yield* this.trim(view, new Set(needed))
      })
    )
  }

  /**
   * Has the server read the projects that these files are in: of each project one file is opened, and files of none are
   * opened themselves. What is not there, or no text, is left out. Nothing to do for servers without such projects.
   */
  spread(paths: ReadonlyArray<string>): Effect.Effect<void, CallFailure> {
    const method = this.row.quirks.projectOf
    if (method === undefined) return Effect.void
    return this.mutex.withPermits(1)(
      Effect.gen(this, function* () {
        const { changes, shown: view } = this
        const known = this.stood?.paths === paths && this.stood.disk === changes
        if (known && [...this.standing].every((path) => this.open.has(path))) return
        const own = paths.filter(
          (path) => documentKind(this.row, path) !== undefined && view.files.get(path) !== null
        )
        const standing = new Set<string>()
        const read = new Set<string>()
        // Those that are open first: one of them may stand for its project already.
        for (const open of [true, false])
          for (const path of own) {
            if (this.open.has(path) !== open || standing.has(path)) continue
            const project = yield* this.projectOf(method, path)
            if (project !== "" && read.has(project)) continue
            const found = open || (yield* Effect.isSuccess(this.ensure(view, path)))
            if (!found) continue
            standing.add(path)
            read.add(project)
          }
        this.standing = standing
        this.stood = { disk: changes, paths }
      })
    )
  }

  /** A server that does not know the method has every document stand for itself. */
  private projectOf(method: string, path: string): Effect.Effect<string, CallFailure> {
    return Effect.suspend(() => {
      if (this.projects.disk !== this.changes) this.projects = { disk: this.changes, of: new Map() }
      const { of } = this.projects
      const known = of.get(path)
      if (known !== undefined) return Effect.succeed(known)
      return this.server.call(method, { textDocument: { uri: this.uri(path) } }, projectMillis).pipe(
        Effect.catchTag("Unsupported", "RequestRefused", () => Effect.succeed(undefined)),
        Effect.map((answer) => {
          const told = (answer as { readonly configFilePath?: unknown } | null | undefined)?.configFilePath
          const project = typeof told === "string" ? told : ""
          of.set(path, project)
          return project
        })
      )
    })
  }

  private switchTo(view: View): Effect.Effect<void, BadQuestion> {
    return Effect.gen(this, function* () {
      const before = this.shown
      const configure = view.settings !== before.settings || this.halfway
      this.halfway = true
      // Until all of it is told, what may be left of both is what would have to be taken back.
      this.shown = { ...view, files: new Map([...before.files, ...view.files]) }
      if (configure) yield* this.server.configure(overlaid(this.ownSettings, view.settings ?? {}))
      for (const path of before.files.keys()) {
        if (view.files.has(path)) continue
        // The server reads the disk again.
        yield* this.close(path)
        if (!existsSync(join(this.root.real, path))) yield* this.tell([{ path, type: 3 }])
      }
      for (const [path, text] of view.files) {
        if (documentKind(this.row, path) === undefined) continue
        const fresh = !this.open.has(path) && !existsSync(join(this.root.real, path))
        yield* this.put(path, text ?? "", undefined)
        if (fresh) yield* this.tell([{ path, type: 1 }])
      }
      this.shown = view
      this.halfway = false
    })
  }

  /** Brings what the server has of files on disk up to date with the disk. */
  private refresh(view: View): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      for (const [path, document] of this.open) {
        if (view.files.has(path)) continue
        const stamp = stampOf(join(this.root.real, path))
        if (stamp !== undefined && stamp === document.stamp) continue
        this.changes++
        const text = this.fromDisk(path)
        if (typeof text !== "string") {
          yield* this.close(path)
          if (stamp === undefined) yield* this.tell([{ path, type: 3 }])
        } else if (text !== document.text) {
          yield* this.put(path, text, stamp)
          yield* this.tell([{ path, type: 2 }])
          if (this.server.capabilities.save)
            yield* this.server.tell("textDocument/didSave", { textDocument: { uri: document.uri }, text })
        } else document.stamp = stamp
      }
    })
  }

  private ensure(view: View, path: string): Effect.Effect<void, BadQuestion> {
    return Effect.suspend((): Effect.Effect<void, BadQuestion> => {
      const overlay = view.files.get(path)
      if (overlay === null)
        return Effect.fail(
          new BadQuestion({ reason: "not_found", detail: `${path} is deleted in the overlay` })
        )
      const document = this.open.get(path)
      if (document !== undefined) {
        document.lastUsed = ++this.clock
        return Effect.void
      }
      if (overlay !== undefined) return this.put(path, overlay, undefined)
      const stamp = stampOf(join(this.root.real, path))
      if (this.stamps.has(path) && this.stamps.get(path) !== stamp) this.changes++
      this.stamps.set(path, stamp)
      const text = this.fromDisk(path)
      return typeof text === "string" ? this.put(path, text, stamp) : Effect.fail(text)
    })
  }

  private trim(view: View, needed: ReadonlySet<string>): Effect.Effect<void> {
    const idle = [...this.open]
      .filter(([path]) => !needed.has(path) && !view.files.has(path) && !this.standing.has(path))
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
      .slice(0, this.open.size - mostOpen)
    return Effect.forEach(idle, ([path]) => this.close(path), { discard: true })
  }

  private fromDisk(path: string): string | BadQuestion {
    const read = readConfinedSync(this.root, path, { maxBytes: largest })
    if ("_tag" in read)
      return new BadQuestion({
        reason:
          read.reason === "path_outside_root" || read.reason === "not_found" ? read.reason : "invalid_path",
        detail: `${path}: ${read.reason}${read.detail === null ? "" : ` (${read.detail})`}`
      })
    const { text, invalidUtf8 } = decodeText(read.bytes)
    return invalidUtf8 ? new BadQuestion({ reason: "binary", detail: `${path} is not UTF-8 text` }) : text
  }

  private put(path: string, text: string, stamp: string | undefined): Effect.Effect<void> {
    return Effect.suspend(() => {
      const document = this.open.get(path)
      const kind = documentKind(this.row, path)
      if (document === undefined) {
        const uri = this.uri(path)
        this.open.set(path, {
          uri,
          version: 1,
          text,
          lines: undefined,
          stamp,
          toldAt: this.server.published.order,
          lastUsed: ++this.clock
        })
        this.epoch++
        return this.server.tell("textDocument/didOpen", {
          textDocument: { uri, languageId: kind?.languageId ?? "plaintext", version: 1, text }
        })
      }
      document.stamp = stamp
      document.lastUsed = ++this.clock
      if (document.text === text) return Effect.void
      document.text = text
      return this.retell(document)
    })
  }

  private retell(document: Open, more: { readonly [member: string]: unknown } = {}): Effect.Effect<void> {
    return Effect.suspend(() => {
      document.version++
      document.lines = undefined
      document.toldAt = this.server.published.order
      this.epoch++
      return this.server.tell("textDocument/didChange", {
        textDocument: { uri: document.uri, version: document.version },
        contentChanges: [{ text: document.text }],
        ...more
      })
    })
  }

  /** Says an open document's text again, so that a server which sends diagnostics by itself judges it anew. */
  touch(path: string): Effect.Effect<void> {
    const document = this.open.get(path)
    return document === undefined ? Effect.void : this.retell(document, this.row.quirks.again)
  }

  private close(path: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const document = this.open.get(path)
      if (document === undefined) return Effect.void
      this.open.delete(path)
      this.epoch++
      this.server.published.forget(document.uri)
      return this.server.tell("textDocument/didClose", { textDocument: { uri: document.uri } })
    })
  }

  /** Closes a document that was opened to be asked about, unless an overlay needs it open. */
  release(path: string): Effect.Effect<void> {
    return this.mutex.withPermits(1)(
      Effect.suspend(() => (this.shown.files.has(path) ? Effect.void : this.close(path)))
    )
  }

  /** Tells the server that files changed on disk. */
  changed(changes: ReadonlyArray<{ readonly path: string; readonly kind: ChangeKind }>): Effect.Effect<void> {
    return this.mutex.withPermits(1)(
      Effect.zipRight(
        Effect.suspend(() => {
          this.changes++
          return this.refresh(this.shown)
        }),
        this.tell(
          changes.flatMap(({ path, kind }): ReadonlyArray<{ path: string; type: 1 | 2 | 3 }> => {
            if (kind === "created") return [{ path, type: 1 }]
            if (kind === "changed") return [{ path, type: 2 }]
            if (kind === "deleted" || !existsSync(join(this.root.real, path))) return [{ path, type: 3 }]
            // One that knew it must read it again, one that did not must look for it. In this order: TypeScript's takes a
            // file it was first told was created for one it has read.
            return [
              { path, type: 2 },
              { path, type: 1 }
            ]
          })
        )
      )
    )
  }

  private tell(
    events: ReadonlyArray<{ readonly path: string; readonly type: 1 | 2 | 3 }>
  ): Effect.Effect<void> {
    return Effect.suspend(() => {
      const wanted = this.watched()
      const changes = events
        .filter(({ path }) => wanted(join(this.root.real, path)))
        .map(({ path, type }) => ({ uri: this.uri(path), type }))
      if (changes.length === 0) return Effect.void
      this.epoch++
      return this.server.tell("workspace/didChangeWatchedFiles", { changes })
    })
  }

  /** Which files the server asked to hear of. One that registered nothing hears of all. */
  private watched(): (absolute: string) => boolean {
    const watchers = this.server.capabilities
      .registrations("workspace/didChangeWatchedFiles")
      .flatMap((options) => {
        const list = (options as { readonly watchers?: unknown } | undefined)?.watchers
        return Array.isArray(list) ? (list as ReadonlyArray<{ readonly globPattern?: unknown }>) : []
      })
    if (watchers.length === 0) return () => true
    const tests = watchers.map(({ globPattern }) => {
      if (typeof globPattern === "string") {
        const test = Glob.compile(globPattern)
        // Servers write both absolute patterns and such that are meant below the folder.
        return (absolute: string) =>
          test(slashes(absolute)) || test(slashes(relative(this.server.root, absolute)))
      }
      const { baseUri, pattern } = (globPattern ?? {}) as {
        readonly baseUri?: unknown
        readonly pattern?: unknown
      }
      const uri =
        typeof baseUri === "string" ? baseUri : (baseUri as { readonly uri?: unknown } | undefined)?.uri
      const base = typeof uri === "string" ? pathOf(uri) : undefined
      if (base === undefined || typeof pattern !== "string") return () => false
      const test = Glob.compile(pattern)
      return (absolute: string) => {
        const inside = relative(base, absolute)
        return !inside.startsWith("..") && test(slashes(inside))
      }
    })
    return (absolute) => tests.some((test) => test(absolute))
  }

  /** Whether an overlay stands in front of the disk now. */
  get overlaid(): boolean {
    return this.shown.files.size > 0
  }

  /**
   * The state of the disk that the server sees, and which documents of no project are open, which may say what others
   * mean; undefined while something else is shown.
   */
  get ofDisk(): string | undefined {
    if (this.shown.key !== disk.key || this.halfway) return undefined
    const loose = [...this.open.keys()].filter((path) => this.projects.of.get(path) === "").sort()
    return [this.changes, ...loose].join("\0")
  }

  /** Whether a file is there in the current view. */
  exists(path: string): boolean {
    const overlay = this.shown.files.get(path)
    return overlay === undefined ? existsSync(join(this.root.real, path)) : overlay !== null
  }

  /** Number of open documents. */
  get size(): number {
    return this.open.size
  }

  /** Grows whenever the server is told of a change in any document. */
  get state(): number {
    return this.epoch
  }

  /** Version and telling order of an open document. */
  told(path: string): { readonly uri: string; readonly version: number; readonly order: number } | undefined {
    const document = this.open.get(path)
    return document === undefined
      ? undefined
      : { uri: document.uri, version: document.version, order: document.toldAt }
  }

  /** The text of a path in the current view, cut into lines; undefined when there is none to be had. */
  lines(path: string): Lines | undefined {
    const document = this.open.get(path)
    if (document !== undefined) return (document.lines ??= new Lines(document.text))
    const overlay = this.shown.files.get(path)
    if (overlay === null) return undefined
    const text = overlay ?? this.fromDisk(path)
    return typeof text === "string" ? new Lines(text) : undefined
  }

  /** A place (line 1-based, column 0-based in UTF-16 units) as the server counts. Fails when the text has no such place. */
  toServer(path: string, line: number, column: number): Effect.Effect<Position, BadQuestion> {
    return Effect.suspend((): Effect.Effect<Position, BadQuestion> => {
      const lines = this.lines(path)
      if (lines === undefined)
        return Effect.fail(new BadQuestion({ reason: "not_found", detail: `${path} cannot be read` }))
      if (!Number.isInteger(line) || line < 1 || line > lines.count)
        return Effect.fail(
          new BadQuestion({
            reason: "invalid_argument",
            detail: `${path} has ${lines.count} lines, not ${line}`
          })
        )
      const text = lines.line(line - 1)
      if (!Number.isInteger(column) || column < 0 || column > text.length)
        return Effect.fail(
          new BadQuestion({
            reason: "invalid_argument",
            detail: `line ${line} of ${path} has ${text.length} columns, not ${column}`
          })
        )
      return Effect.succeed({ line: line - 1, character: fromUtf16(text, column, this.server.encoding) })
    })
  }

  /** A server's place as this house counts. */
  fromServer(path: string, position: Position): { readonly line: number; readonly column: number } {
    const { encoding } = this.server
    if (encoding === "utf-16") return { line: position.line + 1, column: position.character }
    const text = this.lines(path)?.line(position.line)
    return {
      line: position.line + 1,
      column: text === undefined ? position.character : toUtf16(text, position.character, encoding)
    }
  }

  /** Root-relative path of a caller's path, or why not. */
  static confine(root: Root, path: string): Effect.Effect<string, BadQuestion> {
    return Effect.suspend((): Effect.Effect<string, BadQuestion> => {
      const place = confineSync(root, path, { allowMissing: true })
      if ("_tag" in place)
        return Effect.fail(
          new BadQuestion({
            reason: place.reason === "path_outside_root" ? "path_outside_root" : "invalid_path",
            detail: `${path}: ${place.reason}`
          })
        )
      return Effect.succeed(place.relative)
    })
  }
}

const slashes = (path: string): string => (sep === "/" ? path : path.split(sep).join("/"))
