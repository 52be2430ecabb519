import { Routers, at, type Vocabulary } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, textOf, textsOf } from "../Script.ts"
import { childrenOf, handlerOf, httpVerbs, prefixBy, readVerbs } from "./verbs.ts"

const vocabulary: Vocabulary = {
  pass: "fastapi",
  creates: (chain, index) => {
    const part = chain.parts[index]!
    if (part.args === undefined) return undefined
    if (part.name === "FastAPI") return { app: true }
    return part.name === "APIRouter"
      ? { app: false, prefix: textOf(argOf(part.args, "prefix")) ?? "" }
      : undefined
  },
  typed: (type) => /\b(?:FastAPI|APIRouter)\b/.test(type)
}

/** FastAPI applications and routers. */
export const fastapi: Pass = {
  name: "fastapi",
  family: "routes",
  languages: ["python"],
  hints: ["fastapi", "APIRouter", "FastAPI"],
  *read({ script }): Generator<LocalFact> {
    const routers = new Routers(script, vocabulary)
    for (const decoration of script.decorations()) {
      const { args, chain, name, on } = decoration
      if (chain.parts.length < 2 || on.kind !== "function") continue
      const expr = argOf(args, "path", 0)
      if (expr?.kind !== "string" || (expr.text !== "" && !expr.text.startsWith("/"))) continue
      const methods = Object.hasOwn(httpVerbs, name)
        ? [httpVerbs[name]!]
        : name === "api_route" || name === "route"
          ? textsOf(argOf(args, "methods")).map((method) => method.toUpperCase())
          : name === "websocket"
            ? ["WS"]
            : []
      const place = methods.length === 0 ? undefined : routers.placeOf(chain, chain.parts.length - 1)
      for (const method of methods)
        yield {
          kind: "route",
          pass: "fastapi",
          protocol: method === "WS" ? "ws" : "http",
          method,
          path: expr.text,
          on: place,
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          ...(expr.exact ? {} : { partial: true }),
          ...at(script, decoration.at)
        }
    }
    yield* routers.facts
    yield* readVerbs(script, {
      ...vocabulary,
      routes: ({ args, part }) => {
        if (part.name !== "add_api_route" && part.name !== "add_api_websocket_route") return undefined
        const path = textOf(argOf(args, "path", 0))
        const methods = textsOf(argOf(args, "methods"))
        return path === undefined
          ? undefined
          : {
              method: methods.length === 0 ? "GET" : methods,
              path,
              handler: handlerOf(script, argOf(args, "endpoint", 1))
            }
      },
      mounts: function* (call) {
        if (call.part.name === "include_router") {
          const expr = argOf(call.args, "prefix")
          const [child] = childrenOf(call)
          if (child !== undefined) yield { ...prefixBy(script, expr), child }
        } else if (call.part.name === "mount") {
          const prefix = textOf(call.args[0]?.value)
          const [child] = childrenOf(call, 1)
          if (child !== undefined && prefix !== undefined) yield { prefix, child }
        }
      }
    })
  }
}
