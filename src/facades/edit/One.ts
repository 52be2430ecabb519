/** One exact replacement in one file. */
import { Effect } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import { type Committed, type Guard, LocalWriter, type TextEdit } from "../../services/LocalWriter.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import { afterOf, gateOf, matchesOf, stateOf } from "./Answers.ts"
import { physicalOf } from "./Physical.ts"
import { type Again, type Fields, refusing } from "./Refused.ts"

/** Where an edit goes. */
export interface Aim {
  readonly path: string
  readonly edit: TextEdit
  readonly guard: Guard
}

export interface One<R> {
  /** What the caller asked for: a repeat under the same id has to be the same. */
  readonly request: { readonly [key: string]: unknown }
  /** Worked out from the files as they are, so not for a repeat. */
  readonly aim: Effect.Effect<Aim, OperationFailure, R>
  readonly dryRun: boolean
  readonly options: {
    readonly allow_parse_errors: boolean
    readonly mutation_id?: string | undefined
    readonly physical_evidence: boolean
  }
  readonly fields: Fields
  readonly again?: Again
}

export const onlyEdit = <R>(
  one: One<R>
): Effect.Effect<{ readonly [key: string]: unknown }, OperationFailure, LocalWriter | ReadFs | R> =>
  Effect.gen(function* () {
    const { dryRun, options, request } = one
    const writer = yield* LocalWriter
    const allowed = { allowParseErrors: options.allow_parse_errors }
    const known =
      options.mutation_id === undefined || dryRun
        ? undefined
        : yield* writer.replay(options.mutation_id, request)
    if (known !== undefined) return appliedOf(known)
    const { edit, guard, path } = yield* one.aim
    const items = [{ op: "edit" as const, path, edits: [edit], guard }]
    if (dryRun) {
      const plan = yield* writer.plan(items, { ...allowed, diff: true, states: true })
      const [problem] = plan.problems
      if (problem !== undefined) return yield* problem
      const change = plan.changes[0]!
      const [planned] = plan.files
      const matched = change.edits[0]
      return {
        path: change.path,
        status: change.wouldChange ? "would_apply" : "unchanged",
        dry_run: true,
        ...(matched === null || matched === undefined ? {} : matchesOf(matched)),
        ...(change.source === null ? {} : { source_state: stateOf(change.source) }),
        ...(planned?.after === null || planned === undefined ? {} : { new_sha: planned.after.sha }),
        ...gateOf(planned?.syntax ?? null),
        ...(change.warnings.length === 0 ? {} : { warnings: change.warnings }),
        ...(planned === undefined || planned.diff === null ? {} : { diff: planned.diff })
      }
    }
    const committed = yield* writer.commit(items, { ...allowed, request, transactionId: options.mutation_id })
    return {
      ...appliedOf(committed),
      ...(options.physical_evidence ? { physical: yield* physicalOf(committed.changes[0]!.path) } : {})
    }
  }).pipe(refusing(one.fields, one.again))

const appliedOf = (committed: Committed) => {
  const change = committed.changes[0]!
  return {
    path: change.path,
    status: committed.state !== "committed" ? committed.state : change.changed ? "applied" : "unchanged",
    replacements: change.changed ? committed.summary.resolvedMatches : 0,
    ...afterOf(committed)
  }
}
