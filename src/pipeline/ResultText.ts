/** Results as JSON text. Apart from how they are made, which takes the registry: a server loads that with its engine. */
import type { UnknownRecord } from "../registry/Json.ts"
import type { CallResult } from "./CallResult.ts"

/** JSON texts of structured values that were made anyway. */
const texts = new WeakMap<UnknownRecord, string>()

/** Keeps the JSON text of a structured value for as long as there is that value. */
export const keepText = (value: UnknownRecord, json: string): void => {
  texts.set(value, json)
}

/** A result as JSON text, in the order of the protocol's schema. */
export const serialize = ({ _meta, content, isError, structuredContent }: CallResult): string =>
  `{"_meta":${JSON.stringify(_meta)},"content":${JSON.stringify(content)},"structuredContent":${texts.get(structuredContent) ?? JSON.stringify(structuredContent)}${isError === true ? `,"isError":true` : ""}}`
