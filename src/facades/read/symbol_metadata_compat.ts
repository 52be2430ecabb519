import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"

const needs = [CodeGraph] as const

export const symbolMetadata: Member<typeof read, "symbol_metadata_compat", typeof needs> = read.declared(
  "symbol_metadata_compat",
  {
    tool: "get_symbol",
    summary: "A symbol's location and signature, for callers of the former tool.",
    hidden: true,
    tier: 2,
    input: F.input({
      target: F.target({ symbol: Shared.symbol }),
      options: F.group({ detail: F.withDefault(F.choice("brief", "full"), "brief") })
    }),
    needs,
    because: "operation source answers it"
  }
)
