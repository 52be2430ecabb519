/** Which changes an operation looks at: of the work tree, the index, or against another revision. */
import * as F from "../registry/Fields.ts"

/** Changes not staged, staged, both, or those since `base`. */
const scope = F.optional(F.choice("unstaged", "staged", "all", "compare"))
/** Revision to compare with. Naming one means scope `compare`. */
const base = F.optional(
  F.aliased(F.described(F.text, "revision to compare with; implies scope compare"), "base_ref")
)

export const diffFields = { scope, base }

/** The same with the text of a diff in place of one git makes. */
export const diffFieldsOrText = {
  ...diffFields,
  diff: F.optional(F.described(F.text, "unified diff, in place of one made by git"))
}

/** What is compared; `base` is there exactly for scope `compare`. */
export type Changes =
  | { readonly scope: "unstaged" | "staged" | "all" }
  | { readonly scope: "compare"; readonly base: string }

/** The changes meant: a base alone means compare, compare alone means against `main`, nothing means unstaged. */
export const changes = (source: {
  readonly scope?: "unstaged" | "staged" | "all" | "compare"
  readonly base?: string
}): Changes => {
  if (source.base !== undefined) return { scope: "compare", base: source.base }
  return source.scope === "compare"
    ? { scope: "compare", base: "main" }
    : { scope: source.scope ?? "unstaged" }
}

/** One of several repositories in the workspace. */
export const repository = F.optional(
  F.repository(F.described(F.text, "one repository of the workspace, by name or path"))
)

/** A file and lines in it, 1-based and inclusive. */
export const lineRange = F.group({
  file: F.aliased(F.path, "path"),
  start_line: F.integer({ min: 1 }),
  end_line: F.optional(F.integer({ min: 1 }))
})
