/** Field shapes that operations of several facades share. */
import * as F from "../registry/Fields.ts"

/** One symbol by id or by a name that only one has. */
export const symbol = F.aliased(F.text, "id", "symbol_id")
/** Several symbols by id. Every item is one id, commas and all. */
export const symbols = F.aliased(F.ids, "ids", "symbol_ids")
/** A file by repository-relative or absolute path. */
export const file = F.aliased(F.path, "path", "file_path")

/** What the caller is about to do, in plain words. */
export const task = F.described(F.text, "what you are about to do, in plain words")

/** Several paths, as an array or as comma text. */
export const paths: F.Field<ReadonlyArray<string>, false> = {
  ...F.csv,
  shape: { tag: "list", item: F.path, splits: true, jsonText: false, min: 0 }
}

/** Paths an answer is narrowed to: files or folders, any of them. */
export const subPaths = F.optional(F.described(paths, "files or folders to stay in"))
/** One path prefix. */
export const pathPrefix = F.optional(F.described(F.path, "keep rows under this path"))
/** Kinds of definition to keep. */
export const kinds = F.optional(F.described(F.csv, "kinds of symbol to keep"))
/** Leave test code out. */
export const excludeTests = F.withDefault(F.flag, false)

/** Etag of an answer the caller still holds. */
export const ifNoneMatch = F.optional(
  F.described(F.text, "etag you hold; an equal answer comes back as not_modified")
)

/** Least certain edge to follow. */
export const minTier = F.optional(
  F.described(
    F.choice("exact", "resolved", "inferred", "name"),
    "least certain edge to use; name-only edges hide by default"
  )
)
/** Follow edges that are only likely. */
export const speculative = F.withDefault(
  F.described(F.flag, "follow best guesses at dynamic dispatch too"),
  false
)

/** How far a traversal goes, in edges. */
export const depth = (standard: number, max = 20) => F.clamped({ min: 1, max, default: standard })

/** Approximate tokens an answer may take. */
export const tokenBudget = (standard: number) => F.clamped({ min: 100, max: 100_000, default: standard })

/** Words out of a closed list, as an array or as comma text. */
export const words = <const L extends readonly [string, ...ReadonlyArray<string>]>(
  ...choices: L
): F.Field<ReadonlyArray<L[number]>, false> => ({
  ...F.csv,
  shape: { tag: "list", item: F.choice(...choices), splits: true, jsonText: false, min: 0 }
})
