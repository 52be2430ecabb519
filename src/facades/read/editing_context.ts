import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { tagged } from "../shared/etag.ts"
import { freshnessOf, graph, oneDefinition, oneFile } from "../shared/symbols.ts"
import { read } from "./facade.ts"
import { fidelityOf } from "./Fidelity.ts"
import { compressBodies, fidelityGlobs, keep } from "./fields.ts"
import { bodiesOf } from "./Folds.ts"
import { fit, linesOf, piecesOf } from "./Lines.ts"
import { definesOf } from "./summary.ts"
import { textOf } from "./Text.ts"

/** Other files' definitions that meet this file in one direction, the ones with most sites first. */
const meeting = (view: GraphView, path: string, direction: "called_by" | "calls") => {
  const sites = new Map<SymbolRef, { count: number; line: number }>()
  const add = (other: SymbolRef, line: number) => {
    const known = sites.get(other)
    if (known === undefined) sites.set(other, { count: 1, line })
    else known.count++
  }
  const calls = (role: string) => role === "call" || role === "new"
  const own = view.fileRef(path)
  if (direction === "calls") {
    if (own !== undefined)
      for (const edge of view.outgoing(own))
        if (calls(edge.role) && edge.tier !== "name") add(edge.to, edge.line)
  } else {
    for (const ref of view.definitions(path)) {
      for (const edge of view.incoming(ref))
        if (calls(edge.role) && edge.path !== path && edge.tier !== "name") add(edge.from, edge.line)
    }
  }
  return [...sites].map(([ref, { count, line }]) => ({ ref, count, line })).sort((a, b) => b.count - a.count)
}

/** Neighbours shown in each direction. */
const most = { brief: 20, full: 100 }

const needs = [ReadFs, CodeGraph, TextIndex] as const

export const editingContext: Member<typeof read, "editing_context", typeof needs> = read.operation(
  "editing_context",
  {
    tool: "get_editing_context",
    presets: ["agent", "core", "edit", "nav", "hybrid"],
    summary: "Before editing a file: its symbols, imports, direct callers and callees.",
    input: F.input({
      target: F.target({
        file: Shared.file,
        symbol: F.described(Shared.symbol, "the file that defines it is meant")
      }),
      context: F.group({ compress_bodies: compressBodies }),
      options: F.group({
        detail: F.withDefault(F.choice("brief", "full"), "brief"),
        keep,
        fidelity_globs: fidelityGlobs,
        if_none_match: Shared.ifNoneMatch
      })
    }),
    needs,
    handler: ({ context, options, target }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const ref =
          target.file !== undefined
            ? yield* oneFile(view, target.file)
            : yield* oneDefinition(view, target.symbol, { facade: "read", operation: "editing_context" })
        const { path } = view.symbol(ref)
        const info = view.file(path)
        const text = yield* textOf(path)
        const fidelity = yield* fidelityOf(path, options.fidelity_globs, context.compress_bodies)
        const full = options.detail === "full"
        const { nodes } = definesOf(view, path)
        const neighbours = (direction: "called_by" | "calls") => {
          const found = meeting(view, path, direction).filter(
            ({ ref: other }) => direction === "called_by" || view.symbol(other).path !== path
          )
          return {
            total: found.length,
            rows: found.slice(0, most[options.detail]).map(({ count, line, ref: other }) => {
              const symbol = view.symbol(other)
              return {
                id: symbol.id,
                kind: symbol.kind,
                line: direction === "calls" ? symbol.line : line,
                ...(count > 1 ? { sites: count } : {}),
                ...(full && symbol.signature !== "" ? { signature: symbol.signature } : {}),
                ...(symbol.test ? { test: true } : {})
              }
            })
          }
        }
        const callers = neighbours("called_by")
        const callees = neighbours("calls")
        const imports = new Map<string, { module: string; names: Array<string>; file?: string }>()
        for (const each of view.imports(path)) {
          const known = imports.get(each.module) ?? { module: each.module, names: [] }
          if (each.name !== "") known.names.push(each.name)
          const [to] = each.targets
          if (to !== undefined) known.file = view.symbol(to).path
          imports.set(each.module, known)
        }
        const stale = info !== undefined && info.sha !== "" && info.sha !== text.sha
        const skipped = info?.skipped
        const base = {
          file: path,
          ...(info?.language === undefined ? {} : { language: info.language }),
          sha: text.sha,
          ...(text.overlay === true ? { served_from: "overlay" } : {}),
          ...(stale ? { stale: "index_stale" } : {}),
          ...(skipped === undefined ? {} : { not_indexed: skipped }),
          ...((info?.parse_errors ?? 0) === 0 ? {} : { parse_errors: info?.parse_errors }),
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
          defines: nodes.map(({ end_line, flags, id, kind, signature, start_line }) => ({
            id,
            kind,
            start_line,
            ...(full ? { end_line, ...(flags === undefined ? {} : { flags }) } : {}),
            ...(signature === undefined ? {} : { signature })
          })),
          imports: [...imports.values()].map(({ file, module, names }) => ({
            module,
            ...(names.length === 0 ? {} : { names }),
            ...(file === undefined ? {} : { file })
          })),
          called_by: callers.rows,
          calls: callees.rows,
          ...(callers.total > callers.rows.length ? { called_by_total: callers.total } : {}),
          ...(callees.total > callees.rows.length ? { calls_total: callees.total } : {})
        }
        let compressed: object = {}
        let more: object = {}
        if (fidelity === "compress" || context.compress_bodies) {
          const fs = yield* ReadFs
          const shown = fs.redact(path, text.text)
          const lines = linesOf(shown.text)
          const bodies =
            stale || skipped !== undefined || fidelity !== "compress"
              ? { folds: [], kept: [] }
              : bodiesOf(view, path, lines, options.keep)
          const pieces = piecesOf(lines, 1, lines.length, bodies.folds, info?.language ?? "")
          const fitted =
            fidelity === "omit"
              ? undefined
              : fit(pieces, { json: Math.max(0, call.budget - byteLength(base) - 700), raw: Infinity })
          compressed =
            fitted === undefined
              ? { source_omitted: "fidelity_globs" }
              : {
                  ...(shown.redactions === 0 ? {} : { secrets_redacted: shown.redactions }),
                  bodies_elided: pieces.slice(0, fitted.pieces).filter(({ fold }) => fold !== undefined)
                    .length,
                  ...(options.keep === undefined ? {} : { kept_symbols: bodies.kept }),
                  ...(fitted.cut === undefined
                    ? {}
                    : { truncated: { cause: "max_bytes", next_line: fitted.cut.next } }),
                  source_compressed: fitted.cut?.clipped === undefined ? fitted.content : ""
                }
          if (fitted?.cut !== undefined) {
            more = {
              follow_up: draft("mechanically_followable", "read", {
                operation: "file",
                target: { file: path },
                options: {
                  offset: fitted.cut.next,
                  ...(options.keep === undefined ? {} : { keep: options.keep })
                },
                context: { compress_bodies: fidelity === "compress" }
              })
            }
          }
        }
        const out = tagged({ ...base, ...compressed }, options.if_none_match, { file: path })
        return "not_modified" in out ? out : { ...out, ...more }
      })
  }
)
