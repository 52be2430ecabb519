import type { LocalFact, Place } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { type Chain, textOf, textsOf } from "../Script.ts"
import { at, handlerOf, type Mounted, readVerbs, type Registered } from "./verbs.ts"

const verbs = new Set(["get", "post", "put", "patch", "delete", "head", "options", "connect", "trace"])

/** The method and handler of `web::get().to(index)`. */
const routed = (chain: Chain): { readonly method: string; readonly handler: number } | undefined => {
  const verb = chain.parts.find(
    ({ args, name }) =>
      args !== undefined && (verbs.has(name) || name === "route" || name === "method" || name === "to")
  )
  const to = chain.parts.findIndex(({ name }) => name === "to")
  return verb === undefined || to < 0
    ? undefined
    : { method: verbs.has(verb.name) ? verb.name.toUpperCase() : "ANY", handler: to }
}

/** Actix Web: scopes, resources, and functions with a route of their own. */
export const actix: Pass = {
  name: "actix",
  family: "routes",
  languages: ["rust"],
  hints: ["actix_web", "actix-web", "web::"],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\bactix_web\b|\bpaperclip\b/.test(text)) return
    for (const { args, name, on } of script.decorations()) {
      if (on.kind !== "function" || !(verbs.has(name) || name === "route")) continue
      const path = textOf(args[0]?.value)
      if (path === undefined) continue
      const methods =
        name === "route"
          ? args.flatMap(({ label, value }) => (label === "method" ? textsOf(value) : []))
          : [name.toUpperCase()]
      for (const method of methods)
        yield {
          kind: "route",
          pass: "actix",
          protocol: "http",
          method,
          path,
          on: { kind: "local", key: `fn:${on.name}:${script.line(on.at)}` },
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          ...at(script, on.at)
        }
    }
    yield* readVerbs(script, {
      pass: "actix",
      creates: (chain, index) => {
        const part = chain.parts[index]!
        if (part.args === undefined) return undefined
        const before = chain.parts[index - 1]?.name
        if (part.name === "new" && before === "App") return { app: true }
        if (part.name === "scope" || part.name === "resource") {
          const prefix = textOf(part.args[0]?.value)
          return prefix === undefined ? undefined : { app: false, prefix }
        }
        return undefined
      },
      fluent: (part) =>
        /^(?:service|route|wrap|configure|app_data|guard|default_service|wrap_fn|name|to)$/.test(part.name),
      typed: (type) => /\bServiceConfig\b/.test(type),
      routes: ({ args, chain, index, part, script: own }): Registered | undefined => {
        if (part.name === "route") {
          const value = args.at(-1)?.value
          const target = value?.kind === "chain" ? routed(value.chain) : undefined
          if (value?.kind !== "chain" || target === undefined) return undefined
          const path = args.length > 1 ? textOf(args[0]!.value) : ""
          return path === undefined
            ? undefined
            : {
                method: target.method,
                path,
                handler: handlerOf(own, value.chain.parts[target.handler]!.args?.[0]?.value)
              }
        }
        // web::resource("/x").to(handler)
        if (
          part.name === "to" &&
          chain.parts.slice(0, index).some(({ name }) => name === "resource") &&
          !chain.parts.slice(0, index).some(({ name }) => verbs.has(name))
        )
          return { method: "ANY", path: "", handler: handlerOf(own, args[0]?.value) }
        return undefined
      },
      mounts: function* ({ args, part, routers, script: own }): Generator<Mounted> {
        if (part.name === "service") {
          for (const { value } of args) {
            if (value.kind === "chain") {
              const child = routers.placeOf(value.chain)
              if (child !== undefined) yield { prefix: "", child }
            } else if (value.kind === "list")
              for (const item of value.items) {
                const child = routers.placeOfExpr(item.value)
                if (child !== undefined) yield { prefix: "", child }
              }
          }
        } else if (part.name === "configure") {
          const value = args[0]?.value
          const child: Place | undefined =
            value?.kind === "function"
              ? routers.closure(value, 0)
              : value?.kind === "chain"
                ? {
                    kind: "name",
                    name: value.chain.parts.at(-1)!.name,
                    ...at(own, value.chain.parts.at(-1)!.at)
                  }
                : undefined
          if (child !== undefined) yield { prefix: "", child }
        }
      }
    })
  }
}
