import { agents } from "./agents.ts"
import { cursor } from "./cursor.ts"
import { session } from "./facade.ts"
import { formerNames, subscribe, unsubscribe } from "./notifications.ts"
import { planningMode } from "./planning_mode.ts"
import { proxyDisable, proxyEnable } from "./proxy.ts"
import { workflow } from "./workflow.ts"

export const sessionFacade = session.of(
  planningMode,
  workflow,
  cursor,
  subscribe,
  unsubscribe,
  agents,
  proxyEnable,
  proxyDisable,
  ...formerNames
)
