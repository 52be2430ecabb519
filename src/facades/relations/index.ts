import { callers } from "./callers.ts"
import { cluster } from "./cluster.ts"
import { declaration } from "./declaration.ts"
import { dependencies } from "./dependencies.ts"
import { dependents } from "./dependents.ts"
import { relations } from "./facade.ts"
import { hierarchy } from "./hierarchy.ts"
import { implementations } from "./implementations.ts"
import { importPath } from "./import_path.ts"
import { overrides } from "./overrides.ts"
import { references } from "./references.ts"
import { usages } from "./usages.ts"

export const relationsFacade = relations.of(
  usages,
  callers,
  dependencies,
  dependents,
  implementations,
  overrides,
  hierarchy,
  references,
  declaration,
  cluster,
  importPath
)
