import { at } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { textOf } from "../Script.ts"
import { handlerOf, httpVerbs } from "./verbs.ts"

/** aiohttp's server: route tables, and routes that are added one by one. */
export const aiohttp: Pass = {
  name: "aiohttp",
  family: "routes",
  languages: ["python"],
  hints: ["aiohttp"],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\baiohttp(?:\.web\b|\s+import\s+[\w, ]*\bweb\b)/.test(text)) return
    for (const { args, chain, name, on } of script.decorations()) {
      const path = textOf(args[0]?.value)
      if (
        chain.parts.length === 2 &&
        on.kind !== "none" &&
        path?.startsWith("/") === true &&
        (Object.hasOwn(httpVerbs, name) || name === "view")
      )
        yield {
          kind: "route",
          pass: "aiohttp",
          protocol: "http",
          method: name === "view" ? "ANY" : httpVerbs[name]!,
          path,
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          ...at(script, chain.at)
        }
    }
    for (const chain of script.chains()) {
      const part = chain.parts[chain.parts.length - 1]!
      if (part.args === undefined || chain.parts.length < 2) continue
      const added = /^add_(get|post|put|patch|delete|head|options|view|route)$/.exec(part.name)?.[1]
      const listed =
        chain.parts[0]!.name === "web" && Object.hasOwn(httpVerbs, part.name) ? part.name : undefined
      const verb = added ?? listed
      if (verb === undefined) continue
      const shift = verb === "route" ? 1 : 0
      const path = textOf(part.args[shift]?.value)
      if (path === undefined) continue
      const method =
        verb === "route"
          ? (textOf(part.args[0]?.value)?.toUpperCase() ?? "ANY").replace("*", "ANY")
          : verb === "view"
            ? "ANY"
            : verb.toUpperCase()
      yield {
        kind: "route",
        pass: "aiohttp",
        protocol: "http",
        method,
        path,
        handler: handlerOf(script, part.args[shift + 1]?.value) ?? { kind: "inline", ...at(script, part.at) },
        ...at(script, part.at)
      }
    }
  }
}
