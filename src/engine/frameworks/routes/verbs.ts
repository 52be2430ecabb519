/** Routes that are registered by calling a router with a path: `router.get("/users", list)`. */
import type { At, Handler, LocalFact, LocalRoute, Place } from "../Local.ts"
import { Routers, at, handlerOf, lastHandler, type Vocabulary } from "../Routers.ts"
import { type Argument, type Chain, type Expr, type Part, type Script, textOf } from "../Script.ts"

/** What a call says of routes; undefined when it says nothing. */
export interface Registered {
  readonly method: string | ReadonlyArray<string>
  readonly path: string
  readonly partial?: boolean
  readonly handler: Handler | undefined
  readonly protocol?: string
}

export interface Verbs extends Vocabulary {
  /** The route that a call registers on the router before it. */
  readonly routes: (call: Call) => Registered | undefined
  /** The routers that a call puts below another. */
  readonly mounts?: (call: Call) => Iterable<Mounted>
}

/** A call on a router: everything behind `index` belongs to what it answers. */
export interface Call {
  readonly script: Script
  readonly routers: Routers
  readonly chain: Chain
  readonly index: number
  readonly part: Part
  readonly args: ReadonlyArray<Argument>
}

export interface Mounted {
  readonly prefix: string
  readonly prefixName?: ({ readonly name: string } & At) | undefined
  readonly child: Place
  readonly overrides?: boolean
  /** The router above; the one the call is on when absent. */
  readonly parent?: Place | undefined
}

/** Names that are clients or collections wherever they occur. */
const strangers =
  /^(?:axios|fetch|http|https|request|supertest|superagent|agent|client|cache|redis|map|params|headers|cookies|session|storage|localStorage|sessionStorage|_|\$|lodash|cy|chai|wrapper|formData|searchParams|query|config|process|Promise|Object|Array|JSON|Math|console|i18n|t|api|\$http|httpClient|ky|got|nock|Reflect|Map|Set|URLSearchParams|requests|httpx|self\.client|mock|jest|vi)$/i

/** The facts of one file by such a vocabulary. */
export function* readVerbs(script: Script, verbs: Verbs): Generator<LocalFact> {
  const routers = new Routers(script, verbs)
  const found: Array<LocalFact> = []
  for (const chain of script.chains()) {
    if (chain.decorates === true) continue
    for (const [index, part] of chain.parts.entries()) {
      if (index === 0 || part.args === undefined) continue
      if (
        chain.parts[0]!.args === undefined &&
        strangers.test(chain.parts[0]!.name) &&
        !routers.makes(chain, index) &&
        !routers.holds(chain)
      )
        continue
      const call: Call = { script, routers, chain, index, part, args: part.args }
      const route = verbs.routes(call)
      if (route !== undefined) {
        const on = routers.placeOf(chain, index)
        if (on === undefined) continue
        const handler: Handler = route.handler ?? { kind: "inline", ...at(script, part.at) }
        for (const method of typeof route.method === "string" ? [route.method] : route.method)
          found.push({
            kind: "route",
            pass: verbs.pass,
            protocol: route.protocol ?? "http",
            method,
            path: route.path,
            on,
            handler,
            ...(route.partial === true ? { partial: true } : {}),
            ...at(script, part.at)
          } satisfies LocalRoute)
      }
      for (const { child, overrides, parent, prefix, prefixName } of verbs.mounts?.(call) ?? [])
        found.push({
          kind: "mount",
          pass: verbs.pass,
          parent: parent ?? routers.placeOf(chain, index),
          prefix,
          ...(prefixName === undefined ? {} : { prefixName }),
          child,
          ...(overrides === true ? { overrides } : {}),
          ...at(script, part.at)
        })
    }
  }
  // Only what routers exist for is worth following.
  const flows = [...routers.flows()]
  yield* found
  yield* flows
  yield* routers.facts
}

/** The path an argument says, when it can be one. */
export const pathOf = (
  arg: Argument | undefined
): { readonly path: string; readonly partial?: boolean } | undefined => {
  if (arg === undefined || arg.label !== undefined) return undefined
  if (arg.value.kind !== "string") return undefined
  const { exact, text } = arg.value
  if (text !== "" && !/^[/*{:]/.test(text)) return undefined
  if (/\s/.test(text)) return undefined
  return exact ? { path: text } : { path: text, partial: true }
}

/** The child routers among the arguments of a call such as `use`. */
export function* childrenOf({ args, routers, script }: Call, from = 0): Generator<Place> {
  for (const { label, value } of args.slice(from)) {
    if (label !== undefined) continue
    if (value.kind === "chain") {
      const { parts } = value.chain
      if (parts[0]!.name === "require" && parts[0]!.args !== undefined) {
        const module = parts[0]!.args[0]?.value
        if (module?.kind === "string" && parts.length <= 2)
          yield parts[1]?.args === undefined && parts.length === 2
            ? { kind: "name", name: parts[1]!.name, ...at(script, parts[1]!.at) }
            : { kind: "name", name: module.text, ...at(script, module.at) }
        continue
      }
      const last = parts[parts.length - 1]!
      const ends =
        /^(?:routes|middleware|router|callback|default)$/.test(last.name) &&
        last.args !== undefined &&
        last.args.length === 0
      const place = routers.placeOf(value.chain, ends && parts.length > 1 ? parts.length - 1 : parts.length)
      if (place !== undefined) yield place
    } else if (value.kind === "list") {
      for (const item of value.items) {
        const place = routers.placeOfExpr(item.value)
        if (place !== undefined) yield place
      }
    }
  }
}

/** A prefix by an expression: its text, that of a constant of the same file, or the name that holds it. */
export const prefixBy = (
  script: Script,
  expr: Expr | undefined
): { readonly prefix: string; readonly prefixName?: ({ readonly name: string } & At) | undefined } => {
  if (expr === undefined) return { prefix: "" }
  if (expr.kind === "string") return { prefix: expr.text }
  if (expr.kind !== "chain") return { prefix: "/{prefix}" }
  const last = expr.chain.parts[expr.chain.parts.length - 1]!
  const bound = expr.chain.parts.length === 1 ? script.binding(last.name, last.at)?.value : undefined
  if (bound?.kind === "string") return { prefix: bound.text }
  return last.args === undefined
    ? { prefix: `/{${last.name}}`, prefixName: { name: last.name, ...at(script, last.at) } }
    : { prefix: "/{prefix}" }
}

/** The text of the first argument when it is a path, else "". */
export const prefixOf = (args: ReadonlyArray<Argument>): string => pathOf(args[0])?.path ?? ""

export const httpVerbs: { readonly [part: string]: string } = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  del: "DELETE",
  head: "HEAD",
  options: "OPTIONS",
  all: "ANY"
}
export const goVerbs: { readonly [part: string]: string } = {
  GET: "GET",
  POST: "POST",
  PUT: "PUT",
  PATCH: "PATCH",
  DELETE: "DELETE",
  HEAD: "HEAD",
  OPTIONS: "OPTIONS",
  CONNECT: "CONNECT",
  TRACE: "TRACE",
  Any: "ANY"
}
export const lowerVerbs: { readonly [part: string]: string } = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  head: "HEAD",
  options: "OPTIONS"
}
export const titleVerbs: { readonly [part: string]: string } = {
  Get: "GET",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE",
  Head: "HEAD",
  Options: "OPTIONS",
  Connect: "CONNECT",
  Trace: "TRACE",
  All: "ANY"
}

/** A route `verb(path, …, handler)`; without a handler it is none, so that reads of maps are not taken for routes. */
export const verbRoute = (
  { args, part, script }: Call,
  methods: { readonly [part: string]: string },
  handler: "first" | "last" = "last"
): Registered | undefined => {
  const method = Object.hasOwn(methods, part.name) ? methods[part.name] : undefined
  if (method === undefined) return undefined
  const path = pathOf(args[0])
  if (path === undefined || args.length < 2) return undefined
  const found = handler === "first" ? handlerOf(script, args[1]!.value) : lastHandler(script, args.slice(1))
  return found === undefined ? undefined : { method, ...path, handler: found }
}

export { at, handlerOf, lastHandler, textOf }
