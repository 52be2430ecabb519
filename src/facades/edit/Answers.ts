/** Plans and receipts as answers. */
import type {
  Committed,
  GateAnswer,
  MatchRange,
  PathState,
  Plan,
  PlannedChange,
  PlannedEdit,
  PlannedFile
} from "../../services/LocalWriter.ts"
import { evidence } from "../../services/EditRefused.ts"

const rangeOf = ({ endLine, occurrence, startLine }: MatchRange) => ({
  ...(occurrence === null ? {} : { occurrence }),
  start_line: startLine,
  end_line: endLine
})

export const matchesOf = (edit: PlannedEdit) => ({
  match_count: edit.matchCount,
  ...(edit.expectedMatchCount === null ? {} : { expected_match_count: edit.expectedMatchCount }),
  match_ranges: edit.ranges.map(rangeOf),
  ...(edit.rangesTruncated ? { match_ranges_truncated: true } : {}),
  ...(edit.eolNormalized ? { eol_normalized: true } : {}),
  would_change: edit.wouldChange
})

/** What the gate says where it is not that all is well. */
export const gateOf = (syntax: GateAnswer | null) =>
  syntax === null || syntax.status === "clean"
    ? {}
    : syntax.status === "none_added"
      ? { parse_gate: { status: syntax.status, start_line: syntax.startLine, end_line: syntax.endLine } }
      : { parse_gate: syntax }

export const stateOf = (state: PathState) => ({
  exists: state.exists,
  ...(state.kind === null ? {} : { kind: state.kind }),
  ...(state.git === null ? {} : { git: state.git }),
  ...(state.ignored === null ? {} : { ignored: state.ignored }),
  ...(state.sha256 === undefined ? {} : { sha256: state.sha256 })
})

const kindOf = { edit: "edit_file", write: "write_file", move: "move_file", delete: "delete_file" } as const

/** One item of a plan. */
export const plannedOf = (change: PlannedChange, file: PlannedFile | undefined) => {
  const [problem] = change.problems
  return {
    index: change.index,
    op: kindOf[change.op],
    resolved_path: change.path,
    ...(change.source === null ? {} : { source_state: stateOf(change.source) }),
    ...(change.destination === null ? {} : { resolved_destination: change.destination }),
    ...(change.destinationState === null ? {} : { destination_state: stateOf(change.destinationState) }),
    status: problem === undefined ? "planned" : `${change.status}: ${problem.detail}`,
    ...(problem === undefined ? {} : { reason_code: problem.reason, ...evidence(problem) }),
    ...(change.edits.length === 0
      ? {}
      : { edits: change.edits.map((edit) => (edit === null ? null : matchesOf(edit))) }),
    would_change: change.wouldChange,
    ...(change.warnings.length === 0 ? {} : { warnings: change.warnings }),
    ...(file === undefined ? {} : gateOf(file.syntax)),
    ...(file === undefined || file.diff === null ? {} : { diff: file.diff })
  }
}

/** A whole plan, items in the order they would be applied. */
export const planOf = (plan: Plan) => {
  const files = new Map(plan.files.map((file) => [file.path, file]))
  return {
    dry_run: true,
    plan: [...plan.changes]
      .sort((a, b) => a.order - b.order)
      .map((change) => plannedOf(change, files.get(change.destination ?? change.path))),
    conflicts: plan.conflicts,
    total: plan.changes.length
  }
}

/** What of a commit every answer says: how to ask for it again, and what is not as usual. */
export const receiptOf = (committed: Committed) => ({
  receipt: committed.transactionId,
  ...(committed.replayed ? { replayed: true } : {}),
  ...(committed.graphStatus === "fresh" ? {} : { graph_status: committed.graphStatus })
})

/** What a caller needs for its next edit of the one file a commit changed. */
export const afterOf = (committed: Committed) => {
  const change = committed.changes[0]!
  const revision = committed.readRevisions[change.path]
  return {
    ...(change.sha === null ? {} : { new_sha: change.sha }),
    ...(revision === undefined ? {} : { read_revision: revision }),
    ...receiptOf(committed)
  }
}
