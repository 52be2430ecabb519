import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { excerptOf, headOf } from "./Excerpt.ts"
import { read } from "./facade.ts"

const needs = [ReadFs, CodeGraph] as const

export const symbolMetadata: Member<typeof read, "symbol_metadata_compat", typeof needs> = read.operation(
  "symbol_metadata_compat",
  {
    narrows: true,
    tool: "get_symbol",
    presets: ["core", "edit", "nav"],
    summary: "A symbol's location and signature, without its source.",
    hidden: true,
    tier: 2,
    input: F.input({
      target: F.target({ symbol: Shared.symbol }),
      options: F.group({
        detail: F.withDefault(
          F.described(F.choice("brief", "full"), "full adds its documentation, flags and complexity"),
          "brief"
        )
      })
    }),
    needs,
    handler: ({ options, target }) =>
      Effect.map(
        excerptOf(
          target.symbol,
          { context_lines: 0, compress_bodies: false, max_lines: 0, allow_secrets: false },
          { facade: "read", operation: "source" }
        ),
        (excerpt) => {
          const { complexity, doc, flags, language, qualified } = excerpt.symbol
          const head = headOf(excerpt)
          return options.detail === "brief"
            ? head
            : {
                ...head,
                qualified_name: qualified,
                language,
                flags,
                complexity,
                ...(doc === "" ? {} : { doc })
              }
        }
      )
  }
)
