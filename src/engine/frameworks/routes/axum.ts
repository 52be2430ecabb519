import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { type Argument, type Part, textOf } from "../Script.ts"
import { at, handlerOf, lowerVerbs, readVerbs, type Registered } from "./verbs.ts"

const verbs: { readonly [name: string]: string } = {
  ...lowerVerbs,
  trace: "TRACE",
  any: "ANY",
  connect: "CONNECT"
}

/** The parts of `get(list).post(create)` that name a method. */
const methodsIn = (arg: Argument | undefined): ReadonlyArray<Part> => {
  if (arg?.value.kind !== "chain") return []
  return arg.value.chain.parts.filter(
    ({ args, name }) =>
      args !== undefined && args.length > 0 && Object.hasOwn(verbs, name.replace(/_service$/, ""))
  )
}

/** Axum's routers. */
export const axum: Pass = {
  name: "axum",
  family: "routes",
  languages: ["rust"],
  hints: ["axum"],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\baxum(?:::|_)|\bRouter\b/.test(text)) return
    const found: Array<LocalFact> = []
    for (const fact of readVerbs(script, {
      pass: "axum",
      creates: (chain, index) => {
        const part = chain.parts[index]!
        return part.args !== undefined &&
          part.name === "new" &&
          /^(?:Router|ApiRouter|OpenApiRouter)$/.test(chain.parts[index - 1]?.name ?? "")
          ? { app: false }
          : undefined
      },
      fluent: (part) =>
        /^(?:route|nest|merge|layer|with_state|route_layer|fallback|nest_service|route_service|method_not_allowed_fallback|api_route|routes)$/.test(
          part.name
        ),
      typed: (type) => /\bRouter\b/.test(type),
      routes: ({ args, part, script: own }): Registered | undefined => {
        if (!/^(?:route|api_route|route_service)$/.test(part.name)) return undefined
        const path = textOf(args[0]?.value)
        if (path === undefined || args.length < 2) return undefined
        const methods = methodsIn(args[1])
        if (methods.length === 0) return { method: "ANY", path, handler: handlerOf(own, args[1]!.value) }
        // Each method has a handler of its own: the first here, the others below.
        return {
          method: verbs[methods[0]!.name.replace(/_service$/, "")]!,
          path,
          handler: handlerOf(own, methods[0]!.args![0]!.value)
        }
      },
      mounts: function* ({ args, part, routers }) {
        if (part.name !== "nest" && part.name !== "merge" && part.name !== "nest_service") return
        const prefix = part.name === "merge" ? "" : textOf(args[0]?.value)
        const value = (part.name === "merge" ? args[0] : args[1])?.value
        const child = routers.placeOfExpr(value)
        if (prefix !== undefined && child !== undefined) yield { prefix, child }
      }
    }))
      found.push(fact)
    for (const chain of script.chains())
      for (const part of chain.parts) {
        if (part.name !== "route" && part.name !== "api_route") continue
        const methods = methodsIn(part.args?.[1])
        const here = at(script, part.at)
        const first = found.find(
          (fact) => fact.kind === "route" && fact.line === here.line && fact.column === here.column
        )
        if (first?.kind !== "route") continue
        for (const method of methods.slice(1))
          found.push({
            ...first,
            method: verbs[method.name.replace(/_service$/, "")]!,
            handler: handlerOf(script, method.args![0]!.value) ?? first.handler,
            ...at(script, method.at)
          })
      }
    yield* found
  }
}
