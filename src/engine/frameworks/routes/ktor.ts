import type { Handler, LocalFact, Place } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { type Script, textOf } from "../Script.ts"
import { join, parameterKey } from "../Routers.ts"
import { at, lowerVerbs } from "./verbs.ts"

/** Where a token is in Ktor's tree of routes: the prefix of the blocks around it, and the function they are in. */
const within = (
  script: Script,
  token: number
): { readonly prefix: string; readonly on: Place | undefined; readonly routed: boolean } => {
  let prefix = ""
  let routed = false
  for (const { chain, index } of script.enclosing(token)) {
    const part = chain.parts[index]!
    if (part.block === undefined || token < part.block.from || token >= part.block.to) continue
    if (part.name === "route") {
      prefix = join(`/${(textOf(part.args?.[0]?.value) ?? "").replace(/^\//, "")}`, prefix)
      routed = true
    } else if (part.name === "routing" || part.name === "authenticate") routed = true
  }
  const fn = script.functionAround(token)
  if (fn === undefined) return { prefix, on: undefined, routed }
  const extension = /\b(?:Route|Routing|Application|Root)$/.test(script.word(fn.at - 2))
  return extension
    ? { prefix, on: { kind: "local", key: parameterKey(fn.name, script.line(fn.at), "this") }, routed: true }
    : { prefix, on: undefined, routed }
}

/** Ktor's routing blocks, over extension functions too. */
export const ktor: Pass = {
  name: "ktor",
  family: "routes",
  languages: ["kotlin"],
  hints: ["io.ktor", "routing {", "Route."],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\bio\.ktor\b/.test(text)) return
    for (const chain of script.chains()) {
      const part = chain.parts[0]!
      if (chain.parts.length !== 1) continue
      const verb = Object.hasOwn(lowerVerbs, part.name) ? lowerVerbs[part.name] : undefined
      const socket = part.name === "webSocket"
      if ((verb !== undefined || socket) && (part.block !== undefined || (part.args?.length ?? 0) > 1)) {
        const { on, prefix, routed } = within(script, chain.at)
        const path = textOf(part.args?.[0]?.value) ?? ""
        if (
          !routed ||
          (part.args !== undefined && part.args.length > 0 && part.args[0]!.value.kind !== "string")
        )
          continue
        const whole = join(prefix, path === "" ? "" : `/${path.replace(/^\//, "")}`)
        yield {
          kind: "route",
          pass: "ktor",
          protocol: socket ? "ws" : "http",
          method: verb ?? "WS",
          path: whole === "" ? "/" : whole,
          on,
          handler: { kind: "inline", ...at(script, part.at) } satisfies Handler,
          ...at(script, part.at)
        }
      } else if (part.args !== undefined && part.block === undefined && verb === undefined) {
        const { on, prefix, routed } = within(script, chain.at)
        // A call of an extension function puts its routes here.
        if (routed)
          yield {
            kind: "mount",
            pass: "ktor",
            parent: on,
            prefix,
            child: { kind: "name", name: `this:${part.name}`, ...at(script, part.at) },
            ...at(script, part.at)
          }
      }
    }
  }
}
