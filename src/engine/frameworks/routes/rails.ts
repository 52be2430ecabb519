import { at, join } from "../Routers.ts"
import type { Handler, LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Argument, type Part, type Script, textOf, textsOf } from "../Script.ts"

const verbs = new Set(["get", "post", "put", "patch", "delete", "match"])
/** Method, path below the collection, action; for a resource that is one of many, and for one that is alone. */
const many: ReadonlyArray<readonly [string, string, string]> = [
  ["GET", "", "index"],
  ["POST", "", "create"],
  ["GET", "/new", "new"],
  ["GET", "/:id/edit", "edit"],
  ["GET", "/:id", "show"],
  ["PATCH", "/:id", "update"],
  ["PUT", "/:id", "update"],
  ["DELETE", "/:id", "destroy"]
]
const single: ReadonlyArray<readonly [string, string, string]> = [
  ["POST", "", "create"],
  ["GET", "/new", "new"],
  ["GET", "/edit", "edit"],
  ["GET", "", "show"],
  ["PATCH", "", "update"],
  ["PUT", "", "update"],
  ["DELETE", "", "destroy"]
]

export const camel = (snake: string): string =>
  snake
    .split("/")
    .map((segment) => segment.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))
    .join("::")
const singular = (plural: string): string =>
  plural.endsWith("ies")
    ? `${plural.slice(0, -3)}y`
    : /(?:ss|x|ch|sh)es$/.test(plural)
      ? plural.slice(0, -2)
      : plural.endsWith("s") && !plural.endsWith("ss")
        ? plural.slice(0, -1)
        : plural
const pluralOf = (word: string): string =>
  word.endsWith("y") && !/[aeiou]y$/.test(word)
    ? `${word.slice(0, -1)}ies`
    : word.endsWith("s")
      ? word
      : `${word}s`

interface Within {
  readonly prefix: string
  readonly modules: ReadonlyArray<string>
  /** Controller of the innermost resource. */
  readonly controller: string | undefined
  /** Directly in a resource of many: paths of members and of the collection differ. */
  readonly member: boolean
  readonly collection: boolean
  /** Parameter of the innermost resource, and its path. */
  readonly resource:
    | { readonly path: string; readonly param: string; readonly id: string; readonly single: boolean }
    | undefined
}

/** The routes of Rails. */
export const rails: Pass = {
  name: "rails",
  family: "routes",
  languages: ["ruby"],
  hints: ["routes.draw", "Rails.application", "resources ", "resources("],
  *read({ path: file, script, text }): Generator<LocalFact> {
    if (!/\.routes\.draw\b/.test(text) && !/(?:^|\/)config\/routes/.test(file)) return
    const concerns = new Map<string, { readonly from: number; readonly to: number }>()
    for (const { parts } of script.chains())
      if (parts[0]!.name === "concern" && parts[0]!.block !== undefined) {
        const name = textOf(parts[0]!.args?.[0]?.value)
        if (name !== undefined) concerns.set(name, parts[0]!.block)
      }
    const seen = new Set<Part>()
    yield* block(
      script,
      { from: 0, to: script.count },
      {
        prefix: "",
        modules: [],
        controller: undefined,
        member: false,
        collection: false,
        resource: undefined
      },
      concerns,
      seen,
      0
    )
  }
}

const optionOf = (args: ReadonlyArray<Argument>, label: string): string | undefined =>
  textOf(argOf(args, label))

function* block(
  script: Script,
  range: { readonly from: number; readonly to: number },
  within: Within,
  concerns: ReadonlyMap<string, { readonly from: number; readonly to: number }>,
  seen: Set<Part>,
  depth: number
): Generator<LocalFact> {
  if (depth > 12) return
  for (const { at: token, parts } of script.chains()) {
    if (token < range.from || token >= range.to) continue
    const part = parts.find(({ block: own, name }) => own !== undefined && name === "draw") ?? parts[0]!
    if (seen.has(part)) continue
    const { args = [], name } = part
    const inside = (next: Partial<Within>): Generator<LocalFact> =>
      part.block === undefined
        ? (function* () {})()
        : block(
            script,
            part.block,
            { ...within, member: false, collection: false, ...next },
            concerns,
            seen,
            depth + 1
          )
    const strings = args.flatMap(({ label, value }) => (label === undefined ? textsOf(value) : []))
    const first = strings[0]
    if (name === "concern") {
      seen.add(part)
      if (part.block !== undefined)
        for (const each of script.chains())
          if (each.at >= part.block.from && each.at < part.block.to) seen.add(each.parts[0]!)
      continue
    }
    if (name === "draw" && part.block !== undefined) {
      seen.add(part)
      yield* inside({})
    } else if (name === "namespace" && first !== undefined) {
      seen.add(part)
      const base = nest(within)
      yield* inside({
        prefix: join(base, optionOf(args, "path") ?? `/${first}`),
        modules: [...within.modules, optionOf(args, "module") ?? first],
        resource: undefined,
        controller: undefined
      })
    } else if (name === "scope") {
      seen.add(part)
      const path = optionOf(args, "path") ?? first
      const module = optionOf(args, "module")
      yield* inside({
        prefix:
          path === undefined || path === ""
            ? nest(within)
            : join(nest(within), `/${path.replace(/^\//, "")}`),
        modules: module === undefined ? within.modules : [...within.modules, module],
        controller: optionOf(args, "controller") ?? within.controller,
        resource: undefined
      })
    } else if (name === "controller" && first !== undefined && part.block !== undefined) {
      seen.add(part)
      yield* inside({ controller: first })
    } else if (
      /^(?:constraints|defaults|authenticate|authenticated|unauthenticated|with_options|direct|shallow|if|unless)$/.test(
        name
      ) &&
      part.block !== undefined
    ) {
      seen.add(part)
      yield* inside({ resource: within.resource })
    } else if (name === "member" || name === "collection") {
      seen.add(part)
      yield* inside({ member: name === "member", collection: name === "collection" })
    } else if (name === "concerns") {
      seen.add(part)
      for (const concern of strings) {
        const body = concerns.get(concern)
        if (body !== undefined)
          yield* block(
            script,
            body,
            within,
            concerns,
            new Set([...seen].filter((each) => each.at < body.from || each.at >= body.to)),
            depth + 1
          )
      }
    } else if ((name === "resources" || name === "resource") && first !== undefined) {
      seen.add(part)
      for (const each of strings) {
        const alone = name === "resource"
        const table = alone ? single : many
        const only = argOf(args, "only")
        const except = textsOf(argOf(args, "except"))
        const wanted = only === undefined ? undefined : textsOf(only)
        const path = optionOf(args, "path") ?? each
        const param = optionOf(args, "param") ?? "id"
        const controller = optionOf(args, "controller") ?? (alone ? pluralOf(each) : each)
        const module = optionOf(args, "module")
        const modules = module === undefined ? within.modules : [...within.modules, module]
        const base = join(nest(within), path === "" ? "" : `/${path.replace(/^\//, "")}`)
        for (const [method, below, action] of table) {
          if (wanted !== undefined ? !wanted.includes(action) : except.includes(action)) continue
          yield route(
            script,
            token,
            method,
            base + below.replace(":id", `:${param}`),
            handlerOf(modules, controller, action)
          )
        }
        for (const concern of textsOf(argOf(args, "concerns"))) {
          const body = concerns.get(concern)
          if (body !== undefined)
            yield* block(
              script,
              body,
              {
                ...within,
                prefix: base,
                modules,
                controller,
                member: false,
                collection: false,
                resource: { path: base, param: `${singular(each)}_${param}`, id: param, single: alone }
              },
              concerns,
              new Set(),
              depth + 1
            )
        }
        if (part.block !== undefined)
          yield* block(
            script,
            part.block,
            {
              prefix: base,
              modules,
              controller,
              member: false,
              collection: false,
              resource: { path: base, param: `${singular(each)}_${param}`, id: param, single: alone }
            },
            concerns,
            strings.length > 1 ? new Set(seen) : seen,
            depth + 1
          )
      }
    } else if (verbs.has(name) || name === "root") {
      seen.add(part)
      if (name === "root") {
        const to = optionOf(args, "to") ?? first
        yield route(
          script,
          token,
          "GET",
          within.prefix === "" ? "/" : within.prefix,
          to === undefined ? { kind: "inline", ...at(script, token) } : named(to, within, undefined)
        )
        continue
      }
      const hash = args.find(
        ({ label }) =>
          label?.includes("/") === true || (label !== undefined && !known.has(label) && args[0] === undefined)
      )
      const paths =
        strings.length > 0
          ? strings
          : args
              .filter(({ label }, index) => index === 0 && label !== undefined && !known.has(label))
              .map(({ label }) => label!)
      const to =
        optionOf(args, "to") ??
        textOf(hash?.value) ??
        (paths.length === 1 && args[0]?.label !== undefined && !known.has(args[0].label)
          ? textOf(args[0].value)
          : undefined)
      const via = textsOf(argOf(args, "via")).map((method) => method.toUpperCase())
      const methods =
        name === "match" ? (via.length === 0 || via.includes("ALL") ? ["ANY"] : via) : [name.toUpperCase()]
      const on = optionOf(args, "on")
      for (const path of paths) {
        const base =
          within.resource === undefined
            ? within.prefix
            : within.collection || on === "collection" || within.resource.single
              ? within.resource.path
              : within.member || on === "member"
                ? `${within.resource.path}/:${within.resource.id}`
                : `${within.resource.path}/:${within.resource.param}`
        const action = optionOf(args, "action")
        const controller = optionOf(args, "controller") ?? within.controller
        const bare = path.replace(/\(\.:format\)$/, "")
        const handler =
          to !== undefined
            ? named(to, within, controller)
            : action !== undefined && controller !== undefined
              ? handlerOf(within.modules, controller, action)
              : controller !== undefined && !bare.includes("/")
                ? handlerOf(within.modules, controller, action ?? bare)
                : bare.replace(/^\//, "").includes("/")
                  ? named(bare.replace(/^\//, "").replace(/\/([^/]*)$/, "#$1"), within, undefined)
                  : ({ kind: "inline", ...at(script, token) } as const)
        for (const method of methods)
          yield route(script, token, method, join(base, `/${bare.replace(/^\//, "")}`), handler)
      }
    } else if (name === "mount") {
      seen.add(part)
      const labelled = args.find(({ label }) => label !== undefined && label !== "at" && label !== "as")
      const where = optionOf(args, "at") ?? textOf(labelled?.value)
      const engine =
        args[0]?.value.kind === "chain"
          ? args[0].value.chain.parts.map((each) => each.name).join("::")
          : (labelled?.label ?? "")
      if (where !== undefined)
        yield route(
          script,
          token,
          "ANY",
          join(within.prefix, `/${where.replace(/^\//, "")}`),
          args[0]?.value.kind === "chain"
            ? { kind: "name", name: engine, ...at(script, args[0].value.chain.parts[0]!.at) }
            : { kind: "inline", ...at(script, token) }
        )
    } else if (name === "devise_for" && first !== undefined) {
      seen.add(part)
      const base = join(within.prefix, `/${optionOf(args, "path") ?? first}`)
      const words = argOf(args, "path_names")
      const renamed = (path: string): string =>
        words?.kind === "record" || words?.kind === "list"
          ? path.replace(/\/(\w+)/g, (whole, word: string) => {
              const other = textOf(argOf(words.items, word))
              return other === undefined ? whole : other === "" ? "" : `/${other}`
            })
          : path
      const own = argOf(args, "controllers")
      for (const [method, path, controller, action] of devise) {
        if (textsOf(argOf(args, "skip")).some((skipped) => controller === skipped)) continue
        const only = textsOf(argOf(args, "only"))
        if (only.length > 0 && !only.includes(controller)) continue
        const below = renamed(path)
        const given =
          own?.kind === "record" || own?.kind === "list" ? textOf(argOf(own.items, controller)) : undefined
        if (given !== undefined) {
          yield route(script, token, method, base + below, handlerOf(within.modules, given, action), true)
          continue
        }
        yield route(script, token, method, base + below, handlerOf(["devise"], controller, action), true)
      }
    }
  }
}

const devise: ReadonlyArray<readonly [string, string, string, string]> = [
  ["GET", "/sign_in", "sessions", "new"],
  ["POST", "/sign_in", "sessions", "create"],
  ["DELETE", "/sign_out", "sessions", "destroy"],
  ["GET", "/password/new", "passwords", "new"],
  ["GET", "/password/edit", "passwords", "edit"],
  ["PATCH", "/password", "passwords", "update"],
  ["PUT", "/password", "passwords", "update"],
  ["POST", "/password", "passwords", "create"],
  ["GET", "/cancel", "registrations", "cancel"],
  ["GET", "/sign_up", "registrations", "new"],
  ["GET", "/edit", "registrations", "edit"],
  ["PATCH", "", "registrations", "update"],
  ["PUT", "", "registrations", "update"],
  ["DELETE", "", "registrations", "destroy"],
  ["POST", "", "registrations", "create"]
]

/** Names of options of a route; other labels are paths. */
const known = new Set([
  "to",
  "as",
  "via",
  "on",
  "action",
  "controller",
  "constraints",
  "defaults",
  "format",
  "module",
  "path",
  "param",
  "only",
  "except",
  "at",
  "anchor",
  "shallow"
])

/** The path that something nested in here hangs below. */
const nest = ({ collection, member, prefix, resource }: Within): string =>
  resource === undefined
    ? prefix
    : resource.single || collection
      ? resource.path
      : member
        ? `${resource.path}/:${resource.id}`
        : `${resource.path}/:${resource.param}`

const handlerOf = (modules: ReadonlyArray<string>, controller: string, action: string): Handler => ({
  kind: "member",
  type: `${camel([...modules, controller].join("/"))}Controller`,
  name: action
})
const named = (to: string, { modules }: Within, controller: string | undefined): Handler => {
  const [left, right] = to.includes("#") ? to.split("#") : [controller, to]
  return left === undefined
    ? { kind: "member", type: "", name: to }
    : handlerOf(left.startsWith("/") ? [] : modules, left.replace(/^\//, ""), right ?? "")
}
const route = (
  script: Script,
  token: number,
  method: string,
  path: string,
  handler: Handler,
  partial = false
): LocalFact => ({
  kind: "route",
  pass: "rails",
  protocol: "http",
  method,
  path: path.startsWith("/") ? path : `/${path}`,
  handler,
  ...(partial ? { partial } : {}),
  ...at(script, token)
})
