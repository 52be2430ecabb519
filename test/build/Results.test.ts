/** What is told of answers is what their handlers answer, as the compiler sees it. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { stale } from "../../src/build/docs/Page.ts"
import { resultPages } from "../../src/build/results.ts"

it("schemas and columns of answers are those of the handlers; run npx tsx src/build/results.ts after a change", () => {
  const top = join(import.meta.dirname, "../..")
  expect(stale(top, resultPages(top))).toEqual([])
}, 300_000)
