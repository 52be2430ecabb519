import { diffContext, prContext, questions, siblingContext } from "./briefings.ts"
import { review } from "./facade.ts"
import { critique, pack, run } from "./verdicts.ts"

export const reviewFacade = review.of(run, pack, critique, diffContext, siblingContext, prContext, questions)
