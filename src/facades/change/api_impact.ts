import { Effect } from "effect"
import { failure, fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type Mark, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { freshnessOf, graph, rowOf } from "../shared/symbols.ts"
import { boundariesOf, impactOf, reachedRow, summaryOf } from "./Affected.ts"
import { change } from "./facade.ts"

const mostRoutes = 50
const mostRows = 30

const verbs = "get|post|put|patch|delete|head|options|all|any|use|route|handle|handlefunc"

/** Parts of a route as they compare: a parameter of any spelling is a parameter. */
const partsOf = (route: string): ReadonlyArray<string> =>
  route
    .replace(/^[a-z]+:\/\/[^/]+/i, "")
    .replace(/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/, "")
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (/^(?::|\{|<|\[|\$\{|\*|%[sd])/.test(part) ? "*" : part.toLowerCase()))

/** Whether a path somebody asks for can be the route. */
const asksFor = (route: ReadonlyArray<string>, url: ReadonlyArray<string>): boolean =>
  route.length > 0 &&
  url.length >= route.length &&
  // A client may put a prefix before what the router sees.
  route.every((part, i) => {
    const other = url[url.length - route.length + i]!
    return part === "*" || other === "*" || part === other
  })

/** Function names in the rest of a registration, the last of which handles the route. */
const named = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g)].map(
    ([word]) => word.split(/\.|::/).at(-1)!
  )

const needs = [CodeGraph, ReadFs] as const

export const apiImpact: Member<typeof change, "api_impact", typeof needs> = change.operation("api_impact", {
  tool: "api_impact",
  flat: { "source.file": "file" },
  summary: "What a change of an API route breaks: shapes, consumers, flows.",
  tier: 2,
  input: F.input(
    {
      source: F.group({ file: F.optional(F.described(F.text, "part of the handler's path")) }),
      options: F.group({ route: F.optional(F.described(F.text, "part of the route")) })
    },
    { atLeastOne: [["source.file", "options.route"]] }
  ),
  needs,
  handler: ({ options, source }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fs = yield* ReadFs
      const marks = view.marks()
      const routes = marks.filter(({ kind, text }) => kind === "route" && text.startsWith("/"))
      const wanted = options.route?.toLowerCase()
      const matching = routes.filter(
        ({ path, text }) =>
          (wanted === undefined || text.toLowerCase().includes(wanted)) &&
          (source.file === undefined || path.includes(source.file))
      )
      // What a file registers is a route; the same text in another call asks for it.
      const found = matching.filter(({ path }) => view.file(path)?.test !== true)
      if (found.length === 0)
        return yield* failure(
          "not_found",
          `no route ${[
            ...(options.route === undefined ? [] : [`with ${JSON.stringify(options.route)} in it`]),
            ...(source.file === undefined
              ? []
              : [`in files with ${JSON.stringify(source.file)} in their path`])
          ].join(" ")} is known`,
          {
            field: options.route === undefined ? "source.file" : "options.route",
            failure_stage: "resolve",
            reason_code: "route_not_found",
            data: {
              known_routes: [...new Set(routes.map(({ text }) => text))].slice(0, 30),
              route_count: routes.length
            }
          }
        )
      const lineOf = (mark: Mark) =>
        fs.readText(mark.path).pipe(
          Effect.map(({ text }) =>
            text
              .split(/\r?\n/)
              .slice(mark.line - 1, mark.line + 3)
              .join("\n")
          ),
          Effect.mapError((cause) => fromService(cause)),
          Effect.orElseSucceed(() => "")
        )
      const rows = yield* Effect.forEach(found.slice(0, mostRoutes), (mark) =>
        Effect.gen(function* () {
          const text = yield* lineOf(mark)
          const at = text.indexOf(mark.text)
          const method = new RegExp(`\\b(${verbs})\\b(?:Mapping)?\\W*$`, "i")
            .exec(text.slice(0, Math.max(at, 0)))?.[1]
            ?.toUpperCase()
          const handler = handlerOf(view, mark, text.slice(at + mark.text.length).split("\n")[0] ?? "")
          const shape = partsOf(mark.text)
          const consumers = marks.filter(
            (other) =>
              (other.kind === "url" || other.kind === "route") &&
              !(other.path === mark.path && other.line === mark.line) &&
              (other.kind === "url" || view.file(other.path)?.test === true) &&
              asksFor(shape, partsOf(other.text))
          )
          const impact = handler === undefined ? undefined : impactOf(view, [handler])
          return {
            route: mark.text,
            ...(method === undefined ? {} : { method }),
            file_path: mark.path,
            line: mark.line,
            ...(handler === undefined ? { handler_unknown: true } : { handler: rowOf(view.symbol(handler)) }),
            consumers: consumers.slice(0, mostRows).map(({ kind, line, path, text: asked, within }) => ({
              file_path: path,
              line,
              text: asked,
              kind,
              within: view.idOf(within)
            })),
            ...(consumers.length > mostRows ? { consumer_count: consumers.length } : {}),
            ...(impact === undefined
              ? {}
              : {
                  risk: impact.risk,
                  impact_summary: summaryOf(impact, view.idOf(handler!)),
                  by_depth_counts: impact.counts,
                  affected: impact.rows
                    .slice(0, mostRows)
                    .map((row) => ({ depth: row.depth, ...reachedRow(view, row) })),
                  ...boundariesOf(view, impact)
                })
          }
        })
      )
      return {
        routes: rows,
        total: found.length,
        ...(found.length > rows.length ? { truncated: true } : {}),
        not_worked_out: ["response_shape", "middleware", "mismatches"],
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
    })
})

/** The definition that answers a route: the last function named behind it, or the one the route decorates. */
const handlerOf = (view: GraphView, mark: Mark, rest: string): SymbolRef | undefined => {
  const inFile = view.fileRef(mark.path)
  const edges = inFile === undefined ? [] : view.outgoing(inFile)
  const names = named(rest)
  for (const name of [...names].reverse()) {
    const edge = edges.find((each) => each.line === mark.line && each.name === name)
    if (
      edge !== undefined &&
      !view.isFile(edge.to) &&
      /function|method|constant|variable|class/.test(view.symbol(edge.to).kind)
    )
      return edge.to
  }
  if (!view.isFile(mark.within)) return mark.within
  // A decorator lies before what it decorates, which begins within a few lines.
  return view.definitions(mark.path).find((ref) => {
    const { line, start_line } = view.symbol(ref)
    return (
      (start_line <= mark.line && line >= mark.line && line - mark.line <= 5) ||
      (line > mark.line && line - mark.line <= 3)
    )
  })
}
