import { refactor } from "./facade.ts"
import { applyCodeAction, fixAll } from "./language_server.ts"
import { rename } from "./rename.ts"
import { remove } from "./delete.ts"
import { move } from "./move.ts"
import { inline } from "./inline.ts"

export const refactorFacade = refactor.of(rename, move, inline, remove, applyCodeAction, fixAll)
