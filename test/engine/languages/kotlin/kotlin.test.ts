import { assert, beforeAll, describe, it } from "vitest"
import { kotlin } from "../../../../src/engine/languages/kotlin/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Kotlin", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(kotlin, "Cart.kt", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "7 class Cart",
      "7 property Cart.store : :Store",
      "7 property Cart.n : :Int",
      "8 property Cart.items : :List<T#local(Item)>",
      "9 property Cart.count : 'Int'",
      "10 property Cart.repo : :Repo",
      "11 property Cart.size : :Int",
      "13 constructor Cart.constructor",
      "14 constant Cart.MAX : 'Int'",
      "15 method Cart.create : :Cart@Cart<Item>",
      "16 method Cart.map : :List<R#local(?)>",
      "41 method Cart.abs",
      "42 method Cart.expr : Foo()",
      "43 class Cart.In",
      "44 enum Cart.Color",
      "44 property Cart.Color.rgb : :Int",
      "44 enum_member Cart.Color.RED : self@Cart.Color",
      "44 enum_member Cart.Color.GREEN : self@Cart.Color",
      "45 method Cart.Color.f",
      "47 interface ICart",
      "48 method ICart.go : :Int",
      "49 property ICart.p : :Int",
      "51 object Single",
      "51 method Single.inst : self@Single",
      "52 class Point",
      "52 property Point.x : :Int",
      "52 property Point.y : :Int",
      "53 function Cart.ext : :Int of Cart@Cart<Item>",
      "54 variable Foo.prop : :Int of Foo",
      "55 function top : x#local(:Int)",
      "56 constant TOP : 'Int'",
      "57 type_alias Al : Map<String, Foo>",
      "58 interface S",
      "60 function a b"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "8 listOf(0) free",
      "12 setup(0) free",
      "13 Foo(0) free",
      "15 Cart(1) @Cart",
      "15 Store(0) free",
      "17 touch(0) of t#local(items@Cart.items[])",
      "18 Cart(1) @Cart",
      "19 go(0) of x#local(Cart@Cart<Item>()).run()",
      "19 run(0) of x#local(Cart@Cart<Item>())",
      "21 baz(0) of y#local(:Foo).bar()",
      "21 bar(0) of y#local(:Foo)",
      "22 forEach(1) of items@Cart.items",
      "22 go(0) of it#local(items@Cart.items[])",
      "23 filter(1) of items@Cart.items.map()",
      "23 map(1) of items@Cart.items",
      "24 z(0) of x#local(Cart@Cart<Item>())",
      "24 helper(1) free",
      "25 a(0) of x#local(Cart@Cart<Item>())",
      "26 b(0) free",
      "27 c(0) free",
      "28 risky(0) free",
      "28 done(0) free",
      "31 go(0) of items@Cart.items[]",
      "32 call(1) of Outer.Inner",
      "33 w(0) of :Other",
      "35 pair(0) free",
      "36 r(0) of q#local(:Foo)",
      "38 map(1) of super@Cart",
      "39 map(1) of items@Cart.items",
      "42 Foo(0) free",
      "53 run(0) free"
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
        "6 Service free",
        "7 Item free",
        "7 Store free",
        "7 Int free",
        "7 Foo free",
        "7 Base free",
        "7 ICart @ICart",
        "7 Lazy free",
        "8 List free",
        "10 Repo free",
        "11 Int free",
        "13 Store free",
        "15 Cart @Cart",
        "15 Item free",
        "16 Test free",
        "16 Int free",
        "16 List free",
        "18 Item free",
        "20 Foo free",
        "24 Sub free",
        "25 Sub free",
        "28 IOException free",
        "33 Other free",
        "36 Foo free",
        "44 Int free",
        "47 A free",
        "47 B free",
        "48 Item free",
        "48 Int free",
        "49 Int free",
        "51 Foo free",
        "52 Int free",
        "52 Int free",
        "53 Cart @Cart",
        "53 Item free",
        "53 Int free",
        "53 Int free",
        "54 Foo free",
        "54 Int free",
        "55 Int free",
        "57 Map free",
        "57 String free",
        "57 Foo free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "7 store @Cart.store",
      "11 size of items@Cart.items",
      "11 items @Cart.items",
      "17 items @Cart.items",
      "18 store @Cart.store",
      "22 items @Cart.items",
      "23 items @Cart.items",
      "23 x of i#local(items@Cart.items[])",
      "23 helper free",
      "28 message of e#local(:IOException)",
      "31 items @Cart.items",
      "32 Inner of Outer",
      "32 Outer free",
      "32 Foo free",
      "39 items @Cart.items"
    ])
    assert.deepStrictEqual(facts.references("write"), ["29 count @Cart.count", "30 count of self@Cart"])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "com.acme.core:Thing as Thing",
      "com.acme.util (wildcard)",
      "com.acme.core:Foo as Bar"
    ])
    assert.strictEqual(facts.package, "com.acme.shop")
    assert.strictEqual(facts.runner, "")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Cart extends Base<T#local(Item)>",
      "Cart implements ICart@ICart",
      "Cart implements Lazy",
      "ICart extends A",
      "ICart extends B",
      "Single extends Foo"
    ])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells companions, suspend functions and tests", () => {
    assert.deepStrictEqual(facts.flags("Cart.MAX"), ["exported", "static", "readonly"])
    assert.deepStrictEqual(facts.flags("Cart.map"), ["exported", "async", "test", "override"])
    assert.deepStrictEqual(facts.flags("Cart.store"), ["private", "readonly"])
    assert.deepStrictEqual(facts.of("Cart")?.parameters, { min: 2, max: 3, variadic: false })
  })
})
