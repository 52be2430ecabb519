import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import type { Operation } from "../../../registry/Operation.ts"
import { type analyze, kind } from "../facade.ts"

/** The kinds with a line each. A function of them, because they are all there only after they are made. */
export const help = (kinds: () => ReadonlyArray<Operation.Any>): Member<typeof analyze, "help", []> =>
  kind("help", {
    summary: "The kinds of analysis, a line each.",
    presets: ["core"],
    tier: 1,
    input: F.input({}),
    needs: [],
    handler: () =>
      Effect.sync(() => {
        const all = kinds().filter(({ hidden }) => !hidden)
        const missing = all.filter(({ available }) => !available)
        return {
          usage:
            'analyze(kind="…"); capabilities(domain="analyze", operation="…", detail="schema") tells the arguments of one',
          total: all.length,
          kinds: Object.fromEntries(
            all.filter(({ available }) => available).map(({ name, summary }) => [name, summary])
          ),
          ...(missing.length === 0
            ? {}
            : {
                unavailable: Object.fromEntries(missing.map(({ name, unavailable }) => [name, unavailable]))
              })
        }
      })
  })
