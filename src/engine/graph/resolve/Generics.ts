/**
 * Type parameters of TypeScript: what a type or function means once they stand for something, and what they stand for
 * as far as arguments and expectations tell. All of it is bounded by depth; what lies deeper is not known.
 */
import { D, type FactsView, N, X } from "../../languages/Facts.ts"
import { operandsOf } from "../../languages/Operands.ts"
import { Bind, Flag, kindNumber, Op } from "../../languages/Vocabulary.ts"
import { definitionOf, fileOf, type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Resolver } from "./Resolver.ts"
import {
  bindValue,
  builtinValue,
  compose,
  type Env,
  instanceOf,
  instanceValue,
  type Found,
  FoundLater,
  isFree,
  nothing,
  parts,
  unsure,
  unionOf,
  V,
  type Value
} from "./Value.ts"

const K = kindNumber
const deepest = 12
/** Types made of each other that are worked out on the way to one of them. */
const mostMaking = 16
/** Number of values a substituted type may be made of; of a heavier one only the name is known. */
const heaviest = 120
const lighter = (value: Value): Value | undefined =>
  value.tag === V.type || value.tag === V.instance ? compose(value, undefined, undefined) : undefined
/** Constituents of a union that are looked at. */
const widest = 40

/** One way to call a value. */
interface Signature {
  /** Types of the parameters; the last one's elements for a rest parameter. */
  readonly takes: ReadonlyArray<Value | undefined>
  readonly result: Value | undefined
  /** Its own type parameters, in order, each with its default. */
  readonly generics: ReadonlyArray<readonly [key: number, fallback: number]>
  /** What `this` is declared to be. */
  readonly self: Value | undefined
  readonly env: Env | undefined
}
type Bindings = Map<number, Value>

const noGenerics: Signature["generics"] = []

/** Types of the language's library that stand for their first argument, as far as members go. */
const transparent = new Set([
  "Partial",
  "Required",
  "Readonly",
  "Pick",
  "Omit",
  "NonNullable",
  "Extract",
  "Exclude",
  "NoInfer",
  "ThisType"
])
const arrays = new Set(["Array", "ReadonlyArray", "ArrayLike", "ConcatArray"])
/** Library types whose last argument is the type of their elements, so that one may be given for another. */
const iterables = new Set([
  "array",
  "Iterable",
  "IterableIterator",
  "Set",
  "ReadonlySet",
  "Generator",
  "Iterator"
])
/** Library types with two arguments that are entries of key and value. */
const maps = new Set(["Map", "ReadonlyMap", "WeakMap"])

export class Generics {
  private readonly superValues = new Map<Node, Map<Node, Value | undefined>>()
  private depth = 0
  /** A super type is being looked for. */
  private seeking = false
  private readonly array: number
  private readonly promise: number
  private readonly iterator: number
  private readonly next: number
  private readonly constructorName: number

  constructor(readonly resolver: Resolver) {
    const { names } = resolver.world
    this.array = names.string("array")
    this.promise = names.string("Promise")
    this.iterator = names.string("[Symbol.iterator]")
    this.next = names.string("next")
    this.constructorName = names.string("constructor")
  }

  /** Forgets what was worked out. */
  clear(): void {
    this.superValues.clear()
    this.made.clear()
    this.called.clear()
  }

  private text(name: number): string {
    return this.resolver.world.names.text(name)
  }

  // ---- type parameters --------------------------------------------------------------------------

  /** Type parameters of a definition, in order. */
  private parametersOf(node: Node): Signature["generics"] {
    const file = this.resolver.file(fileOf(node))!
    return this.listed(file, file.view.def(definitionOf(node), D.generics))
  }
  /** Type parameters as a tuple of facts tells them. */
  listed(file: WorldFile, tuple: number): Signature["generics"] {
    if (tuple < 0) return noGenerics
    const { view } = file
    const start = view.args + view.expr(tuple, X.b)
    const out: Array<readonly [number, number]> = []
    for (let i = 0; i + 1 < view.expr(tuple, X.c); i += 2)
      out.push([nodeOf(file.id, view.ints[start + i]!), view.ints[start + i + 1]!])
    return out
  }
  /** What a type parameter stands for where nothing else says. */
  private fallback([key, expression]: readonly [number, number]): Value | undefined {
    return expression < 0 ? undefined : this.resolver.evaluate(this.resolver.file(fileOf(key))!, expression)
  }
  private selfOf(node: Node): Value | undefined {
    const file = this.resolver.file(fileOf(node))!
    const tuple = file.view.def(definitionOf(node), D.generics)
    if (tuple < 0 || file.view.expr(tuple, X.c) % 2 === 0) return undefined
    return this.resolver.evaluate(
      file,
      file.view.ints[file.view.args + file.view.expr(tuple, X.b) + file.view.expr(tuple, X.c) - 1]!
    )
  }

  /** What the type parameters of a type stand for in one of its instances. */
  envOf(value: Value, self: Value | undefined): Env {
    if (value.env !== undefined) return value.env.self === self ? value.env : { ...value.env, self }
    if (definitionOf(value.node) < 0) return { self, map: noBindings }
    const map: Bindings = new Map()
    const env = { self, map }
    const parameters = this.parametersOf(value.node)
    if (parameters.length === 0) return self === undefined ? noEnv : { self, map: noBindings }
    for (let i = 0; i < parameters.length; i++) {
      const [key] = parameters[i]!
      const given = value.args?.[i]
      const bound =
        given ??
        (value.args !== undefined && i < value.args.length
          ? undefined
          : this.apply(this.fallback(parameters[i]!), env))
      if (bound !== undefined) map.set(key, bound)
    }
    return env
  }

  /** The type arguments of a type, its defaults where none are written. */
  private argumentsOf(value: Value): ReadonlyArray<Value | undefined> | undefined {
    if (value.args !== undefined || definitionOf(value.node) < 0) return value.args
    const { map } = this.envOf(value, undefined)
    return map.size === 0 ? undefined : this.parametersOf(value.node).map(([key]) => map.get(key))
  }

  /** A super type as seen from a type, in terms of that type's parameters. */
  private superValue(node: Node, target: Node): Value | undefined {
    let known = this.superValues.get(node)
    if (known === undefined) this.superValues.set(node, (known = new Map()))
    if (known.has(target)) return known.get(target)
    known.set(target, undefined)
    const outermost = !this.seeking
    this.seeking = true
    const depth = outermost ? this.enter() : this.depth
    const [found, whole] = this.resolver.whole(() => this.findSuper(node, target))
    this.leave(depth)
    // On the way, types that lead in circles are cut.
    if (outermost) this.seeking = false
    if (whole && outermost) known.set(target, found)
    else known.delete(target)
    return found
  }
  private findSuper(node: Node, target: Node): Value | undefined {
    if (this.depth > deepest) return undefined
    const { resolver } = this
    const file = resolver.file(fileOf(node))!
    for (const i of resolver.inheritsOf(file).get(definitionOf(node)) ?? []) {
      const all: Array<Value> = []
      this.heads(resolver.evaluate(file, file.view.inherit(i, N.superType)), all)
      for (const value of all) {
        if (value.node === target) return instanceOf(value)
        this.depth++
        const deeper = this.superValue(value.node, target)
        const out = deeper === undefined ? undefined : this.apply(deeper, this.envOf(value, undefined))
        this.depth--
        if (out !== undefined) return out
      }
    }
    return undefined
  }
  /** The types that a super type expression means. */
  heads(value: Value | undefined, out: Array<Value>): void {
    if (value === undefined || out.length > widest) return
    switch (value.tag) {
      case V.union:
        for (const one of value.args!) this.heads(one, out)
        return
      case V.callable:
        return this.heads(value.args![0], out)
      case V.record:
        value.args!.forEach((one, i) => value.names![i]! < 0 && this.heads(one, out))
        return
      case V.param:
      case V.access:
      case V.self:
      case V.conditional:
      case V.indexed:
        if (this.depth < deepest) {
          this.depth++
          this.heads(this.constraint(value), out)
          this.depth--
        }
        return
      case V.type:
      case V.instance:
      case V.function:
        if (definitionOf(value.node) < 0) return
        // The value of an expression that is extended: what it constructs.
        if (value.tag === V.instance && this.resolver.def(value.node, D.kind) === K.interface) {
          const made = this.signature(value, -1)?.result
          if (made !== undefined && this.depth < deepest) this.deeper(() => this.heads(made, out))
        }
        if (value.tag !== V.function && this.resolver.def(value.node, D.kind) === K.type_alias) {
          const inner = this.resolver.underlying(value)
          if (inner !== undefined && this.depth < deepest) {
            this.depth++
            this.heads(inner, out)
            this.depth--
          }
        }
        out.push(value)
    }
  }

  /** A value as an instance of the given type, when it is one. */
  private as(value: Value, target: Node): Value | undefined {
    if (value.node === target) return value
    const seen = this.superValue(value.node, target)
    return seen === undefined ? undefined : this.apply(seen, this.envOf(value, value))
  }

  /** The value of a member found in `receiver` or one of its super types. */
  bound(value: Value | undefined, receiver: Value, member: Node, self: Value): Value | undefined {
    if (value === undefined || definitionOf(member) < 0) return value
    const inline =
      value.tag === V.function ||
      ((value.tag === V.type || value.tag === V.instance) && value.node === member && value.env === undefined)
    if (!inline && !isFree(value)) return value
    if (value.tag === V.function && !this.mentions(member)) return value
    const parent = this.resolver.def(member, D.parent)
    if (parent < 0) return value
    const owner = nodeOf(fileOf(member), parent)
    const at = receiver.node === owner ? receiver : this.as(receiver, owner)
    const env: Env = at === undefined ? { self, map: noBindings } : this.envOf(at, self)
    return inline ? bindValue(value, env) : this.apply(value, env)
  }

  private readonly mentioning = new Map<Node, boolean>()
  /** Whether what a function takes or gives is written with type parameters or `this`, as far as its facts show. */
  private mentions(node: Node): boolean {
    let known = this.mentioning.get(node)
    if (known === undefined) {
      const { view } = this.resolver.file(fileOf(node))!
      const index = definitionOf(node)
      known = [D.type, D.takes].some((field) => writtenWith(view, view.def(index, field)))
      this.mentioning.set(node, known)
    }
    return known
  }

  /** What types given no arguments are made of, and how they are called. */
  private readonly made = new Map<Value, Value | undefined>()
  private readonly called = new Map<Value, Value | undefined>()
  private readonly making = new Set<Value>()
  /** What a type is made of where its parameters stand for something. */
  instantiated(value: Value, type: Value): Value | undefined {
    const run = () => this.apply(type, this.envOf(value, value))
    return isPlain(value) ? this.keep(this.made, value, run) : run()
  }
  /** Works something out once for a value; an answer that rests on what is still in work is not kept. */
  private keep(
    known: Map<Value, Value | undefined>,
    value: Value,
    run: () => Value | undefined
  ): Value | undefined {
    if (known.has(value)) return known.get(value)
    if (this.making.has(value) || this.making.size > mostMaking) return run()
    this.making.add(value)
    const depth = this.enter()
    const [out, whole] = this.resolver.whole(run)
    this.leave(depth)
    this.making.delete(value)
    if (whole && this.making.size === 0) known.set(value, out)
    return out
  }

  // ---- substitution -----------------------------------------------------------------------------

  /** The value with its type parameters replaced. */
  apply(value: Value | undefined, env: Env): Value | undefined {
    if (value === undefined || !isFree(value)) return value
    if (this.depth > deepest) return undefined
    // The types of a union lie side by side.
    const level = value.tag === V.union ? 0 : 1
    this.depth += level
    const made = this.substituted(value, env)
    this.depth -= level
    const out = made === undefined || made === value || (made.weight ?? 1) <= heaviest ? made : lighter(made)
    return out === undefined || value.sure ? out : unsure(out)
  }
  private substituted(value: Value, env: Env): Value | undefined {
    switch (value.tag) {
      case V.param:
        return env.map.get(value.node) ?? value
      case V.self:
        return env.self ?? value
      case V.access: {
        const of = this.apply(value.args![0], env)
        return of === value.args![0] ? value : this.access(of, value.node)
      }
      case V.conditional:
        return this.distributed(value, env)
      case V.indexed: {
        const of = this.apply(value.args![0], env)
        const index = this.apply(value.args![1], env)
        return of === value.args![0] && index === value.args![1] ? value : this.indexed(of, index)
      }
      case V.union: {
        const a = this.apply(value.args![0], env)
        const b = this.apply(value.args![1], env)
        return a === value.args![0] && b === value.args![1] ? value : unionOf(a, b, value.node)
      }
      default: {
        let changed = false
        const args = value.args?.map((one) => {
          const now = this.apply(one, env)
          if (now !== one) changed = true
          return now
        })
        let inner = value.env
        if (inner !== undefined) {
          const map: Bindings = new Map()
          for (const [key, one] of inner.map) {
            const now = this.apply(one, env)
            if (now !== one) changed = true
            if (now !== undefined) map.set(key, now)
          }
          const self = this.apply(inner.self, env)
          if (self !== inner.self) changed = true
          inner = { self, map }
        }
        return changed ? compose(value, args, inner) : value
      }
    }
  }
  /** A member of a type that may not be known yet. */
  access(receiver: Value | undefined, name: number): Value | undefined {
    if (receiver === undefined) return undefined
    return deferred(receiver)
      ? { tag: V.access, node: name, args: [receiver], sure: receiver.sure, free: true }
      : this.resolver.member(receiver, name, -1).value
  }
  /** A type indexed by another. */
  indexed(of: Value | undefined, index: Value | undefined): Value | undefined {
    if (of === undefined || index === undefined) return undefined
    if (index.tag === V.key) return this.access(of, index.node)
    if (index.tag === V.builtin) {
      const text = this.text(index.node)
      if (text.startsWith('"')) return this.access(of, this.resolver.world.names.string(text.slice(1, -1)))
    }
    if (deferred(of) || deferred(index) || index.tag === V.keyOf)
      return { tag: V.indexed, node: 0, args: [of, index], sure: true, free: isFree(of) || isFree(index) }
    return this.element(of)
  }
  /** A member of a mapped type: the one of the type mapped. */
  memberOfMapped(value: Value, name: number, arity: number): Found {
    if (this.depth > deepest) return nothing
    const [range, member] = value.args!
    const of = range?.tag === V.keyOf ? range.args![0] : undefined
    const found = of === undefined ? nothing : this.deeper(() => this.resolver.member(of, name, arity))
    const key: Value = { tag: V.key, node: name, args: undefined, sure: true }
    const made = () =>
      this.apply(member, { self: undefined, map: new Map([[value.node, key]]) }) ?? found.value
    return found.nodes.length > 0
      ? new FoundLater(found.nodes, found.sure !== false, made)
      : { nodes: found.nodes, value: made(), sure: found.sure !== false }
  }
  /** A conditional type of a type parameter, which is decided for each type of a union on its own. */
  private distributed(value: Value, env: Env): Value | undefined {
    const parts = value.args!
    const [check, pattern, then, otherwise] = parts
    const decide = (env: Env) => {
      const now = [this.apply(check, env), this.apply(pattern, env)]
      if (now[0] !== check || now[1] !== pattern) return this.conditional(now, parts, env)
      const left = [check, pattern, this.apply(then, env), this.apply(otherwise, env)]
      return left[2] === then && left[3] === otherwise ? value : compose(value, left, undefined)
    }
    const bound = check?.tag === V.param ? env.map.get(check.node) : undefined
    if (bound?.tag !== V.union || bound.node !== 0) return decide(env)
    let out: Value | undefined
    for (const one of this.constituents(bound).slice(0, widest)) {
      const map = new Map(env.map)
      map.set(check!.node, one)
      out = unionOf(out, decide({ self: env.self, map }), 0)
    }
    return out
  }
  private conditional(
    [check, pattern]: ReadonlyArray<Value | undefined>,
    parts: ReadonlyArray<Value | undefined>,
    env: Env
  ): Value | undefined {
    const [, , then, otherwise] = parts
    const always = pattern?.tag === V.builtin && this.text(pattern.node) === "unknown"
    if (always && (check === undefined || !hasParameter(check, 0))) return this.apply(then, env)
    if (check === undefined || check.tag === V.external) return undefined
    if (isFree(check) && hasParameter(check, 0))
      return {
        tag: V.conditional,
        node: 0,
        args: [check, pattern, this.apply(then, env), this.apply(otherwise, env)],
        sure: true,
        free: true
      }
    const bindings: Bindings = new Map()
    if (pattern === undefined) return unsure(this.apply(then, env))
    if (!this.matches(pattern, check, bindings))
      return unsure(unionOf(this.apply(then, env), this.apply(otherwise, env), 0))
    if (bindings.size === 0) return this.apply(then, env)
    return this.apply(then, { self: env.self, map: new Map([...env.map, ...bindings]) })
  }
  /** A conditional type as written. */
  undecided(args: ReadonlyArray<Value | undefined>): Value | undefined {
    const env: Env = { self: undefined, map: noBindings }
    return this.depth > deepest ? undefined : this.deeper(() => this.conditional(args, args, env))
  }
  /** What is known of a type parameter and the like before it stands for something. */
  constraint(value: Value): Value | undefined {
    switch (value.tag) {
      case V.param: {
        if (value.node < 0) return undefined
        const file = this.resolver.file(fileOf(value.node))!
        return this.resolver.evaluate(file, file.view.expr(definitionOf(value.node), X.a))
      }
      case V.self:
        return instanceValue(value.node)
      case V.access: {
        const of = value.args![0]!
        return this.depth > deepest
          ? undefined
          : this.deeper(() => this.resolver.member(of, value.node, -1).value)
      }
      case V.conditional:
        return unionOf(value.args![2], value.args![3], 0)
      case V.indexed: {
        const of = value.args![0]
        return of === undefined || this.depth > deepest ? undefined : this.deeper(() => this.element(of))
      }
      default:
        return undefined
    }
  }
  /** Starts counting anew how deep types lie in each other; gives the count for {@link leave}. */
  enter(): number {
    const { depth } = this
    this.depth = 0
    return depth
  }
  leave(depth: number): void {
    this.depth = depth
  }
  deeper<A>(run: () => A): A {
    this.depth++
    const out = run()
    this.depth--
    return out
  }
  memberOfDeferred(value: Value, name: number, arity: number): Found {
    if (this.depth > deepest) return nothing
    const inner = this.constraint(value)
    if (inner === undefined || inner === value) return nothing
    return this.deeper(() => this.resolver.member(inner, name, arity, value))
  }

  // ---- types of the library ---------------------------------------------------------------------

  /** A type of the language's library with its arguments. */
  library(name: number, args: ReadonlyArray<Value | undefined>): Value | undefined {
    const text = this.text(name)
    if (transparent.has(text)) return args[0]
    if (arrays.has(text)) return builtinValue(this.array, args)
    switch (text) {
      case "Awaited":
        return this.awaited(args[0])
      case "PromiseLike":
        return builtinValue(this.promise, args)
      case "ReturnType":
        return args[0] === undefined ? undefined : this.signature(args[0], -1)?.result
      case "InstanceType":
        return args[0] === undefined
          ? undefined
          : args[0].tag === V.type || args[0].tag === V.instance
            ? instanceOf(args[0])
            : this.signature(args[0], -1)?.result
    }
    return builtinValue(name, args)
  }
  private awaited(value: Value | undefined): Value | undefined {
    return value?.tag === V.builtin && value.node === this.promise ? value.args?.[0] : value
  }
  /** A method of a type of the language's library, as far as what it gives is told by the type's arguments. */
  libraryMember(receiver: Value, name: number): Value | undefined {
    if (receiver.tag !== V.builtin || receiver.args === undefined) return undefined
    const { args } = receiver
    const method = this.text(name)
    const result = paramValue(-1)
    const callable = (result: Value | undefined, ...takes: ReadonlyArray<Value | undefined>): Value =>
      parts(V.callable, 0, [result, ...takes])
    if (receiver.node === this.array || iterables.has(this.text(receiver.node))) {
      const element = args[0]
      switch (method) {
        case "map":
          return callable(builtinValue(this.array, [result]), callable(result, element))
        case "flatMap":
          return callable(
            builtinValue(this.array, [result]),
            callable(builtinValue(this.array, [result]), element)
          )
        case "reduce":
        case "reduceRight":
          return callable(result, callable(result, result, element), result)
        case "forEach":
        case "some":
        case "every":
        case "findIndex":
        case "findLastIndex":
          return callable(undefined, callable(undefined, element))
        case "filter":
          return callable(receiver, callable(undefined, element))
        case "find":
        case "findLast":
          return callable(element, callable(undefined, element))
        case "sort":
        case "toSorted":
          return callable(receiver, callable(undefined, element, element))
        case "pop":
        case "shift":
        case "at":
          return callable(element)
        case "push":
        case "unshift":
        case "includes":
        case "indexOf":
          return callable(undefined, element)
        case "slice":
        case "concat":
        case "reverse":
        case "toReversed":
        case "values":
          return callable(receiver)
        default:
          return undefined
      }
    }
    if (maps.has(this.text(receiver.node))) {
      switch (method) {
        case "get":
          return callable(args[1])
        case "forEach":
          return callable(undefined, callable(undefined, args[1], args[0]))
        case "values":
          return callable(builtinValue(this.array, [args[1]]))
        case "keys":
          return callable(builtinValue(this.array, [args[0]]))
        case "entries":
          return callable(builtinValue(this.array, [parts(V.tuple, 0, args)]))
        default:
          return undefined
      }
    }
    if (receiver.node === this.promise && (method === "then" || method === "catch" || method === "finally"))
      return method === "then"
        ? callable(builtinValue(this.promise, [result]), callable(result, args[0]))
        : callable(receiver)
    return undefined
  }
  /** A member of a type of the library that has all names. */
  libraryField(receiver: Value): Value | undefined {
    return receiver.args?.length === 2 && this.text(receiver.node) === "Record" ? receiver.args[1] : undefined
  }
  /** What iterating a value gives. */
  element(value: Value): Value | undefined {
    if (value.tag === V.tuple) {
      let out: Value | undefined
      for (const one of value.args!.slice(0, widest)) out = unionOf(out, one, 0)
      return out
    }
    if (value.tag === V.record) return value.args![value.names!.indexOf(0)]
    if (value.tag === V.mapped) {
      const [range, member] = value.args!
      const of = range?.tag === V.keyOf ? range.args![0] : undefined
      if (of === undefined) return member
      return member === undefined || this.depth > deepest
        ? undefined
        : this.deeper(() =>
            this.apply(member, { self: undefined, map: new Map([[value.node, builtinValue(this.array)]]) })
          )
    }
    if (value.tag === V.builtin) {
      const name = this.text(value.node)
      return name === "Record"
        ? value.args?.[1]
        : maps.has(name)
          ? parts(V.tuple, 0, value.args)
          : iterables.has(name)
            ? value.args?.[0]
            : undefined
    }
    if (value.tag === V.union) {
      let out: Value | undefined
      if (this.depth <= deepest)
        for (const one of value.node === 0 ? this.constituents(value) : value.args!)
          if (one !== undefined)
            out = unionOf(
              out,
              this.deeper(() => this.element(one)),
              0
            )
      return out
    }
    if (deferred(value)) {
      const inner = this.depth > deepest ? undefined : this.constraint(value)
      return inner === undefined ? undefined : this.deeper(() => this.element(inner))
    }
    return undefined
  }
  /** What `yield*` gives. */
  delegated(value: Value | undefined): Value | undefined {
    if (value === undefined || this.depth > deepest) return undefined
    return this.deeper(() => {
      if (value.tag === V.builtin) {
        const name = this.text(value.node)
        return name === "Generator" || name === "AsyncGenerator" || name === "IteratorResult"
          ? value.args?.[1]
          : undefined
      }
      if (value.tag === V.union) {
        const all = value.args!.map((one) => this.delegated(one))
        return unionOf(all[0], all[1], 0)
      }
      if (value.tag !== V.instance && !deferred(value)) return undefined
      const iterator = this.resolver.member(value, this.iterator, 0).value
      if (iterator === undefined) return undefined
      const made = this.signature(iterator, 0)?.result
      if (made === undefined || made.tag === V.builtin) return this.delegated(made)
      const next = this.resolver.member(made, this.next, 0).value
      return next === undefined ? undefined : this.delegated(this.signature(next, 0)?.result)
    })
  }

  // ---- calls ------------------------------------------------------------------------------------

  /** How a value is called with that many arguments (-1 when unknown). */
  private signature(value: Value, arity: number, making = false, given?: Given): Signature | undefined {
    if (this.depth > deepest) return undefined
    return this.deeper(() => this.findSignature(value, arity, making, given))
  }
  private findSignature(
    value: Value,
    arity: number,
    making: boolean,
    given: Given | undefined
  ): Signature | undefined {
    const { resolver } = this
    switch (value.tag) {
      case V.callable:
        return {
          takes: value.args!.slice(1),
          result: value.sure ? value.args![0] : unsure(value.args![0]),
          generics: value.generics ?? noGenerics,
          self: undefined,
          env: undefined
        }
      case V.record: {
        const every = value.args!.filter((one, i): one is Value => value.names![i]! < 0 && one !== undefined)
        const kind = every.filter(
          (one) => one.tag === V.function || ((one.node & constructs) !== 0) === making
        )
        const all = kind.length > 0 ? kind : every
        const count = given === undefined ? arity : given.count
        const fitting =
          count < 0 ? all : all.filter((one) => one.tag !== V.callable || takesCount(one, count))
        let list: Array<Signature> = []
        for (const one of fitting.length > 0 ? fitting : all) {
          const found = this.findSignature(one, arity, making, undefined)
          if (found !== undefined) list.push(found)
        }
        if (list.length > 1 && given !== undefined) {
          const likely = list.filter((one) => !this.clashes(one.takes, given))
          if (likely.length > 0) list = likely
        }
        const first = list[0]
        if (first === undefined || list.length === 1) return first
        // Overloads told apart by more than the arguments seen: certain only where they give the same.
        return list.every((one) => sameHead(one.result, first.result))
          ? first
          : { ...first, result: unsure(first.result) }
      }
      case V.function: {
        if (definitionOf(value.node) < 0) return undefined
        const file = resolver.file(fileOf(value.node))!
        const takes = resolver.def(value.node, D.takes)
        if (takes >= 0 && file.view.expr(takes, X.op) !== Op.tuple) {
          const declared = resolver.evaluate(file, takes)
          const whole = value.env === undefined ? declared : this.apply(declared, value.env)
          const found = whole === undefined ? undefined : this.signature(whole, arity, making, given)
          if (found !== undefined) return found
        }
        return this.signatureOf(value.node, value, resolver.typeOf(value.node))
      }
      case V.type:
      case V.instance: {
        if (definitionOf(value.node) < 0) return undefined
        const kind = resolver.def(value.node, D.kind)
        if (making && value.tag === V.type && kind === K.class) {
          const made = resolver
            .classMember(value.node, this.constructorName)
            .find((n) => definitionOf(n) >= 0 && resolver.def(n, D.takes) >= 0)
          const own = this.parametersOf(value.node)
          const result =
            value.args !== undefined || own.length === 0
              ? instanceOf(value)
              : compose(
                  instanceOf(value)!,
                  own.map(([key]) => paramValue(key)),
                  undefined
                )
          if (made === undefined) return { takes: [], result, generics: own, self: undefined, env: undefined }
          return { ...this.signatureOf(made, value, result), generics: own }
        }
        const inner = this.callableOf(value, making, given)
        if (
          inner !== undefined &&
          (inner.node !== value.node || inner.tag === V.callable || inner.tag === V.record)
        ) {
          const found = this.signature(inner, arity, making, given)
          if (found !== undefined) return found
        }
        for (const parent of resolver.supers(value.node)) {
          const at = this.as(value, parent)
          const found = at === undefined ? undefined : this.signature(at, arity, making, given)
          if (found !== undefined) return found
        }
        return undefined
      }
      case V.union: {
        // What is all of several functions has all their signatures.
        if (value.node === 1 && value.args!.every((one) => one?.tag === V.callable))
          return this.findSignature(parts(V.record, 0, value.args, [-1, -1]), arity, making, given)
        for (const one of value.args!) {
          const found = one === undefined ? undefined : this.signature(one, arity, making, given)
          if (found !== undefined) return found
        }
        return undefined
      }
      default: {
        if (!deferred(value)) return undefined
        const inner = this.constraint(value)
        return inner === undefined ? undefined : this.signature(inner, arity, making, given)
      }
    }
  }
  /** What a type is made of, without signatures that the call at hand cannot mean. */
  private callableOf(value: Value, making: boolean, given: Given | undefined): Value | undefined {
    const type = this.resolver.typeOf(value.node)
    if (type?.tag !== V.record || !isFree(type)) return this.resolver.underlying(value)
    const every = type.args!.filter((one, i) => type.names![i]! < 0 && one !== undefined)
    if (every.length === 0) return undefined
    const kind = every.filter((one) => ((one!.node & constructs) !== 0) === making)
    const all = kind.length > 0 ? kind : every
    const fitting = given === undefined ? all : all.filter((one) => takesCount(one!, given.count))
    const left = fitting.length > 0 ? fitting : all
    if (every.length === 1 && isPlain(value))
      return this.keep(this.called, value, () => this.apply(left[0], this.envOf(value, value)))
    const env = this.envOf(value, value)
    const at = (one: Value | undefined) => this.apply(one, env)
    const first = at(left[0])
    if (left.length === 1 || first === undefined) return first
    for (let i = 0; i < left.length; i++) {
      const one = i === 0 ? first : at(left[i])
      if (one === undefined) return undefined
      if (given !== undefined && this.clashes(one.args!.slice(1), given)) continue
      // The others are looked at as they are written: certain only where they give the same.
      return left.every((other, k) => k <= i || sameHead(other!.args?.[0], left[i]!.args?.[0]))
        ? one
        : unsure(one)
    }
    return unsure(first)
  }
  private signatureOf(node: Node, value: Value, result: Value | undefined): Signature {
    const { resolver } = this
    const file = resolver.file(fileOf(node))!
    const takes = resolver.def(node, D.takes)
    const tuple = takes < 0 ? undefined : resolver.evaluate(file, takes)
    const env = value.env
    const list = tuple?.tag === V.tuple ? tuple.args! : []
    return {
      takes: env === undefined ? list : list.map((one) => this.apply(one, env)),
      result: env === undefined ? result : this.apply(result, env),
      generics: this.parametersOf(node),
      self: env === undefined ? this.selfOf(node) : this.apply(this.selfOf(node), env),
      env
    }
  }

  /** Types of the parameters of a function value, undefined when it is none. */
  takes(value: Value): ReadonlyArray<Value | undefined> | undefined {
    return this.signature(value, -1)?.takes
  }
  /** What a call with known arguments gives. `at` is the call. */
  call(file: WorldFile, view: FactsView, at: number, callee: Value, making: boolean): Value | undefined {
    const count = view.expr(at, X.c)
    const signature = this.signature(callee, count === 0 ? -1 : count - 1, making, givenAt(file, view, at))
    if (signature === undefined) return undefined
    const { result } = signature
    if (result === undefined || !isFree(result)) return callee.sure ? result : unsure(result)
    const bindings = this.infer(file, view, at, signature, callee, count - 1)
    const out = this.apply(result, { self: signature.env?.self, map: bindings })
    return callee.sure ? out : unsure(out)
  }
  /** What a call expects as the argument in a place. */
  expected(file: WorldFile, view: FactsView, at: number, callee: Value, place: number): Value | undefined {
    const count = view.expr(at, X.c)
    const all = givenAt(file, view, at)
    // Later arguments may rest on this one.
    const given = all === undefined ? undefined : { ...all, count: all.count, seen: place }
    const signature = this.signature(callee, count === 0 ? -1 : count - 1, false, given)
    if (signature === undefined || signature.takes.length === 0) return undefined
    const type = signature.takes[Math.min(place, signature.takes.length - 1)]
    if (type === undefined || !isFree(type)) return type
    const bindings = this.infer(file, view, at, signature, callee, place)
    return this.apply(type, { self: signature.env?.self, map: bindings })
  }
  /** What the type parameters stand for, from the first arguments and what the call is expected to give. */
  private infer(
    file: WorldFile,
    view: FactsView,
    at: number,
    signature: Signature,
    callee: Value,
    places: number
  ): Bindings {
    const bindings: Bindings = new Map()
    const { generics, takes } = signature
    if (callee.given !== undefined) {
      generics.forEach(([key], i) => {
        const one = callee.given![i]
        if (one !== undefined) bindings.set(key, one)
      })
      if (bindings.size === generics.length) return bindings
    }
    if (signature.self !== undefined && signature.env?.self !== undefined)
      this.unify(signature.self, signature.env.self, bindings)
    const start = view.args + view.expr(at, X.b)
    const count = view.expr(at, X.c)
    const each = (lambdas: boolean) => {
      if (takes.length === 0) return
      for (let i = 0; i < count - 1 && i < places; i++) {
        const argument = view.ints[start + 1 + i]!
        if (argument < 0 || (view.expr(argument, X.op) === Op.callable) !== lambdas) continue
        const type = takes[Math.min(i, takes.length - 1)]
        if (type !== undefined && isFree(type))
          this.unify(type, this.resolver.evaluate(file, argument), bindings)
      }
    }
    each(false)
    if (count > 0 && view.ints[start]! >= 0 && signature.result !== undefined) {
      const wanted = this.resolver.evaluate(file, view.ints[start]!)
      if (wanted !== undefined) {
        const more: Bindings = new Map()
        this.unify(signature.result, wanted, more)
        for (const [key, one] of more) if (!bindings.has(key)) bindings.set(key, one)
      }
    }
    each(true)
    for (const one of generics) {
      if (bindings.has(one[0]) || one[1] < 0) continue
      const value = this.apply(this.fallback(one), { self: undefined, map: bindings })
      if (value !== undefined) bindings.set(one[0], value)
    }
    return bindings
  }

  /** Binds what the pattern's type parameters have to be for the actual type to fit. */
  private unify(pattern: Value | undefined, actual: Value | undefined, bindings: Bindings): void {
    if (pattern === undefined || actual === undefined || pattern === actual || !isFree(pattern)) return
    if (this.depth > deepest) return
    this.depth++
    this.matches(pattern, actual, bindings)
    this.depth--
  }
  /** As {@link unify}; gives whether the heads of both fit. */
  private matches(pattern: Value, actual: Value, bindings: Bindings): boolean {
    const each = (a: ReadonlyArray<Value | undefined> | undefined, b: typeof a) => {
      if (a === undefined || b === undefined) return
      for (let i = 0; i < a.length && i < b.length; i++) this.unify(a[i], b[i], bindings)
    }
    switch (pattern.tag) {
      case V.param:
        if (actual.tag === V.param && actual.node === pattern.node) return true
        if (actual.tag !== V.external && !bindings.has(pattern.node)) bindings.set(pattern.node, actual)
        return true
      case V.union: {
        const [a, b] = pattern.args!
        const naked = (one: Value | undefined) => one?.tag === V.param
        if (a !== undefined && b !== undefined && (naked(a) || naked(b)) && !(naked(a) && naked(b))) {
          const [plain, other] = naked(a) ? [a, b] : [b, a]
          if (
            isFree(other) &&
            this.depth <= deepest &&
            this.deeper(() => this.matches(other, actual, bindings))
          )
            return true
          return this.matches(plain, actual, bindings)
        }
        let any = false
        for (const one of [a, b])
          if (
            one !== undefined &&
            this.depth <= deepest &&
            this.deeper(() => this.matches(one, actual, bindings))
          )
            any = true
        return any
      }
      case V.tuple:
        if (actual.tag === V.tuple) each(pattern.args, actual.args)
        else return false
        return true
      case V.callable: {
        const signature = this.signature(actual, pattern.args!.length - 1)
        if (signature === undefined) return false
        const local: Bindings = new Map()
        const env: Env = { self: undefined, map: bindings }
        const { takes } = signature
        for (let i = 1; i < pattern.args!.length; i++) {
          const type = takes[Math.min(i - 1, takes.length - 1)]
          if (type === undefined) continue
          let given = this.apply(pattern.args![i], env)
          if (given !== undefined && isFree(given)) {
            this.unify(pattern.args![i], type, bindings)
            given = this.apply(pattern.args![i], env)
          }
          if (given !== undefined && given.tag !== V.param) this.unify(type, given, local)
        }
        this.unify(
          pattern.args![0],
          local.size === 0 ? signature.result : this.apply(signature.result, { self: undefined, map: local }),
          bindings
        )
        return true
      }
      case V.record: {
        if (actual.tag !== V.record && actual.tag !== V.instance) return false
        pattern.args!.forEach((one, i) => {
          const name = pattern.names![i]!
          if (one === undefined || name < 0 || !isFree(one)) return
          if (name > 0) return this.unify(one, this.resolver.member(actual, name, -1).value, bindings)
          // An index signature stands for every member.
          if (actual.tag === V.record)
            actual.args!.forEach((member, k) => actual.names![k]! >= 0 && this.unify(one, member, bindings))
        })
        return true
      }
      case V.builtin: {
        if (actual.tag === V.builtin) {
          if (actual.node === pattern.node) {
            each(pattern.args, actual.args)
            return true
          }
          const [a, b] = [this.text(pattern.node), this.text(actual.node)]
          if (iterables.has(a) && (iterables.has(b) || maps.has(b))) {
            if (b === "Generator") each(pattern.args?.slice(0, 1), actual.args?.slice(0, 1))
            else if (maps.has(b))
              each(pattern.args, [{ tag: V.tuple, node: 0, args: actual.args ?? [], sure: true }])
            else each(pattern.args?.slice(0, 1), actual.args?.slice(0, 1))
            return true
          }
          return maps.has(a) && maps.has(b) ? (each(pattern.args, actual.args), true) : false
        }
        if (actual.tag === V.tuple && iterables.has(this.text(pattern.node))) {
          this.unify(pattern.args?.[0], this.element(actual), bindings)
          return true
        }
        return false
      }
      case V.instance:
      case V.type: {
        if (actual.tag === V.union) {
          let any = false
          for (const one of actual.args!)
            if (
              one !== undefined &&
              this.depth <= deepest &&
              this.deeper(() => this.matches(pattern, one, bindings))
            )
              any = true
          return any
        }
        if (deferred(actual)) {
          const inner = this.constraint(actual)
          return (
            inner !== undefined &&
            this.depth <= deepest &&
            this.deeper(() => this.matches(pattern, inner, bindings))
          )
        }
        if (actual.tag === V.instance || actual.tag === V.type) {
          const at = this.as(actual, pattern.node)
          if (at !== undefined) {
            each(this.argumentsOf(pattern), this.argumentsOf(at))
            return true
          }
          if (definitionOf(actual.node) < 0) return false
          const inner = this.resolver.underlying(actual)
          if (inner !== undefined && inner.node !== actual.node && this.depth <= deepest)
            return this.deeper(() => this.matches(pattern, inner, bindings))
        }
        return false
      }
      default:
        return false
    }
  }

  /** Whether arguments cannot be meant for parameters of these types. */
  private clashes(takes: ReadonlyArray<Value | undefined>, given: Given): boolean {
    const { file, view } = given
    return takes.some((type, i) => {
      const argument = i < given.count ? view.ints[given.start + i]! : -1
      if (type === undefined || argument < 0) return false
      const lambda = view.expr(argument, X.op) === Op.callable
      if (!lambda && i >= given.seen) return false
      return this.clash(type, lambda ? undefined : this.resolver.evaluate(file, argument), lambda)
    })
  }
  private clash(type: Value, value: Value | undefined, lambda: boolean): boolean {
    if (this.depth > deepest) return false
    switch (type.tag) {
      case V.union:
        return type.args!.every((one) => one !== undefined && this.clash(one, value, lambda))
      case V.callable:
        return (
          !lambda &&
          value !== undefined &&
          (value.tag === V.builtin ||
            value.tag === V.tuple ||
            ((value.tag === V.instance || value.tag === V.record) && this.signature(value, -1) === undefined))
        )
      case V.builtin:
        return (
          lambda ||
          (value !== undefined &&
            (value.tag === V.function ||
              value.tag === V.callable ||
              (value.tag === V.instance && primitives.has(this.text(type.node)))))
        )
      case V.record: {
        if (type.names!.some((name) => name < 0)) return false
        if (lambda) return true
        return (
          value?.tag === V.instance &&
          !type.names!.includes(0) &&
          !type.names!.some((name) => this.resolver.member(value, name, -1).nodes.length > 0)
        )
      }
      case V.instance: {
        if (lambda) return this.signature(type, -1) === undefined
        if (value === undefined) return false
        if (value.tag === V.function || value.tag === V.callable)
          return this.signature(type, -1) === undefined
        if (value.tag === V.record)
          return value.names!.some(
            (name) =>
              name > 0 &&
              this.resolver.member(type, name, -1).value === undefined &&
              this.resolver.member(type, name, -1).nodes.length === 0
          )
        if (value.tag === V.builtin) return primitives.has(this.text(value.node).replace(/^".*"$/, "string"))
        return false
      }
      default:
        return false
    }
  }

  /** Of the types of a union those that an object literal fits: its texts are those they ask for. */
  chosen(given: Value | undefined, literal: Value | undefined): Value | undefined {
    if (given === undefined || literal?.tag !== V.record) return given
    const all: Array<Value> = []
    const flat = (one: Value | undefined): void => {
      if (one === undefined || all.length > widest * 2) return
      if (one.tag === V.union && one.node === 0) one.args!.forEach(flat)
      else all.push(one)
    }
    flat(given)
    if (given.tag === V.union && given.node === 1 && this.depth <= deepest)
      return this.deeper(() =>
        unionOf(this.chosen(given.args![0], literal), this.chosen(given.args![1], literal), 1)
      )
    if (deferred(given) && given.tag !== V.self && this.depth <= deepest) {
      const inner = this.constraint(given)
      return inner === undefined ? given : this.deeper(() => this.chosen(inner, literal))
    }
    if (all.length < 2) return given
    const left = all.filter((one) =>
      literal.args!.every((text, i) => {
        const name = literal.names![i]!
        if (text?.tag !== V.builtin || name <= 0 || !this.text(text.node).startsWith('"')) return true
        const asked = this.resolver.member(one, name, -1).value
        return asked?.tag !== V.builtin || !this.text(asked.node).startsWith('"') || asked.node === text.node
      })
    )
    if (left.length === 0) return unsure(given)
    let out: Value | undefined
    for (const one of left) out = unionOf(out, one, 0)
    return left.length === 1 ? out : unsure(out)
  }

  /** What is left of a type where a test of it holds, or does not: see {@link Op.chosen}. */
  narrowed(
    given: Value | undefined,
    file: WorldFile,
    view: FactsView,
    test: number,
    holds: boolean
  ): Value | undefined {
    const op = view.expr(test, X.op)
    switch (op) {
      case Op.record: {
        const wanted = this.resolver.evaluate(file, test)
        if (given === undefined || wanted?.tag !== V.record) return given
        const texts = this.constituents(wanted.args![0]).map((one) => one.node)
        const name = wanted.names![0]!
        return this.left(given, holds, (one) => {
          const asked = this.constituents(this.resolver.member(one, name, -1).value)
          const fitting = asked.filter((text) => !this.isText(text) || texts.includes(text.node)).length
          return asked.length === 0
            ? undefined
            : fitting === 0
              ? false
              : asked.some((text) => !this.isText(text)) || fitting < asked.length
                ? undefined
                : true
        })
      }
      case Op.property: {
        if (given === undefined) return given
        const name = view.expr(test, X.b)
        return this.left(given, holds, (one) => {
          const found = this.resolver.member(one, name, -1)
          if (found.nodes.length === 0) return found.value === undefined ? false : undefined
          return found.nodes.some(
            (n) => definitionOf(n) >= 0 && (this.resolver.def(n, D.flags) & Flag.optional) !== 0
          )
            ? undefined
            : true
        })
      }
      case Op.literal: {
        if (given === undefined) return given
        const kind = this.text(view.expr(test, X.a))
        return this.left(given, holds, (one) => {
          const own = this.typeofOf(one)
          return own === undefined ? undefined : own === kind
        })
      }
      case Op.instance:
        return this.ofType(given, this.resolver.evaluate(file, test), holds)
      case Op.call: {
        const told = this.resolver.evaluate(file, test)
        const type =
          told?.tag === V.builtin && told.args?.length === 1 && this.text(told.node) === "boolean"
            ? told.args[0]
            : undefined
        return this.ofType(given, type, holds)
      }
      default:
        return given
    }
  }
  /** The types of a union. */
  private constituents(value: Value | undefined, out: Array<Value> = []): Array<Value> {
    if (value === undefined || out.length > widest * 2) return out
    if (value.tag === V.union && value.node === 0) for (const one of value.args!) this.constituents(one, out)
    else out.push(value)
    return out
  }
  private isText(value: Value): boolean {
    return value.tag === V.builtin && this.text(value.node).startsWith('"')
  }
  private typeofOf(value: Value): string | undefined {
    switch (value.tag) {
      case V.builtin: {
        const name = this.text(value.node)
        return name.startsWith('"')
          ? "string"
          : primitives.has(name) || name === "function"
            ? name
            : name === "unknown"
              ? undefined
              : "object"
      }
      case V.callable:
      case V.function:
      case V.type:
        return "function"
      case V.tuple:
        return "object"
      case V.record:
        return value.names!.some((name) => name < 0) ? "function" : "object"
      case V.instance: {
        if (definitionOf(value.node) < 0) return undefined
        const kind = this.resolver.def(value.node, D.kind)
        return kind === K.class
          ? "object"
          : kind === K.interface
            ? this.signature(value, -1) === undefined
              ? "object"
              : "function"
            : undefined
      }
      default:
        return undefined
    }
  }
  /** The types of a union of which a test says that they may be it; `undefined` where nothing tells. */
  private left(given: Value, holds: boolean, test: (one: Value) => boolean | undefined): Value {
    if (this.depth > deepest) return given
    if (given.tag === V.union && given.node === 1)
      return this.deeper(() => {
        const [a, b] = given.args!
        const now = [a, b].map((one) => (one === undefined ? one : this.left(one, holds, test)))
        return now[0] === a && now[1] === b ? given : unionOf(now[0], now[1], 1)!
      })
    if (deferred(given)) {
      const inner = this.constraint(given)
      if (inner === undefined || inner === given) return given
      const now = this.deeper(() => this.left(inner, holds, test))
      return now === inner ? given : now
    }
    if (given.tag !== V.union) return given
    const all = this.constituents(given)
    const kept = all.filter((one) => test(one) !== !holds)
    if (kept.length === all.length) return given
    let out: Value | undefined
    for (const one of kept) out = unionOf(out, one, 0)
    return out === undefined ? unsure(given)! : given.sure ? out : unsure(out)!
  }
  /** What is left of a type where it is known to be one of these, or none of them. */
  private ofType(given: Value | undefined, type: Value | undefined, holds: boolean): Value | undefined {
    if (type === undefined || type.tag === V.external || type.tag === V.builtin) return given
    const wanted = this.constituents(type)
    const is = (one: Value) =>
      wanted.some(
        (two) =>
          one === two ||
          ((one.tag === V.instance || one.tag === V.type) &&
            two.tag === V.instance &&
            definitionOf(one.node) >= 0 &&
            this.as(one, two.node) !== undefined)
      )
    if (!holds)
      return given === undefined ? given : this.left(given, false, (one) => (is(one) ? true : undefined))
    if (given === undefined || given.tag === V.external || (given.tag === V.builtin && !this.isText(given)))
      return type
    const kept = this.constituents(given).filter(is)
    let out: Value | undefined
    for (const one of kept) out = unionOf(out, one, 0)
    if (out !== undefined) return out
    // A type that is none of those given is both, unless it is a more special one.
    const special = wanted.every(
      (one) =>
        one.tag !== V.instance ||
        this.constituents(given).some((two) => two.tag === V.instance && this.as(one, two.node) !== undefined)
    )
    return special || given.tag !== V.instance ? type : unionOf(type, given, 1)
  }

  /** Whether the expression is a name that the language's library gives. */
  libraryName(view: FactsView, expression: number): number {
    return view.expr(expression, X.op) === Op.name && view.expr(expression, X.b) === Bind.free
      ? view.expr(expression, X.a)
      : 0
  }
}

/** The arguments of a call: where they are listed, how many, and how many of them may be looked at. */
interface Given {
  readonly file: WorldFile
  readonly view: FactsView
  readonly start: number
  readonly count: number
  readonly seen: number
}
const givenAt = (file: WorldFile, view: FactsView, at: number): Given | undefined => {
  const count = view.expr(at, X.c) - 1
  return count < 0 ? undefined : { file, view, start: view.args + view.expr(at, X.b) + 1, count, seen: count }
}
const primitives = new Set(["string", "number", "boolean", "bigint", "symbol"])
const noBindings: Bindings = new Map()
/** A type as it is shared by all who name it. */
const isPlain = (value: Value): boolean =>
  value.args === undefined && value.env === undefined && value.given === undefined && value.sure
const noEnv: Env = { self: undefined, map: noBindings }

/** Whether an expression is written with type parameters, `this` or what only the body around it knows. */
const writtenWith = (view: FactsView, root: number): boolean => {
  const seen = new Set<number>()
  const queue = [root]
  for (let e = queue.pop(); e !== undefined; e = queue.pop()) {
    if (e < 0 || seen.has(e)) continue
    seen.add(e)
    switch (view.expr(e, X.op)) {
      case Op.typeParameter:
      case Op.thisType:
      case Op.self:
      case Op.selfType:
      case Op.super:
      case Op.function:
        return true
      case Op.name: {
        const bind = view.expr(e, X.b)
        const definition = view.expr(e, X.c)
        if (bind === Bind.local) queue.push(definition)
        else if (bind === Bind.definition && (view.def(definition, D.flags) & Flag.local) !== 0) return true
        break
      }
      default:
        operandsOf(view, e, queue)
    }
  }
  return false
}

/** Known only once a type parameter is. */
export const deferred = (value: Value): boolean =>
  value.tag === V.param ||
  value.tag === V.self ||
  value.tag === V.access ||
  value.tag === V.conditional ||
  value.tag === V.indexed

const hasParameter = (value: Value, depth: number): boolean =>
  deferred(value) ||
  (depth < 3 &&
    (value.tag === V.tuple || value.tag === V.union) &&
    value.args!.some((one) => one !== undefined && hasParameter(one, depth + 1)))

export const paramValue = (key: number): Value => ({
  tag: V.param,
  node: key,
  args: undefined,
  sure: true,
  free: true
})

/** Bit of a signature's parameters that tells that it constructs. */
const constructs = 1 << 17
const takesCount = (value: Value, count: number): boolean =>
  value.node === 0 ? value.args!.length === 1 || count === value.args!.length - 1 : fits(value.node, count)
/** Whether a call with that many arguments fits a signature's parameters. */
const fits = (parameters: number, arity: number): boolean =>
  arity >= (parameters & 255) && (arity <= ((parameters >> 8) & 255) || (parameters & (1 << 16)) !== 0)

const sameHead = (a: Value | undefined, b: Value | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.tag === b.tag && a.node === b.node)
