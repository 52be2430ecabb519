/** Notes of the session, and the notebook. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { KnowledgeWriter } from "../../services/KnowledgeWriter.ts"
import { remember } from "./facade.ts"

const because = "this build keeps no knowledge"
const body = F.optional(F.described(F.text, "needed for a new one"))
const id = F.optional(F.described(F.text, "entry to change"))
const bodyOrId = { atLeastOne: [["arguments.body", "arguments.id"]] }

export const note = remember.declared("note", {
  tool: "save_note",
  summary: "Keep a note of this session, linked to the symbols it names.",
  input: F.input(
    {
      arguments: F.group({
        body,
        symbol_id: F.optional(F.text),
        file_path: F.optional(F.text),
        tags: F.optional(F.described(F.csv, "decision sets a note apart")),
        links: F.optional(F.described(F.csv, "further symbols")),
        pinned: F.withDefault(F.flag, false),
        id,
        no_autolink: F.withDefault(F.flag, false)
      })
    },
    bodyOrId
  ),
  needs: [KnowledgeWriter, KnowledgeReader, CodeGraph],
  because
})

export const notebook = remember.declared("notebook", {
  tool: "notebook_save",
  summary: "Keep an entry in the repository's notebook.",
  input: F.input(
    { arguments: F.group({ body, title: F.optional(F.text), tags: F.optional(F.csv), id }) },
    bodyOrId
  ),
  needs: [KnowledgeWriter, KnowledgeReader],
  because
})

export const notebookUsed = remember.declared("notebook_used", {
  tool: "notebook_used",
  summary: "Count a use of a notebook entry, which keeps it from expiring.",
  tier: 2,
  input: F.input({ arguments: F.group({ id: F.text }) }),
  needs: [KnowledgeWriter, KnowledgeReader],
  because
})
