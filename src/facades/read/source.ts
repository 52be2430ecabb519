import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { tagged } from "../shared/etag.ts"
import { excerptOf, headOf } from "./Excerpt.ts"
import { read } from "./facade.ts"
import { allowSecrets, compressBodies, contextLines, maxLines } from "./fields.ts"
import { outputOf, windowOf } from "./Window.ts"

const needs = [ReadFs, CodeGraph] as const

export const source: Member<typeof read, "source", typeof needs> = read.operation("source", {
  tool: "get_symbol_source",
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  aliases: ["symbol", "symbol_source", "get_symbol_source"],
  summary: "One symbol's source with its location and signature.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    context: F.group({ context_lines: contextLines, compress_bodies: compressBodies, max_lines: maxLines }),
    options: F.group({ allow_secrets: allowSecrets, if_none_match: Shared.ifNoneMatch })
  }),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const { context, options, target } = input
      const { allow_secrets, if_none_match } = options
      const excerpt = yield* excerptOf(
        target.symbol,
        { ...context, allow_secrets },
        { facade: "read", operation: "source" }
      )
      const { from, symbol, to, whole } = excerpt
      const head = headOf(excerpt)
      const cut = windowOf(
        excerpt.pieces,
        { ...head, etag: "0123456789abcdef", bodies_elided: 1000 },
        call.budget,
        {
          path: symbol.path,
          options: allow_secrets ? { allow_secrets } : {},
          context: {
            ...(context.compress_bodies ? { compress_bodies: true } : {}),
            ...(context.max_lines > 0 ? { max_lines: context.max_lines } : {})
          },
          output: outputOf(input)
        },
        { from, last: to, whole }
      )
      const shown = excerpt.pieces.slice(0, cut.fitted.pieces)
      const elided = shown.filter(({ fold }) => fold === "body").length
      const folded = shown.filter(({ fold }) => fold === "statements").length
      const answer = {
        ...head,
        ...(elided === 0 ? {} : { bodies_elided: elided }),
        ...(folded === 0 ? {} : { statements_folded: folded }),
        ...(cut.partial === undefined ? {} : { truncated: cut.partial.truncated }),
        source: cut.text
      }
      const out = tagged(answer, if_none_match, { id: symbol.id })
      return cut.partial === undefined || "not_modified" in out
        ? out
        : { ...out, follow_up: cut.partial.follow_up }
    })
})
