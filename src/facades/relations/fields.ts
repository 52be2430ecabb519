import * as F from "../../registry/Fields.ts"
import * as Shared from "../fields.ts"

/** Which edges an answer is made of. */
export const trust = { min_tier: Shared.minTier, include_speculative: Shared.speculative }
/** A symbol, by its id or a name only one has. */
export const bySymbol = F.target({ symbol: Shared.symbol })
/** A symbol, or a file with all it defines. */
export const bySymbolOrFile = F.target({ symbol: Shared.symbol, file: Shared.file })
/** Rows of a page. */
export const page = { default: 50, max: 1000 }

/** Roles a use can play. `field` is a field's type, `value` a read or a write, `attribute` a decoration. */
export const roles = F.choice(
  "call",
  "new",
  "read",
  "write",
  "value",
  "type",
  "parameter_type",
  "return_type",
  "field",
  "generic_arg",
  "extends",
  "implements",
  "attribute",
  "import",
  "export",
  "macro"
)
/** What becomes of a call's result. `goroutine` says the same as `spawned`. */
export const resultUses = F.choice(
  "discarded",
  "assigned",
  "partially_ignored",
  "returned",
  "spawned",
  "goroutine",
  "deferred",
  "argument",
  "condition",
  "awaited"
)
