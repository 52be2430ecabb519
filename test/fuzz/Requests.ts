/**
 * Requests made from an OpenAPI document: some as it says they should be, some with one thing wrong, some that are wrong
 * all over. The same seed makes the same requests, but for the ids that answers brought.
 */
import { FastCheck as fc } from "effect"
import { generateSync } from "json-schema-faker"

export type JsonObject = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An operation of a document, with what a request to it is made of. */
export interface Target {
  readonly method: string
  /** `/a/{b}`. */
  readonly template: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonObject
  }>
  /** Schema of a JSON body; undefined when none is taken. */
  readonly body: JsonObject | undefined
  /** Schema of each answer that is JSON, by status; null for one that is not. */
  readonly answers: { readonly [status: string]: JsonObject | null }
}

export interface Made {
  readonly target: Target
  readonly method: string
  /** As it goes on the wire. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
  /** What was done to it; empty for a request as the document has them. */
  readonly twists: ReadonlyArray<string>
}

const methods = ["get", "post", "put", "patch", "delete"]

/** Replaces references within a document. */
const resolved = (value: unknown, document: JsonObject, depth = 0): unknown => {
  if (depth > 60) return {}
  if (Array.isArray(value)) return value.map((inner) => resolved(inner, document, depth + 1))
  if (!isObject(value)) return value
  const ref = value["$ref"]
  if (typeof ref === "string") {
    const found = ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document)
    return resolved(found, document, depth + 1)
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, resolved(inner, document, depth + 1)])
  )
}

const jsonSchemaOf = (content: unknown): JsonObject | undefined => {
  const media = isObject(content) ? content["application/json"] : undefined
  const schema = isObject(media) ? media["schema"] : undefined
  return isObject(schema) ? schema : undefined
}

/** The operations of an OpenAPI document. */
export const targetsOf = (document: JsonObject): ReadonlyArray<Target> =>
  Object.entries((resolved(document["paths"], document) ?? {}) as JsonObject).flatMap(([template, item]) =>
    methods.flatMap((method): ReadonlyArray<Target> => {
      const operation = (item as JsonObject)[method]
      if (!isObject(operation)) return []
      const body = operation["requestBody"]
      const responses = (operation["responses"] ?? {}) as { readonly [status: string]: JsonObject }
      return [
        {
          method: method.toUpperCase(),
          template,
          parameters: ((operation["parameters"] ?? []) as ReadonlyArray<JsonObject>).map((parameter) => ({
            name: String(parameter["name"]),
            in: String(parameter["in"]),
            required: parameter["required"] === true,
            schema: (parameter["schema"] ?? {}) as JsonObject
          })),
          body: isObject(body) ? jsonSchemaOf(body["content"]) : undefined,
          answers: Object.fromEntries(
            Object.entries(responses).map(([status, response]) => [
              status,
              jsonSchemaOf(response["content"]) ?? null
            ])
          )
        }
      ]
    })
  )

/** Names and their arguments that a body may hold: with them a request gets further than its envelope. */
export interface Words {
  /** Tools by name, with the schema of their arguments. */
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly schema: JsonObject
    readonly available: boolean
  }>
  /** Ids that were given out. */
  readonly ids: ReadonlyArray<string>
  /** Sessions that were opened. */
  readonly sessions: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
}

/** Numbers below a bound, the same ones for a seed. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const nasty: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  "",
  " ",
  "\u0000",
  "\ud800",
  "😀".repeat(50),
  "../../../../etc/passwd",
  "a".repeat(20_000),
  "%00%2e%2e",
  "${jndi:x}",
  "' OR 1=1 --",
  "__proto__",
  "constructor",
  "(a+)+$",
  "[",
  {},
  [],
  [[]],
  { __proto__: null, constructor: { prototype: {} } },
  Array.from({ length: 2000 }, () => 0)
]

const deep = (levels: number): unknown => {
  let value: unknown = "x"
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Places within a value that can be changed, the outer ones of one that is very deep. */
const placesOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null && path.length < 20
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))]
    : [path]

const changed = (
  value: unknown,
  path: ReadonlyArray<string>,
  change: (value: unknown) => unknown
): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((inner, at) => (`${at}` === key ? changed(inner, rest, change) : inner))
  return { ...(value as object), [key]: changed((value as JsonObject)[key], rest, change) }
}

/** Whether a body can have a tool called. */
const callsOf = (body: JsonObject | undefined): boolean => {
  const properties = body?.["properties"]
  return isObject(properties) && ("arguments" in properties || "jsonrpc" in properties)
}

/** Makes requests without end. */
export class Requests {
  readonly #pick: (below: number) => number
  readonly #targets: ReadonlyArray<Target>
  /** Those that take something. */
  readonly #askable: ReadonlyArray<Target>
  readonly #words: Words
  #seed: number

  constructor(targets: ReadonlyArray<Target>, words: Words, seed: number) {
    this.#targets = targets
    this.#askable = targets.filter(({ body, parameters }) => body !== undefined || parameters.length > 0)
    this.#words = words
    this.#seed = seed
    this.#pick = numbers(seed)
  }

  #one<A>(of: ReadonlyArray<A>): A {
    return of[this.#pick(of.length)] as A
  }

  #often(percent: number): boolean {
    return this.#pick(100) < percent
  }

  /** A value that fits a schema, as far as the generator can tell. */
  #fitting(schema: JsonObject): unknown {
    const make = (optionalsProbability: number): unknown =>
      generateSync(
        schema as never,
        {
          seed: ++this.#seed,
          optionalsProbability,
          maxDefaultItems: 3,
          validateSchemaVersion: false
        } as never
      )
    // Where a schema wants some field or other, the generator needs them all.
    for (const probability of [this.#one([0, 0.3, 1]), 1])
      try {
        return make(probability)
      } catch {}
    return {}
  }

  /** Arguments that fit, seldom with a cursor, which cannot be guessed. */
  #arguments(schema: JsonObject): unknown {
    const value = this.#fitting(schema)
    if (isObject(value) && isObject(value["output"]) && this.#often(90)) {
      const { cursor: _, ...output } = value["output"]
      return { ...value, output }
    }
    return value
  }

  #anything(): unknown {
    const seed = ++this.#seed
    return this.#often(60)
      ? this.#one(nasty)
      : fc.sample(fc.jsonValue({ maxDepth: 4 }), { seed, numRuns: 1 })[0]
  }

  #twisted(value: unknown): { readonly value: unknown; readonly twist: string } {
    const place = this.#one(placesOf(value))
    const at = place.join(".") || "the whole"
    switch (this.#pick(5)) {
      case 0:
        if (place.length > 0) {
          const key = place.at(-1) as string
          const without = (parent: unknown): unknown =>
            Array.isArray(parent)
              ? parent.filter((_, index) => `${index}` !== key)
              : Object.fromEntries(Object.entries(parent as object).filter(([name]) => name !== key))
          return { value: changed(value, place.slice(0, -1), without), twist: `without ${at}` }
        }
        return { value: {}, twist: "nothing in it" }
      case 1:
        return {
          value: changed(value, place, (inner) =>
            isObject(inner)
              ? { ...inner, [this.#one(["scope", "zz", "principal", ""])]: this.#anything() }
              : [inner]
          ),
          twist: `more in ${at}`
        }
      case 2:
        return { value: changed(value, place, () => deep(this.#one([10, 70, 2000]))), twist: `${at} is deep` }
      default:
        return { value: changed(value, place, () => this.#anything()), twist: `${at} is something else` }
    }
  }

  /** A tool, seldom one that is not there. */
  #tool(): Words["tools"][number] {
    const there = this.#words.tools.filter(({ available }) => available)
    return this.#one(there.length > 0 && this.#often(95) ? there : this.#words.tools)
  }

  /** Puts a tool and its arguments into a body that has room for them. */
  #filled(target: Target, body: unknown): unknown {
    const properties = target.body?.["properties"]
    if (!isObject(body) || !isObject(properties)) return body
    if ("jsonrpc" in properties) return this.#message()
    if (!("name" in properties) || !("arguments" in properties)) return body
    if (this.#words.tools.length === 0 || this.#often(10)) return body
    const tool = this.#tool()
    return {
      ...body,
      type: "portos_tool_call",
      version: 1,
      requestId: this.#often(80) ? `fuzz-${++this.#seed}` : "fuzz-again",
      name: tool.name,
      arguments: this.#arguments(tool.schema)
    }
  }

  /** A message of the protocol. */
  #message(): unknown {
    const id = ++this.#seed
    const tool = this.#words.tools.length === 0 ? undefined : this.#tool()
    return this.#one<unknown>([
      {
        jsonrpc: "2.0",
        id,
        method: "initialize",
        params: {
          protocolVersion: this.#one(["2025-06-18", "2025-11-25", "1.0", ""]),
          capabilities: {},
          clientInfo: { name: this.#one(["claude-code", "x", ""]), version: "1" }
        }
      },
      { jsonrpc: "2.0", id, method: "tools/list", params: {} },
      {
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: {
          name: this.#one(["search_context", "get_context", "list_context", "context_profile", "x"]),
          arguments: this.#one([
            {},
            { query: "greet" },
            { scope: "symbols" },
            { ref: "symbols:x" },
            { zz: 1 }
          ])
        }
      },
      { jsonrpc: "2.0", id, method: "ping" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } },
      {
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: {
          name: tool?.name.split(".")[0] ?? "x",
          arguments: { operation: tool?.name.split(".")[1], ...(this.#fitting(tool?.schema ?? {}) as object) }
        }
      }
    ])
  }

  next(): Made {
    const some = this.#askable.length > 0 && this.#often(90) ? this.#askable : this.#targets
    const bodied = some.filter(({ body }) => body !== undefined)
    const calling = bodied.filter(({ body }) => callsOf(body))
    const target = this.#one(
      calling.length > 0 && this.#often(35) ? calling : bodied.length > 0 && this.#often(50) ? bodied : some
    )
    const twists: Array<string> = []
    const valueOf = (schema: JsonObject, name: string): string => {
      if (/session-id$/i.test(name) && this.#words.sessions.length > 0 && this.#often(90))
        return this.#one(this.#words.sessions)
      const known = this.#words.ids.filter((id) => id.startsWith("job_") === (name === "jobId"))
      if (/id$|reference/i.test(name) && known.length > 0 && this.#often(60)) return this.#one(known)
      if (this.#often(20)) {
        twists.push(`${name} is something else`)
        const value = this.#anything()
        return typeof value === "string" ? value : JSON.stringify(value)
      }
      const value = this.#fitting(schema)
      return typeof value === "string" ? value : JSON.stringify(value)
    }
    const escaped = (text: string): string => {
      if (this.#often(3)) {
        twists.push("raw text in the address")
        return text.replace(/[^!-~]/g, "").slice(0, 500)
      }
      return encodeURIComponent(Buffer.from(text.slice(0, 3000)).toString())
    }
    let path = target.template
    const query: Array<string> = []
    const headers: { [name: string]: string } = {}
    for (const { in: place, name, required, schema } of target.parameters) {
      if (place === "path") path = path.replace(`{${name}}`, () => escaped(valueOf(schema, name)) || "x")
      else if (required || this.#often(50)) {
        if (place === "query") query.push(`${encodeURIComponent(name)}=${escaped(valueOf(schema, name))}`)
        else
          headers[name.toLowerCase()] = valueOf(schema, name)
            .replace(/[^ -~]/g, "?")
            .slice(0, 2000)
      }
    }
    if (this.#often(5)) {
      twists.push("more in the query")
      query.push(this.#one(["zz=1", "%", "a=%E0%A4%A", "=&=&", "format=", "scope=all&scope=all"]))
    }
    if (this.#often(2)) {
      twists.push("another path")
      path += this.#one(["/", "/..", "/%2e%2e/%2e%2e", "/%00", "//x", ";a=b", "/%"])
    }
    if (this.#often(85)) headers["authorization"] = `Bearer ${this.#one(this.#words.tokens)}`
    else if (this.#often(50))
      headers["authorization"] = this.#one(["Bearer", "Bearer x", "Basic eDp5", "\t", "Bearer a b"])
    if (this.#often(target.template.includes("mcp") ? 90 : 20))
      headers["accept"] = "application/json, text/event-stream"
    else if (this.#often(20))
      headers["accept"] = this.#one(["*/*", "text/html", "application/xml", ";;;", ""])
    if (this.#often(10)) headers["if-none-match"] = this.#one(["*", '"x"', 'W/"', ",,,", "\t"])
    if (this.#often(5)) headers["last-event-id"] = this.#one(["0", "-1", "1e9", "x", "", "9007199254740993"])
    if (this.#often(5)) headers["idempotency-key"] = this.#one(["fuzz-again", "", "é", "a".repeat(300)])
    if (this.#often(30)) headers["portico-stateless"] = "1"

    let body: string | undefined
    if (target.body !== undefined) {
      headers["content-type"] = "application/json"
      let value = this.#filled(target, this.#fitting(target.body))
      for (let more = this.#one([0, 0, 0, 1, 2]); more > 0; more--) {
        const { twist, value: next } = this.#twisted(value)
        twists.push(twist)
        value = next
      }
      body = JSON.stringify(value) ?? ""
      const id = isObject(value) ? value["requestId"] : undefined
      if (headers["idempotency-key"] !== undefined && typeof id === "string" && this.#often(80))
        headers["idempotency-key"] = id.replace(/[^ -~]/g, "?").slice(0, 2000)
      if (this.#often(3)) {
        twists.push("broken JSON")
        body = this.#one([body.slice(0, -1), `${body}x`, "", "{", "\ufeff{}", "[1,]", "NaN", body.repeat(2)])
      }
      if (this.#often(3)) {
        twists.push("another kind of body")
        headers["content-type"] = this.#one([
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          "x"
        ])
      }
    } else if (this.#often(3)) {
      twists.push("a body")
      body = "{}"
      headers["content-type"] = "application/json"
    }
    let { method } = target
    if (this.#often(2)) {
      twists.push("another method")
      method = this.#one(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
    }
    return {
      target,
      method,
      path: query.length === 0 ? path : `${path}?${query.join("&")}`,
      headers,
      body,
      twists
    }
  }
}
