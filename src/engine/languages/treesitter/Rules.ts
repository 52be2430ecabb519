/**
 * What a language says about its syntax tree. A rule set is a table from node types to what a node of that type
 * means; {@link import("./Walk.ts").Walk} runs over the tree once, in source order, and applies it.
 */
import type { ResultUse } from "../Vocabulary.ts"
import type { GrammarFile } from "./Grammar.ts"
import type { Node } from "./SyntaxTree.ts"
import type { Walk } from "./Walk.ts"

/** Called when the walk reaches a node, before its children. */
export type Visit = (w: Walk, n: Node) => void

/** Makes the expression of a node, or -1 where its value or type is not known. */
export type Form = (w: Walk, n: Node) => number

export interface Rules {
  readonly grammar: GrammarFile
  /** A short valid text that exercises fields and aliases, for checking how trees are read. */
  readonly probe: string
  readonly nodes: { readonly [type: string]: Visit }
  /** Value expressions by node type, tokens such as "this" included. */
  readonly values: { readonly [type: string]: Form }
  /** Type expressions by node type; types not listed are not understood. */
  readonly types: { readonly [type: string]: Form }
  /** Node types that hand a role given to them on to their children. */
  readonly passes: ReadonlyArray<string>
  /** Node types of comments. */
  readonly comments: ReadonlyArray<string>
  /** How a comment starts that documents the declaration below it. */
  readonly docs: RegExp
  /** What becomes of a value, by the type of the node around it. */
  readonly uses: { readonly [type: string]: ResultUse }
  /** Node types of whole string literals, quotes included. */
  readonly strings: ReadonlyArray<string>
  /** Names of functions whose first argument is an environment variable's name, such as "getenv". */
  readonly environment?: ReadonlyArray<string>
  /** Names of functions whose first argument may be a route, such as "get". */
  readonly routes?: ReadonlyArray<string>
  /** Before the walk, with everything set up. */
  readonly begin?: (w: Walk) => void
  /** After the walk, with the file's scope still open. */
  readonly finish?: (w: Walk) => void
}

/** Steps into the node, unchanged: the value or type of `(x)` is that of x. */
export const inner =
  (which: (w: Walk, n: Node) => Node, of: "value" | "type" = "value"): Form =>
  (w, n) => {
    const at = which(w, n)
    return at < 0 ? -1 : of === "value" ? w.valueOf(at) : w.typeOf(at)
  }
