import { assert, beforeAll, describe, it } from "vitest"
import { c } from "../../../../src/engine/languages/c/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("C", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(c, "node.c", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "3 macro MAX",
      "4 macro SQR",
      "6 function guarded : :'int'",
      "9 type_alias node_t : node@node",
      "9 struct node",
      "9 field node.value : :'int'",
      "9 field node.next : :node@node",
      "9 field node.name : :'array'<'char'>",
      "9 field node.cb",
      "10 struct point",
      "10 field point.x : :'int'",
      "10 field point.y : :'int'",
      "11 type_alias ulong_t : 'unsigned long'",
      "12 type_alias handler_fn",
      "13 enum color",
      "13 enum_member color.RED : self@color",
      "13 enum_member color.GREEN : self@color",
      "14 enum ab_t",
      "14 enum_member ab_t.A : self@ab_t",
      "14 enum_member ab_t.B : self@ab_t",
      "15 union u",
      "15 field u.i : :'int'",
      "15 field u.f : :'float'",
      "16 variable counter : :'int'",
      "17 variable hidden : :'int'",
      "18 variable names : :'array'<'char'>",
      "19 function add : :'int'",
      "20 function make : :node_t@node_t",
      "32 function main : :'int'",
      "33 variable origin : :point@point",
      "34 variable ptr : :'int'",
      "34 variable arr : :'array'<'int'>",
      "34 function fn_decl : :'int'"
    ])
    assert.strictEqual(facts.parseErrors, 1)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "21 malloc(1) free",
      "24 cb(2) of n#local(:node@node)",
      "25 add(2) @add",
      "27 SQR(1) @SQR",
      "32 printf(2) free",
      "32 add(2) @add",
      "32 getenv(1) free"
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
        "9 node @node",
        "20 node_t @node_t",
        "21 node @node",
        "21 node @node",
        "22 node_t @node_t",
        "28 node_t @node_t",
        "33 point @point",
        "35 foo free"
      ]
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "5 FOO free",
      "23 next of n#local(:node@node)",
      "23 MAX @MAX",
      "24 cb of n#local(:node@node)",
      "26 RED @color.RED"
    ])
    assert.deepStrictEqual(facts.references("write"), [
      "22 value of ?",
      "22 next of ?",
      "23 value of n#local(:node@node)",
      "23 value of n#local(:node@node).next",
      "23 value of local#local(:node_t@node_t)",
      "27 hidden @hidden",
      "28 value of :node_t@node_t"
    ])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, ["stdio.h (wildcard)", "util/list.h (wildcard quoted)"])
    assert.strictEqual(facts.package, "")
    assert.strictEqual(facts.runner, "")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [])
    assert.deepStrictEqual(facts.marks, ["32 env HOME"])
  })

  it("tells private functions, prototypes and documentation", () => {
    assert.deepStrictEqual(facts.flags("make"), ["private"])
    assert.deepStrictEqual(facts.flags("add"), ["exported", "declaration"])
    assert.deepStrictEqual(facts.flags("counter"), ["exported", "declaration"])
    assert.strictEqual(facts.of("node")?.doc, "/* A node. */")
    assert.deepStrictEqual(facts.of("make")?.parameters, { min: 2, max: 2, variadic: true })
  })
})
