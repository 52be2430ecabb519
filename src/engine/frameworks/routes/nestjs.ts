import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Argument, textOf, textsOf } from "../Script.ts"

const verbs: { readonly [name: string]: string } = {
  Get: "GET",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE",
  Head: "HEAD",
  Options: "OPTIONS",
  All: "ANY",
  Sse: "GET"
}

const pathsOf = (args: ReadonlyArray<Argument>): ReadonlyArray<string> => {
  const value = args[0]?.value
  const named = value?.kind === "record" ? argOf(value.items, "path") : value
  const found = textsOf(named)
  return found.length === 0 ? [""] : found
}

/** Controllers, resolvers, gateways and message patterns of NestJS. */
export const nestjs: Pass = {
  name: "nestjs",
  family: "routes",
  languages: ["typescript", "javascript"],
  hints: [
    "@Controller",
    "@Resolver",
    "@WebSocketGateway",
    "setGlobalPrefix",
    "@MessagePattern",
    "@EventPattern",
    "@GrpcMethod"
  ],
  *read({ script, text }): Generator<LocalFact> {
    const classes = new Map<number, { prefixes: ReadonlyArray<string>; kind: string; name: string }>()
    for (const { args, name, on } of script.decorations()) {
      if (on.kind !== "class") continue
      if (!/^(?:Controller|Resolver|WebSocketGateway|JsonController)$/.test(name)) continue
      const body = script.classes().find(({ at: own }) => own === on.at)
      if (body !== undefined)
        classes.set(body.from, {
          prefixes: name === "Controller" || name === "JsonController" ? pathsOf(args) : [""],
          kind: name,
          name: on.name
        })
    }
    for (const decoration of script.decorations()) {
      const { args, name, on } = decoration
      if (on.kind !== "function") continue
      const around = script.classAround(decoration.at)
      const owner = around === undefined ? undefined : classes.get(around.from)
      const handler = { kind: "definition", name: on.name, ...at(script, on.at) } as const
      const route = (protocol: string, method: string, path: string): LocalFact => ({
        kind: "route",
        pass: "nestjs",
        protocol,
        method,
        path,
        handler,
        on: protocol === "http" ? { kind: "local", key: "global" } : undefined,
        ...at(script, decoration.at)
      })
      if (Object.hasOwn(verbs, name) && owner !== undefined && /Controller/.test(owner.kind)) {
        for (const prefix of owner.prefixes)
          for (const path of pathsOf(args))
            yield route("http", verbs[name]!, `/${join(prefix, path).replace(/^\/+/, "")}`)
      } else if (/^(?:Query|Mutation|Subscription|ResolveField)$/.test(name) && owner?.kind === "Resolver") {
        const named = args
          .map(({ value }) =>
            value.kind === "record"
              ? textOf(argOf(value.items, "name"))
              : value.kind === "string"
                ? value.text
                : undefined
          )
          .find((each) => each !== undefined)
        if (name !== "ResolveField") yield route("graphql", name.toLowerCase(), named ?? on.name)
      } else if (name === "SubscribeMessage") {
        yield route("ws", "message", textOf(args[0]?.value) ?? on.name)
      } else if (name === "GrpcMethod" || name === "GrpcStreamMethod") {
        yield route(
          "grpc",
          "rpc",
          `${textOf(args[0]?.value) ?? ""}/${textOf(args[1]?.value) ?? on.name.replace(/^./, (c) => c.toUpperCase())}`
        )
      } else if (name === "MessagePattern" || name === "EventPattern") {
        const value = args[0]?.value
        const topic =
          textOf(value) ??
          (value?.kind === "record" ? textOf(argOf(value.items, ["cmd", "event"])) : undefined)
        if (topic !== undefined) yield route("topic", "subscribe", topic)
      }
    }
    if (!text.includes("setGlobalPrefix")) return
    for (const chain of script.chains())
      for (const part of chain.parts)
        if (part.name === "setGlobalPrefix") {
          const prefix = textOf(part.args?.[0]?.value)
          if (prefix !== undefined)
            yield {
              kind: "note",
              pass: "nestjs",
              what: "global_prefix",
              name: prefix,
              data: {},
              ...at(script, part.at)
            }
        }
  }
}
