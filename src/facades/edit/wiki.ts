import { Clock, Effect } from "effect"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { isWithin } from "../../registry/Place.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { edit } from "./facade.ts"
import { communitiesOf } from "./generated/Communities.ts"
import { maxCommunities, minCommunity } from "./generated/fields.ts"
import { inside, put } from "./generated/Files.ts"
import { living, livingPage, opening } from "./generated/Living.ts"
import { html, markdown } from "./generated/Page.ts"
import { processesOf } from "./generated/Processes.ts"
import { wikiPages } from "./generated/Wiki.ts"

/** Processes the page tells. */
const mostProcesses = 25
const window = "168h"
const rows = 20

const needs = [LocalWriter, CodeGraph, GitReader, ReadFs, OverlayView, WorkspaceView] as const

export const wiki: Member<typeof edit, "wiki", typeof needs> = edit.operation("wiki", {
  tool: "generate_wiki",
  fixed: { enhance: false },
  summary: "A wiki of communities, processes and contracts.",
  long: true,
  tier: 2,
  input: F.input({
    options: F.group({
      output_dir: F.withDefault(F.path, "wiki"),
      min_community: minCommunity,
      max_communities: maxCommunities,
      no_processes: F.withDefault(F.flag, false),
      no_contracts: F.withDefault(F.flag, false),
      no_docs: F.withDefault(F.flag, false),
      force: F.withDefault(F.described(F.flag, "replace files already there"), false),
      wikilinks: F.withDefault(F.described(F.flag, "links in double brackets"), false)
    }),
    output: F.group({ format: F.withDefault(F.choice("markdown", "html"), "markdown") })
  }),
  needs,
  handler: ({ options, output: { format } }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const workspace = yield* WorkspaceView
      const given = yield* inside(options.output_dir, "options.output_dir")
      const folder = given === "." ? "" : given
      // What an earlier call wrote is no part of what the next one describes.
      const keep = (path: string) => folder === "" || !isWithin(path, folder)
      if (options.wikilinks && format === "html")
        return yield* invalidArgument("options.wikilinks", "is for markdown; HTML has links of its own", {
          reason_code: "markdown_only",
          recovery: draft("fallback_recovery", "edit", {
            operation: "wiki",
            options: { ...options, wikilinks: false },
            output: { format }
          })
        })
      // A workspace without history has a wiki without living documents.
      const docs = options.no_docs
        ? undefined
        : yield* Effect.gen(function* () {
            const since = yield* opening(window, yield* Clock.currentTimeMillis)
            return yield* living(view, {
              sections: new Set(["recent", "ownership", "stale"]),
              since,
              top: rows,
              prefix: "",
              keep
            })
          }).pipe(
            Effect.catchIf(
              ({ reason_code }) => reason_code === "not_a_repository",
              () => Effect.succeed(undefined)
            )
          )
      const found = communitiesOf(view, {
        least: options.min_community,
        most: options.max_communities,
        keep
      })
      const pages = wikiPages(view, {
        title: workspace.name,
        keep,
        communities: found,
        ...(options.no_processes ? {} : { processes: processesOf(view, mostProcesses, keep) }),
        ...(options.no_contracts ? {} : { contracts: true as const }),
        ...(docs === undefined ? {} : { docs: livingPage(docs, window) })
      })
      const ending = format === "html" ? "html" : "md"
      const files = pages.map(({ blocks, name, title }) => ({
        path: folder === "" ? `${name}.${ending}` : `${folder}/${name}.${ending}`,
        content: format === "html" ? html(title, blocks) : markdown(blocks, options)
      }))
      const done = yield* put(files, {
        field: "options.output_dir",
        replace: options.force,
        again: draft("fallback_recovery", "edit", {
          operation: "wiki",
          options: { ...options, force: true },
          output: { format }
        })
      })
      return {
        output_dir: folder === "" ? "." : folder,
        file_count: done.files.length,
        communities: found.list.length,
        ...(options.no_docs || docs !== undefined
          ? {}
          : { notes: ["no living documents: not a git repository"] }),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
        receipt: done.receipt,
        files: done.files,
        index_md_content: files[0]!.content
      }
    })
})
