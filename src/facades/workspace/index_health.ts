import { Effect } from "effect"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { withoutCode } from "../shared/coverage.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { workspace } from "./facade.ts"
import { compact, health } from "./View.ts"

export const indexHealth = workspace.operation("index", {
  tool: "index_health",
  summary: "Index health: what is covered, stale, skipped or failed, and why.",
  input: F.input({ arguments: F.group({ compact }) }),
  needs: [WorkspaceView, CodeGraph],
  handler: ({ arguments: { compact: brief } }) =>
    Effect.gen(function* () {
      // While the first index is made the graph would wait for its end; the state is known without it.
      const first = yield* health
      const view = first.state === "ready" ? yield* graph : undefined
      const now = view === undefined ? first : yield* health
      const gaps = Object.fromEntries(
        Object.entries(now.skipped).filter(([reason, count]) => count > 0 && !withoutCode.has(reason))
      )
      const missing = Object.values(gaps).reduce((sum, count) => sum + count, 0)
      const core = {
        state: now.state,
        listed_files: now.listed_files,
        indexed_files: now.indexed_files,
        node_count: now.symbols,
        edge_count: now.edges,
        unbound_references: now.unbound,
        ...(view === undefined ? {} : { freshness: freshnessOf(view.freshness) }),
        ...(missing === 0 ? {} : { gaps }),
        ...(now.failures.length === 0 ? {} : { failed_files: now.failures.slice(0, brief ? 5 : 50) }),
        ...(now.parse_errors === 0 ? {} : { files_with_parse_errors: now.parse_errors })
      }
      if (brief) return core
      return {
        ...core,
        skipped: now.skipped,
        languages: now.languages,
        ...(now.indexed_at === undefined ? {} : { indexed_at: now.indexed_at }),
        watching: now.watching,
        store_bytes: now.store_bytes
      }
    })
})
