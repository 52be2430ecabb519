import { applyOverlay } from "./apply_overlay.ts"
import { batch } from "./batch.ts"
import { docs } from "./docs.ts"
import { exportGraph } from "./export_graph.ts"
import { edit } from "./facade.ts"
import { file } from "./file.ts"
import { scaffold } from "./scaffold.ts"
import { skill } from "./skill.ts"
import { symbol } from "./symbol.ts"
import { wiki } from "./wiki.ts"
import { write } from "./write.ts"

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
