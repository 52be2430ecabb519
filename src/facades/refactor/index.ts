import { refactor } from "./facade.ts"
import { applyCodeAction, fixAll } from "./language_server.ts"
import { inline, move, remove, rename } from "./symbols.ts"

export const refactorFacade = refactor.of(rename, move, inline, remove, applyCodeAction, fixAll)
