import { assert, describe, it } from "vitest"
import { join } from "node:path"
import { catalogRules } from "../../../src/engine/rules/Matcher.ts"
import { RuleSet } from "../../../src/engine/rules/RuleSet.ts"
import { hitsIn } from "../../../src/engine/rules/Runner.ts"
import { trustedLines, trustedTest } from "../../../src/engine/rules/Tests.ts"
import { fixtures, pathFor, wholeFile } from "./Fixtures.ts"

const rules = await catalogRules()
const set = new RuleSet(rules, { test: trustedTest, lines: trustedLines })
const all = fixtures(join(import.meta.dirname, "fixtures"))

/** Whether a rule finds something in a fixture. */
const finds = async ({ language, path, rule, text }: (typeof all)[number]): Promise<boolean> => {
  const place = set.byId.get(rule)!
  const own = rules[place]!.languages[0]!
  const id = language ?? (own === "*" ? "" : own)
  const at = path ?? pathFor(id)
  if (!set.fits(place, at)) return false
  return (
    hitsIn(set, await set.share(id, new Set([place])), new Set([place]), at, wholeFile(id, text)).length > 0
  )
}

describe("the catalogue of rules", () => {
  for (const file of new Set(all.map(({ at }) => at.split(":")[0]!)))
    it(`finds what it must find and nothing else in ${file}`, async () => {
      const wrong: Array<string> = []
      for (const fixture of all) {
        if (!fixture.at.startsWith(`${file}:`)) continue
        if (!set.byId.has(fixture.rule)) wrong.push(`${fixture.at} ${fixture.rule}: there is no such rule`)
        else if ((await finds(fixture)) !== fixture.matches)
          wrong.push(`${fixture.at} ${fixture.rule} ${fixture.matches ? "misses" : "finds"} ${fixture.text}`)
      }
      assert.deepEqual(wrong, [])
    })

  it("has a text with a finding and one without for each rule", () => {
    const lacking = rules.flatMap(({ id }) => {
      const own = all.filter(({ rule }) => rule === id)
      return own.some(({ matches }) => matches) && own.some(({ matches }) => !matches) ? [] : [id]
    })
    assert.deepEqual(lacking, [])
  })

  it("reads every rule in every language it is for", async () => {
    const every = new Set(rules.keys())
    for (const language of new Set(rules.flatMap(({ languages }) => languages)))
      if (language !== "*") await set.share(language, every)
  })

  it("says of each security rule which weakness it is", () => {
    const sast = rules.filter(({ family }) => family === "sast")
    assert.isAtLeast(sast.length, 150)
    assert.deepEqual(
      sast
        .filter(({ cwe, owasp }) => !/^CWE-\d+$/.test(cwe ?? "") || !/^A\d\d:2021$/.test(owasp ?? ""))
        .map(({ id }) => id),
      []
    )
    const languages = new Set(sast.flatMap((rule) => rule.languages))
    for (const language of [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "csharp",
      "php",
      "ruby",
      "rust",
      "c",
      "cpp"
    ])
      assert.isTrue(languages.has(language), language)
  })

  it("has each id once", () => {
    const ids = rules.map(({ id }) => id)
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      []
    )
  })
})
