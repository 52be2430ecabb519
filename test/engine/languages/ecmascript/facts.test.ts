import { assert, describe, it } from "vitest"
import { javascript, jsx } from "../../../../src/engine/languages/javascript/index.ts"
import { tsx, typescript } from "../../../../src/engine/languages/typescript/index.ts"
import { factsOf } from "../support.ts"

type Facts = Awaited<ReturnType<typeof factsOf>>
const ts = (text: string, path?: string) => factsOf(typescript, text, path)
const js = (text: string, path?: string) => factsOf(javascript, text, path)
const defs = (facts: Facts) => facts.definitions.map((d) => `${d.kind} ${d.qualified}`)
const def = (facts: Facts, qualified: string) => facts.definitions.find((d) => d.qualified === qualified)!
const refs = (facts: Facts) => facts.references.map((r) => `${r.role} ${r.name} ${r.bind}`)
const calls = (facts: Facts) =>
  facts.references.filter((r) => r.args >= 0).map((r) => `${r.name}/${r.args} ${r.use}`)

describe("brackets", () => {
  const clean = async (text: string, expected: ReadonlyArray<string>, language = typescript) => {
    const facts = await factsOf(language, `${text}\nend()`)
    assert.strictEqual(facts.parseErrors, 0, text)
    assert.deepStrictEqual(
      calls(facts).map((c) => c.split("/")[0]),
      [...expected, "end"],
      text
    )
  }
  it("tell regular expressions from division", async () => {
    await clean("x = a / b(1) / c(2)", ["b", "c"])
    await clean("x = /[/(]b(/.test(y)", ["test"])
    await clean("if (x) /a(b/.exec(y)", ["exec"])
    await clean("x = (a) / b() / 2; y = a++ / c(); z = [] / d(); w = typeof /e(/", ["b", "c", "d"])
  })
  it("tell arrow functions from parentheses", async () => {
    await clean("x = c ? (a) : b(); y = c ? (a, b = f()) => g() : h(); z = c ? (a): number => g() : h()", [
      "b",
      "f",
      "g",
      "h",
      "g",
      "h"
    ])
    await clean("f((a), ({ b: c }), ({ b: c }) => g(), async ({ d = h() }) => i(), async (a))", [
      "f",
      "g",
      "h",
      "i",
      "async"
    ])
    await clean("x = async <T,>(a: T): Promise<Map<string, T[]>> => f(a)", ["f"])
    await clean("x = (a: number, b?: string): a is string => f(a)", ["f"])
  })
  it("tell type arguments from comparison", async () => {
    await clean("f<T>(x); a < b || c > (d); g<Map<string, Array<T>>>(y); new H<K>(z); h(a < b, c)", [
      "f",
      "g",
      "H",
      "h"
    ])
    await clean("for (let i = 0; i < n && j > f(1); i++) {}", ["f"])
    await clean("a < b > (c)", ["a"])
    await clean("x = a < b ? c(1) : d > (e)", ["c"])
    await clean("x = 1 << f(2) >>> g(3) >= h(4)", ["f", "g", "h"])
  })
  it("follow templates and JSX", async () => {
    await clean("x = `a${f(`b${g({ c: `}` })}`)}`", ["f", "g"])
    await clean(
      "x = <A.B c={f()} d='it({' {...g()}>it's ({h(<b/>)} <>{/* ) */}</></A.B>",
      ["f", "g", "h"],
      tsx
    )
    await clean("x = a < b; y = <p>don't (</p>; z = f(<C>{g()}</C>)", ["f", "g"], jsx)
  })
  it("end statements at line ends where the language does", async () => {
    await clean("const a = b\nlet c = d\ntype\nx\nvar e = f\n++g\nreturn\nh()", ["h"])
    await clean("class A { a = 1\n b\n get\n static c = f()\n 'd'() {}\n async\n e() {} }", ["f"])
  })
})

describe("definitions", () => {
  it("tell classes with their members", async () => {
    const facts = await ts(`export abstract class A<T> extends B<T> implements C, D.E {
      static s = new Map<string, T>()
      #p?: string
      constructor(private readonly q: Q, r: R = 1, ...s: any[]) { super(q) }
      get g(): G { return this.#p }
      m(a: string): void
      m(a: any) { return this.q }
      f = async (x: X) => x
      abstract n(): N
      [Symbol.iterator]() {}
      static { A.s.clear() }
    }`)
    assert.deepStrictEqual(defs(facts), [
      "class A",
      "field A.s",
      "field A.#p",
      "constructor A.constructor",
      "field A.q",
      "property A.g",
      "method A.m",
      "method A.m",
      "method A.f",
      "method A.n",
      "method A.[Symbol.iterator]"
    ])
    assert.deepStrictEqual(def(facts, "A").flags, ["exported", "abstract"])
    assert.strictEqual(def(facts, "A").signature, "export abstract class A<T> extends B<T> implements C, D.E")
    assert.strictEqual(def(facts, "A.s").type, "new Map<'string', T#local(?)>")
    assert.deepStrictEqual(def(facts, "A.constructor").parameters, { min: 1, max: 3, variadic: true })
    assert.strictEqual(def(facts, "A.q").type, ":Q")
    assert.deepStrictEqual(def(facts, "A.q").flags, ["private", "readonly"])
    assert.deepStrictEqual(def(facts, "A.g").flags, ["exported", "getter"])
    assert.deepStrictEqual(
      facts.definitions.filter((d) => d.name === "m").map((d) => [d.flags.includes("declaration"), d.type]),
      [
        [true, undefined],
        [false, "self#def0.q"]
      ]
    )
    assert.deepStrictEqual(
      facts.inherits.map((n) => [n.how, n.superType]),
      [
        ["extends", "B<T#local(?)>"],
        ["implements", "C"],
        ["implements", "D.E"]
      ]
    )
  })

  it("tell interfaces, aliases, enums and namespaces", async () => {
    const facts =
      await ts(`interface I extends J { readonly a: A; b(x?: X): B; c: (y: Y) => C; [k: string]: any; new (z: Z): I }
      type T = { k: "a"; n: { m: M } } | { o(): O }
      const enum E { A = 1, B = A << 1, "C-D" }
      declare module "m" { function f(): void }
      namespace N.M { export const v = 1 }
      declare global { interface Window { w: W } }`)
    assert.deepStrictEqual(defs(facts), [
      "interface I",
      "property I.a",
      "method I.b",
      "method I.c",
      "type_alias T",
      "property T.k",
      "property T.n",
      "property T.n.m",
      "method T.o",
      "enum E",
      "enum_member E.A",
      "enum_member E.B",
      "enum_member E.C-D",
      "module m",
      "function m.f",
      "namespace N",
      "namespace N.M",
      "constant N.M.v",
      "namespace global",
      "interface global.Window",
      "property global.Window.w"
    ])
    assert.strictEqual(def(facts, "I.c").type, ":C")
    assert.deepStrictEqual(facts.references.find((r) => r.name === "A" && r.role === "read")?.bind, "def10")
  })

  it("tell functions bound to names, and members of literals at module level", async () => {
    const facts =
      await js(`const a = () => 1, b = function* () {}, c = class { x = 1 }, d = { e: 1, f() {}, g: () => 2, h: { i: { j: { k: 1 } } } }
      function f() { const local = x => x; const plain = { no: 1 }; function inner() {} }
      foo(function named() {}, { no() {} })`)
    assert.deepStrictEqual(defs(facts), [
      "function a",
      "function b",
      "class c",
      "field c.x",
      "constant d",
      "property d.e",
      "method d.f",
      "method d.g",
      "property d.h",
      "property d.h.i",
      "property d.h.i.j",
      "function f",
      "function f.local",
      "function f.inner",
      "function named"
    ])
    assert.deepStrictEqual(def(facts, "f.local").flags, ["local"])
    assert.deepStrictEqual(def(facts, "b").flags, ["generator"])
  })

  it("tell fields that JavaScript classes assign, and members attached from outside", async () => {
    const facts =
      await js(`class A { y; constructor() { this.x = new B(); this.x = 2; this.y = 1; this.z = 3 } set z(v) {} }
      function F() {}
      F.prototype.m = function (a) { return this.n() }
      F.s = () => 1`)
    assert.deepStrictEqual(defs(facts), [
      "class A",
      "field A.y",
      "constructor A.constructor",
      "property A.z",
      "field A.x",
      "function F",
      "method F.m",
      "method F.s"
    ])
    assert.strictEqual(def(facts, "A.x").type, "new B")
    assert.strictEqual(def(facts, "F.m").owner, "F#def5")
    assert.include(refs(facts), "call n of selfOf(F#def5)")
  })

  it("carry documentation, deprecation, complexity and signatures on one line", async () => {
    const facts = await ts(
      `/** Adds. @deprecated */\nexport async function add(\n  a: number,\n  b = 1\n): Promise<number> {\n  if (a && b) { for (;;) {} }\n  return a ? b : a\n}`
    )
    const add = def(facts, "add")
    assert.strictEqual(add.doc, "/** Adds. @deprecated */")
    assert.strictEqual(add.signature, "export async function add( a: number, b = 1 ): Promise<number>")
    assert.deepStrictEqual(add.flags, ["exported", "async", "deprecated"])
    assert.strictEqual(add.complexity, 5)
    assert.strictEqual(add.type, ":Promise<'number'>")
    assert.strictEqual(add.span, "2:0-8:1")
    assert.strictEqual(add.body, "5:19")
    const logical = await ts("function f(a, b) { a ??= b; a ||= b; b &&= a; a += b; a **= b; a >>= b }")
    assert.strictEqual(def(logical, "f").complexity, 4)
  })
})

describe("names", () => {
  it("bind to definitions, imports and nothing, and leave locals out", async () => {
    const facts = await ts(`import { a as b, type C } from "m"
      function f<T extends C>(p: T, { q, r: [s] } = b) { var t = p; { let f = q; f } return f(s, t, u) }
      type f = C`)
    assert.deepStrictEqual(refs(facts), [
      "type C imp1",
      "read b imp0",
      "read q of b#imp0",
      "read r of b#imp0",
      "call f def0",
      "read u free",
      "type C imp1"
    ])
  })
  it("keep values and types apart", async () => {
    const facts = await ts("const X = 1\ninterface X {}\nlet a: X = X, b: typeof X")
    assert.deepStrictEqual(refs(facts), ["type X def1", "read X def0", "type X def0"])
  })
  it("give receivers a type where one is known", async () => {
    const facts = await ts(`class S { all(): S[] {} }
      function f(s: S, m: Map<string, S>) { const { a, b: { c } } = s; c.d(); for (const x of s.all()) x.e(); const y = await s.g(); y?.h(); (z as S).i(); m.get("k")!.j() }`)
    assert.deepStrictEqual(
      facts.references.filter((r) => r.role === "call").map((r) => `${r.name} ${r.bind}`),
      [
        "d of c#local(s#local(:S#def0).b.c)",
        "all of s#local(:S#def0)",
        "e of x#local(s#local(:S#def0).all()[])",
        "g of s#local(:S#def0)",
        "h of y#local(unwrap(s#local(:S#def0).g()))",
        "i of :S#def0",
        "get of m#local(:Map<'string', S#def0>)",
        "j of m#local(:Map<'string', S#def0>).get()"
      ]
    )
  })
  it("say what happens to the results of calls", async () => {
    const facts = await js(
      "async function f() { a(); const b = c(); await d(); e(g()); if (h()) return i(); new J() }"
    )
    assert.deepStrictEqual(calls(facts), [
      "a/0 discarded",
      "c/0 assigned",
      "d/0 awaited",
      "e/1 discarded",
      "g/0 argument",
      "h/0 condition",
      "i/0 returned",
      "J/0 discarded"
    ])
  })
  it("follow components of JSX, not plain tags", async () => {
    const facts = await factsOf(tsx, "const x = <Foo.Bar a={b}><div/><Baz>{c}</Baz></Foo.Bar>")
    assert.deepStrictEqual(refs(facts), [
      "read Foo free",
      "call Bar of Foo",
      "read b free",
      "call Baz free",
      "read c free",
      "read Baz free",
      "read Foo free",
      "read Bar of Foo"
    ])
  })
  it("follow conditional, mapped, template and function types", async () => {
    const facts = await ts(
      "type A<T> = T extends (...a: infer P) => infer R ? [P, R, X] : { [K in keyof T as `get${Y<K>}`]?: Z[K] }; type F = (x: U) => x is V; let i: import('m').W<Q>"
    )
    assert.deepStrictEqual(
      facts.references.map((r) => r.name),
      ["X", "Y", "Z", "U", "V", "W", "Q"]
    )
    assert.strictEqual(facts.parseErrors, 0)
  })
})

describe("modules", () => {
  it("tell ECMAScript imports and exports", async () => {
    const facts =
      await ts(`import d, * as n from "a"; import "b"; import type { T } from "c"; import r = require("e"); import { default as g } from "f" with { type: "json" }
      export { d as x, local }; export * from "h"; export * as i from "j"; export type { K as L } from "k"; function local() {}
      export default class M {}; const m = await import("dyn")`)
    assert.deepStrictEqual(
      facts.imports.map((i) => [i.module, i.imported, i.local, i.flags.join(" ")]),
      [
        ["a", "default", "d", "default"],
        ["a", "", "n", "namespace"],
        ["b", "", "", "sideEffect"],
        ["c", "T", "T", "typeOnly"],
        ["e", "", "r", "namespace"],
        ["f", "default", "g", "default"],
        ["dyn", "", "m", "namespace dynamic"]
      ]
    )
    assert.deepStrictEqual(
      facts.exports.map((e) => [e.exported, e.local, e.from, e.imported]),
      [
        ["*", "", "h", ""],
        ["i", "", "j", ""],
        ["L", "", "k", "K"],
        ["x", "d", "", ""],
        ["local", "local", "", ""],
        ["default", "M", "", ""]
      ]
    )
    assert.deepStrictEqual(def(facts, "local").flags, ["exported"])
    assert.deepStrictEqual(def(facts, "M").flags, ["exported", "defaultExport"])
  })
  it("tell CommonJS", async () => {
    const facts = await js(`const a = require("a"), { b, c: d } = require("b"), e = require("c").f
      exports.g = function () {}; exports.h = exports.i = void 0; exports.h = b; module.exports.k = { l: 1 }
      module.exports = { a, m: a.x(), n() {} }
      function o() { const p = require("p"); p.q() }`)
    assert.deepStrictEqual(
      facts.imports.map((i) => [i.module, i.imported, i.local, i.flags.join(" ")]),
      [
        ["a", "", "a", "namespace"],
        ["b", "b", "b", ""],
        ["b", "c", "d", ""],
        ["c", "f", "e", ""],
        ["p", "", "p", "namespace dynamic"]
      ]
    )
    assert.deepStrictEqual(
      facts.exports.map((e) => [e.exported, e.local, e.definition >= 0]),
      [
        ["g", "g", true],
        ["h", "b", false],
        ["k", "k", true],
        ["default", "default", true],
        ["a", "a", false],
        ["m", "m", true],
        ["n", "n", true]
      ]
    )
    assert.include(refs(facts), "call q of p#imp4")
  })
  it("tell tests by title, with the runner", async () => {
    const facts = await ts(`import { describe, it } from "@effect/vitest"
      describe("a thing", () => { it.effect("does it", () => run()); it.each([1])("each \${n}", () => {}) })`)
    assert.strictEqual(facts.runner, "vitest")
    assert.deepStrictEqual(defs(facts), ["test a thing", "test a thing.does it", "test a thing.each ${n}"])
    assert.strictEqual(facts.references.find((r) => r.name === "run")!.within, 1)
    assert.deepStrictEqual(defs(await js("test('x', 1); it('y', function () {})")), ["test y"])
  })
  it("mark routes, environment, statements, addresses and work to do", async () => {
    const facts = await js(
      "// TODO: later\napp.get('/a/:b', h); m.get('/x'); process.env.HOME; process.env['PATH']; q('SELECT a FROM b'); f(`https://e.org/x`)"
    )
    assert.deepStrictEqual(
      facts.marks.map((m) => `${m.kind} ${m.text}`),
      [
        "todo TODO: later",
        "route /a/:b",
        "env HOME",
        "env PATH",
        "sql SELECT a FROM b",
        "url https://e.org/x"
      ]
    )
  })
})
