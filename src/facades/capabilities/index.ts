import type { Catalog } from "./catalog.ts"
import { legacyProfile, legacySearch } from "./compat.ts"
import { capabilities } from "./facade.ts"
import { schema } from "./schema.ts"
import { summary } from "./summary.ts"

/** The tool that describes the others, made over the registry it becomes part of. */
export const capabilitiesFacade = (catalog: Catalog) =>
  capabilities.of(summary(catalog), schema(catalog), legacyProfile(catalog), legacySearch(catalog))
