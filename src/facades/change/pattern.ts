import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolInfo, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { change } from "./facade.ts"
import { testsOf } from "./TestMap.ts"

const mostSiblings = 20
const mostSites = 20

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")
const words = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())

/** How alike two definitions are: words of the name at either end, the same base types, the same place. */
const likeness = (
  view: GraphView,
  example: SymbolInfo,
  other: SymbolInfo,
  supers: ReadonlySet<SymbolRef>
): number => {
  const left = words(example.name)
  const right = words(other.name)
  const same =
    Number(left[0] === right[0] && left.length > 1) +
    2 * Number(left.at(-1) === right.at(-1) && left.length > 1)
  const kin = supers.size > 0 && view.above(other.ref).some(({ ref }) => supers.has(ref)) ? 4 : 0
  return same + kin + (example.path === other.path ? 2 : dirOf(example.path) === dirOf(other.path) ? 1 : 0)
}

/** Definitions of the same kind that were made to the same pattern, the most alike first. */
const siblingsOf = (view: GraphView, example: SymbolInfo): ReadonlyArray<SymbolInfo> => {
  const supers = new Set(view.above(example.ref).map(({ ref }) => ref))
  const parent = view.parent(example.ref)
  const pool = new Set<SymbolRef>()
  const member = parent !== undefined && !view.isFile(parent)
  if (member) for (const ref of view.children(parent)) pool.add(ref)
  else {
    for (const { ref } of [...supers].flatMap((type) => view.below(type))) pool.add(ref)
    const dir = dirOf(example.path)
    for (const { path } of view.files())
      if (dirOf(path) === dir && view.file(path)?.test === view.file(example.path)?.test)
        for (const ref of view.definitions(path)) if (view.parent(ref) === view.fileRef(path)) pool.add(ref)
  }
  pool.delete(example.ref)
  return [...pool]
    .map((ref) => view.symbol(ref))
    .filter(({ flags, kind }) => kind === example.kind && !flags.includes("local"))
    .map((info) => ({ info, score: likeness(view, example, info, supers) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.info.line - b.info.line)
    .map(({ info }) => info)
}

const needs = [CodeGraph, ReadFs] as const

export const pattern: Member<typeof change, "pattern", typeof needs> = change.operation("pattern", {
  tool: "suggest_pattern",
  summary: "Structure of an example symbol, to write a similar one.",
  tier: 2,
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    options: F.group({
      max_source_lines: F.described(
        F.clamped({ min: 0, max: 1000, default: 40 }),
        "longer blocks are cut; 0 for never"
      )
    })
  }),
  needs,
  handler: ({ options, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref = yield* oneDefinition(view, target.symbol, { facade: "change", operation: "pattern" })
      const example = view.symbol(ref)
      const fs = yield* ReadFs
      const { text } = yield* Effect.mapError(fs.readText(example.path), (cause) => fromService(cause))
      const source = fs
        .redact(
          example.path,
          text
            .split(/\r?\n/)
            .slice(example.start_line - 1, example.end_line)
            .join("\n")
        )
        .text.split("\n")
      const most = options.max_source_lines === 0 ? Infinity : options.max_source_lines
      const siblings = siblingsOf(view, example)
      // Where the example is entered by name and not called: lists, tables, exports that a new one has to join.
      const registration = view
        .incoming(ref)
        .filter(
          ({ path, role }) =>
            (role === "read" || role === "import" || role === "export" || role === "mention") &&
            view.file(path)?.test !== true
        )
      const { targets } = testsOf(view, [ref], { depth: 1, chain: 1 })
      const near = targets.filter(({ way }) => way !== "package" && way !== "import_chain")
      const files = new Set<string>([example.path])
      for (const { path } of registration) files.add(path)
      for (const { path } of near.slice(0, 3)) files.add(path)
      return {
        example: rowOf(example),
        signature: example.signature,
        ...(example.doc === "" ? {} : { doc: example.doc }),
        example_source: source.slice(0, most).join("\n"),
        ...(source.length > most ? { source_lines: source.length, source_cut_at: most } : {}),
        siblings: siblings.slice(0, mostSiblings).map(rowOf),
        siblings_count: siblings.length,
        registration: registration.slice(0, mostSites).map(({ from, line, path, role }) => ({
          file_path: path,
          line,
          kind: role,
          within: view.idOf(from)
        })),
        ...(registration.length > mostSites ? { registration_count: registration.length } : {}),
        test_patterns: near.slice(0, 10).map(({ functions, path, way }) => ({
          file: path,
          found_by: way,
          functions: functions.slice(0, 10).map(({ line, name }) => ({ name, line }))
        })),
        files_to_edit: [...files].slice(0, 50),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
    })
})
