/**
 * Flat arguments: every field of an operation under one name, without containers and selectors, as canonical tools take
 * them. A field's flat name is the last part of its place, except where callers of the canonical tools have always said
 * otherwise.
 */
import { type Field, type Fields, mayBeAbsent } from "./Fields.ts"
import { containers, expectation } from "./Input.ts"
import { equal, isRecord, type UnknownRecord } from "./Json.ts"
import type { Operation } from "./Operation.ts"

/** Places whose flat name is another word, for all operations. */
const usual: { readonly [place: string]: string } = {
  path: "repo",
  "target.artifact": "id",
  "target.file": "path",
  "target.symbol": "id",
  "target.symbols": "ids",
  "source.file": "path",
  changes: "edits",
  match: "old_string",
  replacement: "new_string"
}

/** One field under its flat name. */
export interface FlatField {
  readonly name: string
  /** Published place, such as `target.symbol`. */
  readonly place: string
  readonly field: Field.Any
  /** No call does without it. */
  readonly required: boolean
}

/** Selectors of which a call has exactly one, by flat name. */
export interface Selectors {
  readonly names: ReadonlyArray<string>
  readonly required: boolean
}

/** An operation's input, flattened. */
export interface Flat {
  /** By flat name, in the order of the input; the operation's own fields hide output controls of the same name. */
  readonly fields: ReadonlyMap<string, FlatField>
  readonly selectors: ReadonlyArray<Selectors>
}

const nameAt = (operation: Operation.Any, place: string): string =>
  operation.flat[place] ?? usual[place] ?? place.slice(place.lastIndexOf(".") + 1)

const made = new WeakMap<Operation.Any, Flat>()

/** The flat form of an operation's input; the same object each time. */
export const flatten = (operation: Operation.Any): Flat => {
  const held = made.get(operation)
  if (held !== undefined) return held
  const fields = new Map<string, FlatField>()
  const selectors: Array<Selectors> = []
  const nameOf = (place: string): string => nameAt(operation, place)
  const visit = (members: Fields, prefix: string, needed: boolean): void => {
    for (const [member, field] of Object.entries(members)) {
      const place = `${prefix}${member}`
      const required = needed && !mayBeAbsent(field)
      if (field.shape.tag === "group") visit(field.shape.fields, `${place}.`, required)
      else if (field.shape.tag === "target") {
        const alternatives = Object.keys(field.shape.selectors).map((key) => nameOf(`${place}.${key}`))
        const only = alternatives.length === 1
        if (!only) selectors.push({ names: alternatives, required })
        visit(field.shape.selectors, `${place}.`, required && only)
      } else {
        const name = nameOf(place)
        if (!fields.has(name)) fields.set(name, { name, place, field, required })
      }
    }
  }
  const { output, ...own } = operation.input.fields
  visit(own, "", true)
  if (output !== undefined) visit({ output }, "", true)
  const flat = { fields, selectors }
  made.set(operation, flat)
  return flat
}

/** Puts a value at a dotted place; false where the caller has something else there already. */
const put = (root: { [key: string]: unknown }, place: string, value: unknown): boolean => {
  const steps = place.split(".")
  const last = steps.pop() as string
  let here = root
  for (const step of steps) {
    const inner = Object.hasOwn(here, step) ? here[step] : undefined
    if (inner !== undefined && !isRecord(inner)) return false
    const next = { ...inner }
    here[step] = next
    here = next
  }
  if (Object.hasOwn(here, last) && here[last] !== undefined) return equal(here[last], value)
  here[last] = value
  return true
}

/** Whether a field's own value may be an object. */
const takesObjects = ({ shape }: Field.Any): boolean =>
  shape.tag === "leaf"
    ? shape.json?.["type"] === undefined || shape.json["type"] === "object"
    : shape.tag !== "clamped" && shape.tag !== "list"

/**
 * Brings flat arguments to their published places. What has no flat name stays where it is, so that the operation's own
 * decoding knows it by another spelling or says what is wrong with it.
 */
export const lower = (operation: Operation.Any, args: UnknownRecord): UnknownRecord => {
  const { fields } = flatten(operation)
  const out: { [key: string]: unknown } = {}
  const flat: Array<readonly [FlatField, unknown]> = []
  for (const [key, value] of Object.entries(args)) {
    const known = fields.get(key)
    // A name that is a container as well is the container when it holds an object.
    const isContainer =
      isRecord(value) &&
      (containers as ReadonlyArray<string>).includes(key) &&
      !(known !== undefined && takesObjects(known.field))
    if (known === undefined || known.place === key || isContainer) {
      Object.defineProperty(out, key, { value, enumerable: true, writable: true, configurable: true })
    } else flat.push([known, value])
  }
  for (const [{ name, place }, value] of flat) if (!put(out, place, value)) out[name] = value
  return out
}

/** The reverse: published places under their flat names. What has none stays where it is. */
export const raise = (operation: Operation.Any, args: UnknownRecord): UnknownRecord => {
  const { fields } = flatten(operation)
  const names = new Map([...fields.values()].map(({ name, place }) => [place, name]))
  const out: { [key: string]: unknown } = {}
  const visit = (value: UnknownRecord, prefix: string): void => {
    for (const [key, inner] of Object.entries(value)) {
      const place = `${prefix}${key}`
      const name = names.get(place)
      if (name !== undefined) out[name] = inner
      else if (isRecord(inner)) visit(inner, `${place}.`)
      // A control whose name the operation has for something else stays in its container.
      else if (prefix !== "" && fields.has(key)) {
        const container = place.slice(0, -key.length - 1)
        out[container] = { ...(out[container] as UnknownRecord | undefined), [key]: inner }
      }
      // Another spelling of the field: the name alone finds it.
      else out[key] ??= inner
    }
  }
  visit(args, "")
  return out
}

/** What a target is in flat names, and how it is described where it is published. */
const targetsOf = (operation: Operation.Any) =>
  Object.entries(operation.input.fields).flatMap(([place, field]) => {
    if (field.shape.tag !== "target") return []
    const names = Object.keys(field.shape.selectors).map((selector) =>
      nameAt(operation, `${place}.${selector}`)
    )
    return [{ place, names, expected: expectation(field) }]
  })

/** Says places of a refusal in flat names: one place, or all that stand in a sentence. */
export const speak = (operation: Operation.Any) => {
  const names = new Map([...flatten(operation).fields.values()].map(({ name, place }) => [place, name]))
  const targets = targetsOf(operation)
  for (const target of targets) names.set(target.place, target.names.join(" or "))
  const word = (place: string): string => names.get(place) ?? place
  return {
    word,
    /** A selector of a target by its flat name. */
    selector: (name: string): string =>
      targets.length === 0 ? name : nameAt(operation, `${targets[0]?.place ?? "target"}.${name}`),
    sentence: (text: string): string =>
      targets
        .reduce(
          (said, { expected, names: those }) =>
            said.replaceAll(expected, those.length === 1 ? "a value" : `exactly one of ${those.join(", ")}`),
          text
        )
        // Places with a dot are no words of any language.
        .replace(/\b[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+\b/g, word)
        // A place without one is a place only where a complaint begins.
        .replace(
          /(^|: |; )([a-z][a-z0-9_]*)(?= (?:must|is|says|could|would)\b)/g,
          (_, before: string, place: string) => before + word(place)
        )
  }
}
