/** Commits with the files they touched and how many lines of each, newest first. */
import { Chunk, Effect, Stream } from "effect"
import type { FileTouch, HistoryCommit } from "../../services/GitReader.ts"
import { checkRevision } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { stream } from "./Process.ts"

export interface HistoryOptions {
  readonly revision: string
  readonly limit: number
  /** Leave merges out. Else they come without files. */
  readonly merges: boolean
  /** Count lines too, for which git has to look into every file. */
  readonly lines: boolean
  /** Find renames, for which git has to look into files that come and go. */
  readonly renames: boolean
  /** Only commits of at least this time, seconds since 1970. */
  readonly since?: number | undefined
  /** Only those that touch one of these, taken literally. Without renames of what is outside of them. */
  readonly paths?: ReadonlyArray<string> | undefined
}

const mark = "commit "
const format = `${mark}%H%x00%P%x00%ct%x00%aN%x00%aE%x00%s`
const members = 6

interface OpenCommit extends Omit<HistoryCommit, "files"> {
  readonly files: Array<FileTouch>
}

/** Reads `git log -z` with `--name-status` or `--numstat`, piece by piece. */
class HistoryParser {
  #rest: Buffer = Buffer.alloc(0)
  #header: Array<string> = []
  #wanted = 0
  #names = 0
  #touch: { old?: string; readonly renamed: boolean; added?: number; deleted?: number } | undefined
  #open: OpenCommit | undefined
  #out: Array<HistoryCommit> = []

  push(piece: Buffer): ReadonlyArray<HistoryCommit> {
    const data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let from = 0
    for (;;) {
      const to = data.indexOf(0, from)
      if (to < 0) break
      this.#take(data.toString("utf8", from, to))
      from = to + 1
    }
    this.#rest = Buffer.from(data.subarray(from))
    return this.#out.splice(0)
  }

  finish(): ReadonlyArray<HistoryCommit> {
    if (this.#rest.length > 0) this.push(Buffer.from([0]))
    this.#close()
    return this.#out.splice(0)
  }

  #close(): void {
    if (this.#open !== undefined) this.#out.push(this.#open)
    this.#open = undefined
  }

  #file(path: string): void {
    const { added, deleted, old } = this.#touch!
    this.#open?.files.push({
      path,
      ...(old === undefined ? {} : { previous_path: old }),
      ...(added === undefined ? {} : { added }),
      ...(deleted === undefined ? {} : { deleted })
    })
    this.#touch = undefined
  }

  #take(record: string): void {
    if (this.#wanted > 0) {
      this.#header.push(record)
      if (--this.#wanted === 0) this.#begin()
      return
    }
    if (this.#touch !== undefined) {
      if (this.#touch.renamed && this.#names++ === 0) this.#touch.old = record
      else this.#file(record)
      return
    }
    const text = record.startsWith("\n") ? record.slice(1) : record
    if (text.startsWith(mark)) {
      this.#close()
      this.#header = [text.slice(mark.length)]
      this.#wanted = members - 1
      return
    }
    const counted = /^(\d+|-)\t(\d+|-)\t/.exec(text)
    if (counted !== null) {
      const path = text.slice(counted[0].length)
      this.#names = 0
      this.#touch = {
        renamed: path === "",
        ...(counted[1] === "-" ? {} : { added: Number(counted[1]), deleted: Number(counted[2]) })
      }
      if (path !== "") this.#file(path)
    } else if (/^[A-Z]\d*$/.test(text)) {
      this.#names = 0
      this.#touch = { renamed: text[0] === "R" || text[0] === "C" }
    }
  }

  #begin(): void {
    const [id, parents, at, author, email, subject] = this.#header
    this.#open = {
      id: id!,
      parents: parents === "" ? 0 : parents!.split(" ").length,
      at: Number(at),
      author: author!,
      email: email!,
      subject: subject!,
      files: []
    }
  }
}

/** The newest commits that fit. Streamed: git is stopped where the limit is reached. */
export const history = (
  directory: string,
  options: HistoryOptions
): Effect.Effect<{ readonly commits: ReadonlyArray<HistoryCommit>; readonly truncated: boolean }, GitError> =>
  Effect.gen(function* () {
    const revision = yield* checkRevision(directory, options.revision)
    const parser = new HistoryParser()
    const commits: Array<HistoryCommit> = []
    const args = [
      "--literal-pathspecs",
      "log",
      "-z",
      `--format=${format}`,
      options.lines ? "--numstat" : "--name-status",
      options.renames ? "-M" : "--no-renames",
      `--max-count=${options.limit + 1}`,
      "--no-ext-diff",
      "--no-textconv",
      "--no-show-signature",
      "--use-mailmap",
      "--ignore-submodules=none",
      "--no-color",
      "--no-decorate",
      "--no-notes",
      "--no-relative",
      ...(options.merges ? [] : ["--no-merges"]),
      ...(options.since === undefined ? [] : [`--since=@${Math.floor(options.since)}`]),
      "--end-of-options",
      revision,
      "--",
      ...(options.paths ?? [])
    ]
    yield* stream(directory, args).pipe(
      Stream.runForEachChunk((pieces) =>
        Effect.sync(() => {
          for (const piece of Chunk.toReadonlyArray(pieces)) commits.push(...parser.push(piece))
        })
      )
    )
    commits.push(...parser.finish())
    const truncated = commits.length > options.limit
    if (truncated) commits.length = options.limit
    return { commits, truncated }
  })
