import { Effect } from "effect"
import * as Answer from "../../registry/Answer.ts"
import * as Capabilities from "../../registry/Capabilities.ts"
import { listed } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { type Catalog, fields, subject } from "./catalog.ts"
import { capabilities } from "./facade.ts"

/** The same with what a call has to look like: of a tool as it is advertised, of an operation exactly. */
export const schema = (catalog: Catalog) =>
  capabilities.operation("schema", {
    tool: "capabilities",
    direct: "never",
    summary: "The same with exact input schemas and calls to start from.",
    input: F.input(fields),
    needs: [],
    handler: (named) =>
      Effect.map(subject(catalog(), named), (found) => {
        switch (found.tag) {
          case "all": {
            const all = Capabilities.domains(catalog())
            const domains = catalog().facades.map((facade, at) => ({
              ...all.domains[at],
              input_schema: Capabilities.staticSchema(facade)
            }))
            return Answer.page("domains", { ...all, domains })
          }
          case "domain": {
            const domain = Capabilities.domain(found.facade)
            const operations = listed(found.facade).map((operation) => {
              const {
                domain: _,
                surface_version: __,
                ...own
              } = Capabilities.capability(found.facade, operation, "schema")
              return own
            })
            return Answer.page("operations", { ...domain, operations })
          }
          case "operation":
            return Answer.answer(Capabilities.capability(found.facade, found.operation, "schema"))
        }
      })
  })
