/** Follows routers through the variables, groups and functions of one file. */
import { T } from "./Lexer.ts"
import type { At, Handler, LocalFact, Place } from "./Local.ts"
import type { Argument, Binding, Chain, Expr, Part, Script } from "./Script.ts"

/** How a framework makes and groups its routers. */
export interface Vocabulary {
  readonly pass: string
  /** Whether a call makes a router, by the chain up to the part; with its own prefix. */
  readonly creates?: (
    chain: Chain,
    index: number,
    script: Script
  ) => { readonly app: boolean; readonly prefix?: string } | undefined
  /** The prefix of the router that a call answers, below the one it is called on. */
  readonly groups?: (part: Part) => string | undefined
  /** Whether a call answers the router it is called on. */
  readonly fluent?: (part: Part) => boolean
  /** Whether a parameter of this type is a router. */
  readonly typed?: (type: string, name: string) => boolean
}

export const at = (script: Script, token: number): At => ({
  line: script.line(token),
  column: script.column(token)
})

export class Routers {
  readonly facts: Array<LocalFact> = []
  private readonly seen = new Set<string>()
  private values: Map<number, Binding> | undefined
  constructor(
    readonly script: Script,
    readonly vocabulary: Vocabulary
  ) {}

  private get pass(): string {
    return this.vocabulary.pass
  }

  /** Key of a variable: its name and the line it is bound on. */
  private keyOf(binding: Binding): string {
    if (binding.parameter !== undefined && binding.parameter.of >= 0) {
      const fn = this.script.functions()[binding.parameter.of]!
      return parameterKey(fn.name, this.script.line(fn.at), binding.parameter.index)
    }
    if (binding.parameter !== undefined) return `closure:${this.script.tokens.start[binding.at]!}`
    return `${binding.name}:${this.script.line(binding.at)}`
  }

  /** The place of a parameter of a function written in place. */
  closure(fn: Expr, index: number): Place | undefined {
    if (fn.kind !== "function") return undefined
    const param = fn.params[index]
    return param === undefined
      ? undefined
      : { kind: "local", key: `closure:${this.script.tokens.start[param.at]!}` }
  }

  private bound(binding: Binding): Place {
    const key = this.keyOf(binding)
    const place: Place = { kind: "local", key }
    if (this.seen.has(key)) return place
    this.seen.add(key)
    const { value } = binding
    if (value?.kind === "chain") {
      const made = this.creation(value.chain)
      if (made !== undefined) {
        const below = this.below(value.chain, made.index)
        this.facts.push({
          kind: "router",
          pass: this.pass,
          place,
          prefix: (made.prefix ?? "") + below,
          app: made.app,
          ...at(this.script, binding.at)
        })
      } else {
        const parent = this.placeOf(value.chain)
        if (parent !== undefined && !(parent.kind === "local" && parent.key === key))
          this.facts.push({
            kind: "mount",
            pass: this.pass,
            parent,
            prefix: "",
            child: place,
            ...at(this.script, binding.at)
          })
      }
    }
    return place
  }

  /** The variable that a chain is the value of. */
  private valueOf(chain: Chain): Binding | undefined {
    if (this.values === undefined) {
      this.values = new Map()
      for (const bindings of this.script.bindings().values())
        for (const binding of bindings)
          if (binding.value?.kind === "chain") this.values.set(binding.value.chain.at, binding)
    }
    return this.values.get(chain.at)
  }

  private creation(
    chain: Chain,
    to = chain.parts.length
  ): { readonly index: number; readonly app: boolean; readonly prefix?: string } | undefined {
    for (let index = to - 1; index >= 0; index--) {
      const made = this.vocabulary.creates?.(chain, index, this.script)
      if (made !== undefined) return { index, ...made }
    }
    return undefined
  }

  /** Prefixes of the groups behind a part. */
  private below(chain: Chain, index: number, to = chain.parts.length): string {
    let prefix = ""
    for (const part of chain.parts.slice(index + 1, to)) {
      const more = this.vocabulary.groups?.(part)
      if (more !== undefined) prefix = join(prefix, more)
    }
    return prefix
  }

  /** Whether a chain begins with a variable that a router is bound to. */
  holds(chain: Chain): boolean {
    const { vocabulary } = this
    const binding = this.script.binding(chain.parts[0]!.name, chain.at)
    if (binding === undefined) return false
    if (binding.parameter !== undefined)
      return vocabulary.typed?.(binding.parameter.type, binding.name) ?? false
    const { value } = binding
    return (
      value?.kind === "chain" &&
      (this.makes(value.chain) ||
        (value.chain.parts.length > 1 &&
          value.chain.parts.some(
            (part) => part.args !== undefined && vocabulary.groups?.(part) !== undefined
          )))
    )
  }

  /** Whether a router is made in these parts of a chain. */
  makes(chain: Chain, to = chain.parts.length): boolean {
    return this.creation(chain, to) !== undefined
  }

  /** The router that the first parts of a chain answer. */
  placeOf(chain: Chain, to = chain.parts.length): Place | undefined {
    const made = this.creation(chain, to)
    if (made !== undefined) {
      // What a variable is bound to is that variable.
      const variable = this.valueOf(chain)
      if (variable !== undefined) return this.bound(variable)
      const key = `made:${this.script.tokens.start[chain.at]!}`
      const place: Place = { kind: "local", key }
      if (!this.seen.has(key)) {
        this.seen.add(key)
        this.facts.push({
          kind: "router",
          pass: this.pass,
          place,
          prefix: made.prefix ?? "",
          app: made.app,
          ...at(this.script, chain.at)
        })
      }
      const prefix = this.below(chain, made.index, to)
      return prefix === "" ? place : { kind: "below", base: place, prefix }
    }
    let called = 0
    while (called < to && chain.parts[called]!.args === undefined && chain.parts[called]!.block === undefined)
      called++
    if (called === to) return this.named(chain, to)
    let place: Place | undefined
    const first = chain.parts[called]!
    const grouped = this.vocabulary.groups?.(first)
    const flows = this.vocabulary.fluent?.(first) ?? false
    if (called > 0 && (grouped !== undefined || flows)) {
      place = this.named(chain, called)
      if (place !== undefined && grouped !== undefined && grouped !== "")
        place = { kind: "below", base: place, prefix: grouped }
    } else if (first.name !== "" && first.name !== "[]")
      place = { kind: "call", name: first.name, ...at(this.script, first.at) }
    for (const part of chain.parts.slice(called + 1, to)) {
      if (place === undefined) return undefined
      const more = this.vocabulary.groups?.(part)
      if (more !== undefined && more !== "") place = { kind: "below", base: place, prefix: more }
    }
    return place
  }

  private named(chain: Chain, to: number): Place | undefined {
    const last = chain.parts[to - 1]
    if (last === undefined || last.name === "" || last.name === "[]") return undefined
    const own = to === 2 && /^(?:this|self|\$this|@?self)$/.test(chain.parts[0]!.name)
    if (to === 1 || own) {
      const binding = own
        ? ((this.script.bindings().get(last.name) ?? []).find(({ member }) => member === true) ??
          this.script.binding(last.name, chain.at))
        : this.script.binding(last.name, last.at)
      if (binding !== undefined) {
        const { value } = binding
        // What comes from another module is followed by the graph.
        const required = value?.kind === "chain" && value.chain.parts[0]!.name === "require"
        if (!required) return this.bound(binding)
      }
    }
    return { kind: "name", name: last.name, ...at(this.script, last.at) }
  }

  /** The router an argument stands for. */
  placeOfExpr(expr: Expr | undefined): Place | undefined {
    return expr?.kind === "chain" ? this.placeOf(expr.chain) : undefined
  }

  /** Routers handed to functions, and returned from them; to be asked last. */
  *flows(): Generator<LocalFact> {
    const { script, vocabulary } = this
    const functions = script.functions()
    const typed = (binding: Binding | undefined): boolean =>
      binding !== undefined &&
      (binding.parameter === undefined
        ? binding.value?.kind === "chain" &&
          (this.makes(binding.value.chain) ||
            binding.value.chain.parts.some((part) => vocabulary.groups?.(part) !== undefined))
        : this.seen.has(this.keyOf(binding)) ||
          (vocabulary.typed?.(binding.parameter.type, binding.name) ?? false))
    for (const chain of script.chains()) {
      const index = chain.parts.findIndex((part) => part.args !== undefined && part.args.length > 0)
      if (index < 0) continue
      const part = chain.parts[index]!
      const found: Array<{ readonly index: number; readonly place: Place }> = []
      for (const [position, { value }] of (part.args ?? []).entries()) {
        if (value.kind !== "chain") continue
        const own = value.chain.parts[0]!
        const known =
          (value.chain.parts.length === 1 &&
            own.args === undefined &&
            typed(script.binding(own.name, own.at))) ||
          this.makes(value.chain) ||
          (value.chain.parts.length > 1 &&
            /^(?:this|self|s|\$this)$/.test(own.name) &&
            typed(
              (script.bindings().get(value.chain.parts[1]!.name) ?? []).find(({ member }) => member === true)
            )) ||
          value.chain.parts.some(
            (each) =>
              each.args !== undefined &&
              vocabulary.groups?.(each) !== undefined &&
              value.chain.parts.length > 1
          )
        if (!known) continue
        const place = this.placeOf(value.chain)
        if (place !== undefined) found.push({ index: position, place })
      }
      if (found.length > 0)
        yield { kind: "flow", pass: this.pass, name: part.name, args: found, ...at(script, part.at) }
    }
    for (let i = 0; i < script.count; i++) {
      if (script.kind(i) !== T.word || script.word(i) !== "return") continue
      if (script.kind(i + 1) !== T.word && script.word(i + 1) !== "&") continue
      const value = script.expr(i + 1, script.statementEnd(i + 1))
      if (value.kind !== "chain") continue
      const fn = functions.filter(({ from, to }) => from <= i && i < to).sort((a, b) => b.from - a.from)[0]
      if (fn === undefined) continue
      const own = value.chain.parts[0]!
      const plain = value.chain.parts.length === 1 && own.args === undefined
      if (
        !(plain
          ? typed(script.binding(own.name, own.at))
          : this.makes(value.chain) ||
            value.chain.parts.some((each) => vocabulary.groups?.(each) !== undefined))
      )
        continue
      const place = this.placeOf(value.chain)
      if (place !== undefined)
        yield { kind: "return", pass: this.pass, name: fn.name, place, ...at(script, fn.at) }
    }
    // The last expression of a function is its value.
    if (script.dialect === "rust" || script.dialect === "kotlin")
      for (const fn of functions) {
        for (const chain of script.chains()) {
          if (
            chain.at < fn.from ||
            chain.to !== fn.to ||
            !(
              this.makes(chain) ||
              (chain.parts.length === 1 && typed(script.binding(chain.parts[0]!.name, chain.at)))
            )
          )
            continue
          const place = this.placeOf(chain)
          if (place !== undefined) {
            yield { kind: "return", pass: this.pass, name: fn.name, place, ...at(script, fn.at) }
            break
          }
        }
      }
    yield* this.exported()
  }

  /** What the module exports as a whole. */
  private *exported(): Generator<LocalFact> {
    const { script } = this
    if (script.dialect !== "javascript") return
    for (let i = 0; i < script.count; i++) {
      const word = script.word(i)
      const from =
        word === "export" && script.word(i + 1) === "default"
          ? i + 2
          : word === "module" &&
              script.word(i + 1) === "." &&
              script.word(i + 2) === "exports" &&
              script.word(i + 3) === "="
            ? i + 4
            : -1
      if (from < 0) continue
      const value = script.expr(from, Math.max(from + 1, script.statementEnd(from)))
      if (value.kind === "function") {
        const place = this.closureOrNamed(value)
        if (place !== undefined) yield { kind: "export", pass: this.pass, place, ...at(script, from) }
      } else if (value.kind === "chain") {
        // A wrapped plugin is the function inside.
        const inner = value.chain.parts.length === 1 ? value.chain.parts[0]!.args?.[0]?.value : undefined
        const place =
          inner?.kind === "function"
            ? this.closureOrNamed(inner)
            : inner?.kind === "chain" && value.chain.parts[0]!.name === "fp"
              ? this.placeOf(inner.chain)
              : this.placeOf(value.chain)
        if (place !== undefined) yield { kind: "export", pass: this.pass, place, ...at(script, from) }
      }
    }
  }

  /** The first parameter of a function that may have a name. */
  private closureOrNamed(fn: Expr & { readonly kind: "function" }): Place | undefined {
    const named = this.script.functions().find(({ from }) => from === fn.from)
    if (named !== undefined && named.params.length > 0)
      return { kind: "local", key: parameterKey(named.name, this.script.line(named.at), 0) }
    return this.closure(fn, 0) ?? (fn.params.length === 0 ? undefined : undefined)
  }
}

export const parameterKey = (name: string, line: number, index: number | "this"): string =>
  `param:${name}:${line}:${index}`

/** Two parts of a path as one. */
export const join = (a: string, b: string): string => {
  if (b === "" || b === "/") return a === "" ? b : a
  if (a === "" || a === "/") return b.startsWith("/") ? b : `/${b}`
  return `${a.replace(/\/+$/, "")}/${b.replace(/^\/+/, "")}`
}

/** Who an argument says answers: what is written in place, a name, the last of a list. */
export const handlerOf = (script: Script, expr: Expr | undefined): Handler | undefined => {
  if (expr === undefined) return undefined
  if (expr.kind === "function") return { kind: "inline", ...at(script, expr.at) }
  if (expr.kind === "list") return handlerOf(script, expr.items[expr.items.length - 1]?.value)
  if (expr.kind === "chain") {
    const { parts } = expr.chain
    const called = parts.findIndex(({ args }) => args !== undefined)
    // A wrapper around a handler answers in its name: the innermost function that is handed on.
    const last = parts[parts.length - 1]!
    if (called >= 0 && last.args !== undefined) {
      const inner = [...last.args]
        .reverse()
        .find(({ value }) => value.kind === "function" || value.kind === "chain")
      if (last.name !== "bind" && last.name !== "as_view" && inner !== undefined) {
        const found = handlerOf(script, inner.value)
        if (found !== undefined) return found
      }
    }
    const index =
      called < 0
        ? parts.length - 1
        : called > 0 && /^(?:bind|as_view|asView|call)$/.test(parts[called]!.name)
          ? called - 1
          : called
    const part = parts[index]!
    if (part.name === "" || part.name === "[]") return undefined
    return { kind: "name", name: part.name, ...at(script, part.at) }
  }
  return undefined
}

/** The argument that answers a route: the last that can. */
export const lastHandler = (script: Script, args: ReadonlyArray<Argument>): Handler | undefined => {
  for (let i = args.length - 1; i >= 0; i--) {
    const { label, value } = args[i]!
    if (label !== undefined) continue
    const found = handlerOf(script, value)
    if (found !== undefined) return found
  }
  return undefined
}
