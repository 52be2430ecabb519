/** Makes an extractor of a rule set: grammar loaded once per thread, every tree freed before the next file. */
import type { Extract } from "../Language.ts"
import { Grammar } from "./Grammar.ts"
import type { Rules } from "./Rules.ts"
import { prepare, Walk } from "./Walk.ts"

const loaded = new Map<Rules, Promise<Extract>>()

/** The extractor of a rule set. Throws when its grammar is not installed; the extractor throws {@link import("./Grammar.ts").ParseAbandoned}. */
export const extractorOf = (rules: Rules): Promise<Extract> => {
  let extract = loaded.get(rules)
  if (extract === undefined) {
    extract = Grammar.load(rules.grammar, rules.probe).then((grammar) => {
      const prepared = prepare(rules, grammar.tree)
      return (builder) => {
        const tree = grammar.parse(builder.source.path, builder.source.text ?? "")
        new Walk(tree, builder, rules, prepared).run()
      }
    })
    loaded.set(rules, extract)
  }
  return extract
}
