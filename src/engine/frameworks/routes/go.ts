/** Routers of Go: those of the standard library and the packages that are used most. */
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import { type Chain, textOf, textsOf } from "../Script.ts"
import {
  type Call,
  childrenOf,
  goVerbs,
  handlerOf,
  lastHandler,
  pathOf,
  prefixOf,
  readVerbs,
  type Registered,
  titleVerbs,
  verbRoute,
  type Verbs
} from "./verbs.ts"

const creates =
  (made: { readonly [name: string]: boolean }) =>
  (chain: Chain, index: number): { readonly app: boolean } | undefined => {
    const part = chain.parts[index]!
    if (part.args === undefined || index !== 1) return undefined
    const name = `${chain.parts[0]!.name}.${part.name}`
    return Object.hasOwn(made, name) ? { app: made[name]! } : undefined
  }

/** A group of routes by calls that name a prefix. */
const grouped =
  (...names: ReadonlyArray<string>) =>
  (part: { readonly name: string; readonly args?: Call["args"] }) =>
    names.includes(part.name) && part.args !== undefined
      ? (pathOf(part.args[0])?.path ?? (part.args.length === 0 ? "" : undefined))
      : undefined

const pass = (name: string, hints: ReadonlyArray<string>, verbs: Omit<Verbs, "pass">): Pass => ({
  name,
  family: "routes",
  languages: ["go"],
  hints,
  read: ({ script }): Iterable<LocalFact> => readVerbs(script, { pass: name, ...verbs })
})

/** Handle("GET", "/x", h), and Match with a list of methods. */
const spelled = ({ args, script }: Call): Registered | undefined => {
  const methods = textsOf(args[0]?.value)
  const constant =
    args[0]?.value.kind === "chain"
      ? /^Method([A-Z]\w+)$/.exec(args[0].value.chain.parts.at(-1)!.name)?.[1]
      : undefined
  const all = constant === undefined ? methods : [constant.toUpperCase()]
  const path = pathOf(args[1])
  return path === undefined || all.length === 0
    ? undefined
    : {
        method: all.map((method) => method.toUpperCase()),
        ...path,
        handler: lastHandler(script, args.slice(2))
      }
}

export const gin = pass("gin", ["gin-gonic/gin"], {
  creates: creates({ "gin.Default": true, "gin.New": true }),
  groups: grouped("Group"),
  fluent: (part) => part.name in goVerbs || part.name === "Use",
  typed: (type) => /\bgin\.(?:Engine|RouterGroup|IRouter|IRoutes)\b/.test(type),
  routes: (call) => verbRoute(call, goVerbs) ?? (call.part.name === "Handle" ? spelled(call) : undefined)
})

export const echo = pass("echo", ["labstack/echo"], {
  creates: creates({ "echo.New": true }),
  groups: grouped("Group"),
  typed: (type) => /\becho\.(?:Echo|Group)\b/.test(type),
  routes: (call) =>
    verbRoute(call, goVerbs, "first") ??
    (call.part.name === "Add" || call.part.name === "Match" ? spelled(call) : undefined)
})

export const fiber = pass("fiber", ["gofiber/fiber"], {
  creates: creates({ "fiber.New": true }),
  groups: grouped("Group", "Route"),
  typed: (type) => /\bfiber\.(?:App|Router|Group)\b/.test(type),
  routes: (call) => verbRoute(call, titleVerbs) ?? (call.part.name === "Add" ? spelled(call) : undefined),
  mounts: function* (call) {
    const { args, chain, index, part, routers } = call
    if (part.name === "Mount" || part.name === "Use") {
      for (const child of childrenOf(call, 1))
        if (part.name === "Mount") yield { prefix: prefixOf(args), child }
    } else if ((part.name === "Route" || part.name === "Group") && args[1]?.value.kind === "function") {
      const child = routers.closure(args[1].value, 0)
      if (child !== undefined) yield { prefix: prefixOf(args), child, parent: routers.placeOf(chain, index) }
    }
  }
})

export const chi = pass("chi", ["go-chi/chi"], {
  creates: creates({ "chi.NewRouter": true, "chi.NewMux": true }),
  groups: (part) => (part.name === "With" ? "" : undefined),
  typed: (type) => /\bchi\.(?:Router|Mux)\b/.test(type),
  routes: (call) => {
    const { args, part, script } = call
    const plain = verbRoute(call, titleVerbs)
    if (plain !== undefined) return plain
    const path = pathOf(args[0])
    if ((part.name === "HandleFunc" || part.name === "Handle") && path !== undefined)
      return { method: "ANY", ...path, handler: lastHandler(script, args.slice(1)) }
    return part.name === "Method" || part.name === "MethodFunc" ? spelled(call) : undefined
  },
  mounts: function* (call) {
    const { args, part, routers } = call
    if (part.name === "Mount")
      for (const child of childrenOf(call, 1)) yield { prefix: prefixOf(args), child }
    const body = args.at(-1)?.value
    if ((part.name === "Route" || part.name === "Group") && body?.kind === "function") {
      const child = routers.closure(body, 0)
      if (child !== undefined) yield { prefix: part.name === "Group" ? "" : prefixOf(args), child }
    } else if (part.name === "Route" && body?.kind === "chain") {
      const last = body.chain.parts.at(-1)!
      yield { prefix: prefixOf(args), child: { kind: "name", name: last.name, ...at(call.script, last.at) } }
    }
  }
})

/** Behind HandleFunc the methods may be named. */
const methodsBehind = ({ chain, index }: Call): ReadonlyArray<string> => {
  const named = chain.parts.slice(index + 1).find(({ name }) => name === "Methods")
  const found = (named?.args ?? []).flatMap(({ value }) =>
    value.kind === "string"
      ? [value.text]
      : value.kind === "chain"
        ? [/^Method(\w+)$/.exec(value.chain.parts.at(-1)!.name)?.[1]?.toUpperCase() ?? "ANY"]
        : []
  )
  return found.length === 0 ? ["ANY"] : found
}

export const gorilla = pass("gorilla", ["gorilla/mux"], {
  creates: creates({ "mux.NewRouter": true }),
  groups: (part) =>
    part.name === "PathPrefix" ? pathOf(part.args?.[0])?.path : part.name === "Subrouter" ? "" : undefined,
  fluent: (part) => /^(?:StrictSlash|Use|Host|Schemes|Headers|Queries|Name|NewRoute)$/.test(part.name),
  typed: (type) => /\bmux\.Router\b/.test(type),
  routes: (call) => {
    const { args, chain, index, part, script } = call
    const path = pathOf(args[0])
    if ((part.name === "HandleFunc" || part.name === "Handle") && path !== undefined && args.length > 1)
      return { method: methodsBehind(call), ...path, handler: lastHandler(script, args.slice(1)) }
    // r.Path("/x").Methods("GET").HandlerFunc(h)
    if ((part.name === "HandlerFunc" || part.name === "Handler") && args.length === 1) {
      const before = chain.parts.slice(0, index)
      const named = before.find(({ name }) => name === "Path")
      const own = pathOf(named?.args?.[0])
      const methods = before
        .find(({ name }) => name === "Methods")
        ?.args?.flatMap(({ value }) => textsOf(value)) ?? ["ANY"]
      return own === undefined
        ? undefined
        : { method: methods, ...own, handler: handlerOf(script, args[0]!.value) }
    }
    return undefined
  }
})

/**
 * Groups that are made where no framework is imported: what composes an application gets its router from elsewhere and
 * hands groups of it on.
 */
export const goGroups: Pass = {
  name: "go groups",
  family: "routes",
  languages: ["go"],
  hidden: true,
  hints: [".Group("],
  *read({ script, text }): Generator<LocalFact> {
    if (/gin-gonic\/gin|labstack\/echo|gofiber\/fiber/.test(text)) return
    yield* readVerbs(script, { pass: "go groups", groups: grouped("Group"), routes: () => undefined })
  }
}

export const nethttp: Pass = {
  name: "net/http",
  family: "routes",
  languages: ["go"],
  hints: ["net/http"],
  *read({ script, text }): Generator<LocalFact> {
    const mux = /gorilla\/mux|go-chi\/chi/.test(text)
    yield* readVerbs(script, {
      pass: "net/http",
      creates: creates({ "http.NewServeMux": true }),
      typed: (type) => /\bhttp\.ServeMux\b/.test(type),
      routes: ({ args, chain, index, part, script: own }) => {
        if (part.name !== "HandleFunc" && part.name !== "Handle") return undefined
        if (
          args.length !== 2 ||
          (index !== chain.parts.length - 1 && chain.parts[index + 1]?.args === undefined)
        )
          return undefined
        const base = chain.parts
          .slice(0, index)
          .map(({ name }) => name)
          .join(".")
        if (mux && base !== "http") return undefined
        const text = textOf(args[0]!.value)
        if (text === undefined) return undefined
        const found = /^(?:([A-Z]+)\s+)?(?:[\w.-]+(?::\d+)?)?(\/\S*)$/.exec(text)
        if (found === null) return undefined
        return { method: found[1] ?? "ANY", path: found[2]!, handler: handlerOf(own, args[1]!.value) }
      }
    })
    // http.HandleFunc registers on the default mux; `strangers` keeps clients of that name out above.
    for (const chain of script.chains()) {
      const part = chain.parts[1]
      if (
        chain.parts[0]!.name !== "http" ||
        part?.args === undefined ||
        (part.name !== "HandleFunc" && part.name !== "Handle") ||
        part.args.length !== 2
      )
        continue
      const value = textOf(part.args[0]!.value)
      const found = value === undefined ? null : /^(?:([A-Z]+)\s+)?(?:[\w.-]+(?::\d+)?)?(\/\S*)$/.exec(value)
      if (found !== null)
        yield {
          kind: "route",
          pass: "net/http",
          protocol: "http",
          method: found[1] ?? "ANY",
          path: found[2]!,
          handler: handlerOf(script, part.args[1]!.value) ?? { kind: "inline", ...at(script, part.at) },
          ...at(script, part.at)
        }
    }
  }
}
