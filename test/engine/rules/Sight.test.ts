import { assert, describe, it } from "vitest"
import type { CatalogRule, Condition } from "../../../src/engine/rules/Rule.ts"
import { RuleSet } from "../../../src/engine/rules/RuleSet.ts"
import { hitsIn } from "../../../src/engine/rules/Runner.ts"
import { boundedLines, boundedTest, trustedLines, trustedTest } from "../../../src/engine/rules/Tests.ts"
import { wholeFile } from "./Fixtures.ts"

const finds = {
  typescript: "look($X)",
  python: "look($X)",
  go: "look($X)",
  java: "look($X)",
  csharp: "Look($X)",
  php: "look($X)",
  ruby: "look($X)",
  rust: "look($X)",
  c: "look($X)"
} as const
type Language = keyof typeof finds

const rule = (language: Language, condition: Condition): CatalogRule => ({
  id: "look",
  family: "domain",
  languages: [language],
  severity: "info",
  message: "m",
  find: finds[language],
  where: { X: condition }
})
const fits = async (language: Language, text: string, condition: Condition): Promise<boolean> => {
  const set = new RuleSet([rule(language, condition)], { test: trustedTest, lines: trustedLines })
  const asked = new Set([0])
  return hitsIn(set, await set.share(language, asked), asked, "a", wholeFile(language, text)).length > 0
}

/** Text, then whether the argument is constant, built, and from a request. */
const cases: ReadonlyArray<readonly [Language, string, boolean, boolean, boolean]> = [
  ["typescript", 'look("a")', true, false, false],
  ["typescript", "look(a)", false, false, false],
  ["typescript", 'look("a" + 1)', true, false, false],
  ["typescript", 'look("a" + b)', false, true, false],
  ["typescript", "look(a + b)", false, false, false],
  ["typescript", "look(`a ${b}`)", false, true, false],
  ["typescript", "look(`a ${1}`)", true, false, false],
  ["typescript", 'const b = "x"; look(`a ${b}`)', true, false, false],
  ["typescript", 'let b = "x"; b = c; look(`a ${b}`)', false, true, false],
  ["typescript", 'function f(b) { look("a" + b) }', false, true, false],
  ["typescript", 'const b = "x"; function f(b) { look("a" + b) }', false, true, false],
  [
    "typescript",
    'function f(req) { const { q } = req.query; const s = "a" + q; look(s) }',
    false,
    true,
    true
  ],
  ["typescript", 'look(c ? `a ${b}` : "d")', false, true, false],
  ["typescript", 'look(await ("a" + b as string))', false, true, false],
  ["python", 'look("a")', true, false, false],
  ["python", 'look("a" % b)', false, true, false],
  ["python", "look(f'a {b}')", false, true, false],
  ["python", "look('a {}'.format(b))", false, true, false],
  ["python", "look(4 % b)", false, false, false],
  ["python", "def f():\n    q = request.args['q']\n    look(q)", false, false, true],
  ["go", 'look("a" + b)', false, true, false],
  ["go", 'look(fmt.Sprintf("a %s", b))', false, true, false],
  ["go", 'look(fmt.Sprintf("a %s", "b"))', false, false, false],
  ["go", 'look([]byte("a"))', true, false, false],
  ["go", 'func f(r *http.Request) { q := r.FormValue("q"); look(q) }', false, false, true],
  ["java", 'look("a" + b);', false, true, false],
  ["java", 'String q = String.format("a %s", b); look(q);', false, true, false],
  ["java", "class A { void f(@RequestParam String q) { look(q); } }", false, false, true],
  ["csharp", 'Look($"a {b}");', false, true, false],
  ["csharp", 'Look("a" + 1);', true, false, false],
  ["csharp", "class A { void F([FromQuery] string q) { Look(q); } }", false, false, true],
  ["php", 'look("a $b");', false, true, false],
  ["php", "look('a $b');", true, false, false],
  ["php", '$q = "a" . $_GET["q"]; look($q);', false, true, true],
  ["ruby", 'look("a #{b}")', false, true, false],
  ["ruby", "look 'a'", true, false, false],
  ["ruby", "q = params[:q]\nlook(q)", false, false, true],
  ["rust", 'look(&format!("a {}", b));', false, true, false],
  ["rust", 'look("a");', true, false, false],
  ["rust", 'let q = format!("a {b}"); look(&q);', false, true, false],
  ["c", 'look("a");', true, false, false],
  ["c", "look(a);", false, false, false]
]

describe("what is known of a value", () => {
  for (const [language, text, constant, built, request] of cases)
    it(`${language}: ${text}`, async () => {
      assert.deepEqual(
        {
          constant: await fits(language, text, { constant: true }),
          built: await fits(language, text, { built: true }),
          request: await fits(language, text, { request: true })
        },
        { constant, built, request }
      )
    })

  it("sees a literal by way of constants and conditions", async () => {
    const text = 'const A = "md5"; const b = c ? A : "sha1"; look(b)'
    assert.isTrue(await fits("typescript", text, { string: "^sha1$" }))
    assert.isTrue(await fits("typescript", text, { string: "^md5$" }))
    assert.isFalse(await fits("typescript", text, { string: "^sha256$" }))
  })
})

const hits = async (own: Omit<CatalogRule, "family" | "severity" | "message" | "id">, text: string) => {
  const set = new RuleSet([{ ...own, id: "r", family: "domain", severity: "info", message: "m" }], {
    test: boundedTest,
    lines: boundedLines
  })
  const asked = new Set([0])
  const found = hitsIn(set, await set.share(own.languages[0]!, asked), asked, "a", text)
  return found.map(({ end, start }) => text.slice(start, end))
}

describe("places of a rule", () => {
  const languages = ["typescript"]
  it("has one node for a variable, and the same text for the same variable", async () => {
    assert.deepEqual(await hits({ languages, find: "$A === $A" }, "a === b\nc.d === c.d\n"), ["c.d === c.d"])
  })
  it("takes any number of neighbours", async () => {
    const text = "f()\nf(1)\nf(1, 2)\nf(1, last)\ng(last)\n"
    assert.deepEqual(await hits({ languages, find: "f($$$, last)" }, text), ["f(1, last)"])
    assert.deepEqual(await hits({ languages, find: "f($X, $$$)" }, text), ["f(1)", "f(1, 2)", "f(1, last)"])
  })
  it("does not mind which quotes are used", async () => {
    assert.deepEqual(await hits({ languages, find: 'f("a")' }, "f('a')\nf(`a`)\nf(\"b\")\n"), [
      "f('a')",
      "f(`a`)"
    ])
  })
  it("can be a part of the code that is written", async () => {
    assert.deepEqual(
      await hits(
        { languages, find: { code: "({ deep: true })", select: "pair" } },
        "f({ a: 1, deep: true, b: 2 })"
      ),
      ["deep: true"]
    )
  })
  it("asks what is around and within", async () => {
    const text = "try { f() } catch (e) { g() }\nf()\n"
    assert.deepEqual(await hits({ languages, find: "f()", inside: [{ kind: "try_statement" }] }, text), [
      "f()"
    ])
    assert.deepEqual(await hits({ languages, find: { kind: "catch_clause" }, has: ["g()"] }, text), [
      "catch (e) { g() }"
    ])
    assert.deepEqual(await hits({ languages, find: { kind: "catch_clause" }, lacks: ["g()"] }, text), [])
  })
  it("runs patterns of a project in linear time", async () => {
    const started = process.cpuUsage().user
    assert.deepEqual(await hits({ languages: ["*"], line: "(a+)+$" }, `${"a".repeat(5000)}b\n`), [])
    assert.isBelow((process.cpuUsage().user - started) / 1e6, 10)
  })
  it("places lines in units of the text", async () => {
    assert.deepEqual(await hits({ languages: ["*"], line: "b+" }, "äöü bbb\nx\nbb\n"), ["bbb", "bb"])
  })
})
