import { grepCompat, headCompat } from "./compat.ts"
import { exportContext } from "./export_context.ts"
import { response } from "./facade.ts"
import { grep } from "./grep.ts"
import { peek } from "./peek.ts"
import { slice } from "./slice.ts"
import { stats } from "./stats.ts"

export const responseFacade = response.of(stats, grep, slice, peek, exportContext, grepCompat, headCompat)
