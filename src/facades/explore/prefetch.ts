import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { SessionView } from "../../services/SessionView.ts"
import * as Shared from "../fields.ts"
import { explore } from "./facade.ts"

const needs = [CodeGraph, ReadFs, SessionView] as const

export const prefetch: Member<typeof explore, "prefetch", typeof needs> = explore.declared("prefetch", {
  tool: "prefetch_context",
  summary: "Symbols likely to be needed next, from the task and recent reads.",
  tier: 2,
  page: { default: 10, max: 100 },
  input: F.input({
    task: F.optional(Shared.task),
    options: F.group({
      recent_symbols: F.optional(F.described(F.csv, "symbol ids looked at lately")),
      include_source: F.withDefault(F.described(F.flag, "attach the source of the first five"), false)
    })
  }),
  needs,
  because: "this build keeps no record of recent reads to predict from"
})
