import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"

export const importPath = relations.declared("import_path", {
  tool: "find_import_path",
  summary: "The import to write in a file to use a symbol.",
  tier: 2,
  input: F.input({
    target: F.target({ symbol: F.aliased(Shared.symbol, "name") }),
    options: F.group({ path: F.aliased(F.described(F.text, "file that will import it"), "file") })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
