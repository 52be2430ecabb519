import * as F from "../../registry/Fields.ts"
import { IndexControl } from "../../services/IndexControl.ts"
import { workspaceAdmin } from "./facade.ts"

export const index = workspaceAdmin.declared("index", {
  tool: "index_repository",
  summary: "Index a repository from scratch.",
  input: F.input({ arguments: F.group({ path: F.described(F.text, "root of the repository") }) }),
  needs: [IndexControl],
  because: "its handler is not installed"
})
