import { Effect } from "effect"
import { failure, fromService, invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { repository } from "../../diff.ts"
import { repositories, repositoryOf } from "../../shared/past/Repositories.ts"
import { analyze } from "../facade.ts"

/** Lines of matches an answer lists. */
const shown = 20

/** Line breaks as the one kind, so that a quote does not fail for those of the platform. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n")

const needs = [GitReader, ReadFs, WorkspaceView] as const

export const citation: Member<typeof analyze, "citation", typeof needs> = analyze.operation("citation", {
  tool: "verify_citation",
  summary: "Whether a quoted span stands in a file at a revision.",
  tier: 2,
  input: F.input({
    options: F.group({
      span: F.described(F.text, "text as it stands"),
      file_path: F.path,
      sha: F.withDefault(F.described(F.text, "revision"), "HEAD"),
      repo: repository
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const span = plain(options.span)
      if (span.trim() === "")
        return yield* invalidArgument("options.span", "options.span holds nothing but blanks", {
          reason_code: "empty_span"
        })
      const { known } = yield* repositories
      const named =
        options.repo === undefined
          ? undefined
          : known.find(
              ({ name, prefix }) =>
                name === options.repo ||
                prefix === `${options.repo}/` ||
                (options.repo === "." && prefix === "")
            )
      if (options.repo !== undefined && named === undefined)
        return yield* failure("repo_not_tracked", `no repository ${options.repo} with a history`, {
          field: "options.repo",
          failure_stage: "resolve",
          data: { repositories: known.map(({ name }) => name) }
        })
      const relative = yield* Effect.mapError((yield* ReadFs).relative(options.file_path), (cause) =>
        fromService(cause, { field: "options.file_path", failure_stage: "resolve" })
      )
      const path =
        named === undefined || relative.startsWith(named.prefix) ? relative : named.prefix + relative
      const home = named ?? repositoryOf(path, known) ?? known[0]!
      const git = yield* GitReader
      const at = { repository: home.repository }
      const found = yield* Effect.mapError(
        git.history({ limit: 1, revision: options.sha, merges: true, ...at }),
        (cause) =>
          cause.reason === "not_found"
            ? invalidArgument("options.sha", `no commit ${JSON.stringify(options.sha)}`, {
                reason_code: "unknown_revision",
                data: { sha: options.sha }
              })
            : fromService(cause)
      )
      const answer = { sha: options.sha, sha_resolved: found.head, file_path: path }
      const text = yield* Effect.mapError(git.textAt(found.head, path, at), (cause) => fromService(cause))
      if (text === undefined)
        return {
          verified: false,
          ...answer,
          match_count: 0,
          error: `${path} is not in that commit, or is binary or larger than 2 MiB`
        }
      const whole = plain(text)
      const lines: Array<number> = []
      let count = 0
      let line = 1
      let counted = 0
      for (let place = whole.indexOf(span); place >= 0; place = whole.indexOf(span, place + 1)) {
        count++
        if (lines.length >= shown) continue
        for (; counted < place; counted++) if (whole.charCodeAt(counted) === 10) line++
        lines.push(line)
      }
      return {
        verified: count > 0,
        ...answer,
        ...(count === 0 ? {} : { span_first_line: lines[0]!, match_lines: lines }),
        match_count: count,
        ...(count === 0 ? { nearest: nearest(whole, span) } : {})
      }
    })
})

/** What tells a quote that is nearly right from one that is made up: where its lines stand, blanks at their ends aside. */
const nearest = (whole: string, span: string) => {
  const wanted = span
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const lines = new Map<string, number>()
  whole.split("\n").forEach((line, i) => {
    const text = line.trim()
    if (text !== "" && !lines.has(text)) lines.set(text, i + 1)
  })
  const found = wanted.flatMap((line) => lines.get(line) ?? [])
  return {
    lines_of_span: wanted.length,
    lines_found: found.length,
    ...(found.length === 0 ? {} : { first_found_line: Math.min(...found) })
  }
}
