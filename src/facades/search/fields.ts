import * as F from "../../registry/Fields.ts"

/** Languages by their ids. */
export const languages = F.optional(
  F.aliased(F.described(F.csv, "language ids to keep"), "languages", "lang")
)
/** Structural flavours of a definition. */
export const flavor = F.optional(
  F.described(F.csv, "flavours of symbol to keep: class, struct, enum, trait, component …")
)
