/** Every route the server has, with its shape and what is declared of it: what the inventories are made from. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import {
  type Access,
  declared,
  type Declaration,
  domains,
  type Domain,
  raw,
  type SideEffect
} from "./declared.ts"
import type { Components, Json, JsonRecord } from "./Schemas.ts"

/** Any API, whatever it is made of. */
// The groups of an API are invariant in what they require, so no narrower type takes every one of them.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyApi = HttpApi.HttpApi<string, any, any, any>

export interface Route {
  readonly method: string
  /** As the router has it: `/a/:b`. */
  readonly path: string
  /** As OpenAPI has it: `/a/{b}`. */
  readonly template: string
  readonly domain: Domain
  /** Name within its domain. */
  readonly name: string
  readonly summary: string
  readonly access: Access
  readonly sideEffect: SideEffect
  readonly declaration: Declaration
  /** Whether its request and its answers are described, or only that it is there. */
  readonly contractStatus: "modeled" | "generated"
  /** Whether its request is decoded by a type. */
  readonly typed: boolean
  /** The operation object, its schemas those of OpenAPI 3.1. */
  readonly operation: JsonRecord
}

export interface Routes {
  /** By path, then by method. */
  readonly routes: ReadonlyArray<Route>
  /** Schemas the operations refer to. */
  readonly components: Components
}

const templateOf = (path: string): string => path.replace(/:(\w+)\??/g, "{$1}")

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const domainOf = (group: string): Domain => {
  const domain = domains[group]
  if (domain === undefined) throw new Error(`the routes of ${group} belong to no declared domain`)
  return { ...domain, id: group }
}

/** A few words for an operation that brings none. */
const wordsOf = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[._-]+/g, " ")
  return words.slice(0, 1).toUpperCase() + words.slice(1).toLowerCase()
}

/** The routes of an API and those beside it. Throws when one is declared nowhere or more than once. */
export const routesOf = (api: AnyApi): Routes => {
  const spec = OpenApi.fromApi(api)
  const routes: Array<Route> = []
  const add = (
    group: string,
    name: string,
    method: string,
    path: string,
    declaration: Declaration,
    operation: JsonRecord,
    typed: boolean
  ) => {
    if (routes.some((route) => route.method === method && route.path === path))
      throw new Error(`${method} ${path} is declared twice`)
    routes.push({
      method,
      path,
      template: templateOf(path),
      domain: domainOf(group),
      name,
      summary: (operation["summary"] as string | undefined) ?? wordsOf(name),
      access: declaration.access,
      sideEffect: declaration.sideEffect,
      declaration,
      contractStatus: "responses" in operation ? "modeled" : "generated",
      typed,
      operation
    })
  }
  const left = new Set(Object.keys(declared))
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      if (Context.get(mergedAnnotations, OpenApi.Exclude)) return
      const key = `${group.identifier}.${endpoint.name}`
      const declaration = declared[key]
      if (declaration === undefined)
        throw new Error(`${endpoint.method} ${endpoint.path} is served, and ${key} is declared nowhere`)
      left.delete(key)
      const paths = spec.paths as unknown as {
        readonly [path: string]: { readonly [method: string]: JsonRecord }
      }
      const operation = paths[templateOf(endpoint.path)]?.[endpoint.method.toLowerCase()]
      if (operation === undefined) throw new Error(`${key} is not described`)
      const summary = Context.getOption(mergedAnnotations, OpenApi.Summary)
      add(
        group.identifier,
        endpoint.name,
        endpoint.method,
        endpoint.path,
        declaration,
        Option.isNone(summary) ? operation : { ...operation, summary: summary.value },
        true
      )
    }
  })
  if (left.size > 0) throw new Error(`declared and not served: ${[...left].join(", ")}`)
  for (const { group, method, name, operation, path, ...declaration } of raw)
    add(group, name, method, path, declaration, operation, false)
  return {
    routes: routes.sort((a, b) => order(a.path, b.path) || order(a.method, b.method)),
    components: spec.components.schemas as unknown as Components
  }
}

/** Parameters of an operation in one place of the request, by name. */
export const parametersOf = (
  { operation }: Route,
  place: "path" | "query" | "header"
): ReadonlyArray<{ readonly name: string; readonly required: boolean; readonly schema: Json }> =>
  ((operation["parameters"] ?? []) as ReadonlyArray<JsonRecord>)
    .filter((parameter) => parameter["in"] === place)
    .map((parameter) => ({
      name: parameter["name"] as string,
      required: parameter["required"] === true || place === "path",
      schema: (parameter["schema"] ?? {}) as Json
    }))
