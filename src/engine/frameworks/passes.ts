/** Every pass there is. A new framework is a file of its own and a line in the list of its family. */
import { annotations } from "./code/annotations.ts"
import { clientPasses } from "./code/clients.ts"
import { configPasses } from "./code/config.ts"
import { eventPasses } from "./code/events.ts"
import { externals } from "./code/externals.ts"
import { deploymentPasses } from "./deploy/kubernetes.ts"
import { lineagePasses } from "./deploy/lineage.ts"
import { manifestPasses } from "./deploy/manifests.ts"
import { workflowPasses } from "./messaging/temporal.ts"
import { topicPasses } from "./messaging/topics.ts"
import type { Pass } from "./Pass.ts"
import { routePasses } from "./routes/index.ts"
import { modelPasses, prisma } from "./storage/models.ts"
import { sqlPasses } from "./storage/sql.ts"
import { componentPasses } from "./ui/components.ts"
import { platformPasses } from "./ui/platforms.ts"

export const passes: ReadonlyArray<Pass> = [
  ...routePasses,
  ...clientPasses,
  ...componentPasses,
  ...modelPasses,
  prisma,
  ...sqlPasses,
  ...topicPasses,
  ...workflowPasses,
  ...eventPasses,
  ...configPasses,
  annotations,
  externals,
  ...deploymentPasses,
  ...lineagePasses,
  ...manifestPasses,
  ...platformPasses
]
