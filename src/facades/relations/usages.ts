import { Effect } from "effect"
import { page as paged } from "../../registry/Answer.ts"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import {
  CodeGraph,
  type EdgeInfo,
  type GraphView,
  type SymbolRef,
  type Tier
} from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { graph, oneDefinition, type Open, rowOf, type SymbolRow } from "../shared/symbols.ts"
import { completenessOf, dispatchOf, hiddenOf, nothingHidden, sift, textHits } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, resultUses, roles, trust } from "./fields.ts"
import { ids } from "./Walk.ts"

/** Roles of the graph that a role of the contract stands for, where it is not the same word. */
const rolesOf: { readonly [context: string]: ReadonlyArray<string> } = {
  value: ["read", "write"],
  field: ["field_type"],
  attribute: ["decorate"]
}
/** Kinds of type a use can lie in. */
const flavours = [
  "class",
  "struct",
  "enum",
  "trait",
  "interface",
  "object",
  "union",
  "extension",
  "namespace",
  "module",
  "annotation"
]

/** The kind of the innermost type around a definition; undefined outside of types. */
const flavourOf = (view: GraphView, from: SymbolRef): string | undefined => {
  for (let at: SymbolRef | undefined = from; at !== undefined && !view.isFile(at); at = view.parent(at)) {
    const { kind } = view.symbol(at)
    if (flavours.includes(kind)) return kind
  }
  return undefined
}

/** A use in an answer. */
interface UseRow {
  readonly from: string
  readonly to: string
  readonly file_path: string
  readonly line: number
  readonly tier: Tier
  readonly return_usage?: string
  readonly context: string
  /** What it is called there, where that is not its name. */
  readonly as?: string
}
const useRow = (idOf: (ref: SymbolRef) => string, edge: EdgeInfo, name: string): UseRow => {
  const from = idOf(edge.from)
  const to = idOf(edge.to)
  const { line, path: file_path, role: context, tier, use } = edge
  const row: Open<UseRow> =
    use === "unknown"
      ? { from, to, file_path, line, tier, context }
      : { from, to, file_path, line, tier, return_usage: use, context }
  if (edge.name !== name) row.as = edge.name
  return row
}

/** Where a use lies, in an answer. Its file is that of the use. */
type UserRow = Omit<SymbolRow, "name" | "file_path">
const userRow = ({ id, kind, line, signature, test }: SymbolRow): UserRow => {
  const row: Open<UserRow> = { id, kind, line }
  if (signature !== undefined) row.signature = signature
  if (test !== undefined) row.test = test
  return row
}

const count = (rows: Iterable<string>) => {
  const counts: { [key: string]: number } = {}
  for (const row of rows) counts[row] = (counts[row] ?? 0) + 1
  return counts
}

const needs = [CodeGraph, TextIndex] as const

export const usages: Member<typeof relations, "usages", typeof needs> = relations.operation("usages", {
  narrows: true,
  tool: "find_usages",
  federated: true,
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  summary: "Every place that uses a symbol, with the role it plays there.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({
      ...trust,
      exclude_tests: Shared.excludeTests,
      group_by: F.optional(F.choice("file")),
      context: F.optional(F.described(roles, "keep one role")),
      return_usage: F.optional(F.described(resultUses, "keep calls whose result is used so")),
      flavor: F.optional(F.described(F.csv, "keep uses inside types of these flavours"))
    })
  }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const unknown = options.flavor?.find((flavour) => !flavours.includes(flavour.toLowerCase()))
      if (unknown !== undefined) {
        return yield* invalidArgument(
          "options.flavor",
          `options.flavor has ${JSON.stringify(unknown)}; known: ${flavours.join(", ")}`,
          {
            reason_code: "unknown_flavor",
            data: { valid_values: flavours }
          }
        )
      }
      const view = yield* graph
      const ref = yield* oneDefinition(view, target.symbol, { facade: "relations", operation: "usages" })
      const symbol = view.symbol(ref)
      const hidden = nothingHidden()
      const bound = sift(view.incoming(ref), options, hidden)
      const symbols = new Map<SymbolRef, SymbolRow>()
      const rowFor = (from: SymbolRef): SymbolRow => {
        let row = symbols.get(from)
        if (row === undefined) symbols.set(from, (row = rowOf(view.symbol(from))))
        return row
      }
      const use = options.return_usage === "goroutine" ? "spawned" : options.return_usage
      const context =
        options.context === undefined ? undefined : (rolesOf[options.context] ?? [options.context])
      const flavor = options.flavor?.map((flavour) => flavour.toLowerCase())
      const flavourFor = new Map<SymbolRef, string | undefined>()
      const inFlavour = (from: SymbolRef): boolean => {
        if (flavor === undefined) return true
        if (!flavourFor.has(from)) flavourFor.set(from, flavourOf(view, from))
        return flavor.includes(flavourFor.get(from) ?? "")
      }
      const narrowed = bound.filter(
        (edge) =>
          (context === undefined || context.includes(edge.role)) &&
          (use === undefined || edge.use === use) &&
          inFlavour(edge.from)
      )
      const kept = options.exclude_tests
        ? narrowed.filter(({ from }) => rowFor(from).test !== true)
        : narrowed
      const excluded = narrowed.length - kept.length
      const dispatch = dispatchOf(view, ref)
      const hits = bound.length === 0 ? yield* textHits(view, symbol.name) : undefined
      const files = new Map<string, Array<EdgeInfo>>()
      for (const edge of kept) {
        const own = files.get(edge.path)
        if (own === undefined) files.set(edge.path, [edge])
        else own.push(edge)
      }
      const head = {
        symbol: rowOf(symbol),
        ...completenessOf(view, {
          name: symbol.name,
          refs: [ref],
          edges: bound,
          hidden,
          hits,
          because: dispatch.length > 0 ? ["dispatch_through_supers"] : []
        }),
        ...hiddenOf(hidden),
        ...(excluded === 0 ? {} : { excluded_tests: excluded }),
        ...(dispatch.length === 0 ? {} : { dispatched_through: dispatch.slice(0, 10) }),
        usage_summary: { uses: kept.length, files: files.size, by_role: count(kept.map(({ role }) => role)) }
      }
      if (options.group_by === "file") {
        const rows = [...files].map(([file_path, edges]) => ({
          file_path,
          count: edges.length,
          by_role: count(edges.map(({ role }) => role)),
          lines: [...new Set(edges.map(({ line }) => line))].slice(0, 50)
        }))
        return paged("files", { ...head, files: rows }, { snapshot: view.generation })
      }
      const idOf = ids(view)
      const edges: Array<object> = []
      const nodes = new Map<SymbolRef, object>()
      let used = byteLength(head) + 400
      for (const edge of kept.slice(
        call.offset,
        call.limit === undefined ? undefined : call.offset + call.limit
      )) {
        const shown = useRow(idOf, edge, symbol.name)
        const node = nodes.has(edge.from) ? undefined : userRow(rowFor(edge.from))
        const bytes = byteLength(shown) + (node === undefined ? 0 : byteLength(node)) + 2
        if (used + bytes > call.budget && edges.length > 0) break
        used += bytes
        edges.push(shown)
        if (node !== undefined) nodes.set(edge.from, node)
      }
      return paged(
        "edges",
        { ...head, edges, nodes: [...nodes.values()] },
        { from: call.offset, total: kept.length, snapshot: view.generation }
      )
    })
})
