import { assert, beforeAll, describe, it } from "vitest"
import { lua } from "../../../../src/engine/languages/lua/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Lua", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(lua, "cart.lua", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "2 variable M : 'map'",
      "7 class Cart",
      "9 field Cart.MAX : 'number' of Cart@Cart",
      "10 method Cart.new : self#local(new Cart@Cart) of Cart@Cart",
      "12 field Cart.store : store#local(?) of Cart@Cart",
      "13 field Cart.items : 'map' of Cart@Cart",
      "16 method Cart.run : self#local(selfOf(Cart@Cart)).store of Cart@Cart",
      "24 function Cart.run.f",
      "27 method M.helper of M@M",
      "28 function priv : x#local(?)",
      "29 function glob : Cart@Cart.new()",
      "30 variable GLOB : 'number'",
      "31 variable t : 'map'",
      "31 field t.a : 'number'",
      "31 method t.f",
      "32 test cart",
      "32 test cart.works"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "11 setmetatable(2) free",
      "17 ipairs(1) free",
      "17 touch(1) of item#local(self#local(selfOf(Cart@Cart)).items[])",
      "18 new(1) of Cart@Cart",
      "18 go(0) of x#local(Cart@Cart.new()).run()",
      "18 run(1) of x#local(Cart@Cart.new())",
      "18 helper(1) free",
      "18 encode(1) of json@import cjson",
      "19 z(0) of x#local(Cart@Cart.new())",
      "20 print(1) free",
      "23 other(0) of self#local(selfOf(Cart@Cart))",
      "23 go(0) of M@M",
      "24 r(0) of q#local(?)",
      "29 new(0) of Cart@Cart",
      "32 equal(2) of assert",
      "33 getenv(1) of os",
      "34 setmetatable(2) free"
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
      []
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "8 Cart @Cart",
      "8 Cart @Cart",
      "9 Cart @Cart",
      "10 Cart @Cart",
      "11 Cart @Cart",
      "16 Cart @Cart",
      "17 items of self#local(selfOf(Cart@Cart))",
      "18 Cart @Cart",
      "18 json @import cjson",
      "19 y free",
      "19 b free",
      "23 M @M",
      "23 M @M",
      "25 store of self#local(selfOf(Cart@Cart))",
      "27 M @M",
      "29 Cart @Cart",
      "32 assert free",
      "33 os free",
      "34 Cart @Cart",
      "34 Base free",
      "35 M @M"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "8 __index of Cart@Cart",
      "12 store of self#local(new Cart@Cart)",
      "13 items of self#local(new Cart@Cart)",
      "18 foo of json@import cjson.encode()"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, [
      "cjson as json (namespace)",
      "acme.util as util (namespace)",
      "side (sideEffect)"
    ])
    assert.strictEqual(facts.package, "")
    assert.strictEqual(facts.runner, "busted")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, ["Cart@Cart extends Base"])
    assert.deepStrictEqual(facts.marks, ["33 env HOME"])
  })

  it("tells local from global names", () => {
    assert.deepStrictEqual(facts.flags("priv"), ["private"])
    assert.deepStrictEqual(facts.flags("glob"), ["exported"])
    assert.deepStrictEqual(facts.flags("Cart.new"), ["exported", "static"])
    assert.strictEqual(facts.of("Cart")?.doc, "--- A cart.\n-- more")
  })
})
