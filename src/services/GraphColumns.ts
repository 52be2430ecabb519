/**
 * The graph as columns: what an analysis of the whole reads, without an object per row. Nodes are files and definitions,
 * numbered in the order of their paths and, within a file, of their places: the file first, then its definitions. So
 * a node's number says the same of the same texts, whatever was indexed before, and ties broken by it are stable.
 */
import type { EdgeInfo, SymbolRef } from "./CodeGraph.ts"

/** Edges grouped by one of their ends: those of node `n` lie at `starts[n]` up to, exclusive, `starts[n + 1]`. */
export interface Adjacency {
  /** One more than there are nodes. */
  readonly starts: Int32Array
  /** The node at the other end, at each place. */
  readonly others: Int32Array
}

/** Bits of {@link GraphColumns.flags}. */
export interface NodeFlags {
  readonly exported: number
  readonly async: number
  readonly static: number
  readonly abstract: number
  /** Declared inside a body: no other file can know of it. */
  readonly local: number
  /** A test that a runner runs. */
  readonly case: number
  readonly private: number
  readonly protected: number
  /** Has no body where one may exist elsewhere: an overload signature, a prototype, a member of an interface. */
  readonly declaration: number
  readonly override: number
  readonly deprecated: number
}

/** All columns are as long as there are nodes, or edges, and never change. Do not write into them. */
export interface GraphColumns {
  readonly nodeCount: number
  /** Every bound use and import, so several between two nodes where there are several. */
  readonly edgeCount: number

  // ---- nodes
  /** Index into {@link kindNames}. */
  readonly kinds: Uint8Array
  /** Kinds of definitions, and `file` last. */
  readonly kindNames: ReadonlyArray<string>
  /** Node of the file a node lies in; a file's own. */
  readonly files: Int32Array
  /** Nodes that are files, ascending. Files without facts are among them. */
  readonly fileNodes: Int32Array
  /** The definition or file around a definition; -1 for files. */
  readonly parents: Int32Array
  /** The node that stands for it: itself, but for overload signatures, prototypes and merged declarations. No edge ends at a node that another stands for. */
  readonly primaries: Int32Array
  /** Index into {@link languageNames}; 255 for a file without a language. */
  readonly languages: Uint8Array
  readonly languageNames: ReadonlyArray<string>
  readonly flags: Int32Array
  readonly flagBits: NodeFlags
  /** 1 for code of tests, helpers included, as {@link GraphView.isTest} has it. */
  readonly tests: Uint8Array
  /** 1 in files that say they were generated. */
  readonly generated: Uint8Array
  /** Line of the name, 1-based; 1 for files. */
  readonly lines: Int32Array
  /** Cyclomatic complexity of the body; 0 without one. */
  readonly complexity: Int32Array

  // ---- edges, grouped by the node they start at; within one in the order of the text
  /** `others` are what is used. The place of an edge here is its number in all columns of edges. */
  readonly out: Adjacency
  /** `others` are the users, ascending; {@link inEdges} has the numbers of the edges. */
  readonly in: Adjacency
  /** The edge at each place of {@link in}. */
  readonly inEdges: Int32Array
  /**
   * The node each edge starts at: the innermost definition around the use that others can know of. A use inside a local
   * definition is its enclosing definition's; {@link edge} tells the local one.
   */
  readonly sources: Int32Array
  /** Index into {@link roleNames}. */
  readonly roles: Uint8Array
  readonly roleNames: ReadonlyArray<string>
  /** 0 exact, 1 resolved, 2 inferred, 3 known by name only. */
  readonly tiers: Uint8Array
  /** Of imports only: 1 for types alone, 2 at run time (`import()`, a `require` inside a function), 4 published on. */
  readonly importBits: Uint8Array

  // ---- from one to the other
  readonly refOf: (node: number) => SymbolRef
  /** -1 for a file that is not listed. */
  readonly nodeOf: (ref: SymbolRef) => number
  /** The words and place of one edge. */
  readonly edge: (edge: number) => EdgeInfo
}
