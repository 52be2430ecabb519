import { assert, beforeAll, describe, it } from "vitest"
import { swift } from "../../../../src/engine/languages/swift/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Swift", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(swift, "Cart.swift", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "6 class Cart",
      "7 property Cart.items : :'array'<T#local(Item)>",
      "8 property Cart.shared : Cart@Cart()",
      "9 property Cart.store : :Store",
      "10 property Cart.size : :Int",
      "11 property Cart.obs : :Int",
      "12 property Cart.repo : Repo()",
      "13 constructor Cart.init",
      "14 method Cart.deinit",
      "15 method Cart.map : :'array'<R#local(?)>",
      "27 property Cart.subscript : :T#local(Item)",
      "28 enum Cart.Color",
      "28 enum_member Cart.Color.red : self@Cart.Color",
      "28 enum_member Cart.Color.green : self@Cart.Color",
      "28 method Cart.Color.f",
      "29 type_alias Cart.Al : 'map'<String, Foo>",
      "30 method Cart.make : :Cart@Cart",
      "32 interface ICart",
      "32 method ICart.go : :Int",
      "32 property ICart.p : :Int",
      "32 type_alias ICart.E",
      "33 struct Point",
      "34 property Point.x : :Int",
      "35 property Point.y : :Int",
      "36 operator Point.== : :Bool",
      "37 method Point.m",
      "39 method Cart.ext : :Int of Cart@Cart",
      "40 function top : :Int",
      "41 constant TOP : 'Int'",
      "42 class Act",
      "43 class CartTests",
      "43 method CartTests.testRuns"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "8 Cart(0) @Cart",
      "11 changed(0) free",
      "12 Repo(1) free",
      "13 init(0) of super@Cart",
      "16 touch(0) of t#local(items@Cart.items[])",
      "17 Cart(1) @Cart",
      "17 go(0) of x#local(new Cart@Cart<Item>).run()",
      "17 run(0) of x#local(new Cart@Cart<Item>)",
      "17 baz(0) of unwrap(y#local(:Foo).bar())",
      "17 bar(0) of y#local(:Foo)",
      "18 forEach(1) of items@Cart.items",
      "18 go(0) of $0",
      "18 filter(1) of items@Cart.items.map()",
      "18 map(1) of items@Cart.items",
      "19 go(0) of z#local(unwrap(y#local(:Foo)))",
      "19 helper(1) free",
      "21 a(0) free",
      "21 b(0) of v#local(?)",
      "21 c(0) free",
      "22 risky(0) free",
      "22 message(0) of e#local(?)",
      "23 go(0) of items@Cart.items[]",
      "23 call(1) of Outer.Inner",
      "23 w(0) of :Other",
      "24 pair(0) free",
      "24 r(0) of q#local(:Foo)",
      "24 go(0) of d#local(:'map'<String, Foo>)[]",
      "25 load(0) free",
      "25 map(1) of super@Cart",
      "30 Cart(0) @Cart",
      "39 run(0) free",
      "43 XCTAssertEqual(2) free"
    ])
  })

  it("reports uses of types", () => {
    assert.deepStrictEqual(
      facts.references(
        "type",
        "field_type",
        "parameter_type",
        "return_type",
        "generic_arg",
        "extends",
        "implements",
        "decorate"
      ),
      [
        "5 available free",
        "6 Item free",
        "6 Base free",
        "6 ICart @ICart",
        "9 Store free",
        "10 Int free",
        "11 Int free",
        "13 Store free",
        "13 Int free",
        "15 Int free",
        "17 Item free",
        "17 Foo free",
        "22 IOError free",
        "23 Other free",
        "24 Foo free",
        "24 Int free",
        "24 String free",
        "24 Foo free",
        "27 Int free",
        "28 String free",
        "28 Int free",
        "29 String free",
        "29 Foo free",
        "30 Cart @Cart",
        "32 A free",
        "32 B free",
        "32 Item free",
        "32 Int free",
        "32 Int free",
        "33 Equatable free",
        "34 Int free",
        "35 Int free",
        "36 Point @Point",
        "36 Point @Point",
        "36 Bool free",
        "39 Cart @Cart",
        "39 Other free",
        "39 Foo free",
        "39 Int free",
        "39 Int free",
        "40 Int free",
        "40 Int free",
        "43 XCTestCase free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "10 count of items@Cart.items",
      "10 items @Cart.items",
      "12 store @Cart.store",
      "16 items @Cart.items",
      "17 store @Cart.store",
      "18 items @Cart.items",
      "18 items @Cart.items",
      "18 x of i#local(?)",
      "18 helper free",
      "19 ok of x#local(new Cart@Cart<Item>)",
      "19 ok of z#local(unwrap(y#local(:Foo)))",
      "21 red of ?",
      "21 green of ?",
      "23 items @Cart.items",
      "23 Inner of Outer",
      "23 Outer free",
      "23 Foo free",
      "25 y of g#local(unwrap(y#local(:Foo)))",
      "27 items @Cart.items"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "13 store of self@Cart",
      "23 count free",
      "23 count of self@Cart"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, ["Foundation (wildcard)", "Acme (wildcard)", "Foo.Bar (wildcard)"])
    assert.strictEqual(facts.package, "")
    assert.strictEqual(facts.runner, "xctest")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Cart extends Base<T#local(Item)>",
      "Cart implements ICart@ICart",
      "Cart.Color implements String",
      "ICart extends A",
      "ICart extends B",
      "Point implements Equatable",
      "Cart@Cart implements Other",
      "CartTests extends XCTestCase"
    ])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells visibility, class members and tests", () => {
    assert.deepStrictEqual(facts.flags("Cart.items"), ["private", "readonly"])
    assert.deepStrictEqual(facts.flags("Cart.make"), ["exported", "static"])
    assert.deepStrictEqual(facts.flags("CartTests.testRuns"), ["exported", "test"])
    assert.strictEqual(facts.of("Cart")?.doc, "/// A cart.")
    assert.deepStrictEqual(facts.of("Cart.init")?.parameters, { min: 1, max: 2, variadic: false })
  })
})
