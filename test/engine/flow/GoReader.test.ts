/** Go is read without its grammar: the grammar tells whether that is right. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { type FileIr, linesOf } from "../../../src/engine/flow/Ir.ts"
import { go } from "../../../src/engine/flow/languages/go.ts"
import { Lower } from "../../../src/engine/flow/Lower.ts"
import { go as language } from "../../../src/engine/languages/go/index.ts"
import { Grammar } from "../../../src/engine/languages/treesitter/Grammar.ts"
import type { SyntaxTree } from "../../../src/engine/languages/treesitter/SyntaxTree.ts"
import { files } from "../../facades/trace/flow/corpus.ts"

const grammar = await Grammar.load(language.grammar!, go.probe)
const lower = (tree: SyntaxTree, text: string): FileIr => new Lower(tree, text, go).run("go", linesOf(text))
const byGrammar = (text: string): FileIr => lower(grammar.parse("a.go", text), text)
const byReader = (text: string): FileIr | undefined => {
  const tree = go.read!(text, undefined)
  return tree === undefined ? undefined : lower(tree, text)
}

const inBody = (line: string): string =>
  `package p\n\nfunc f(a, b int, c ...string) (d error) {\n\t${line}\n}\n`
const lines = [
  "var x, y [5]*uint; var ( z map[string][]int = nil; w = func(int, string) (bool, error) { return true, nil } )",
  "const one, two = 1, 2.5e-3 + 1i; const three int = 'x'",
  "type T[K comparable, V ~int | string] struct { a, b int `tag`; *E; p.Q[K] }; type I interface { M(a int) error; ~int | string; p.J }",
  "type A = B; type ( C [4]int; D []C; F func(a, b int, rest ...string) (n int, err error) )",
  "x := T{a: 1, b: {2, 3}, 4: &U{}}; y := [...]int{1, 2}; z := []p.T[int]{{1}, {2}}; m := map[K]V{k: v}",
  "x, ok := m[k]; x.y.z[0] = a[1:2]; *p = <-c; c <- 1; x++; y--; x &^= 1 << 2; (a), b = b, a",
  "x = a.(T); y = -a + b*c == d && !e || f < g; z = &T{}; w = <-chan int(c); u = (*T)(q)",
  "h[i](x); h[i](x, y); h[int](x); h[p.T](x, y); h[a, b](x); p.h[[]int](); h[i][j](x...); h[k[l]](a, b); x = h[a, b]",
  "make([]int, 3); new(T); make(chan<- int); append(a, b...); panic(a); string(b); int(c); p.make(d); a.b().c(d)(e)",
  "if x := f(); x != nil { return x } else if a { } else { b() }; if (T{}) == x { }; if f(T{1}) { }",
  "for { break }; for a < b { continue }; for i := 0; i < 3; i++ { }; for ; ; { }; for k, v := range m { _ = k + v }",
  "for range c { }; for i := range 10 { }; for k, v = range m { }; for x := range f(func() bool { return true }) { }",
  "switch x := a.(type) { case nil, *T: f(x); case func(int) string: default: g() }; switch a.(type) { }; switch { case a: }",
  "switch a := f(); a { case 1, 2: fallthrough; case 3: default: }; switch f(); b := a.(type) { case T: _ = b }",
  "select { case x := <-c: f(x); case x, ok = <-d: case e <- 1: case <-g: default: }; select { }",
  "L: for { break L }; M: f(); goto M; go f(a); defer func() { recover() }(); { a = b }; N:",
  "return f(a,\n\t\tb,\n\t), `raw\n` // about\n\t/* more\n */",
  "x := struct{ a int }{1}; y := interface{}(a); var z struct{}; w := []struct{ a, b int }{{1, 2}}; v := func(T) {}"
]

describe("Go read without its grammar", () => {
  const texts = [
    ...Object.entries(files).flatMap(([path, text]) => (path.endsWith(".go") ? [text] : [])),
    ...readdirSync(new URL("../languages/go/fixtures", import.meta.url)).map((name) =>
      readFileSync(new URL(`../languages/go/fixtures/${name}`, import.meta.url), "utf8")
    ),
    ...lines.map(inBody)
  ]

  it("means what the grammar says", () => {
    for (const text of texts) {
      const expected = byGrammar(text)
      assert.strictEqual(expected.errors, 0, text)
      assert.deepStrictEqual(byReader(text), expected, text)
    }
  })

  it("is left to the grammar where a word is missing, or means the same as well", () => {
    let read = 0
    let left = 0
    for (const text of lines.map(inBody))
      for (const word of text.matchAll(/[\w]+|[^\s\w]/g)) {
        const broken = text.slice(0, word.index) + text.slice(word.index + word[0].length)
        const found = byReader(broken)
        if (found === undefined) left++
        else {
          read++
          assert.deepStrictEqual(found, byGrammar(broken), `without ${JSON.stringify(word[0])}: ${broken}`)
        }
      }
    assert.isAbove(left, 500)
    assert.isAbove(read, 200)
  })

  it("reads what the grammar takes for something else", () => {
    const named = (text: string) =>
      byReader(inBody(text))!.functions[1]!.ops.flatMap(({ kind, name }) =>
        kind === "load" || kind === "call" ? [`${kind} ${name}`] : []
      )
    assert.deepStrictEqual(named("return *(*[]T)(g(&a))"), ["call g"])
    assert.deepStrictEqual(named("_ = s.m[a.n][b.i]"), ["load m", "load n", "load []", "load i", "load []"])
    assert.deepStrictEqual(named("x := ([]byte)(g(a)); _ = x"), ["call g"])
  })
})
