/** Results as JSON text. Apart from how they are made, which takes the registry: a server loads that with its engine. */
import type { UnknownRecord } from "../registry/Json.ts"
import type { CallResult } from "./CallResult.ts"

/** JSON texts of structured values that were made anyway. */
const texts = new WeakMap<UnknownRecord, string>()

/** Keeps the JSON text of a structured value for as long as there is that value. */
export const keepText = (value: UnknownRecord, json: string): void => {
  texts.set(value, json)
}

/** The JSON text of a structured value. */
export const textOf = (value: UnknownRecord): string => texts.get(value) ?? JSON.stringify(value)

/** A result as JSON text, in the order of the protocol's schema. */
export const serialize = ({ _meta, content, isError, structuredContent }: CallResult): string =>
  `{"_meta":${JSON.stringify(_meta)},"content":${JSON.stringify(content)},"structuredContent":${textOf(structuredContent)}${isError === true ? `,"isError":true` : ""}}`

/** A result as it is kept. Text that only repeats the structured value is left out. */
export const stored = (result: CallResult): string => {
  const { _meta, content, isError, structuredContent } = result
  const json = textOf(structuredContent)
  return content.length === 1 && content[0]?.text === json
    ? `{"structuredContent":${json},${isError === true ? `"isError":true,` : ""}"_meta":${JSON.stringify(_meta)}}`
    : JSON.stringify(result)
}

/** The result that was kept as a text. */
export const restored = (text: string): CallResult => {
  const kept = JSON.parse(text) as Omit<CallResult, "content"> & Partial<CallResult>
  return { content: [{ type: "text", text: JSON.stringify(kept.structuredContent) }], ...kept }
}
