import { Effect } from "effect"
import { answer, page } from "../../../registry/Answer.ts"
import { fromService, invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { draft } from "../../../registry/FollowUp.ts"
import { nearest } from "../../../registry/Names.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import type { ReleaseRecord } from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { iso } from "../../shared/past/Days.ts"
import { timeline } from "../../shared/past/Releases.ts"
import { repositories, unreadOf } from "../../shared/past/Repositories.ts"
import { graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"

/** Files of a release that the list shows; all with `tag`. */
const shown = 10

interface Released {
  readonly name: string
  readonly prefix: string
  readonly release: ReleaseRecord
}

/** As they were stamped, else read now. A stamp that lacks a tag of today is said to be behind. */
const releasesNow = Effect.gen(function* () {
  const control = yield* ControlView
  const all = yield* repositories
  const run = yield* Effect.mapError(control.run("releases"), (cause) => fromService(cause))
  if (run !== undefined) {
    const git = yield* GitReader
    const rows = yield* Effect.mapError(control.list("releases"), (cause) => fromService(cause))
    const known = new Set(rows.map(({ value }) => value.commit))
    let newer = 0
    for (const { repository } of all.known)
      for (const { commit } of yield* Effect.mapError(git.tags({ repository }), (cause) =>
        fromService(cause)
      ))
        if (!known.has(commit)) newer++
    return {
      rows: rows.map(({ key, value }): Released => {
        const prefix = key.slice(0, key.length - value.tag.length)
        return {
          name: all.known.find((one) => one.prefix === prefix)?.name ?? prefix,
          prefix,
          release: value
        }
      }),
      about: {
        source: "stamped",
        stamped: { at: new Date(run.at).toISOString(), ...run.about },
        ...(newer === 0
          ? {}
          : {
              tags_not_stamped: newer,
              follow_up: draft("fallback_recovery", "workspace_admin", { operation: "enrich_releases" })
            })
      }
    }
  }
  const rows: Array<Released> = []
  let other = 0
  let older = 0
  for (const one of all.known) {
    const { older: left, other_tags, releases: found } = yield* timeline(one)
    for (const release of found) rows.push({ name: one.name, prefix: one.prefix, release })
    other += other_tags
    older += left
  }
  return {
    rows,
    about: {
      source: "measured_now",
      ...(other === 0 ? {} : { tags_without_version: other }),
      ...(older === 0 ? {} : { older_releases_not_looked_at: older }),
      ...unreadOf(all)
    }
  }
})

export const releases = kind("releases", {
  summary: "Releases and what came with each.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      tag: F.optional(F.text)
    })
  }),
  needs: [CodeGraph, GitReader, ControlView, WorkspaceView],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { about, rows } = yield* releasesNow
      const rowOf = ({ name, prefix, release }: Released) => ({
        id: `${prefix}${release.tag}`,
        tag: release.tag,
        repository: name,
        commit: release.commit,
        released_at: iso(release.at),
        ...(release.version === undefined ? {} : { version: release.version }),
        prerelease: release.prerelease,
        order: release.order,
        commits: release.commits,
        file_count: release.files.length
      })
      const { tag } = options
      if (tag !== undefined) {
        const one =
          rows.find(({ prefix, release }) => `${prefix}${release.tag}` === tag) ??
          rows.find(({ release }) => release.tag === tag)
        if (one === undefined) {
          const close = nearest(
            tag,
            rows.map(({ release }) => release.tag)
          )
          return yield* invalidArgument("options.tag", `no release ${JSON.stringify(tag)}`, {
            reason_code: "unknown_release",
            data: {
              tag,
              ...(close === undefined ? {} : { suggestion: close }),
              newest: rows
                .slice(-20)
                .map(({ release }) => release.tag)
                .reverse()
            }
          })
        }
        const here = one.release.files.filter((path) => view.fileRef(path) !== undefined)
        return page("file_hits", {
          release: rowOf(one),
          file_hits: here.map((path) => ({
            id: path,
            file_path: path,
            symbols: view.file(path)?.symbols ?? 0
          })),
          total: here.length,
          ...(here.length === one.release.files.length
            ? {}
            : { files_that_are_gone: one.release.files.length - here.length }),
          ...about
        })
      }
      const newestFirst = [...rows].sort(
        (a, b) =>
          b.release.at - a.release.at ||
          b.release.order - a.release.order ||
          (a.release.tag < b.release.tag ? -1 : 1)
      )
      if (newestFirst.length === 0)
        return answer({
          releases: [],
          total: 0,
          note: "no tag holds a version, so no release is known",
          ...about
        })
      return page("releases", {
        releases: newestFirst.map((one) => ({ ...rowOf(one), files: one.release.files.slice(0, shown) })),
        total: newestFirst.length,
        files_are: "those that were there for the first time",
        ...about
      })
    })
})
