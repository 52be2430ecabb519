import { edit } from "./facade.ts"
import { applyOverlay, docs, exportGraph, scaffold, skill, wiki } from "./generated.ts"
import { batch, file, symbol, write } from "./text.ts"

export const editFacade = edit.of(
  file,
  symbol,
  write,
  batch,
  scaffold,
  docs,
  skill,
  wiki,
  exportGraph,
  applyOverlay
)
