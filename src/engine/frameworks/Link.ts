/** Puts the facts of single files together: what names mean, which router hangs below which. */
import { isWithin } from "../../registry/Place.ts"
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { FactSite, FactTarget, Note, RouteFact } from "../../services/FrameworkFacts.ts"
import type { At, Handler, LocalFact, LocalMount, LocalNote, LocalRoute, Place } from "./Local.ts"
import { join, parameterKey } from "./Routers.ts"

/** Paths of one router at most; more come from mounts that nobody would list. */
const mostPrefixes = 32

interface Above {
  readonly parent: string | undefined
  readonly prefix: string
  readonly overrides: boolean
  readonly certain: boolean
  /** Mounted in code of tests. */
  readonly test?: boolean
}

interface Reached {
  readonly prefix: string
  /** An application is at the top. */
  readonly app: boolean
  readonly certain: boolean
}

/** Names of variables that hold routers in most code. */
const routerLike =
  /^(?:app|application|router|routes?|server|srv|api|r|e|g|mux|v\d+|rg|grp|group|bp|blueprint|fastify|instance|web|cfg|config|scope|urls?|.*(?:[Rr]outer|[Aa]pp|[Rr]outes?|[Gg]roup|[Ss]erver|[Mm]ux|_bp|Api))$/

export class Linker {
  private readonly edges = new Map<string, Map<number, SymbolRef>>()
  private readonly above = new Map<string, Array<Above>>()
  private readonly own = new Map<string, { prefix: string; app: boolean }>()
  private readonly returns = new Map<string, Array<string>>()
  private readonly exports = new Map<string, Array<string>>()
  private readonly names = new Map<string, string>()
  private readonly imported = new Map<
    string,
    Map<string, { readonly module: string; readonly name: string }>
  >()
  private readonly repositories: ReadonlyArray<string>

  constructor(
    private readonly view: GraphView,
    roots: ReadonlyArray<string>,
    private readonly isListed: (path: string) => boolean
  ) {
    this.repositories = [...roots].sort((a, b) => b.length - a.length)
  }

  private edgeAt(path: string, { column, line }: At): SymbolRef | undefined {
    let known = this.edges.get(path)
    if (known === undefined) {
      known = new Map()
      const file = this.view.fileRef(path)
      if (file !== undefined)
        for (const edge of this.view.outgoing(file))
          if (edge.path === path && (edge.tier !== "name" || !known.has(edge.line * 65_536 + edge.column)))
            known.set(edge.line * 65_536 + edge.column, edge.to)
      this.edges.set(path, known)
    }
    return known.get(line * 65_536 + column)
  }

  /** What a name at a place means. */
  private symbolAt(path: string, name: string, where: At): SymbolRef | undefined {
    const direct = this.edgeAt(path, where)
    if (direct !== undefined) return direct
    return this.view
      .definitions(path)
      .find((ref) => this.view.nameOf(ref) === name && this.view.symbol(ref).line === where.line)
  }

  private isFunction(ref: SymbolRef): boolean {
    return /^(?:function|method|constructor)$/.test(this.view.symbol(ref).kind)
  }

  /** Keys of the routers that a place is. */
  private nodes(path: string, place: Place): ReadonlyArray<string> {
    switch (place.kind) {
      case "local":
        return [`${path}#${place.key}`]
      case "below": {
        const out: Array<string> = []
        for (const base of this.nodes(path, place.base)) {
          const key = `${base}>${place.prefix}`
          if (!this.above.has(key))
            this.above.set(key, [{ parent: base, prefix: place.prefix, overrides: false, certain: true }])
          out.push(key)
        }
        return out
      }
      case "call": {
        const ref = this.symbolAt(path, place.name, place)
        if (ref === undefined) return [this.unknown(path, place.name)]
        const { kind, line, name, path: file } = this.view.symbol(ref)
        const found = this.returns.get(`${file}#${name}:${line}`)
        if (found !== undefined) return found
        return kind === "class" ? [this.unknown(path, place.name)] : [this.functionNode(ref)]
      }
      case "name":
        return this.named(path, place)
    }
  }

  private isTest(path: string): boolean {
    return this.view.file(path)?.test ?? false
  }

  private unknown(path: string, name: string): string {
    const key = `${path}#?${name}`
    this.names.set(key, name)
    return key
  }

  private functionNode(ref: SymbolRef): string {
    const { line, name, path } = this.view.symbol(ref)
    const key = `${path}#fn:${name}:${line}`
    // What is registered through a function that is mounted is registered on its first parameter.
    for (const index of [0, "this"] as const) {
      const parameter = `${path}#${parameterKey(name, line, index)}`
      if (!(this.above.get(parameter) ?? []).some(({ parent }) => parent === key))
        this.put(parameter, { parent: key, prefix: "", overrides: false, certain: true })
    }
    for (const returned of this.returns.get(`${path}#${name}:${line}`) ?? [])
      if (!(this.above.get(returned) ?? []).some(({ parent }) => parent === key))
        this.put(returned, { parent: key, prefix: "", overrides: false, certain: true })
    return key
  }

  private named(path: string, place: Extract<Place, { readonly kind: "name" }>): ReadonlyArray<string> {
    if (place.name.startsWith("module:")) {
      const module = place.name.slice("module:".length).replaceAll(".", "/")
      for (const candidate of this.modules(path, `${module}.py`, `${module}/__init__.py`))
        return [`${candidate}#urlpatterns`]
      return [this.unknown(path, module)]
    }
    if (place.name.startsWith("this:")) {
      const ref = this.edgeAt(path, place)
      if (ref === undefined || !this.isFunction(ref)) return [this.unknown(path, place.name)]
      const { line, name, path: file } = this.view.symbol(ref)
      return [`${file}#${parameterKey(name, line, "this")}`]
    }
    const ref = this.symbolAt(path, place.name, place)
    if (ref === undefined) return [this.unknown(path, place.name)]
    if (this.view.isFile(ref)) {
      const file = this.view.pathOf(ref)
      const found = this.exports.get(file)
      if (found !== undefined) return found
      if (/urls\.py$|\/urls\//.test(file)) return [`${file}#urlpatterns`]
      return [`${file}#?module`]
    }
    if (this.isFunction(ref)) return [this.functionNode(ref)]
    const { flags, line, name, path: file } = this.view.symbol(ref)
    const own = `${file}#${name}:${line}`
    return flags.includes("default_export")
      ? [own, ...(this.exports.get(file) ?? []).filter((node) => node !== own)]
      : [own]
  }

  private *modules(from: string, ...suffixes: ReadonlyArray<string>): Generator<string> {
    const folders = from.split("/").slice(0, -1)
    for (let depth = folders.length; depth >= 0; depth--)
      for (const suffix of suffixes) {
        const path = [...folders.slice(0, depth), suffix].join("/")
        if (this.isListed(path)) yield path
      }
  }

  private put(child: string, above: Above): void {
    const list = this.above.get(child)
    if (list === undefined) this.above.set(child, [above])
    else if (!list.some((each) => each.parent === above.parent && each.prefix === above.prefix))
      list.push(above)
  }

  /** The string a name stands for, when its definition is written out. */
  private constant(path: string, where: At & { readonly name: string }): string | undefined {
    const ref = this.symbolAt(path, where.name, where)
    const signature = ref === undefined ? undefined : this.view.symbol(ref).signature
    return signature === undefined ? undefined : /[=:]\s*["'`]([^"'`{}$]*)["'`]\s*,?;?$/.exec(signature)?.[1]
  }

  /** All routes of all files. */
  routes(
    files: Iterable<readonly [path: string, facts: ReadonlyArray<LocalFact>]>
  ): ReadonlyArray<RouteFact> {
    const all = [...files]
    for (const [path, facts] of all)
      for (const fact of facts) {
        if (fact.kind !== "router") continue
        for (const node of this.nodes(path, fact.place)) {
          const known = this.own.get(node)
          this.own.set(node, {
            prefix: fact.prefix === "" ? (known?.prefix ?? "") : fact.prefix,
            app: fact.app || (known?.app ?? false)
          })
        }
      }
    // Returns and exports may name each other, so they are gone through until nothing is new.
    for (let round = 0; round < 4; round++) {
      let changed = false
      for (const [path, facts] of all)
        for (const fact of facts) {
          if (fact.kind !== "return" && fact.kind !== "export") continue
          const [table, key] =
            fact.kind === "return"
              ? [this.returns, `${path}#${fact.name}:${fact.line}`]
              : [this.exports, path]
          const list: Array<string> = table.get(key) ?? []
          for (const node of this.nodes(path, fact.place))
            if (!list.includes(node)) {
              list.push(node)
              changed = true
            }
          table.set(key, list)
        }
      if (!changed) break
    }
    const globals = new Map<string, string>()
    for (const [path, facts] of all)
      for (const fact of facts) {
        if (fact.kind === "mount") this.mount(path, fact)
        else if (fact.kind === "flow") {
          const ref = this.edgeAt(path, fact)
          if (ref === undefined || !this.isFunction(ref)) continue
          const { line, name, path: file } = this.view.symbol(ref)
          for (const { index, place } of fact.args)
            for (const node of this.nodes(path, place))
              this.put(`${file}#${parameterKey(name, line, index)}`, {
                parent: node,
                prefix: "",
                overrides: false,
                certain: true,
                test: this.isTest(path)
              })
        } else if (fact.kind === "note" && fact.what === "global_prefix")
          globals.set(`${this.repositoryOf(path)}:${fact.pass}`, fact.name)
      }
    const out: Array<RouteFact> = []
    const seen = new Set<string>()
    for (const [path, facts] of all)
      for (const fact of facts) {
        if (fact.kind !== "route") continue
        for (const route of this.route(path, fact, globals)) {
          // Passes that read the same call say the same of it.
          const key = `${path}\0${fact.line}\0${fact.column}\0${route.protocol}\0${route.method}\0${route.path}`
          if (seen.has(key)) continue
          seen.add(key)
          out.push(route)
        }
      }
    return out.sort(
      (a, b) =>
        compare(a.path, b.path) || compare(a.method, b.method) || compare(a.file, b.file) || a.line - b.line
    )
  }

  private mount(path: string, fact: LocalMount): void {
    const resolved = fact.prefixName === undefined ? undefined : this.constant(path, fact.prefixName)
    const prefix = resolved ?? fact.prefix
    const certain = fact.prefixName === undefined || resolved !== undefined
    for (const child of this.nodes(path, fact.child)) {
      const test = this.isTest(path)
      if (fact.parent === undefined)
        this.put(child, { parent: undefined, prefix, overrides: fact.overrides === true, certain, test })
      else
        for (const parent of this.nodes(path, fact.parent))
          if (parent !== child)
            this.put(child, { parent, prefix, overrides: fact.overrides === true, certain, test })
    }
  }

  private reached(node: string, on: Set<string>): ReadonlyArray<Reached> {
    const own = this.own.get(node)
    const every = this.above.get(node) ?? []
    // Tests mount what they try; the application's own mounts are what counts.
    const above = every.some(({ test }) => test !== true) ? every.filter(({ test }) => test !== true) : every
    if (above.length === 0 || on.has(node))
      return [{ prefix: own?.prefix ?? "", app: own?.app ?? false, certain: true }]
    on.add(node)
    const found: Array<Reached> = []
    const seen = new Set<string>()
    for (const { certain, overrides, parent, prefix } of above) {
      const tops: ReadonlyArray<Reached> =
        parent === undefined
          ? [{ prefix: "", app: true, certain: true }]
          : on.has(parent)
            ? []
            : this.reached(parent, on)
      for (const top of tops) {
        if (found.length >= mostPrefixes) break
        const whole = join(join(top.prefix, prefix), overrides ? "" : (own?.prefix ?? ""))
        if (seen.has(whole)) continue
        seen.add(whole)
        found.push({ prefix: whole, app: top.app || (own?.app ?? false), certain: certain && top.certain })
      }
    }
    on.delete(node)
    return found.length === 0 ? [{ prefix: own?.prefix ?? "", app: own?.app ?? false, certain: true }] : found
  }

  /** Whether what a route is registered on may be a router at all. */
  private plausible(node: string, on = new Set<string>()): boolean {
    if (this.own.has(node)) return true
    const name = this.names.get(node)
    if (name !== undefined) return routerLike.test(name)
    if (on.has(node)) return false
    on.add(node)
    const above = this.above.get(node) ?? []
    if (above.length > 0)
      return above.some(({ parent }) => parent === undefined || this.plausible(parent, on))
    const local = node.slice(node.indexOf("#") + 1)
    // A view set that nobody registers answers nothing.
    if (
      local.startsWith("param:") ||
      local.startsWith("closure:") ||
      local.startsWith("fn:") ||
      local.startsWith("list:") ||
      local.startsWith("router:")
    )
      return true
    if (local === "urlpatterns" || local === "global" || local === "prefixed") return true
    return routerLike.test(local.split(":")[0]!.replace(/^\?/, ""))
  }

  private *route(path: string, fact: LocalRoute, globals: ReadonlyMap<string, string>): Generator<RouteFact> {
    if (fact.requires !== undefined && !this.offers(path, fact.requires)) return
    const site = this.site(path, fact, fact.pass)
    const handler = this.target(path, fact.handler)
    let places: ReadonlyArray<Reached> = [{ prefix: "", app: true, certain: true }]
    if (fact.on !== undefined) {
      const nodes = this.nodes(path, fact.on)
      const real = nodes.filter((node) => this.plausible(node))
      if (real.length === 0) return
      places = real.flatMap((node) => this.reached(node, new Set()))
    }
    const global =
      fact.protocol === "http" && fact.on?.kind === "local" && fact.on.key === "global"
        ? globals.get(`${site.repository}:${fact.pass}`)
        : undefined
    const known = fact.on === undefined || implicit.has(fact.pass)
    for (const { app, certain, prefix } of places) {
      const own =
        fact.requires === undefined
          ? fact.path
          : fact.path.replace("{pk}", `{${this.lookup(path, fact.requires.type) ?? "pk"}}`)
      const below = fact.protocol === "http" || own.startsWith("/") ? join(prefix, own) : own
      const whole = global === undefined ? below : join(`/${global.replace(/^\//, "")}`, below)
      yield {
        ...site,
        protocol: fact.protocol,
        method: fact.method,
        path: fact.protocol === "http" ? tidy(whole) : whole,
        handler,
        tier: fact.partial !== true && certain && (known || app) ? "resolved" : "inferred"
      }
    }
  }

  /** Whether a type has a member, of its own or by one of its super types as written; unknown types have it. */
  private offers(path: string, { bases, member, type }: NonNullable<LocalRoute["requires"]>): boolean {
    const ref = this.symbolAt(path, type.name, type)
    if (ref === undefined || this.view.isFile(ref)) return true
    const seen = new Set<SymbolRef>()
    const offers = (each: SymbolRef): boolean => {
      if (seen.has(each)) return false
      seen.add(each)
      if (this.view.members(each).some((own) => this.view.nameOf(own) === member)) return true
      if (bases.some((base) => this.view.symbol(each).signature.includes(base))) return true
      return this.view.above(each).some(({ ref: above }) => offers(above))
    }
    return offers(ref)
  }

  /** The parameter by which a type's rows are looked up, where it says so. */
  private lookup(path: string, type: { readonly name: string } & At): string | undefined {
    const ref = this.symbolAt(path, type.name, type)
    if (ref === undefined || this.view.isFile(ref)) return undefined
    for (const name of ["lookup_url_kwarg", "lookup_field"])
      for (const own of this.view.members(ref))
        if (this.view.nameOf(own) === name) {
          const value = /["']([^"']+)["']/.exec(this.view.symbol(own).signature)?.[1]
          if (value !== undefined) return value
        }
    return undefined
  }

  /** The repository a file belongs to. */
  private repositoryOf(path: string): string {
    return this.repositories.find((root) => isWithin(path, root)) ?? ""
  }

  private site(path: string, { line }: At, pass: string): FactSite {
    const ref = this.view.at(path, line)
    return {
      file: path,
      line,
      within: ref === undefined ? path : this.view.idOf(ref),
      repository: this.repositoryOf(path),
      test: this.view.file(path)?.test ?? false,
      pass
    }
  }

  /** What a handler is in the graph. */
  private target(path: string, handler: Handler): FactTarget {
    const { view } = this
    switch (handler.kind) {
      case "inline": {
        const around = view.at(path, handler.line)
        return { id: around === undefined ? path : view.idOf(around), name: "", how: "inline" }
      }
      case "file": {
        const named =
          handler.name === undefined
            ? undefined
            : view
                .definitions(path)
                .find(
                  (ref) =>
                    view.nameOf(ref) === handler.name ||
                    (handler.name === "default" && view.symbol(ref).flags.includes("default_export"))
                )
        const fallback =
          handler.name === undefined
            ? view.definitions(path).find((ref) => view.symbol(ref).flags.includes("default_export"))
            : undefined
        const ref = named ?? fallback
        return ref === undefined
          ? { id: path, name: path, how: "file" }
          : { id: view.idOf(ref), name: view.nameOf(ref), how: "symbol" }
      }
      case "definition": {
        const own = view.definitions(path).filter((ref) => view.nameOf(ref) === handler.name)
        const ref =
          own.find((each) => view.symbol(each).line === handler.line) ??
          (own.length === 1 ? own[0] : undefined)
        return ref === undefined
          ? { id: undefined, name: handler.name, how: "unresolved" }
          : { id: view.idOf(ref), name: handler.name, how: "symbol" }
      }
      case "member": {
        const type = handler.type.split(/::|\\/).at(-1) ?? handler.type
        const own = view.named(handler.name).filter((ref) => {
          const parent = view.parent(ref)
          return (
            parent !== undefined &&
            !view.isFile(parent) &&
            (view.nameOf(parent) === type || view.nameOf(parent) === handler.type)
          )
        })
        // Of types of one name, that whose path spells the modules is meant.
        const spelled = handler.type
          .replace(/::/g, "/")
          .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
          .toLowerCase()
        const ref =
          own.length <= 1
            ? own[0]
            : (own.find((each) =>
                view
                  .pathOf(each)
                  .replace(/\.\w+$/, "")
                  .endsWith(`/${spelled}`)
              ) ??
              own.find(
                (each) =>
                  view.symbol(each).qualified === `${handler.type.replaceAll("::", ".")}.${handler.name}`
              ))
        const words = handler.type === "" ? handler.name : `${handler.type}#${handler.name}`
        if (ref !== undefined) return { id: view.idOf(ref), name: words, how: "symbol" }
        const types = view
          .named(type)
          .filter((each) => /class|interface|struct|object|trait|module/.test(view.symbol(each).kind))
        return types.length === 1
          ? { id: view.idOf(types[0]!), name: words, how: "symbol" }
          : { id: undefined, name: words, how: "unresolved" }
      }
      case "name": {
        const ref = this.symbolAt(path, handler.name, handler)
        if (ref !== undefined)
          return view.isFile(ref)
            ? { id: view.idOf(ref), name: handler.name, how: "file" }
            : { id: view.idOf(ref), name: handler.name, how: "symbol" }
        return { id: undefined, name: handler.name, how: "unresolved" }
      }
    }
  }

  /** A call by its first name, when that is imported from outside of the workspace. */
  external(path: string, fact: LocalNote): Note | undefined {
    let locals = this.imported.get(path)
    if (locals === undefined) {
      locals = new Map()
      for (const { external, local, module, name } of this.view.imports(path)) {
        if (!external) continue
        const word =
          local !== ""
            ? local
            : module
                .split(/[/.\\:]/)
                .filter((each) => each !== "" && !/^v\d+$/.test(each))
                .at(-1)!
        if (!locals.has(word)) locals.set(word, { module, name })
      }
      this.imported.set(path, locals)
    }
    const names = fact.data["names"] as ReadonlyArray<string>
    const found = locals.get(names[0]!)
    if (found === undefined) return undefined
    const symbol = [
      ...(found.name === "" || found.name === "default" || found.name === "*" ? [] : [found.name]),
      ...names.slice(1)
    ].join(".")
    return {
      ...this.site(path, fact, fact.pass),
      what: "external",
      name: found.module,
      data: { symbol: symbol === "" ? names[0]! : symbol },
      targets: {}
    }
  }

  /** A note with what its names mean. */
  note(path: string, fact: LocalNote): Note {
    const targets: { [role: string]: FactTarget } = {}
    for (const [role, handler] of Object.entries(fact.names ?? {})) targets[role] = this.target(path, handler)
    return { ...this.site(path, fact, fact.pass), what: fact.what, name: fact.name, data: fact.data, targets }
  }
}

/** Frameworks whose applications need not be made in code that is read. */
const implicit = new Set(["asp.net", "django", "rails", "nestjs", "ktor", "hono", "axum", "next"])

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Doubled slashes made one; the root is `/`. */
const tidy = (path: string): string => {
  const whole = path.replace(/\/{2,}/g, "/")
  return whole === "" ? "/" : whole
}
