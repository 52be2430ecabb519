import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts, type RouteFact } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, holds, none, notesOf, oneWord, text } from "./Facts.ts"

const httpMethods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "CONNECT",
  "TRACE",
  "ANY",
  "LINK",
  "UNLINK"
]
const otherMethods = ["query", "mutation", "subscription", "field", "rpc", "message", "subscribe", "WS"]

const rowOf = (route: RouteFact) => ({
  id: `${route.protocol}::${route.method}::${route.path}`,
  route: route.protocol === "http" ? `${route.method} ${route.path}` : route.path,
  method: route.method,
  path: route.path,
  kind: route.protocol,
  framework: route.pass,
  handler: route.handler.id ?? route.handler.name,
  ...(route.handler.how === "symbol" ? {} : { handler_kind: route.handler.how }),
  ...(route.tier === "resolved" ? {} : { tier: route.tier }),
  file_path: route.file,
  line: route.line
})

export const routes = kind("routes", {
  summary: "Handlers and routes, of all protocols.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      method: F.optional(F.text),
      path: F.optional(F.text),
      type: F.optional(F.choice("http", "grpc", "graphql", "topic", "ws"))
    })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const method = yield* oneWord(
        "options.method",
        options.method,
        [...httpMethods, ...otherMethods],
        "method"
      )
      const reading = yield* facts(
        ...(options.type === undefined || options.type === "topic"
          ? (["routes", "messages"] as const)
          : (["routes"] as const))
      )
      const fits = holds(options.path)
      const subscribed: ReadonlyArray<RouteFact> = notesOf(reading, "topic")
        .filter((note) => text(note, "role") === "subscribe")
        .map((note) => ({
          file: note.file,
          line: note.line,
          within: note.within,
          repository: note.repository,
          test: note.test,
          pass: note.pass,
          protocol: "topic",
          method: "subscribe",
          path: note.name,
          handler: { id: note.within, name: "", how: "inline" as const },
          tier: "resolved" as const
        }))
      const all = [...reading.routes, ...subscribed].filter(
        (route) =>
          (options.type === undefined || route.protocol === options.type) &&
          (method === undefined ||
            route.method === method ||
            (route.method === "ANY" && route.protocol === "http" && httpMethods.includes(method))) &&
          fits(route.path)
      )
      const rows = all.filter(({ test }) => !test).map(rowOf)
      const inferred = all.filter(({ test, tier }) => !test && tier !== "resolved").length
      const byKind: { [kind: string]: number } = {}
      for (const row of rows) byKind[row.kind] = (byKind[row.kind] ?? 0) + 1
      return page(
        "routes",
        {
          routes: rows,
          total: rows.length,
          by_kind: byKind,
          contract_tier: inferred === 0 ? "resolved" : inferred === rows.length ? "inferred" : "mixed",
          ...(inferred === 0 ? {} : { inferred_routes: inferred }),
          ...(all.length === rows.length ? {} : { excluded_tests: all.length - rows.length }),
          ...(rows.length === 0 ? none(reading, "route of that kind") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const routeFrameworks = kind("route_frameworks", {
  summary: "Route extraction passes and what each found.",
  input: F.input({}),
  needs: [FrameworkFacts],
  handler: () =>
    Effect.gen(function* () {
      const reading = yield* facts("routes")
      const counts: { [name: string]: number } = {}
      for (const { pass, test } of reading.routes) if (!test) counts[pass] = (counts[pass] ?? 0) + 1
      const passes = reading.passes
        .filter(({ family }) => family === "routes")
        .map(({ files, languages, name }) => ({
          name,
          languages,
          candidate_files: files,
          routes: counts[name] ?? 0
        }))
      return {
        passes,
        route_counts_by_framework: Object.fromEntries(
          Object.entries(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        ),
        total_passes: passes.length,
        ...completenessOf(reading)
      }
    })
})
