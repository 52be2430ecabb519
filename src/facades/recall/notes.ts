/** Notes of sessions, and the notebook. */
import * as F from "../../registry/Fields.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { SessionView } from "../../services/SessionView.ts"
import { since } from "../knowledge.ts"
import { recall } from "./facade.ts"

const because = "this build keeps no knowledge"
const rows = { default: 50, max: 500 }
const sessionId = F.optional(F.described(F.text, "this session when absent; all for every one"))

export const notes = recall.declared("notes", {
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
  needs: [KnowledgeReader, SessionView],
  because
})

export const distill = recall.declared("distill", {
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
  needs: [KnowledgeReader, SessionView],
  because
})

export const notebookFind = recall.declared("notebook_find", {
  tool: "notebook_find",
  summary: "Notebook entries by title, body or tag.",
  tier: 2,
  page: rows,
  input: F.input({ arguments: F.group({ query: F.optional(F.described(F.text, "absent for all")) }) }),
  needs: [KnowledgeReader],
  because
})

export const notebookList = recall.declared("notebook_list", {
  tool: "notebook_list",
  summary: "Notebook entries without their bodies, newest first.",
  tier: 2,
  page: rows,
  input: F.input({}),
  needs: [KnowledgeReader],
  because
})

export const notebookShow = recall.declared("notebook_show", {
  tool: "notebook_show",
  summary: "One notebook entry.",
  tier: 2,
  input: F.input({ arguments: F.group({ id: F.text }) }),
  needs: [KnowledgeReader],
  because
})
