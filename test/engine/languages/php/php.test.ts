import { assert, beforeAll, describe, it } from "vitest"
import { php } from "../../../../src/engine/languages/php/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("PHP", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(php, "cart.php", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "9 constant TOP : 'int'",
      "10 constant DEF",
      "13 class Cart",
      "15 constant Cart.MAX : 'int'",
      "16 property Cart.store : :Store",
      "17 property Cart.cache : :'array'",
      "18 constructor Cart.__construct",
      "18 property Cart.repo : :Store",
      "18 property Cart.n : :'int'",
      "21 method Cart.make : :Self@Cart",
      "22 method Cart.run : :'void'",
      "23 method Cart.go : :Item",
      "29 class Cart.go.new Foo",
      "29 method Cart.go.new Foo.anon",
      "35 interface ICart",
      "35 constant ICart.K : 'int'",
      "35 method ICart.go",
      "36 trait Loggable",
      "36 property Loggable.log",
      "36 method Loggable.log",
      "37 enum Suit",
      "37 enum_member Suit.Hearts : self@Suit",
      "37 enum_member Suit.Spades : self@Suit",
      "37 method Suit.label : :'string'",
      "38 function helper2 : new Foo@import Acme\\Core:Foo",
      "41 class CartTest",
      "41 method CartTest.testRuns"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "10 define(2) free",
      "18 __construct(0) of super@Cart",
      "24 touch(1) of $item#local(self@Cart.items[])",
      "25 Cart(1) @Cart",
      "25 run(0) of $s#local(new Cart@Cart)",
      "25 make(1) of Self@Cart",
      "25 baz(0) of Foo@import Acme\\Core:Foo.bar()",
      "25 bar(0) of Foo@import Acme\\Core:Foo",
      "26 b(0) of $a#local(?)",
      "26 r(0) of $q#local(?)",
      "27 z(0) of $x#local(:Item | Other)",
      "28 risky(0) free",
      "28 getMessage(0) of $e#local(:FooException)",
      "29 opt(0) of $s#local(new Cart@Cart)",
      "29 save(0) of self@Cart.store",
      "29 helper(2) @import Acme:helper",
      "29 strlen(1) free",
      "30 a(0) free",
      "30 b(0) free",
      "30 Foo(0) @import Acme\\Core:Foo",
      "30 getenv(1) free",
      "31 pair(0) free",
      "31 sub(0) of Thing@import Acme\\Core:Thing",
      "38 Foo(0) @import Acme\\Core:Foo",
      "39 get(2) of $app",
      "40 get(2) of Route",
      "41 assertTrue(1) of self@CartTest"
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
        "13 Model of \\Base",
        "13 ICart @ICart",
        "13 Countable free",
        "12 Attr free",
        "14 Loggable @Loggable",
        "14 Mix of Other",
        "16 Store free",
        "18 Store free",
        "20 Test free",
        "21 Foo @import Acme\\Core:Foo",
        "23 Item free",
        "23 Other free",
        "23 Item free",
        "27 Item free",
        "28 FooException free",
        "28 Bar free",
        "29 Foo @import Acme\\Core:Foo",
        "35 A free",
        "35 B free",
        "35 Item free",
        "37 HasLabel free",
        "41 TestCase free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "24 items of self@Cart",
      "25 next of $s#local(new Cart@Cart).run()",
      "25 Foo @import Acme\\Core:Foo",
      "25 MAX of Self@Cart",
      "25 Foo @import Acme\\Core:Foo",
      "29 store of self@Cart",
      "31 $conf free",
      "39 $app free",
      "39 UserController free",
      "40 Route free"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "18 store of self@Cart",
      "25 cache of Self@Cart",
      "31 prop of $o"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "Acme\\Core:Thing as Thing",
      "Acme\\Core:Foo as Foo",
      "Acme\\Core:Bar as Baz",
      "Acme:helper as helper",
      "Acme:LIMIT as LIMIT",
      "./lib.php (sideEffect)",
      "other.php (sideEffect)"
    ])
    assert.strictEqual(facts.package, "Acme\\Shop")
    assert.strictEqual(facts.runner, "phpunit")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Cart extends \\Base.Model",
      "Cart implements ICart@ICart",
      "Cart implements Countable",
      "Cart mixes Loggable@Loggable",
      "Cart mixes Other.Mix",
      "Cart.go.new Foo extends Foo@import Acme\\Core:Foo",
      "ICart extends A",
      "ICart extends B",
      "Suit implements HasLabel",
      "CartTest extends TestCase"
    ])
    assert.deepStrictEqual(facts.marks, ["30 env HOME", "30 env X", "39 route /users", "40 route /x"])
  })

  it("tells visibility and tests", () => {
    assert.deepStrictEqual(facts.flags("Acme"), undefined)
    assert.deepStrictEqual(facts.flags("Cart.store"), ["private"])
    assert.deepStrictEqual(facts.flags("Cart.make"), ["exported", "static", "test"])
    assert.deepStrictEqual(facts.flags("CartTest.testRuns"), ["exported", "test"])
    assert.strictEqual(facts.of("Cart")?.doc, "/** A cart. */")
  })
})
