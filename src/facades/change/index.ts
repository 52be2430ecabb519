import { contract, detect, guards, pattern, ranges, receipt } from "./changes.ts"
import { apiImpact, editPlan, impact, tests, verify } from "./consequences.ts"
import { change } from "./facade.ts"
import { codeActions, diagnostics } from "./language_server.ts"
import {
  compareBranches,
  compareOverlay,
  overlayBranches,
  overlayState,
  preview,
  simulate
} from "./speculation.ts"

export const changeFacade = change.of(
  contract,
  detect,
  impact,
  verify,
  tests,
  guards,
  editPlan,
  preview,
  simulate,
  diagnostics,
  codeActions,
  ranges,
  pattern,
  apiImpact,
  receipt,
  compareOverlay,
  compareBranches,
  overlayState,
  overlayBranches
)
