import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { withoutCode } from "../shared/coverage.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { workspace } from "./facade.ts"
import { compact, health } from "./View.ts"

/** Servers for the languages of the tree: those that are there, and how to have those that are not. */
const serversFor = (languages: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { servers } = yield* LanguageReader
    return (yield* servers)
      .filter((server) => server.languages.some((language) => languages.includes(language)))
      .map(({ detail, hint, id, memory, restarts, source, state, version }) => ({
        id,
        state,
        ...(version === undefined ? {} : { version }),
        ...(source === undefined ? {} : { source }),
        ...(memory === undefined ? {} : { memory_bytes: memory }),
        ...(restarts === undefined || restarts === 0 ? {} : { restarts }),
        ...(detail === undefined ? {} : { detail }),
        ...(hint === undefined || state === "running" || state === "available" ? {} : { hint })
      }))
  })

const needs = [WorkspaceView, CodeGraph, LanguageReader] as const

export const indexHealth: Member<typeof workspace, "index", typeof needs> = workspace.operation("index", {
  tool: "index_health",
  presets: ["agent", "core", "localization"],
  summary: "Index health: what is covered, stale, skipped or failed, and why.",
  input: F.input({ arguments: F.group({ compact }) }),
  needs,
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
        language_servers: yield* serversFor(now.languages.map(({ language }) => language)),
        ...(now.indexed_at === undefined ? {} : { indexed_at: now.indexed_at }),
        watching: now.watching,
        store_bytes: now.store_bytes
      }
    })
})
