/**
 * What an expression stands for, as far as the facts tell. `undefined` means not known; {@link external} means known
 * to lie outside the indexed files.
 */
import type { Node } from "../World.ts"

export const V = {
  type: 0,
  instance: 1,
  function: 2,
  module: 3,
  package: 4,
  builtin: 5,
  tuple: 6,
  union: 7,
  external: 8,
  callable: 9,
  /** A type parameter, known by the node of its expression. */
  param: 10,
  /** An object type: members and call signatures. */
  record: 11,
  /** The type `this` of a class or interface. */
  self: 12,
  /** A member of a type that is not known yet. */
  access: 13,
  /** A conditional type that is not decided yet: check, extends, then, else. */
  conditional: 14,
  /** A type indexed by another that is not known yet. */
  indexed: 15,
  /** The names of a type's members. */
  keyOf: 16,
  /** A mapped type: what its key ranges over, and the members' type; its node is the key. */
  mapped: 17,
  /** The name of a member as a type. */
  key: 18
} as const

/** What type parameters stand for, and the type `this`. */
export interface Env {
  readonly self: Value | undefined
  readonly map: ReadonlyMap<number, Value>
}

export interface Value {
  readonly tag: number
  /** The definition of a type, instance or function; the file of a module; the family's number of a package; the name of a built-in. */
  readonly node: number
  /** Type arguments; slots of a tuple; both sides of a union; result, then parameters, of a function type. */
  readonly args: ReadonlyArray<Value | undefined> | undefined
  /** False when a guess took part: an inferred return type, one side of a union. */
  readonly sure: boolean
  /** Whether type parameters are part of it that may come to stand for something. */
  readonly free?: boolean | undefined
  /** Names of a record's parts: 0 for an index signature, -1 for a call signature. */
  readonly names?: ReadonlyArray<number> | undefined
  /** What the type parameters around the definition of a function or inline type stand for. */
  readonly env?: Env | undefined
  /** Type parameters of a function type: each with the expression of its default or -1. */
  readonly generics?: ReadonlyArray<readonly [key: number, fallback: number]> | undefined
  /** Number of values it is made of. */
  readonly weight?: number | undefined
  /** Type arguments given to a function. */
  readonly given?: ReadonlyArray<Value | undefined> | undefined
}

/** What a name means: definitions, and the value they have. Both may be absent. */
export interface Found {
  readonly nodes: ReadonlyArray<Node>
  readonly value: Value | undefined
  /** False when it was found in some of the types it may be looked up in, and nothing tells in which. */
  readonly sure?: boolean
}

/** Every value that is made often has all fields in this order, so that readers meet one shape. */
const build = (
  tag: number,
  node: number,
  args: ReadonlyArray<Value | undefined> | undefined,
  sure: boolean,
  free: boolean | undefined,
  names: ReadonlyArray<number> | undefined,
  env: Env | undefined,
  generics: Value["generics"],
  given: ReadonlyArray<Value | undefined> | undefined
): Value => ({
  tag,
  node,
  args,
  sure,
  free,
  names,
  env,
  generics,
  given,
  weight: args === undefined && env === undefined ? 1 : tag === V.union ? either(args!) : weigh(args, env)
})
/** The types of a union lie side by side: the heaviest counts. */
const either = (args: ReadonlyArray<Value | undefined>): number => {
  let most = 0
  for (const one of args) most = Math.max(most, one?.weight ?? 1)
  return most + 1
}
const weigh = (args: ReadonlyArray<Value | undefined> | undefined, env: Env | undefined): number => {
  let sum = 1
  if (args !== undefined) for (const one of args) sum += one?.weight ?? 1
  if (env !== undefined) for (const one of env.map.values()) sum += one.weight ?? 1
  return sum
}

const plain = [V.type, V.instance, V.function, V.module, V.package].map(() => new Map<number, Value>())
const make = (tag: 0 | 1 | 2 | 3 | 4, node: number): Value => {
  const known = plain[tag]!.get(node)
  if (known !== undefined) return known
  const value = build(tag, node, undefined, true, false, undefined, undefined, undefined, undefined)
  plain[tag]!.set(node, value)
  return value
}
/** Values are shared within one run; a finished run drops them. */
export const forgetValues = (): void => plain.forEach((m) => m.clear())

export const typeValue = (node: Node): Value => make(V.type, node)
export const instanceValue = (node: Node): Value => make(V.instance, node)
export const functionValue = (node: Node): Value => make(V.function, node)
export const moduleValue = (file: number): Value => make(V.module, file)
export const packageValue = (id: number): Value => make(V.package, id)
export const builtinValue = (name: number, args?: ReadonlyArray<Value | undefined>): Value =>
  parts(V.builtin, name, args)
const anyFree = (args: ReadonlyArray<Value | undefined> | undefined): boolean =>
  args !== undefined && args.some((one) => one !== undefined && one.free === true)
/** A value made of others. */
export const parts = (
  tag: number,
  node: number,
  args: ReadonlyArray<Value | undefined> | undefined,
  names?: ReadonlyArray<number>
): Value => build(tag, node, args, true, anyFree(args), names, undefined, undefined, undefined)
export const isFree = (value: Value): boolean => value.free === true
/** The value with other parts. */
export const compose = (
  value: Value,
  args: ReadonlyArray<Value | undefined> | undefined,
  env: Env | undefined
): Value =>
  build(
    value.tag,
    value.node,
    args,
    value.sure,
    anyFree(args) || freeEnv(env),
    value.names,
    env,
    value.generics,
    value.given
  )
const freeEnv = (env: Env | undefined): boolean => {
  if (env === undefined) return false
  if (env.self?.free === true) return true
  for (const one of env.map.values()) if (one.free === true) return true
  return false
}
/** A function or inline type as seen from where its type parameters stand for something. */
export const bindValue = (value: Value, env: Env): Value =>
  build(
    value.tag,
    value.node,
    value.args,
    value.sure,
    freeEnv(env),
    value.names,
    env,
    value.generics,
    value.given
  )
export const external: Value = { tag: V.external, node: 0, args: undefined, sure: true }
export const withArgs = (value: Value, args: ReadonlyArray<Value | undefined>): Value =>
  build(
    value.tag,
    value.node,
    args,
    value.sure,
    anyFree(args),
    value.names,
    value.env,
    value.generics,
    value.given
  )
export const unsure = (value: Value | undefined): Value | undefined =>
  value === undefined || !value.sure
    ? value
    : build(
        value.tag,
        value.node,
        value.args,
        false,
        value.free,
        value.names,
        value.env,
        value.generics,
        value.given
      )
export const unionValue = (a: Value | undefined, b: Value | undefined): Value | undefined =>
  a === undefined || a === b ? b : b === undefined ? a : { ...parts(V.union, 0, [a, b]), sure: false }
/** A union (0) or intersection (1) of types as declared: certain when both sides are. */
export const unionOf = (a: Value | undefined, b: Value | undefined, kind: number): Value | undefined =>
  a === undefined || a === b
    ? b
    : b === undefined
      ? a
      : build(
          V.union,
          kind,
          [a, b],
          a.sure && b.sure,
          a.free === true || b.free === true,
          undefined,
          undefined,
          undefined,
          undefined
        )

/** The instance side of a type. */
export const instanceOf = (value: Value | undefined): Value | undefined => {
  if (value === undefined) return undefined
  switch (value.tag) {
    case V.type:
    case V.function:
      return value.args === undefined && value.sure && value.env === undefined && value.given === undefined
        ? instanceValue(value.node)
        : build(
            V.instance,
            value.node,
            value.args,
            value.sure,
            value.free,
            value.names,
            value.env,
            value.generics,
            value.given
          )
    case V.union:
      return value.sure
        ? unionOf(instanceOf(value.args![0]), instanceOf(value.args![1]), value.node)
        : unsure(unionOf(instanceOf(value.args![0]), instanceOf(value.args![1]), value.node))
    default:
      return value
  }
}

/** Definitions found whose value is worked out once somebody asks for it, within the question they were found for. */
export class FoundLater implements Found {
  private made = false
  private kept: Value | undefined = undefined
  constructor(
    readonly nodes: ReadonlyArray<Node>,
    readonly sure: boolean,
    private readonly make: () => Value | undefined
  ) {}
  get value(): Value | undefined {
    if (!this.made) {
      this.kept = this.make()
      this.made = true
    }
    return this.kept
  }
}

export const nothing: Found = { nodes: [], value: undefined }
export const outside: Found = { nodes: [], value: external }
