import { pr } from "./facade.ts"
import { conflicts, impact, list, reviewers, risk, triage } from "./pull_requests.ts"

export const prFacade = pr.of(list, impact, risk, triage, conflicts, reviewers)
