/**
 * A rule as data: what it looks for, where it does not count, and what it tells. Rules of the catalogue and rules of a
 * project's settings have this one form.
 */

/** What a rule is for. `domain` is a project's own. */
export type Family = "sast" | "hygiene" | "review" | "unsafe_patterns" | "domain"
export type Severity = "error" | "warning" | "info"

/**
 * A place in a syntax tree: a piece of code with variables (`$NAME` one node, `$$$NAME` any number of neighbours), with
 * `select` the first node of a type in it, with `only` in some of the rule's languages; or any node of some types, `kind` being a regular expression that a whole
 * type name has to fit.
 */
export type Place =
  | string
  | { readonly code: string; readonly select?: string; readonly only?: ReadonlyArray<string> }
  | { readonly kind: string; readonly text?: string; readonly not?: string }

/** What a variable of a pattern must stand for. Every member that is there has to hold. */
export interface Condition {
  /** Whether its value is written in the source: a literal, a constant, a local that is only ever given literals. */
  readonly constant?: boolean
  /** A literal text, also by way of locals, that fits this regular expression. */
  readonly string?: string
  /** Text that is put together from values: concatenation, interpolation, formatting, also by way of locals. */
  readonly built?: boolean
  /** Comes from a request, also by way of locals. */
  readonly request?: boolean
  /** Regular expressions on the source text. */
  readonly text?: string
  readonly not?: string
  /** Regular expression on the whole type of the node. */
  readonly kind?: string
}

export interface Rule {
  readonly id: string
  readonly severity: Severity
  /** What is wrong, as one sentence. */
  readonly message: string
  /** What to do instead. */
  readonly fix?: string
  readonly cwe?: string
  readonly owasp?: string
  readonly tags?: ReadonlyArray<string>

  /** Any of these places, */
  readonly find?: Place | ReadonlyArray<Place>
  /** or any line that fits this regular expression. A rule has one or the other. */
  readonly line?: string
  /** Letter case does not matter to `line`. */
  readonly ignore_case?: boolean

  readonly where?: { readonly [variable: string]: Condition }
  /** An enclosing node is one of these, or none is. */
  readonly inside?: ReadonlyArray<Place>
  readonly not_inside?: ReadonlyArray<Place>
  /** A node within is one of these, or none is. Variables are those of the place itself. */
  readonly has?: ReadonlyArray<Place>
  readonly lacks?: ReadonlyArray<Place>
  /** The text of the place itself. */
  readonly text?: string
  readonly not?: string
  /** The text of the function around it, or of the file where there is none. */
  readonly around?: string
  readonly around_not?: string
  /** The text of the whole file. */
  readonly file?: string
  readonly file_not?: string
  /** Any of these globs, and regular expressions on the path. */
  readonly globs?: ReadonlyArray<string>
  readonly path?: string
  readonly path_not?: string
  /** One of these words stands in every file with a match; those of code patterns are known without. */
  readonly words?: ReadonlyArray<string>
  /** The text found is a secret and is not shown. */
  readonly secret?: true
}

/** Rules that share a family and languages. `*` stands for every file with text. */
export interface RuleGroup {
  readonly family: Family
  readonly languages: ReadonlyArray<string>
  readonly rules: ReadonlyArray<Rule>
}

/** One rule with what it has of its group. */
export interface CatalogRule extends Rule {
  readonly family: Family
  readonly languages: ReadonlyArray<string>
}

export const listed = <A>(value: A | ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  value === undefined ? [] : Array.isArray(value) ? (value as ReadonlyArray<A>) : [value as A]
