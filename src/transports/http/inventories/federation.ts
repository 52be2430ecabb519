/** The shape of the address where other servers ask. */
import type { JsonRecord } from "./Schemas.ts"

const text = { type: "string" } as const
const anything = { type: "object", additionalProperties: true } as const

const json = (schema: JsonRecord): JsonRecord => ({ "application/json": { schema } })

/** A call of a tool that another server makes. */
export const asking: JsonRecord = {
  summary: "Has a tool read what stays on this machine, for another server.",
  requestBody: {
    required: true,
    content: json({
      type: "object",
      properties: { tool: { type: "string", minLength: 1 }, arguments: anything },
      required: ["tool", "arguments"],
      additionalProperties: false
    })
  },
  responses: {
    "200": {
      description: "The answer, or what the tool failed with.",
      content: json({
        type: "object",
        properties: { ok: { type: "boolean" }, value: anything, code: text, error: text, failure: anything },
        required: ["ok"],
        additionalProperties: false
      })
    },
    "403": {
      description: "The operation is none that other servers may have run.",
      content: json({
        type: "object",
        properties: { ok: { type: "boolean" }, code: text, error: text, failure: anything },
        required: ["code", "error"],
        additionalProperties: true
      })
    }
  }
}
