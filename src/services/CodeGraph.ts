import { Context, type Effect } from "effect"
import type { GraphColumns } from "./GraphColumns.ts"
import type { GraphDoubts } from "./GraphDoubts.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Handle of a definition or file within one {@link GraphView}; means nothing in another. */
export type SymbolRef = number

/** How an edge is known: by compiler or language server, by imports and scopes, by inferred receiver types, by name only. */
export type Tier = "exact" | "resolved" | "inferred" | "name"

/**
 * What is told of a definition. Each word is worked out when it is asked for: a copy by spreading would have none of them,
 * and does not compile.
 */
export declare class SymbolInfo {
  get ref(): SymbolRef
  /** `path::Qualified.name`, with `~2`, `~3` … behind it for further definitions of the same name; a file's id is its path. */
  get id(): string
  get kind(): string
  get name(): string
  /** Names of the enclosing definitions and its own, joined with dots. */
  get qualified(): string
  get path(): string
  get language(): string
  /** Line of the name, 1-based, and its 0-based UTF-16 column. */
  get line(): number
  get column(): number
  /** First and last line of the definition, 1-based, inclusive, documentation excluded. */
  get start_line(): number
  get end_line(): number
  /** Exact span of the definition: 0-based UTF-16 columns on its first line and, exclusive, on its last. */
  get start_column(): number
  get end_column(): number
  /** Line on which the body opens; undefined without a body. */
  get body_line(): number | undefined
  /** The header on one line, without the body. */
  get signature(): string
  /** Documentation with comment markers removed; "" when there is none. */
  get doc(): string
  /** exported, default_export, async, static, abstract, private, protected, readonly, getter, setter, declaration, test, local, deprecated … */
  get flags(): ReadonlyArray<string>
  get test(): boolean
  get complexity(): number
}

/** One use of a definition, or of a file as a module. */
export interface EdgeInfo {
  /** What contains the use: a definition, or the file at top level. */
  readonly from: SymbolRef
  readonly to: SymbolRef
  readonly tier: Tier
  /** read, write, call, new, type, parameter_type, return_type, field_type, generic_arg, import, extends, implements, decorate, export, macro. */
  readonly role: string
  /** What becomes of a call's result: unknown, discarded, assigned, partially_ignored, returned, spawned, deferred, argument, condition, awaited. */
  readonly use: string
  readonly path: string
  /** 1-based line and 0-based UTF-16 column of the name. */
  readonly line: number
  readonly column: number
  /** Arguments of a call; -1 when unknown. */
  readonly args: number
  /** The name as written, which an alias may change. */
  readonly name: string
}

/** A place that uses a name and could not be bound to any definition. */
export interface UnboundSite {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly role: string
  readonly within: SymbolRef
}

/** A use of something outside the indexed files that an import of the file leads to. */
export interface OutsideUse {
  readonly from: SymbolRef
  /** The module as written. */
  readonly module: string
  /** The name taken from it, or `default`; undefined for the module as a whole. */
  readonly imported: string | undefined
  /** Members on the way from what is imported to the use, the used one last. */
  readonly members: ReadonlyArray<string>
  readonly role: string
  /** 1-based line and 0-based UTF-16 column of the name. */
  readonly line: number
  readonly column: number
  /** Arguments of a call; -1 when unknown. */
  readonly args: number
  readonly name: string
}

/** Why a use stays unbound: what there is of its name in the indexed files. */
export type UnresolvedReason =
  /** Several definitions it may mean. */
  | "ambiguous_multi_match"
  /** One, which is not in its reach as far as the imports and types say. */
  | "candidate_out_of_scope"
  /** Only in other languages. */
  | "cross_language_only"
  /** Only declarations without a body. */
  | "stub_only"
  /** None: most often a member of something from outside. */
  | "no_definition"

export interface UnresolvedUse extends UnboundSite {
  readonly name: string
  readonly language: string
  readonly reason: UnresolvedReason
  /** Definitions of the name, in any language. */
  readonly candidates: ReadonlyArray<SymbolRef>
}

/** All uses that are bound to nothing and not known to mean something outside. */
export interface UnresolvedUses {
  readonly counts: { readonly [R in UnresolvedReason]: number }
  /** Those of one reason, by path and place. */
  readonly rows: (reason: UnresolvedReason, from: number, limit: number) => ReadonlyArray<UnresolvedUse>
}

export interface FileInfo {
  readonly path: string
  readonly language: string | undefined
  readonly lines: number
  readonly size: number
  /** Git blob id of the indexed bytes; "" when they were not read. */
  readonly sha: string
  readonly generated: boolean
  readonly test: boolean
  /** Why the file has no facts: binary, minified, too_large, unreadable, no_language, failed …; undefined when it has. */
  readonly skipped: string | undefined
  readonly parse_errors: number
  readonly symbols: number
}

export interface Mark {
  /** todo, route, env, sql, url. */
  readonly kind: string
  readonly text: string
  readonly path: string
  readonly line: number
  readonly within: SymbolRef
}

/** Whether the answers describe the work tree as it is now. */
export interface Freshness {
  /** `fresh`: checked against the work tree and equal. `stale`: some files could not be brought up to date. `indexing`: the first index is not complete. */
  readonly state: "fresh" | "stale" | "indexing"
  /** Files known to differ from what is indexed, at most 50; the prefix of a tracked repository that cannot be opened. */
  readonly stale_files: ReadonlyArray<string>
  /** Commit the work tree is on, when it is a git repository with a commit. */
  readonly head: string | undefined
  /** When the check was made, ISO 8601 UTC. */
  readonly checked_at: string
}

/** What a caller's words for a symbol lead to. */
export interface Resolution {
  /** The definitions the words fit best; several when they are ambiguous. */
  readonly found: ReadonlyArray<SymbolRef>
  /** True when the words were an id or the id of exactly one definition. */
  readonly exact: boolean
  /** Close names when nothing fits, for an error message only. */
  readonly suggestions: ReadonlyArray<string>
}

export interface SymbolQuery {
  readonly text: string
  readonly kinds?: ReadonlyArray<string> | undefined
  readonly languages?: ReadonlyArray<string> | undefined
  /** Path prefixes; a file or folder. */
  readonly paths?: ReadonlyArray<string> | undefined
  readonly limit: number
  /** At most so many rows a file among the first; 0 for no bound. */
  readonly per_file?: number | undefined
  /** Include test code; default true. */
  readonly tests?: boolean | undefined
}
export interface SymbolMatch {
  readonly ref: SymbolRef
  readonly score: number
  /** exact, prefix, subword, text, fuzzy. */
  readonly match: string
}
export interface SymbolMatches {
  readonly matches: ReadonlyArray<SymbolMatch>
  /** How many matched before the limit. */
  readonly total: number
  readonly query_class: "symbol" | "path" | "concept" | "signature" | "keyword_soup"
}

/** Bounds of a walk to what uses some definitions, and what uses that. */
export interface ReachOptions {
  /** Edges from a root at most. */
  readonly depth: number
  /** Definitions at most; a walk that meets more says so. */
  readonly most: number
  /** Leave out uses as a type, which run nothing. */
  readonly values?: boolean
  /** No further step once so many definitions are found: those at the same distance are found all, or none. */
  readonly plenty?: number
  /** Follow edges known by name only even where better ones exist. */
  readonly names?: boolean
}

/** What a walk found, nearest first. The lists run side by side. */
export interface Reached {
  readonly refs: ReadonlyArray<SymbolRef>
  /** The file each lies in. */
  readonly files: ReadonlyArray<SymbolRef>
  /** Edges from the nearest root. */
  readonly depths: ReadonlyArray<number>
  /** Place in `refs` of what it uses, or -1 - place among the roots. */
  readonly cameFrom: ReadonlyArray<number>
  /** The least certain edge on the way. Calls that may be dispatched to a definition through a super type count as inferred. */
  readonly tiers: ReadonlyArray<Tier>
  /** What imports or exports a root. */
  readonly importers: ReadonlyArray<SymbolRef>
  /** Edges left out because they are known by name only while better ones exist. */
  readonly suppressed: number
  readonly stopped: boolean
}

/** How many arguments a definition takes. */
export interface Parameters {
  readonly min: number
  readonly max: number
  /** Takes any number beyond `min`. */
  readonly variadic: boolean
}

/** An immutable view of the graph; reading it never blocks. */
export interface GraphView {
  /** A word that changes whenever answers may. */
  readonly generation: string
  readonly freshness: Freshness
  readonly counts: {
    readonly files: number
    readonly indexed_files: number
    readonly symbols: number
    readonly edges: number
    /** References to names that exist here and could not be bound. */
    readonly unbound: number
  }
  readonly symbol: (ref: SymbolRef) => SymbolInfo
  readonly isFile: (ref: SymbolRef) => boolean
  /** The file's own node; undefined when it is not listed. */
  readonly fileRef: (path: string) => SymbolRef | undefined
  readonly file: (path: string) => FileInfo | undefined
  readonly files: () => ReadonlyArray<FileInfo>
  /** How many listed files have no facts, by what {@link FileInfo.skipped} says of them. */
  readonly skipped: () => ReadonlyMap<string, number>
  /** Definitions of a file in source order, local ones included. */
  readonly definitions: (path: string) => ReadonlyArray<SymbolRef>
  /** Every definition, in file order. */
  readonly all: () => Iterable<SymbolRef>
  readonly parent: (ref: SymbolRef) => SymbolRef | undefined
  readonly children: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
  /** The innermost definition around a line, or the file. */
  readonly at: (path: string, line: number) => SymbolRef | undefined
  /** Finds what an id, a qualified name, `path::name`, `path:line` or a bare name means. */
  readonly resolve: (words: string) => Resolution
  /** Definitions with exactly this name. */
  readonly named: (name: string) => ReadonlyArray<SymbolRef>
  readonly search: (query: SymbolQuery) => SymbolMatches
  /**
   * Uses of a definition: overload signatures and merged declarations answer as one with their implementation. With `from`
   * those in files that it lets pass.
   */
  readonly incoming: (ref: SymbolRef, from?: (path: string) => boolean) => ReadonlyArray<EdgeInfo>
  readonly incomingCount: (ref: SymbolRef) => number
  /**
   * Stands for what the names in a file mean: the same object in two views in which all of them mean the same. Undefined
   * for a file without facts.
   */
  readonly meaning: (path: string) => object | undefined
  /** What a definition uses, nested definitions included; for a file everything in it. */
  readonly outgoing: (ref: SymbolRef) => ReadonlyArray<EdgeInfo>
  /** Direct super types and, for `below`, direct sub types, with how (extends, implements, embeds, mixes). */
  readonly above: (
    ref: SymbolRef
  ) => ReadonlyArray<{ readonly ref: SymbolRef; readonly how: string; readonly tier: Tier }>
  readonly below: (
    ref: SymbolRef
  ) => ReadonlyArray<{ readonly ref: SymbolRef; readonly how: string; readonly tier: Tier }>
  /** Members of a type, those declared away from it included; inherited ones not. */
  readonly members: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
  /** Places that use the name and are bound to nothing. `total` is exact even when the list is cut. */
  readonly unbound: (
    name: string,
    limit: number
  ) => { readonly total: number; readonly sites: ReadonlyArray<UnboundSite> }
  /** Every unbound use with the reason; a pass over all references, made when first asked for. */
  readonly unresolved: () => UnresolvedUses
  readonly imports: (path: string) => ReadonlyArray<{
    readonly module: string
    readonly name: string
    readonly local: string
    readonly line: number
    readonly targets: ReadonlyArray<SymbolRef>
    readonly external: boolean
  }>
  /** Uses in a file of what its imports take from outside. */
  readonly outside: (path: string) => ReadonlyArray<OutsideUse>
  readonly marks: (path?: string) => ReadonlyArray<Mark>
  /** Members of {@link SymbolInfo} that are wanted often and alone. */
  readonly idOf: (ref: SymbolRef) => string
  readonly nameOf: (ref: SymbolRef) => string
  readonly pathOf: (ref: SymbolRef) => string
  readonly isTest: (ref: SymbolRef) => boolean
  /** Whether a definition is a test that a runner runs, not only code of tests. */
  readonly isCase: (ref: SymbolRef) => boolean
  /** All nodes and edges in flat arrays, for analyses of the whole; made when first asked for and kept as long as the view. */
  readonly columns: GraphColumns
  /** By node of the columns, what may use it beside its edges; made when first asked for and kept as long as the view. */
  readonly doubts: GraphDoubts
  /** What uses the roots and what uses that in turn. Uses inside a local definition are its enclosing definition's. */
  readonly reach: (roots: ReadonlyArray<SymbolRef>, options: ReachOptions) => Reached
  /** Members of sub types that take the place of a member, and of types that satisfy an interface by their methods alone. */
  readonly overriders: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
  /** How much of the code leans on a definition, from 0 to 1 for the one it leans on most. */
  readonly rank: (ref: SymbolRef) => number
  /** Undefined when it is not known, or the definition takes none. */
  readonly parameters: (ref: SymbolRef) => Parameters | undefined
  /** Name of the test runner a file is written for, by what it imports; undefined when its text does not tell. */
  readonly runner: (path: string) => string | undefined
}

/** The indexed graph of definitions and their relations. */
export class CodeGraph extends Context.Tag("portico/CodeGraph")<
  CodeGraph,
  {
    /**
     * The graph, compared with the work tree first and brought up to date where it differs. Waits for a first index
     * with progress; fails with reason `no_index` when there is none to wait for.
     */
    readonly view: Effect.Effect<GraphView, ServiceFailure>
    /** The same over all repositories of the workspace, whichever project is active. */
    readonly wide: Effect.Effect<GraphView, ServiceFailure>
    /** A graph of just these texts, read by the language their paths say: definitions and imports, bound to nothing. */
    readonly sketch: (
      texts: ReadonlyArray<{ readonly path: string; readonly text: string }>
    ) => Effect.Effect<GraphView, ServiceFailure>
  }
>() {}
