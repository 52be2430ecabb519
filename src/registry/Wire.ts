/** Text forms that every answer has besides JSON. */
import { encode } from "@toon-format/toon"
import * as Gcx from "./Gcx.ts"
import type { UnknownRecord } from "./Json.ts"
import { layoutOf } from "./Layout.ts"

/** `gcx`: rows between tabs, see {@link file://./Gcx.ts}. `toon`: Token-Oriented Object Notation. */
export const wireFormats = ["gcx", "toon"] as const

/** Makes the text of a value, if it can in at most so many bytes. */
export type Render = (value: UnknownRecord, bytes?: number) => string

/** What answered, and the members of rows that the caller asked for. */
export interface Answered {
  readonly facade: string
  readonly operation: string
  readonly fields: ReadonlyArray<string> | undefined
}

/** How a tool's answers are written in a form; undefined for forms that are not everybody's. */
export const renderer = (format: string, tool: string, of?: Answered): Render | undefined => {
  switch (format) {
    case "gcx":
      return (value, bytes = Infinity) =>
        Gcx.encodeWithin(
          Gcx.sectionsOf(
            tool,
            value,
            of && { layout: layoutOf(`${of.facade}.${of.operation}`), fields: of.fields }
          ),
          bytes
        )
    case "toon":
      // Values as JSON has them: what has no place there has none here.
      return (value) => `${encode(JSON.parse(JSON.stringify(value)))}\n`
    default:
      return undefined
  }
}
