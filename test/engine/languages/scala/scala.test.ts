import { assert, beforeAll, describe, it } from "vitest"
import { scala } from "../../../../src/engine/languages/scala/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Scala", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(scala, "Cart.scala", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "8 class Cart",
      "8 property Cart.store : :Store",
      "8 property Cart.n : :Int",
      "9 property Cart.items : :List<T#local(Item)>",
      "10 property Cart.count : 'Int'",
      "11 property Cart.repo : new Repo",
      "12 method Cart.size : :Int",
      "13 constructor Cart.this",
      "14 method Cart.map : :List<R#local(?)>",
      "25 method Cart.abs : :Unit",
      "26 method Cart.expr : new Foo",
      "27 type_alias Cart.Al : Map<String, Foo>",
      "29 trait ICart",
      "29 method ICart.go : :Int",
      "29 property ICart.p : :Int",
      "30 object Cart",
      "30 property Cart.MAX : 'Int'",
      "30 method Cart.apply : :Cart@Cart<Item>",
      "31 class Point",
      "31 property Point.x : :Int",
      "31 property Point.y : :Int",
      "32 object Nil2",
      "33 trait S",
      "34 class CartSpec",
      "34 test CartSpec.adds items",
      "35 enum Color",
      "35 enum_member Color.Red : self@Color",
      "35 enum_member Color.Green : self@Color",
      "36 function Cart.ext : :Int of Cart@Cart<Item>"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "9 List(0) free",
      "11 Repo(1) free",
      "13 Foo(0) free",
      "15 touch(0) of t#local(items@Cart.items[])",
      "16 Cart(1) @Cart",
      "16 go(0) of x#local(new Cart@Cart<Item>).run()",
      "16 run(0) of x#local(new Cart@Cart<Item>)",
      "17 foreach(1) of items@Cart.items",
      "17 go(0) of ?",
      "17 filter(1) of items@Cart.items.map()",
      "17 map(1) of items@Cart.items",
      "18 z(0) of x#local(new Cart@Cart<Item>)",
      "18 helper(1) free",
      "19 a(0) of s#local(:Sub)",
      "19 c(0) free",
      "20 risky(0) free",
      "20 done(0) free",
      "21 go(0) of items@Cart.items()",
      "21 items(1) @Cart.items",
      "21 call(1) of Outer.Inner",
      "22 pair(0) free",
      "22 r(0) of q#local(:Foo)",
      "22 map(1) of super@Cart",
      "23 map(1) of items@Cart.items",
      "26 Foo(0) free",
      "30 Cart(1) @Cart",
      "34 test(1) free",
      "34 assert(1) free",
      "36 run(0) of c#local(:Cart@Cart<Item>)"
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
        "7 Service free",
        "8 Item free",
        "8 Store free",
        "8 Int free",
        "8 Foo free",
        "8 Ctx free",
        "8 Base free",
        "8 ICart @ICart",
        "8 Lazy free",
        "9 List free",
        "12 Int free",
        "13 Store free",
        "14 Int free",
        "14 List free",
        "16 Item free",
        "16 Option free",
        "16 Foo free",
        "18 Sub free",
        "19 Sub free",
        "19 Foo free",
        "20 IOException free",
        "21 Foo free",
        "22 Foo free",
        "25 Unit free",
        "27 Map free",
        "27 String free",
        "27 Foo free",
        "29 A free",
        "29 B free",
        "29 Item free",
        "29 Int free",
        "29 Int free",
        "30 Cart @Cart",
        "30 Item free",
        "31 Int free",
        "31 Int free",
        "32 S @S",
        "34 AnyFunSuite free",
        "36 Cart @Cart",
        "36 Item free",
        "36 Int free",
        "36 Int free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "8 store @Cart.store",
      "11 store @Cart.store",
      "12 size of items@Cart.items",
      "12 items @Cart.items",
      "15 items @Cart.items",
      "15 x of t#local(items@Cart.items[])",
      "16 store @Cart.store",
      "16 None free",
      "16 bar of y#local(:Option<Foo>).get",
      "16 get of y#local(:Option<Foo>)",
      "17 items @Cart.items",
      "17 items @Cart.items",
      "17 x of i#local(items@Cart.items[])",
      "17 helper free",
      "18 isInstanceOf of x#local(new Cart@Cart<Item>)",
      "19 b of q#local(?)",
      "19 z free",
      "20 getMessage of e#local(:IOException)",
      "21 Inner of Outer",
      "21 Outer free",
      "21 classOf free",
      "23 items @Cart.items"
    ])
    assert.deepStrictEqual(facts.references("write"), ["21 count @Cart.count", "21 count of self@Cart"])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "com.acme.core:Thing as Thing",
      "com.acme.util (wildcard)",
      "com.acme.core:Foo as Bar",
      "com.acme.core:Baz as Baz",
      "com.acme.core (wildcard)"
    ])
    assert.strictEqual(facts.package, "com.acme.shop")
    assert.strictEqual(facts.runner, "")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Cart extends Base<T#local(Item)>",
      "Cart mixes ICart@ICart",
      "Cart mixes Lazy",
      "ICart extends A",
      "ICart extends B",
      "Nil2 extends S@S",
      "CartSpec extends AnyFunSuite"
    ])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells visibility and documentation", () => {
    assert.deepStrictEqual(facts.flags("Cart.count"), ["private"])
    assert.deepStrictEqual(facts.flags("Cart.map"), ["exported", "override"])
    assert.deepStrictEqual(facts.flags("CartSpec.adds items"), ["test"])
    assert.strictEqual(facts.of("Cart")?.doc, "/** A cart. */")
  })
})
