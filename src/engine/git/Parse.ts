import { isUtf8 } from "node:buffer"

/** Splits NUL-terminated output into strings; records that are not UTF-8 come back apart, as bytes. */
export const splitNul = (
  output: Buffer
): { readonly texts: Array<string>; readonly undecodable: Array<Buffer> } => {
  if (output.length === 0) return { texts: [], undecodable: [] }
  if (isUtf8(output)) {
    const texts = output.toString("utf8").split("\0")
    if (texts[texts.length - 1] === "") texts.pop()
    return { texts, undecodable: [] }
  }
  const texts: Array<string> = []
  const undecodable: Array<Buffer> = []
  for (const bytes of records(output)) {
    if (isUtf8(bytes)) texts.push(bytes.toString("utf8"))
    else undecodable.push(Buffer.from(bytes))
  }
  return { texts, undecodable }
}

/** NUL-terminated records of a buffer, in order, as views. */
export function* records(output: Buffer): Generator<Buffer> {
  let from = 0
  while (from < output.length) {
    const to = output.indexOf(0, from)
    const stop = to < 0 ? output.length : to
    yield output.subarray(from, stop)
    from = stop + 1
  }
}

/** A printable stand-in for a name that is not UTF-8: valid bytes as they are, others as `\xNN`. Never a usable path. */
export const displayBytes = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) {
    text +=
      byte >= 0x20 && byte < 0x7f && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, "0")}`
  }
  return text
}

/** One index entry. `mode` is git's octal mode as a number (0o100644, 0o100755, 0o120000, 0o160000); `stage` 0 unless unmerged. */
export interface TrackedFile {
  readonly path: string
  readonly mode: number
  readonly oid: string
  readonly stage: 0 | 1 | 2 | 3
}

/** Parses `ls-files -s -z` / `ls-tree -r -z`-like records `<mode> <oid> <stage>\t<path>`. Returns null for a foreign shape. */
export const parseStageRecord = (record: string): TrackedFile | null => {
  const tab = record.indexOf("\t")
  const first = record.indexOf(" ")
  const second = record.indexOf(" ", first + 1)
  if (first < 0 || second < 0 || tab !== second + 2) return null
  const stage = record.charCodeAt(second + 1) - 48
  if (stage < 0 || stage > 3) return null
  return {
    path: record.slice(tab + 1),
    mode: Number.parseInt(record.slice(0, first), 8),
    oid: record.slice(first + 1, second),
    stage: stage as 0 | 1 | 2 | 3
  }
}

/** An object of a tree. `size` is in bytes and null for anything but a blob. */
export interface TreeEntry {
  readonly path: string
  readonly mode: number
  readonly type: string
  readonly oid: string
  readonly size: number | null
}

/** Parses `ls-tree -l -z` records `<mode> <type> <oid> <padded size>\t<path>`. */
export const parseTreeRecord = (record: string): TreeEntry | null => {
  const match = /^(\d+) (\S+) ([0-9a-f]+) +(\d+|-)\t/.exec(record)
  if (match === null) return null
  return {
    path: record.slice(match[0].length),
    mode: Number.parseInt(match[1]!, 8),
    type: match[2]!,
    oid: match[3]!,
    size: match[4] === "-" ? null : Number(match[4])
  }
}

/** What happened to a path between two states. `type_changed` means e.g. a file became a symbolic link. */
export type ChangeKind =
  | "added"
  | "modified"
  | "deleted"
  | "renamed"
  | "copied"
  | "type_changed"
  | "unmerged"
  | "unknown"

const changeKinds: Readonly<Record<string, ChangeKind>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type_changed",
  U: "unmerged"
}

/** The kind behind a status letter; `unknown` for letters git does not document here. */
export const changeKind = (letter: string): ChangeKind => changeKinds[letter] ?? "unknown"

/** A file touched by a commit. `similarity` is a percentage for renames and copies. */
export interface TouchedFile {
  readonly kind: ChangeKind
  readonly path: string
  readonly oldPath?: string
  readonly similarity?: number
}

/** A change between two trees, or a tree and the work tree. An oid is null where git does not know it (all zeros). */
export interface TreeChange extends TouchedFile {
  readonly oldMode: number
  readonly newMode: number
  readonly oldOid: string | null
  readonly newOid: string | null
}

const knownOid = (oid: string): string | null => (/^0+$/.test(oid) ? null : oid)

/** Parses `--raw -z` output. Returns null when the shape is foreign. */
export const parseRaw = (texts: ReadonlyArray<string>): Array<TreeChange> | null => {
  const changes: Array<TreeChange> = []
  for (let at = 0; at < texts.length; ) {
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])(\d*)$/.exec(texts[at++]!)
    const first = texts[at++]
    if (match === null || first === undefined) return null
    const base = {
      kind: changeKind(match[5]!),
      oldMode: Number.parseInt(match[1]!, 8),
      newMode: Number.parseInt(match[2]!, 8),
      oldOid: knownOid(match[3]!),
      newOid: knownOid(match[4]!)
    }
    if (base.kind === "renamed" || base.kind === "copied") {
      const second = texts[at++]
      if (second === undefined) return null
      changes.push({ ...base, path: second, oldPath: first, similarity: Number(match[6]) })
    } else changes.push({ ...base, path: first })
  }
  return changes
}

/** A commit with the files it touched against its first parent. `authoredAt` and `committedAt` are seconds since 1970. Merges list no files unless asked for. */
export interface Commit {
  readonly oid: string
  readonly parents: ReadonlyArray<string>
  readonly authoredAt: number
  readonly committedAt: number
  readonly authorName: string
  readonly authorEmail: string
  readonly subject: string
  readonly files: ReadonlyArray<TouchedFile>
}

/** Begins a commit record; no path status can look like it. */
const commitMark = "commit "

/** The `--format` that `CommitParser` reads together with `-z --name-status`. */
export const commitFormat = `${commitMark}%H%x00%P%x00%at%x00%ct%x00%an%x00%ae%x00%s`

interface OpenCommit extends Omit<Commit, "files"> {
  readonly files: Array<TouchedFile>
}

/** Reads `git log -z --name-status` output piece by piece; `push` returns the commits completed so far, `finish` the last one. */
export class CommitParser {
  private rest: Buffer = Buffer.alloc(0)
  private header: Array<string> = []
  private wanted = 0
  private status: { readonly kind: ChangeKind; readonly similarity: number | null } | null = null
  private oldPath: string | null = null
  private open: OpenCommit | null = null
  private out: Array<Commit> = []

  push(piece: Buffer): Array<Commit> {
    const data = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece])
    let from = 0
    for (;;) {
      const to = data.indexOf(0, from)
      if (to < 0) break
      this.take(data.toString("utf8", from, to))
      from = to + 1
    }
    this.rest = Buffer.from(data.subarray(from))
    return this.drain()
  }

  finish(): Array<Commit> {
    if (this.rest.length > 0) this.take(this.rest.toString("utf8"))
    this.rest = Buffer.alloc(0)
    this.close()
    return this.drain()
  }

  private drain(): Array<Commit> {
    const done = this.out
    this.out = []
    return done
  }

  private close(): void {
    if (this.open !== null) this.out.push(this.open)
    this.open = null
  }

  private take(record: string): void {
    if (this.wanted > 0) {
      this.header.push(record)
      if (--this.wanted === 0) this.begin()
      return
    }
    if (this.status !== null) {
      const { kind, similarity } = this.status
      if ((kind === "renamed" || kind === "copied") && this.oldPath === null) {
        this.oldPath = record
        return
      }
      this.open?.files.push({
        kind,
        path: record,
        ...(this.oldPath === null ? {} : { oldPath: this.oldPath }),
        ...(similarity === null ? {} : { similarity })
      })
      this.status = null
      this.oldPath = null
      return
    }
    const text = record.startsWith("\n") ? record.slice(1) : record
    if (text.startsWith(commitMark)) {
      this.close()
      this.header = [text.slice(commitMark.length)]
      this.wanted = 6
    } else if (/^[A-Z]\d*$/.test(text)) {
      this.status = { kind: changeKind(text[0]!), similarity: text.length > 1 ? Number(text.slice(1)) : null }
    }
  }

  private begin(): void {
    const [oid, parents, authored, committed, name, email, subject] = this.header
    this.open = {
      oid: oid!,
      parents: parents === "" ? [] : parents!.split(" "),
      authoredAt: Number(authored),
      committedAt: Number(committed),
      authorName: name!,
      authorEmail: email!,
      subject: subject!,
      files: []
    }
  }
}

/** A path's state in `git status`. Letters are porcelain v2's (`.` means unchanged); `index` compares HEAD with the index, `workTree` the index with the disk. */
export interface StatusEntry {
  readonly kind: "changed" | "renamed" | "unmerged" | "untracked"
  readonly path: string
  readonly oldPath?: string
  readonly index: string
  readonly workTree: string
  readonly submodule: boolean
}

/** `git status`: branch is null when HEAD is detached; oid null before the first commit; ahead/behind null without an upstream that exists. */
export interface Status {
  readonly oid: string | null
  readonly branch: string | null
  readonly upstream: string | null
  readonly ahead: number | null
  readonly behind: number | null
  readonly entries: ReadonlyArray<StatusEntry>
  /** Names that are not UTF-8, in printable form. */
  readonly undecodable: ReadonlyArray<string>
  /** Filters set in the repository's own configuration; they were not run, so a file they apply to may count as modified. */
  readonly filtersNotRun: ReadonlyArray<string>
}

/** Cuts the `n` space-separated leading fields off a record and returns the remainder as the last element. */
const leading = (record: string, n: number): Array<string> => {
  const parts: Array<string> = []
  let from = 0
  for (let i = 0; i < n; i++) {
    const to = record.indexOf(" ", from)
    if (to < 0) break
    parts.push(record.slice(from, to))
    from = to + 1
  }
  parts.push(record.slice(from))
  return parts
}

/** Parses `status --porcelain=v2 -z --branch`. Returns null when the shape is foreign. */
export const parseStatus = (output: Buffer): Omit<Status, "filtersNotRun"> | null => {
  const undecodable: Array<string> = []
  const entries: Array<StatusEntry> = []
  let oid: string | null = null
  let branch: string | null = null
  let upstream: string | null = null
  let ahead: number | null = null
  let behind: number | null = null
  const all = [...records(output)]
  for (let at = 0; at < all.length; at++) {
    const bytes = all[at]!
    const record = bytes.toString("utf8")
    const type = record[0]
    const legible = isUtf8(bytes)
    if (type === "#") {
      const [, key, value] = leading(record, 2)
      if (key === "branch.oid") oid = value === "(initial)" ? null : value!
      else if (key === "branch.head") branch = value === "(detached)" ? null : value!
      else if (key === "branch.upstream") upstream = value!
      else if (key === "branch.ab") {
        const match = /^\+(\d+) -(\d+)$/.exec(value!)
        if (match !== null) {
          ahead = Number(match[1])
          behind = Number(match[2])
        }
      }
      continue
    }
    if (type === "2") at++
    if (!legible) {
      undecodable.push(displayBytes(bytes))
      continue
    }
    if (type === "?") {
      entries.push({ kind: "untracked", path: record.slice(2), index: "?", workTree: "?", submodule: false })
      continue
    }
    if (type === "!") continue
    const count = type === "1" ? 8 : type === "2" ? 9 : type === "u" ? 10 : -1
    const parts = leading(record, count)
    if (count < 0 || parts.length !== count + 1) return null
    const xy = parts[1]!
    entries.push({
      kind: type === "1" ? "changed" : type === "2" ? "renamed" : "unmerged",
      path: parts[count]!,
      ...(type === "2" ? { oldPath: all[at]?.toString("utf8") ?? "" } : {}),
      index: xy[0]!,
      workTree: xy[1]!,
      submodule: parts[2]!.startsWith("S")
    })
  }
  return { oid, branch, upstream, ahead, behind, entries, undecodable }
}

/** An object streamed by `cat-file --batch`, or the fact that it is not there. */
export type BatchObject =
  | {
      readonly _tag: "Object"
      readonly spec: string
      readonly oid: string
      readonly type: string
      readonly bytes: Buffer
    }
  | { readonly _tag: "Missing"; readonly spec: string }

/** Reads `cat-file --batch` output piece by piece, answering the given specs in order. */
export class BatchParser {
  private pieces: Array<Buffer> = []
  private held = 0
  private needed = 1
  private next = 0
  private readonly specs: ReadonlyArray<string>

  constructor(specs: ReadonlyArray<string>) {
    this.specs = specs
  }

  /** Objects completed by this piece. */
  push(piece: Buffer): Array<BatchObject> {
    this.pieces.push(piece)
    this.held += piece.length
    if (this.held < this.needed) return []
    const data = this.pieces.length === 1 ? piece : Buffer.concat(this.pieces, this.held)
    const out: Array<BatchObject> = []
    let from = 0
    this.needed = 1
    while (from < data.length) {
      const eol = data.indexOf(10, from)
      if (eol < 0) {
        this.needed = data.length - from + 1
        break
      }
      const header = data.toString("utf8", from, eol)
      const match = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(header)
      if (match === null) {
        out.push({ _tag: "Missing", spec: this.specs[this.next++] ?? header })
        from = eol + 1
        continue
      }
      const size = Number(match[3])
      const stop = eol + 1 + size
      if (stop + 1 > data.length) {
        this.needed = stop + 1 - from
        break
      }
      out.push({
        _tag: "Object",
        spec: this.specs[this.next++] ?? match[1]!,
        oid: match[1]!,
        type: match[2]!,
        bytes: Buffer.from(data.subarray(eol + 1, stop))
      })
      from = stop + 1
    }
    const rest = data.subarray(from)
    this.pieces = rest.length === 0 ? [] : [rest]
    this.held = rest.length
    return out
  }
}
