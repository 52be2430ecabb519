import { ask } from "./facade.ts"
import { research } from "./research.ts"

export const askFacade = ask.of(research)
