import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { read } from "./facade.ts"

const needs = [ReadFs, CodeGraph] as const

export const artifact: Member<typeof read, "artifact", typeof needs> = read.declared("artifact", {
  tool: "get_artifact",
  summary: "One artifact in full, with the symbols it mentions.",
  tier: 2,
  input: F.input({
    target: F.target({ artifact: F.aliased(F.described(F.text, "id or path"), "id", "path") })
  }),
  needs,
  because: "this build has no index of artifacts"
})
