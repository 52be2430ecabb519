import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { page } from "../../registry/Answer.ts"
import * as Shared from "../fields.ts"
import { tagged } from "../shared/etag.ts"
import { freshnessOf, graph, oneFile } from "../shared/symbols.ts"
import { read } from "./facade.ts"

/** What a file defines, local definitions left out. */
export const definesOf = (view: GraphView, path: string) => {
  const shown: Array<ReturnType<typeof row>> = []
  const row = (ref: SymbolRef) => {
    const symbol = view.symbol(ref)
    const notable = symbol.flags.filter((flag) => flag !== "local" && flag !== "test")
    return {
      id: symbol.id,
      kind: symbol.kind,
      name: symbol.name,
      start_line: symbol.start_line,
      end_line: symbol.end_line,
      ...(symbol.signature === "" ? {} : { signature: symbol.signature }),
      ...(notable.length === 0 ? {} : { flags: notable })
    }
  }
  let locals = 0
  for (const ref of view.definitions(path)) {
    if (view.symbol(ref).flags.includes("local")) locals++
    else shown.push(row(ref))
  }
  return { nodes: shown, locals }
}

const needs = [CodeGraph, ReadFs] as const

export const summary: Member<typeof read, "summary", typeof needs> = read.operation("summary", {
  narrows: true,
  tool: "get_file_summary",
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  summary: "What a file defines, without its text.",
  input: F.input({
    target: F.target({ file: Shared.file }),
    options: F.group({ if_none_match: Shared.ifNoneMatch })
  }),
  needs,
  handler: ({ options, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { path } = view.symbol(yield* oneFile(view, target.file))
      const info = view.file(path)
      const { locals, nodes } = definesOf(view, path)
      const imports = view.imports(path)
      const modules = [...new Set(imports.map(({ module }) => module).filter((module) => module !== ""))]
      const answer = {
        file: path,
        ...(info?.language === undefined ? {} : { language: info.language }),
        ...(info === undefined || info.sha === "" ? {} : { sha: info.sha }),
        ...(info === undefined || info.lines === 0 ? {} : { lines: info.lines }),
        ...(info?.skipped === undefined ? {} : { not_indexed: info.skipped }),
        ...((info?.parse_errors ?? 0) === 0 ? {} : { parse_errors: info?.parse_errors }),
        ...(info?.generated === true ? { generated: true } : {}),
        ...(info?.test === true ? { test: true } : {}),
        ...(modules.length === 0 ? {} : { imports: modules }),
        total_nodes: nodes.length,
        ...(locals === 0 ? {} : { local_definitions: locals }),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
        nodes
      }
      const out = tagged(answer, options.if_none_match, { file: path })
      return "nodes" in out ? page("nodes", out, { snapshot: view.generation }) : out
    })
})
