import { assert, beforeAll, describe, it } from "vitest"
import { csharp } from "../../../../src/engine/languages/csharp/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("C#", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(csharp, "Cart.cs", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "9 class Cart",
      "10 field Cart._items : :List<T#local(?)>",
      "10 field Cart._b : :List<T#local(?)>",
      "11 constant Cart.Max : :'int'",
      "12 property Cart.Name : :'string'",
      "13 property Cart.Count : :'int'",
      "14 property Cart.this[] : :T#local(?)",
      "15 event Cart.Changed : :EventHandler<Args>",
      "16 constructor Cart.Cart",
      "17 method Cart.~Cart",
      "18 method Cart.RunAsync : :Task<'int'>",
      "33 function Cart.RunAsync.Local : :'int'",
      "37 operator Cart.operator + : :Cart@Cart<T#local(?)>",
      "38 method Cart.Abs : :'void'",
      "39 method Cart.Exp : :'int'",
      "40 enum Cart.Color",
      "40 enum_member Cart.Color.Red : self@Cart.Color",
      "40 enum_member Cart.Color.Green : self@Cart.Color",
      "41 type_alias Cart.Handler",
      "42 interface Cart.IShape",
      "42 method Cart.IShape.Area : :'double'",
      "43 struct Cart.P",
      "43 field Cart.P.X : :'int'",
      "45 class Person",
      "45 property Person.Name : :'string'",
      "45 property Person.Age : :'int'",
      "46 class Ext",
      "46 method Ext.Cart.Do : :'void' of Cart@Cart<Item>"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "19 Touch(0) of t#local(_items@Cart._items[])",
      "20 Go(0) of t2#local(:T#local(?))",
      "21 Cart(1) @Cart",
      "21 Run(0) of s#local(new Cart@Cart<Item>)",
      "21 Foo(0) free",
      "21 Bar(0) free",
      "22 LoadAsync(0) of s#local(new Cart@Cart<Item>)",
      "22 Go(0) of y#local(unwrap(s#local(new Cart@Cart<Item>).LoadAsync()))",
      "22 Trim(0) of s#local(new Cart@Cart<Item>).Name",
      "22 C(0) of a.b",
      "23 Z(0) of sub#local(:Sub)",
      "24 D(0) of z#local(:Derived)",
      "24 E(0) of :Other",
      "25 What(0) of e#local(:IOException)",
      "26 R(0) of q#local(:Sub)",
      "27 N(0) of m#local(:Sub)",
      "28 Select(1) of items.Where()",
      "28 Where(1) of items",
      "29 Open(0) free",
      "29 Read(0) of r#local(Open())",
      "29 Open(0) free",
      "30 Go(0) of _items@Cart._items[]",
      "31 ToString(0) of ?",
      "31 WriteLine(1) of Console",
      "31 Generic(1) free",
      "31 Gen(1) of o",
      "32 FromResult(1) of Task",
      "34 TryParse(2) of 'int'",
      "34 Go(0) of outv#local(?)",
      "35 Pair(0) free",
      "46 Run(0) of c#local(:Cart@Cart<Item>)"
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
        "8 Serializable free",
        "9 Base free",
        "9 ICart free",
        "9 Item free",
        "10 List free",
        "15 EventHandler free",
        "15 Args free",
        "16 IStore free",
        "18 Fact free",
        "18 Task free",
        "21 Item free",
        "21 Cart @Cart",
        "21 Item free",
        "21 Foo free",
        "23 Sub free",
        "24 Derived free",
        "24 Other free",
        "25 IOException free",
        "26 Sub free",
        "27 Sub free",
        "28 Func free",
        "31 Foo free",
        "31 Foo free",
        "37 Cart @Cart",
        "37 Cart @Cart",
        "37 Cart @Cart",
        "42 IA free",
        "42 IB free",
        "45 Entity free",
        "46 Cart @Cart",
        "46 Item free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "13 Count of _items@Cart._items",
      "13 _items @Cart._items",
      "14 _items @Cart._items",
      "19 _items @Cart._items",
      "20 _items @Cart._items",
      "22 Name of s#local(new Cart@Cart<Item>)",
      "22 b of a",
      "22 a free",
      "23 x free",
      "23 Ok of sub#local(:Sub)",
      "24 x free",
      "24 x free",
      "25 Ok of e#local(:IOException)",
      "26 x free",
      "27 x free",
      "28 items free",
      "28 Ok of i#local(?)",
      "28 Helper free",
      "30 _items @Cart._items",
      "31 Bar free",
      "31 Console free",
      "31 A of f#local(:Foo)",
      "31 o free",
      "32 Task free",
      "32 Max @Cart.Max",
      "39 Max @Cart.Max",
      "45 Name @Person.Name"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "16 _store free",
      "16 Name of self@Cart",
      "21 A of new Foo",
      "21 B of new Foo"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "System (wildcard)",
      "System.Collections.Generic (wildcard)",
      "System.Math (wildcard static)",
      "Acme.Core:Thing as Alias",
      "Xunit (wildcard reexport)"
    ])
    assert.strictEqual(facts.package, "Acme.Shop")
    assert.strictEqual(facts.runner, "xunit")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "Cart extends Base<T#local(?)>",
      "Cart implements ICart",
      "Cart.IShape extends IA",
      "Cart.IShape extends IB",
      "Person extends Entity"
    ])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells visibility, tests and documentation", () => {
    assert.deepStrictEqual(facts.flags("Cart.RunAsync"), ["exported", "async", "test"])
    assert.deepStrictEqual(facts.flags("Cart.Color"), ["private"])
    assert.deepStrictEqual(facts.flags("Cart.Max"), ["exported", "static", "readonly"])
    assert.strictEqual(facts.of("Cart")?.doc, "/// <summary>A cart.</summary>")
    assert.include(facts.uses, "22 LoadAsync awaited")
  })
})
