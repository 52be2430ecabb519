import { Effect } from "effect"
import * as Answer from "../../registry/Answer.ts"
import * as Capabilities from "../../registry/Capabilities.ts"
import * as F from "../../registry/Fields.ts"
import { type Catalog, fields, subject } from "./catalog.ts"
import { capabilities } from "./facade.ts"

/** Tools, operations, or one operation, in words. */
export const summary = (catalog: Catalog) =>
  capabilities.operation("summary", {
    tool: "capabilities",
    direct: "never",
    summary: "Tools, a tool's operations, or one operation, in words.",
    input: F.input(fields),
    needs: [],
    handler: (named) =>
      Effect.map(subject(catalog(), named), (found) => {
        switch (found.tag) {
          case "all":
            return Answer.page("domains", Capabilities.domains(catalog()))
          case "domain":
            return Answer.page("operations", Capabilities.domain(found.facade))
          case "operation":
            return Answer.answer(Capabilities.capability(found.facade, found.operation))
        }
      })
  })
