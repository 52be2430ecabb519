import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { go } from "../../../../src/engine/languages/go/index.ts"
import { packageNameOf } from "../../../../src/engine/languages/go/Extractor.ts"
import { factsOf } from "../support.ts"

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")
const store = await factsOf(go, fixture("store.go"))
const tests = await factsOf(go, fixture("store_test.go"), "store_test.go")

const definition = (qualified: string, facts = store) => {
  const found = facts.definitions.find((d) => d.qualified === qualified)
  if (found === undefined) throw new Error(`no definition ${qualified}`)
  return found
}
/** `role use bind` of each reference of a name. */
const uses = (name: string, facts = store) =>
  facts.references
    .filter((r) => r.name === name)
    .map(
      (r) =>
        `${r.role} ${r.use} ${r.bind.replace(/def\d+/g, (d) => facts.definitions[Number(d.slice(3))]!.qualified)}`
    )

describe("definitions", () => {
  it("reads every kind with its members under it", () => {
    assert.deepStrictEqual(store.parseErrors, 0)
    assert.deepStrictEqual(
      store.definitions.map((d) => `${d.kind} ${d.qualified}`),
      [
        "constant Limit",
        "constant Open",
        "constant Closed",
        "constant lost",
        "constant found",
        "type_alias State",
        "type_alias Store",
        "variable shared",
        "variable first",
        "variable second",
        "variable config",
        "field config.Port",
        "field config.TLS",
        "field config.TLS.Cert",
        "field config.TLS.Key",
        "function parse",
        "variable once",
        "interface Named",
        "method Named.Name",
        "method Named.private",
        "interface Number",
        "struct Order",
        "field Order.ID",
        "field Order.Lines",
        "field Order.Base",
        "field Order.Stringer",
        "field Order.Pool",
        "field Order.next",
        "field Order.prev",
        "field Order.meta",
        "field Order.meta.At",
        "field Order.grid",
        "field Order.notify",
        "field Order.done",
        "struct Line",
        "field Line.Price",
        "struct Keeper",
        "field Keeper.mu",
        "field Keeper.items",
        "type_alias Matrix",
        "struct Pair",
        "field Pair.Key",
        "field Pair.Val",
        "type_alias Handler",
        "method Handler.Serve",
        "function pair",
        "method Keeper.Put",
        "method Order.Reset",
        "function Map",
        "function external",
        "function Use",
        "function Use.double"
      ]
    )
  })
  it("gives signatures, documentation, spans and parameters", () => {
    const put = definition("Keeper.Put")
    assert.strictEqual(put.signature, "func (k *Keeper[T]) Put(key string, value T) (old T, err error)")
    assert.strictEqual(put.doc, "// Put stores a value.\n// TODO: evict old ones")
    assert.deepStrictEqual(put.parameters, { min: 2, max: 2, variadic: false })
    assert.strictEqual(put.complexity, 4)
    assert.strictEqual(
      definition("Named.Name").signature,
      "Name(ctx context.Context, parts ...string) (string, error)"
    )
    assert.deepStrictEqual(definition("Named.Name").parameters, { min: 1, max: 2, variadic: true })
    assert.strictEqual(definition("Named.Name").doc, "// Name is short.")
    assert.strictEqual(definition("Open").doc, "// Open orders may change.")
    assert.strictEqual(definition("Order.Base").doc, "")
    assert.strictEqual(definition("parse").signature, "parse = func(s string) *Order")
    assert.strictEqual(definition("Use.double").signature, "double := func(n int) *Order")
    assert.strictEqual(definition("Limit").span, "22:0-22:17")
    assert.strictEqual(definition("Line").span, "77:0-77:38")
    assert.strictEqual(definition("Line").body, "77:16")
  })
  it("flags what other packages see and what they should not use", () => {
    assert.deepStrictEqual(definition("Keeper").flags, ["exported"])
    assert.deepStrictEqual(definition("Keeper.mu").flags, [])
    assert.deepStrictEqual(definition("Store").flags, ["exported", "deprecated"])
    assert.deepStrictEqual(definition("Named.private").flags, ["abstract"])
    assert.deepStrictEqual(definition("external").flags, ["declaration"])
    assert.deepStrictEqual(definition("Use.double").flags, ["local"])
  })
  it("treats any capital letter as exported", async () => {
    const facts = await factsOf(
      go,
      "package p\nfunc Über() {}\nfunc über() {}\nfunc Ωmega() {}\nfunc 世() {}"
    )
    assert.deepStrictEqual(
      facts.definitions.map((d) => d.flags.includes("exported")),
      [true, false, true, false]
    )
  })
  it("types variables, constants, fields and results", () => {
    const type = (name: string) => definition(name).type?.replace(/#(def|imp)\d+/g, "")
    assert.strictEqual(type("Open"), ":State")
    assert.strictEqual(type("Closed"), ":State")
    assert.strictEqual(type("lost"), "'string'")
    assert.strictEqual(type("first"), "pair()[0]")
    assert.strictEqual(type("second"), "pair()[1]")
    assert.strictEqual(type("once"), ":'int'")
    assert.strictEqual(type("pair"), "(:Order, :'error')")
    assert.strictEqual(type("parse"), ":Order")
    assert.strictEqual(type("Order.Lines"), ":'array'<Line>")
    assert.strictEqual(type("Order.prev"), ":Order")
    assert.strictEqual(type("Order.Pool"), ":Pool<Line>")
    assert.strictEqual(type("Line.Price"), ":money.Amount")
    assert.strictEqual(type("Keeper.items"), ":'map'<'string', T#local('any')>")
    assert.strictEqual(type("Store"), "Keeper<Order>")
    assert.strictEqual(type("Handler"), "((:context.Context, :Order) => :'error')")
    assert.strictEqual(type("config"), ":Self")
  })
  it("names the owner of methods declared outside of their type", () => {
    const put = definition("Keeper.Put")
    assert.strictEqual(put.parent, -1)
    assert.strictEqual(put.owner, `Keeper#def${store.definitions.findIndex((d) => d.name === "Keeper")}`)
  })
})

describe("imports and embedding", () => {
  it("knows packages by alias, last segment and custom", () => {
    assert.strictEqual(store.package, "store")
    assert.deepStrictEqual(
      store.imports.map((i) => `${i.module} ${i.local} ${i.flags.join()}`),
      [
        "C C namespace",
        "context context namespace",
        "embed  sideEffect",
        "fmt fmt namespace",
        "strings  wildcard",
        "sync sync namespace",
        "example.org/kv/client redis namespace",
        "example.org/acme/go-money/v3 money namespace",
        "gopkg.in/yaml.v3 yaml namespace"
      ]
    )
    assert.strictEqual(packageNameOf("example.org/x/uuid-go"), "uuid")
    assert.strictEqual(packageNameOf("v2"), "v2")
  })
  it("records embedded structs and interfaces, but no type sets", () => {
    assert.deepStrictEqual(
      store.inherits.map(
        (n) => `${store.definitions[n.subject]!.name} ${n.how} ${n.superType.replace(/#(def|imp)\d+/g, "")}`
      ),
      [
        "Named embeds fmt.Stringer",
        "Named embeds 'comparable'",
        "Order embeds Base",
        "Order embeds fmt.Stringer",
        "Order embeds Pool<Line>"
      ]
    )
  })
})

describe("references", () => {
  it("binds receivers, parameters and results of several values", () => {
    assert.deepStrictEqual(uses("Put"), [
      "call partially_ignored of k#local(:Keeper#Keeper<Order#Order>)",
      "call discarded of k#local(:Keeper#Keeper<Order#Order>)"
    ])
    assert.deepStrictEqual(uses("Lock"), ["call discarded of k#local(selfOf(Keeper#Keeper)).mu"])
    assert.deepStrictEqual(uses("Unlock"), ["call deferred of k#local(selfOf(Keeper#Keeper)).mu"])
  })
  it("follows elements, channels, type switches, closures and literals to their types", () => {
    assert.deepStrictEqual(uses("Reset"), [
      "call discarded of table#local(:'map'<Line#Line, Order#Order>)[]",
      "call discarded of order#local(table#local(:'map'<Line#Line, Order#Order>)[])",
      "call discarded of in#local(:'array'<Order#Order>)[]",
      "call discarded of got#local(in#local(:'array'<Order#Order>)[])",
      "call discarded of v#local(:Order#Order)",
      "call discarded of double#Use.double()",
      "read unknown of Order#Order"
    ])
    assert.deepStrictEqual(uses("private"), [
      "call discarded of t#local(:Pair#Pair<'string', Named#Named>).Val"
    ])
    assert.deepStrictEqual(uses("double"), ["call unknown Use.double", "call spawned Use.double"])
    assert.deepStrictEqual(uses("Price").slice(0, 2), [
      "write unknown of :Line#Line",
      "write unknown of :Line#Line"
    ])
    assert.deepStrictEqual(
      uses("ID").filter((u) => u.includes("of o#local")),
      [
        "read unknown of o#local(:Order#Order)",
        "write unknown of o#local(:Order#Order)",
        "write unknown of o#local(:Order#Order)"
      ]
    )
  })
  it("tells instantiated calls from indexed ones", () => {
    assert.deepStrictEqual(uses("Map"), ["call assigned Map"])
    const facts = store.references.find((r) => r.name === "Map")!
    assert.strictEqual(facts.args, 2)
  })
  it("leaves names of a dot import and of other files free", () => {
    assert.deepStrictEqual(uses("ToUpper"), ["call argument free"])
    assert.deepStrictEqual(uses("Base").at(0), "extends unknown free")
  })
  it("resolves a shadowing variable only after its declaration", async () => {
    const facts = await factsOf(go, "package p\nvar x T\nfunc f() { x := x.next; x.m() }")
    assert.deepStrictEqual(
      facts.references.filter((r) => r.name !== "T").map((r) => `${r.name} ${r.bind}`),
      ["x def0", "next of x#def0", "m of x#local(x#def0.next)"]
    )
  })
  it("skips predeclared types unless the file declares them", async () => {
    const facts = await factsOf(go, "package p\ntype string struct{}\nfunc f(s string, i int) {}")
    assert.deepStrictEqual(
      facts.references.map((r) => `${r.name} ${r.bind}`),
      ["string def0"]
    )
  })
})

describe("types without a name and functions as values", () => {
  const named = (facts: Awaited<ReturnType<typeof factsOf>>) => (name: string) =>
    facts.references
      .filter((r) => r.name === name)
      .map((r) =>
        `${r.role} ${facts.definitions[r.within]?.qualified} ${r.bind}`.replace(
          /def\d+/g,
          (d) => facts.definitions[Number(d.slice(3))]!.qualified
        )
      )
  it("gives the rows of a table of tests their fields", async () => {
    const facts = await factsOf(
      go,
      `package p
func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		v    *V
		in   struct{ w W }
	}{
		{name: "a", v: &V{}},
		{"b", New(), nil},
	}
	for _, tt := range tests {
		tt.v.Check()
		tt.in.w.Walk()
	}
	one := struct{ v V }{v: V{}}
	one.v.Check()
	for name, c := range map[string]struct{ v V }{"a": {v: V{}}} {
		c.v.Check()
	}
	var two struct{ V }
	two.Check()
	done := make(chan struct{})
}`,
      "p_test.go"
    )
    assert.strictEqual(facts.parseErrors, 0)
    assert.deepStrictEqual(
      facts.definitions.map((d) => `${d.kind} ${d.qualified}`),
      [
        "function TestCheck",
        "struct TestCheck.struct",
        "field TestCheck.struct.name",
        "field TestCheck.struct.v",
        "field TestCheck.struct.in",
        "field TestCheck.struct.in.w",
        "struct TestCheck.struct",
        "field TestCheck.struct.v",
        "struct TestCheck.struct",
        "field TestCheck.struct.v",
        "struct TestCheck.struct",
        "field TestCheck.struct.V"
      ]
    )
    assert.deepStrictEqual(facts.definitions[1]!.flags, ["local", "synthetic"])
    assert.deepStrictEqual(facts.definitions[3]!.flags, ["local"])
    const uses = named(facts)
    assert.deepStrictEqual(
      uses("Check").map((u) => u.replaceAll("TestCheck.struct", "struct")),
      [
        "call TestCheck of tt#local(tests#local(:'array'<Self#struct>)[]).v",
        "call TestCheck of one#local(:Self#struct).v",
        "call TestCheck of c#local(:'map'<'string', Self#struct>[]).v",
        "call TestCheck of two#local(:Self#struct)"
      ]
    )
    assert.deepStrictEqual(uses("Walk"), [
      "call TestCheck of tt#local(tests#local(:'array'<Self#TestCheck.struct>)[]).in.w"
    ])
    assert.deepStrictEqual(uses("v").filter((u) => u.startsWith("write")).length, 3)
    assert.deepStrictEqual(uses("W"), ["field_type TestCheck free"])
    assert.strictEqual(facts.inherits.length, 1)
  })
  it("types functions by their parameters and results", async () => {
    const facts = await factsOf(
      go,
      `package p
type Visit func(n *Node, depth int) (Node, error)
type Walker struct {
	visit func(*Node) bool
	stop  func()
}
var after func(...Option) *Node
func f() {
	g := pick(func(n *Node) Node { return n.at() })
	var h = []func() Node{nil}
	h[0]().run()
	func() *Node { return nil }().run()
}`
    )
    const type = (name: string) =>
      facts.definitions.find((d) => d.name === name)!.type?.replace(/#def\d+/g, "")
    assert.strictEqual(type("Visit"), "((:Node, :'int') => (:Node, :'error'))".replaceAll("#def0", ""))
    assert.strictEqual(type("visit"), ":((:Node) => :'bool')")
    assert.strictEqual(type("stop"), ":(() => ?)")
    assert.strictEqual(type("after"), ":((:'array'<Option>) => :Node)")
    assert.deepStrictEqual(named(facts)("run"), [
      "call f of h#local(:'array'<(() => :Node)>)[]()",
      "call f of :Node"
    ])
  })
  it("notes what functions and methods take", async () => {
    const facts = await factsOf(
      go,
      `package p
type S interface { Put(ctx context.Context, n int, keys ...Key) }
func (s *T[K]) Each(f func(K) bool) {}
func Plain(a int, b string) {}
func Lone(a, b *Node) { walk := func(n Node) {} }`
    )
    assert.deepStrictEqual(
      facts.definitions
        .filter((d) => d.kind === "function" || d.kind === "method")
        .map((d) => `${d.name} ${d.takes}`),
      [
        "Put (:context.Context, :'int', :'array'<Key>)",
        "Each (:((:K#local(?)) => :'bool'))",
        "Plain undefined",
        "Lone (:Node, :Node)",
        "walk (:Node)"
      ]
    )
  })
  it("calls what sync.OnceValue returns like the function given to it", async () => {
    const facts = await factsOf(
      go,
      `package p
import "sync"
var engine = sync.OnceValue(func() *V { return New() })
var pair = sync.OnceValues(load)
func f() {
	local := sync.OnceValue(func() V { return New() })
	local().Check()
	var once sync.Once
	once.Do(func() { New() })
}`
    )
    const type = (name: string) => facts.definitions.find((d) => d.name === name)!.type
    assert.strictEqual(type("engine"), "(() => :V)")
    assert.strictEqual(type("pair"), "load")
    assert.deepStrictEqual(named(facts)("Check"), ["call f of local#local((() => :V))()"])
    assert.deepStrictEqual(named(facts)("OnceValue"), ["call engine of sync#imp0", "call f of sync#imp0"])
    assert.deepStrictEqual(named(facts)("Do"), ["call f of once#local(:sync#imp0.Once)"])
  })
})

describe("tests and marks", () => {
  it("flags test functions and nests titled ones", () => {
    assert.strictEqual(tests.runner, "go test")
    assert.deepStrictEqual(
      tests.definitions.filter((d) => d.flags.includes("test")).map((d) => `${d.kind} ${d.qualified}`),
      ["function TestPut", "test TestPut.keeps the newest", "function BenchmarkPut", "function ExampleKeeper"]
    )
    assert.strictEqual(store.runner, "")
  })
  it("flags the tests of a suite", async () => {
    const facts = await factsOf(
      go,
      "package p\nfunc (s *Suite) TestA() {}\nfunc (s *Suite) TestB(x int) {}\n",
      "p_test.go"
    )
    assert.deepStrictEqual(
      facts.definitions.map((d) => d.flags.includes("test")),
      [true, false]
    )
  })
  it("marks notes, routes, environment variables, queries and addresses", () => {
    assert.deepStrictEqual(
      store.marks.map((m) => `${m.kind} ${m.text}`),
      ["todo TODO: evict old ones"]
    )
    assert.deepStrictEqual(
      tests.marks.map((m) => `${m.kind} ${m.text}`),
      [
        "route /orders/",
        "route GET /lines",
        "env STORE_URL",
        "url https://example.org/a",
        "sql SELECT id FROM orders"
      ]
    )
  })
})

describe("broken text", () => {
  it("keeps the declarations after a broken one", async () => {
    const facts = await factsOf(
      go,
      "package p\nfunc a() { x := }\nfunc b( { }\ntype T struct { a int; + }\nfunc c() {}\n"
    )
    assert.isAbove(facts.parseErrors, 0)
    assert.includeMembers(
      facts.definitions.map((d) => d.name),
      ["a", "T", "c"]
    )
  })
  it("counts what is not there", async () => {
    for (const [broken, whole] of [
      ["var a", "var a int"],
      ["var (\n\ta\n)", "var (\n\ta = 1\n)"],
      ["func f() { a[]++ }", "func f() { a[0]++ }"],
      ["func f() { var a; g() }", "func f() { var a T; g() }"],
      ["const a = b[]", "const (\n\ta = iota\n\tb\n)"],
      ['import ("a" "b")', 'import ("a"; "b")'],
      ["func f() { if {} }", "func f() { if a {} }"],
      ["func f() { if a := 1; {} }", "func f() { if a := 1; a > 0 {} else if b {} }"],
      ["func f() { for a := 0; a < 1 {} }", "func f() { for a := 0; a < 1; {}; for ;; {}; for {} }"],
      ["func f() { goto }", "func f() { goto a; a: break; continue a }"]
    ] as const) {
      assert.strictEqual((await factsOf(go, `package p\n\n${broken}\n`)).parseErrors, 1, broken)
      assert.strictEqual((await factsOf(go, `package p\n\n${whole}\n`)).parseErrors, 0, whole)
    }
  })
  it("takes any name for a label, whatever it means elsewhere", async () => {
    const facts = await factsOf(
      go,
      "package p\n\nfunc f() {\nRun:\n\tfor {\n\t\tcontinue Run\n\t}\nlen:\n\tf()\n}\n"
    )
    assert.strictEqual(facts.parseErrors, 0)
    assert.deepStrictEqual(
      facts.references.map(({ name, role }) => `${role} ${name}`),
      ["call f"]
    )
  })

  it("reads Windows line ends alike", async () => {
    const facts = await factsOf(go, fixture("store.go").replaceAll("\n", "\r\n"))
    assert.strictEqual(facts.parseErrors, 0)
    assert.deepStrictEqual(
      facts.definitions.map((d) => [d.qualified, d.span, d.signature]),
      store.definitions.map((d) => [d.qualified, d.span, d.signature])
    )
    assert.deepStrictEqual(facts.references, store.references)
  })
})
