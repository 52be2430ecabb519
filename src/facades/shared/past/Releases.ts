/** The timeline of releases: tags whose names hold a version, by the time of their commits. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../../registry/Failure.ts"
import type { ReleaseRecord } from "../../../services/ControlTables.ts"
import { GitReader } from "../../../services/GitReader.ts"
import type { Repository } from "./Repositories.ts"

/** What a tag's name says. `product` is what stands before the version, for repositories that release several things. */
export interface Version {
  readonly product: string
  readonly text: string
  readonly numbers: ReadonlyArray<number>
  readonly prerelease: boolean
}

const shape =
  /^(?:(.*?)(?:[-@/_]|(?<=[a-z])(?=v\d)))?v?(\d+(?:\.\d+){0,3})((?:[-.]?(?:alpha|beta|canary|dev|m|milestone|next|nightly|pre|preview|rc|snapshot|a|b|c)[-.]?\d*[\w.-]*)|-[\w.-]+)?(?:\+[\w.-]+)?$/i

/** The version in a tag's name; undefined when it holds none. A bare number counts only behind a `v` or a name. */
export const versionOf = (tag: string): Version | undefined => {
  const found = shape.exec(tag)
  if (found === null) return undefined
  const [, product = "", numbers = "", pre] = found
  if (!numbers.includes(".") && !/v\d/i.test(tag) && product === "") return undefined
  return {
    product: product.replace(/[-@/_]$/, ""),
    text: `${numbers}${pre ?? ""}`,
    numbers: numbers.split(".").map(Number),
    prerelease: pre !== undefined && !/^-(?:final|ga|release)$/i.test(pre)
  }
}

const compared = (a: Version | undefined, b: Version | undefined): number => {
  for (let i = 0; i < 4; i++) {
    const difference = (a?.numbers[i] ?? 0) - (b?.numbers[i] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(b?.prerelease ?? false) - Number(a?.prerelease ?? false)
}

/** Trees that are compared at most; of more tags the newest count. */
export const mostReleases = 2000

export interface Timeline {
  readonly releases: ReadonlyArray<ReleaseRecord>
  /** Tags that hold no version, and are therefore no releases. */
  readonly other_tags: number
  /** Releases that are older than those that were looked at. */
  readonly older: number
}

/** Oldest first. With a revision only what it reaches. */
export const timeline = (
  { repository }: Repository,
  merged?: string | undefined
): Effect.Effect<Timeline, OperationFailure, GitReader> =>
  Effect.gen(function* () {
    const git = yield* GitReader
    const at = { repository }
    const all = yield* Effect.mapError(git.tags({ ...at, merged }), (cause) => fromService(cause))
    const released = all
      .flatMap((tag) => {
        const version = versionOf(tag.name)
        return version === undefined ? [] : [{ tag, version }]
      })
      .sort(
        (a, b) => a.tag.at - b.tag.at || compared(a.version, b.version) || (a.tag.name < b.tag.name ? -1 : 1)
      )
    const kept = released.slice(-mostReleases)
    const [files, commits] = yield* Effect.mapError(
      Effect.all([
        git.firstSeen(
          kept.map(({ tag }) => tag.tree),
          at
        ),
        git.firstReached(
          kept.map(({ tag }) => tag.commit),
          at
        )
      ]),
      (cause) => fromService(cause)
    )
    return {
      releases: kept.map(({ tag, version }, order) => ({
        tag: tag.name,
        commit: tag.commit,
        at: tag.at,
        order,
        version: version.text,
        prerelease: version.prerelease,
        commits: commits[order]!,
        files: files[order]!
      })),
      other_tags: all.length - released.length,
      older: released.length - kept.length
    }
  })
