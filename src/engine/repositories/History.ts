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

const outward =
  ({ prefix }: Member) =>
  <A extends Touched>(file: A): A => ({
    ...file,
    path: prefix + file.path,
    ...(file.previous_path === undefined ? {} : { previous_path: prefix + file.previous_path })
  })

/** Reads the history of whichever repository is asked about. */
export const routed = ({ into, own, readerOf }: Ways): Reader => {
  /** Asks the repository that `repository` names, or that a path lies in. */
  const ask = <A>(
    repository: string | undefined,
    path: string | undefined,
    here: (reader: Reader) => Effect.Effect<A, ServiceFailure>,
    there: (
      reader: Reader,
      inner: { readonly repository: string; readonly path: (path: string) => string },
      member: Member
    ) => Effect.Effect<A, ServiceFailure>
  ): Effect.Effect<A, ServiceFailure> =>
    Effect.gen(function* () {
      const asked = repository ?? path
      const lead = asked === undefined ? undefined : yield* into(asked)
      if (lead === undefined) return yield* here(own)
      const { member } = lead
      const strip = (one: string) => (one.startsWith(member.prefix) ? one.slice(member.prefix.length) : one)
      return yield* there(
        yield* readerOf(member),
        { repository: repository === undefined ? "." : lead.path, path: strip },
        member
      )
    })

  return {
    ...own,
    changes: (comparison, options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.changes(comparison, options),
        (reader, { repository }, member) =>
          Effect.map(reader.changes(comparison, { ...options, repository }), (found) => ({
            ...found,
            files: found.files.map(outward(member)),
            undecodable: found.undecodable.map((name) => member.prefix + name),
            nested: found.nested.map((path) => member.prefix + path),
            unreadable: found.unreadable.map((path) => member.prefix + path)
          }))
      ),
    texts: (blobs, options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.texts(blobs, options),
        (reader, { repository }) => reader.texts(blobs, { repository })
      ),
    blame: (path, options = {}) =>
      ask(
        options.repository,
        path,
        (reader) => reader.blame(path, options),
        (reader, inner) => reader.blame(inner.path(path), { repository: inner.repository })
      ),
    state: (options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.state(options),
        (reader, { repository }) => reader.state({ repository })
      ),
    history: (options) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.history(options),
        (reader, inner, member) =>
          Effect.map(
            reader.history({
              ...options,
              repository: inner.repository,
              ...(options.paths === undefined ? {} : { paths: options.paths.map(inner.path) })
            }),
            (found) => ({
              ...found,
              commits: found.commits.map((commit) => ({
                ...commit,
                files: commit.files.map(outward(member))
              }))
            })
          )
      ),
    lineage: (files, options) =>
      ask(
        options.repository,
        files[0]?.path,
        (reader) => reader.lineage(files, options),
        (reader, inner, member) =>
          Effect.map(
            reader.lineage(
              files.map((file) => ({ ...file, path: inner.path(file.path) })),
              { ...options, repository: inner.repository }
            ),
            (found) => ({
              ...found,
              files: found.files.map((file) => ({ ...file, path: member.prefix + file.path }))
            })
          )
      ),
    tags: (options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.tags(options),
        (reader, { repository }) => reader.tags({ ...options, repository })
      ),
    firstSeen: (trees, options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.firstSeen(trees, options),
        (reader, { repository }, member) =>
          Effect.map(reader.firstSeen(trees, { repository }), (found) =>
            found.map((paths) => paths.map((path) => member.prefix + path))
          )
      ),
    firstReached: (commits, options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.firstReached(commits, options),
        (reader, { repository }) => reader.firstReached(commits, { repository })
      ),
    messages: (commits, options = {}) =>
      ask(
        options.repository,
        undefined,
        (reader) => reader.messages(commits, options),
        (reader, { repository }) => reader.messages(commits, { repository })
      ),
    textAt: (commit, path, options = {}) =>
      ask(
        options.repository,
        path,
        (reader) => reader.textAt(commit, path, options),
        (reader, inner) => reader.textAt(commit, inner.path(path), { repository: inner.repository })
      )
  }
}
