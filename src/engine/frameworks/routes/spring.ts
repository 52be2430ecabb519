import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Decoration, type Expr, type Script, textsOf } from "../Script.ts"

const verbs: { readonly [name: string]: string } = {
  GetMapping: "GET",
  PostMapping: "POST",
  PutMapping: "PUT",
  PatchMapping: "PATCH",
  DeleteMapping: "DELETE"
}

/** Strings, and constants of the same file, that a value of an annotation names. */
const strings = (script: Script, value: Expr | undefined): ReadonlyArray<string> => {
  if (value === undefined) return []
  if (value.kind === "list") return value.items.flatMap((item) => strings(script, item.value))
  if (value.kind === "chain") {
    const name = value.chain.parts.at(-1)!.name
    const bound = script
      .bindings()
      .get(name)
      ?.find((each) => each.value?.kind === "string")?.value
    return bound?.kind === "string" ? [bound.text] : [`{${name}}`]
  }
  return textsOf(value)
}

const pathsOf = (script: Script, { args }: Decoration): ReadonlyArray<string> => {
  const found = strings(script, argOf(args, ["value", "path"], 0))
  return found.length === 0 ? [""] : found
}

const methodsOf = ({ args }: Decoration): ReadonlyArray<string> => {
  const value = argOf(args, "method")
  const names = (expr: Expr | undefined): ReadonlyArray<string> =>
    expr?.kind === "chain"
      ? [expr.chain.parts.at(-1)!.name]
      : expr?.kind === "list"
        ? expr.items.flatMap((item) => names(item.value))
        : []
  const found = names(value)
  return found.length === 0 ? ["ANY"] : found
}

/** Spring's controllers and its message listeners. */
export const spring: Pass = {
  name: "spring",
  family: "routes",
  languages: ["java", "kotlin"],
  hints: ["Mapping", "@RestController", "@Controller"],
  *read({ script }): Generator<LocalFact> {
    const classes = new Map<
      number,
      { readonly paths: ReadonlyArray<string>; readonly client: boolean; served: boolean }
    >()
    for (const decoration of script.decorations()) {
      if (decoration.on.kind !== "class") continue
      const body = script.classes().find(({ at: own }) => own === decoration.on.at)
      if (body === undefined) continue
      const known = classes.get(body.from)
      const client = decoration.name === "FeignClient" || (known?.client ?? false)
      const served = (known?.served ?? false) || decoration.name.endsWith("Controller")
      classes.set(body.from, {
        paths:
          decoration.name === "RequestMapping" || decoration.name === "HttpExchange"
            ? pathsOf(script, decoration)
            : (known?.paths ?? [""]),
        client,
        served
      })
    }
    for (const decoration of script.decorations()) {
      const { name, on } = decoration
      if (on.kind !== "function") continue
      const around = script.classAround(decoration.at)
      const owner = around === undefined ? undefined : classes.get(around.from)
      if (owner?.client === true) continue
      const handler = { kind: "definition", name: on.name, ...at(script, on.at) } as const
      if (name === "MessageMapping" || name === "SubscribeMapping") {
        for (const path of pathsOf(script, decoration))
          yield {
            kind: "route",
            pass: "spring",
            protocol: "ws",
            method: "message",
            path,
            handler,
            ...at(script, decoration.at)
          }
        continue
      }
      if (/^(?:Query|Mutation|Subscription|Schema)Mapping$/.test(name)) {
        const named = pathsOf(script, decoration)[0]!
        yield {
          kind: "route",
          pass: "spring",
          protocol: "graphql",
          method: name === "SchemaMapping" ? "field" : name.replace("Mapping", "").toLowerCase(),
          path: named === "" ? on.name : named,
          handler,
          ...at(script, decoration.at)
        }
        continue
      }
      const methods = Object.hasOwn(verbs, name)
        ? [verbs[name]!]
        : name === "RequestMapping"
          ? methodsOf(decoration)
          : []
      for (const prefix of methods.length === 0 ? [] : (owner?.paths ?? [""]))
        for (const path of pathsOf(script, decoration))
          for (const method of methods)
            yield {
              kind: "route",
              pass: "spring",
              protocol: "http",
              method,
              path: `/${join(prefix, path).replace(/^\/+/, "")}`,
              handler,
              ...(/\{[A-Z_]+\}/.test(prefix + path) ? { partial: true } : {}),
              ...at(script, decoration.at)
            }
    }
  }
}
