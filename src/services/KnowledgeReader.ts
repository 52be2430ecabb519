import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Kinds of durable knowledge. */
export type KnowledgeKind = "memory" | "note" | "notebook" | "suppression" | "acknowledgement"

/** One stored piece of knowledge. Times are milliseconds since the epoch. */
export interface KnowledgeRecord {
  readonly id: string
  readonly kind: KnowledgeKind
  readonly scope: string
  readonly title?: string
  readonly body: string
  readonly tags: ReadonlyArray<string>
  /** Symbol ids the record is about. */
  readonly symbols: ReadonlyArray<string>
  /** Repository-relative paths the record is about. */
  readonly files: ReadonlyArray<string>
  readonly attributes: { readonly [name: string]: unknown }
  readonly createdAt: number
  readonly updatedAt: number
}

/** Which records to read; absent members do not filter. */
export interface KnowledgeQuery {
  readonly kind: KnowledgeKind
  readonly scope?: string
  readonly text?: string
  readonly tags?: ReadonlyArray<string>
  readonly symbols?: ReadonlyArray<string>
  readonly files?: ReadonlyArray<string>
}

/** Memories, notes and notebooks as they are. Reading leaves no trace: no counters move. */
export class KnowledgeReader extends Context.Tag("portico/KnowledgeReader")<
  KnowledgeReader,
  {
    /** Newest first. */
    readonly query: (query: KnowledgeQuery) => Effect.Effect<ReadonlyArray<KnowledgeRecord>, ServiceFailure>
    /** Fails with reason `not_found` when no such record is visible. */
    readonly get: (kind: KnowledgeKind, id: string) => Effect.Effect<KnowledgeRecord, ServiceFailure>
  }
>() {}
