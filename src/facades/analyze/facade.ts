import * as Envelope from "../../registry/Envelope.ts"
import type { CheckNeeds, TagOf } from "../../registry/Operation.ts"
import type { ReadServices } from "../../registry/EffectClass.ts"
import * as Facade from "../../registry/Facade.ts"
import type * as F from "../../registry/Fields.ts"
import type { JsonRecord } from "../../registry/Json.ts"
import type { Preset } from "../../registry/Presets.ts"

export const analyze = Facade.make("analyze", {
  effect: "read",
  purpose: "Deterministic analyses of the graph: structure, upkeep, history, rules, frameworks.",
  envelope: {
    properties: {
      target: Envelope.target("symbol", "symbols", "file"),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  discriminator: "kind",
  discriminatorAliases: ["operation"],
  default: "help"
})

/** A kind that shares its canonical tool with the other kinds and is told apart by a fixed argument. */
export const native = <const N extends string, const T extends ReadonlyArray<TagOf<ReadServices>>>(
  kind: N,
  spec: {
    readonly summary: string
    readonly tier?: 1 | 2
    readonly presets?: ReadonlyArray<Preset>
    readonly fixed?: JsonRecord
    readonly page?: { readonly default: number; readonly max: number }
    readonly input: F.Input.Any
    readonly needs: T & CheckNeeds<`analyze.${N}`, "read", T>
    readonly because: string
  }
) => analyze.declared<N, T>(kind, { tier: 2, ...spec, tool: "analyze", fixed: { kind, ...spec.fixed } })
