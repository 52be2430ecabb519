/**
 * From a caller's arguments to an operation's typed input.
 *
 * Two steps. *Lowering* brings every field to the place it is published at: declared aliases, and fields that stand in
 * another container of the envelope or at the top level when only one published field has that name. *Decoding* checks
 * the result against the closed description. Everything that is wrong is reported at once; nothing is corrected but
 * what the description calls ergonomic, and what was is reported too.
 */
import { Either, ParseResult, type Schema } from "effect"
import { type Field, type Fields, type Input, mayBeAbsent, walk } from "./Fields.ts"
import { deepest, equal, isRecord, isTooDeep, show, type JsonRecord, type UnknownRecord } from "./Json.ts"
import { nearest } from "./Names.ts"
import { isRepositorySelector, namesRepository } from "./RepositorySelector.ts"

/** Containers of the envelope, in the order they are lowered. */
export const containers = ["arguments", "options", "source", "context", "guard", "output"] as const
const isContainer = (name: string): boolean => (containers as ReadonlyArray<string>).includes(name)

/** One thing wrong with a call's arguments. */
export interface Problem {
  /** Where the caller put it, or where it should be when it is missing. */
  readonly field: string
  readonly problem: string
  readonly expected?: string
  readonly valid_fields?: ReadonlyArray<string>
  readonly suggested_field?: string
  /** More for machines: `reason`, `valid_selectors`, `selectors`, `expected_type`, `container`, … */
  readonly data?: { readonly [key: string]: unknown }
}

/** How an input was brought into form, beyond aliases. */
export interface Normalization {
  readonly code: "json_string_to_array"
  readonly hint: string
}

export interface Decoded {
  readonly value: { readonly [key: string]: unknown }
  /** Values used in place of the ones asked for, by published path. */
  readonly effective: { readonly [path: string]: unknown }
  readonly normalization: Normalization | undefined
}

/** Compiled once per operation. */
interface Plan {
  readonly input: Input.Any
  readonly fixed: JsonRecord
  /** Published paths by the last name, for fields directly under the envelope. */
  readonly index: ReadonlyMap<string, ReadonlyArray<string>>
  /** Aliases that are a place of their own. */
  readonly places: ReadonlyArray<readonly [alias: ReadonlyArray<string>, path: string]>
  readonly repositoryField: string | undefined
}

const fieldsOf = (field: Field.Any | undefined): Fields | undefined =>
  field?.shape.tag === "group" ? field.shape.fields : undefined

const aliasTables = new WeakMap<Fields, ReadonlyMap<string, string>>()

/** Fields of a container by their other names inside it. */
const siblingAliases = (fields: Fields): ReadonlyMap<string, string> => {
  const held = aliasTables.get(fields)
  if (held !== undefined) return held
  const found = new Map<string, string>()
  aliasTables.set(fields, found)
  for (const [name, field] of Object.entries(fields)) {
    for (const alias of field.aliases) if (!alias.includes(".")) found.set(alias, name)
  }
  return found
}

/** Fields of higher rank hide fields of the same name below them: an operation's own, its selectors, the shared ones. */
const plan = (input: Input.Any, fixed: JsonRecord, shared: Fields): Plan => {
  const ranks: Array<Map<string, Array<string>>> = [new Map(), new Map(), new Map()]
  const note = (rank: number, name: string, path: string) => {
    const at = ranks[rank] as Map<string, Array<string>>
    const paths = at.get(name)
    if (paths === undefined) at.set(name, [path])
    else if (!paths.includes(path)) paths.push(path)
  }
  const places: Array<readonly [ReadonlyArray<string>, string]> = []
  const own = (rank: number, prefix: string, name: string, field: Field.Any) => {
    note(rank, name, `${prefix}${name}`)
    for (const alias of field.aliases) if (!alias.includes(".")) note(rank, alias, `${prefix}${name}`)
  }
  for (const [name, field] of Object.entries(input.fields)) {
    const members = isContainer(name) ? fieldsOf(field) : undefined
    if (members !== undefined) {
      for (const [member, inner] of Object.entries(members)) {
        own(
          name === "output" && Object.hasOwn(shared, member) && shared[member] === inner ? 2 : 0,
          `${name}.`,
          member,
          inner
        )
      }
    } else if (field.shape.tag === "target") {
      for (const [selector, inner] of Object.entries(field.shape.selectors))
        own(1, `${name}.`, selector, inner)
    } else {
      own(0, "", name, field)
    }
  }
  let repositoryField: string | undefined
  let repositoryByName: string | undefined
  for (const [path, field] of walk(input.fields)) {
    for (const alias of field.aliases) {
      if (alias.includes("."))
        places.push([(alias.startsWith("$.") ? alias.slice(2) : alias).split("."), path])
    }
    if (field.selectsRepository) repositoryField ??= path
    if (namesRepository(path.slice(path.lastIndexOf(".") + 1))) repositoryByName ??= path
  }
  const index = new Map<string, ReadonlyArray<string>>()
  for (const rank of ranks) for (const [name, paths] of rank) if (!index.has(name)) index.set(name, paths)
  return { input, fixed, index, places, repositoryField: repositoryField ?? repositoryByName }
}

const valueAt = (root: UnknownRecord, path: ReadonlyArray<string>): unknown => {
  let here: unknown = root
  for (const name of path) {
    if (!isRecord(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

/** The same object without a value, and without the objects that held nothing else. */
const without = (root: UnknownRecord, [name, ...rest]: ReadonlyArray<string>): UnknownRecord => {
  const { [name as string]: inner, ...others } = root
  if (rest.length === 0 || !isRecord(inner)) return others
  const left = without(inner, rest)
  return Object.keys(left).length === 0 ? others : { ...others, [name as string]: left }
}

/** Whether a path is a published field of the input. */
const publishes = (fields: Fields, path: ReadonlyArray<string>): boolean => {
  let here: Fields | undefined = fields
  for (const [at, name] of path.entries()) {
    if (here === undefined || !Object.hasOwn(here, name)) return false
    const field: Field.Any = here[name] as Field.Any
    if (at === path.length - 1) return true
    here = field.shape.tag === "target" ? field.shape.selectors : fieldsOf(field)
  }
  return false
}

class Lowering {
  readonly out: { [key: string]: unknown } = {}
  readonly problems: Array<Problem> = []
  readonly #own = new Set<unknown>()
  readonly #from = new Map<string, string>()
  readonly plan: Plan
  constructor(plan: Plan) {
    this.plan = plan
  }

  put(path: string, value: unknown, from: string): void {
    const steps = path.split(".")
    const last = steps.pop() as string
    let here: any = this.out
    for (const step of steps) {
      if (Object.hasOwn(here, step) && !isRecord(here[step])) return
      // The caller's own objects are never written to.
      if (!this.#own.has(here[step])) this.#own.add((here[step] = { ...here[step] }))
      here = here[step]
    }
    const before = Object.hasOwn(here, last) ? here[last] : undefined
    if (before === undefined) {
      Object.defineProperty(here, last, { value, enumerable: true, writable: true, configurable: true })
      this.#from.set(path, from)
      return
    }
    // A container that arrives whole after single fields of it merges with them.
    if (isRecord(before) && isRecord(value) && !this.#from.has(path)) {
      for (const [name, inner] of Object.entries(value)) this.put(`${path}.${name}`, inner, `${from}.${name}`)
      return
    }
    if (!equal(before, value)) {
      const other = this.#from.get(path) ?? path
      this.problems.push({
        field: from,
        problem: `says something else than ${other}; send one of them`,
        data: { reason: "conflicting_fields", fields: [other, from], canonical_field: path }
      })
    }
  }

  /** A field that stands where none of that name is published. */
  elsewhere(container: string | undefined, name: string, value: unknown): void {
    const at = container === undefined ? name : `${container}.${name}`
    const paths = this.plan.index.get(name)
    if (paths?.length === 1) {
      this.put(paths[0] as string, value, at)
    } else if (paths !== undefined) {
      this.problems.push({
        field: at,
        problem: `could be ${paths.join(" or ")}; send it there`,
        valid_fields: paths,
        data: { reason: "ambiguous_field" }
      })
    } else {
      this.unknown(container, name, value)
    }
  }

  unknown(container: string | undefined, name: string, value: unknown): void {
    const at = container === undefined ? name : `${container}.${name}`
    const { fixed, input, repositoryField } = this.plan
    if (Object.hasOwn(fixed, name)) {
      if (equal(fixed[name], value)) return
      this.problems.push({
        field: at,
        problem: `is fixed to ${show(fixed[name])} by this operation`,
        data: { reason: "fixed_argument", fixed_arguments: fixed }
      })
      return
    }
    const data = container === undefined ? {} : { container }
    if (isRepositorySelector(name)) {
      this.problems.push(
        repositoryField === undefined
          ? {
              field: at,
              problem:
                "would select a repository, and this operation takes none: it answers about the active project, " +
                "which workspace_admin.set_active_project changes",
              data: {
                ...data,
                reason: "no_repository_selector",
                change_scope_with: "workspace_admin.set_active_project"
              }
            }
          : {
              field: at,
              problem: `is not how this operation names a repository; send ${repositoryField}`,
              suggested_field: repositoryField,
              data
            }
      )
      return
    }
    const siblings =
      container === undefined
        ? Object.keys(input.fields)
        : Object.keys(fieldsOf(input.fields[container]) ?? {}).map((sibling) => `${container}.${sibling}`)
    const every = [...walk(input.fields)]
      .filter(([, field]) => field.shape.tag !== "group")
      .map(([path]) => path)
    this.problems.push(stray(at, name, siblings.length > 0 ? siblings : every, every, data))
  }

  container(name: string, value: unknown): void {
    const field = this.plan.input.fields[name]
    const members = fieldsOf(field)
    if (field !== undefined && members === undefined) return this.put(name, value, name)
    if (!isRecord(value)) {
      if (field === undefined && this.plan.index.has(name)) return this.elsewhere(undefined, name, value)
      this.problems.push({
        field: name,
        problem: `must be an object, got ${show(value)}`,
        expected: "object",
        data: {
          received_type: value === null ? "null" : Array.isArray(value) ? "array" : typeof value,
          accepted_fields: Object.keys(members ?? this.plan.input.fields),
          accepted_shape: "object"
        }
      })
      return
    }
    if (members !== undefined) this.#own.add((this.out[name] ??= {}))
    const aliases = members === undefined ? undefined : siblingAliases(members)
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      if (members !== undefined && Object.hasOwn(members, key))
        this.put(`${name}.${key}`, inner, `${name}.${key}`)
      else if (aliases?.has(key)) this.put(`${name}.${aliases.get(key)}`, inner, `${name}.${key}`)
      else this.elsewhere(name, key, inner)
    }
  }

  run(raw: UnknownRecord): void {
    let work: UnknownRecord = raw
    const moved: Array<readonly [string, unknown, string]> = []
    for (const [alias, path] of this.plan.places) {
      if (publishes(this.plan.input.fields, alias)) continue
      const value = valueAt(work, alias)
      if (value === undefined) continue
      work = without(work, alias)
      moved.push([path, value, alias.join(".")])
    }
    const names = Object.keys(work).filter((name) => work[name] !== undefined)
    for (const name of containers)
      if (Object.hasOwn(work, name) && work[name] !== undefined) this.container(name, work[name])
    const { fields } = this.plan.input
    const aliases = siblingAliases(fields)
    const later = (name: string) => (name === "target" ? 1 : name === "to" ? 2 : 0)
    for (const name of names.sort((a, b) => later(a) - later(b))) {
      if (isContainer(name)) continue
      if (Object.hasOwn(fields, name)) {
        const value = work[name]
        const shape = (fields[name] as Field.Any).shape
        if (shape.tag === "target" && isRecord(value)) {
          const selectors = siblingAliases(shape.selectors)
          this.#own.add((this.out[name] ??= {}))
          for (const [key, inner] of Object.entries(value))
            this.put(`${name}.${selectors.get(key) ?? key}`, inner, `${name}.${key}`)
        } else this.put(name, value, name)
      } else if (aliases.has(name)) this.put(aliases.get(name) as string, work[name], name)
      else if ((name === "target" || name === "to") && !this.plan.index.has(name)) {
        this.problems.push({
          field: name,
          problem: "is not taken by this operation",
          valid_fields: Object.keys(fields),
          data: { reason: "unsupported_target", valid_selectors: [] }
        })
      } else this.elsewhere(undefined, name, work[name])
    }
    for (const [path, value, from] of moved) this.put(path, value, from)
  }
}

const stray = (
  field: string,
  name: string,
  valid: ReadonlyArray<string>,
  candidates: ReadonlyArray<string>,
  data: { readonly [key: string]: unknown } = {}
): Problem => {
  const suggested = nearest(name, valid) ?? nearest(name, candidates)
  return {
    field,
    problem: `is not a field of this operation${suggested === undefined ? "" : `; did you mean ${suggested}?`}`,
    valid_fields: valid,
    ...(suggested === undefined ? {} : { suggested_field: suggested }),
    data: { ...data, reason: "unknown_field" }
  }
}

/** Stands for a value that could not be decoded; a problem has been recorded. */
const refused = Symbol("refused")

interface Pass {
  readonly problems: Array<Problem>
  readonly effective: { [path: string]: unknown }
  normalization: Normalization | undefined
}

const wrong = (
  pass: Pass,
  field: string,
  expected: string,
  value: unknown,
  data?: UnknownRecord
): typeof refused => {
  pass.problems.push({
    field,
    problem: `must be ${expected}, got ${show(value)}`,
    expected,
    ...(data === undefined ? {} : { data })
  })
  return refused
}

const one = (selectors: ReadonlyArray<string>): string =>
  selectors.length === 1
    ? `object with ${selectors[0]}`
    : `object with exactly one of ${selectors.join(", ")}`

/** What a field accepts, in words that complete "must be …". */
export const expectation = (field: Field.Any): string => {
  const { shape } = field
  switch (shape.tag) {
    case "leaf":
      return shape.expected
    case "clamped":
      return `${shape.whole ? "integer" : "number"} from ${shape.range.min} to ${shape.range.max}`
    case "list":
      return shape.splits ? "array of strings or comma text" : "array"
    case "json":
      return "JSON value or its text"
    case "record":
    case "group":
      return "object"
    case "target":
      return one(Object.keys(shape.selectors))
    case "union":
      return shape.members.map(expectation).join(" or ")
  }
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : { value }
  } catch {
    return undefined
  }
}

const decodeFields = (fields: Fields, value: UnknownRecord, prefix: string, pass: Pass): unknown => {
  const out: { [key: string]: unknown } = {}
  let bad = false
  const aliases = siblingAliases(fields)
  const given = new Map<string, unknown>()
  for (const [key, inner] of Object.entries(value)) {
    const name = Object.hasOwn(fields, key) ? key : aliases.get(key)
    if (inner === undefined) continue
    if (name === undefined) {
      const valid = Object.keys(fields).map((sibling) => `${prefix}${sibling}`)
      pass.problems.push(stray(`${prefix}${key}`, key, valid, valid))
      bad = true
    } else if (given.has(name) && !equal(given.get(name), inner)) {
      pass.problems.push({
        field: `${prefix}${key}`,
        problem: `says something else than another spelling of ${prefix}${name}; send one of them`,
        data: { reason: "conflicting_fields", canonical_field: `${prefix}${name}` }
      })
      bad = true
    } else given.set(name, inner)
  }
  for (const [name, field] of Object.entries(fields)) {
    const path = `${prefix}${name}`
    if (given.has(name)) {
      const decoded = decodeField(field, given.get(name), path, pass)
      if (decoded === refused) bad = true
      else out[name] = decoded
    } else if (field.default !== undefined) out[name] = field.default
    else if (field.optional) continue
    else if (field.shape.tag === "group") {
      const decoded = decodeFields(field.shape.fields, {}, `${path}.`, pass)
      if (decoded === refused) bad = true
      else out[name] = decoded
    } else {
      const expected = expectation(field)
      pass.problems.push({
        field: path,
        problem: `is required: ${expected}`,
        expected,
        data: {
          reason: "missing_field",
          ...(field.shape.tag === "target"
            ? { valid_selectors: Object.keys(field.shape.selectors), selectors: [] }
            : {})
        }
      })
      bad = true
    }
  }
  return bad ? refused : out
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)

const decodeTarget = (selectors: Fields, value: unknown, path: string, pass: Pass): unknown => {
  const valid = Object.keys(selectors)
  if (!isRecord(value)) {
    return wrong(pass, path, one(valid), value, { valid_selectors: valid })
  }
  const aliases = siblingAliases(selectors)
  const named: { [key: string]: unknown } = {}
  for (const [key, inner] of Object.entries(value)) named[aliases.get(key) ?? key] = inner
  let bad = false
  for (const key of Object.keys(named)) {
    if (Object.hasOwn(selectors, key)) continue
    const suggested = nearest(key, valid)
    pass.problems.push({
      field: `${path}.${key}`,
      problem: `is not a selector of this operation; valid: ${valid.join(", ")}`,
      valid_fields: valid.map((name) => `${path}.${name}`),
      ...(suggested === undefined ? {} : { suggested_field: `${path}.${suggested}` }),
      data: { reason: "unsupported_target", valid_selectors: valid }
    })
    bad = true
  }
  if (bad) return refused
  const sent = Object.keys(named).filter((key) => !isEmpty(named[key]))
  if (sent.length !== 1) {
    pass.problems.push({
      field: path,
      problem: `must have exactly one of ${valid.join(", ")}; ${sent.length === 0 ? "it has none" : `it has ${sent.join(", ")}`}`,
      expected: `exactly one of ${valid.join(", ")}`,
      data: { reason: "selector_count", valid_selectors: valid, selectors: sent }
    })
    return refused
  }
  const name = sent[0] as string
  const decoded = decodeField(selectors[name] as Field.Any, named[name], `${path}.${name}`, pass)
  return decoded === refused ? refused : { [name]: decoded }
}

const decodeList = (field: Field.Any, raw: unknown, path: string, pass: Pass): unknown => {
  const shape = field.shape as Extract<Field.Any["shape"], { tag: "list" }>
  let value = raw
  if (typeof value === "string") {
    const json = value.trimStart().startsWith("[") ? parsed(value) : undefined
    if (Array.isArray(json?.value)) {
      if (!shape.jsonText) {
        return wrong(pass, path, shape.splits ? "array of strings or comma text" : "array", raw, {
          reason: "json_text"
        })
      }
      value = json.value
      pass.normalization ??= {
        code: "json_string_to_array",
        hint: "Send the array itself, not its JSON text."
      }
    } else if (shape.splits) {
      value = value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
    }
  }
  if (!Array.isArray(value)) return wrong(pass, path, expectation(field), raw)
  if (value.length < shape.min || value.length > (shape.max ?? Infinity)) {
    const range = shape.max === undefined ? `at least ${shape.min}` : `${shape.min} to ${shape.max}`
    pass.problems.push({
      field: path,
      problem: `must have ${range} items, got ${value.length}`,
      expected: `${range} items`,
      data: { reason: "item_count" }
    })
    return refused
  }
  let bad = false
  const out = value.map((item, at) => {
    const decoded = decodeField(shape.item, item, `${path}.${at}`, pass)
    if (decoded === refused) bad = true
    return decoded
  })
  return bad ? refused : out
}

/** The field that tells the members of a union apart, with the values each has for it. */
const discriminatorOf = (
  members: ReadonlyArray<Field.Any>
): { readonly name: string; readonly values: ReadonlyArray<unknown> } | undefined => {
  const groups = members.map(fieldsOf)
  const [first] = groups
  if (first === undefined || groups.length < 2) return undefined
  for (const name of Object.keys(first)) {
    const values = groups.map((fields) => {
      const shape = fields?.[name]?.shape
      return shape?.tag === "leaf" ? shape.json?.["const"] : undefined
    })
    if (values.every((value) => value !== undefined)) return { name, values }
  }
  return undefined
}

/** Reports the member that the discriminator names, or else the one that came furthest. */
const decodeUnion = (
  members: ReadonlyArray<Field.Any>,
  value: unknown,
  path: string,
  pass: Pass
): unknown => {
  const tag = discriminatorOf(members)
  const said = tag !== undefined && isRecord(value) ? value[tag.name] : undefined
  if (tag !== undefined && said !== undefined) {
    if (!tag.values.includes(said))
      return wrong(
        pass,
        `${path}.${tag.name}`,
        `one of ${tag.values.map((one) => JSON.stringify(one)).join(", ")}`,
        said,
        { valid_values: tag.values }
      )
    return decodeField(members[tag.values.indexOf(said)] as Field.Any, value, path, pass)
  }
  let best: ReadonlyArray<Problem> | undefined
  const score = (problems: ReadonlyArray<Problem>) =>
    problems.some((_) => _.field === path)
      ? Infinity
      : problems.length + (problems.some((_) => _.expected?.startsWith('"')) ? 1000 : 0)
  for (const member of members) {
    const attempt: Pass = { problems: [], effective: {}, normalization: undefined }
    const decoded = decodeField(member, value, path, attempt)
    if (decoded !== refused) {
      Object.assign(pass.effective, attempt.effective)
      pass.normalization ??= attempt.normalization
      return decoded
    }
    if (best === undefined || score(attempt.problems) < score(best)) best = attempt.problems
  }
  if (best === undefined || score(best) === Infinity)
    return wrong(pass, path, members.map(expectation).join(" or "), value)
  pass.problems.push(...best)
  return refused
}

type Parser = (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>
const parsers = new WeakMap<object, Parser>()

/** The parser of a leaf's schema, compiled when first met. */
const parser = (schema: Schema.Schema.AnyNoContext): Parser => {
  const held = parsers.get(schema)
  if (held !== undefined) return held
  const made: Parser = ParseResult.decodeUnknownEither(schema)
  parsers.set(schema, made)
  return made
}

const decodeField = (field: Field.Any, value: unknown, path: string, pass: Pass): unknown => {
  const { shape } = field
  switch (shape.tag) {
    case "leaf": {
      const result = parser(shape.schema)(value)
      if (Either.isRight(result)) return result.right
      const data =
        field.selectsRepository || isRepositorySelector(path.slice(path.lastIndexOf(".") + 1))
          ? { expected_type: "non-empty string" }
          : Array.isArray(shape.json?.["enum"])
            ? { [shape.choices ?? "valid_values"]: shape.json["enum"] }
            : undefined
      return wrong(pass, path, shape.expected, value, data)
    }
    case "clamped": {
      const { max, min } = shape.range
      if (
        typeof value !== "number" ||
        !Number.isFinite(value) ||
        (shape.whole && !Number.isInteger(value)) ||
        value < min
      ) {
        return wrong(pass, path, expectation(field), value, {
          reason: "out_of_range",
          minimum: min,
          maximum: max
        })
      }
      if (value <= max) return value
      pass.effective[path] = max
      return max
    }
    case "list":
      return decodeList(field, value, path, pass)
    case "json": {
      if (typeof value !== "string") return decodeField(shape.value, value, path, pass)
      const json = parsed(value)
      return json === undefined
        ? wrong(pass, path, "JSON value or its text", value)
        : decodeField(shape.value, json.value, path, pass)
    }
    case "record": {
      if (!isRecord(value)) return wrong(pass, path, "object", value)
      let bad = false
      const out: { [key: string]: unknown } = {}
      for (const [key, inner] of Object.entries(value)) {
        const decoded = decodeField(shape.value, inner, `${path}.${key}`, pass)
        if (decoded === refused) bad = true
        else
          Object.defineProperty(out, key, {
            value: decoded,
            enumerable: true,
            writable: true,
            configurable: true
          })
      }
      return bad ? refused : out
    }
    case "group":
      return isRecord(value)
        ? decodeFields(shape.fields, value, `${path}.`, pass)
        : wrong(pass, path, "object", value)
    case "target":
      return decodeTarget(shape.selectors, value, path, pass)
    case "union":
      return decodeUnion(shape.members, value, path, pass)
  }
}

const checkRules = (input: Input.Any, value: UnknownRecord, pass: Pass): void => {
  const sent = (paths: ReadonlyArray<string>) =>
    paths.filter((path) => !isEmpty(valueAt(value, path.split("."))))
  const complain = (paths: ReadonlyArray<string>, found: ReadonlyArray<string>, need: string) =>
    pass.problems.push({
      field: found[1] ?? (paths[0] as string),
      problem: `${need} of ${paths.join(", ")} must be sent${found.length === 0 ? "" : `; got ${found.join(", ")}`}`,
      expected: `${need} of ${paths.join(", ")}`,
      valid_fields: paths,
      data: { reason: "field_combination", fields: found }
    })
  for (const paths of input.rules.exactlyOne ?? []) {
    const found = sent(paths)
    if (found.length !== 1) complain(paths, found, "exactly one")
  }
  for (const paths of input.rules.atLeastOne ?? []) {
    const found = sent(paths)
    if (found.length === 0) complain(paths, found, "at least one")
  }
  for (const paths of input.rules.atMostOne ?? []) {
    const found = sent(paths)
    if (found.length > 1) complain(paths, found, "at most one")
  }
}

/**
 * Decodes arguments for one operation. `shared` are the output controls the registry added; an operation's own fields
 * of the same name come first. Compiles on the first call.
 */
export const decoder = (
  input: () => Input.Any,
  fixed: JsonRecord = {},
  shared: Fields = {}
): ((raw: unknown) => Either.Either<Decoded, ReadonlyArray<Problem>>) => {
  let compiled: Plan | undefined
  return (raw) => {
    compiled ??= plan(input(), fixed, shared)
    if (!isRecord(raw)) {
      return Either.left([
        { field: "arguments", problem: `must be an object, got ${show(raw)}`, expected: "object" }
      ])
    }
    const tooDeep = Object.keys(raw).filter((name) => isTooDeep(raw[name]))
    if (tooDeep.length > 0) {
      const expected = `at most ${deepest} levels of objects and arrays`
      return Either.left(
        tooDeep.map((field) => ({
          field,
          problem: `must have ${expected}`,
          expected,
          data: { reason: "too_deep" }
        }))
      )
    }
    const lowering = new Lowering(compiled)
    lowering.run(raw)
    const pass: Pass = { problems: lowering.problems, effective: {}, normalization: undefined }
    const value = decodeFields(compiled.input.fields, lowering.out, "", pass)
    checkRules(compiled.input, lowering.out, pass)
    if (value === refused || pass.problems.length > 0) return Either.left(pass.problems)
    return Either.right({
      value: value as Decoded["value"],
      effective: pass.effective,
      normalization: pass.normalization
    })
  }
}

/** Names of the top-level fields a caller has to send. */
export const requiredFields = (fields: Fields): ReadonlyArray<string> =>
  Object.entries(fields)
    .filter(([, field]) => !mayBeAbsent(field))
    .map(([name]) => name)
