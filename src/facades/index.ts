/** The registry: all tools with all their operations, in the order they are listed. */
import type { Facade } from "../registry/Facade.ts"
import * as Registry from "../registry/Registry.ts"
import { analyzeFacade } from "./analyze/index.ts"
import { askFacade } from "./ask/index.ts"
import type { Catalog } from "./capabilities/catalog.ts"
import { capabilitiesFacade } from "./capabilities/index.ts"
import { changeFacade } from "./change/index.ts"
import { editFacade } from "./edit/index.ts"
import { exploreFacade } from "./explore/index.ts"
import { overlayFacade } from "./overlay/index.ts"
import { prFacade } from "./pr/index.ts"
import { publishReviewFacade } from "./publish_review/index.ts"
import { readFacade } from "./read/index.ts"
import { recallFacade } from "./recall/index.ts"
import { refactorFacade } from "./refactor/index.ts"
import { relationsFacade } from "./relations/index.ts"
import { rememberFacade } from "./remember/index.ts"
import { responseFacade } from "./response/index.ts"
import { reviewFacade } from "./review/index.ts"
import { searchFacade } from "./search/index.ts"
import { sessionFacade } from "./session/index.ts"
import { traceFacade } from "./trace/index.ts"
import { workspaceFacade } from "./workspace/index.ts"
import { workspaceAdminFacade } from "./workspace_admin/index.ts"

// Its type is written out because the registry's own is only known with the facade that is made from it.
const known: Catalog = () => registry

const own = [
  exploreFacade,
  searchFacade,
  readFacade,
  relationsFacade,
  traceFacade,
  analyzeFacade,
  askFacade,
  changeFacade,
  editFacade,
  refactorFacade,
  reviewFacade,
  publishReviewFacade,
  prFacade,
  recallFacade,
  rememberFacade,
  workspaceFacade,
  workspaceAdminFacade,
  overlayFacade,
  sessionFacade,
  responseFacade
] as const

export const registry = Registry.make(...own, capabilitiesFacade(known))

/** The registry with further facades behind its own. Throws when a name is taken. */
export const registryWith = <const Fs extends ReadonlyArray<Facade.Any>>(further: Fs) => {
  const all: Catalog = () => whole
  const whole = Registry.make(...own, capabilitiesFacade(all), ...further)
  return whole
}

/** The registry for whoever only looks at it: without what its type says of each operation. */
export const catalog: Registry.Registry.Any = registry
