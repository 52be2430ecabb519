import { artifact } from "./artifact.ts"
import { editingContext } from "./editing_context.ts"
import { read } from "./facade.ts"
import { file } from "./file.ts"
import { history } from "./history.ts"
import { source } from "./source.ts"
import { summary } from "./summary.ts"
import { symbolMetadata } from "./symbol_metadata_compat.ts"
import { symbols } from "./symbols.ts"

export const readFacade = read.of(
  file,
  source,
  symbols,
  summary,
  editingContext,
  history,
  artifact,
  symbolMetadata
)
