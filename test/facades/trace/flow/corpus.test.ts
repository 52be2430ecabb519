import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"
import { cases, files, patterns } from "./corpus.ts"

/** Cases that are known to come out wrong, each for a reason that answers tell under `approximations`. */
const known: { readonly [place: string]: string } = {
  "javascript/shapes.js:72": "a function kept in data"
}

describe("trace.taint over a labelled corpus", () => {
  it.scoped(
    "finds at least eight in ten flows, and nine in ten of what it finds are flows, in every language together",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const wrong: Array<string> = []
        let found = 0
        let right = 0
        let there = 0
        for (const [language, { sink, source }] of Object.entries(patterns)) {
          const answer = yield* at.call("trace", {
            operation: "taint",
            target: { query: `${source} path:${language}/` },
            to: { query: `${sink} path:${language}/` },
            output: { limit: 500, max_bytes: 0 }
          })
          assert.isTrue(
            answer["completeness"].complete,
            `${language}: ${JSON.stringify(answer["completeness"])}`
          )
          const hits = new Set(
            answer["findings"].map((f: Value) => `${f["sink"].file_path}:${f["sink"].line}`)
          )
          const own = cases.filter((c) => c.language === language)
          for (const { line, path, tainted } of own) {
            const hit = hits.has(`${path}:${line}`)
            there += Number(tainted)
            found += Number(hit)
            right += Number(hit && tainted)
            if (hit !== tainted) wrong.push(`${path}:${line} ${tainted ? "missed" : "not one"}`)
          }
          const marked = new Set(own.map(({ line, path }) => `${path}:${line}`))
          for (const hit of hits)
            if (!marked.has(hit as string)) {
              found++
              wrong.push(`${hit} unmarked`)
            }
        }
        assert.isAtLeast(cases.length, 60)
        assert.isAtLeast(right / there, 0.8, wrong.join("\n"))
        assert.isAtLeast(right / found, 0.9, wrong.join("\n"))
        assert.sameMembers(
          wrong.map((w) => w.split(" ")[0]!),
          Object.keys(known),
          `${right} of ${there} found, ${found} reported\n${wrong.join("\n")}`
        )
      }),
    30_000
  )
})
