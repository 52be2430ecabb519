/** Ordered rules of the form `glob:full`, `glob:compress` or `glob:omit`; the first that fits a path decides. */
import { Effect } from "effect"
import { invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import { TextIndex } from "../../services/TextIndex.ts"

export type Fidelity = "full" | "compress" | "omit"

/** The fidelity of a path: its rule's, else compressed or full as asked. Fails with `invalid_argument` on a malformed rule. */
export const fidelityOf = (
  path: string,
  rules: ReadonlyArray<string> | undefined,
  compress: boolean
): Effect.Effect<Fidelity, OperationFailure, TextIndex> =>
  Effect.gen(function* () {
    const standard: Fidelity = compress ? "compress" : "full"
    if (rules === undefined || rules.length === 0) return standard
    const { glob } = yield* TextIndex
    const parsed = yield* Effect.forEach(rules, (rule) =>
      Effect.suspend(() => {
        const refuse = (why: string) =>
          Effect.fail(
            invalidArgument(
              "options.fidelity_globs",
              `options.fidelity_globs has ${JSON.stringify(rule)}, ${why}`,
              { reason_code: "invalid_rule", data: { rule } }
            )
          )
        const found = /^(.+):(full|compress|omit)$/.exec(rule.trim())
        if (found === null) return refuse("which is not glob:full, glob:compress or glob:omit")
        try {
          return Effect.succeed({ fits: glob(found[1]!), fidelity: found[2] as Fidelity })
        } catch {
          return refuse("whose glob cannot be read")
        }
      })
    )
    return parsed.find(({ fits }) => fits(path))?.fidelity ?? standard
  })
