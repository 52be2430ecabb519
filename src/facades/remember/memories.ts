/** Durable memories. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { KnowledgeWriter } from "../../services/KnowledgeWriter.ts"
import { importance, memoryKind, memorySource, store } from "../knowledge.ts"
import { remember } from "./facade.ts"

const because = "this build keeps no knowledge"

const memoryNeeds = [KnowledgeWriter, KnowledgeReader, CodeGraph] as const

export const memory: Member<typeof remember, "memory", typeof memoryNeeds> = remember.declared("memory", {
  tool: "store_memory",
  presets: ["core"],
  summary: "Keep a memory about symbols or files, or change one by id.",
  input: F.input(
    {
      arguments: F.group({
        body: F.optional(F.described(F.text, "needed for a new one; symbols it names are linked")),
        title: F.optional(F.text),
        symbol_ids: F.optional(F.csv),
        file_paths: F.optional(F.csv),
        tags: F.optional(F.csv),
        kind: F.withDefault(memoryKind, "reference"),
        source: F.withDefault(memorySource, "manual"),
        importance: F.withDefault(importance, 3),
        confidence: F.withDefault(F.number({ min: 0, max: 1 }), 1),
        pinned: F.withDefault(F.flag, false),
        supersedes: F.optional(F.described(F.csv, "ids of entries this one replaces")),
        superseded_by: F.optional(F.described(F.text, "id of the entry that replaces this one")),
        id: F.optional(F.described(F.text, "entry to change")),
        no_autolink: F.withDefault(F.flag, false),
        scope: F.withDefault(store, "workspace")
      })
    },
    { atLeastOne: [["arguments.body", "arguments.id"]] }
  ),
  needs: memoryNeeds,
  because
})

const editMemoryNeeds = [KnowledgeWriter, KnowledgeReader] as const

export const editMemory: Member<typeof remember, "edit_memory", typeof editMemoryNeeds> = remember.declared(
  "edit_memory",
  {
    tool: "edit_memory",
    summary: "Find and replace in one memory.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        id: F.text,
        pattern: F.text,
        replacement: F.withDefault(F.described(F.anyText, "groups count in mode regex"), ""),
        mode: F.withDefault(F.choice("regex", "literal"), "regex"),
        scope: F.withDefault(store, "workspace")
      })
    }),
    needs: editMemoryNeeds,
    because
  }
)

const renameMemoryNeeds = [KnowledgeWriter, KnowledgeReader] as const

export const renameMemory: Member<typeof remember, "rename_memory", typeof renameMemoryNeeds> =
  remember.declared("rename_memory", {
    tool: "rename_memory",
    summary: "Move a memory to the other store.",
    tier: 2,
    input: F.input({
      arguments: F.group({ id: F.text, to_scope: store, from_scope: F.withDefault(store, "workspace") })
    }),
    needs: renameMemoryNeeds,
    because
  })
