import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { afterOf, gateOf, stateOf } from "./Answers.ts"
import { edit } from "./facade.ts"
import { allowParseErrors, dryRun, guardOf, mutationId, physicalEvidence, staleGuard } from "./fields.ts"
import { refuseOverlaid } from "./Overlaid.ts"
import { physicalOf } from "./Physical.ts"
import { refusing } from "./Refused.ts"

const fields = { path: "target.file", content: "content", guard: "guard", id: "options.mutation_id" }

const needs = [LocalWriter, ReadFs, OverlayView] as const

export const write: Member<typeof edit, "write", typeof needs> = edit.operation("write", {
  tool: "write_file",
  presets: ["agent", "core", "edit", "hybrid"],
  summary: "Create a file or replace its whole text.",
  input: F.input({
    target: F.target({ file: Shared.file }),
    content: F.anyText,
    guard: F.group(staleGuard),
    dry_run: dryRun,
    options: F.group({
      allow_parse_errors: allowParseErrors,
      mutation_id: mutationId,
      physical_evidence: physicalEvidence
    })
  }),
  needs,
  handler: ({ content, dry_run, guard, options, target: { file: path } }) =>
    Effect.gen(function* () {
      yield* refuseOverlaid([path], fields.path)
      const writer = yield* LocalWriter
      const request = { path, content, guard, allow_parse_errors: options.allow_parse_errors }
      if (options.mutation_id !== undefined && !dry_run) {
        const known = yield* writer.replay(options.mutation_id, request)
        if (known !== undefined)
          return { path: known.changes[0]!.path, status: known.state, ...afterOf(known) }
      }
      const items = [{ op: "write" as const, path, content, guard: guardOf(guard) }]
      const allowed = { allowParseErrors: options.allow_parse_errors }
      // Planned before it is written too: whether the file was there is not to be seen afterwards.
      const plan = yield* writer.plan(items, { ...allowed, diff: dry_run, states: dry_run })
      const [problem] = plan.problems
      if (problem !== undefined) return yield* problem
      const change = plan.changes[0]!
      const [planned] = plan.files
      const created = planned === undefined || planned.before === null
      if (dry_run) {
        return {
          path: change.path,
          status: !change.wouldChange ? "unchanged" : created ? "would_create" : "would_overwrite",
          dry_run: true,
          would_change: change.wouldChange,
          ...(change.source === null ? {} : { source_state: stateOf(change.source) }),
          ...(planned?.after === null || planned === undefined
            ? {}
            : { bytes: planned.after.bytes.length, new_sha: planned.after.sha }),
          ...gateOf(planned?.syntax ?? null),
          ...(change.warnings.length === 0 ? {} : { warnings: change.warnings }),
          ...(planned === undefined || planned.diff === null ? {} : { diff: planned.diff })
        }
      }
      const committed = yield* writer.commit(items, {
        ...allowed,
        request,
        transactionId: options.mutation_id
      })
      const done = committed.changes[0]!
      return {
        path: done.path,
        status: !done.changed ? "unchanged" : created ? "created" : "overwritten",
        bytes_written: done.changed ? Buffer.byteLength(content) : 0,
        ...afterOf(committed),
        ...(change.warnings.length === 0 ? {} : { warnings: change.warnings }),
        ...(options.physical_evidence ? { physical: yield* physicalOf(done.path) } : {})
      }
    }).pipe(refusing(fields))
})
