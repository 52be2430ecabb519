import { assert, describe, it } from "vitest"
import { javascript } from "../../../../src/engine/languages/javascript/index.ts"
import { tsx, typescript } from "../../../../src/engine/languages/typescript/index.ts"
import { factsOf } from "../support.ts"

const read = async (text: string, language = typescript) => {
  const facts = await factsOf(language, text)
  assert.strictEqual(facts.parseErrors, 0, text)
  return facts
}
/** Members used, with what they are members of. */
const members = async (text: string, language = typescript) =>
  (await read(text, language)).references
    .filter((r) => r.bind.startsWith("of "))
    .map((r) => `${r.role} ${r.bind.slice(3)} . ${r.name}`)
const has = async (text: string, expected: ReadonlyArray<string>, language = typescript) => {
  const found = await members(text, language)
  for (const e of expected) assert.include(found, e, text)
}
const takes = async (text: string) =>
  (await read(text)).definitions.filter((d) => d.takes !== undefined).map((d) => `${d.qualified} ${d.takes}`)

describe("functions given as arguments", () => {
  it("take what the function called passes them", async () => {
    for (const language of [typescript, javascript]) {
      await has("list.map(w => w.run())", ["call w#local(parameter0(argument0(list.map))) . run"], language)
      await has("on('x', function (a, e) { e.y })", ["read e#local(parameter1(argument1(on))) . y"], language)
      await has("new P((ok, no) => no.x)", ["read no#local(parameter1(argument0(P))) . x"], language)
      await has("a().b(async (p) => p.x)", ["read p#local(parameter0(argument0(a().b))) . x"], language)
    }
    await has("class A extends B { constructor() { super(p => p.x) } }", [
      "read p#local(parameter0(argument0(super#def0.constructor))) . x"
    ])
  })
  it("are looked at from outside: a parameter does not hide the function called", async () => {
    await has("user.find(user => user.z)", ["read user#local(parameter0(argument0(user.find))) . z"])
    await has("f(function f(f) { f.x })", ["read f#local(parameter0(argument0(f))) . x"])
  })
  it("keep what is annotated, and take defaults and rest parameters apart", async () => {
    await has("f((a: A, b, c = new C(), ...d) => { a.x; b.x; c.x; d.x })", [
      "read a#local(:A) . x",
      "read b#local(parameter1(argument0(f))) . x",
      "read c#local(parameter2(argument0(f)) | new C) . x",
      "read d#local('array'<parameter3(argument0(f))>) . x"
    ])
  })
  it("may be destructured, chosen between or wrapped", async () => {
    await has("f(({ a, b: { c } }, [d]) => { a.x; c.x; d.x })", [
      "read a#local(parameter0(argument0(f)).a) . x",
      "read c#local(parameter0(argument0(f)).b.c) . x",
      "read d#local(parameter1(argument0(f))[0]) . x"
    ])
    await has(
      "f(k ? (p) => p.a : q => q.b, x || (r => r.c), (s => s.d), y ?? function (t) { t.e }.bind(this))",
      [
        "read p#local(parameter0(argument0(f))) . a",
        "read q#local(parameter0(argument0(f))) . b",
        "read r#local(parameter0(argument1(f))) . c",
        "read s#local(parameter0(argument2(f))) . d",
        "read t#local(parameter0(argument3(f))) . e"
      ]
    )
  })
  it("have no type where the place or the function is unknown", async () => {
    await has("f(...xs, p => p.a)", ["read p#local(?) . a"])
    await has("(function (a) { a.x })(1); (b => b.y)(c => c.z)", [
      "read a#local(?) . x",
      "read b#local(?) . y",
      "read c#local(?) . z"
    ])
    await has("f(g(1) + (p => p.a), !(q => q.b), h[(r) => r.c])", [
      "read p#local(?) . a",
      "read q#local(?) . b",
      "read r#local(?) . c"
    ])
    await has("f(a, g(p => p.a), q => q.b)", [
      "read p#local(parameter0(argument0(g))) . a",
      "read q#local(parameter0(argument2(f))) . b"
    ])
  })
  it("are attributes of components", async () => {
    await has(
      "x = <A.B<T> on={(e) => e.x} s={{ k: (l) => l.y }}><div on={f => f.z}/></A.B>",
      [
        "read e#local(parameter0(argument0(A.B).on)) . x",
        "write argument0(A.B).s . k",
        "read l#local(parameter0(argument0(A.B).s.k)) . y",
        "read f#local(?) . z"
      ],
      tsx
    )
  })
})

describe("parameters", () => {
  it("are told with definitions as far as they are annotated", async () => {
    assert.deepStrictEqual(
      await takes(`function f(a, b: B, { c }: C, d, ...e: E[]) {}
      function none(a, b = 1) {}
      class K { constructor(private k: K) {} m(x: X): void; m(y, x: Y) {} h = (z: Z) => 1; i: (i: I) => R }
      interface I { m(x: X): void; p: (y: Y) => Z; q(): void }
      type F = <T>(t: T, g: (h: H) => void) => R
      type N = new (a: A) => B
      const v = async (p: P) => 1
      const w: (q: Q) => R = (q) => q
      const x = { go(r: R) {} }`),
      [
        "f (?, :B, :C, ?, :'array'<E>[])",
        "K.constructor (:K#def2)",
        "K.m (:X)",
        "K.m (?, :Y)",
        "K.h (:Z)",
        "K.i (:I#def9)",
        "I.m (:X)",
        "I.p (:Y)",
        "F (:T#local(?), :((:H) => ?))",
        "N (:A)",
        "v (:P)",
        "w (:Q)",
        "x.go (:R)"
      ]
    )
  })
  it("belong to function types wherever these are written", async () => {
    const facts = await read(`type F = (w: W, n, ...r: R[]) => Promise<R>
      type U = A | ((b: B) => C) | null
      type N = abstract new () => D
      interface I { o?: ((w: W) => void) | string; l: Array<(a: A) => B>; f: (g: (h: H) => J) => K }
      function f(cb: (e: E) => void) { cb.x }`)
    const type = (name: string) => facts.definitions.find((d) => d.qualified === name)!.type
    assert.strictEqual(type("F"), "((:W, ?, :'array'<R>[]) => :Promise<R>)")
    assert.strictEqual(type("U"), "A | ((:B) => :C)")
    assert.strictEqual(type("N"), "(() => :D)")
    assert.strictEqual(type("I.o"), ":((:W) => ?) | 'string'")
    assert.strictEqual(type("I.l"), ":Array<((:A) => :B)>")
    assert.strictEqual(type("I.f"), ":K")
    assert.include(
      facts.references.map((r) => r.bind),
      "of cb#local(:((:E) => ?))"
    )
  })
})

describe("declared types", () => {
  it("give the parameters of functions", async () => {
    await has(
      `const f: Form = (w) => w.a; let g: (w: W) => R = function (w) { w.b }; let h: Form; h = (w) => w.c; a.b = w => w.d
      class K { h: Form = (w) => w.e; static i: (w: W) => R = w => w.f }
      function k(cb: Form = w => w.g) {}
      function l(): Form { return w => w.h }
      const m = async (): Promise<Form> => (w) => w.i`,
      [
        "read w#local(parameter0(:Form)) . a",
        "read w#local(parameter0(:((:W) => :R))) . b",
        "read w#local(parameter0(h#def2)) . c",
        "read w#local(parameter0(a.b)) . d",
        "read w#local(parameter0(:Form)) . e",
        "read w#local(parameter0(:((:W) => :R))) . f",
        "read w#local(parameter0(:Form)) . g",
        "read w#local(parameter0(:Form)) . h",
        "read w#local(parameter0(unwrap(:Promise<Form>))) . i"
      ]
    )
    await has("const f: Form = (a) => (b) => b.x", ["read b#local(parameter0(:Form())) . x"])
  })
  it("give the result of a function where its body tells nothing", async () => {
    const facts = await read(
      "const f: Form = (w) => { throw w }; const g: (a: A) => B = (a) => a.c; const h: Form = () => new C()"
    )
    assert.deepStrictEqual(
      facts.definitions.map((d) => d.type),
      [":Form()", ":B", "new C"]
    )
  })
  it("reach into literals of objects and arrays", async () => {
    const text = (literal: string) => [
      `const o: T = ${literal}`,
      `const o = ${literal} satisfies T`,
      `function f() { const o = ${literal} as T }`,
      `export default ${literal} satisfies T`,
      `function f(): T { return ${literal} }`,
      `function f() { return ${literal} satisfies T }`,
      `class K { o: T = ${literal} }`
    ]
    for (const t of text(
      "{ go: (w) => w.a, on(w) { w.b }, nest: { in: w => w.c }, list: [w => w.d], 'k': 1, [c]: w => w.e, sh, ...rest }"
    )) {
      await has(t, [
        "write :T . go",
        "read w#local(parameter0(:T.go)) . a",
        "write :T . on",
        "read w#local(parameter0(:T.on)) . b",
        "write :T . nest",
        "write :T.nest . in",
        "read w#local(parameter0(:T.nest.in)) . c",
        "write :T . list",
        "read w#local(parameter0(:T.list[])) . d",
        "write :T . k",
        "read w#local(?) . e",
        "write :T . sh"
      ])
    }
    await has("const a: Array<N.T> = [{ k: w => w.x }]; const b = [{ k: 1 }] satisfies N.T", [
      "read w#local(parameter0(:Array<N.T>[].k)) . x",
      "write :N.T[] . k"
    ])
    await has("f(1, { k: 1, n: { o: p => p.q } }); new C({ m: 1 })", [
      "write argument1(f) . k",
      "write argument1(f).n . o",
      "read p#local(parameter0(argument1(f).n.o)) . q",
      "write argument0(C) . m"
    ])
  })
  it("end with the literal they are given to", async () => {
    assert.notInclude(
      (
        await members(
          "const o: T = {}; x = { a: 1 }.b; const p = { c: 1 } as const; g = class { d = { e: 1 } }; const q: T = h({}) + { i: 1 }"
        )
      ).join(),
      "write :T"
    )
    await has(
      "const o: T = { a: class { m() { return p => p.x } }, b: `${(q) => q.y}`, c: typeof (r => r.z) }",
      ["read p#local(?) . x", "read q#local(?) . y", "read r#local(?) . z"]
    )
  })
})

describe("patterns", () => {
  it("read the members they name", async () => {
    assert.deepStrictEqual(
      await members(`class K { m() { const { a, b: { c = 1 }, ["d"]: d, ...e } = this } }
      function f({ g, h: [i] }: P, { j }) {}
      for (const { k } of list) {}
      try {} catch ({ l }) {}
      export const { n } = o`),
      [
        "read self#def0 . a",
        "read self#def0 . b",
        "read self#def0.b . c",
        "read :P . g",
        "read :P . h",
        "read ? . j",
        "read list[] . k",
        "read ? . l",
        "read o . n"
      ]
    )
    const facts = await read("function f() {\n  const { a, b: c } = x\n}")
    assert.deepStrictEqual(
      facts.references.map((r) => `${r.name} ${r.at} ${r.within}`),
      ["x 2:22 0", "a 2:10 0", "b 2:13 0"]
    )
  })
  it("of modules stay imports", async () => {
    assert.deepStrictEqual(await members("const { a, b: c } = require('m')", javascript), [])
  })
})
