import * as F from "../../registry/Fields.ts"

/** The repository a call is about: its prefix, or a path inside it. */
export const repository = F.optional(
  F.repository(
    F.described(F.text, "repository prefix, or a path inside the repository; untracked is an error")
  )
)
