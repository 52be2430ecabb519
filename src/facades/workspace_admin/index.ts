import {
  blame,
  coverage,
  enrichChurn,
  enrichReleases,
  feedback,
  sqlRebuild,
  temporalVerify
} from "./enrichment/index.ts"
import { workspaceAdmin } from "./facade.ts"
import { index } from "./index_repository.ts"
import { reindex } from "./reindex.ts"
import { track, untrack } from "./track.ts"
import { setActiveProject } from "./set_active_project.ts"
import { deleteScope, saveScope } from "./tracking.ts"

export const workspaceAdminFacade = workspaceAdmin.of(
  index,
  reindex,
  track,
  untrack,
  setActiveProject,
  saveScope,
  deleteScope,
  enrichChurn,
  enrichReleases,
  blame,
  coverage,
  sqlRebuild,
  temporalVerify,
  feedback
)
