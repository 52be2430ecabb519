/**
 * What differs between two states of a repository, file by file and hunk by hunk: one run of git, read as it comes. The
 * list of files precedes the hunks, so that it is whole even where the hunks are cut.
 */
import { isUtf8 } from "node:buffer"
import { Chunk, Effect, Option, Stream } from "effect"
import { localFilters, mergeBase, revParse } from "./Git.ts"
import { GitError } from "./GitError.ts"
import { changeKind, displayBytes, type TreeChange } from "./Parse.ts"
import { run, stream } from "./Process.ts"

/** Lines that differ, without context. Starts are 1-based; a side without lines starts after the line it names (0: before the first). */
export interface DiffHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
}

/** A file that differs. Where both sides of `modified` have the same blob only the mode changed. */
export interface DiffFile extends TreeChange {
  /** Git gives no lines for it, because of what it holds or because attributes say so. */
  readonly binary: boolean
  readonly hunks: ReadonlyArray<DiffHunk>
  /** False when hunks are missing: the comparison was cut, or the file is unmerged. */
  readonly hunksComplete: boolean
}

/** What was cut from a comparison: files not listed, and files listed whose hunks are not all there. */
export interface DiffCut {
  readonly files: number
  readonly hunks: number
}

/** How the two sides differ. Paths are relative to the directory asked about. */
export interface Diff {
  readonly files: ReadonlyArray<DiffFile>
  /** Names that are not UTF-8, in printable form. */
  readonly undecodable: ReadonlyArray<string>
  readonly cut: DiffCut
}

/** Bounds of a comparison. */
export interface DiffLimits {
  readonly files: number
  readonly hunksPerFile: number
  /** Bytes of git's output that are read. */
  readonly bytes: number
}
export const diffLimits: DiffLimits = { files: 10_000, hunksPerFile: 10_000, bytes: 256 << 20 }

const escapes: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\"
}

/** A name as git prints it on a line of its own: quoted like a C string where it has to be. In and out one char a byte. */
export const unquoteName = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"')
    ? text
        .slice(1, -1)
        .replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
          code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 255) : (escapes[code] ?? code)
        )
    : text

/** The name at the start of the text, quoted or up to the next tab, and what follows that tab. */
const takeName = (text: string): readonly [name: string, rest: string] => {
  const quoted = /^"(?:[^"\\]|\\.)*"/s.exec(text)?.[0]
  const end = quoted === undefined ? text.indexOf("\t") : quoted.length
  return end < 0 || end === text.length
    ? [unquoteName(text), ""]
    : [unquoteName(text.slice(0, end)), text.slice(end + 1)]
}

interface Entry {
  readonly change: TreeChange
  binary: boolean
  readonly hunks: Array<DiffHunk>
  complete: boolean
}

const knownOid = (oid: string): string | null => (/^0+$/.test(oid) ? null : oid)
const rawLine = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])(\d*)\t/
/** A conflict seen from all its sides: as many colons as sides, then modes and ids of each and of the result. */
const combinedLine = /^::+(\d+) (?:\d+ )*(\d+) (?:[0-9a-f]+ )+[A-Z]+\t/
const hunkLine = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Reads `git diff --raw -p --unified=0` piece by piece. Everything is kept one char a byte until a name is whole. */
export class DiffParser {
  private readonly limits: DiffLimits
  private rest: Buffer = Buffer.alloc(0)
  private readonly entries: Array<Entry> = []
  private readonly byPath = new Map<string, Entry>()
  private unlisted = 0
  private section: Entry | undefined
  private header = false
  /** Lines of the hunk that are still to come. */
  private body = 0
  private bytes = 0
  private stopped = false
  private inPatch = false
  /** Set when the output has a shape this parser does not know. */
  foreign: string | undefined

  constructor(limits: DiffLimits = diffLimits) {
    this.limits = limits
  }

  /** Takes a piece. False when no more is wanted. */
  push(piece: Buffer): boolean {
    if (this.stopped) return false
    this.bytes += piece.length
    const data = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece])
    let from = 0
    for (;;) {
      const to = data.indexOf(10, from)
      if (to < 0) break
      // Lines of a hunk are counted and not looked at beyond their first byte.
      if (this.body > 0) {
        if (data[from] !== 92) this.body--
      } else this.line(data.toString("latin1", from, to))
      from = to + 1
    }
    this.rest = from === data.length ? Buffer.alloc(0) : Buffer.from(data.subarray(from))
    if (this.rest.length > 1 << 20 && this.body > 0) this.rest = Buffer.from(this.rest.subarray(0, 1))
    if (this.bytes >= this.limits.bytes && this.inPatch) this.stopped = true
    return !this.stopped && this.foreign === undefined
  }

  /** What was read. Files whose section was not reached have incomplete hunks when the reading was stopped. */
  finish(): Diff {
    const files: Array<DiffFile> = []
    const undecodable: Array<string> = []
    const seen = this.section === undefined ? -1 : this.entries.indexOf(this.section)
    let cutHunks = 0
    this.entries.forEach((entry, place) => {
      const path = decoded(entry.change.path)
      const oldPath = entry.change.oldPath === undefined ? undefined : decoded(entry.change.oldPath)
      if (path === undefined || (entry.change.oldPath !== undefined && oldPath === undefined)) {
        undecodable.push(displayBytes(Buffer.from(entry.change.path, "latin1")))
        return
      }
      const complete = entry.complete && entry.change.kind !== "unmerged" && !(this.stopped && place >= seen)
      if (!complete && entry.change.kind !== "unmerged") cutHunks++
      files.push({
        ...entry.change,
        path,
        ...(oldPath === undefined ? {} : { oldPath }),
        binary: entry.binary,
        hunks: entry.hunks,
        hunksComplete: complete
      })
    })
    return { files, undecodable, cut: { files: this.unlisted, hunks: cutHunks } }
  }

  private line(text: string): void {
    if (!this.inPatch && text.startsWith(":")) return this.raw(text)
    if (text.startsWith("diff --git ")) {
      this.inPatch = true
      this.header = true
      this.section = this.sameNames(text.slice("diff --git ".length))
      return
    }
    if (text.startsWith("diff --cc ") || text.startsWith("diff --combined ")) {
      // Both sides of a conflict: the file is listed as unmerged, and its hunks say nothing of a base.
      this.inPatch = true
      this.header = false
      this.section = undefined
      return
    }
    if (text.startsWith("@@ ")) return this.hunk(text)
    if (!this.header) return
    if (text.startsWith("--- ")) this.name(text.slice(4), "a/")
    else if (text.startsWith("+++ ")) this.name(text.slice(4), "b/")
    else if (text.startsWith("rename to ")) this.find(unquoteName(text.slice("rename to ".length)))
    else if (text.startsWith("copy to ")) this.find(unquoteName(text.slice("copy to ".length)))
    else if (text.startsWith("Binary files ") && this.section !== undefined) this.section.binary = true
  }

  private raw(text: string): void {
    const match = rawLine.exec(text)
    if (match === null) {
      const conflict = combinedLine.exec(text)
      if (conflict === null) this.foreign ??= text.slice(0, 200)
      else
        this.list({
          kind: "unmerged",
          path: takeName(text.slice(conflict[0].length))[0],
          oldMode: Number.parseInt(conflict[1]!, 8),
          newMode: Number.parseInt(conflict[2]!, 8),
          oldOid: null,
          newOid: null
        })
      return
    }
    const [first, second] = takeName(text.slice(match[0].length))
    const kind = changeKind(match[5]!)
    const moved = kind === "renamed" || kind === "copied"
    if (moved && second === "") this.foreign ??= text.slice(0, 200)
    this.list({
      kind,
      path: moved ? takeName(second)[0] : first,
      ...(moved ? { oldPath: first, similarity: Number(match[6]) } : {}),
      oldMode: Number.parseInt(match[1]!, 8),
      newMode: Number.parseInt(match[2]!, 8),
      oldOid: knownOid(match[3]!),
      newOid: knownOid(match[4]!)
    })
  }

  private list(change: TreeChange): void {
    // An unmerged file may come twice: as that, and as modified.
    if (this.byPath.has(change.path)) return
    if (this.entries.length >= this.limits.files) {
      this.unlisted++
      return
    }
    const entry: Entry = { change, binary: false, hunks: [], complete: true }
    this.entries.push(entry)
    this.byPath.set(change.path, entry)
  }

  /** The file of a header whose two names are the same, as they are unless it moved. */
  private sameNames(names: string): Entry | undefined {
    if (names.startsWith('"')) {
      const quoted = /^"(?:[^"\\]|\\.)*"/s.exec(names)?.[0]
      return quoted === undefined ? undefined : this.byPath.get(unquoteName(quoted).slice(2))
    }
    const length = (names.length - 1) / 2
    return Number.isInteger(length) &&
      names[length] === " " &&
      names.slice(2, length) === names.slice(length + 3)
      ? this.byPath.get(names.slice(2, length))
      : undefined
  }

  private name(text: string, prefix: string): void {
    // A name with a space in it is followed by a tab.
    const name = unquoteName(text.endsWith("\t") ? text.slice(0, -1) : text)
    if (name.startsWith(prefix)) this.find(name.slice(prefix.length))
  }

  private find(path: string): void {
    this.section = this.byPath.get(path) ?? this.section
  }

  private hunk(text: string): void {
    const match = hunkLine.exec(text)
    if (match === null) {
      this.foreign ??= text.slice(0, 200)
      return
    }
    this.header = false
    const hunk: DiffHunk = {
      oldStart: Number(match[1]),
      oldLines: match[2] === undefined ? 1 : Number(match[2]),
      newStart: Number(match[3]),
      newLines: match[4] === undefined ? 1 : Number(match[4])
    }
    this.body = hunk.oldLines + hunk.newLines
    const { section } = this
    if (section === undefined) return
    if (section.hunks.length >= this.limits.hunksPerFile) section.complete = false
    else section.hunks.push(hunk)
  }
}

const decoded = (name: string): string | undefined => {
  const bytes = Buffer.from(name, "latin1")
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined
}

/** The two sides of a comparison. `work tree` and `index` are as they are now. */
export type DiffSides =
  | { readonly from: "index"; readonly to: "work_tree" }
  /** `from` is a commit or tree id. */
  | { readonly from: string; readonly to: "work_tree" | "index" }

/** Compares two states. Programs a repository would have git run are not run; `filtersNotRun` names them. */
export const diff = (
  directory: string,
  sides: DiffSides,
  limits: DiffLimits = diffLimits
): Effect.Effect<Diff & { readonly filtersNotRun: ReadonlyArray<string> }, GitError> =>
  Effect.gen(function* () {
    const filters = sides.to === "work_tree" ? yield* localFilters(directory) : { names: [], off: [] }
    const parser = new DiffParser(limits)
    yield* stream(
      directory,
      [
        "diff",
        "--raw",
        "--patch",
        "--unified=0",
        "--inter-hunk-context=0",
        "--no-abbrev",
        "-M",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--relative",
        "--ignore-submodules=dirty",
        "--submodule=short",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        ...(sides.to === "index" ? ["--cached"] : []),
        ...(sides.from === "index" ? [] : [sides.from]),
        "--"
      ],
      { config: filters.off }
    ).pipe(
      Stream.chunks,
      Stream.runForEachWhile((pieces) =>
        Effect.sync(() => Chunk.toReadonlyArray(pieces).every((piece) => parser.push(piece)))
      )
    )
    if (parser.foreign !== undefined)
      return yield* Effect.fail(
        new GitError({
          reason: "unexpected_output",
          cwd: directory,
          command: "diff",
          exitCode: null,
          stderr: parser.foreign
        })
      )
    return { ...parser.finish(), filtersNotRun: filters.names }
  })

/** The tree without any files. */
export const emptyTree = (directory: string): Effect.Effect<string, GitError> =>
  Effect.map(
    run(directory, ["hash-object", "-t", "tree", "--stdin"], { stdin: new Uint8Array(0) }),
    ({ stdout }) => stdout.toString("latin1").trim()
  )

/** Commits a comparison with a revision rests on. */
export interface Base {
  /** The revision's own commit. */
  readonly commit: string
  /** Where its history and that of HEAD part; undefined when they share none. */
  readonly mergeBase: string | undefined
}

/** Where a comparison with a revision starts. Fails with `unknown_revision` for what names no commit. */
export const baseOf = (directory: string, revision: string): Effect.Effect<Base, GitError> =>
  Effect.gen(function* () {
    const commit = yield* revParse(directory, revision, { commit: true })
    const head = yield* Effect.option(revParse(directory, "HEAD", { commit: true }))
    if (Option.isNone(head)) return { commit, mergeBase: undefined }
    return { commit, mergeBase: (yield* mergeBase(directory, commit, head.value)) ?? undefined }
  })
