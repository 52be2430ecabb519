import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"

const needs = [SessionView] as const

export const history: Member<typeof read, "history", typeof needs> = read.declared("history", {
  tool: "get_symbol_history",
  summary: "Symbols changed in this session, how often, and which keep changing.",
  tier: 2,
  input: F.input({ target: F.optional(F.target({ symbol: Shared.symbol })) }),
  needs,
  because: "this build records no changes by symbol"
})
