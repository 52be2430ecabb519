import * as F from "../../registry/Fields.ts"

export const dryRun = F.withDefault(F.described(F.flag, "say what would happen and write nothing"), false)

/** What the files have to be; every file is guarded by what was read in any case. */
export const guard = F.group({
  base_sha: F.optional(F.described(F.record(F.text), "git blob SHA-1 by path, of files as last read")),
  snapshot: F.optional(F.described(F.text, "snapshot a dry run answered"))
})
