import { Context, type Effect } from "effect"
import type { Freshness } from "./CodeGraph.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Facts that are looked for together. */
export type Family =
  | "routes"
  | "clients"
  | "components"
  | "models"
  | "sql"
  | "messages"
  | "workflows"
  | "events"
  | "config"
  | "annotations"
  | "externals"
  | "deployment"
  | "lineage"
  | "platforms"
  | "manifests"

/** Where a fact is written. */
export interface FactSite {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** Id of the innermost definition around it; the path at top level. */
  readonly within: string
  /** Top folder of the repository the file belongs to; "" for that of the workspace. */
  readonly repository: string
  /** In code of tests. */
  readonly test: boolean
  /** Name of the pass that found it. */
  readonly pass: string
}

/** Who a fact speaks of. */
export interface FactTarget {
  /** Id of a definition or file; undefined when the graph knows none. */
  readonly id: string | undefined
  /** As written. */
  readonly name: string
  /** symbol: a definition by name. inline: code written in place, the id is what is around it. file: a whole file. unresolved: a name only. */
  readonly how: "symbol" | "inline" | "file" | "unresolved"
}

export interface RouteFact extends FactSite {
  /** http, grpc, thrift, graphql, topic, ws. */
  readonly protocol: string
  /** Upper-case verb for http, ANY for all of them; query, mutation, rpc, subscribe, message and the like otherwise. */
  readonly method: string
  /** With the prefixes of all routers above it, parameters as the framework writes them. */
  readonly path: string
  readonly handler: FactTarget
  /** resolved: every part is written out and every router above is known. inferred: a part is computed, or no application is known to hold its router. */
  readonly tier: "resolved" | "inferred"
}

/** Any other fact. `what` says which, `data` is as its family has it. */
export interface Note extends FactSite {
  readonly what: string
  readonly name: string
  readonly data: { readonly [key: string]: unknown }
  readonly targets: { readonly [role: string]: FactTarget }
}

/** Of which files the facts are. */
export interface FactCoverage {
  /** Files that might hold such facts. */
  readonly candidate_files: number
  readonly read_files: number
  /** Candidates that were not read, and why: too_large, unreadable, not_in_time, failed … */
  readonly unread: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

export interface PassRow {
  readonly name: string
  readonly family: Family
  readonly languages: ReadonlyArray<string>
  /** Files that had one of its signs. */
  readonly files: number
}

export interface FactReading {
  readonly routes: ReadonlyArray<RouteFact>
  readonly notes: ReadonlyArray<Note>
  readonly coverage: FactCoverage
  readonly passes: ReadonlyArray<PassRow>
  /** Of the graph they were linked by. */
  readonly generation: string
  readonly freshness: Freshness
}

/** What code says to frameworks: read from the files that show signs of one, when it is asked for. */
export class FrameworkFacts extends Context.Tag("portico/FrameworkFacts")<
  FrameworkFacts,
  {
    /**
     * Facts of these families in the workspace as the session of the call sees it; `wide` whichever project is active.
     * Fails with `no_index`.
     */
    readonly read: (
      families: ReadonlyArray<Family>,
      options?: { readonly wide?: boolean }
    ) => Effect.Effect<FactReading, ServiceFailure>
  }
>() {}
