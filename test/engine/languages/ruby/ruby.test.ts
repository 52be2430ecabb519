import { assert, beforeAll, describe, it } from "vitest"
import { ruby } from "../../../../src/engine/languages/ruby/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Ruby", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(ruby, "cart.rb", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "3 module Acme",
      "4 constant Acme.MAX : 'number'",
      "6 class Acme.Cart",
      "10 property Acme.Cart.name : self@Acme.Cart.@name",
      "10 property Acme.Cart.items : self@Acme.Cart.@items",
      "11 property Acme.Cart.store : self@Acme.Cart.@store",
      "12 constant Acme.Cart.KINDS : 'list'",
      "14 constructor Acme.Cart.initialize",
      "15 field Acme.Cart.@store : store#local(?)",
      "16 field Acme.Cart.@items : 'list'",
      "17 field Acme.Cart.@repo : new Repo",
      "20 method Acme.Cart.build : new()",
      "22 method Acme.Cart.make",
      "24 method Acme.Cart.run : Cart@Acme.Cart.MAX",
      "31 field Acme.Cart.@count : 'number'",
      "41 method Acme.Cart.secret",
      "42 method Acme.Cart.prot",
      "43 method Acme.Cart.ok?",
      "44 method Acme.Cart.old",
      "45 method Acme.Cart.other",
      "46 operator Acme.Cart.==",
      "49 function top",
      "50 test Cart",
      "51 test Cart.when x",
      "52 variable Cart.when x.foo : new Foo",
      "53 test Cart.when x.works",
      "58 class CartTest",
      "59 method CartTest.test_it : assert_equal()",
      "62 class Point",
      "62 property Point.x",
      "62 property Point.y"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "12 freeze(0) of 'list'",
      "17 Repo(1) free",
      "18 initialize(0) of super@Acme.Cart",
      "20 new(1) free",
      "25 each(0) of self@Acme.Cart.@items",
      "25 touch(1) of i#local(self@Acme.Cart.@items[])",
      "26 Cart(1) @Acme.Cart",
      "26 go(0) of x#local(new Cart@Acme.Cart).run()",
      "26 run(1) of x#local(new Cart@Acme.Cart)",
      "26 make(0) of Self@Acme.Cart",
      "26 class(0) of self@Acme.Cart",
      "26 helper(0) free",
      "26 helper2(1) free",
      "27 baz(0) of Foo.Bar",
      "27 bar(1) of Foo",
      "27 fetch(1) of ENV",
      "27 puts(1) free",
      "27 b(0) of a#local(?)",
      "30 risky(0) free",
      "30 message(0) of e#local(?)",
      "30 done(0) free",
      "31 b(0) of a#local(?)",
      "31 r(0) of q#local(?)",
      "31 map(1) of 'list'",
      "31 b(0) of a#local(?)[]",
      "31 x(0) of a#local(?)",
      "33 list(0) free",
      "33 x(0) of q#local(list[])",
      "34 save(0) of self@Acme.Cart.@repo",
      "36 pair(0) free",
      "52 Foo(0) free",
      "54 to(1) of expect()",
      "54 expect(1) free",
      "54 bar(0) of foo@Cart.when x.foo",
      "54 foo(0) @Cart.when x.foo",
      "54 eq(1) free",
      "59 assert_equal(2) free",
      "61 get(1) free",
      "62 Struct(2) free"
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
      ["6 Model of Base", "7 Comparable free", "8 ClassMethods free", "9 Mix of Other", "58 Test of Minitest"]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "6 Base free",
      "9 Other free",
      "25 @items of self@Acme.Cart",
      "27 Bar of Foo",
      "27 Foo free",
      "27 Foo free",
      "27 ENV free",
      "27 ENV free",
      "29 Foo free",
      "30 IOError free",
      "30 Foo free",
      "34 @repo of self@Acme.Cart",
      "38 MAX of Cart@Acme.Cart",
      "38 Cart @Acme.Cart",
      "50 Cart free",
      "58 Minitest free"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "15 @store of self@Acme.Cart",
      "16 @items of self@Acme.Cart",
      "17 @repo of self@Acme.Cart",
      "26 name of self@Acme.Cart",
      "31 @count of self@Acme.Cart",
      "37 name of x#local(?)"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, ["json (wildcard)", "../lib/util (wildcard quoted)"])
    assert.strictEqual(facts.package, "")
    assert.strictEqual(facts.runner, "minitest")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Acme.Cart extends Base.Model",
      "Acme.Cart mixes Comparable",
      "Acme.Cart mixes ClassMethods",
      "Acme.Cart mixes Other.Mix",
      "CartTest extends Minitest.Test"
    ])
    assert.deepStrictEqual(facts.marks, ["27 env HOME", "27 env X", "61 route /users", "63 todo TODO: x"])
  })

  it("tells visibility, singleton methods and examples", () => {
    assert.deepStrictEqual(facts.flags("Acme.Cart.secret"), ["private"])
    assert.deepStrictEqual(facts.flags("Acme.Cart.prot"), ["exported", "protected"])
    assert.deepStrictEqual(facts.flags("Acme.Cart.build"), ["exported", "static"])
    assert.deepStrictEqual(facts.flags("Acme.Cart.name"), ["exported", "getter", "setter"])
    assert.deepStrictEqual(facts.flags("Cart.when x.works"), ["local", "test"])
    assert.strictEqual(facts.of("Acme.Cart.initialize")?.doc, "# doc")
  })
})
