import { apiImpact } from "./api_impact.ts"
import { contract } from "./contract.ts"
import { detect } from "./detect.ts"
import { editPlan } from "./edit_plan.ts"
import { change } from "./facade.ts"
import { guards } from "./guards.ts"
import { impact } from "./impact.ts"
import { codeActions, diagnostics } from "./language_server.ts"
import { pattern } from "./pattern.ts"
import { ranges } from "./ranges.ts"
import { receipt } from "./receipt.ts"
import { compareBranches, compareOverlay, overlayBranches, overlayState } from "./overlays.ts"
import { preview, simulate } from "./speculation.ts"
import { tests } from "./tests.ts"
import { verify } from "./verify.ts"

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
