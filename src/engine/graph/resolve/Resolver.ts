/**
 * Finds what the names of a file mean: lexical bindings through imports and packages, members through the types of
 * their receivers. One resolver serves one run over one world; it reads facts and changes nothing.
 */
import { D, E, type FactsView, H, I, N, R, X } from "../../languages/Facts.ts"
import type { Family as FamilyName } from "../../languages/Language.ts"
import { Bind, Flag, kindNumber, Op, Role } from "../../languages/Vocabulary.ts"
import { packTarget, type Resolved, Tier } from "../Edges.ts"
import { definitionOf, fileOf, type Node, nodeOf, type World, type WorldFile } from "../World.ts"
import { Attached, Link } from "./Attached.ts"
import type { Family } from "./Family.ts"
import { deferred, Generics } from "./Generics.ts"
import {
  builtinValue,
  external,
  type Found,
  FoundLater,
  functionValue,
  instanceOf,
  instanceValue,
  nothing,
  outside,
  parts,
  typeValue,
  unionOf,
  unionValue,
  unsure,
  V,
  type Value,
  withArgs
} from "./Value.ts"

const K = kindNumber
export const typeLike: ReadonlySet<number> = new Set([
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
/** Methods of the standard traits of Rust whose result is none of the indexed types. */
const plainResults = (
  "eq ne cmp partial_cmp lt le gt ge hash fmt to_string len is_empty is_some is_none is_ok is_err source description cause " +
  "type_id contains"
).split(" ")
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
  /** Records of {@link Link} by file, and what they tell. */
  private readonly links: Array<Int32Array> = []
  private readonly attached: Attached
  private readonly superTypes = new Map<Node, ReadonlyArray<Node>>()
  private readonly inheritIndex: Array<Map<number, ReadonlyArray<number>> | undefined> = []
  private readonly elementNames = new Map<number, number>()
  private readonly sameNames = new Set<number>()
  /** Functions of types that make one of the type, for sure or if all is well. */
  private readonly madeBy = new Map<number, boolean>()
  /** Methods of the standard traits whose result is none of the indexed types, whatever they are called on. */
  private readonly plainResults = new Set<number>()
  /** Methods of library containers that give their elements to a function, and as which parameter (-1 = any). */
  private readonly callbackNames = new Map<number, number>()
  private readonly optionNames = new Set<number>()
  private readonly constructorName: number
  private readonly callName: number
  private readonly importTargets: Array<Array<Found> | undefined> = []
  private depth = 0
  private genericsMade: Generics | undefined
  private spread = -1
  private get spreadName(): number {
    return this.spread < 0 ? (this.spread = this.world.names.string("...")) : this.spread
  }
  /** Runs a question; tells whether its answer rests on nothing that is still in work. */
  whole<A>(run: () => A): readonly [answer: A, whole: boolean] {
    const outer = this.low
    this.low = Infinity
    const answer = run()
    const whole = this.low === Infinity
    this.low = Math.min(outer, this.low)
    return [answer, whole]
  }
  private get generics(): Generics {
    return (this.genericsMade ??= new Generics(this))
  }

  constructor(
    readonly world: World,
    families: (resolver: Resolver) => ReadonlyMap<FamilyName, Family>
  ) {
    this.attached = new Attached(world, this.links)
    for (const [name, position] of Object.entries(elementMethods))
      this.elementNames.set(world.names.string(name), position)
    for (const name of sameMethods) this.sameNames.add(world.names.string(name))
    for (const name of ["default", "from", "try_from"])
      this.madeBy.set(world.names.string(name), name !== "try_from")
    for (const name of plainResults) this.plainResults.add(world.names.string(name))
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
      const outer = this.low
      this.low = Infinity
      for (const i of this.inheritsOf(file).get(definitionOf(type)) ?? []) {
        const superType = this.evaluate(file, file.view.inherit(i, N.superType))
        if (file.language.family === "ecmascript") {
          const heads: Array<Value> = []
          this.generics.heads(superType, heads)
          for (const { node } of heads) if (node !== type && !found.includes(node)) found.push(node)
        } else for (const node of this.typeNodes(superType)) if (node !== type) found.push(node)
      }
      if (
        file.view.def(definitionOf(type), D.kind) === K.enum_member &&
        file.view.def(definitionOf(type), D.parent) >= 0
      ) {
        found.push(nodeOf(file.id, file.view.def(definitionOf(type), D.parent)))
      }
      for (const node of this.attached.supersOf(type)) if (!found.includes(node)) found.push(node)
      // What rests on values still in work is worked out anew for others.
      if (this.low === Infinity || file.language.family !== "ecmascript") this.superTypes.set(type, found)
      else this.superTypes.delete(type)
      this.low = Math.min(outer, this.low)
      out = found
    }
    return out
  }
  inheritsOf(file: WorldFile): Map<number, ReadonlyArray<number>> {
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
    const more = this.attached.membersOf(type)?.get(name)
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
      if (file.language.family === "ecmascript" && (target === undefined || this.ownMembers(node).size > 0))
        return typeValue(node)
      if (target?.free === true && view.def(index, D.generics) >= 0)
        return this.generics.apply(target, this.generics.envOf(typeValue(node), undefined))
      return target === undefined || target.tag === V.external
        ? typeValue(node)
        : target.tag === V.instance
          ? { ...target, tag: V.type }
          : target
    }
    const type = this.typeOf(node)
    if (type !== undefined && !(type.tag === V.builtin && this.ownMembers(node).size > 0)) return type
    return this.ownMembers(node).size > 0 || this.attached.membersOf(node) !== undefined
      ? typeValue(node)
      : undefined
  }

  /** The declared or inferred type of a variable, result of a function, target of an alias. */
  typeOf(node: Node): Value | undefined {
    const known = this.types.get(node)
    if (known !== undefined) {
      this.low = Math.min(this.low, known.low)
      return known.value
    }
    const file = this.world.files[fileOf(node)]!
    const expression = file.view.def(definitionOf(node), D.type)
    if (expression < 0) return undefined
    const depth = this.depth
    const outer = this.enter()
    this.types.set(node, { value: undefined, low: depth })
    this.depth++
    let value = this.evaluate(file, expression)
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
      const count = file.view.ints[file.view.at + H.expressions]!
      // With its length: one that grows from its middle becomes a table.
      memo = this.memos[file.id] = []
      memo.length = count
      done = this.memoDone[file.id] = new Uint8Array(count)
    }
    const state = done[expression]!
    if (state === settled) return memo[expression]
    if (state !== 0) {
      this.low = Math.min(this.low, state - inWork)
      return memo[expression]
    }
    if (isLeaf(file.view.expr(expression, X.op))) {
      done[expression] = settled
      return (memo[expression] = this.compute(file, file.view, expression))
    }
    const depth = this.depth
    const outer = this.enter()
    done[expression] = inWork + depth
    memo[expression] = undefined
    this.depth++
    // What is kept is worked out the same from wherever it is asked for.
    const made = this.genericsMade
    const within = made?.enter() ?? 0
    const value = this.compute(file, file.view, expression)
    made?.leave(within)
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
            return this.freeName(file, a, value - 1, -1).value
        }
      }
      case Op.member: {
        const receiver = this.evaluate(file, a)
        if (receiver !== undefined && deferred(receiver))
          return this.generics.access(receiver, view.expr(expression, X.b))
        const found = this.memberOf(file, a, receiver, view.expr(expression, X.b), -1)
        return (receiver === undefined || receiver.sure) && found.sure !== false
          ? found.value
          : unsure(found.value)
      }
      case Op.call: {
        if (file.language.family === "ecmascript") {
          const callee = this.callee(file, view, a, view.expr(expression, X.c) - 1)
          const value =
            callee === undefined ? undefined : this.generics.call(file, view, expression, callee, false)
          if (value !== undefined) return value
        }
        return this.result(file, view, a)
      }
      case Op.new: {
        const made =
          file.language.family === "ecmascript" ? this.callee(file, view, a, 0) : this.evaluate(file, a)
        if (
          made !== undefined &&
          (made.tag === V.callable || made.tag === V.record || made.tag === V.instance)
        ) {
          const value = this.generics.call(file, view, expression, made, true)
          if (value !== undefined) return value
        }
        return made?.tag === V.module
          ? instanceOf(this.family(file)?.moduleItself?.(made.node).value)
          : instanceOf(made)
      }
      case Op.instance: {
        if (view.expr(a, X.op) === Op.typeOf) return this.evaluate(file, a)
        if (file.language.family === "ecmascript") {
          const types = this.typesNamed(file, a)
          if (types !== undefined) return instanceOf(this.found(types).value)
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
        return this.element(file, this.evaluate(file, a))
      }
      case Op.unwrap: {
        return this.unwrapped(this.evaluate(file, a))
      }
      case Op.literal:
        return builtinValue(a)
      case Op.union:
        return file.language.family === "ecmascript"
          ? unionOf(
              this.evaluate(file, a),
              this.evaluate(file, view.expr(expression, X.b)),
              view.expr(expression, X.c)
            )
          : unionValue(this.evaluate(file, a), this.evaluate(file, view.expr(expression, X.b)))
      case Op.function:
        return functionValue(nodeOf(file.id, a))
      case Op.generic:
      case Op.tuple:
      case Op.callable:
      case Op.record:
      case Op.conditional:
      case Op.indexed:
      case Op.mapped:
      case Op.chosen:
        return this.listing(file, view, expression, a)
      default:
        return this.derived(file, view, expression, a)
    }
  }
  /** Of an expression with a list of parts. */
  private listing(file: WorldFile, view: FactsView, expression: number, a: number): Value | undefined {
    switch (view.expr(expression, X.op)) {
      case Op.generic: {
        if (file.language.family === "ecmascript") return this.applied(file, view, expression)
        const base = this.evaluate(file, a) ?? (view.expr(a, X.op) === Op.literal ? undefined : external)
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = []
        for (let i = 0; i < view.expr(expression, X.c); i++)
          args.push(instanceOf(this.evaluate(file, view.ints[start + i]!)))
        return base === undefined ? undefined : withArgs(base, args)
      }
      case Op.tuple: {
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = []
        for (let i = 0; i < view.expr(expression, X.c); i++)
          args.push(this.evaluate(file, view.ints[start + i]!))
        return parts(V.tuple, 0, args)
      }
      case Op.callable: {
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = [this.evaluate(file, a)]
        for (let i = 0; i < view.expr(expression, X.c); i++)
          args.push(this.evaluate(file, view.ints[start + i]!))
        return parts(V.callable, 0, args)
      }
      case Op.record: {
        const start = view.args + view.expr(expression, X.b)
        const args: Array<Value | undefined> = []
        const names: Array<number> = []
        let spread: Value | undefined
        for (let i = 0; i < view.expr(expression, X.c); i++) {
          const part = view.ints[start + i]!
          const name = view.expr(part, X.op) === Op.property ? view.expr(part, X.b) : -1
          if (name === this.spreadName) spread = unionOf(spread, this.evaluate(file, part), 1)
          else {
            args.push(this.evaluate(file, part))
            names.push(name)
          }
        }
        return unionOf(parts(V.record, 0, args, names), spread, 1)
      }
      case Op.conditional: {
        const start = view.args + view.expr(expression, X.b)
        const args = [0, 1, 2, 3].map((i) => {
          const part = view.ints[start + i]!
          return part < 0 ? undefined : this.evaluate(file, part)
        })
        return this.generics.undecided(args)
      }
      case Op.indexed: {
        const start = view.args + view.expr(expression, X.b)
        return this.generics.indexed(
          this.evaluate(file, view.ints[start]!),
          this.evaluate(file, view.ints[start + 1]!)
        )
      }
      case Op.mapped: {
        const start = view.args + view.expr(expression, X.b)
        return parts(V.mapped, nodeOf(file.id, view.ints[start]!), [
          this.evaluate(file, view.ints[start + 1]!),
          this.evaluate(file, view.ints[start + 2]!)
        ])
      }
      case Op.chosen: {
        const start = view.args + view.expr(expression, X.b)
        const given = this.evaluate(file, view.ints[start]!)
        const literal = view.ints[start + 1]!
        if (view.expr(expression, X.c) > 2)
          return literal < 0
            ? this.generics.narrowed(given, file, view, view.ints[start + 2]!, false)
            : this.generics.narrowed(given, file, view, literal, true)
        return literal < 0 || (given?.tag !== V.union && given?.tag !== V.conditional)
          ? given
          : this.generics.chosen(given, this.evaluate(file, literal))
      }
      default:
        return undefined
    }
  }
  /** Of an expression that is a part or a form of another one. */
  private derived(file: WorldFile, view: FactsView, expression: number, a: number): Value | undefined {
    switch (view.expr(expression, X.op)) {
      case Op.slot: {
        const slot = view.expr(expression, X.b)
        if (file.language.family === "ecmascript") {
          const whole = this.evaluate(file, a)
          return whole?.tag === V.tuple ? whole.args![slot] : this.element(file, whole)
        }
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
      case Op.typeParameter:
        return { tag: V.param, node: nodeOf(file.id, expression), args: undefined, sure: true, free: true }
      case Op.thisType:
        return { tag: V.self, node: nodeOf(file.id, a), args: undefined, sure: true, free: true }
      case Op.typeOf:
        return this.evaluate(file, a)
      case Op.signature: {
        const value = this.evaluate(file, a)
        const generics = view.expr(expression, X.c) - 1
        return value === undefined
          ? undefined
          : {
              ...value,
              node: view.expr(expression, X.b),
              ...(generics < 0 ? {} : { generics: this.generics.listed(file, generics) })
            }
      }
      case Op.property:
        return this.evaluate(file, a)
      case Op.keyOf:
        return parts(V.keyOf, 0, [this.evaluate(file, a)])
      case Op.delegated:
        return this.generics.delegated(this.evaluate(file, a)) ?? this.unwrapped(this.evaluate(file, a))
      case Op.argument:
        if (file.language.family === "ecmascript" && view.expr(expression, X.c) > 0) {
          const call = view.expr(expression, X.c) - 1
          const callee = this.callee(file, view, a, view.expr(call, X.c) - 1)
          return callee === undefined
            ? undefined
            : this.generics.expected(file, view, call, callee, view.expr(expression, X.b))
        }
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

  private element(file: WorldFile, whole: Value | undefined): Value | undefined {
    if (whole === undefined) return undefined
    if (file.language.family === "ecmascript") {
      const element = this.generics.element(whole)
      if (element !== undefined) return element
    }
    const args = whole.args ?? this.underlying(whole)?.args
    if (whole.tag === V.tuple || whole.tag === V.union) return undefined
    return args === undefined
      ? whole.tag === V.external || whole.tag === V.builtin
        ? external
        : undefined
      : args[args.length - 1]
  }
  private unwrapped(whole: Value | undefined): Value | undefined {
    return whole?.args !== undefined && (whole.tag === V.builtin || whole.tag === V.external)
      ? whole.args[0]
      : whole
  }
  /** A generic type or function with the type arguments written behind it. */
  private applied(file: WorldFile, view: FactsView, expression: number): Value | undefined {
    const base = view.expr(expression, X.a)
    const start = view.args + view.expr(expression, X.b)
    const args: Array<Value | undefined> = []
    for (let i = 0; i < view.expr(expression, X.c); i++) {
      const part = view.ints[start + i]!
      const value = this.evaluate(file, part)
      args.push(view.expr(part, X.op) === Op.typeOf ? value : instanceOf(value))
    }
    const value = this.evaluate(file, base)
    if (view.expr(base, X.op) === Op.literal) return value === undefined ? undefined : withArgs(value, args)
    if (value === undefined || value.tag === V.external) {
      const name = this.generics.libraryName(view, base)
      return name > 0 ? this.generics.library(name, args) : withArgs(external, args)
    }
    // An alias is what it stands for, with its parameters replaced.
    const types = this.typesNamed(file, base)
    const alias = (types ?? this.named(file, base)).find(
      (n) => definitionOf(n) >= 0 && this.def(n, D.kind) === K.type_alias
    )
    const type = types === undefined ? value : this.found(types).value
    if (alias !== undefined) {
      const self = typeValue(alias)
      const given = withArgs(self, args)
      if (type === undefined || type.node === alias) return given
      return this.generics.apply(this.typeOf(alias), this.generics.envOf(given, undefined))
    }
    if (type === undefined) return undefined
    return type.tag === V.function || type.tag === V.record || type.tag === V.callable
      ? { ...type, given: args }
      : takesArguments(type)
        ? withArgs(type, args)
        : type
  }
  /** What a call of an expression calls, of several definitions the one that takes so many arguments. */
  private callee(file: WorldFile, view: FactsView, expression: number, arity: number): Value | undefined {
    const op = view.expr(expression, X.op)
    if (op === Op.member) {
      const receiver = this.evaluate(file, view.expr(expression, X.a))
      const name = view.expr(expression, X.b)
      const found = this.memberOf(
        file,
        view.expr(expression, X.a),
        receiver,
        name,
        arity < 0 ? anyArity : arity
      )
      if (found.nodes.length === 0 && receiver !== undefined) {
        const known = this.generics.libraryMember(receiver, name)
        if (known !== undefined) return known
      }
      const values = this.inSpace(found.nodes, Role.call)
      const one = values.length < found.nodes.length ? this.found(values).value : found.value
      const value = arity < 0 ? one : this.overloaded(this.narrow(values, arity), one)
      return (receiver === undefined || receiver.sure) && found.sure !== false ? value : unsure(value)
    }
    if (op === Op.generic) {
      const given = this.evaluate(file, expression)
      if (given?.given === undefined) return given
      const base = this.callee(file, view, view.expr(expression, X.a), arity)
      return base?.tag === V.function || base?.tag === V.record || base?.tag === V.callable
        ? { ...base, given: given.given }
        : given
    }
    if (op === Op.name && arity >= 0) {
      const bind = view.expr(expression, X.b)
      const value = view.expr(expression, X.c)
      if (bind === Bind.definition) {
        const same = this.overloads(file, value)
        if (same !== undefined) {
          const fitting = this.narrow(same, arity)
          return this.overloaded(fitting, this.found(fitting).value)
        }
      } else if (bind === Bind.import) {
        const { nodes } = this.imported(file, value)
        if (nodes.length > 1) {
          const fitting = this.narrow(this.inSpace(nodes, Role.call), arity)
          return this.overloaded(fitting, this.found(fitting).value)
        }
      }
    }
    return this.evaluate(file, expression)
  }

  /** Several definitions of a function as one value with a signature each. */
  private overloaded(nodes: ReadonlyArray<Node>, value: Value | undefined): Value | undefined {
    if (value?.tag !== V.function || nodes.length < 2) return value
    if (!nodes.every((n) => definitionOf(n) >= 0 && callable.has(this.def(n, D.kind)))) return value
    return parts(
      V.record,
      0,
      nodes.map((n) => ({ ...value, node: n })),
      nodes.map(() => -1)
    )
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
        return all?.tag === V.tuple
          ? all.args
          : all?.tag === V.callable
            ? this.parameterTypes(all)
            : undefined
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
    if (file.language.family === "ecmascript") {
      const whole = this.evaluate(file, expression)
      const types = whole === undefined ? undefined : this.generics.takes(whole)
      const type = types?.[Math.min(place, types.length - 1)]
      if (type !== undefined) return whole!.sure ? type : unsure(type)
    }
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
  underlying(value: Value): Value | undefined {
    if ((value.tag !== V.instance && value.tag !== V.type) || definitionOf(value.node) < 0) return undefined
    const type = this.typeOf(value.node)
    if (type === value) return undefined
    return type?.free === true ? this.generics.instantiated(value, type) : type
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
      // What a trait or container from outside makes of an indexed type may well be one.
      if (file.language.family === "rust" && target?.tag === V.external && receiver !== undefined) {
        if (receiver.tag === V.type) {
          const sure = this.madeBy.get(name)
          return sure === undefined ? undefined : sure ? instanceOf(receiver) : unsure(instanceOf(receiver))
        }
        const ours = receiver.tag === V.instance || receiver.args?.some((each) => each?.tag === V.instance)
        if (ours === true && !this.plainResults.has(name)) return undefined
      }
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
    const nodes = this.attached.foreignMember(type, name)
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
        return this.freeName(file, view.expr(expression, X.a), value - 1, -1).nodes
      default:
        return []
    }
  }
  /** Of the definitions a name means those that are types, undefined where all or none are. */
  private typesNamed(file: WorldFile, expression: number): ReadonlyArray<Node> | undefined {
    let nodes = this.named(file, expression)
    if (nodes.length === 0) return undefined
    const first = nodes[0]!
    // A namespace is no type: its name next to one means the type.
    if (nodes.length === 1 && definitionOf(first) >= 0 && this.def(first, D.kind) === K.namespace)
      nodes = [first, ...this.merged(first)]
    if (nodes.length < 2) return undefined
    const types = this.inSpace(nodes, Role.type)
    return types.length > 0 && types.length < nodes.length ? types : undefined
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

  /** A member of a value by name. `self` is what the type `this` means in it. */
  member(value: Value, name: number, arity: number, self: Value = value): Found {
    switch (value.tag) {
      case V.param:
      case V.self:
      case V.access:
      case V.conditional:
      case V.indexed:
        return this.generics.memberOfDeferred(value, name, arity)
      case V.mapped:
        return this.generics.memberOfMapped(value, name, arity)
      case V.record: {
        const at = value.names!.indexOf(name)
        const index = at < 0 ? value.names!.indexOf(0) : at
        return index < 0 ? nothing : { nodes: [], value: value.args![index] }
      }
      case V.type:
      case V.instance:
      case V.function: {
        if (definitionOf(value.node) < 0) {
          const module = this.world.files[fileOf(value.node)]!
          return this.family(module)?.moduleMember(module.id, name) ?? nothing
        }
        const nodes = this.classMember(value.node, name)
        if (nodes.length > 0) {
          const found = this.found(this.narrow(nodes, arity))
          return this.isTyped(fileOf(nodes[0]!)) ? this.boundLater(found, value, self) : found
        }
        const inner = this.underlying(value)
        // Types may be defined by each other in a circle.
        if (
          inner !== undefined &&
          inner.tag !== V.function &&
          inner.node !== value.node &&
          this.depth < depthLimit
        ) {
          this.depth++
          const more = this.member(inner, name, arity, self)
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
        if (value.sure) return this.memberOfUnion(value, name, arity, self)
        const a = value.args![0] === undefined ? nothing : this.member(value.args![0], name, arity)
        const b = value.args![1] === undefined ? nothing : this.member(value.args![1], name, arity)
        const nodes = [...a.nodes, ...b.nodes.filter((n) => !a.nodes.includes(n))]
        return { nodes, value: unionValue(a.value, b.value) }
      }
      case V.external:
      case V.builtin: {
        const field = value.tag === V.builtin ? this.generics.libraryField(value) : undefined
        if (field !== undefined) return { nodes: [], value: field }
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

  /**
   * A member of a union or intersection: of all types that have it. Where some of several have it and others do not,
   * the value was told apart before, and nothing says to which.
   */
  private memberOfUnion(value: Value, name: number, arity: number, self: Value): Found {
    const all: Array<Value> = []
    const flat = (one: Value | undefined): void => {
      if (one === undefined || all.length > 60) return
      if (one.tag === V.union && one.sure && one.node === value.node) one.args!.forEach(flat)
      else all.push(one)
    }
    flat(value)
    const nodes: Array<Node> = []
    let out: Value | undefined
    let having = 0
    let sure = true
    let open = false
    for (const one of all) {
      const found =
        this.depth > depthLimit ? nothing : this.member(one, name, arity, self === value ? one : self)
      if (found.nodes.length === 0 && found.value === undefined) continue
      if (found.nodes.length === 0 && found.value!.tag === V.external) {
        open = true
        continue
      }
      having++
      if (found.sure === false) sure = false
      for (const node of found.nodes) if (!nodes.includes(node)) nodes.push(node)
      out = unionOf(out, found.value, value.node)
    }
    if (having === 0) return open ? outside : nothing
    if (value.node === 0 && having > 1 && having < all.length) sure = false
    return sure ? { nodes, value: out } : { nodes, value: out, sure }
  }
  private boundLater(found: Found, receiver: Value, self: Value): Found {
    return new FoundLater(found.nodes, true, () =>
      this.generics.bound(found.value, receiver, found.nodes[0]!, self)
    )
  }
  private readonly typed: Array<boolean | undefined> = []
  /** Whether a file is written in a language with type parameters that are told. */
  private isTyped(file: number): boolean {
    return (this.typed[file] ??= /\.(?:[cm]?tsx?|vue|svelte)$/.test(this.world.files[file]!.path))
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

  /**
   * Attaches members and super types that are declared away from their type; to be called once, before names are looked
   * up. Answers them per file, as records of {@link Link}. A file whose records are known is not looked at.
   *
   * Whose they are is found in rounds. In each one the types have the members of the rounds before and no others, so
   * that the answer does not depend on the order of files.
   */
  link(known: (file: WorldFile) => Int32Array | undefined = () => undefined): ReadonlyArray<Int32Array> {
    const { attached, links } = this
    let open: Array<readonly [file: WorldFile, declaration: number]> = []
    let last = 0
    for (const file of this.world.files) {
      if (file === undefined) continue
      const records = known(file)
      links[file.id] = records ?? noLinks
      if (records !== undefined) {
        for (let p = 0; p < records.length; p += Link.size) last = Math.max(last, records[p + Link.round]!)
        continue
      }
      const { view } = file
      for (let i = 0, n = view.definitionCount; i < n; i++)
        if (view.def(i, D.owner) >= 0 && view.def(i, D.kind) !== K.key) open.push([file, i])
      for (let i = 0; i < view.inheritCount; i++)
        if (view.inherit(i, N.subject) < 0) open.push([file, -1 - i])
    }
    for (
      let round = 1, more = true;
      round <= last || (more && open.length > 0 && round <= mostRounds);
      round++
    ) {
      const found = new Map<number, Numbers>()
      const still: typeof open = []
      for (const item of open) {
        const [file, declaration] = item
        let records = found.get(file.id)
        if (records === undefined) found.set(file.id, (records = new Numbers()))
        if (!this.declaredAway(file, declaration, round, records)) still.push(item)
      }
      more = false
      for (const file of this.world.files) {
        if (file === undefined) continue
        const before = links[file.id]!
        for (let p = 0; p < before.length; p += Link.size) {
          if (before[p + Link.round] !== round) continue
          more = true
          attached.add(file.id, p)
        }
        const records = found.get(file.id)?.take() ?? noLinks
        if (records.length === 0) continue
        more = true
        const all = new Int32Array(before.length + records.length)
        all.set(before)
        all.set(records, before.length)
        links[file.id] = all
        for (let p = before.length; p < all.length; p += Link.size) attached.add(file.id, p)
      }
      if (open.length > 0) this.forget()
      open = still
    }
    return links
  }
  /** Where a member or super type belongs; false when that cannot be told. */
  private declaredAway(file: WorldFile, declaration: number, round: number, out: Numbers): boolean {
    const { view } = file
    if (declaration >= 0) {
      const value = this.evaluate(file, view.def(declaration, D.owner))
      if (file.language.family === "rust" && value?.tag === V.external) {
        out.push(declaration, round, -1)
        out.push(-1, -1, -1)
        return true
      }
      const types = this.typeNodes(value)
      for (const type of types) {
        out.push(declaration, round, fileOf(type))
        out.push(definitionOf(type), -1, -1)
      }
      return types.length > 0
    }
    const inherit = -1 - declaration
    let any = false
    for (const type of this.typeNodes(this.evaluate(file, view.inherit(inherit, N.subjectType)))) {
      for (const above of this.typeNodes(this.evaluate(file, view.inherit(inherit, N.superType)))) {
        if (above === type) continue
        any = true
        out.push(-1, round, fileOf(type))
        out.push(definitionOf(type), fileOf(above), definitionOf(above))
      }
    }
    return any
  }
  /** Types evaluated while members were still missing may have looked too early. */
  private forget(): void {
    this.memos.length = 0
    this.memoDone.length = 0
    this.types.clear()
    this.superTypes.clear()
    this.genericsMade?.clear()
    this.importTargets.length = 0
    for (const family of this.families.values()) family.forget?.()
  }

  /** The edges of one file; those of so many of its first and its last references are left out. */
  resolve(file: WorldFile, head = 0, tail = 0): Resolved {
    const edges = new Numbers()
    const { view } = file
    const importCount = view.importCount
    const outside = new Int32Array((view.referenceCount + 31) >> 5)
    for (let i = head, n = view.referenceCount - tail; i < n; i++)
      if (this.referenceEdges(file, view, i, edges)) outside[i >> 5]! |= 1 << (i & 31)
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

  // Small functions, each of one way to be bound: as one they took longer to compile than most trees take to resolve.

  /** The edges of a reference; true when what it means lies outside the indexed files. */
  private referenceEdges(file: WorldFile, view: FactsView, i: number, edges: Numbers): boolean {
    const bind = view.ref(i, R.bind)
    switch (bind & 7) {
      case Bind.definition:
        this.definitionEdges(file, view, i, bind >> 3, edges)
        return false
      case Bind.import:
        return this.importEdges(file, view, i, bind >> 3, edges)
      case Bind.free:
        return this.freeEdges(file, view, i, edges)
      case Bind.member:
        return this.memberEdges(file, view, i, bind >> 3, edges)
      default:
        return false
    }
  }

  private definitionEdges(file: WorldFile, view: FactsView, i: number, value: number, edges: Numbers): void {
    if (view.def(value, D.kind) === K.namespace) {
      const role = (view.ref(i, R.place) >> 16) & 15
      // A namespace is no type: a type's name next to one means the type.
      if (role >= Role.type && role <= Role.implements && role !== Role.import) {
        const types = this.inSpace(
          [nodeOf(file.id, value), ...this.merged(nodeOf(file.id, value))],
          Role.type
        )
        for (const node of types) edges.push(i, fileOf(node), packTarget(definitionOf(node), Tier.resolved))
        return
      }
    }
    const same = this.overloads(file, value)
    if (same === undefined) edges.push(i, file.id, packTarget(value, Tier.resolved))
    else
      for (const node of this.narrow(same, view.ref(i, R.arity) - 1))
        edges.push(i, file.id, packTarget(definitionOf(node), Tier.resolved))
  }

  private importEdges(file: WorldFile, view: FactsView, i: number, value: number, edges: Numbers): boolean {
    const found = this.imported(file, value)
    const role = (view.ref(i, R.place) >> 16) & 15
    for (const node of this.narrow(this.inSpace(found.nodes, role), view.ref(i, R.arity) - 1))
      edges.push(i, fileOf(node), packTarget(definitionOf(node), Tier.resolved))
    // A package has no node; what is taken from it has.
    return found.nodes.length === 0 && found.value !== undefined
  }

  private freeEdges(file: WorldFile, view: FactsView, i: number, edges: Numbers): boolean {
    const arity = view.ref(i, R.arity) - 1
    const found = this.freeName(file, view.ref(i, R.name), view.ref(i, R.within), arity)
    const nodes = this.narrow(this.inSpace(found.nodes, (view.ref(i, R.place) >> 16) & 15), arity)
    if (nodes.length === 0) return found.value !== undefined
    if (nodes.length > 8) return false
    const tier = nodes.length > 1 || found.value?.sure === false ? Tier.inferred : Tier.resolved
    for (const node of nodes) edges.push(i, fileOf(node), packTarget(definitionOf(node), tier))
    return false
  }

  private memberEdges(file: WorldFile, view: FactsView, i: number, value: number, edges: Numbers): boolean {
    const receiver = this.evaluate(file, value)
    const name = view.ref(i, R.name)
    const arity = view.ref(i, R.arity) - 1
    let found = this.memberOf(file, value, receiver, name, arity)
    if (receiver === undefined && found.nodes.length === 0) {
      this.loneEdge(file, view, i, value, edges)
      return false
    }
    if (found.nodes.length === 0 && receiver !== undefined && receiver.tag === V.module) {
      const itself = this.family(file)?.moduleItself?.(receiver.node).value
      if (itself !== undefined) found = this.member(itself, name, arity)
    }
    if (found.nodes.length === 0) return found.value !== undefined
    const tier =
      (receiver === undefined || receiver.sure) &&
      found.sure !== false &&
      // A key of a literal that fits several types of a union is one of theirs.
      !(found.nodes.length > 1 && view.expr(value, X.op) === Op.chosen && view.expr(value, X.c) === 2)
        ? Tier.resolved
        : Tier.inferred
    for (const node of this.inSpace(found.nodes, (view.ref(i, R.place) >> 16) & 15))
      edges.push(i, fileOf(node), packTarget(definitionOf(node), tier))
    return false
  }

  /** A member of something unknown is the only one of its name, if that could be it. */
  private loneEdge(file: WorldFile, view: FactsView, i: number, receiver: number, edges: Numbers): void {
    // A key of a literal that some function takes is a name of that function's own.
    if (this.ofArgument(view, receiver)) return
    const only = this.world.loneMember(view.ref(i, R.name))
    if (
      only >= 0 &&
      this.sameFamily(file, only) &&
      this.fits(only, view.ref(i, R.place), view.ref(i, R.arity) - 1)
    )
      edges.push(i, fileOf(only), packTarget(definitionOf(only), Tier.name))
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

/** Whether what is in a value's list are type arguments, and not parts of it. */
const takesArguments = ({ tag }: Value): boolean =>
  tag === V.type ||
  tag === V.instance ||
  tag === V.builtin ||
  tag === V.external ||
  tag === V.module ||
  tag === V.package
/** Operators of expressions that rest on no other. */
const isLeaf = (op: number): boolean =>
  op === Op.literal ||
  op === Op.self ||
  op === Op.selfType ||
  op === Op.function ||
  op === Op.typeParameter ||
  op === Op.thisType ||
  op === Op.unknown
const noLinks = new Int32Array(0)
/** Members of members of members that are all declared away are found no deeper than this. */
const mostRounds = 4

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
