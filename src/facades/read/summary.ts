import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"

export const summary = read.declared("summary", {
  tool: "get_file_summary",
  summary: "What a file defines, without its text.",
  input: F.input({
    target: F.target({ file: Shared.file }),
    options: F.group({ if_none_match: Shared.ifNoneMatch })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
