import { Effect } from "effect"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { check, type Site, worst } from "./Callers.ts"
import { change } from "./facade.ts"
import { fitting } from "./Rows.ts"
import { subjects } from "./Subjects.ts"

const order = { breaks: 0, unknown: 1, ok: 2 } as const

const needs = [CodeGraph, ReadFs] as const

export const verify: Member<typeof change, "verify", typeof needs> = change.operation("verify", {
  tool: "verify_change",
  presets: ["agent", "core", "edit", "hybrid"],
  summary: "Proposed signatures against every caller and implementor.",
  input: F.input({
    source: F.group({
      changes: F.list(
        F.group({
          symbol_id: F.aliased(F.text, "id", "symbol"),
          new_signature: F.aliased(F.text, "signature")
        }),
        {
          min: 1
        }
      )
    })
  }),
  needs,
  handler: ({ source }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const errors: Array<object> = []
      const sites: Array<Site & { readonly symbol: string; readonly name: string }> = []
      const proposals: Array<object> = []
      const uses: { [use: string]: number } = {}
      let callers = 0
      let implementors = 0
      let unbound = 0
      for (const [place, proposal] of source.changes.entries()) {
        const [ref] = yield* subjects(
          view,
          { symbol: proposal.symbol_id },
          "verify",
          `source.changes[${place}].symbol_id`
        )
        const id = view.idOf(ref!)
        const checked = yield* check(view, ref!, proposal.new_signature)
        if ("detail" in checked) {
          errors.push({
            symbol_id: id,
            field: `source.changes[${place}].new_signature`,
            reason_code: checked.reason,
            message: checked.detail,
            present_signature: view.symbol(ref!).signature
          })
          continue
        }
        callers += checked.calls
        implementors += checked.implementations
        unbound += checked.unbound
        for (const site of checked.sites) {
          sites.push({ ...site, symbol: id, name: view.nameOf(ref!) })
          if (site.use !== undefined && site.use !== "unknown") uses[site.use] = (uses[site.use] ?? 0) + 1
        }
        proposals.push({
          symbol_id: id,
          verdict: worst([
            ...checked.sites.map(({ verdict }) => verdict),
            ...(checked.unbound > 0 ? (["unknown"] as const) : [])
          ]),
          ...(checked.changes.length === 0 ? {} : { header_changes: checked.changes }),
          ...(checked.unbound === 0 ? {} : { unbound_sites: checked.unbound })
        })
      }
      const stale = view.freshness.state !== "fresh"
      const verdict = worst([
        ...sites.map((site) => site.verdict),
        ...(errors.length > 0 || unbound > 0 || stale ? (["unknown"] as const) : [])
      ])
      const counts = { ok: 0, breaks: 0, unknown: 0 }
      for (const site of sites) counts[site.verdict]++
      const broken = sites.filter((site) => site.verdict === "breaks")
      const rows = [...sites].sort(
        (a, b) =>
          order[a.verdict] - order[b.verdict] ||
          (a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line)
      )
      const head = {
        verdict,
        clean: verdict === "ok",
        checked_callers: callers,
        checked_impls: implementors,
        counts,
        changes: proposals,
        errors,
        ...(unbound === 0 ? {} : { unbound_sites: unbound }),
        types: "unknown: no language server has checked them",
        return_usage: Object.entries(uses)
          .sort(([, a], [, b]) => b - a)
          .map(([use, sites_]) => ({ use, sites: sites_ })),
        ...(stale ? { freshness: freshnessOf(view.freshness) } : {}),
        ...(verdict === "ok" || broken.length === 0
          ? {}
          : {
              follow_up: draft("mechanically_followable", "change", {
                operation: "edit_plan",
                target: { symbols: [...new Set(broken.map(({ symbol }) => symbol))] }
              })
            })
      }
      const violations = fitting(
        broken,
        { offset: 0, limit: 500, bytes: Math.max(0, (call.budget - byteLength(head) - 300) / 2) },
        (site) => ({
          symbol_id: site.symbol,
          name: site.name,
          file_path: site.file_path,
          line: site.line,
          kind: site.problem ?? site.kind,
          description: `${view.idOf(site.within)} ${site.reason ?? ""}`
        })
      )
      const shown = fitting(
        rows,
        {
          offset: 0,
          limit: 1000,
          bytes: Math.max(0, call.budget - byteLength(head) - byteLength(violations) - 300)
        },
        ({ file_path, kind, line, problem, reason, symbol, tier, use, verdict: own, within }) => ({
          ...(source.changes.length === 1 ? {} : { symbol_id: symbol }),
          file_path,
          line,
          kind,
          verdict: own,
          ...(problem === undefined ? {} : { problem, reason }),
          ...(tier === undefined ? {} : { tier }),
          within: view.idOf(within),
          ...(use === undefined || use === "unknown" ? {} : { return_usage: use })
        })
      )
      return {
        ...head,
        violations,
        sites: shown,
        ...(shown.length < rows.length || violations.length < broken.length
          ? { truncated: true, total_sites: rows.length, total_violations: broken.length }
          : {})
      }
    })
})
