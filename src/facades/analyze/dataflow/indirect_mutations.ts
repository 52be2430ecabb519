import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../../services/CodeGraph.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { type analyze, kind } from "../facade.ts"
import { window } from "../upkeep/Narrowing.ts"
import { isField, oneField, writtenFields } from "./Fields.ts"

interface Mutation {
  readonly field: SymbolRef
  readonly from: SymbolRef
  readonly via: string
  readonly path: string
  readonly line: number
  readonly tier: string
}

/** Methods of libraries that change what they are called on, by the usual names of collections, builders and atomics. */
const methods =
  "push|pop|shift|unshift|splice|sort|fill|append|extend|insert|remove|clear|add|addAll|delete|discard|update|put|putAll|set|setdefault|push_back|pop_back|push_front|pop_front|emplace|emplace_back|erase|push_str|retain|truncate|drain|Add|AddRange|Remove|RemoveAt|Clear|Insert|Enqueue|Dequeue|Push|Pop|Store|Swap|CompareAndSwap|LoadOrStore|Delete|offer|poll|enqueue|dequeue|appendleft|popleft|popitem|resize|reserve|sort_by|dedup|swap|replace|merge|assign"
const mostLines = 20_000

const types = new Set([
  "class",
  "struct",
  "object",
  "interface",
  "trait",
  "enum",
  "record",
  "union",
  "type_alias"
])

/** What a stack holds, the last first; what is put there meanwhile included. */
function* taken<A>(stack: Array<A>): Generator<A> {
  while (stack.length > 0) yield stack.pop()!
}

/** Methods that write a field of their own type, or call one of the same type that does. */
const mutators = (view: GraphView): Effect.Effect<ReadonlySet<SymbolRef>> =>
  Effect.gen(function* () {
    const found = new Set<SymbolRef>()
    const members = new Map<SymbolRef, ReadonlySet<SymbolRef>>()
    const membersOf = (type: SymbolRef): ReadonlySet<SymbolRef> => {
      let own = members.get(type)
      if (own === undefined) members.set(type, (own = new Set(view.members(type))))
      return own
    }
    yield* inTurns((yield* writtenFields(view)).written, ({ ref, writes }) => {
      const type = view.parent(ref)
      if (type === undefined) return
      const own = membersOf(type)
      for (const { from } of writes)
        if (own.has(from) && view.symbol(from).kind !== "constructor") found.add(from)
    })
    const queue = [...found]
    yield* inTurns(taken(queue), (at) => {
      const type = view.parent(at)
      if (type === undefined || !types.has(view.symbol(type).kind)) return
      const own = membersOf(type)
      for (const { from, role } of view.incoming(at))
        if (
          role === "call" &&
          own.has(from) &&
          !found.has(from) &&
          view.symbol(from).kind !== "constructor"
        ) {
          found.add(from)
          queue.push(from)
        }
    })
    return found
  })

/** Reads of fields by where they end, of one file. */
const fieldReads = (
  view: GraphView,
  path: string
): ReadonlyMap<string, { readonly to: SymbolRef; readonly from: SymbolRef; readonly tier: string }> => {
  const out = new Map<string, { readonly to: SymbolRef; readonly from: SymbolRef; readonly tier: string }>()
  const file = view.fileRef(path)
  for (const { column, from, line, name, role, tier, to } of file === undefined ? [] : view.outgoing(file))
    if (role === "read" && tier !== "name" && !view.isFile(to) && isField(view.symbol(to).kind))
      out.set(`${line}:${column + name.length}`, { to, from, tier })
  return out
}

const known = new WeakMap<
  GraphView["symbol"],
  { readonly rows: ReadonlyArray<Mutation>; readonly complete: boolean }
>()

const mutationsOf = (view: GraphView) =>
  Effect.gen(function* () {
    const before = known.get(view.symbol)
    if (before !== undefined) return before
    const rows: Array<Mutation> = []
    const perFile = new Map<string, ReturnType<typeof fieldReads>>()
    const readsOf = (path: string) => {
      let reads = perFile.get(path)
      if (reads === undefined) perFile.set(path, (reads = fieldReads(view, path)))
      return reads
    }
    const seen = new Set<string>()
    const add = (path: string, line: number, end: number, via: string) => {
      const read = readsOf(path).get(`${line}:${end}`)
      const key = `${path}:${line}:${end}`
      if (read === undefined || seen.has(key)) return
      seen.add(key)
      rows.push({ field: read.to, from: read.from, via, path, line, tier: read.tier })
    }
    const changing = yield* mutators(view)
    yield* inTurns(changing, (method) => {
      const via = view.idOf(method)
      for (const edge of view.incoming(method)) {
        if (edge.role !== "call" || edge.tier === "name") continue
        // `.`, `?.`, `->`, `::` stand between the field and the method.
        for (const width of [1, 2]) add(edge.path, edge.line, edge.column - width, via)
      }
    })
    const { search } = yield* TextIndex
    const hits = yield* Effect.mapError(
      search({
        pattern: `\\w(\\.|\\?\\.|->)(${methods})\\(`,
        regexp: true,
        mode: "matches",
        limit: mostLines,
        deadline_ms: 4_000
      }),
      (cause) => fromService(cause)
    )
    const shape = new RegExp(`(\\.|\\?\\.|->)(${methods})\\(`, "g")
    yield* inTurns(hits.matches, ({ column, line, path, text }) => {
      if (view.file(path)?.skipped !== undefined) return
      // A long line is cut around its first match, and places in it are not those of the file.
      if (text.length <= column) return
      for (const match of text.matchAll(shape)) add(path, line, match.index, match[2]!)
    })
    const all = { rows, complete: hits.complete }
    known.set(view.symbol, all)
    return all
  })

const needs = [CodeGraph, TextIndex] as const

export const indirectMutations: Member<typeof analyze, "indirect_mutations", typeof needs> = kind(
  "indirect_mutations",
  {
    summary: "Fields changed through a call on their owner.",
    page: { default: 100, max: 1000 },
    input: F.input({
      options: F.group({
        id: F.optional(F.described(F.text, "one field"))
      })
    }),
    needs,
    handler: ({ options }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const only =
          options.id === undefined ? undefined : yield* oneField(view, options.id, "indirect_mutations")
        const { complete, rows } = yield* mutationsOf(view)
        const groups = new Map<SymbolRef, Array<Mutation>>()
        for (const row of rows) {
          if (only !== undefined && row.field !== only) continue
          const group = groups.get(row.field)
          if (group === undefined) groups.set(row.field, [row])
          else group.push(row)
        }
        const sorted = [...groups].sort(
          (a, b) => b[1].length - a[1].length || (view.idOf(a[0]) < view.idOf(b[0]) ? -1 : 1)
        )
        const fields = window(sorted, call).map(([ref, own]) => {
          const { id, line, name, path } = view.symbol(ref)
          const mutators = [...own].sort((a, b) =>
            a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line
          )
          return {
            id,
            field: name,
            file_path: path,
            line,
            mutations: own.length,
            mutators: mutators.slice(0, only === undefined ? 20 : 200).map((m) => ({
              function: view.idOf(m.from),
              via: m.via,
              file_path: m.path,
              line: m.line,
              ...(m.via.includes("::") ? {} : { by_name: true })
            }))
          }
        })
        return page(
          "fields",
          {
            fields,
            total: sorted.length,
            mutations: rows.filter(({ field }) => only === undefined || field === only).length,
            fields_looked_at: only === undefined ? (yield* writtenFields(view)).fields : 1,
            completeness: {
              complete: complete && view.freshness.state === "fresh",
              ...(complete ? {} : { reason: "more lines hold names of changing methods than were looked at" })
            },
            notes: [
              "via is a method of the repository that writes its own fields, or the name of a library's method that usually changes what it is called on (by_name)",
              "calls on what a field holds deeper down, through another variable, or written over two lines are not seen"
            ],
            freshness: freshnessOf(view.freshness)
          },
          { snapshot: view.generation, from: call.offset, total: sorted.length }
        )
      })
  }
)
