import { assert, beforeAll, describe, it } from "vitest"
import { cpp } from "../../../../src/engine/languages/cpp/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("C++", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(cpp, "shape.cpp", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "5 namespace acme",
      "5 namespace acme.geo",
      "8 class acme.geo.Shape",
      "10 constructor acme.geo.Shape.Shape",
      "11 constructor acme.geo.Shape.Shape",
      "12 method acme.geo.Shape.~Shape",
      "13 method acme.geo.Shape.area : :'double'",
      "14 method acme.geo.Shape.create : :Shape@acme.geo.Shape",
      "15 operator acme.geo.Shape.operator[] : :T#local(?)",
      "16 operator acme.geo.Shape.operator== : :'bool'",
      "17 operator acme.geo.Shape.operator bool : :'bool'",
      "18 method acme.geo.Shape.visit : :'void'",
      "19 enum acme.geo.Shape.Kind",
      "19 enum_member acme.geo.Shape.Kind.A : self@acme.geo.Shape.Kind",
      "19 enum_member acme.geo.Shape.Kind.B : self@acme.geo.Shape.Kind",
      "20 type_alias acme.geo.Shape.Ptr : std.shared_ptr<Shape@acme.geo.Shape>",
      "21 type_alias acme.geo.Shape.Id : 'int'",
      "24 field acme.geo.Shape.width_ : :'int'",
      "24 field acme.geo.Shape.height_ : :'int'",
      "25 field acme.geo.Shape.items_ : :std.vector<Item>",
      "26 field acme.geo.Shape.kMax : :'int'",
      "28 enum acme.geo.Plain",
      "28 enum_member acme.geo.Plain.P1 : self@acme.geo.Plain",
      "28 enum_member acme.geo.Plain.P2 : self@acme.geo.Plain",
      "29 method acme.geo.Shape.area : :'double' of Shape@acme.geo.Shape",
      "30 method acme.geo.Inner.make : :acme@acme.Foo of Outer.Inner",
      "31 constructor acme.geo.Outer.Outer of Outer",
      "32 method acme.geo.Outer.~Outer of Outer",
      "33 variable acme.geo.lam",
      "34 function acme.geo.helper : :'void'",
      "47 struct acme.geo.Pod",
      "47 field acme.geo.Pod.a : :'int'",
      "47 field acme.geo.Pod.next : :Pod@acme.geo.Pod",
      "49 test Suite.Name",
      "50 test Fix.Name2",
      "51 test title",
      "51 test title.x",
      "52 function cfun : :'int'",
      "53 function spec : :'void'",
      "54 constant K : :'int'",
      "55 variable c : :concept_t",
      "56 class Fwd"
    ])
    assert.strictEqual(facts.parseErrors, 2)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "10 Base(1) free",
      "10 init(0) free",
      "18 accept(1) of u#local(:U#local(?))",
      "18 go(0) of self@acme.geo.Shape",
      "18 go(1) free",
      "35 Shape(2) @acme.geo.Shape",
      "36 area(0) of s#local(new Shape@acme.geo.Shape<'int'>)",
      "36 touch(0) of p#local(:std.unique_ptr<Item>)",
      "36 area(0) of t#local(:Shape@acme.geo.Shape<'int'>)",
      "36 make_shared(1) of std",
      "37 Foo(1) free",
      "37 baz(0) of f#local(:Foo).bar()",
      "37 bar(0) of f#local(:Foo)",
      "38 items(0) of s#local(new Shape@acme.geo.Shape<'int'>)",
      "38 go(0) of it#local(s#local(new Shape@acme.geo.Shape<'int'>).items()[])",
      "39 run(0) of it#local(:Item)",
      "40 sort(3) of std",
      "40 begin(0) of a",
      "40 end(0) of a",
      "41 Err(1) free",
      "41 what(0) of e#local(:std.exception)",
      "42 foo(0) of z#local(:Derived)",
      "42 bar(0) of :D",
      "43 run(1) of acme@acme.geo",
      "43 global(0) free",
      "43 statik(0) of Foo",
      "44 find(1) free",
      "45 pair(0) free",
      "45 x(0) of aa#local(?)",
      "49 EXPECT_EQ(2) free",
      "49 foo(0) free",
      "50 run(0) free",
      "51 run(0) free",
      "51 go(0) free"
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
        "8 Base free",
        "8 Mixin of other",
        "11 Shape @acme.geo.Shape",
        "14 Shape @acme.geo.Shape",
        "14 string free",
        "16 Shape @acme.geo.Shape",
        "20 shared_ptr of std",
        "20 Shape @acme.geo.Shape",
        "25 vector of std",
        "25 Item free",
        "30 Foo of acme@acme",
        "34 unique_ptr of std",
        "34 Item free",
        "36 Shape @acme.geo.Shape",
        "36 Foo free",
        "37 Foo free",
        "37 Foo free",
        "39 Item free",
        "41 exception of std",
        "42 Derived free",
        "42 D free",
        "47 Pod @acme.geo.Pod",
        "55 concept_t free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "4 std free",
      "8 other free",
      "15 data_ free",
      "20 std free",
      "25 std free",
      "29 Shape @acme.geo.Shape",
      "29 width_ free",
      "29 height_ of selfOf(Shape@acme.geo.Shape)",
      "30 Outer free",
      "30 Inner of Outer",
      "30 acme @acme",
      "31 Outer free",
      "32 Outer free",
      "34 std free",
      "36 std free",
      "39 list free",
      "40 std free",
      "40 a free",
      "40 a free",
      "40 x of l#local(?)",
      "40 x of r#local(?)",
      "41 std free",
      "43 acme @acme",
      "43 geo of acme@acme",
      "43 Foo free",
      "43 kConst of Foo",
      "43 Foo free"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "10 width_ of self@acme.geo.Shape",
      "31 x of selfOf(Outer)"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "vector (wildcard)",
      "shape.h (wildcard quoted)",
      "std (namespace wildcard)"
    ])
    assert.strictEqual(facts.package, "")
    assert.strictEqual(facts.runner, "gtest")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [
      "acme.geo.Shape extends Base<T#local(?)>",
      "acme.geo.Shape extends other.Mixin"
    ])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells access levels, virtual and static members", () => {
    assert.deepStrictEqual(facts.flags("acme.geo.Shape.items_"), ["private"])
    assert.deepStrictEqual(facts.flags("acme.geo.Shape.create"), ["exported", "static", "declaration"])
    assert.deepStrictEqual(facts.flags("acme.geo.Shape.area"), ["exported", "abstract", "declaration"])
    assert.deepStrictEqual(facts.flags("Suite.Name"), ["test"])
    assert.strictEqual(facts.of("acme.geo.Shape")?.doc, "/// A shape.")
  })
})
