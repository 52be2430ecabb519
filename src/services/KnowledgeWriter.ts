import { Context, type Effect } from "effect"
import type { KnowledgeKind, KnowledgeRecord } from "./KnowledgeReader.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A record before the store gives it an id and times. */
export type KnowledgeDraft = Omit<KnowledgeRecord, "id" | "createdAt" | "updatedAt">

/** Changes durable knowledge. Each call is one transaction of the store. */
export class KnowledgeWriter extends Context.Tag("portico/KnowledgeWriter")<
  KnowledgeWriter,
  {
    readonly put: (draft: KnowledgeDraft) => Effect.Effect<KnowledgeRecord, ServiceFailure>
    /** Fails with reason `not_found` when the record is not there. */
    readonly update: (
      kind: KnowledgeKind,
      id: string,
      change: Partial<KnowledgeDraft>
    ) => Effect.Effect<KnowledgeRecord, ServiceFailure>
    readonly remove: (kind: KnowledgeKind, id: string) => Effect.Effect<void, ServiceFailure>
  }
>() {}
