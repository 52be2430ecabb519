import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, textOf, textsOf } from "../Script.ts"
import { handlerOf, lastHandler, readVerbs, type Verbs } from "./verbs.ts"

const verbs: { readonly [name: string]: string } = {
  HttpGet: "GET",
  HttpPost: "POST",
  HttpPut: "PUT",
  HttpPatch: "PATCH",
  HttpDelete: "DELETE",
  HttpHead: "HEAD",
  HttpOptions: "OPTIONS"
}

const minimal: Verbs = {
  pass: "asp.net",
  creates: (chain, index) => {
    const part = chain.parts[index]!
    return part.args !== undefined && part.name === "Build" && index > 0 ? { app: true } : undefined
  },
  groups: (part) => (part.name === "MapGroup" ? (textOf(part.args?.[0]?.value) ?? "{group}") : undefined),
  fluent: (part) =>
    /^(?:RequireAuthorization|WithTags|WithOpenApi|AllowAnonymous|AddEndpointFilter|WithApiVersionSet|HasApiVersion|NewVersionedApi|RequireCors|WithName|MapGet|MapPost)$/.test(
      part.name
    ),
  typed: (type) =>
    /\b(?:WebApplication|IEndpointRouteBuilder|RouteGroupBuilder|IApplicationBuilder)\b/.test(type),
  routes: ({ args, part, script }) => {
    const verb = /^Map(Get|Post|Put|Patch|Delete|Hub|Methods|Fallback)?$/.exec(part.name)?.[1]
    if (verb === undefined && part.name !== "Map") return undefined
    const path = textOf(args[0]?.value)
    if (path === undefined || (args.length < 2 && verb !== "Hub")) return undefined
    const rooted = path.startsWith("/") || path === "" ? path : `/${path}`
    if (verb === "Hub") return { method: "WS", protocol: "ws", path: rooted, handler: undefined }
    if (verb === "Methods")
      return { method: textsOf(args[1]?.value), path: rooted, handler: handlerOf(script, args[2]?.value) }
    return {
      method: verb === undefined || verb === "Fallback" ? "ANY" : verb.toUpperCase(),
      path: rooted,
      handler: lastHandler(script, args.slice(1))
    }
  }
}

/** Controllers and minimal endpoints of ASP.NET. */
export const aspnet: Pass = {
  name: "asp.net",
  family: "routes",
  languages: ["csharp"],
  hints: [
    "[Http",
    "[Route",
    "MapGet",
    "MapPost",
    "MapPut",
    "MapDelete",
    "MapGroup",
    "MapPatch",
    "MapHub",
    "MapMethods"
  ],
  *read({ script, text }): Generator<LocalFact> {
    const classes = new Map<
      number,
      { readonly paths: Array<string>; readonly name: string; area: string | undefined }
    >()
    for (const { args, name, on } of script.decorations()) {
      if (on.kind !== "class") continue
      const body = script.classes().find(({ at: own }) => own === on.at)
      if (body === undefined) continue
      const known = classes.get(body.from) ?? { paths: [], name: on.name, area: undefined }
      if (name === "Route") known.paths.push(textOf(args[0]?.value) ?? "")
      if (name === "Area") known.area = textOf(args[0]?.value)
      classes.set(body.from, known)
    }
    const byFunction = new Map<
      number,
      Array<{
        name: string
        path: string | undefined
        args: ReadonlyArray<unknown>
        methods: ReadonlyArray<string>
        at: number
      }>
    >()
    for (const { args, at: token, name, on } of script.decorations()) {
      if (on.kind !== "function") continue
      const list = byFunction.get(on.at) ?? []
      list.push({
        name,
        path: textOf(argOf(args, "template", 0)),
        args,
        methods: args.flatMap(({ value }) => textsOf(value)),
        at: token
      })
      byFunction.set(on.at, list)
    }
    for (const [token, list] of byFunction) {
      const around = script.classAround(token)
      if (around === undefined) continue
      const owner = classes.get(around.from)
      const routes = list.filter(({ name }) => name === "Route")
      for (const { at: own, methods: listed, name, path } of list) {
        const method = Object.hasOwn(verbs, name)
          ? [verbs[name]!]
          : name === "AcceptVerbs"
            ? listed.map((each) => each.toUpperCase())
            : name === "Route" && !list.some((each) => Object.hasOwn(verbs, each.name))
              ? ["ANY"]
              : []
        const paths =
          path !== undefined && name !== "AcceptVerbs"
            ? [path]
            : routes.length > 0 && name !== "Route"
              ? routes.map((each) => each.path ?? "")
              : [""]
        for (const verb of method)
          for (const below of paths)
            for (const prefix of owner === undefined || owner.paths.length === 0 ? [""] : owner.paths) {
              // A path from the root stands for itself.
              const whole = /^[~/]/.test(below) ? below.replace(/^~/, "") : join(prefix, below)
              if (whole === "" && (owner === undefined || owner.paths.length === 0)) {
                // Without any template the convention of the application decides.
                yield {
                  kind: "route",
                  pass: "asp.net",
                  protocol: "http",
                  method: verb,
                  path: `/${around.name.replace(/Controller$/, "")}/${script.word(token)}`,
                  partial: true,
                  handler: { kind: "definition", name: script.word(token), ...at(script, token) },
                  ...at(script, own)
                }
                continue
              }
              const filled = whole
                .replace(/\[controller\]/gi, around.name.replace(/Controller$/, ""))
                .replace(/\[action\]/gi, script.word(token).replace(/Async$/, ""))
                .replace(/\[area\]/gi, owner?.area ?? "[area]")
              yield {
                kind: "route",
                pass: "asp.net",
                protocol: "http",
                method: verb,
                path: `/${filled.replace(/^\/+/, "")}`,
                handler: { kind: "definition", name: script.word(token), ...at(script, token) },
                ...at(script, own)
              }
            }
      }
    }
    if (/\.Map(?:Get|Post|Put|Patch|Delete|Group|Hub|Methods|Fallback)?\b/.test(text))
      yield* readVerbs(script, minimal)
  }
}
