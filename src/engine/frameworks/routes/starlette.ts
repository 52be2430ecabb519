import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Argument, type Script, textOf, textsOf } from "../Script.ts"
import { handlerOf } from "./verbs.ts"

function* routesIn(
  script: Script,
  items: ReadonlyArray<Argument>,
  prefix: string,
  seen: Set<number>
): Generator<LocalFact> {
  for (const { value } of items) {
    if (value.kind !== "chain") continue
    const part = value.chain.parts[0]!
    if (part.args === undefined || seen.has(part.at)) continue
    const path = textOf(argOf(part.args, "path", 0))
    if (path === undefined) continue
    if (part.name === "Route" || part.name === "WebSocketRoute") {
      seen.add(part.at)
      const methods = textsOf(argOf(part.args, "methods"))
      const ws = part.name === "WebSocketRoute"
      const handler = handlerOf(script, argOf(part.args, "endpoint", 1))
      for (const method of ws ? ["WS"] : methods.length === 0 ? ["GET"] : methods)
        yield {
          kind: "route",
          pass: "starlette",
          protocol: ws ? "ws" : "http",
          method,
          path: join(prefix, path),
          handler: handler ?? { kind: "inline", ...at(script, part.at) },
          ...at(script, part.at)
        }
    } else if (part.name === "Mount") {
      seen.add(part.at)
      const inner = argOf(part.args, "routes")
      if (inner?.kind === "list") yield* routesIn(script, inner.items, join(prefix, path), seen)
      else if (inner?.kind === "chain" && inner.chain.parts.length === 1) {
        const bound = script.binding(inner.chain.parts[0]!.name, inner.at)?.value
        if (bound?.kind === "list") yield* routesIn(script, bound.items, join(prefix, path), seen)
      }
    }
  }
}

/** Starlette's lists of routes. */
export const starlette: Pass = {
  name: "starlette",
  family: "routes",
  languages: ["python"],
  hints: ["starlette"],
  *read({ script }): Generator<LocalFact> {
    const seen = new Set<number>()
    // Lists inside a mount belong below its path, so mounts come first.
    const chains = script
      .chains()
      .filter(
        ({ parts }) => /^(?:Route|WebSocketRoute|Mount)$/.test(parts[0]!.name) && parts[0]!.args !== undefined
      )
    for (const chain of [...chains].sort(
      (a, b) => Number(b.parts[0]!.name === "Mount") - Number(a.parts[0]!.name === "Mount") || a.at - b.at
    ))
      yield* routesIn(script, [{ value: { kind: "chain", chain, at: chain.at } }], "", seen)
  }
}
