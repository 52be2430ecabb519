/** What the compiler says of a result's type, as the schema of the JSON it becomes. */
import type { JsonRecord } from "../../registry/Json.ts"
import {
  type Checker,
  SignatureKind,
  SymbolFlags,
  type Symbol as Declared,
  type Type,
  TypeFlags
} from "typescript/unstable/sync"

/** A schema, its objects closed. `{}` is anything. */
export type Shape = JsonRecord

const anything: Shape = {}

/** Depth of objects in objects up to which a shape is told. */
const deepest = 9

const isObject = (shape: Shape): boolean => shape["type"] === "object"
const isArray = (shape: Shape): boolean => shape["type"] === "array"
const isOpen = (shape: Shape): boolean => Object.keys(shape).length === 0

const same = (left: Shape, right: Shape): boolean => JSON.stringify(left) === JSON.stringify(right)

type Properties = { readonly [name: string]: Shape }
const propertiesOf = (shape: Shape): Properties => (shape["properties"] ?? {}) as Properties
const requiredOf = (shape: Shape): ReadonlyArray<string> => (shape["required"] ?? []) as ReadonlyArray<string>

const objectOf = (properties: Properties, required: ReadonlyArray<string>, others: Shape | false): Shape => ({
  type: "object",
  ...(Object.keys(properties).length === 0 ? {} : { properties }),
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: others !== false && isOpen(others) ? true : others
})

/** One object for several: with the members of all, and those required that all of them require. */
const mergeObjects = (left: Shape, right: Shape): Shape => {
  const [one, other] = [propertiesOf(left), propertiesOf(right)]
  const properties: { [name: string]: Shape } = {}
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    properties[name] = either([one[name], other[name]].filter((part) => part !== undefined))
  const kept = new Set(requiredOf(right))
  const [closed, open] = [left["additionalProperties"], right["additionalProperties"]]
  const others =
    closed === true || open === true
      ? anything
      : closed === false
        ? open
        : open === false
          ? closed
          : either([closed as Shape, open as Shape])
  return objectOf(
    properties,
    requiredOf(left).filter((name) => kept.has(name)),
    others as Shape | false
  )
}

/** One schema for several: objects and arrays are put together, literals are listed. */
export const either = (shapes: ReadonlyArray<Shape>): Shape => {
  const parts: Array<Shape> = []
  for (const shape of shapes.flatMap((each) => (each["anyOf"] ?? [each]) as ReadonlyArray<Shape>)) {
    if (isOpen(shape)) return anything
    const at = parts.findIndex(
      (part) =>
        same(part, shape) ||
        (isObject(part) && isObject(shape)) ||
        (isArray(part) && isArray(shape)) ||
        (part["enum"] !== undefined && shape["enum"] !== undefined)
    )
    const part = parts[at]
    if (part === undefined) parts.push(shape)
    else if (same(part, shape)) continue
    else if (isObject(shape)) parts[at] = mergeObjects(part, shape)
    else if (isArray(shape)) {
      const items = either(
        [part["items"] as Shape, shape["items"] as Shape].filter((one) => one !== undefined)
      )
      parts[at] = { type: "array", ...(isOpen(items) ? {} : { items }) }
    } else parts[at] = { enum: [...new Set([...(part["enum"] as []), ...(shape["enum"] as [])])].sort() }
  }
  // A literal beside its own type says nothing.
  const kinds = new Set(parts.map((part) => part["type"]))
  const left = parts.flatMap((part) => {
    if (part["enum"] === undefined) return [part]
    const values = (part["enum"] as ReadonlyArray<unknown>).filter((value) => !kinds.has(typeof value))
    return values.length === 0 ? [] : [{ enum: values } as Shape]
  })
  return left.length === 1 ? (left[0] as Shape) : { anyOf: left }
}

/** The same with every object in it open. */
export const opened = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, inner]) => {
      if (key === "additionalProperties") return [key, inner === false ? true : inner]
      if (key === "items") return [key, opened(inner as Shape)]
      if (key === "anyOf") return [key, (inner as ReadonlyArray<Shape>).map(opened)]
      if (key === "properties")
        return [
          key,
          Object.fromEntries(Object.entries(inner as Properties).map(([name, one]) => [name, opened(one)]))
        ]
      return [key, inner]
    })
  )

/** Reads shapes out of types. */
export class Shapes {
  readonly #checker: Checker
  readonly #known = new Map<number, Shape>()
  readonly #within: Array<number> = []

  constructor(checker: Checker) {
    this.#checker = checker
  }

  /** What an Effect of a type succeeds with; undefined for no Effect. */
  success(type: Type): Type | undefined {
    const checker = this.#checker
    const brand = checker
      .getPropertiesOfType(type)
      .find(({ escapedName }) => escapedName.startsWith("__@EffectTypeId@"))
    const variance = brand === undefined ? undefined : checker.getTypeOfSymbol(brand)
    const slot = variance === undefined ? undefined : checker.getPropertyOfType(variance, "_A")
    const covariant = slot === undefined ? undefined : checker.getTypeOfSymbol(slot)
    return covariant === undefined ? undefined : this.returned(covariant)
  }

  /** What calling a function of a type gives. */
  returned(type: Type): Type | undefined {
    const [signature] = this.#checker.getSignaturesOfType(type, SignatureKind.Call)
    return signature === undefined ? undefined : this.#checker.getReturnTypeOfSignature(signature)
  }

  /** The schema of an answer: of its value, where it comes with directions, and of a list as the answer's items. */
  ofAnswer(type: Type): Shape {
    return either(
      this.#members(type).map((member) => {
        if (member.getSymbol()?.name === "Answer") {
          const value = this.#checker.getPropertyOfType(member, "value")
          const inner = value === undefined ? undefined : this.#checker.getTypeOfSymbol(value)
          return inner === undefined ? anything : this.of(inner)
        }
        const shape = this.of(member)
        return isArray(shape) ? objectOf({ items: shape }, ["items"], false) : shape
      })
    )
  }

  of(type: Type): Shape {
    const known = this.#known.get(type.id)
    if (known !== undefined) return known
    // A type in itself is told once.
    if (this.#within.includes(type.id) || this.#within.length > deepest) return anything
    this.#within.push(type.id)
    const shape = this.#shape(type)
    this.#within.pop()
    if (this.#within.length === 0) this.#known.set(type.id, shape)
    return shape
  }

  #members(type: Type): ReadonlyArray<Type> {
    return type.isUnionType() ? type.getTypes() : [type]
  }

  #shape(type: Type): Shape {
    if (type.isUnionType()) {
      const members = type
        .getTypes()
        .filter(({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Void)) === 0)
      return members.length === 0 ? anything : either(members.map((member) => this.of(member)))
    }
    const { flags } = type
    if ((flags & TypeFlags.AnyOrUnknown) !== 0) return anything
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { enum: [type.value] }
    if ((flags & TypeFlags.BooleanLike) !== 0) return { type: "boolean" }
    if ((flags & TypeFlags.StringLike) !== 0) return { type: "string" }
    if ((flags & TypeFlags.NumberLike) !== 0) return { type: "number" }
    if ((flags & TypeFlags.Null) !== 0) return { type: "null" }
    const checker = this.#checker
    if ((flags & TypeFlags.Object) === 0 && (flags & TypeFlags.Intersection) === 0) return anything
    if (checker.isArrayLikeType(type)) {
      const items = either(
        type.isTypeReference() ? checker.getTypeArguments(type).map((inner) => this.of(inner)) : [anything]
      )
      return { type: "array", ...(isOpen(items) ? {} : { items }) }
    }
    if (checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return anything
    const properties: { [name: string]: Shape } = {}
    const required: Array<string> = []
    for (const symbol of checker.getPropertiesOfType(type)) {
      const told = this.#property(symbol)
      if (told === undefined) continue
      properties[symbol.name] = told.shape
      if (!told.optional) required.push(symbol.name)
    }
    // `object & { … }` is told to have these members, and may have others.
    const loose =
      type.isIntersectionType() && type.getTypes().some((part) => (part.flags & TypeFlags.NonPrimitive) !== 0)
    if (loose) return objectOf(properties, required, anything)
    const [index] = checker.getIndexInfosOfType(type)
    return objectOf(properties, required, index === undefined ? false : this.of(index.valueType))
  }

  /** A property, unless it never is in JSON. */
  #property(symbol: Declared): { readonly shape: Shape; readonly optional: boolean } | undefined {
    if (symbol.escapedName.startsWith("__@")) return undefined
    const type = this.#checker.getTypeOfSymbol(symbol)
    if (type === undefined) return undefined
    const members = this.#members(type)
    const gone = ({ flags }: Type) => (flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0
    if (members.every((member) => gone(member) || (member.flags & TypeFlags.Never) !== 0)) return undefined
    return {
      shape: this.of(type),
      optional: members.some(gone) || (symbol.flags & SymbolFlags.Optional) !== 0
    }
  }
}
