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
  callable: 9
} as const

export interface Value {
  readonly tag: number
  /** The definition of a type, instance or function; the file of a module; the family's number of a package; the name of a built-in. */
  readonly node: number
  /** Type arguments; slots of a tuple; both sides of a union; result, then parameters, of a function type. */
  readonly args: ReadonlyArray<Value | undefined> | undefined
  /** False when a guess took part: an inferred return type, one side of a union. */
  readonly sure: boolean
}

/** What a name means: definitions, and the value they have. Both may be absent. */
export interface Found {
  readonly nodes: ReadonlyArray<Node>
  readonly value: Value | undefined
}

const plain = [V.type, V.instance, V.function, V.module, V.package].map(() => new Map<number, Value>())
const make = (tag: 0 | 1 | 2 | 3 | 4, node: number): Value => {
  const known = plain[tag]!.get(node)
  if (known !== undefined) return known
  const value: Value = { tag, node, args: undefined, sure: true }
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
export const builtinValue = (name: number, args?: ReadonlyArray<Value | undefined>): Value => ({
  tag: V.builtin,
  node: name,
  args,
  sure: true
})
export const external: Value = { tag: V.external, node: 0, args: undefined, sure: true }
export const withArgs = (value: Value, args: ReadonlyArray<Value | undefined>): Value => ({ ...value, args })
export const unsure = (value: Value | undefined): Value | undefined =>
  value === undefined || !value.sure ? value : { ...value, sure: false }
export const unionValue = (a: Value | undefined, b: Value | undefined): Value | undefined =>
  a === undefined || a === b ? b : b === undefined ? a : { tag: V.union, node: 0, args: [a, b], sure: false }

/** The instance side of a type. */
export const instanceOf = (value: Value | undefined): Value | undefined => {
  if (value === undefined) return undefined
  switch (value.tag) {
    case V.type:
    case V.function:
      return value.args === undefined && value.sure
        ? instanceValue(value.node)
        : { ...value, tag: V.instance }
    case V.union:
      return unionValue(instanceOf(value.args![0]), instanceOf(value.args![1]))
    default:
      return value
  }
}

export const nothing: Found = { nodes: [], value: undefined }
export const outside: Found = { nodes: [], value: external }
