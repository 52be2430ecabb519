import { at } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, lastPart, textOf, textsOf } from "../Script.ts"
import { childrenOf, handlerOf, httpVerbs, readVerbs } from "./verbs.ts"
import { Routers, type Vocabulary } from "../Routers.ts"

const vocabulary: Vocabulary = {
  pass: "flask",
  creates: (chain, index) => {
    const part = chain.parts[index]!
    if (part.args === undefined) return undefined
    if (/^(?:Flask|Quart|APIFlask)$/.test(part.name)) return { app: true }
    if (/^(?:Blueprint|APIBlueprint)$/.test(part.name))
      return { app: false, prefix: textOf(argOf(part.args, "url_prefix")) ?? "" }
    if (part.name === "Api" && index === 0)
      return { app: false, prefix: textOf(argOf(part.args, "prefix")) ?? "" }
    if (part.name === "Namespace")
      return {
        app: false,
        prefix: textOf(argOf(part.args, "path")) ?? `/${textOf(part.args[0]?.value) ?? ""}`
      }
    return undefined
  },
  typed: (type, name) => /\b(?:Flask|Blueprint|Quart)\b/.test(type) || name === "app"
}

/** Flask, Quart and their blueprints. */
export const flask: Pass = {
  name: "flask",
  family: "routes",
  languages: ["python"],
  hints: ["flask", "Flask", "quart", "Blueprint", ".route("],
  *read({ script, text }): Generator<LocalFact> {
    if (/\b(?:fastapi|starlette|sanic|bottle)\b/.test(text) && !/\b(?:flask|quart)/i.test(text)) return
    const routers = new Routers(script, vocabulary)
    for (const decoration of script.decorations()) {
      const { chain, name, on } = decoration
      if (chain.parts.length < 2 || (on.kind !== "function" && on.kind !== "class")) continue
      const place = routers.placeOf(chain, chain.parts.length - 1)
      const path = textOf(argOf(decoration.args, "rule", 0))
      if (path === undefined || !path.startsWith("/")) continue
      const methods =
        name === "route"
          ? (() => {
              const named = textsOf(argOf(decoration.args, "methods")).map((method) => method.toUpperCase())
              return named.length === 0 ? ["GET"] : named
            })()
          : Object.hasOwn(httpVerbs, name)
            ? [httpVerbs[name]!]
            : name === "websocket"
              ? ["WS"]
              : []
      for (const method of on.kind === "class" && name === "route" ? ["ANY"] : methods)
        yield {
          kind: "route",
          pass: "flask",
          protocol: method === "WS" ? "ws" : "http",
          method,
          path,
          on: place,
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          ...at(script, decoration.at)
        }
    }
    yield* routers.facts
    yield* readVerbs(script, {
      ...vocabulary,
      routes: ({ args, part }) => {
        if (part.name === "add_url_rule") {
          const path = textOf(argOf(args, "rule", 0))
          const methods = textsOf(argOf(args, "methods"))
          const view = argOf(args, "view_func", 2)
          if (path === undefined) return undefined
          return {
            method:
              methods.length === 0
                ? view?.kind === "chain" && lastPart(view.chain).name === "as_view"
                  ? "ANY"
                  : "GET"
                : methods,
            path,
            handler: handlerOf(script, view)
          }
        }
        if (part.name === "add_resource") {
          const paths = args
            .slice(1)
            .flatMap(({ label, value }) => (label === undefined ? textsOf(value) : []))
          if (paths.length === 0) return undefined
          return { method: "ANY", path: paths[0]!, handler: handlerOf(script, args[0]?.value) }
        }
        return undefined
      },
      mounts: function* (call) {
        if (
          call.part.name !== "register_blueprint" &&
          call.part.name !== "add_namespace" &&
          call.part.name !== "init_app"
        )
          return
        const prefix = textOf(argOf(call.args, ["url_prefix", "path"]))
        if (call.part.name === "init_app") {
          for (const parent of childrenOf(call)) {
            const child = call.routers.placeOf(call.chain, call.index)
            if (child !== undefined && routers.makes(call.chain)) yield { prefix: "", child, parent }
          }
          return
        }
        const [child] = childrenOf(call)
        if (child !== undefined)
          yield { prefix: prefix ?? "", child, ...(prefix === undefined ? {} : { overrides: true }) }
      }
    })
  }
}
