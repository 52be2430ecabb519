/** The commits behind a revision, children before parents, with the trees they stand for. */
import { Chunk, Effect, Stream } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { checkRevision } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { run, stream } from "./Process.ts"

/** Names and addresses are those the repository's mailmap gives; times are seconds since 1970. */
export interface GraphCommit {
  readonly id: string
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly authoredAt: number
  readonly committedAt: number
  readonly author: string
  readonly email: string
  readonly subject: string
}

export interface CommitGraph {
  readonly commits: ReadonlyArray<GraphCommit>
  readonly placeOf: ReadonlyMap<string, number>
  /** Trees of parents that are not part of it, so that the last commits can be compared too. */
  readonly beyond: ReadonlyMap<string, string>
  /** Commits whose parents exist and are not here, because the clone is shallow. */
  readonly boundary: ReadonlySet<string>
  /** There are more commits than were asked for. */
  readonly truncated: boolean
}

const format = "%H%x00%T%x00%P%x00%at%x00%ct%x00%aN%x00%aE%x00%s"
const members = 8

const commitOf = (fields: ReadonlyArray<string>): GraphCommit => ({
  id: fields[0]!,
  tree: fields[1]!,
  parents: fields[2] === "" ? [] : fields[2]!.split(" "),
  authoredAt: Number(fields[3]),
  committedAt: Number(fields[4]),
  author: fields[5]!,
  email: fields[6]!,
  subject: fields[7]!
})

/** Turns pieces of NUL-terminated output into records of so many fields. */
export class FieldReader {
  readonly #members: number
  #rest: Buffer = Buffer.alloc(0)
  #fields: Array<string> = []

  constructor(members: number) {
    this.#members = members
  }

  push(piece: Buffer): Array<ReadonlyArray<string>> {
    const data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const out: Array<ReadonlyArray<string>> = []
    let from = 0
    for (;;) {
      const to = data.indexOf(0, from)
      if (to < 0) break
      this.#fields.push(data.toString("utf8", from, to))
      from = to + 1
      if (this.#fields.length === this.#members) {
        out.push(this.#fields)
        this.#fields = []
      }
    }
    this.#rest = Buffer.from(data.subarray(from))
    return out
  }
}

/** Where a clone of limited depth ends; empty for a whole one. */
export const shallowBoundary = (commonDir: string): ReadonlySet<string> => {
  try {
    return new Set(
      readFileSync(join(commonDir, "shallow"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
    )
  } catch {
    return new Set()
  }
}

/** Trees of those commits that are there. */
const treesOf = (
  directory: string,
  commits: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, string>, GitError> =>
  Effect.map(
    run(directory, ["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
      stdin: Buffer.from(commits.map((id) => `${id}^{tree}\n`).join(""), "latin1")
    }),
    ({ stdout }) => {
      const out = new Map<string, string>()
      stdout
        .toString("latin1")
        .split("\n")
        .forEach((line, i) => {
          const [tree, type] = line.split(" ")
          if (type === "tree") out.set(commits[i]!, tree!)
        })
      return out
    }
  )

/** Which of the commits are there. */
export const present = (
  directory: string,
  commits: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<string>, GitError> =>
  Effect.map(treesOf(directory, commits), (trees) => new Set(trees.keys()))

/** At most `limit` commits reachable from a revision. Streamed, so that no more is held than is asked for. */
export const commitGraph = (
  directory: string,
  options: { readonly revision: string; readonly limit: number; readonly commonDir: string }
): Effect.Effect<CommitGraph, GitError> =>
  Effect.gen(function* () {
    const revision = yield* checkRevision(directory, options.revision)
    const reader = new FieldReader(members)
    const commits: Array<GraphCommit> = []
    yield* stream(directory, [
      "log",
      "-z",
      "--topo-order",
      `--format=${format}`,
      `--max-count=${options.limit + 1}`,
      "--no-show-signature",
      "--use-mailmap",
      "--no-color",
      "--no-decorate",
      "--no-notes",
      "--end-of-options",
      revision,
      "--"
    ]).pipe(
      Stream.runForEachChunk((pieces) =>
        Effect.sync(() => {
          for (const piece of Chunk.toReadonlyArray(pieces))
            for (const fields of reader.push(piece)) commits.push(commitOf(fields))
        })
      )
    )
    const truncated = commits.length > options.limit
    if (truncated) commits.length = options.limit
    const placeOf = new Map(commits.map(({ id }, place) => [id, place]))
    const boundary = shallowBoundary(options.commonDir)
    return {
      commits,
      placeOf,
      beyond: truncated
        ? yield* treesOf(
            directory,
            commits.flatMap(({ id, parents }) =>
              boundary.has(id) ? [] : parents.filter((parent) => !placeOf.has(parent))
            )
          )
        : new Map(),
      boundary,
      truncated
    }
  })
