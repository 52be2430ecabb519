/** Notes of the session, and the notebook. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { KnowledgeWriter } from "../../services/KnowledgeWriter.ts"
import { remember } from "./facade.ts"

const because = "this build keeps no knowledge"
const body = F.optional(F.described(F.text, "needed for a new one"))
const id = F.optional(F.described(F.text, "entry to change"))
const bodyOrId = { atLeastOne: [["arguments.body", "arguments.id"]] }

const noteNeeds = [KnowledgeWriter, KnowledgeReader, CodeGraph] as const

export const note: Member<typeof remember, "note", typeof noteNeeds> = remember.declared("note", {
  tool: "save_note",
  presets: ["core"],
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
  needs: noteNeeds,
  because
})

const notebookNeeds = [KnowledgeWriter, KnowledgeReader] as const

export const notebook: Member<typeof remember, "notebook", typeof notebookNeeds> = remember.declared(
  "notebook",
  {
    tool: "notebook_save",
    summary: "Keep an entry in the repository's notebook.",
    input: F.input(
      { arguments: F.group({ body, title: F.optional(F.text), tags: F.optional(F.csv), id }) },
      bodyOrId
    ),
    needs: notebookNeeds,
    because
  }
)

const notebookUsedNeeds = [KnowledgeWriter, KnowledgeReader] as const

export const notebookUsed: Member<typeof remember, "notebook_used", typeof notebookUsedNeeds> =
  remember.declared("notebook_used", {
    tool: "notebook_used",
    summary: "Count a use of a notebook entry, which keeps it from expiring.",
    tier: 2,
    input: F.input({ arguments: F.group({ id: F.text }) }),
    needs: notebookUsedNeeds,
    because
  })
