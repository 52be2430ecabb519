/** The history of a workspace of several repositories: each question goes to the repository it names. */
import { Effect } from "effect"
import type { GitReader } from "../../services/GitReader.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Member } from "./Members.ts"

type Reader = GitReader["Type"]

/** A repository that is not the served one, and a path in it. */
export interface Lead {
  readonly member: Member
  /** "." for its root. */
  readonly path: string
}

export interface Ways {
  readonly own: Reader
  /** Where a path of the whole leads; undefined for the served repository. */
  readonly into: (path: string) => Effect.Effect<Lead | undefined, ServiceFailure>
  readonly readerOf: (member: Member) => Effect.Effect<Reader, ServiceFailure>
}

interface Touched {
  readonly path: string
  readonly previous_path?: string
}

/** What a question becomes for the repository it goes to. */
interface Asked {
  readonly reader: Reader
  readonly repository: string | undefined
  /** A path of the whole as one of the repository, and back. */
  readonly inward: (path: string) => string
  readonly outward: (path: string) => string
}

const same = (path: string): string => path

const touched =
  ({ outward }: Asked) =>
  <A extends Touched>(file: A): A => ({
    ...file,
    path: outward(file.path),
    ...(file.previous_path === undefined ? {} : { previous_path: outward(file.previous_path) })
  })

/** Reads the history of whichever repository is asked about. */
export const routed = ({ into, own, readerOf }: Ways): Reader => {
  /** The repository that `repository` names, or else that a path lies in. */
  const asked = (repository: string | undefined, path?: string): Effect.Effect<Asked, ServiceFailure> =>
    Effect.gen(function* () {
      const named = repository ?? path
      const lead = named === undefined ? undefined : yield* into(named)
      if (lead === undefined) return { reader: own, repository, inward: same, outward: same }
      const { prefix } = lead.member
      return {
        reader: yield* readerOf(lead.member),
        repository: repository === undefined ? "." : lead.path,
        inward: (one) => (one.startsWith(prefix) ? one.slice(prefix.length) : one),
        outward: (one) => prefix + one
      }
    })

  return {
    ...own,
    changes: (comparison, options = {}) =>
      Effect.flatMap(asked(options.repository), (to) =>
        Effect.map(to.reader.changes(comparison, { ...options, repository: to.repository }), (found) => ({
          ...found,
          files: found.files.map(touched(to)),
          undecodable: found.undecodable.map(to.outward),
          nested: found.nested.map(to.outward),
          unreadable: found.unreadable.map(to.outward)
        }))
      ),
    texts: (blobs, options = {}) =>
      Effect.flatMap(asked(options.repository), ({ reader, repository }) =>
        reader.texts(blobs, { repository })
      ),
    blame: (path, options = {}) =>
      Effect.flatMap(asked(options.repository, path), ({ inward, reader, repository }) =>
        reader.blame(inward(path), { repository })
      ),
    state: (options = {}) =>
      Effect.flatMap(asked(options.repository), ({ reader, repository }) => reader.state({ repository })),
    history: (options) =>
      Effect.flatMap(asked(options.repository), (to) =>
        Effect.map(
          to.reader.history({
            ...options,
            repository: to.repository,
            ...(options.paths === undefined ? {} : { paths: options.paths.map(to.inward) })
          }),
          // What is already of the whole is not made again: a history may be long.
          (found) =>
            to.reader === own
              ? found
              : {
                  ...found,
                  commits: found.commits.map((commit) => ({
                    ...commit,
                    files: commit.files.map(touched(to))
                  }))
                }
        )
      ),
    lineage: (files, options) =>
      Effect.flatMap(asked(options.repository, files[0]?.path), (to) =>
        Effect.map(
          to.reader.lineage(
            files.map((file) => ({ ...file, path: to.inward(file.path) })),
            { ...options, repository: to.repository }
          ),
          (found) => ({
            ...found,
            files: found.files.map((file) => ({ ...file, path: to.outward(file.path) }))
          })
        )
      ),
    tags: (options = {}) =>
      Effect.flatMap(asked(options.repository), ({ reader, repository }) =>
        reader.tags({ ...options, repository })
      ),
    firstSeen: (trees, options = {}) =>
      Effect.flatMap(asked(options.repository), ({ outward, reader, repository }) =>
        Effect.map(reader.firstSeen(trees, { repository }), (found) =>
          found.map((paths) => paths.map(outward))
        )
      ),
    firstReached: (commits, options = {}) =>
      Effect.flatMap(asked(options.repository), ({ reader, repository }) =>
        reader.firstReached(commits, { repository })
      ),
    messages: (commits, options = {}) =>
      Effect.flatMap(asked(options.repository), ({ reader, repository }) =>
        reader.messages(commits, { repository })
      ),
    textAt: (commit, path, options = {}) =>
      Effect.flatMap(asked(options.repository, path), ({ inward, reader, repository }) =>
        reader.textAt(commit, inward(path), { repository })
      )
  }
}
