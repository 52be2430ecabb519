/** Tags, and which files were there for the first time in the tree of each. */
import { isUtf8 } from "node:buffer"
import { Chunk, Effect, Stream } from "effect"
import type { TagInfo } from "../../services/GitReader.ts"
import { emptyTree } from "./Diff.ts"
import { checkRevision } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { displayBytes, records } from "./Parse.ts"
import { run, stream } from "./Process.ts"

/** Tags that lead to commits, in no particular order; with a revision only those it reaches. */
export const tags = (
  directory: string,
  revision: string | undefined
): Effect.Effect<ReadonlyArray<TagInfo>, GitError> =>
  Effect.gen(function* () {
    const merged = revision === undefined ? [] : [`--merged=${yield* checkRevision(directory, revision)}`]
    // Names of refs hold no line break. What an annotated tag leads to stands behind the star.
    const { stdout } = yield* run(directory, [
      "for-each-ref",
      "--format=%(refname:strip=2)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(tree)%00%(*tree)%00%(committerdate:unix)%00%(*committerdate:unix)",
      ...merged,
      "refs/tags"
    ])
    return stdout
      .toString("utf8")
      .split("\n")
      .flatMap((line): ReadonlyArray<TagInfo> => {
        const [name, type, id, peeledType, peeled, tree, peeledTree, at, peeledAt] = line.split("\0")
        if (type === "commit")
          return [{ name: name!, commit: id!, tree: tree!, at: Number(at), annotated: false }]
        return peeledType === "commit"
          ? [{ name: name!, commit: peeled!, tree: peeledTree!, at: Number(peeledAt), annotated: true }]
          : []
      })
  })

const nul = 0

/**
 * For each of some trees in their order, the paths that none before it had. One process compares each with the one
 * before it, and names alone are read.
 */
export const firstSeen = (
  directory: string,
  trees: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, GitError> =>
  Effect.gen(function* () {
    const out: Array<Array<string>> = trees.map(() => [])
    if (trees.length === 0) return out
    const empty = yield* emptyTree(directory)
    const pieces = yield* stream(
      directory,
      ["diff-tree", "--stdin", "-r", "--name-only", "-z", "--no-renames", "--diff-filter=A"],
      {
        stdin: Buffer.from(
          trees.map((tree, i) => `${i === 0 ? empty : trees[i - 1]!} ${tree}\n`).join(""),
          "latin1"
        )
      }
    ).pipe(Stream.runCollect)
    const seen = new Set<string>()
    const header = /^[0-9a-f]{40,64} [0-9a-f]{40,64}\n/
    let place = -1
    for (const record of records(Buffer.concat(Chunk.toReadonlyArray(pieces)))) {
      // Headers end in a line break, names in NUL, so headers stand before the name that follows.
      let rest = record
      for (;;) {
        const match = header.exec(rest.toString("latin1", 0, 131))
        if (match === null) break
        place++
        rest = rest.subarray(match[0].length)
      }
      if (rest.length === 0 || rest[0] === nul) continue
      const name = isUtf8(rest) ? rest.toString("utf8") : displayBytes(rest)
      if (seen.has(name)) continue
      seen.add(name)
      out[place]?.push(name)
    }
    return out
  })
