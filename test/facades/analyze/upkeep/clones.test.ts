import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const body = (
  name: string,
  list: string,
  limit: string
) => `export function ${name}(${list}: Array<{ price: number; count: number }>) {
  let ${name}Sum = 0
  for (const each of ${list}) {
    if (each.count === 0) continue
    const cost = each.price * each.count
    if (cost > ${limit}) ${name}Sum += cost - ${limit}
    else ${name}Sum += cost
  }
  return { ${name}Sum, size: ${list}.length }
}
`
const table = Array.from(
  { length: 14 },
  (_, i) => `  { code: ${i}, word: "w${i}", rank: [${i}, ${i + 1}] },`
).join("\n")
const files = {
  "src/a.ts": `${body("first", "items", "100")}first([])\n`,
  "src/b.ts": body("second", "orders", "250"),
  "src/c.ts": `export function other(text: string) {
  const words = text.split(" ").map((word) => word.trim().toLowerCase())
  while (words.length > 0 && words[0] === "") words.shift()
  switch (words.length) {
    case 0: return undefined
    case 1: return words[0]
    default: return words.join("-").replaceAll("_", "+").normalize("NFC")
  }
}
other("x")
`,
  "src/d.ts": `export const d = [\n${table}\n]\nconsole.log(d)\n`,
  "src/e.ts": `export const e = [\n${table}\n]\nconsole.log("e", e)\n`,
  "py/x.py": "def one(a):\n    return a\n"
}

describe("analyze.clones", () => {
  it.scoped("groups bodies that differ in names only, and tells copied runs apart", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const found = yield* at.call("analyze", { kind: "clones" })
      assert.strictEqual(found["total"], 1)
      const [cluster] = found["clusters"] as ReadonlyArray<Value>
      assert.deepStrictEqual(
        (cluster!["members"] as ReadonlyArray<Value>).map(({ id, is_dead, start_line }) => [
          id,
          start_line,
          is_dead
        ]),
        [
          ["src/a.ts::first", 1, false],
          ["src/b.ts::second", 1, true]
        ]
      )
      assert.strictEqual(cluster!["avg_similarity"], 1)
      assert.strictEqual(cluster!["dead_count"], 1)
      const [run] = found["copied_runs"] as ReadonlyArray<Value>
      assert.strictEqual(run!["first"].file_path, "src/d.ts")
      assert.strictEqual(run!["second"].file_path, "src/e.ts")
      assert.deepStrictEqual([run!["first"].line, run!["first"].end_line], [1, 17])

      const dead = yield* at.call("analyze", { kind: "clones", options: { dead_only: true } })
      assert.strictEqual(dead["total"], 1)
      const elsewhere = yield* at.call("analyze", { kind: "clones", options: { path_prefix: "py" } })
      assert.strictEqual(elsewhere["total"], 0)
      assert.strictEqual(elsewhere["compared"], found["compared"])
      const refused = yield* at.refused("analyze", { kind: "clones", options: { min_similarity: 2 } })
      assert.strictEqual(refused.code, "invalid_argument")

      yield* at.overlay("s", { path: "src/b.ts", content: "export const second = 1\n", deleted: false })
      assert.strictEqual((yield* at.call("analyze", { kind: "clones" }, "s"))["total"], 0)
      assert.strictEqual((yield* at.call("analyze", { kind: "clones" }))["total"], 1)
    })
  )
})
