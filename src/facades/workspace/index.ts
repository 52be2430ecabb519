import { activeProject } from "./active_project.ts"
import { workspace } from "./facade.ts"
import { graph } from "./graph.ts"
import { indexHealth } from "./index_health.ts"
import { info } from "./info.ts"
import { project } from "./project.ts"
import { proxy } from "./proxy.ts"
import { repos } from "./repos.ts"
import { scopes } from "./scopes.ts"

export const workspaceFacade = workspace.of(
  info,
  repos,
  indexHealth,
  graph,
  activeProject,
  project,
  scopes,
  proxy
)
