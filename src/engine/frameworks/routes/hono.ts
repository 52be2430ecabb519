import type { Pass } from "../Pass.ts"
import { ecmascript } from "../Pass.ts"
import { textsOf } from "../Script.ts"
import { childrenOf, httpVerbs, lastHandler, pathOf, prefixOf, readVerbs, verbRoute } from "./verbs.ts"

/** Hono. */
export const hono: Pass = {
  name: "hono",
  family: "routes",
  languages: ecmascript,
  hints: ["hono", "Hono"],
  *read({ script, text }) {
    if (!/["'](?:jsr:)?@?hono(?:\/[\w-]+)*["']|\bHono\b/.test(text)) return
    yield* readVerbs(script, {
      pass: "hono",
      creates: (chain, index) => {
        const part = chain.parts[index]!
        return part.args !== undefined && /^(?:Hono|OpenAPIHono|HonoBase)$/.test(part.name)
          ? { app: false }
          : undefined
      },
      groups: (part) =>
        part.name === "basePath" && part.args?.length === 1 ? pathOf(part.args[0])?.path : undefined,
      fluent: (part) => part.name in httpVerbs || /^(?:use|route|on)$/.test(part.name),
      typed: (type) => /\bHono\b/.test(type),
      routes: (call) => {
        const plain = verbRoute(call, httpVerbs)
        if (plain !== undefined) return plain
        const { args, part, script } = call
        if (part.name !== "on" || args.length < 3) return undefined
        const path =
          pathOf(args[1]) ??
          (args[1]!.value.kind === "list" ? { path: textsOf(args[1]!.value)[0] ?? "" } : undefined)
        const methods = textsOf(args[0]!.value).map((method) => method.toUpperCase())
        return path === undefined || methods.length === 0
          ? undefined
          : { method: methods, ...path, handler: lastHandler(script, args.slice(2)) }
      },
      mounts: function* (call) {
        if (call.part.name !== "route" || call.args.length < 2) return
        const prefix = prefixOf(call.args)
        for (const child of childrenOf(call, 1)) yield { prefix, child }
      }
    })
  }
}
