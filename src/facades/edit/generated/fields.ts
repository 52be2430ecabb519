/** Input fields that operations with made output share. */
import * as F from "../../../registry/Fields.ts"

export const outputPath = F.optional(
  F.described(F.path, "file to write; absent to get the text in the answer")
)
export const minCommunity = F.clamped({ min: 1, max: 1000, default: 3 })
export const maxCommunities = F.clamped({ min: 1, max: 1000, default: 20 })
