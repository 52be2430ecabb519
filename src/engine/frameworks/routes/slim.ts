import type { Pass } from "../Pass.ts"
import { textOf, textsOf } from "../Script.ts"
import { handlerOf, httpVerbs, readVerbs } from "./verbs.ts"

/** Slim, and micro frameworks of PHP that register alike. */
export const slim: Pass = {
  name: "slim",
  family: "routes",
  languages: ["php"],
  hints: ["Slim\\", "RouteCollectorProxy", "AppFactory"],
  read: ({ script, text }) =>
    /Slim\\|RouteCollectorProxy/.test(text)
      ? readVerbs(script, {
          pass: "slim",
          creates: (chain, index) =>
            chain.parts[index]!.args !== undefined &&
            (chain.parts[index]!.name === "create" || chain.parts[index]!.name === "App")
              ? { app: true }
              : undefined,
          typed: (type) => /\b(?:App|RouteCollectorProxy(?:Interface)?|Group)\b/.test(type),
          routes: ({ args, part, script: own }) => {
            const method =
              part.name === "any"
                ? "ANY"
                : Object.hasOwn(httpVerbs, part.name)
                  ? httpVerbs[part.name]
                  : undefined
            const shift = part.name === "map" ? 1 : 0
            const path = textOf(args[shift]?.value)
            if (
              (method === undefined && part.name !== "map") ||
              path === undefined ||
              args.length < 2 + shift
            )
              return undefined
            return {
              method: method ?? textsOf(args[0]?.value),
              path,
              handler: handlerOf(own, args[shift + 1]!.value)
            }
          },
          mounts: function* ({ args, part, routers }) {
            if (part.name !== "group") return
            const child = args[1] === undefined ? undefined : routers.closure(args[1].value, 0)
            if (child !== undefined) yield { prefix: textOf(args[0]?.value) ?? "", child }
          }
        })
      : []
}
