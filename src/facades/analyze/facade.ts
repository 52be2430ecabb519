import type { Effect } from "effect"
import type { ReadServices } from "../../registry/EffectClass.ts"
import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"
import type { OperationFailure } from "../../registry/Failure.ts"
import type { Call, CheckNeeds, CheckServices, Ids, TagOf } from "../../registry/Operation.ts"
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

/** What a kind says of itself beside its input, its needs and its handler. */
interface Kind {
  readonly summary: string
  readonly tier?: 1 | 2
  readonly presets?: ReadonlyArray<Preset>
  readonly fixed?: JsonRecord
  readonly page?: { readonly default: number; readonly max: number }
  readonly narrows?: boolean
}

const shared = (kind: string, spec: Kind) =>
  ({ tier: 2, ...spec, tool: "analyze", fixed: { kind, ...spec.fixed } }) as const

/** A kind without a handler that shares its canonical tool with the other kinds and is told apart by a fixed argument. */
export const native = <const N extends string, const T extends ReadonlyArray<TagOf<ReadServices>>>(
  kind: N,
  spec: Kind & {
    readonly input: F.Input.Any
    readonly needs: T & CheckNeeds<`analyze.${N}`, "read", T>
    readonly because: string
  }
) => analyze.declared<N, T>(kind, { ...spec, ...shared(kind, spec) })

/** Makes an operation whose type the callers of {@link kind} have stated. */
const made: (name: string, spec: object) => unknown = analyze.operation as never

/** The same with a handler. */
export const kind = <
  const N extends string,
  I,
  A extends object,
  E extends OperationFailure,
  R,
  const T extends ReadonlyArray<TagOf<ReadServices>>
>(
  name: N,
  spec: Kind & {
    readonly input: F.Input<I>
    readonly needs: T & CheckNeeds<`analyze.${N}`, "read", T>
    readonly handler: (
      input: I,
      call: Call
    ) => Effect.Effect<A, E, R> & CheckServices<`analyze.${N}`, "read", R, Ids<T>>
  }
): Facade.Member<typeof analyze, N, T> => made(name, { ...spec, ...shared(name, spec) }) as never
