import { assert, beforeAll, describe, it } from "vitest"
import { java } from "../../../../src/engine/languages/java/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Java", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(java, "Cart.java", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "10 class Cart",
      "11 field Cart.items : :List@import java.util:List<T#local(Item)>",
      "11 field Cart.others : :'array'<List@import java.util:List<T#local(Item)>>",
      "12 constant Cart.MAX : :'int'",
      "13 constructor Cart.Cart",
      "15 method Cart.map : :List@import java.util:List<R#local(?)>",
      "18 class Cart.map.new Cart",
      "18 method Cart.map.new Cart.run : :'void'",
      "29 enum Cart.Color",
      "29 enum_member Cart.Color.RED : self@Cart.Color",
      "29 method Cart.Color.RED.f : :'void'",
      "29 enum_member Cart.Color.GREEN : self@Cart.Color",
      "29 field Cart.Color.v : :'int'",
      "29 constructor Cart.Color.Color",
      "30 class Cart.Point",
      "30 field Cart.Point.x : :'int'",
      "30 field Cart.Point.y : :'int'",
      "30 constructor Cart.Point.Point",
      "31 interface Cart.Shape",
      "31 method Cart.Shape.area : :'double'",
      "31 constant Cart.Shape.K : :'int'",
      "32 annotation Cart.Ann",
      "32 method Cart.Ann.value : :String"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "11 ArrayList(0) free",
      "13 init(0) of super@Cart",
      "16 touch(0) of t#local(:T#local(Item))",
      "16 apply(1) of f#local(:Function<T#local(Item), R#local(?)>)",
      "18 Cart(1) @Cart",
      "19 toString(0) of x#local(new Cart@Cart<Item>).foo.bar()",
      "19 bar(0) of x#local(new Cart@Cart<Item>).foo",
      "20 helper(0) free",
      "21 z(0) of sub#local(:Sub)",
      "22 open(0) free",
      "22 read(0) of in#local(:Reader)",
      "22 printStackTrace(0) of e#local(:IOException)",
      "25 go(0) of xs[]",
      "25 call(1) of Outer.Inner",
      "26 of(1) of List@import java.util:List",
      "28 init(0) free"
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
        "9 Service free",
        "10 Item free",
        "10 Foo free",
        "10 Base free",
        "10 Closeable free",
        "10 Serializable of java.io",
        "10 io of java",
        "10 java free",
        "11 List @import java.util:List",
        "13 Store free",
        "15 Override free",
        "15 List @import java.util:List",
        "15 Function free",
        "15 IOException free",
        "18 Item free",
        "19 String free",
        "19 String free",
        "20 Runnable free",
        "20 BiFunction free",
        "20 A free",
        "20 B free",
        "20 C free",
        "20 Consumer free",
        "20 X free",
        "21 Sub free",
        "22 Reader free",
        "22 IOException free",
        "22 Foo free",
        "25 Foo free",
        "30 Foo free",
        "31 A free",
        "31 B free",
        "32 String free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "16 items @Cart.items",
      "19 foo of x#local(new Cart@Cart<Item>)",
      "20 go of Cart@Cart",
      "20 Cart @Cart",
      "25 xs free",
      "25 y free",
      "25 Inner of Outer",
      "25 Outer free",
      "26 cond free",
      "26 List @import java.util:List"
    ])
    assert.deepStrictEqual(facts.references("write"), ["13 store of self@Cart"])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "java.util:List as List",
      "java.util.Map:of as of (static)",
      "org.junit.Assert (wildcard static)",
      "java.io (wildcard)"
    ])
    assert.strictEqual(facts.package, "com.acme.shop")
    assert.strictEqual(facts.runner, "junit")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Cart extends Base<T#local(Item)>",
      "Cart implements Closeable",
      "Cart implements java.io.Serializable",
      "Cart.map.new Cart extends Cart@Cart<Item>",
      "Cart.Point implements Foo",
      "Cart.Shape extends A",
      "Cart.Shape extends B"
    ])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells flags, signatures, documentation, parameters and complexity", () => {
    assert.deepStrictEqual(facts.flags("Cart"), ["exported", "abstract"])
    assert.deepStrictEqual(facts.flags("Cart.items"), ["private", "readonly"])
    assert.deepStrictEqual(facts.flags("Cart.map"), ["exported", "override"])
    assert.strictEqual(facts.of("Cart")?.doc, "/** A cart. */")
    assert.strictEqual(
      facts.of("Cart.map")?.signature,
      "public <R> List<R> map(Function<T, R> f) throws IOException"
    )
    assert.deepStrictEqual(facts.of("Cart.Cart")?.parameters, { min: 1, max: 1, variadic: true })
    assert.strictEqual(facts.of("Cart.map")?.complexity, 11)
    assert.include(facts.uses, "16 touch discarded")
    assert.include(facts.uses, "18 Cart assigned")
  })
})
