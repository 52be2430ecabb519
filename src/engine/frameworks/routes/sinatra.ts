import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { textOf } from "../Script.ts"
import { lowerVerbs } from "./verbs.ts"

const verbs: { readonly [name: string]: string } = {
  ...lowerVerbs,
  link: "LINK",
  unlink: "UNLINK"
}

/** Sinatra, and Grape, whose routes lie in namespaces as well. */
export const sinatra: Pass = {
  name: "sinatra",
  family: "routes",
  languages: ["ruby"],
  hints: ["sinatra", "Sinatra", "Grape::API"],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\bsinatra\b|Sinatra::|Grape::API/.test(text) || /\.routes\.draw\b/.test(text)) return
    const grape = text.includes("Grape::API")
    for (const chain of script.chains()) {
      const part = chain.parts[0]!
      if (chain.parts.length !== 1 || !Object.hasOwn(verbs, part.name) || part.block === undefined) continue
      const path = textOf(part.args?.[0]?.value) ?? (grape ? "" : undefined)
      if (path === undefined || (path !== "" && !/^[/*:]/.test(path) && !grape)) continue
      let whole = path
      for (const { chain: outer, index } of script.enclosing(chain.at)) {
        const owner = outer.parts[index]!
        if (/^(?:namespace|resource|resources|group|segment|route_param)$/.test(owner.name)) {
          const prefix = textOf(owner.args?.[0]?.value)
          if (prefix !== undefined)
            whole = join(`/${owner.name === "route_param" ? ":" : ""}${prefix.replace(/^\//, "")}`, whole)
        }
      }
      yield {
        kind: "route",
        pass: grape ? "grape" : "sinatra",
        protocol: "http",
        method: verbs[part.name]!,
        path: whole.startsWith("/") || whole.startsWith("*") ? whole : `/${whole}`,
        handler: { kind: "inline", ...at(script, part.at) },
        ...at(script, part.at)
      }
    }
  }
}
