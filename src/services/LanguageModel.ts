import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A language model: open world, read only. Absent configuration fails with reason `not_configured`. */
export class LanguageModel extends Context.Tag("portico/LanguageModel")<
  LanguageModel,
  {
    readonly complete: (request: {
      readonly system: string
      readonly prompt: string
      readonly maxTokens?: number
    }) => Effect.Effect<
      { readonly text: string; readonly model: string; readonly tokens?: number },
      ServiceFailure
    >
  }
>() {}
