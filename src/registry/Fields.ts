/**
 * The vocabulary operations describe their input with.
 *
 * A field is data: its shape, what happens when it is absent, its other spellings, how strictly it is held. Decoding,
 * JSON Schema and arbitraries are all read off that one description, on first use. The types are our own because a
 * struct schema per operation costs the compiler several times as much, and an operation needs none of what it keeps.
 */
import { Schema } from "effect"
import type { Json, JsonRecord } from "./Json.ts"

/**
 * How a value is held. `exact`: refused unless it is right, because a repair could change target, authority, effect,
 * retry safety or evidence. `ergonomic`: only bounds resources or presentation, so it is brought into range.
 */
export type Strictness = "exact" | "ergonomic"

/** Bounds of an ergonomic number. Below `min` is refused, above `max` is held at `max` and reported. */
export interface Range {
  readonly min: number
  readonly max: number
  readonly default?: number
}

/** What a field's value looks like. */
export type Shape =
  | {
      readonly tag: "leaf"
      readonly schema: Schema.Schema<any, any>
      readonly expected: string
      readonly json?: JsonRecord
      readonly choices?: string
    }
  | { readonly tag: "clamped"; readonly range: Range; readonly whole: boolean }
  | {
      readonly tag: "list"
      readonly item: Field.Any
      readonly splits: boolean
      readonly jsonText: boolean
      readonly min: number
      readonly max?: number
    }
  | { readonly tag: "json"; readonly value: Field.Any }
  | { readonly tag: "record"; readonly value: Field.Any }
  | { readonly tag: "group"; readonly fields: Fields }
  | { readonly tag: "target"; readonly selectors: Fields }
  | { readonly tag: "union"; readonly members: ReadonlyArray<Field.Any> }

export interface Field<out A, out Optional extends boolean> {
  /** Whether the decoded value may be absent. A field with a default is never absent. */
  readonly optional: Optional
  readonly shape: Shape
  readonly strictness: Strictness
  readonly default: Json | undefined
  readonly aliases: ReadonlyArray<string>
  readonly description: string | undefined
  /** The field states which repository a call is about. */
  readonly selectsRepository: boolean
  readonly _A?: A
}
export declare namespace Field {
  type Any = Field<any, boolean>
  type Type<F> = F extends Field<infer A, any> ? A : never
}
export type Fields = { readonly [key: string]: Field.Any }

type Show<T> = { [K in keyof T]: T[K] } & {}

/** The decoded value of a set of fields. */
export type Struct<F extends Fields> = Show<
  { readonly [K in keyof F as F[K]["optional"] extends true ? never : K]: Field.Type<F[K]> } & {
    readonly [K in keyof F as F[K]["optional"] extends true ? K : never]?: Field.Type<F[K]>
  }
>

/** Exactly one of the selectors; the others are known to be undefined. */
export type OneOf<F extends Fields> = {
  [K in keyof F]: Show<
    { readonly [P in K]: Field.Type<F[P]> } & { readonly [P in Exclude<keyof F, K>]?: undefined }
  >
}[keyof F]

/** A requirement across fields, each named by its published path (`options.from_id`). */
export interface Rules {
  /** Sets of which exactly one field must be sent. */
  readonly exactlyOne?: ReadonlyArray<ReadonlyArray<string>>
  /** Sets of which at least one field must be sent. */
  readonly atLeastOne?: ReadonlyArray<ReadonlyArray<string>>
  /** Sets of which at most one field may be sent. */
  readonly atMostOne?: ReadonlyArray<ReadonlyArray<string>>
}

/** The whole input of an operation, its fields at the places callers put them. */
export interface Input<in out A> {
  readonly fields: Fields
  readonly rules: Rules
  readonly _A?: (_: A) => A
}
export declare namespace Input {
  type Any = Input<any>
  type Type<I> = I extends Input<infer A> ? A : never
}

/** Describes an operation's input. */
export const input = <const F extends Fields>(fields: F, rules: Rules = {}): Input<Struct<F>> => ({
  fields,
  rules
})

const field = <A>(shape: Shape, strictness: Strictness = "exact"): Field<A, false> => ({
  optional: false,
  shape,
  strictness,
  default: undefined,
  aliases: [],
  description: undefined,
  selectsRepository: false
})

const leaf = <A>(schema: Schema.Schema<A, any>, expected: string, json?: JsonRecord): Field<A, false> =>
  field({ tag: "leaf", schema, expected, ...(json === undefined ? {} : { json }) })

/** Text with something other than white space in it. */
export const text: Field<string, false> = leaf(
  Schema.String.pipe(Schema.filter((value) => value.trim() !== "")),
  "non-empty string",
  { type: "string", minLength: 1 }
)
/** Spellings of places that are no paths here: addresses, a home folder, and other systems' drives. */
const noPath =
  process.platform === "win32"
    ? /^(?:[a-z][a-z0-9+.-]+:\/\/|~(?:[\\/]|$))/i
    : /^(?:[a-z][a-z0-9+.-]+:\/\/|~(?:[\\/]|$)|[a-z]:[\\/])/i
/** A path of a file or folder: relative to the repository, or absolute inside it. */
export const path: Field<string, false> = leaf(
  Schema.String.pipe(Schema.filter((value) => value.trim() !== "" && !noPath.test(value))),
  "path relative to the repository, such as src/a.ts, and no URL, home folder or drive",
  { type: "string", minLength: 1 }
)
/** Any text, also none. */
export const anyText: Field<string, false> = leaf(Schema.String, "string", { type: "string" })
/** True or false. */
export const flag: Field<boolean, false> = leaf(Schema.Boolean, "boolean", { type: "boolean" })
/** A whole number from 0 up. */
export const count: Field<number, false> = leaf(Schema.NonNegativeInt, "integer of at least 0", {
  type: "integer",
  minimum: 0
})
/** Any JSON value. */
export const anything: Field<unknown, false> = leaf(Schema.Unknown, "any JSON value", {})

const bounds = (limits: { readonly min?: number; readonly max?: number }): string =>
  limits.min !== undefined && limits.max !== undefined
    ? ` from ${limits.min} to ${limits.max}`
    : limits.min !== undefined
      ? ` of at least ${limits.min}`
      : limits.max !== undefined
        ? ` of at most ${limits.max}`
        : ""

const numeric =
  (base: Schema.Schema<number>, word: "integer" | "number") =>
  (limits: { readonly min?: number; readonly max?: number } = {}): Field<number, false> =>
    leaf(
      // Stated as bounds, so that values for tests are made within them rather than thrown away outside.
      base.pipe(
        (self): Schema.Schema<number> =>
          limits.min === undefined ? self : self.pipe(Schema.greaterThanOrEqualTo(limits.min)),
        (self): Schema.Schema<number> =>
          limits.max === undefined ? self : self.pipe(Schema.lessThanOrEqualTo(limits.max))
      ),
      `${word}${bounds(limits)}`,
      {
        type: word,
        ...(limits.min === undefined ? {} : { minimum: limits.min }),
        ...(limits.max === undefined ? {} : { maximum: limits.max })
      }
    )

/** A whole number held exactly: outside its range it is refused. Stays below 2^53. */
export const integer = numeric(
  Schema.Int.pipe(Schema.between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  "integer"
)
/** A finite number held exactly. */
export const number = numeric(Schema.Finite, "number")

/** One of the given words. */
export const choice = <const L extends readonly [string, ...ReadonlyArray<string>]>(
  ...choices: L
): Field<L[number], false> =>
  leaf(Schema.Literal(...choices) as Schema.Schema<any>, `one of ${choices.join(", ")}`, {
    type: "string",
    enum: choices
  })

/** The same, and a refusal lists the words under this key (`valid_channels`) instead of `valid_values`. */
export const choiceAs = <const L extends readonly [string, ...ReadonlyArray<string>]>(
  key: string,
  ...choices: L
): Field<L[number], false> => {
  const self = choice(...choices)
  return { ...self, shape: { ...self.shape, choices: key } as Shape }
}

/** Exactly this value. Tells members of a union apart. */
export const constant = <const V extends string | number | boolean>(value: V): Field<V, false> =>
  leaf(Schema.Literal(value) as Schema.Schema<any>, JSON.stringify(value), { const: value })

/** A value with a schema of its own. `expected` completes "must be …". */
export const schema = <A, I>(of: Schema.Schema<A, I>, expected: string, json?: JsonRecord): Field<A, false> =>
  leaf(of, expected, json)

interface Length {
  readonly min?: number
  readonly max?: number
}
const listOf = <A>(
  item: Field.Any,
  length: Length,
  options: { readonly splits?: boolean; readonly jsonText?: boolean }
): Field<A, false> =>
  field({
    tag: "list",
    item,
    splits: options.splits ?? false,
    jsonText: options.jsonText ?? false,
    min: length.min ?? 0,
    ...(length.max === undefined ? {} : { max: length.max })
  })

/** A list of values. A host that sends the array as JSON text is understood. */
export const list = <A>(item: Field<A, boolean>, length: Length = {}): Field<ReadonlyArray<A>, false> =>
  listOf(item, length, { jsonText: true })
/** A list of texts. A host that sends the array as JSON text is understood. */
export const texts: Field<ReadonlyArray<string>, false> = listOf(text, {}, { jsonText: true })
/** A list of ids, at least one: nothing but an array will do, and every item is taken as it stands. */
export const ids: Field<ReadonlyArray<string>, false> = listOf(text, { min: 1 }, {})
/** Comma text or an array. Only the text is split; array items stay whole, commas and all. */
export const csv: Field<ReadonlyArray<string>, false> = listOf(text, {}, { splits: true })

/** A value, or the JSON text of one. */
export const json: Field<unknown, false> = field({ tag: "json", value: anything })
/** A value of a known shape, or its JSON text. */
export const jsonOf = <A>(value: Field<A, boolean>): Field<A, false> => field({ tag: "json", value })

/** An object with any keys and values of one kind. */
export const record = <A>(value: Field<A, boolean>): Field<{ readonly [key: string]: A }, false> =>
  field({ tag: "record", value })

/** A closed object. When all its fields may be absent the object may be too, and its defaults still apply. */
export const group = <const F extends Fields>(fields: F): Field<Struct<F>, false> =>
  field({ tag: "group", fields })

/** An object with exactly one selector out of the given. */
export const target = <const F extends Fields>(selectors: F): Field<OneOf<F>, false> =>
  field({ tag: "target", selectors })

/** The first member that fits. */
export const union = <const M extends readonly [Field.Any, ...ReadonlyArray<Field.Any>]>(
  ...members: M
): Field<Field.Type<M[number]>, false> => field({ tag: "union", members })

interface Clamped {
  (range: { readonly min: number; readonly max: number; readonly default: number }): Field<number, false>
  (range: { readonly min: number; readonly max: number }): Field<number, true>
}
const held = (whole: boolean): Clamped =>
  ((range: Range) => ({
    ...field({ tag: "clamped", range, whole }, "ergonomic"),
    optional: range.default === undefined,
    default: range.default
  })) as any

/** A whole number that only bounds work or output: held at `max`, refused below `min`. */
export const clamped: Clamped = held(true)
/** The same for any finite number. */
export const clampedNumber: Clamped = held(false)

/** May be left out. */
export const optional = <A>(self: Field<A, false>): Field<A, true> =>
  ({ ...self, optional: true }) as Field<A, true>

/** May be left out, and is then this value. */
export const withDefault = <A extends Json | undefined>(self: Field<A, boolean>, value: A): Field<A, false> =>
  ({ ...self, optional: false, default: value }) as Field<A, false>

/**
 * Other spellings. A bare name stands beside the field; a dotted path (`context.start_line`) is a place of its own,
 * and `$.path` is a name at the top level. Both spellings with different values are refused.
 */
export const aliased = <A, O extends boolean>(
  self: Field<A, O>,
  ...aliases: ReadonlyArray<string>
): Field<A, O> => ({
  ...self,
  aliases: [...self.aliases, ...aliases]
})

/** Says what the field means, in a capability's schema. */
export const described = <A, O extends boolean>(self: Field<A, O>, description: string): Field<A, O> => ({
  ...self,
  description
})

/** Overrides how strictly the field is held. */
export const strictly = <A, O extends boolean>(self: Field<A, O>, strictness: Strictness): Field<A, O> => ({
  ...self,
  strictness
})

/** Marks a field that states which repository a call is about, whatever its name. */
export const repository = <A, O extends boolean>(self: Field<A, O>): Field<A, O> => ({
  ...self,
  selectsRepository: true
})

/** Whether a caller may leave the field out. */
export const mayBeAbsent = (self: Field.Any): boolean =>
  self.optional ||
  self.default !== undefined ||
  (self.shape.tag === "group" && Object.values(self.shape.fields).every(mayBeAbsent))

/** Every field with its published path, containers before their members. Items of lists are not walked. */
export const walk = function* (
  fields: Fields,
  prefix = ""
): Generator<readonly [path: string, field: Field.Any]> {
  for (const [name, member] of Object.entries(fields)) {
    yield [`${prefix}${name}`, member]
    if (member.shape.tag === "group") yield* walk(member.shape.fields, `${prefix}${name}.`)
    if (member.shape.tag === "target") yield* walk(member.shape.selectors, `${prefix}${name}.`)
  }
}
