/** Edits as language servers state them, and what they make of files. */
import { Effect, Either } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import { isRecord, type UnknownRecord } from "../../registry/Json.ts"
import { isWithin } from "../../registry/Place.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import { type FileText, ReadFs } from "../../services/ReadFs.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"

/** A file before and after an edit, without byte order marks; undefined on the side where it is not. */
export interface EditedFile {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Files by path, over those of the work tree. */
export type Files = ReadonlyMap<string, OverlayFile>

/** A move of one file; both are root-relative. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** What an edit comes to. */
export interface Applied {
  /** Everything that differs from the work tree afterwards. */
  readonly files: Files
  /** What the edit itself changes, by path; files it leaves as they are do not count. */
  readonly edited: ReadonlyArray<EditedFile>
  readonly moves: ReadonlyArray<Move>
  /** Files and folders it names that are not there; what it says of them is left undone. */
  readonly missing: ReadonlyArray<string>
}

const refuse = (field: string, why: string): OperationFailure =>
  invalidArgument(field, `${field} ${why}`, {
    reason_code: "invalid_workspace_edit",
    failure_stage: "decode"
  })

// ---- texts -------------------------------------------------------------------------------------

/** Why edits do not fit a text: `at` leads to the part at fault, below the list of edits. */
export interface Misfit {
  readonly at: string
  readonly why: string
  /** The edit is well formed, and the text does not have the place. */
  readonly place: boolean
}

/** Where the lines of a text are; it is read as far as lines are asked for. */
class Lines {
  readonly #ends: Array<number> = []
  readonly #starts = [0]
  readonly #separator: RegExp | undefined

  constructor(readonly text: string) {
    this.#separator = text.includes("\r") ? /\r\n|\n|\r/g : undefined
  }

  get count(): number {
    this.#read(Infinity)
    return this.#ends.length
  }
  startOf(line: number): number | undefined {
    this.#read(line)
    return this.#starts[line]
  }
  /** Where the characters of a line that is there end, before what ends the line. */
  endOf(line: number): number {
    this.#read(line)
    return this.#ends[line]!
  }

  #read(line: number): void {
    const [starts, ends] = [this.#starts, this.#ends]
    while (ends.length <= line && ends.length < starts.length) {
      const from = starts[ends.length]!
      const [end, length] = this.#next(from)
      ends.push(end)
      if (length > 0) starts.push(end + length)
    }
  }
  /** The end of a line, and how long what ends it is. */
  #next(from: number): readonly [end: number, length: number] {
    const separator = this.#separator
    if (separator === undefined) {
      const at = this.text.indexOf("\n", from)
      return at < 0 ? [this.text.length, 0] : [at, 1]
    }
    separator.lastIndex = from
    const found = separator.exec(this.text)
    return found === null ? [this.text.length, 0] : [found.index, found[0].length]
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

interface Position {
  readonly line: number
  readonly character: number
}
const isPosition = (value: unknown): value is Position =>
  isRecord(value) && isCount(value["line"]) && isCount(value["character"])

const offsetOf = (lines: Lines, { character, line }: Position): number | string => {
  const start = lines.startOf(line)
  if (start === undefined) return `is at line ${line}, and the file has ${lines.count} lines, counted from 0`
  const offset = start + character
  if (offset > lines.endOf(line))
    return `is at character ${character} of line ${line}, which has ${lines.endOf(line) - start} UTF-16 units`
  if (offset > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(lines.text.slice(offset - 1, offset + 1)))
    return `is inside of a character of two UTF-16 units, at line ${line}`
  return offset
}

interface Span {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly order: number
}

/**
 * Applies edits with ranges over one text: positions are 0-based and count UTF-16 units. Edits may touch but not overlap;
 * insertions at one place keep their order. Nothing is clamped: a place the text does not have is a misfit.
 */
export const applied = (text: string, edits: ReadonlyArray<unknown>): Either.Either<string, Misfit> => {
  const lines = new Lines(text)
  const spans: Array<Span> = []
  for (const [order, edit] of edits.entries()) {
    const misfit = (at: string, why: string, place = false) =>
      Either.left({ at: `[${order}]${at}`, why, place })
    if (!isRecord(edit)) return misfit("", "is no edit: {range, newText}")
    if (!isRecord(edit["range"])) return misfit(".range", "is no range: {start, end}")
    if (typeof edit["newText"] !== "string") return misfit(".newText", "is no text")
    const { end, start } = edit["range"]
    const malformed = "is no position: {line, character}, both counted from 0"
    if (!isPosition(start)) return misfit(".range.start", malformed)
    if (!isPosition(end)) return misfit(".range.end", malformed)
    const from = offsetOf(lines, start)
    if (typeof from === "string") return misfit(".range.start", from, true)
    const to = offsetOf(lines, end)
    if (typeof to === "string") return misfit(".range.end", to, true)
    if (to < from) return misfit(".range", "ends before it starts")
    spans.push({ from, to, text: edit["newText"], order })
  }
  spans.sort((a, b) => a.from - b.from || a.to - b.to || a.order - b.order)
  let out = ""
  let at = 0
  let last: Span | undefined
  for (const span of spans) {
    if (span.from < at || (last !== undefined && last.from < last.to && last.from === span.from))
      return Either.left({
        at: `[${span.order}].range`,
        why: `overlaps that of edit ${last!.order}`,
        place: false
      })
    out += text.slice(at, span.from) + span.text
    at = span.to
    last = span
  }
  return Either.right(out + text.slice(at))
}

// ---- files -------------------------------------------------------------------------------------

const mark = "\uFEFF"

interface Held {
  /** Without a byte order mark; undefined where there is no file. */
  readonly text: string | undefined
  readonly bom: boolean
  readonly baseSha: string | undefined
}

const nowhere: Held = { text: undefined, bom: false, baseSha: undefined }

/** Reads a file through overlaid ones. Fails for what is no UTF-8 text. */
const read = (
  { files, text }: Ground,
  path: string,
  field: string
): Effect.Effect<Held, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const own = files.get(path)
    if (own !== undefined) {
      if (own.deleted) return { ...nowhere, baseSha: own.baseSha }
      const bom = own.content.startsWith(mark)
      return { text: bom ? own.content.slice(1) : own.content, bom, baseSha: own.baseSha }
    }
    const fs = yield* ReadFs
    const file = yield* text(fs, path).pipe(
      Effect.map((found): FileText | undefined => found),
      Effect.catchIf(
        ({ reason }) => reason === "not_found",
        () => Effect.succeed(undefined)
      ),
      Effect.mapError((cause) => fromService(cause, { field, failure_stage: "resolve" }))
    )
    if (file === undefined) return nowhere
    if (file.encoding !== "utf8")
      return yield* failure("invalid_utf8", `${path} is ${file.encoding}, and only UTF-8 text is edited`, {
        field,
        failure_stage: "resolve"
      })
    return { text: file.text, bom: file.bom, baseSha: file.sha }
  })

const pathOf = (uri: unknown, field: string): Effect.Effect<string, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    if (typeof uri !== "string" || uri === "") return yield* refuse(field, "names no file")
    let path = uri
    if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) {
      const url = URL.canParse(uri) ? new URL(uri) : undefined
      const named = url === undefined ? undefined : Either.try(() => decodeURIComponent(url.pathname))
      if (
        url === undefined ||
        url.protocol !== "file:" ||
        url.host !== "" ||
        named === undefined ||
        Either.isLeft(named)
      )
        return yield* refuse(field, `is ${JSON.stringify(uri)}, which is neither a file:// URI nor a path`)
      path = named.right
    }
    const fs = yield* ReadFs
    return yield* Effect.mapError(fs.relative(path), (cause) =>
      fromService(cause, { field, failure_stage: "resolve" })
    )
  })

/** Where an edit is applied. */
export interface Ground {
  /** What lies over the work tree already. */
  readonly files: Files
  /** Paths of the work tree, for operations on folders. */
  readonly listed: () => Iterable<string>
  /** Reads what lies below `files`. */
  readonly text: (fs: ReadFs["Type"], path: string) => Effect.Effect<FileText, ServiceFailure>
}

/**
 * Applies one WorkspaceEdit in memory. `field` names it in failures: `invalid_argument` for what is no WorkspaceEdit or
 * does not fit the texts, `path_outside_root`, `invalid_utf8` and other failures of reading.
 */
export const applyWorkspaceEdit = (
  edit: UnknownRecord,
  ground: Ground,
  field: string
): Effect.Effect<Applied, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const files = new Map(ground.files)
    const first = new Map<string, Held>()
    const now = new Map<string, Held>()
    /** What files that were moved on the way were called before. */
    const origin = new Map<string, string>()
    const missing = new Set<string>()

    const open = (path: string, at: string) =>
      Effect.gen(function* () {
        const known = now.get(path)
        if (known !== undefined) return known
        const held = yield* read(ground, path, at)
        first.set(path, held)
        now.set(path, held)
        return held
      })
    const put = (path: string, text: string | undefined, bom: boolean) => {
      now.set(path, { ...now.get(path)!, text, bom })
      if (text === undefined) origin.delete(path)
    }
    const fileOf = (path: string, at: string) =>
      Effect.catchIf(
        open(path, at),
        ({ code }) => code === "not_file",
        () => Effect.succeed(nowhere)
      )
    /** Files below a folder as it is by now. */
    const below = (folder: string): ReadonlyArray<string> => {
      const out = new Set<string>()
      const start = `${folder}/`
      for (const path of ground.listed()) if (path.startsWith(start)) out.add(path)
      for (const [path, file] of ground.files) if (!file.deleted && path.startsWith(start)) out.add(path)
      for (const [path, { text }] of now)
        if (path.startsWith(start)) {
          if (text === undefined) out.delete(path)
          else out.add(path)
        }
      return [...out]
        .filter((path) => ground.files.get(path)?.deleted !== true || now.get(path)?.text !== undefined)
        .sort()
    }
    const change = (path: string, edits: unknown, at: string) =>
      Effect.gen(function* () {
        if (!Array.isArray(edits)) return yield* refuse(at, "is no list of edits")
        const held = yield* open(path, at)
        const out = applied(held.text ?? "", edits)
        if (held.text === undefined) {
          // What writes at the very start of a file that is not there makes it; anything else is of a file it believes in.
          if (Either.isLeft(out) && out.left.place) return void missing.add(path)
          if (Either.isRight(out) && out.right === "") return
        }
        if (Either.isLeft(out)) return yield* refuse(`${at}${out.left.at}`, out.left.why)
        put(path, out.right, held.bom)
      })
    const flag = (options: unknown, name: string): boolean => isRecord(options) && options[name] === true

    const create = (document: UnknownRecord, at: string) =>
      Effect.gen(function* () {
        const path = yield* pathOf(document["uri"], `${at}.uri`)
        const held = yield* open(path, `${at}.uri`)
        const { options } = document
        if (held.text === undefined) put(path, "", false)
        else if (flag(options, "overwrite")) put(path, "", held.bom)
        else if (!flag(options, "ignoreIfExists"))
          return yield* refuse(`${at}.uri`, `is to be created, and ${path} is there already`)
      })
    const move = (from: string, to: string, options: unknown, at: string) =>
      Effect.gen(function* () {
        const source = yield* open(from, `${at}.oldUri`)
        const target = yield* open(to, `${at}.newUri`)
        if (from === to) return
        if (target.text !== undefined && !flag(options, "overwrite")) {
          if (flag(options, "ignoreIfExists")) return
          return yield* refuse(`${at}.newUri`, `is where ${from} is to go, and ${to} is there already`)
        }
        const called = origin.get(from) ?? (first.get(from)?.text === undefined ? undefined : from)
        put(from, undefined, false)
        put(to, source.text, source.bom)
        if (called !== undefined) origin.set(to, called)
      })
    const rename = (document: UnknownRecord, at: string) =>
      Effect.gen(function* () {
        const from = yield* pathOf(document["oldUri"], `${at}.oldUri`)
        const to = yield* pathOf(document["newUri"], `${at}.newUri`)
        if ((yield* fileOf(from, `${at}.oldUri`)).text !== undefined)
          return yield* move(from, to, document["options"], at)
        const inside = below(from)
        if (inside.length === 0) return void missing.add(from)
        if (isWithin(to, from)) return yield* refuse(`${at}.newUri`, `lies inside of ${from}`)
        for (const path of inside) yield* move(path, to + path.slice(from.length), document["options"], at)
      })
    const remove = (document: UnknownRecord, at: string) =>
      Effect.gen(function* () {
        const path = yield* pathOf(document["uri"], `${at}.uri`)
        if ((yield* fileOf(path, `${at}.uri`)).text !== undefined) return put(path, undefined, false)
        const inside = below(path)
        if (inside.length === 0) {
          if (!flag(document["options"], "ignoreIfNotExists")) missing.add(path)
          return
        }
        if (!flag(document["options"], "recursive"))
          return yield* refuse(`${at}.uri`, `is a folder with files in it, and options.recursive is not set`)
        for (const each of inside) {
          yield* open(each, `${at}.uri`)
          put(each, undefined, false)
        }
      })

    const documents = edit["documentChanges"]
    const changes = edit["changes"]
    if (Array.isArray(documents)) {
      for (const [place, document] of (documents as ReadonlyArray<unknown>).entries()) {
        const at = `${field}.documentChanges[${place}]`
        if (!isRecord(document)) return yield* refuse(at, "is no document change")
        const { kind } = document
        if (kind === "create") yield* create(document, at)
        else if (kind === "rename") yield* rename(document, at)
        else if (kind === "delete") yield* remove(document, at)
        else if (kind !== undefined) return yield* refuse(`${at}.kind`, "is none of create, rename, delete")
        else {
          const named = document["textDocument"]
          const path = yield* pathOf(isRecord(named) ? named["uri"] : undefined, `${at}.textDocument.uri`)
          yield* change(path, document["edits"], `${at}.edits`)
        }
      }
    } else if (isRecord(changes)) {
      // Two spellings of one file are one file.
      const byPath = new Map<string, { readonly at: string; readonly edits: Array<unknown> }>()
      for (const [uri, edits] of Object.entries(changes)) {
        const at = `${field}.changes[${JSON.stringify(uri)}]`
        if (!Array.isArray(edits)) return yield* refuse(at, "is no list of edits")
        const path = yield* pathOf(uri, at)
        const known = byPath.get(path)
        if (known === undefined) byPath.set(path, { at, edits: [...(edits as ReadonlyArray<unknown>)] })
        else known.edits.push(...(edits as ReadonlyArray<unknown>))
      }
      for (const [path, { at, edits }] of byPath) yield* change(path, edits, at)
    } else return yield* refuse(field, "has neither changes nor documentChanges")

    const edited: Array<EditedFile> = []
    for (const [path, { bom, text }] of now) {
      const was = first.get(path)!
      if (was.text === text && (text === undefined || was.bom === bom)) continue
      edited.push({ path, before: was.text, after: text })
      const guard = was.baseSha === undefined ? {} : { baseSha: was.baseSha }
      if (text !== undefined)
        files.set(path, { path, content: bom ? mark + text : text, deleted: false, ...guard })
      else if (was.baseSha === undefined && !ground.files.has(path)) files.delete(path)
      else files.set(path, { path, deleted: true, ...guard })
    }
    edited.sort((a, b) => (a.path < b.path ? -1 : 1))
    return {
      files,
      edited,
      moves: [...origin].flatMap(([to, from]) =>
        now.get(from)?.text === undefined && from !== to ? [{ from, to }] : []
      ),
      missing: [...missing].sort()
    }
  })

/** What the session of the call reads. */
const seen: Ground = { files: new Map(), listed: () => [], text: (fs, path) => fs.readText(path) }

/**
 * What an edit of what the session sees makes of the files it names. Fails with `invalid_argument` for what is no WorkspaceEdit,
 * and with `not_found` where it is about files that are not there.
 */
export const editedFiles = (
  edit: UnknownRecord,
  field = "source.workspace_edit"
): Effect.Effect<ReadonlyArray<EditedFile>, OperationFailure, ReadFs> =>
  Effect.flatMap(applyWorkspaceEdit(edit, seen, field), ({ edited, missing }) =>
    missing.length === 0
      ? Effect.succeed(edited)
      : failure("not_found", `${field} edits ${missing.join(", ")}, which is not there`, {
          field,
          failure_stage: "resolve",
          data: { missing_files: missing }
        })
  )
