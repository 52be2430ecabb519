import { riskAck, suppressFinding } from "./decisions.ts"
import { remember } from "./facade.ts"
import { editMemory, memory, renameMemory } from "./memories.ts"
import { note, notebook, notebookUsed } from "./notes.ts"

export const rememberFacade = remember.of(
  memory,
  note,
  notebook,
  editMemory,
  renameMemory,
  notebookUsed,
  riskAck,
  suppressFinding
)
