import * as F from "../../registry/Fields.ts"
import { IndexControl } from "../../services/IndexControl.ts"
import { workspaceAdmin } from "./facade.ts"

export const reindex = workspaceAdmin.declared("reindex", {
  tool: "reindex_repository",
  summary: "Read again only what changed, and forget what was deleted.",
  input: F.input({
    arguments: F.group({
      path: F.optional(F.described(F.text, "file or folder; the active repository when absent")),
      paths: F.optional(F.described(F.texts, "several files or folders"))
    })
  }, { atMostOne: [["arguments.path", "arguments.paths"]] }),
  needs: [IndexControl],
  because: "its handler is not installed"
})
