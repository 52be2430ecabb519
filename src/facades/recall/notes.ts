/** Notes of sessions, and the notebook. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { SessionView } from "../../services/SessionView.ts"
import { since } from "../knowledge.ts"
import { recall } from "./facade.ts"

const because = "this build keeps no knowledge"
const rows = { default: 50, max: 500 }
const sessionId = F.optional(F.described(F.text, "this session when absent; all for every one"))

const notesNeeds = [KnowledgeReader, SessionView] as const

export const notes: Member<typeof recall, "notes", typeof notesNeeds> = recall.declared("notes", {
  tool: "query_notes",
  summary: "Notes of this session or of all.",
  page: rows,
  input: F.input({
    arguments: F.group({
      symbol_id: F.optional(F.text),
      file_path: F.optional(F.text),
      tag: F.optional(F.text),
      text: F.optional(F.described(F.text, "part of the body")),
      session_id: sessionId,
      since,
      pinned_only: F.withDefault(F.flag, false)
    })
  }),
  needs: notesNeeds,
  because
})

const distillNeeds = [KnowledgeReader, SessionView] as const

export const distill: Member<typeof recall, "distill", typeof distillNeeds> = recall.declared("distill", {
  tool: "distill_session",
  summary: "A session's notes condensed: symbols, files, tags, decisions.",
  tier: 2,
  input: F.input({
    arguments: F.group({
      session_id: sessionId,
      max_symbols: F.clamped({ min: 0, max: 200, default: 10 }),
      max_files: F.clamped({ min: 0, max: 200, default: 10 }),
      max_tags: F.clamped({ min: 0, max: 200, default: 10 }),
      max_recent: F.clamped({ min: 0, max: 200, default: 8 }),
      excerpt_chars: F.clamped({ min: 0, max: 100_000, default: 240 })
    })
  }),
  needs: distillNeeds,
  because
})

const notebookFindNeeds = [KnowledgeReader] as const

export const notebookFind: Member<typeof recall, "notebook_find", typeof notebookFindNeeds> = recall.declared(
  "notebook_find",
  {
    tool: "notebook_find",
    summary: "Notebook entries by title, body or tag.",
    tier: 2,
    page: rows,
    input: F.input({ arguments: F.group({ query: F.optional(F.described(F.text, "absent for all")) }) }),
    needs: notebookFindNeeds,
    because
  }
)

const notebookListNeeds = [KnowledgeReader] as const

export const notebookList: Member<typeof recall, "notebook_list", typeof notebookListNeeds> = recall.declared(
  "notebook_list",
  {
    tool: "notebook_list",
    summary: "Notebook entries without their bodies, newest first.",
    tier: 2,
    page: rows,
    input: F.input({}),
    needs: notebookListNeeds,
    because
  }
)

const notebookShowNeeds = [KnowledgeReader] as const

export const notebookShow: Member<typeof recall, "notebook_show", typeof notebookShowNeeds> = recall.declared(
  "notebook_show",
  {
    tool: "notebook_show",
    summary: "One notebook entry.",
    tier: 2,
    input: F.input({ arguments: F.group({ id: F.text }) }),
    needs: notebookShowNeeds,
    because
  }
)
