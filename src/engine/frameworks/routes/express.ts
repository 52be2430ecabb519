import type { Pass } from "../Pass.ts"
import { ecmascript } from "../Pass.ts"
import { childrenOf, httpVerbs, lastHandler, pathOf, prefixBy, readVerbs, verbRoute } from "./verbs.ts"

const others =
  /["'](?:fastify|hono|koa|@koa\/router|koa-router|@nestjs\/common|elysia|itty-router)(?:\/[\w-]+)?["']|\bfastify\./

/** Express, and routers that are used like its. */
export const express: Pass = {
  name: "express",
  family: "routes",
  languages: ecmascript,
  hints: ["express", "router", "Router", "app.", "server."],
  *read({ script, text }) {
    if (others.test(text) && !/["']express["']/.test(text)) return
    yield* readVerbs(script, {
      pass: "express",
      creates: (chain, index) => {
        const part = chain.parts[index]!
        if (part.args === undefined) return undefined
        if (part.name === "Router" || /^(?:PromiseRouter|AsyncRouter|ExpressPromiseRouter)$/.test(part.name))
          return { app: false }
        if (part.name === "express" && index === 0) return { app: true }
        // require("express")()
        if (
          part.name === "" &&
          index === 1 &&
          chain.parts[0]!.args?.[0]?.value.kind === "string" &&
          (chain.parts[0]!.args[0].value as { text: string }).text === "express"
        )
          return { app: true }
        return undefined
      },
      groups: (part) =>
        part.name === "route" && part.args?.length === 1 ? pathOf(part.args[0])?.path : undefined,
      fluent: (part) => part.name in httpVerbs || part.name === "use",
      typed: (type) => /\b(?:Application|Express|Router|IRouter)\b/.test(type),
      routes: (call) => {
        const plain = verbRoute(call, httpVerbs)
        if (plain !== undefined) return plain
        const { args, chain, index, part, script } = call
        const method = Object.hasOwn(httpVerbs, part.name) ? httpVerbs[part.name] : undefined
        if (method === undefined || args.length === 0) return undefined
        // router.route("/x").get(list).post(create)
        if (
          chain.parts.slice(0, index).some(({ args: own, name }) => name === "route" && own?.length === 1)
        ) {
          const handler = lastHandler(script, args)
          return handler === undefined ? undefined : { method, path: "", handler }
        }
        // Several paths at once: the first stands for them.
        const [first] = args
        if (first?.value.kind === "list" && args.length > 1) {
          const path = first.value.items.map((item) => pathOf(item)?.path).find((each) => each !== undefined)
          const handler = lastHandler(script, args.slice(1))
          if (path !== undefined && handler !== undefined) return { method, path, handler }
        }
        return undefined
      },
      mounts: function* (call) {
        if (call.part.name !== "use") return
        const [first] = call.args
        const plain = pathOf(first)
        // A name in front of a router may hold the path.
        const named =
          plain === undefined && call.args.length > 1 && first !== undefined
            ? first.value.kind === "string"
              ? { prefix: first.value.text }
              : first.value.kind === "chain" &&
                  first.value.chain.parts.every(({ args }) => args === undefined)
                ? prefixBy(call.script, first.value)
                : undefined
            : undefined
        const pathLike = /^[A-Z][A-Z_]+$|[pP]ath|[pP]refix|[bB]ase|[uU]rl/
        const bound =
          named === undefined || (named.prefixName !== undefined && !pathLike.test(named.prefixName.name))
            ? undefined
            : named
        for (const child of childrenOf(call, plain === undefined && bound === undefined ? 0 : 1))
          yield { ...(bound ?? { prefix: plain?.path ?? "" }), child }
      }
    })
  }
}
