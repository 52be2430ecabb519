import { Clock, Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { edit } from "./facade.ts"
import { outputPath } from "./generated/fields.ts"
import { inside, put, refuseCode } from "./generated/Files.ts"
import { living, livingPage, opening, type Section, sections } from "./generated/Living.ts"
import { markdown } from "./generated/Page.ts"

const needs = [LocalWriter, CodeGraph, GitReader, ReadFs, OverlayView] as const

export const docs: Member<typeof edit, "docs", typeof needs> = edit.operation("docs", {
  tool: "generate_docs",
  summary: "Living documents: recent changes, ownership, stale code.",
  tier: 2,
  input: F.input({
    options: F.group({
      output_path: outputPath,
      since: F.withDefault(F.described(F.text, "how far back, as 168h"), "168h"),
      top: F.described(F.clamped({ min: 1, max: 500, default: 20 }), "rows of a section"),
      include: F.optional(Shared.words(...sections)),
      path_prefix: Shared.pathPrefix,
      run_blame: F.withDefault(F.described(F.flag, "add the last author of each symbol"), false)
    }),
    output: F.group({ format: F.withDefault(F.choice("markdown", "json"), "markdown") })
  }),
  needs,
  handler: ({ options, output: { format } }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const since = yield* opening(options.since, yield* Clock.currentTimeMillis)
      const given =
        options.path_prefix === undefined ? "" : yield* inside(options.path_prefix, "options.path_prefix")
      const output =
        options.output_path === undefined
          ? undefined
          : yield* inside(options.output_path, "options.output_path")
      const wanted = new Set<Section>(options.include ?? ["recent", "ownership", "stale"])
      if (options.run_blame) wanted.add("blame")
      const found = yield* living(view, {
        sections: wanted,
        since,
        top: options.top,
        prefix: given === "." ? "" : given,
        // What an earlier call wrote is no part of what the next one describes.
        keep: (path) => path !== output
      })
      const content =
        format === "json"
          ? `${JSON.stringify({ window: options.since, ...found }, null, 2)}\n`
          : markdown(livingPage(found, options.since))
      const about = {
        format,
        sections: sections.filter((section) => wanted.has(section)),
        ...(found.history_cut === true ? { history_cut: true } : {}),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      if (output === undefined) return { ...about, bytes: Buffer.byteLength(content), content }
      yield* refuseCode(view, output, "options.output_path")
      const done = yield* put([{ path: output, content }], { field: "options.output_path", replace: true })
      const [file] = done.files
      return {
        output_path: file!.path,
        ...about,
        bytes: file!.bytes,
        ...(file!.changed === false ? { changed: false } : {}),
        receipt: done.receipt
      }
    })
})
