import * as F from "../../registry/Fields.ts"
import * as Shared from "../fields.ts"

/** Changed symbols, one or several. */
export const bySymbols = F.target({ symbol: Shared.symbol, symbols: Shared.symbols })

/** A field of the range in `source`, which callers also send beside the range, among the options or at the top. */
export const inRange = <A, O extends boolean>(name: string, field: F.Field<A, O>): F.Field<A, O> =>
  F.aliased(field, `source.${name}`, `options.${name}`, `$.${name}`)

const line = F.integer({ min: 1 })
/** Lines of the one file a call names; 1-based, inclusive. */
export const lines = F.optional(
  F.group({ start_line: inRange("start_line", line), end_line: F.optional(inRange("end_line", line)) })
)
