import * as F from "../../../registry/Fields.ts"
import * as Shared from "../../fields.ts"

/** Where a walk starts, and where a way ends. */
export const start = F.target({ symbol: F.aliased(Shared.symbol, "source_id") })
export const end = F.target({ symbol: F.aliased(F.text, "id", "sink_id") })
