import { session } from "./facade.ts"
import { formerNames, subscribe, unsubscribe } from "./notifications.ts"
import { agents, cursor, planningMode, proxyDisable, proxyEnable, workflow } from "./state.ts"

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
