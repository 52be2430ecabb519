/** Values an input accepts, for property tests: read off the same description decoding is. */
import { Arbitrary, FastCheck } from "effect"
import { type Field, type Fields, type Input, mayBeAbsent } from "./Fields.ts"
import { isRecord } from "./Json.ts"

const key = FastCheck.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "__proto__")

const ofField = (field: Field.Any): FastCheck.Arbitrary<unknown> => {
  const { shape } = field
  switch (shape.tag) {
    case "leaf":
      return shape.json !== undefined && Object.keys(shape.json).length === 0
        ? FastCheck.jsonValue()
        : Arbitrary.make(shape.schema)
    case "clamped":
      return shape.whole
        ? FastCheck.integer({ min: shape.range.min, max: shape.range.max })
        : FastCheck.double({ min: shape.range.min, max: shape.range.max, noNaN: true })
    case "list":
      return FastCheck.array(ofField(shape.item), {
        minLength: shape.min,
        maxLength: Math.min(shape.max ?? 4, Math.max(4, shape.min))
      })
    case "json":
      return ofField(shape.value).filter((value) => typeof value !== "string")
    case "record":
      return FastCheck.dictionary(key, ofField(shape.value), { maxKeys: 3 })
    case "group":
      return ofFields(shape.fields)
    case "target": {
      const each = Object.entries(shape.selectors).map(([name, inner]) =>
        ofField(inner).map((value) => ({ [name]: value }))
      )
      return FastCheck.oneof(...each)
    }
    case "union":
      return FastCheck.oneof(...shape.members.map(ofField))
  }
}

const ofFields = (fields: Fields): FastCheck.Arbitrary<{ [key: string]: unknown }> => {
  const required = Object.entries(fields)
    .filter(([, field]) => !mayBeAbsent(field))
    .map(([name]) => name)
  return FastCheck.record(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, ofField(field)])),
    { requiredKeys: required }
  ) as FastCheck.Arbitrary<{ [key: string]: unknown }>
}

const at = (root: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((here, name) => (isRecord(here) ? here[name] : undefined), root)

/** Arguments an operation accepts, at their published places, rules across fields included. */
export const ofInput = (input: Input.Any): FastCheck.Arbitrary<{ readonly [key: string]: unknown }> => {
  const sent = (value: unknown, paths: ReadonlyArray<string>) =>
    paths.filter((path) => {
      const found = at(value, path)
      return found !== undefined && found !== "" && !(Array.isArray(found) && found.length === 0)
    }).length
  return ofFields(input.fields).filter(
    (value) =>
      (input.rules.exactlyOne ?? []).every((paths) => sent(value, paths) === 1) &&
      (input.rules.atLeastOne ?? []).every((paths) => sent(value, paths) >= 1) &&
      (input.rules.atMostOne ?? []).every((paths) => sent(value, paths) <= 1)
  )
}
