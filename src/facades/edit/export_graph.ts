import { Effect } from "effect"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { isWithin } from "../../registry/Place.ts"
import { CodeGraph, type GraphView } from "../../services/CodeGraph.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { edit } from "./facade.ts"
import { maxCommunities, minCommunity, outputPath } from "./generated/fields.ts"
import { communitiesOf } from "./generated/Communities.ts"
import { inside, put, refuseCode } from "./generated/Files.ts"
import { cypher, dot, graphJson, graphMl } from "./generated/GraphText.ts"
import * as Mermaid from "./generated/Mermaid.ts"
import { processesOf } from "./generated/Processes.ts"
import { propertyGraph } from "./generated/PropertyGraph.ts"
import { scipIndex } from "./generated/Scip.ts"

const writers = { cypher, graphml: graphMl, dot, json: graphJson }
const views = ["architecture", "communities", "processes"] as const
/** Processes a diagram shows. */
const mostProcesses = 10
/** Files whose text is read at once. */
const concurrency = 8

interface Views {
  readonly least: number
  readonly most: number
  readonly keep: (path: string) => boolean
}

const diagram = (view: GraphView, which: (typeof views)[number], { keep, least, most }: Views): string => {
  switch (which) {
    case "architecture":
      return Mermaid.architecture(view, keep)
    case "communities":
      return Mermaid.communities(view, communitiesOf(view, { least, most, keep }))
    case "processes":
      return Mermaid.processes(view, processesOf(view, mostProcesses, keep).list)
  }
}

/** Texts of files as lines; a file that cannot be read is not among them. */
const linesOf = (paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    const read = yield* Effect.forEach(
      paths,
      (path) =>
        Effect.match(fs.readText(path), {
          onFailure: () => undefined,
          onSuccess: ({ text }) => [path, text.split(/\r\n|\n|\r/)] as const
        }),
      { concurrency }
    )
    return new Map(read.filter((each) => each !== undefined))
  })

const needs = [LocalWriter, CodeGraph, ReadFs, OverlayView] as const

export const exportGraph: Member<typeof edit, "export_graph", typeof needs> = edit.operation("export_graph", {
  tool: "export_graph",
  summary: "The graph as GraphML, DOT, Cypher, JSON, Mermaid or a SCIP index.",
  tier: 2,
  input: F.input(
    {
      options: F.group({
        output_path: outputPath,
        output_dir: F.optional(F.described(F.path, "folder for all Mermaid views")),
        kinds: Shared.kinds,
        languages: F.optional(F.csv),
        no_synthetic: F.withDefault(F.described(F.flag, "leave out stubs of things outside"), false),
        scope: F.withDefault(F.described(F.choice(...views, "all"), "Mermaid view"), "architecture"),
        min_community: minCommunity,
        max_communities: maxCommunities
      }),
      output: F.group({
        format: F.withDefault(F.choice("cypher", "graphml", "dot", "json", "mermaid", "scip"), "cypher")
      })
    },
    { atMostOne: [["options.output_path", "options.output_dir"]] }
  ),
  needs,
  handler: ({ options, output: { format } }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const wanted = options.languages === undefined ? undefined : new Set(options.languages)
      const kinds = options.kinds === undefined ? undefined : new Set(options.kinds)
      const files = view.files()
      const present = new Set(files.flatMap(({ language }) => (language === undefined ? [] : [language])))
      const strange = options.languages?.find((language) => !present.has(language))
      if (strange !== undefined)
        return yield* invalidArgument("options.languages", `no file here is in ${JSON.stringify(strange)}`, {
          reason_code: "unknown_language",
          data: { valid_values: [...present].sort() },
          recovery: draft("fallback_recovery", "edit", {
            operation: "export_graph",
            options: { languages: [...present].sort() },
            output: { format: "mermaid" }
          })
        })
      const output =
        options.output_path === undefined
          ? undefined
          : yield* inside(options.output_path, "options.output_path")
      const folder =
        options.output_dir === undefined ? undefined : yield* inside(options.output_dir, "options.output_dir")
      // What an earlier call wrote is no part of what the next one describes.
      const looksAt = (path: string) => path !== output && (folder === undefined || !isWithin(path, folder))
      const keep = (path: string) =>
        looksAt(path) && (wanted === undefined || wanted.has(view.file(path)?.language ?? ""))
      const about = view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }
      /** Puts a text or a SCIP index where the caller wants it; tells `facts` of it. */
      const kept = <A extends object>(at: string, content: string | Uint8Array, facts: A) =>
        Effect.gen(function* () {
          yield* refuseCode(view, at, "options.output_path")
          const done = yield* put([{ path: at, content }], { field: "options.output_path", replace: true })
          const [file] = done.files
          return {
            format,
            output_path: file!.path,
            ...facts,
            ...about,
            bytes: file!.bytes,
            ...(file!.changed === false ? { changed: false } : {}),
            receipt: done.receipt
          }
        })
      const written = <A extends object>(content: string, facts: A) =>
        Effect.gen(function* () {
          if (output === undefined)
            return { format, ...facts, ...about, bytes: Buffer.byteLength(content), content }
          return yield* kept(output, content, facts)
        })
      if (options.output_dir !== undefined && format !== "mermaid")
        return yield* invalidArgument(
          "options.output_dir",
          `is for the Mermaid views; ${format} is one file, at options.output_path`,
          {
            reason_code: "one_file",
            recovery: draft("fallback_recovery", "edit", {
              operation: "export_graph",
              options: { output_dir: options.output_dir },
              output: { format: "mermaid" }
            })
          }
        )
      if (format === "mermaid") {
        const shown: Views = { least: options.min_community, most: options.max_communities, keep }
        if (folder !== undefined) {
          const which = options.scope === "all" ? views : ([options.scope] as const)
          const done = yield* put(
            which.map((each) => ({
              path: folder === "" || folder === "." ? `${each}.mmd` : `${folder}/${each}.mmd`,
              content: diagram(view, each, shown)
            })),
            { field: "options.output_dir", replace: true }
          )
          return {
            format,
            output_dir: folder,
            ...about,
            bytes: done.files.reduce((sum, { bytes }) => sum + bytes, 0),
            receipt: done.receipt,
            files: done.files
          }
        }
        const text =
          options.scope === "all"
            ? views
                .map((each) => `## ${each}\n\n\`\`\`mermaid\n${diagram(view, each, shown)}\`\`\`\n`)
                .join("\n")
            : diagram(view, options.scope, shown)
        return yield* written(text, { scope: options.scope })
      }
      if (format === "scip") {
        if (output === undefined)
          return yield* invalidArgument("options.output_path", "is needed: a SCIP index is not text", {
            reason_code: "binary_format",
            recovery: draft("fallback_recovery", "edit", {
              operation: "export_graph",
              options: { output_path: "index.scip" },
              output: { format: "scip" }
            })
          })
        const paths = files.map(({ path }) => path).filter(keep)
        const lines = yield* linesOf(
          files.filter(({ path, skipped }) => keep(path) && skipped === undefined).map(({ path }) => path)
        )
        const made = scipIndex(
          view,
          paths.sort(),
          ({ kind, language }) =>
            (kinds === undefined || kinds.has(kind)) && (wanted === undefined || wanted.has(language)),
          (path) => lines.get(path)
        )
        return yield* kept(output, made.bytes, {
          documents: made.documents,
          symbols: made.symbols,
          occurrences: made.occurrences,
          ...(made.skipped === 0 ? {} : { occurrences_skipped: made.skipped })
        })
      }
      const chosen = propertyGraph(view, {
        kinds,
        languages: wanted,
        synthetic: !options.no_synthetic,
        files: looksAt
      })
      const has = new Set(chosen.nodes.map(({ kind }) => kind))
      const empty = (options.kinds ?? []).filter((kind) => !has.has(kind))
      return yield* written(writers[format](chosen), {
        nodes: chosen.nodes.length,
        edges: chosen.edges.length,
        ...(chosen.dropped === 0 ? {} : { uses_left_out: chosen.dropped }),
        ...(empty.length === 0 ? {} : { kinds_without_nodes: empty })
      })
    })
})
