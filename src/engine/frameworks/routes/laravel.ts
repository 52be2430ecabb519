import { at, join } from "../Routers.ts"
import type { Handler, LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Argument, type Expr, type Part, type Script, textOf, textsOf } from "../Script.ts"

const verbs: { readonly [name: string]: string } = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  options: "OPTIONS",
  any: "ANY"
}
const resource: ReadonlyArray<readonly [string, string, string, boolean]> = [
  ["GET", "", "index", true],
  ["GET", "/create", "create", false],
  ["POST", "", "store", true],
  ["GET", "/{id}", "show", true],
  ["GET", "/{id}/edit", "edit", false],
  ["PUT", "/{id}", "update", true],
  ["DELETE", "/{id}", "destroy", true]
]
const singular = (plural: string): string =>
  (plural.endsWith("ies")
    ? `${plural.slice(0, -3)}y`
    : plural.endsWith("s") && !plural.endsWith("ss")
      ? plural.slice(0, -1)
      : plural
  ).replaceAll("-", "_")

/** `UsersController::class` or a string of it. */
const classOf = (expr: Expr | undefined): string | undefined => {
  if (expr?.kind === "chain") {
    const names = expr.chain.parts.map(({ name }) => name)
    return names.at(-1) === "class" ? names.at(-2) : names.at(-1)
  }
  const text = textOf(expr)
  return text === undefined ? undefined : text.split("\\").at(-1)
}

const handler = (script: Script, expr: Expr | undefined, controller: string | undefined): Handler => {
  if (expr?.kind === "list") {
    const [type, method] = expr.items
    const uses = expr.items.find(({ label }) => label === "uses")
    if (uses !== undefined) return handler(script, uses.value, controller)
    const name = textOf(method?.value)
    const owner = classOf(type?.value)
    if (owner !== undefined && name !== undefined) return { kind: "member", type: owner, name }
  }
  if (expr?.kind === "record") {
    const uses = argOf(expr.items, "uses")
    if (uses !== undefined) return handler(script, uses, controller)
  }
  const text = textOf(expr)
  if (text !== undefined) {
    const [type, name] = text.split("@")
    if (name !== undefined) return { kind: "member", type: type!.split("\\").at(-1)!, name }
    if (controller !== undefined) return { kind: "member", type: controller, name: text }
    return { kind: "member", type: text.split("\\").at(-1)!, name: "__invoke" }
  }
  if (expr?.kind === "chain") {
    const owner = classOf(expr)
    if (owner !== undefined) return { kind: "member", type: owner, name: "__invoke" }
  }
  return { kind: "inline", ...at(script, expr?.at ?? 0) }
}

interface Group {
  prefix: string
  controller: string | undefined
}

/** What a chain before a part says of what is registered in it: prefixes and a controller. */
const groupOf = (parts: ReadonlyArray<Part>, options: ReadonlyArray<Argument> | undefined): Group => {
  const group: Group = { prefix: "", controller: undefined }
  for (const { args, name } of parts) {
    if (name === "prefix")
      group.prefix = join(group.prefix, `/${(textOf(args?.[0]?.value) ?? "").replace(/^\//, "")}`)
    if (name === "controller") group.controller = classOf(args?.[0]?.value)
  }
  const own = options?.[0]?.value
  if (own?.kind === "list" || own?.kind === "record") {
    const prefix = textOf(argOf(own.items, "prefix"))
    if (prefix !== undefined) group.prefix = join(group.prefix, `/${prefix.replace(/^\//, "")}`)
  }
  return group
}

/** The routes of Laravel and Lumen. Those of `routes/api.php` are below `/api`, as its own provider does it. */
export const laravel: Pass = {
  name: "laravel",
  family: "routes",
  languages: ["php"],
  hints: ["Route::", "$router->"],
  *read({ path: file, script, text }): Generator<LocalFact> {
    if (!/\bRoute::|\$router->/.test(text)) return
    const base = /(?:^|\/)routes\/api\.php$/.test(file) ? "/api" : ""
    for (const chain of script.chains()) {
      const first = chain.parts[0]!
      if (first.name !== "Route" && first.name !== "$router" && first.name !== "$app") continue
      for (const [index, part] of chain.parts.entries()) {
        const { args, name } = part
        if (index === 0 || args === undefined) continue
        const own = groupOf(chain.parts.slice(1, index), undefined)
        let prefix = own.prefix
        let controller = own.controller
        for (const { chain: outer, index: place } of script.enclosing(chain.at)) {
          if (outer.parts[place]!.name !== "group") continue
          const group = groupOf(outer.parts.slice(1, place), outer.parts[place]!.args)
          prefix = join(group.prefix, prefix)
          controller ??= group.controller
        }
        const route = (method: string, path: string, by: Handler): LocalFact => ({
          kind: "route",
          pass: "laravel",
          protocol: "http",
          method,
          path: ((whole) => (whole.startsWith("/") ? whole : `/${whole}`))(
            join(base, join(prefix, path === "" ? "" : `/${path.replace(/^\//, "")}`))
          ),
          handler: by,
          ...at(script, part.at)
        })
        if (Object.hasOwn(verbs, name)) {
          const path = textOf(args[0]?.value)
          if (path !== undefined && args.length > 1)
            yield route(verbs[name]!, path, handler(script, args[1]!.value, controller))
        } else if (name === "match") {
          const path = textOf(args[1]?.value)
          for (const method of textsOf(args[0]?.value))
            if (path !== undefined)
              yield route(method.toUpperCase(), path, handler(script, args[2]?.value, controller))
        } else if (name === "view" || name === "redirect" || name === "permanentRedirect") {
          const path = textOf(args[0]?.value)
          if (path !== undefined && args.length > 1)
            yield route(name === "view" ? "GET" : "ANY", path, { kind: "inline", ...at(script, part.at) })
        } else if (name === "livewire" || name === "inertia") {
          const path = textOf(args[0]?.value)
          if (path !== undefined) yield route("GET", path, handler(script, args[1]?.value, controller))
        } else if (/^(?:apiResource|resource|singleton|apiSingleton)s?$/.test(name)) {
          const entries =
            args[0]?.value.kind === "list" || args[0]?.value.kind === "record"
              ? args[0].value.items.map(({ label, value }) => [label, value] as const)
              : [[textOf(args[0]?.value), args[1]?.value] as const]
          const behind = chain.parts.slice(index + 1)
          const options = args[2]?.value
          const listed = (word: string): ReadonlyArray<string> => [
            ...behind
              .filter(({ name: each }) => each === word)
              .flatMap(({ args: own }) => (own ?? []).flatMap(({ value }) => textsOf(value))),
            ...(options?.kind === "list" || options?.kind === "record"
              ? textsOf(argOf(options.items, word))
              : [])
          ]
          const only = listed("only")
          const except = listed("except")
          for (const [path, view] of entries) {
            if (path === undefined) continue
            const segments = path.split(".")
            const last = segments.pop()!
            const parent = segments.map((segment) => `${segment}/{${singular(segment)}}`).join("/")
            const type = classOf(view)
            for (const [method, below, action, api] of resource) {
              if (name.startsWith("api") && !api) continue
              if (only.length > 0 ? !only.includes(action) : except.includes(action)) continue
              yield route(
                method,
                `${parent === "" ? "" : `${parent}/`}${last}${below.replace("{id}", `{${singular(last.split("/").at(-1)!)}}`)}`,
                { kind: "member", type: type ?? "", name: action }
              )
            }
          }
        }
      }
    }
  }
}
