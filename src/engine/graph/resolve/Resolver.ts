/**
 * Finds what the names of a file mean: lexical bindings through imports and packages, members through the types of
 * their receivers. One resolver serves one run over one world; it reads facts and changes nothing.
 */
import { D, E, type FactsView, H, I, N, R, X } from "../../languages/Facts.ts"
import type { Family as FamilyName } from "../../languages/Language.ts"
import { Bind, Flag, kindNumber, Op, Role } from "../../languages/Vocabulary.ts"
import { packTarget, type Resolved, Tier } from "../Edges.ts"
import { definitionOf, fileOf, type Node, nodeOf, type World, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import {
  builtinValue,
  external,
  type Found,
  functionValue,
  instanceOf,
  instanceValue,
  nothing,
  outside,
  typeValue,
  unionValue,
  unsure,
  V,
  type Value,
  withArgs
} from "./Value.ts"

const K = kindNumber
const typeLike = new Set([
  K.class,
  K.interface,
  K.struct,
  K.enum,
  K.trait,
  K.namespace,
  K.module,
  K.object,
  K.annotation,
  K.union,
  K.extension,
  K.message,
  K.service
])
const callable = new Set([K.function, K.method, K.constructor, K.macro, K.operator, K.test])
const depthLimit = 80
/** Stands for the number of arguments where all that is known is that there is a call. */
const anyArity = 1000
/** State of an expression: not asked yet is 0, settled is 1, in work or provisional is this plus the depth it rests on. */
const settled = 1
const inWork = 2

/** Methods of library containers and wrappers that yield their element, by position in the type arguments (-1 = last). */
const elementMethods: { readonly [name: string]: number } = {
  pop: 0,
  shift: 0,
  at: 0,
  find: 0,
  first: 0,
  last: 0,
  next: 0,
  peek: 0,
  unwrap: 0,
  expect: 0,
  unwrap_or: 0,
  unwrap_or_default: 0,
  unwrap_or_else: 0,
  get: -1,
  get_mut: -1,
  getOrDefault: -1,
  remove: -1,
  orElse: 0,
  orElseThrow: 0,
  get_or_insert_with: 0,
  findFirst: 0,
  lock: 0,
  borrow: 0,
  borrow_mut: 0,
  read: 0,
  write: 0,
  as_ref: 0,
  as_mut: 0,
  cloned: 0,
  entry: -1,
  or_default: -1,
  or_insert_with: -1,
  or_insert: -1
}
/** Methods that keep the container and its element type. */
const sameMethods = new Set([
  "filter",
  "slice",
  "reverse",
  "sort",
  "concat",
  "iter",
  "iter_mut",
  "into_iter",
  "values",
  "clone",
  "to_vec",
  "skip",
  "take",
  "rev",
  "stream",
  "toList",
  "toArray",
  "copy",
  "as_slice",
  "as_deref",
  "as_deref_mut",
  "map_err",
  "ok_or",
  "ok_or_else",
  "ok",
  "context",
  "with_context",
  "collect",
  "await",
  "then",
  "catch",
  "finally",
  "sorted",
  "limit",
  "distinct",
  "await_",
  "borrow",
  "into_inner",
  "to_owned",
  "as_mut",
  "as_ref"
])

const elementCallbacks = [
  "forEach",
  "map",
  "filter",
  "find",
  "findIndex",
  "findLast",
  "some",
  "every",
  "flatMap",
  "sort",
  "toSorted",
  "for_each",
  "filter_map",
  "flat_map",
  "any",
  "all",
  "position",
  "take_while",
  "skip_while",
  "map_while",
  "retain",
  "sort_by",
  "sort_by_key",
  "min_by",
  "max_by",
  "min_by_key",
  "max_by_key",
  "partition",
  "inspect",
  "and_then",
  "map_or",
  "map_or_else",
  "is_some_and",
  "is_ok_and",
  "then",
  "unwrap_or_else",
  "anyMatch",
  "allMatch",
  "noneMatch",
  "ifPresent",
  "each",
  "select"
]

export class Resolver {
  private readonly families = new Map<FamilyName, Family>()
  private readonly memos: Array<Array<Value | undefined> | undefined> = []
  private readonly memoDone: Array<Uint8Array | undefined> = []
  private readonly types = new Map<Node, { readonly value: Value | undefined; readonly low: number }>()
  private readonly scopes: Array<Map<number, ReadonlyArray<number>> | undefined> = []
  private readonly own = new Map<Node, Map<number, Array<Node>>>()
  private readonly extra = new Map<Node, Map<number, Array<Node>>>()
  /** Members declared for types from outside, by the type's name. */
  private readonly foreign = new Map<number, Map<number, Array<Node>>>()
  private readonly superTypes = new Map<Node, ReadonlyArray<Node>>()
  private readonly extraSupers = new Map<Node, Array<Node>>()
  /** Member definitions by name: one node, or -1 when several types have it. */
  private uniqueMembers = new Map<number, Node>()
  private readonly inheritIndex: Array<Map<number, ReadonlyArray<number>> | undefined> = []
  private readonly elementNames = new Map<number, number>()
  private readonly sameNames = new Set<number>()
  /** Methods of library containers that give their elements to a function, and as which parameter (-1 = any). */
  private readonly callbackNames = new Map<number, number>()
  private readonly optionNames = new Set<number>()
  private readonly constructorName: number
  private readonly callName: number
  private readonly importTargets: Array<Array<Found> | undefined> = []
  private depth = 0

  constructor(
    readonly world: World,
    families: (resolver: Resolver) => ReadonlyMap<FamilyName, Family>
  ) {
    for (const [name, position] of Object.entries(elementMethods))
      this.elementNames.set(world.names.string(name), position)
    for (const name of sameMethods) this.sameNames.add(world.names.string(name))
    for (const name of elementCallbacks)
      this.callbackNames.set(
        world.names.string(name),
        name.startsWith("sort") || name.startsWith("min_by") || name.startsWith("max_by") ? -1 : 0
      )
    for (const name of ["reduce", "reduceRight", "fold"]) this.callbackNames.set(world.names.string(name), 1)
    for (const name of [
      "map",
      "and_then",
      "map_or",
      "map_or_else",
      "is_some_and",
      "inspect",
      "filter",
      "ifPresent",
      "let",
      "also",
      "apply",
      "run"
    ])
      this.optionNames.add(world.names.string(name))
    this.constructorName = world.names.string("constructor")
    this.callName = world.names.string("(call)")
    this.families = new Map(families(this))
    this.link()
  }

  family(file: WorldFile): Family | undefined {
    return this.families.get(file.language.family)
  }

  // ---- definitions ------------------------------------------------------------------------------

  file(id: number): WorldFile | undefined {
    return this.world.files[id]
  }
  /** Field of the definition behind a node. */
  def(node: Node, field: number): number {
    return this.world.files[fileOf(node)]!.view.def(definitionOf(node), field)
  }

  /** File-level definitions by name. */
  fileScope(file: WorldFile): Map<number, ReadonlyArray<number>> {
    let scope = this.scopes[file.id] as Map<number, Array<number>> | undefined
    if (scope === undefined) {
      scope = new Map()
      const { view } = file
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        if (view.def(i, D.parent) !== -1 || view.def(i, D.owner) >= 0) continue
        const kind = view.def(i, D.kind)
        if (kind === K.test || (view.def(i, D.flags) & Flag.local) !== 0) continue
        add(scope, view.def(i, D.name), i)
      }
      this.scopes[file.id] = scope
    }
    return scope
  }

  /** Members declared inside a type, plus those declared elsewhere with the type as owner. */
  private ownMembers(type: Node): Map<number, Array<Node>> {
    let members = this.own.get(type)
    if (members === undefined) {
      members = new Map()
      const file = fileOf(type)
      const { view } = this.world.files[file]!
      const parent = definitionOf(type)
      const endLine = view.def(parent, D.endLine)
      for (let i = parent + 1, n = view.definitionCount; i < n; i++) {
        if (view.def(i, D.parent) === parent && view.def(i, D.owner) < 0)
          add(members, view.def(i, D.name), nodeOf(file, i))
        else if (view.def(i, D.parent) < parent && view.def(i, D.startLine) > endLine) break
      }
      this.own.set(type, members)
    }
    return members
  }

  /** The super types of a type, nearest first. */
  supers(type: Node): ReadonlyArray<Node> {
    let out = this.superTypes.get(type)
    if (out === undefined) {
      this.superTypes.set(type, [])
      const file = this.world.files[fileOf(type)]!
      const found: Array<Node> = []
      for (const i of this.inheritsOf(file).get(definitionOf(type)) ?? []) {
        for (const node of this.typeNodes(this.evaluate(file, file.view.inherit(i, N.superType))))
          if (node !== type) found.push(node)
      }
      if (
        file.view.def(definitionOf(type), D.kind) === K.enum_member &&
        file.view.def(definitionOf(type), D.parent) >= 0
      ) {
        found.push(nodeOf(file.id, file.view.def(definitionOf(type), D.parent)))
      }
      for (const node of this.extraSupers.get(type) ?? []) if (!found.includes(node)) found.push(node)
      this.superTypes.set(type, (out = found))
    }
    return out
  }
  private inheritsOf(file: WorldFile): Map<number, ReadonlyArray<number>> {
    let index = this.inheritIndex[file.id] as Map<number, Array<number>> | undefined
    if (index === undefined) {
      index = new Map()
      for (let i = 0; i < file.view.inheritCount; i++) add(index, file.view.inherit(i, N.subject), i)
      this.inheritIndex[file.id] = index
    }
    return index
  }

  /** The definitions a value has as type: for a union those of both sides. */
  typeNodes(value: Value | undefined): ReadonlyArray<Node> {
    if (value === undefined) return []
    if (value.tag === V.union) return [...this.typeNodes(value.args![0]), ...this.typeNodes(value.args![1])]
    return (value.tag === V.type || value.tag === V.instance || value.tag === V.function) &&
      definitionOf(value.node) >= 0
      ? [value.node]
      : []
  }

  /** A member by name: of the type itself, then of its super types, breadth first. */
  classMember(type: Node, name: number): ReadonlyArray<Node> {
    const direct = this.direct(type, name)
    if (direct !== undefined) return direct
    const seen = new Set([type])
    let level = this.supers(type)
    for (let hops = 0; level.length > 0 && hops < 32; hops++) {
      const next: Array<Node> = []
      for (const node of level) {
        if (seen.has(node)) continue
        seen.add(node)
        const found = this.direct(node, name)
        if (found !== undefined) return found
        next.push(...this.supers(node))
      }
      level = next
    }
    return []
  }
  private direct(type: Node, name: number): ReadonlyArray<Node> | undefined {
    const own = this.ownMembers(type).get(name)
    const more = this.extra.get(type)?.get(name)
    return own === undefined ? more : more === undefined ? own : [...own, ...more]
  }

  /** Whether some super type lies outside the indexed files or could not be found, so that a missing member proves nothing. */
  private open(type: Node): boolean {
    const seen = new Set<Node>()
    const visit = (node: Node): boolean => {
      if (seen.has(node)) return false
      seen.add(node)
      const file = this.world.files[fileOf(node)]!
      for (const i of this.inheritsOf(file).get(definitionOf(node)) ?? []) {
        if (this.typeNodes(this.evaluate(file, file.view.inherit(i, N.superType))).length === 0) return true
      }
      return this.supers(node).some(visit)
    }
    return visit(type)
  }

  // ---- values -----------------------------------------------------------------------------------

  /** The value of a definition used as a name. */
  valueOf(node: Node): Value | undefined {
    const index = definitionOf(node)
    const file = this.world.files[fileOf(node)]!
    const { view } = file
    const kind = view.def(index, D.kind)
    if (typeLike.has(kind)) return typeValue(node)
    if (callable.has(kind)) {
      return (view.def(index, D.flags) & Flag.getter) !== 0 ? this.typeOf(node) : functionValue(node)
    }
    if (kind === K.enum_member) {
      const parent = view.def(index, D.parent)
      if (parent < 0) return undefined
      // A variant with fields of its own is asked first; its enum is its super type.
      return instanceValue(this.ownMembers(node).size > 0 ? node : nodeOf(file.id, parent))
    }
    if (kind === K.type_alias) {
      // A Go type definition is a type of its own, with methods of its own.
      if (file.language.family === "go") return typeValue(node)
      const target = this.typeOf(node)
      return target === undefined || target.tag === V.external
        ? typeValue(node)
        : target.tag === V.instance
          ? { ...target, tag: V.type }
          : target
    }
    const type = this.typeOf(node)
    if (type !== undefined && !(type.tag === V.builtin && this.ownMembers(node).size > 0)) return type
    return this.ownMembers(node).size > 0 || this.extra.has(node) ? typeValue(node) : undefined
  }

  /** The declared or inferred type of a variable, result of a function, target of an alias. */
  typeOf(node: Node): Value | undefined {
    const known = this.types.get(node)
    if (known !== undefined) {
      this.low = Math.min(this.low, known.low)
      return known.value
    }
    const depth = this.depth
    const outer = this.enter()
    this.types.set(node, { value: undefined, low: depth })
    const file = this.world.files[fileOf(node)]!
    const expression = file.view.def(definitionOf(node), D.type)
    this.depth++
    let value = expression < 0 ? undefined : this.evaluate(file, expression)
    this.depth--
    if (
      value !== undefined &&
      value.sure &&
      callable.has(file.view.def(definitionOf(node), D.kind)) &&
      file.view.expr(expression, X.op) !== Op.instance
    ) {
      value = unsure(value)
    }
    if (this.leave(outer, depth)) this.types.set(node, { value, low: Infinity })
    else {
      this.types.set(node, { value, low: this.low })
      this.provisional.push(-1, node)
    }
    return value
  }

  // A value met again while it is being worked out is not known yet. What was worked out on the way holds only for
  // whoever asked first, so it is kept until that one is done and worked out anew for others: answers must not depend
  // on the order of questions.

  /** Depth of the outermost value in work that what is at hand depends on. */
  private low = Infinity
  /** Values to forget once the value they depend on is done: pairs of file and expression, or -1 and node. */
  private readonly provisional: Array<number> = []

  private enter(): number {
    const outer = this.low
    this.low = Infinity
    this.marks.push(this.provisional.length)
    return outer
  }
  private readonly marks: Array<number> = []
  /** True when the value at this depth depends on nothing that is still in work. */
  private leave(outer: number, depth: number): boolean {
    const mark = this.marks.pop()!
    const final = this.low >= depth
    if (final) {
      for (let i = mark; i < this.provisional.length; i += 2) {
        const file = this.provisional[i]!
        if (file < 0) this.types.delete(this.provisional[i + 1]!)
        else this.memoDone[file]![this.provisional[i + 1]!] = 0
      }
      this.provisional.length = mark
      this.low = outer
    } else this.low = Math.min(outer, this.low)
    return final
  }

  /** What an expression of a file stands for. */
  evaluate(file: WorldFile, expression: number): Value | undefined {
    if (expression < 0) return undefined
    if (this.depth > depthLimit) {
      // Cut short: whatever rests on this holds for the first question only.
      this.low = 0
      return undefined
    }
    let memo = this.memos[file.id]
    let done = this.memoDone[file.id]
    if (memo === undefined || done === undefined) {
      memo = this.memos[file.id] = []
      done = this.memoDone[file.id] = new Uint8Array(file.view.ints[file.view.at + H.expressions]!)
    }
    const state = done[expression]!
    if (state === settled) return memo[expression]
    if (state !== 0) {
      this.low = Math.min(this.low, state - inWork)
      return memo[expression]
    }
    const depth = this.depth
    const outer = this.enter()
    done[expression] = inWork + depth
    memo[expression] = undefined
    this.depth++
    const value = this.compute(file, file.view, expression)
    this.depth--
    if (this.leave(outer, depth)) done[expression] = settled
    else {
      done[expression] = inWork + this.low
      this.provisional.push(file.id, expression)
    }
    memo[expression] = value
    return value
  }

  private compute(file: WorldFile, view: FactsView, expression: number): Value | undefined {
    const a = view.expr(expression, X.a)
    switch (view.expr(expression, X.op)) {
      case Op.name: {
        const value = view.expr(expression, X.c)
        switch (view.expr(expression, X.b)) {
          case Bind.definition:
            return this.valueOf(nodeOf(file.id, value))
          case Bind.import:
            return this.imported(file, value).value
          case Bind.local:
            return this.evaluate(file, value)
          default:
            return this.freeName(file, a, -1, -1).value
        }
      }
      case Op.member: {
        const receiver = this.evaluate(file, a)
        const found = this.memberOf(file, a, receiver, view.expr(expression, X.b), -1)
        return receiver === undefined || receiver.sure ? found.value : unsure(found.value)
      }
      case Op.call:
        return this.result(file, view, a)
      case Op.new: {
        const made = this.evaluate(file, a)
        return made?.tag === V.module
          ? instanceOf(this.family(file)?.moduleItself?.(made.node).value)
          : instanceOf(made)
      }
      case Op.instance: {
        if (file.language.family === "ecmascript") {
          const nodes = this.named(file, a)
          const types = nodes.length > 1 ? this.inSpace(nodes, Role.type) : nodes
          if (types.length > 0 && types.length < nodes.length) return instanceOf(this.found(types).value)
        }
        return instanceOf(this.evaluate(file, a))
      }
      case Op.self:
        return instanceValue(nodeOf(file.id, a))
      case Op.selfType:
        return typeValue(nodeOf(file.id, a))
      case Op.selfOf:
        return instanceOf(this.evaluate(file, a))
      case Op.super: {
        let out: Value | undefined
        for (const node of this.supers(nodeOf(file.id, a))) out = unionValue(out, instanceValue(node))
        return out
      }
      case Op.element: {
        const whole = this.evaluate(file, a)
        if (whole === undefined) return undefined
        const args = whole.args ?? this.underlying(whole)?.args
        if (whole.tag === V.tuple || whole.tag === V.union) return undefined
        return args === undefined
          ? whole.tag === V.external || whole.tag === V.builtin
            ? external
            : undefined
          : args[args.length - 1]
      }
      case Op.generic: {
        const base = this.evaluate(file, a) ?? (view.expr(a, X.op) === Op.literal ? undefined : external)
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = []
        for (let i = 0; i < view.expr(expression, X.c); i++)
          args.push(instanceOf(this.evaluate(file, view.ints[start + i]!)))
        return base === undefined ? undefined : withArgs(base, args)
      }
      case Op.unwrap: {
        const whole = this.evaluate(file, a)
        return whole?.args !== undefined &&
          whole.tag !== V.union &&
          whole.tag !== V.tuple &&
          whole.tag !== V.instance
          ? whole.args[0]
          : whole
      }
      case Op.literal:
        return builtinValue(a)
      case Op.union:
        return unionValue(this.evaluate(file, a), this.evaluate(file, view.expr(expression, X.b)))
      case Op.tuple: {
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = []
        for (let i = 0; i < view.expr(expression, X.c); i++)
          args.push(this.evaluate(file, view.ints[start + i]!))
        return { tag: V.tuple, node: 0, args, sure: true }
      }
      case Op.slot: {
        const slot = view.expr(expression, X.b)
        // An entry of a map is its key and its value.
        if (view.expr(a, X.op) === Op.element) {
          const container = this.evaluate(file, view.expr(a, X.a))
          const args =
            container === undefined || container.tag === V.tuple || container.tag === V.union
              ? undefined
              : (container.args ?? this.underlying(container)?.args)
          if (args?.length === 2 && container!.tag !== V.callable) return args[slot]
        }
        const whole = this.evaluate(file, a)
        return whole?.tag === V.tuple
          ? whole.args![slot]
          : slot === 0
            ? whole
            : whole?.tag === V.external
              ? external
              : undefined
      }
      case Op.function:
        return functionValue(nodeOf(file.id, a))
      case Op.callable: {
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = [this.evaluate(file, a)]
        for (let i = 0; i < view.expr(expression, X.c); i++)
          args.push(this.evaluate(file, view.ints[start + i]!))
        return { tag: V.callable, node: 0, args, sure: true }
      }
      case Op.argument:
        return this.expected(
          this.evaluate(file, a),
          view.expr(expression, X.b) - this.selfArgument(file, view, a)
        )
      case Op.parameter:
        return this.given(file, view, a, view.expr(expression, X.b))
      default:
        return undefined
    }
  }

  /** The parameter types of a function value: its definition's, or those of its function type. */
  private parameterTypes(value: Value | undefined): ReadonlyArray<Value | undefined> | undefined {
    if (value === undefined) return undefined
    if (value.tag === V.callable) return value.args!.slice(1)
    if (value.tag === V.union)
      return this.parameterTypes(value.args![0]) ?? this.parameterTypes(value.args![1])
    if (
      (value.tag === V.function || value.tag === V.type || value.tag === V.instance) &&
      definitionOf(value.node) >= 0
    ) {
      let node = value.node
      if (value.tag === V.type && typeLike.has(this.def(node, D.kind))) {
        const made = this.classMember(node, this.constructorName).find((n) => this.def(n, D.takes) >= 0)
        if (made === undefined) return undefined
        node = made
      }
      const file = this.world.files[fileOf(node)]!
      const takes = this.def(node, D.takes)
      if (takes >= 0) {
        const all = this.evaluate(file, takes)
        return all?.tag === V.tuple ? all.args : undefined
      }
      const inner = this.underlying({ ...value, tag: V.instance })
      if (inner !== undefined && inner.node !== value.node) return this.parameterTypes(inner)
      if (inner?.tag === V.callable) return this.parameterTypes(inner)
      const call = this.classMember(node, this.callName).find((n) => this.def(n, D.takes) >= 0)
      return call === undefined ? undefined : this.parameterTypes(functionValue(call))
    }
    return undefined
  }
  /** In Rust a method called through its type takes its receiver as the first argument. */
  private selfArgument(file: WorldFile, view: FactsView, callee: number): number {
    if (file.language.family !== "rust" || view.expr(callee, X.op) !== Op.member) return 0
    if (this.evaluate(file, view.expr(callee, X.a))?.tag !== V.type) return 0
    const method = this.evaluate(file, callee)
    return method?.tag === V.function &&
      definitionOf(method.node) >= 0 &&
      (this.def(method.node, D.flags) & Flag.static) === 0
      ? 1
      : 0
  }
  private expected(callee: Value | undefined, place: number): Value | undefined {
    const types = this.parameterTypes(callee)
    return types === undefined || types.length === 0 || place < 0
      ? undefined
      : types[Math.min(place, types.length - 1)]
  }
  /** What a function in the place of a function type is given; library containers give their elements. */
  private given(file: WorldFile, view: FactsView, expression: number, place: number): Value | undefined {
    if (view.expr(expression, X.op) === Op.argument) {
      const callee = view.expr(expression, X.a)
      if (view.expr(callee, X.op) === Op.member) {
        const receiver = this.evaluate(file, view.expr(callee, X.a))
        const element = this.elementGiven(receiver, view.expr(callee, X.b), place)
        if (element !== undefined) return element
      }
    }
    const types = this.parameterTypes(this.evaluate(file, expression))
    return types === undefined ? undefined : types[Math.min(place, types.length - 1)]
  }
  private elementGiven(receiver: Value | undefined, method: number, place: number): Value | undefined {
    const at = this.callbackNames.get(method)
    if (at === undefined || receiver === undefined || !(at === place || at === -1)) return undefined
    const whole = receiver.args === undefined ? this.underlying(receiver) : receiver
    // What an option holds was taken for the option itself: its methods give what it holds.
    if (
      whole?.args === undefined &&
      receiver.tag === V.instance &&
      this.optionNames.has(method) &&
      this.classMember(receiver.node, method).length === 0
    )
      return unsure(receiver)
    if (
      whole?.args === undefined ||
      (whole.tag !== V.builtin && whole.tag !== V.external && whole.tag !== V.instance)
    )
      return undefined
    if (whole.tag === V.instance && this.classMember(whole.node, method).length > 0) return undefined
    return unsure(whole.args[whole.args.length - 1])
  }

  /** What a named type is made of, where it is defined by another (`type Users []User`). */
  private underlying(value: Value): Value | undefined {
    if ((value.tag !== V.instance && value.tag !== V.type) || definitionOf(value.node) < 0) return undefined
    const type = this.typeOf(value.node)
    return type === value ? undefined : type
  }

  private result(file: WorldFile, view: FactsView, callee: number): Value | undefined {
    let target = this.evaluate(file, callee)
    if (view.expr(callee, X.op) === Op.member) {
      const name = view.expr(callee, X.b)
      const receiver = this.evaluate(file, view.expr(callee, X.a))
      // Under a name that a field and a method share, a call means the method.
      if (receiver !== undefined && target?.tag !== V.function) {
        const method = this.memberOf(file, view.expr(callee, X.a), receiver, name, anyArity)
        if (method.nodes.length > 0 && method.value?.tag === V.function) target = method.value
      }
      if (receiver?.args !== undefined && (target === undefined || target.tag === V.external)) {
        const position = this.elementNames.get(name)
        if (position !== undefined)
          return unsure(receiver.args[position < 0 ? receiver.args.length - 1 : position])
        if (this.sameNames.has(name)) return unsure(receiver)
      }
      if (
        receiver !== undefined &&
        (receiver.tag === V.external || receiver.tag === V.builtin) &&
        target === undefined
      )
        return external
      // clone() and the like on a type that does not define them
      if (receiver?.tag === V.instance && target === undefined && this.sameNames.has(name))
        return unsure(receiver)
    }
    if (target === undefined) return undefined
    switch (target.tag) {
      case V.function: {
        const value = this.typeOf(target.node)
        return target.sure ? value : unsure(value)
      }
      case V.callable:
        return target.args![0]
      case V.instance: {
        const inner = this.underlying(target)
        return inner?.tag === V.callable ? inner.args![0] : undefined
      }
      case V.type:
        return instanceOf(target)
      case V.module:
        return undefined
      case V.external:
      case V.builtin:
        return external
      case V.union: {
        const one = target.args!.find((_) => _?.tag === V.function)
        return one === undefined ? undefined : unsure(this.typeOf(one.node))
      }
      default:
        return undefined
    }
  }

  /** What an import means. */
  imported(file: WorldFile, index: number): Found {
    let known = this.importTargets[file.id]
    if (known === undefined) this.importTargets[file.id] = known = []
    let target = known[index]
    if (target === undefined) {
      // Imports that lead back here lead nowhere.
      known[index] = nothing
      known[index] = target = this.family(file)?.importTarget(file, index) ?? nothing
    }
    return target
  }

  /** Definitions found, with the value they have together. */
  found(nodes: ReadonlyArray<Node>): Found {
    if (nodes.length === 0) return nothing
    let value: Value | undefined
    for (const node of nodes) {
      value =
        definitionOf(node) < 0
          ? { tag: V.module, node: fileOf(node), args: undefined, sure: true }
          : this.valueOf(node)
      if (value !== undefined) break
    }
    return { nodes, value }
  }

  /** What a name means that nothing in the file binds. */
  freeName(file: WorldFile, name: number, within: number, arity: number): Found {
    if (file.language.implicitThis === true) {
      for (let at = within; at >= 0; at = file.view.def(at, D.parent)) {
        let type: Node | undefined
        const owner = file.view.def(at, D.owner)
        if (typeLike.has(file.view.def(at, D.kind))) type = nodeOf(file.id, at)
        else if (owner >= 0) type = this.typeNodes(this.evaluate(file, owner))[0]
        if (type === undefined) continue
        const members = this.classMember(type, name)
        if (members.length > 0) return this.found(members)
      }
    }
    return this.family(file)?.free(file, name, within, arity) ?? nothing
  }

  /** A member of what an expression stands for; a name may also mean a namespace declared under it. */
  private memberOf(
    file: WorldFile,
    receiver: number,
    value: Value | undefined,
    name: number,
    arity: number
  ): Found {
    const found = value === undefined ? nothing : this.member(value, name, arity)
    if (found.nodes.length > 0) return found
    if (file.language.family === "rust" && value?.tag === V.external)
      return this.foreignMember(file.view, receiver, name, found)
    if (file.language.family !== "ecmascript") return found
    for (const node of this.named(file, receiver)) {
      for (const other of this.merged(node)) {
        const nodes = this.classMember(other, name)
        if (nodes.length > 0) return this.found(nodes)
      }
    }
    return found
  }
  /** A member that an impl gives to a type from outside, known by the name the type is written with. */
  private foreignMember(view: FactsView, receiver: number, name: number, otherwise: Found): Found {
    let at = receiver
    if (view.expr(at, X.op) === Op.instance) at = view.expr(at, X.a)
    const op = view.expr(at, X.op)
    const type = op === Op.member ? view.expr(at, X.b) : op === Op.name ? view.expr(at, X.a) : -1
    const nodes = this.foreign.get(type)?.get(name)
    return nodes === undefined ? otherwise : this.found(nodes)
  }
  /** The definitions a name or member expression means. */
  private named(file: WorldFile, expression: number): ReadonlyArray<Node> {
    const { view } = file
    const op = view.expr(expression, X.op)
    if (op === Op.member) {
      const receiver = this.evaluate(file, view.expr(expression, X.a))
      return this.memberOf(file, view.expr(expression, X.a), receiver, view.expr(expression, X.b), -1).nodes
    }
    if (op !== Op.name) return []
    const value = view.expr(expression, X.c)
    switch (view.expr(expression, X.b)) {
      case Bind.definition:
        return [nodeOf(file.id, value)]
      case Bind.import:
        return this.imported(file, value).nodes
      case Bind.free:
        return this.freeName(file, view.expr(expression, X.a), -1, -1).nodes
      default:
        return []
    }
  }
  /** Other definitions that are one symbol with this one in TypeScript: same name, same place. */
  private merged(node: Node): ReadonlyArray<Node> {
    const index = definitionOf(node)
    if (index < 0) return []
    const file = this.world.files[fileOf(node)]!
    const parent = file.view.def(index, D.parent)
    const name = file.view.def(index, D.name)
    const all =
      parent < 0
        ? (this.fileScope(file).get(name) ?? []).map((i) => nodeOf(file.id, i))
        : (this.ownMembers(nodeOf(file.id, parent)).get(name) ?? [])
    return all.filter((n) => n !== node)
  }
  /** Of definitions of one name, those a use in this role can mean: types and values live side by side in TypeScript. */
  private inSpace(nodes: ReadonlyArray<Node>, role: number): ReadonlyArray<Node> {
    if (nodes.length < 2 || this.world.files[fileOf(nodes[0]!)]?.language.family !== "ecmascript")
      return nodes
    const type = (role >= Role.type && role <= Role.generic_arg) || role === Role.implements
    if (role === Role.import || role === Role.export) return nodes
    const kept = nodes.filter((n) => {
      if (definitionOf(n) < 0) return true
      const kind = this.def(n, D.kind)
      if (kind === K.class || kind === K.enum) return true
      const typeOnly = kind === K.interface || kind === K.type_alias
      return kind === K.namespace ? false : type === typeOnly
    })
    return kept.length > 0 ? kept : nodes
  }

  /** A member of a value by name. */
  member(value: Value, name: number, arity: number): Found {
    switch (value.tag) {
      case V.type:
      case V.instance:
      case V.function: {
        if (definitionOf(value.node) < 0) {
          const module = this.world.files[fileOf(value.node)]!
          return this.family(module)?.moduleMember(module.id, name) ?? nothing
        }
        const nodes = this.classMember(value.node, name)
        if (nodes.length > 0) return this.found(this.narrow(nodes, arity))
        const inner = this.underlying(value)
        // Types may be defined by each other in a circle.
        if (
          inner !== undefined &&
          inner.tag !== V.function &&
          inner.node !== value.node &&
          this.depth < depthLimit
        ) {
          this.depth++
          const more = this.member(inner, name, arity)
          this.depth--
          if (more.nodes.length > 0 || more.value !== undefined) return more
        }
        // A package or module entered through a definition (Rust `mod`, namespaces merged over files).
        const file = this.world.files[fileOf(value.node)]!
        const nested = this.family(file)?.packageMember?.(-value.node, name)
        if (nested !== undefined && nested.nodes.length > 0) return nested
        return this.open(value.node) || this.family(file)?.impliedMember?.(name) === true ? outside : nothing
      }
      case V.module: {
        const file = this.world.files[value.node]
        if (file === undefined) return nothing
        return this.family(file)?.moduleMember(file.id, name) ?? nothing
      }
      case V.package: {
        for (const family of this.families.values()) {
          const found = family.packageMember?.(value.node, name)
          if (found !== undefined && (found.nodes.length > 0 || found.value !== undefined)) return found
        }
        return nothing
      }
      case V.union: {
        const a = value.args![0] === undefined ? nothing : this.member(value.args![0], name, arity)
        const b = value.args![1] === undefined ? nothing : this.member(value.args![1], name, arity)
        const nodes = [...a.nodes, ...b.nodes.filter((n) => !a.nodes.includes(n))]
        return { nodes, value: unionValue(a.value, b.value) }
      }
      case V.external:
      case V.builtin: {
        // Smart pointers and the like pass through to what they hold.
        const held = value.args?.length === 1 || value.args?.length === 2 ? value.args[0] : undefined
        if (
          held !== undefined &&
          held.tag === V.instance &&
          this.world.files[fileOf(held.node)]?.language.family === "rust"
        ) {
          const through = this.member(held, name, arity)
          if (through.nodes.length > 0) return { nodes: through.nodes, value: unsure(through.value) }
        }
        return outside
      }
      default:
        return nothing
    }
  }

  /** Of several definitions of one name: without forward declarations where there is a body, and those the call fits. */
  narrow(nodes: ReadonlyArray<Node>, arity: number): ReadonlyArray<Node> {
    if (nodes.length < 2) return nodes
    let out = nodes
    // A call means the method, a read the field, where a type has both under one name.
    const methods = out.filter((n) => definitionOf(n) >= 0 && callable.has(this.def(n, D.kind)))
    if (methods.length > 0 && methods.length < out.length) {
      const others = out.filter((n) => !methods.includes(n))
      if (
        others.every(
          (n) =>
            definitionOf(n) >= 0 && (this.def(n, D.kind) === K.field || this.def(n, D.kind) === K.property)
        )
      )
        out = arity >= 0 ? methods : others
    }
    const bodied = out.filter((n) => definitionOf(n) < 0 || (this.def(n, D.flags) & Flag.declaration) === 0)
    if (bodied.length > 0 && bodied.length < out.length) out = bodied
    if (out.length > 1 && arity >= 0) {
      const fitting = out.filter((n) => {
        const p = definitionOf(n) < 0 ? -1 : this.def(n, D.parameters)
        return p < 0 || (arity >= (p & 255) && (arity <= ((p >> 8) & 255) || (p & (1 << 16)) !== 0))
      })
      if (fitting.length > 0) out = fitting
    }
    return out
  }

  // ---- whole world ------------------------------------------------------------------------------

  /** Attaches members and super types that are declared away from their type, and counts member names. */
  private link(): void {
    const count = new Map<number, Node>()
    for (const file of this.world.files) {
      if (file === undefined) continue
      const { view } = file
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        const parent = view.def(i, D.parent)
        const owner = view.def(i, D.owner)
        const kind = view.def(i, D.kind)
        const member =
          owner >= 0 ||
          (parent >= 0 &&
            (typeLike.has(view.def(parent, D.kind)) ||
              kind === K.method ||
              kind === K.property ||
              kind === K.field))
        if (!member || kind === K.key) continue
        const name = view.def(i, D.name)
        count.set(name, count.has(name) ? -1 : nodeOf(file.id, i))
        if (owner < 0) continue
        if (file.language.family === "rust" && this.evaluate(file, owner)?.tag === V.external) {
          const container = view.def(i, D.container)
          let members = this.foreign.get(container)
          if (members === undefined) this.foreign.set(container, (members = new Map()))
          add(members, name, nodeOf(file.id, i))
          continue
        }
        for (const type of this.typeNodes(this.evaluate(file, owner))) {
          let members = this.extra.get(type)
          if (members === undefined) this.extra.set(type, (members = new Map()))
          add(members, name, nodeOf(file.id, i))
        }
      }
      for (let i = 0; i < view.inheritCount; i++) {
        if (view.inherit(i, N.subject) >= 0) continue
        for (const type of this.typeNodes(this.evaluate(file, view.inherit(i, N.subjectType)))) {
          for (const node of this.typeNodes(this.evaluate(file, view.inherit(i, N.superType)))) {
            if (node !== type) add(this.extraSupers, type, node)
          }
        }
      }
    }
    this.uniqueMembers = count
    // Types evaluated while members were still missing may have looked too early.
    this.memos.length = 0
    this.memoDone.length = 0
    this.types.clear()
    this.superTypes.clear()
    this.importTargets.length = 0
  }

  /** The edges of one file. */
  resolve(file: WorldFile): Resolved {
    const edges = new Numbers()
    const { view } = file
    const family = this.family(file)
    const importCount = view.importCount
    const outside = new Int32Array((view.referenceCount + 31) >> 5)
    const leaves = (i: number) => {
      outside[i >> 5]! |= 1 << (i & 31)
    }
    for (let i = 0, n = view.referenceCount; i < n; i++) {
      const bind = view.ref(i, R.bind)
      const value = bind >> 3
      const arity = view.ref(i, R.arity) - 1
      switch (bind & 7) {
        case Bind.definition: {
          const role = (view.ref(i, R.place) >> 16) & 15
          // A namespace is no type: a type's name next to one means the type.
          if (
            view.def(value, D.kind) === K.namespace &&
            role >= Role.type &&
            role <= Role.implements &&
            role !== Role.import
          ) {
            const types = this.inSpace(
              [nodeOf(file.id, value), ...this.merged(nodeOf(file.id, value))],
              Role.type
            )
            for (const node of types)
              edges.push(i, fileOf(node), packTarget(definitionOf(node), Tier.resolved))
            break
          }
          const same = this.overloads(file, value)
          if (same === undefined) edges.push(i, file.id, packTarget(value, Tier.resolved))
          else
            for (const node of this.narrow(same, arity))
              edges.push(i, file.id, packTarget(definitionOf(node), Tier.resolved))
          break
        }
        case Bind.import: {
          const found = this.imported(file, value)
          // A package has no node; what is taken from it has.
          if (found.nodes.length === 0 && found.value !== undefined) leaves(i)
          const role = (view.ref(i, R.place) >> 16) & 15
          for (const node of this.narrow(this.inSpace(found.nodes, role), arity))
            edges.push(i, fileOf(node), packTarget(definitionOf(node), Tier.resolved))
          break
        }
        case Bind.free: {
          const found = this.freeName(file, view.ref(i, R.name), view.ref(i, R.within), arity)
          const nodes = this.narrow(this.inSpace(found.nodes, (view.ref(i, R.place) >> 16) & 15), arity)
          if (nodes.length === 0 && found.value !== undefined) leaves(i)
          if (nodes.length > 8) break
          const tier = nodes.length > 1 || found.value?.sure === false ? Tier.inferred : Tier.resolved
          for (const node of nodes) {
            edges.push(i, fileOf(node), packTarget(definitionOf(node), tier))
          }
          break
        }
        case Bind.member: {
          const receiver = this.evaluate(file, value)
          const name = view.ref(i, R.name)
          let found = this.memberOf(file, value, receiver, name, arity)
          if (receiver !== undefined || found.nodes.length > 0) {
            if (
              found.nodes.length === 0 &&
              receiver !== undefined &&
              receiver.tag === V.module &&
              family?.moduleItself !== undefined
            ) {
              const itself = family.moduleItself(receiver.node).value
              if (itself !== undefined) found = this.member(itself, name, arity)
            }
            if (found.nodes.length > 0) {
              const tier = receiver === undefined || receiver.sure ? Tier.resolved : Tier.inferred
              for (const node of this.inSpace(found.nodes, (view.ref(i, R.place) >> 16) & 15)) {
                edges.push(i, fileOf(node), packTarget(definitionOf(node), tier))
              }
            } else if (found.value !== undefined) leaves(i)
            break
          }
          // A key of a literal that some function takes is a name of that function's own.
          if (this.ofArgument(view, value)) break
          const only = this.uniqueMembers.get(name)
          if (
            only !== undefined &&
            only >= 0 &&
            this.sameFamily(file, only) &&
            this.fits(only, view.ref(i, R.place), arity)
          ) {
            edges.push(i, fileOf(only), packTarget(definitionOf(only), Tier.name))
          }
          break
        }
      }
    }
    for (let i = 0; i < importCount; i++) {
      for (const node of this.imported(file, i).nodes)
        edges.push(-1 - i, fileOf(node), packTarget(definitionOf(node), Tier.resolved))
    }
    for (let i = 0, n = view.exportCount; i < n; i++) this.exportEdges(file, i, importCount, edges)
    return {
      edges: edges.take(),
      supers: this.superRecords(file),
      outside
    }
  }

  private ofArgument(view: FactsView, expression: number): boolean {
    let at = expression
    for (
      let hops = 0;
      hops < 32 && (view.expr(at, X.op) === Op.member || view.expr(at, X.op) === Op.element);
      hops++
    )
      at = view.expr(at, X.a)
    return view.expr(at, X.op) === Op.argument
  }

  private exportEdges(file: WorldFile, index: number, importCount: number, edges: Numbers): void {
    const { view } = file
    const definition = view.export(index, E.definition)
    if (definition >= 0) {
      if (view.export(index, E.local) !== 0)
        edges.push(-1 - importCount - index, file.id, packTarget(definition, Tier.resolved))
      return
    }
    const local = view.export(index, E.local)
    let nodes: ReadonlyArray<Node> = []
    if (local !== 0) {
      for (let i = 0; i < importCount; i++)
        if (view.import(i, I.local) === local) nodes = this.imported(file, i).nodes
    } else nodes = this.family(file)?.moduleMember(file.id, view.export(index, E.exported)).nodes ?? []
    for (const node of nodes)
      edges.push(-1 - importCount - index, fileOf(node), packTarget(definitionOf(node), Tier.resolved))
  }

  private overloads(file: WorldFile, index: number): ReadonlyArray<Node> | undefined {
    const { view } = file
    const parent = view.def(index, D.parent)
    if (!callable.has(view.def(index, D.kind))) return undefined
    const name = view.def(index, D.name)
    if (parent >= 0) {
      if (!typeLike.has(view.def(parent, D.kind))) return undefined
      const all = this.ownMembers(nodeOf(file.id, parent)).get(name)
      return all !== undefined && all.length > 1 ? all : undefined
    }
    const all = this.fileScope(file).get(name)
    return all !== undefined && all.length > 1 ? all.map((i) => nodeOf(file.id, i)) : undefined
  }

  private sameFamily(file: WorldFile, node: Node): boolean {
    return this.world.files[fileOf(node)]?.language.family === file.language.family
  }

  /** A call needs something callable that takes that many arguments; a lone name match counts for nothing otherwise. */
  private fits(node: Node, place: number, arity: number): boolean {
    const role = (place >> 16) & 15
    const kind = this.def(node, D.kind)
    if (role === Role.call || role === Role.new) {
      if (!callable.has(kind)) return false
      const p = this.def(node, D.parameters)
      return (
        p < 0 || arity < 0 || (arity >= (p & 255) && (arity <= ((p >> 8) & 255) || (p & (1 << 16)) !== 0))
      )
    }
    return (
      kind === K.field ||
      kind === K.property ||
      kind === K.enum_member ||
      kind === K.constant ||
      kind === K.variable
    )
  }

  private superRecords(file: WorldFile): Int32Array {
    const out = new Numbers()
    const { view } = file
    for (let i = 0; i < view.inheritCount; i++) {
      const subject = view.inherit(i, N.subject)
      const subjects =
        subject >= 0
          ? [nodeOf(file.id, subject)]
          : this.typeNodes(this.evaluate(file, view.inherit(i, N.subjectType)))
      for (const from of subjects) {
        for (const to of this.typeNodes(this.evaluate(file, view.inherit(i, N.superType)))) {
          if (from === to) continue
          out.push(fileOf(from), definitionOf(from), fileOf(to))
          out.push(definitionOf(to), view.inherit(i, N.how), view.inherit(i, N.line))
        }
      }
    }
    return out.take()
  }
}

class Numbers {
  private items = new Int32Array(96)
  private count = 0
  push(a: number, b: number, c: number): void {
    if (this.count + 3 > this.items.length) {
      const more = new Int32Array(this.items.length * 2)
      more.set(this.items)
      this.items = more
    }
    this.items[this.count++] = a
    this.items[this.count++] = b
    this.items[this.count++] = c
  }
  take(): Int32Array {
    return this.items.slice(0, this.count)
  }
}

const add = <A>(map: Map<number, Array<A>>, key: number, value: A): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
