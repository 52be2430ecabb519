import { closure } from "./closure.ts"
import { context } from "./context.ts"
import { explore } from "./facade.ts"
import { outline } from "./outline.ts"
import { plan } from "./plan.ts"
import { prefetch } from "./prefetch.ts"
import { suggest } from "./suggest.ts"
import { task } from "./task.ts"
import { wakeup } from "./wakeup.ts"

export const exploreFacade = explore.of(task, context, closure, outline, plan, prefetch, suggest, wakeup)
