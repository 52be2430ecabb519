/** Output made from the graph and written to disk, and overlays put there. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { edit } from "./facade.ts"
import { dryRun } from "./fields.ts"

const because = "this build generates no output"
const outputPath = F.optional(F.described(F.text, "file to write; absent to get the text in the answer"))
const minCommunity = F.clamped({ min: 1, max: 1000, default: 3 })
const maxCommunities = F.clamped({ min: 1, max: 1000, default: 20 })

export const scaffold = edit.declared("scaffold", {
  tool: "scaffold",
  summary: "New code in the shape of an example symbol, with its registration and tests.",
  tier: 2,
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    dry_run: F.withDefault(dryRun, true),
    options: F.group({ new_name: F.text })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph],
  because
})

export const docs = edit.declared("docs", {
  tool: "generate_docs",
  summary: "Living documents: recent changes, ownership, stale code.",
  tier: 2,
  input: F.input({
    options: F.group({
      output_path: outputPath,
      since: F.withDefault(F.described(F.text, "how far back, as 168h"), "168h"),
      top: F.described(F.clamped({ min: 1, max: 500, default: 20 }), "rows of a section"),
      include: F.optional(Shared.words("recent", "ownership", "stale", "blame")),
      path_prefix: Shared.pathPrefix,
      run_blame: F.withDefault(F.flag, false)
    }),
    output: F.group({ format: F.withDefault(F.choice("markdown", "json"), "markdown") })
  }),
  needs: [LocalWriter, CodeGraph, GitReader],
  because
})

export const skill = edit.declared("skill", {
  tool: "generate_skill",
  summary: "A folder bundled as an agent skill with reference files.",
  tier: 2,
  input: F.input({
    dry_run: dryRun,
    options: F.group({
      directory: F.described(F.text, "folder to bundle"),
      skill_name: F.optional(F.text),
      description: F.optional(F.text),
      output_dir: F.optional(F.text),
      include_patterns: F.optional(F.described(F.csv, "globs to keep")),
      ignore_patterns: F.optional(F.described(F.csv, "globs to leave out")),
      compress: F.withDefault(F.described(F.flag, "stub bodies in references"), false),
      max_references: F.clamped({ min: 1, max: 1000, default: 50 })
    })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph],
  because
})

export const wiki = edit.declared("wiki", {
  tool: "generate_wiki",
  fixed: { enhance: false },
  summary: "A wiki of communities, processes and contracts.",
  tier: 2,
  input: F.input({
    options: F.group({
      output_dir: F.withDefault(F.text, "wiki"),
      min_community: minCommunity,
      max_communities: maxCommunities,
      no_processes: F.withDefault(F.flag, false),
      no_contracts: F.withDefault(F.flag, false),
      no_docs: F.withDefault(F.flag, false),
      force: F.withDefault(F.described(F.flag, "say nothing about files already there"), false),
      wikilinks: F.withDefault(F.described(F.flag, "links in double brackets"), false)
    }),
    output: F.group({ format: F.withDefault(F.choice("markdown", "html"), "markdown") })
  }),
  needs: [LocalWriter, CodeGraph],
  because
})

export const exportGraph = edit.declared("export_graph", {
  tool: "export_graph",
  summary: "The graph as Cypher, GraphML or Mermaid.",
  tier: 2,
  input: F.input({
    options: F.group({
      output_path: outputPath,
      output_dir: F.optional(F.described(F.text, "folder for all Mermaid views")),
      kinds: Shared.kinds,
      languages: F.optional(F.csv),
      no_synthetic: F.withDefault(F.described(F.flag, "leave out stubs of things outside"), false),
      scope: F.withDefault(
        F.described(F.choice("architecture", "communities", "processes", "all"), "Mermaid view"),
        "architecture"
      ),
      min_community: minCommunity,
      max_communities: maxCommunities
    }),
    output: F.group({ format: F.withDefault(F.choice("cypher", "graphml", "mermaid"), "cypher") })
  }),
  needs: [LocalWriter, CodeGraph],
  because
})

export const applyOverlay = edit.declared("apply_overlay", {
  tool: "overlay_merge",
  fixed: { to_disk: true },
  summary: "Write an overlay branch to disk.",
  tier: 2,
  input: F.input({
    options: F.group({ from: F.described(F.text, "branch"), force: F.withDefault(F.flag, false) })
  }),
  needs: [LocalWriter, OverlayView, ReadFs],
  because: "this build keeps no overlays"
})
