import type { Language } from "../Language.ts"

/** GraphQL: types with their fields, operations and fragments. */
export const graphql: Language = {
  id: "graphql",
  label: "GraphQL",
  extensions: [".graphql", ".gql", ".graphqls"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
