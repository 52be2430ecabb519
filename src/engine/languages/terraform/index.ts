import type { Language } from "../Language.ts"

/** HCL: resources, data sources, variables, modules, outputs and locals. */
export const terraform: Language = {
  id: "terraform",
  label: "Terraform / HCL",
  extensions: [".tf", ".tfvars", ".hcl"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
