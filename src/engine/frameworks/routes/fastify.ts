import type { Place } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { ecmascript } from "../Pass.ts"
import { argOf, textOf, textsOf } from "../Script.ts"
import { at, handlerOf, httpVerbs, lastHandler, pathOf, readVerbs, type Call } from "./verbs.ts"

/** The plugin that is registered: a name, a required module, a function in place. */
const pluginOf = ({ args, routers, script }: Call): Place | undefined => {
  const value = args[0]?.value
  if (value?.kind === "function") return routers.closure(value, 0)
  if (value?.kind !== "chain") return undefined
  const [first, second] = value.chain.parts
  const module = first!.args?.[0]?.value
  if ((first!.name === "require" || first!.name === "import") && module?.kind === "string")
    return { kind: "name", name: module.text, ...at(script, module.at) }
  if (first!.args !== undefined || second?.args !== undefined) return undefined
  const last = value.chain.parts[value.chain.parts.length - 1]!
  return { kind: "name", name: last.name, ...at(script, last.at) }
}

/** Fastify and its plugins. */
export const fastify: Pass = {
  name: "fastify",
  family: "routes",
  languages: ecmascript,
  hints: ["fastify", "Fastify"],
  *read({ script, text }) {
    if (!/\bfastify\b|\bFastify/.test(text)) return
    yield* readVerbs(script, {
      pass: "fastify",
      creates: (chain, index) => {
        const part = chain.parts[index]!
        if (part.args === undefined) return undefined
        if (index === 0 && /^[Ff]astify$/.test(part.name)) return { app: true }
        const module = chain.parts[0]!.args?.[0]?.value
        return part.name === "" && index === 1 && module?.kind === "string" && module.text === "fastify"
          ? { app: true }
          : undefined
      },
      fluent: (part) =>
        part.name in httpVerbs || /^(?:register|route|withTypeProvider|after)$/.test(part.name),
      typed: (type, name) => /\bFastifyInstance\b/.test(type) || name === "fastify",
      routes: ({ args, part, script }) => {
        if (part.name === "route" && args[0]?.value.kind === "record") {
          const { items } = args[0].value
          const path = argOf(items, ["url", "path"])
          const methods = textsOf(argOf(items, "method")).map((method) => method.toUpperCase())
          if (path?.kind !== "string" || methods.length === 0) return undefined
          return {
            method: methods,
            path: path.text,
            ...(path.exact ? {} : { partial: true }),
            handler: handlerOf(script, argOf(items, "handler"))
          }
        }
        const method = Object.hasOwn(httpVerbs, part.name) ? httpVerbs[part.name] : undefined
        const path = pathOf(args[0])
        if (method === undefined || path === undefined || args.length < 2) return undefined
        const options = args.find(({ value }) => value.kind === "record")?.value
        const named =
          options?.kind === "record" ? handlerOf(script, argOf(options.items, "handler")) : undefined
        const socket = options?.kind === "record" && argOf(options.items, "websocket") !== undefined
        const handler = named ?? lastHandler(script, args.slice(1))
        return handler === undefined
          ? undefined
          : { method, ...path, handler, ...(socket ? { protocol: "ws" } : {}) }
      },
      mounts: function* (call) {
        if (call.part.name !== "register") return
        const child = pluginOf(call)
        if (child === undefined) return
        const options = call.args[1]?.value
        const prefix = options?.kind === "record" ? textOf(argOf(options.items, "prefix")) : undefined
        yield { prefix: prefix ?? "", child }
      }
    })
  }
}
