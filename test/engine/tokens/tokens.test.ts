import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { jaccard, printsOf, runs, shinglesOf, signatureOf } from "../../../src/engine/tokens/Clones.ts"
import { lex, manners, T } from "../../../src/engine/tokens/Lexer.ts"
import { measure } from "../../../src/engine/tokens/Measure.ts"

const texts = (language: string, text: string) => {
  const { count, ends, starts } = lex(text, manners[language]!)
  return Array.from({ length: count }, (_, i) => text.slice(starts[i], ends[i]))
}
const measured = (language: string, text: string) => {
  const manner = manners[language]!
  const tokens = lex(text, manner)
  const { cognitive, loop_depth, loops } = measure(text, tokens, 0, tokens.count, manner)
  return { cognitive, loop_depth, loops: loops.map((loop) => [loop.start_line, loop.end_line, loop.depth]) }
}

describe("the lexer", () => {
  it("leaves out comments and keeps strings whole, in each language's manner", () => {
    assert.deepStrictEqual(texts("typescript", "a /* x */ = `b${ {c: '}'} }d`; // e\n/[/]\"/g.test(f)"), [
      "a",
      "=",
      "`b${ {c: '}'} }d`",
      ";",
      '/[/]"/g',
      ".",
      "test",
      "(",
      "f",
      ")"
    ])
    assert.deepStrictEqual(texts("typescript", "a / b / c"), ["a", "/", "b", "/", "c"])
    assert.deepStrictEqual(
      texts("rust", "fn f<'a>(x: &'a str) -> char { /* a /* b */ c */ r#\"q\"#; '\\'' }"),
      [..."fn f < 'a > ( x : & 'a str ) -> char {".split(" "), 'r#"q"#', ";", "'\\''", "}"]
    )
    assert.deepStrictEqual(texts("python", 'x = """a\n# b""" # c\ny = f\'{x}\''), [
      "x",
      "=",
      '"""a\n# b"""',
      "y",
      "=",
      "'{x}'"
    ])
    assert.deepStrictEqual(texts("go", 's := `a\n"b` // c\nt'), ["s", ":=", '`a\n"b`', "t"])
    assert.deepStrictEqual(texts("bash", 'echo "$#" ${x#y} # note'), [
      "echo",
      '"$#"',
      "$",
      "{",
      "x",
      "#",
      "y",
      "}"
    ])
  })

  it("gives each token its line, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(manners)),
        fc.string({ unit: "grapheme", maxLength: 200 }),
        (language, text) => {
          const { count, ends, lines, starts } = lex(text, manners[language]!)
          let last = 0
          for (let i = 0; i < count; i++) {
            assert.isAtLeast(starts[i]!, last)
            assert.isAbove(ends[i]!, starts[i]!)
            assert.strictEqual(lines[i], text.slice(0, starts[i]).split("\n").length)
            last = ends[i]!
          }
          assert.isAtMost(last, text.length)
        }
      )
    )
  })

  it("tells words of the language from names", () => {
    const { kinds } = lex("if (iffy) 12", manners["java"]!)
    assert.deepStrictEqual([...kinds], [T.word, T.sign, T.name, T.sign, T.number])
  })
})

describe("the measure of a body", () => {
  // The values are those of the white paper that defines cognitive complexity.
  it("counts as its definition does", () => {
    const primes = `int sumOfPrimes(int max) {
  int total = 0;
  OUT: for (int i = 1; i <= max; ++i) {
    for (int j = 2; j < i; ++j) {
      if (i % j == 0) {
        continue;
      }
    }
    total += i;
  }
  return total;
}`
    assert.deepStrictEqual(measured("java", primes), {
      cognitive: 6,
      loop_depth: 2,
      loops: [
        [3, 10, 1],
        [4, 8, 2]
      ]
    })
    const words = `String getWords(int number) {
  switch (number) {
    case 1: return "one";
    case 2: return "a couple";
    default: return "lots";
  }
}`
    assert.strictEqual(measured("java", words).cognitive, 1)
    const caught = `void myMethod() {
  try {
    if (condition1) {
      for (int i = 0; i < 10; i++) {
        while (condition2) { work(); }
      }
    }
  } catch (ExcepType1 e) {
    if (condition2) { work(); }
  }
}`
    assert.strictEqual(measured("java", caught).cognitive, 9)
    assert.strictEqual(
      measured("javascript", "function f(a, b, c, d) { return a && b && c || d && a }").cognitive,
      3
    )
  })

  it("follows bodies without braces, by lines and by columns", () => {
    const bare = `function f(list) {
  for (const a of list)
    if (a > 1) g(a)
    else if (a < 0) h(a)
  return list.map((x) => {
    while (x > 0) x--
    return x
  })
}`
    // for 1, if 2, else if 1, while inside a function inside: 2.
    assert.deepStrictEqual(measured("typescript", bare), {
      cognitive: 6,
      loop_depth: 1,
      loops: [
        [2, 4, 1],
        [6, 6, 1]
      ]
    })
    const python = `def f(rows):
    for row in rows:
        while row:
            if row and row.x or row.y:
                row = row.next
            elif row is None:
                break
            else:
                pass
    return [x for y in rows for x in y]
`
    // for 1, while 2, if 3 and two kinds of operators, elif 1, else 1; what is made in brackets is a loop, and no branch.
    assert.deepStrictEqual(measured("python", python), {
      cognitive: 10,
      loop_depth: 2,
      loops: [
        [2, 9, 1],
        [3, 9, 2],
        [10, 10, 1],
        [10, 10, 2]
      ]
    })
    const go = `func f(n int) {
\tfor i := 0; i < n; i++ {
\t\tif v := g(i); v != nil && v.ok {
\t\t\tfor range v.list {
\t\t\t}
\t\t} else {
\t\t\tgo func() {
\t\t\t\tif n > 2 {
\t\t\t\t}
\t\t\t}()
\t\t}
\t}
}`
    // for 1, if 2, && 1, for 3, else 1, if 4 within a function within the other branch.
    assert.deepStrictEqual(measured("go", go), {
      cognitive: 12,
      loop_depth: 2,
      loops: [
        [2, 12, 1],
        [4, 5, 2]
      ]
    })
    const twice = "void f() { do { g(); } while (x); while (y) h(); }"
    assert.strictEqual(measured("c", twice).loop_depth, 1)
    assert.strictEqual(measured("c", twice).cognitive, 2)
  })
})

describe("finding clones", () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 10, maxLength: 120 })

  it("estimates by signatures what the shingles say", () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const left = shinglesOf(Int32Array.from(a), 0, a.length)
        const right = shinglesOf(Int32Array.from(b), 0, b.length)
        const common = new Set([...left].filter((value) => right.includes(value))).size
        const all = new Set([...left, ...right]).size
        assert.closeTo(jaccard(left, right), common / all, 1e-12)
        if (jaccard(left, right) === 1) assert.deepStrictEqual(signatureOf(left), signatureOf(right))
      })
    )
  })

  it("misses no run of the length asked for, wherever it lies", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1000, max: 1_000_000 }), { minLength: 60, maxLength: 90 }),
        fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 70 }),
        fc.array(fc.integer({ min: -900, max: -1 }), { maxLength: 70 }),
        (run, before, after) => {
          const a = Int32Array.from([...before, ...run, ...after.slice(0, 3)])
          const b = Int32Array.from([...after, ...run])
          const files = [a, b]
          const found = runs(
            files.map((tokens) => printsOf(tokens, 60)),
            60,
            (file) => files[file],
            () => false
          )
          const whole = found.find(({ fileA, fileB }) => fileA === 0 && fileB === 1)
          assert.isDefined(whole)
          assert.isAtMost(whole.a, before.length)
          assert.isAtLeast(whole.a + whole.tokens, before.length + run.length)
        }
      ),
      { numRuns: 100 }
    )
  })
})
