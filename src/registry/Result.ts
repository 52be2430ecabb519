/**
 * What an operation's answers look like: the schema of its result, as the compiler sees it in the operation's handler,
 * with what the last steps of an answer may add, and how a failure looks. Where a result is open the schema says so.
 */
import { isRecord, type Json, type JsonRecord } from "./Json.ts"
import type { Operation } from "./Operation.ts"
import { results } from "./ResultShapes.ts"

const text: JsonRecord = { type: "string" }
const number: JsonRecord = { type: "number" }
const flag: JsonRecord = { type: "boolean" }
const texts: JsonRecord = { type: "array", items: text }
const open: JsonRecord = { type: "object", additionalProperties: true }

const closed = (properties: JsonRecord, required: ReadonlyArray<string> = []): JsonRecord => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false
})

const followUp: JsonRecord = closed({ follow_up_kind: text, tool: text, arguments: open }, [
  "follow_up_kind",
  "tool",
  "arguments"
])

/** A failure as it is sent; see `wire`. */
export const failureSchema: JsonRecord = closed(
  {
    error_code: text,
    message: text,
    field: text,
    reason_code: text,
    failure_stage: text,
    state_changed: flag,
    outcome_unknown: flag,
    data: open,
    recovery: followUp
  },
  ["error_code", "message"]
)

/** Members that paging, the byte budget and the notes on the input add to an answer, each when it has something to say. */
const added: JsonRecord = {
  total: number,
  next_cursor: text,
  effective: open,
  input_normalization: closed({ code: text, hint: text }, ["code", "hint"]),
  _truncated_by_budget: flag,
  _over_budget_bytes: number,
  _unknown_fields: texts,
  _row_fields: texts
}

/** How much was left out of a list or a text, by its name. */
const measures: JsonRecord = { "^_(max_returned|original_count|returned_bytes|original_bytes)_": number }

/** What other servers said, in an answer they were asked for as well. */
const ofPeers: JsonRecord = {
  peers: {
    type: "array",
    items: closed({
      name: text,
      status: text,
      ms: number,
      code: text,
      detail: text,
      rows: number,
      total: number,
      complete: flag,
      more: flag
    })
  },
  elsewhere: { type: "array", items: open }
}

/** The result of an operation by itself, by `facade.operation`; undefined where nothing is known of it. */
export const shapeOf = (facade: string, operation: string): JsonRecord | undefined => {
  const known = results[`${facade}.${operation}`]
  return known === undefined ? undefined : (JSON.parse(known) as JsonRecord)
}

const isRows = (schema: Json | undefined): schema is JsonRecord & { readonly items: JsonRecord } =>
  isRecord(schema) && schema["type"] === "array" && isRecord(schema["items"])

const isFollowUp = (schema: Json): boolean =>
  isRecord(schema) && isRecord(schema["properties"]) && "follow_up_kind" in schema["properties"]

/** A list of an answer: callers choose the members of its rows, and rows of other servers say whose they are. */
const asList = (schema: Json, federated: boolean): Json => {
  if (isRecord(schema) && Array.isArray(schema["anyOf"]))
    return {
      ...schema,
      anyOf: (schema["anyOf"] as ReadonlyArray<Json>).map((part) => asList(part, federated))
    }
  if (!isRows(schema)) return schema
  const { required: _, ...items } = schema.items
  return {
    ...schema,
    items:
      federated && isRecord(items["properties"])
        ? { ...items, properties: { ...items["properties"], origin: text } as JsonRecord }
        : items
  }
}

/** An answer that is no failure. */
const success = (shape: JsonRecord, federated: boolean): JsonRecord => {
  const properties = (shape["properties"] ?? {}) as JsonRecord
  const required = ((shape["required"] ?? []) as ReadonlyArray<string>).filter(
    // What no longer holds as a next call is left out.
    (name) => !isFollowUp(properties[name] as Json)
  )
  return {
    type: "object",
    properties: {
      ...added,
      ...(federated ? ofPeers : {}),
      ...Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, asList(inner, federated)])
      )
    },
    // Where this server has no answer, that of another one stands with its lists alone.
    ...(federated || required.length === 0 ? {} : { required }),
    patternProperties: measures,
    additionalProperties: shape["additionalProperties"] ?? true
  }
}

const made = new WeakMap<object, JsonRecord>()

/** What of an operation decides over its answers. */
export type Answering = Pick<Operation.Any, "facade" | "name" | "federated">

/** The schema of what an operation answers, failures included; the same object each time. */
export const outputSchema = (operation: Answering): JsonRecord => {
  const held = made.get(operation)
  if (held !== undefined) return held
  const shape = shapeOf(operation.facade, operation.name)
  const schema: JsonRecord =
    shape?.["type"] === "object"
      ? { type: "object", anyOf: [success(shape, operation.federated), failureSchema] }
      : open
  made.set(operation, schema)
  return schema
}

/** Whether every member an operation's answers may have at the top is told. */
export const isClosed = (operation: Answering): boolean =>
  shapeOf(operation.facade, operation.name)?.["additionalProperties"] === false
