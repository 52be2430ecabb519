import * as F from "../../registry/Fields.ts"
import * as Shared from "../fields.ts"

/** Severities to keep. */
export const severities = Shared.words("error", "warning", "info")

/** Which rules to match, and where. */
export const rules = {
  detector: F.optional(F.described(F.csv, "names of rules")),
  severity: F.optional(severities),
  language: F.optional(F.described(F.csv, "language ids")),
  path_prefix: Shared.pathPrefix
}
