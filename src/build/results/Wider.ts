/**
 * Operations whose answers have members that the types of their handlers leave out. Their results are told as open: with the
 * members that are known, and room for others.
 */
export const wider: ReadonlySet<string> = new Set([
  "analyze.churn",
  "analyze.contracts",
  "analyze.coverage_gaps",
  "analyze.coverage_summary",
  "analyze.health_score",
  "analyze.impact",
  "analyze.inspection_catalog",
  "analyze.ownership",
  "analyze.releases",
  "analyze.replay",
  "analyze.stale_code",
  "change.detect",
  "change.simulate",
  "edit.batch",
  "edit.symbol",
  "explore.context",
  "overlay.simulate",
  "read.editing_context",
  "refactor.rename",
  "workspace_admin.index",
  "workspace_admin.reindex"
])
