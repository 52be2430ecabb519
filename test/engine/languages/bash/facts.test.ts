import { assert, describe, it } from "vitest"
import { bash } from "../../../../src/engine/languages/bash/index.ts"
import { factsOf } from "../support.ts"
import { shown } from "../treesitter/shown.ts"

const read = async (text: string, path = "a.sh") => shown(await factsOf(bash, text, path))
const reads = async (text: string) => (await read(text)).references("read").map((r) => r.split(" ")[1])
const calls = async (text: string) => (await read(text)).references("call").map((r) => r.split(" ")[1])

describe("what a shell script expands", () => {
  it("is read in text, strings, arithmetic and nested expansions", async () => {
    assert.deepStrictEqual(
      await reads('echo $a "$b ${c}x" \'$no\' ${#d} ${!e} ${f:-"$g"} ${h[$i]} ${j:k:2}'),
      [..."abcdefghijk"]
    )
    assert.deepStrictEqual(await reads("x=$((a + b[2] * 16#ff - 0xff)); (( c++ )); y=$[d]"), [..."abcd"])
  })
  it("is read in patterns and regular expressions", async () => {
    assert.deepStrictEqual(
      await reads(
        '[[ $a == @(x|"$b") && ( $c =~ ^(p|q r)*$d$ ) ]]; case $e in x|$f) ;; esac; ${g#$h/} ${i//$j/$k}'
      ),
      [..."abcdefghijk"]
    )
  })
  it("is read in here-documents unless they are quoted", async () => {
    const text = "cat <<A - <<-'B' <<C\n$a `f $b`\nA\n\t$no\n\tB\n\\$no ${c}\nC\nafter $d"
    assert.deepStrictEqual(await reads(text), [..."abcd"])
    assert.deepStrictEqual(await calls(text), ["cat(1)", "f(1)", "after(1)"])
    assert.strictEqual((await read(text)).parseErrors, 0)
  })
  it("holds commands, each with what becomes of it", async () => {
    const { parseErrors, uses } = await read(
      'one; x=$(two `three`) | four; if five; then :; fi; while "$(six)"; do seven; done < <(eight)'
    )
    assert.deepStrictEqual(uses, [
      "1 one discarded",
      "1 two assigned",
      "1 three assigned",
      "1 five condition",
      "1 six assigned",
      "1 seven discarded"
    ])
    assert.strictEqual(parseErrors, 0)
  })
})

describe("a command", () => {
  it("has the arguments that are no redirections", async () => {
    assert.deepStrictEqual(await calls("a >x b 2>&1 c <<<d {fd}>&- &>>e f # g"), ["a(3)"])
    assert.deepStrictEqual(await calls("a=1 b[2]+=3 c d; time -p e; ! f | g"), [
      "c(1)",
      "e(0)",
      "f(0)",
      "g(0)"
    ])
  })
  it("is not taken for a reserved word elsewhere", async () => {
    const { parseErrors, references } = await read("echo if then; a done; b=fi c { } esac")
    assert.deepStrictEqual(references("call"), ["1 a(1) free", "1 c(3) free"])
    assert.strictEqual(parseErrors, 0)
  })
  it("may be handed a function of the script", async () => {
    const text = "f() { :; }\nxargs f 'f a' g; trap 'f; g' EXIT; trap f EXIT; trap - EXIT; echo f"
    const { references } = await read(text)
    assert.deepStrictEqual(references("read"), ["2 f @f", "2 f @f", "2 f @f"])
    assert.deepStrictEqual(references("call"), ["2 xargs(3) free", "2 f(1) @f"])
  })
})

describe("a variable", () => {
  it("is declared by its first assignment, in a function too", async () => {
    const { definitions, references } = await read(
      "f() { a=1; local b=2 c; b=3; a=4; }\na=5 d=6\ne=7 cmd\nreadonly g=8"
    )
    assert.deepStrictEqual(definitions, ["1 function f", "1 variable a", "2 variable d", "4 constant g"])
    assert.deepStrictEqual(references("write"), ["1 a @a", "2 a @a"])
  })
  it("is local where a loop or `read` names it", async () => {
    assert.deepStrictEqual(
      await reads("f() { for a in $b; do echo $a; done; read -r c; echo $c; }\necho $a"),
      ["b", "a"]
    )
    const { definitions } = await read("for ((i = 0, j = 1; i < n; i++)); do :; done")
    assert.deepStrictEqual(definitions, ["1 variable i", "1 variable j"])
  })
})

describe("a function", () => {
  it("has either form, any compound command as its body, and the comment above it", async () => {
    const facts = await read(
      "# Says so.\nfunction a-b() {\n  :\n}\nc ()\n(\n:)\nd() if e; then :; fi\nfunction g [[ x ]]\n"
    )
    assert.deepStrictEqual(facts.definitions, [
      "2 function a-b",
      "5 function c",
      "8 function d",
      "9 function g"
    ])
    assert.strictEqual(facts.of("a-b")?.doc, "# Says so.")
    assert.strictEqual(facts.of("a-b")?.span, "2:0-4:1")
    assert.strictEqual(facts.of("c")?.body, "6:0")
    assert.strictEqual(facts.parseErrors, 0)
  })
  it("has a path more for each branch", async () => {
    const { of } = await read(
      "f() { if a; then :; elif b; then :; fi; c && d || e; case x in y) ;; (z) ;& *) esac; }"
    )
    assert.strictEqual(of("f")?.complexity, 8)
  })
  it("is no matter of the words around it", async () => {
    const text = 'f() { case "$1" in f) echo ")" ;; esac; x=$(case y in z) : ;; esac); }; g() { :; }'
    const facts = await read(text)
    assert.deepStrictEqual(facts.definitions, ["1 function f", "1 variable x", "1 function g"])
    assert.strictEqual(facts.parseErrors, 0)
  })
})

describe("a test of Bats", () => {
  it("ends at its brace, and helpers are loaded before it", async () => {
    const facts = await read("load helper\n@test 'a b' {\n  run c d\n}\ne", "a.bats")
    assert.deepStrictEqual(facts.imports, ["helper (wildcard quoted)"])
    assert.strictEqual(facts.of("a b")?.span, "2:0-4:1")
    assert.deepStrictEqual(facts.references("call"), [
      "1 load(1) free",
      "3 c(1) free",
      "3 run(2) free",
      "5 e(0) free"
    ])
  })
})

describe("a script that does not parse", () => {
  it.each([
    ["if a; then b", 1],
    ["a; }", 1],
    ["f() { if a; then b; }; c", 1],
    ["echo 'a", 1],
    ['echo "$(a', 2],
    ["cat <<A\nb", 1],
    ["a ) b", 1],
    ["a | ; b", 1],
    ["f()", 1],
    ["done; b", 1],
    ["if a; then b; fi", 0],
    ["", 0]
  ])("%s", async (text, errors) => {
    assert.strictEqual((await read(text)).parseErrors, errors)
  })
  it("keeps what stands around the error", async () => {
    assert.deepStrictEqual(await calls("a\nfi\nb\nf() { while c; do d; }\ne"), [
      "a(0)",
      "b(0)",
      "c(0)",
      "d(0)",
      "e(0)"
    ])
  })
})
