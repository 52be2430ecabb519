import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FastCheck from "effect/FastCheck"
import {
  fits,
  readArguments,
  readSignature,
  reordered,
  type Style
} from "../../../src/facades/change/Signature.ts"
import { served, type Value } from "../read/support.ts"

const shapes = (header: string, name: string, style: Style, member = false) =>
  readSignature(header, name, style, member)?.parameters.map(
    ({ name: own, namedOnly, namedRest, optional, positionalOnly, rest, type }) =>
      `${own}:${type}${optional ? "?" : ""}${rest ? " rest" : ""}${namedRest ? " named-rest" : ""}${namedOnly ? " named" : ""}${positionalOnly ? " positional" : ""}`
  )

describe("signatures", () => {
  it("are read in the way of each language", () => {
    assert.deepStrictEqual(
      shapes(
        "export async function f<T extends Map<string, number>>(this: X, a: Map<string, T>, { b, c }: P = {}, d?: (x: number, y: number) => void, ...rest: T[]): Promise<void>",
        "f",
        "ecmascript"
      ),
      ["a:Map<string, T>", "{ b, c }:P?", "d:(x: number, y: number) => void?", "rest:T[]? rest"]
    )
    assert.deepStrictEqual(shapes("const f = async (a, b = g(1, 2)) =>", "f", "ecmascript"), ["a:", "b:?"])
    assert.deepStrictEqual(
      shapes("def f(self, a, /, b: int = 1, *args, c, d=2, **kw) -> int:", "f", "python", true),
      ["a: positional", "b:int?", "args:? rest", "c: named", "d:? named", "kw:? named-rest"]
    )
    assert.deepStrictEqual(
      shapes("func (s *Server) Do(ctx context.Context, a, b int, opts ...Option) (int, error)", "Do", "go"),
      ["ctx:context.Context", "a:int", "b:int", "opts:...Option? rest"]
    )
    assert.deepStrictEqual(
      shapes(
        "fn f<'a, T: Fn(u8) -> u8>(&'a mut self, mut a: &'a str, b: Vec<(u8, u8)>) -> Result<(), E>",
        "f",
        "rust",
        true
      ),
      ["a:&'a str", "b:Vec<(u8, u8)>"]
    )
    assert.deepStrictEqual(
      shapes(
        "public static <T> Map<K, V> f(final List<? extends T> a, @Nullable String... rest)",
        "f",
        "java"
      ),
      ["a:List<? extends T>", "rest:String...? rest"]
    )
    assert.deepStrictEqual(
      shapes("public int Add(this Foo x, ref int a, int b = 2, params string[] c)", "Add", "csharp"),
      ["a:int", "b:int?", "c:params string[]? rest"]
    )
    assert.deepStrictEqual(shapes('fun f(a: Int, b: String = "x, y", vararg c: Int): Unit', "f", "kotlin"), [
      "a:Int",
      "b:String?",
      "c:Int? rest"
    ])
    assert.deepStrictEqual(shapes("func move(_ a: Int, to b: Int, by: Int = 1)", "move", "swift"), [
      ":Int",
      "to:Int",
      "by:Int?"
    ])
    assert.deepStrictEqual(shapes("def f(a, b = 1, *c, d:, e: 2, **f, &g)", "f", "ruby"), [
      "a:",
      "b:?",
      "c:? rest",
      "d: named",
      "e:? named",
      "f:? named-rest"
    ])
    assert.deepStrictEqual(
      shapes("public function f(?int $a, string|null $b = null, Foo ...$c): int", "f", "php"),
      ["a:?int", "b:string|null?", "c:Foo? rest"]
    )
    assert.deepStrictEqual(shapes("static int f(const char *a, int b[], ...)", "f", "c"), [
      "a:const char *",
      "b:int",
      ":...? rest"
    ])
    assert.deepStrictEqual(shapes("int f(void)", "f", "c"), [])
  })

  it("are no signatures when brackets do not match", () => {
    assert.isUndefined(readSignature("function f(a, (b)", "f", "ecmascript", false))
    assert.isUndefined(readSignature("nothing at all", "f", "ecmascript", false))
  })

  it("take arguments by place and by name", () => {
    const of = (style: Style, header: string, call: string) => {
      const fit = fits(
        readSignature(header, "f", style, false)!.parameters,
        readArguments(call, style)!,
        style
      )
      return fit.verdict === "ok" ? "ok" : `${fit.verdict} ${fit.kind}`
    }
    assert.deepStrictEqual(
      [
        of("python", "def f(a, b, c=1)", "f(1, b=2)"),
        of("python", "def f(a, b, c=1)", "f(1, d=2)"),
        of("python", "def f(a, b, c=1)", "f(1, 2, a=3)"),
        of("python", "def f(a, *, b)", "f(1, 2)"),
        of("python", "def f(a, *, b)", "f(1)"),
        of("python", "def f(a, b)", "f(*args)"),
        of("python", "def f(a, **kw)", "f(1, z=3)"),
        of("ecmascript", "function f(a, b?)", "f(1)"),
        of("ecmascript", "function f(a, b)", "f(x => x, `a,${b}`)"),
        of("ecmascript", "function f(a, b)", "f<A, B>(1)"),
        of("ecmascript", "function f(a)", "f(1, 2)"),
        of("ecmascript", "function f(a, ...b)", "f(1, 2, 3)"),
        of("go", "func f(a int, b ...int)", "f(1, xs...)"),
        of("kotlin", "fun f(a: Int, b: () -> Unit)", "f(1) { go() }"),
        of("swift", "func f(to a: Int, by b: Int)", "f(to: 1, by: 2)"),
        of("swift", "func f(to a: Int, by b: Int)", "f(by: 1, to: 2)")
      ],
      [
        "ok",
        "breaks unknown_name",
        "breaks passed_twice",
        "breaks too_many_arguments",
        "breaks missing_arguments",
        "unknown spread",
        "ok",
        "ok",
        "ok",
        "breaks missing_arguments",
        "breaks too_many_arguments",
        "ok",
        "unknown spread",
        "ok",
        "ok",
        "breaks label"
      ]
    )
  })

  it("accept exactly the number of arguments between what they need and what they take", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.nat(5),
        FastCheck.nat(4),
        FastCheck.boolean(),
        FastCheck.nat(12),
        FastCheck.constantFrom<Style>("ecmascript", "python", "php"),
        (required, optional, rest, given, style) => {
          const sigil = style === "php" ? "$" : ""
          const parameters = [
            ...Array.from({ length: required }, (_, i) => `${sigil}r${i}`),
            ...Array.from({ length: optional }, (_, i) => `${sigil}o${i} = [1, 2]`),
            ...(rest ? [style === "python" ? "*rest" : `...${sigil}rest`] : [])
          ]
          const signature = readSignature(
            `${style === "python" ? "def" : "function"} f(${parameters.join(", ")})`,
            "f",
            style,
            false
          )!
          const args = readArguments(
            `f(${Array.from({ length: given }, (_, i) => `g(${i}, "),")`).join(", ")})`,
            style
          )!
          assert.strictEqual(args.length, given)
          const fit = fits(signature.parameters, args, style)
          const fitting = given >= required && (rest || given <= required + optional)
          assert.strictEqual(fit.verdict, fitting ? "ok" : "breaks")
        }
      ),
      { numRuns: 1000 }
    )
  })

  it("say which argument would be taken for another", () => {
    const read = (header: string) => readSignature(header, "f", "ecmascript", false)!.parameters
    assert.isString(reordered(read("f(a, b)"), read("f(b, a)"), 2))
    assert.isUndefined(reordered(read("f(a, b)"), read("f(a, b, c)"), 2))
    assert.isUndefined(reordered(read("f(a, b)"), read("f(x, b)"), 2))
    assert.isString(reordered(read("f(a, b)"), read("f(ctx, a, b)"), 1))
  })
})

const verify = (symbol_id: string, new_signature: string) => ({
  operation: "verify",
  source: { changes: [{ symbol_id, new_signature }] }
})
const sitesOf = (value: Value) =>
  value["sites"].map(({ file_path, kind, line, problem, verdict }: Value) =>
    `${verdict} ${kind} ${file_path}:${line} ${problem ?? ""}`.trim()
  )

describe("change.verify", () => {
  const files = {
    "src/core.ts": `export function send(to: string, body: string, options?: object): number {
  return 1
}
export interface Store { put(key: string): void }
export class Memory implements Store {
  put(key: string): void {}
}
export const count = 1
`,
    "src/app.ts": `import { send, type Store } from "./core.ts"
export const a = () => send("x", "y")
export const b = () => {
  send(
    "x",
    ["y", "z"].join(","),
    { deep: [1, 2] }
  )
}
export const c = [1].map(send as any)
export const d = (args: [string, string]) => send(...args)
export const e = (store: Store) => store.put("k")
`
  }
  it.scoped("holds every caller to the proposed header, line by line", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const one = yield* at.call(
        "change",
        verify("src/core.ts::send", "export function send(to: string, body: string, options: object): number")
      )
      assert.deepStrictEqual(sitesOf(one), [
        "breaks call src/app.ts:2 missing_arguments",
        "unknown value src/app.ts:10 passed_on",
        "unknown call src/app.ts:11 spread",
        "ok call src/app.ts:4"
      ])
      assert.deepStrictEqual([one["verdict"], one["clean"], one["checked_callers"]], ["breaks", false, 3])
      assert.deepStrictEqual(one["violations"], [
        {
          symbol_id: "src/core.ts::send",
          name: "send",
          file_path: "src/app.ts",
          line: 2,
          kind: "missing_arguments",
          description: "src/app.ts::a does not pass `options`"
        }
      ])
      assert.strictEqual(one["follow_up"].arguments.operation, "edit_plan")
      const fewer = yield* at.call(
        "change",
        verify("src/core.ts::send", "export function send(to: string): number")
      )
      assert.deepStrictEqual(sitesOf(fewer).slice(0, 2), [
        "breaks call src/app.ts:2 too_many_arguments",
        "breaks call src/app.ts:4 too_many_arguments"
      ])
      const swapped = yield* at.call(
        "change",
        verify(
          "src/core.ts::send",
          "export function send(body: string, to: string, options?: object): number"
        )
      )
      assert.include(sitesOf(swapped), "breaks call src/app.ts:2 reordered")
      const typed = yield* at.call(
        "change",
        verify("src/core.ts::send", "export function send(to: URL, body: string, options?: object): number")
      )
      assert.include(sitesOf(typed), "unknown call src/app.ts:2 types")
      const renamed = yield* at.call(
        "change",
        verify(
          "src/core.ts::send",
          "export function post(to: string, body: string, options?: object): number"
        )
      )
      assert.include(sitesOf(renamed), "breaks value src/app.ts:1 renamed")
    })
  )

  it.scoped("holds implementors and the interface to it", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const put = yield* at.call(
        "change",
        verify("src/core.ts::Store.put", "put(key: string, value: string): void")
      )
      assert.include(sitesOf(put), "breaks call src/app.ts:12 missing_arguments")
      assert.include(sitesOf(put), "ok implementation src/core.ts:6")
      assert.strictEqual(put["checked_impls"], 1)
      const stricter = yield* at.call(
        "change",
        verify("src/core.ts::Memory.put", "put(key: string, value: string): void")
      )
      assert.include(sitesOf(stricter), "breaks overridden src/core.ts:4 signature_mismatch")
      assert.include(sitesOf(stricter), "breaks call src/app.ts:12 missing_arguments")
    })
  )

  it.scoped("is clean when everything fits", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "a.py": "def f(a, b=1):\n    return a\n\ndef g():\n    f(1)\n    f(a=2, b=3)\n"
      })
      const value = yield* at.call("change", verify("a.py::f", "def f(a, b=1, c=None):"))
      assert.deepStrictEqual([value["verdict"], value["clean"]], ["ok", true])
      const named = yield* at.call("change", verify("a.py::f", "def f(x, b=1):"))
      assert.deepStrictEqual(sitesOf(named), ["breaks call a.py:6 unknown_name", "ok call a.py:5"])
      const go = yield* served({
        "go.mod": "module m\n",
        "a.go":
          'package m\n\ntype S interface { Put(k string) error }\ntype M struct{}\n\nfunc (m M) Put(k string) error { return nil }\n\nfunc use(s S) { s.Put("a") }\n'
      })
      const put = yield* go.call("change", verify("a.go::S.Put", "Put(k string, v int) error"))
      assert.include(sitesOf(put), "breaks call a.go:8 missing_arguments")
      assert.include(sitesOf(put), "breaks implementation a.go:6 signature_mismatch")
    })
  )

  it.scoped("says what it could not read, and of what", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", {
        operation: "verify",
        source: {
          changes: [
            { symbol_id: "src/core.ts::count", new_signature: "count(a: number)" },
            { symbol_id: "src/core.ts::send", new_signature: "export function send(to: string, body" },
            { symbol_id: "src/core.ts::send", new_signature: "export function send(to string body)" }
          ]
        }
      })
      assert.deepStrictEqual(
        value["errors"].map(({ field, reason_code }: Value) => [field, reason_code]),
        [
          ["source.changes[0].new_signature", "not_callable"],
          ["source.changes[1].new_signature", "signature_not_read"],
          ["source.changes[2].new_signature", "syntax_error"]
        ]
      )
      assert.strictEqual(value["verdict"], "unknown")
      const missing = yield* at.refused("change", verify("nowhere", "f()"))
      assert.deepStrictEqual(
        [missing.code, missing.field],
        ["symbol_not_found", "source.changes[0].symbol_id"]
      )
    })
  )
})
