import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { read } from "./facade.ts"

export const artifact = read.declared("artifact", {
  tool: "get_artifact",
  summary: "One artifact in full, with the symbols it mentions.",
  tier: 2,
  input: F.input({
    target: F.target({ artifact: F.aliased(F.described(F.text, "id or path"), "id", "path") })
  }),
  needs: [ReadFs, CodeGraph],
  because: "this build has no index of artifacts"
})
