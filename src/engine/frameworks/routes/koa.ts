import type { Pass } from "../Pass.ts"
import { ecmascript } from "../Pass.ts"
import { argOf } from "../Script.ts"
import {
  childrenOf,
  httpVerbs,
  lastHandler,
  pathOf,
  prefixOf,
  readVerbs,
  textOf,
  verbRoute
} from "./verbs.ts"

/** Koa with its router. */
export const koa: Pass = {
  name: "koa",
  family: "routes",
  languages: ecmascript,
  hints: ["koa"],
  *read({ script, text }) {
    if (!/["'](?:koa|@koa\/router|koa-router|koa-joi-router|koa-mount)["']/.test(text)) return
    yield* readVerbs(script, {
      pass: "koa",
      creates: (chain, index) => {
        const part = chain.parts[index]!
        if (part.args === undefined) return undefined
        if (part.name === "Koa" || part.name === "Application") return { app: true }
        if (!/^(?:Router|KoaRouter)$/.test(part.name)) return undefined
        const options = part.args[0]?.value
        const prefix = options?.kind === "record" ? textOf(argOf(options.items, "prefix")) : undefined
        return { app: false, prefix: prefix ?? "" }
      },
      groups: (part) =>
        part.name === "prefix" && part.args?.length === 1 ? pathOf(part.args[0])?.path : undefined,
      fluent: (part) => part.name in httpVerbs || part.name === "use" || part.name === "routes",
      routes: (call) => {
        const plain = verbRoute(call, httpVerbs)
        if (plain !== undefined) return plain
        // router.get("name", "/path", handler)
        const { args, part, script } = call
        const method = Object.hasOwn(httpVerbs, part.name) ? httpVerbs[part.name] : undefined
        const path = pathOf(args[1])
        if (method === undefined || args[0]?.value.kind !== "string" || path === undefined || args.length < 3)
          return undefined
        return { method, ...path, handler: lastHandler(script, args.slice(2)) }
      },
      mounts: function* (call) {
        const { args, chain, index, part, routers } = call
        if (part.name === "use") {
          const prefix = prefixOf(args)
          for (const child of childrenOf(call, pathOf(args[0]) === undefined ? 0 : 1)) yield { prefix, child }
        }
        // router.prefix("/api") as a statement of its own
        if (part.name === "prefix" && index === chain.parts.length - 1) {
          const child = routers.placeOf(chain, index)
          const prefix = pathOf(args[0])?.path
          if (child !== undefined && prefix !== undefined)
            yield { prefix, child, parent: { kind: "local", key: "prefixed" } }
        }
      }
    })
  }
}
