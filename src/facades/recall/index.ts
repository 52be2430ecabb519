import { recall } from "./facade.ts"
import { memories, onboarding, surface } from "./memories.ts"
import { distill, notebookFind, notebookList, notebookShow, notes } from "./notes.ts"

export const recallFacade = recall.of(
  surface,
  memories,
  notes,
  notebookFind,
  notebookList,
  notebookShow,
  onboarding,
  distill
)
