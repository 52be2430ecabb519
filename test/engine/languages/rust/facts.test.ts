import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { rust } from "../../../../src/engine/languages/rust/index.ts"
import { factsOf } from "../support.ts"

const shapes = await factsOf(rust, readFileSync(new URL("./fixtures/shapes.rs", import.meta.url), "utf8"), "src/shapes.rs")
const definition = (qualified: string, nth = 0) => {
  const found = shapes.definitions.filter((d) => d.qualified === qualified)[nth]
  assert.isDefined(found, qualified)
  return found!
}
const indexOf = (qualified: string) => shapes.definitions.findIndex((d) => d.qualified === qualified)
const referencesOn = (line: number) =>
  shapes.references.filter((r) => r.at.startsWith(`${line}:`)).map((r) => `${r.name} ${r.role} ${r.bind}`)
const references = async (text: string) => (await factsOf(rust, text)).references.map((r) => `${r.name} ${r.role} ${r.bind}`)

describe("definitions", () => {
  it("reads the fixture without a parse error", () => assert.strictEqual(shapes.parseErrors, 0))

  it("gives types their fields, variants and documentation", () => {
    const point = definition("Point")
    assert.deepStrictEqual([point.kind, point.at, point.span, point.flags], ["struct", "16:11", "15:0-20:1", ["exported"]])
    assert.strictEqual(point.doc, "/// A point in the plane.\n///\n/// Both coordinates share a type.")
    assert.strictEqual(point.signature, "pub struct Point<T>")
    assert.deepStrictEqual([definition("Point.x").type, definition("Point.x").doc], [":T#local(?)", "/// Across."])
    assert.strictEqual(definition("Point.y").type, ":Vec<T#local(?)>")
    assert.deepStrictEqual([definition("Pair.0").type, definition("Pair.0").flags], [`:Point#def${indexOf("Point")}<'i32'>`, ["exported", "synthetic"]])
    assert.strictEqual(definition("Shape.Circle").kind, "enum_member")
    assert.strictEqual(definition("Shape.Circle.radius").parent, indexOf("Shape.Circle"))
    assert.include(definition("Shape.Nothing").flags, "deprecated")
    assert.strictEqual(definition("Bits.parts").type, ":'array'<'u8'>")
  })

  it("gives methods of an impl its type as owner and those of a trait the trait as parent", () => {
    const make = definition("Point.new")
    assert.deepStrictEqual([make.kind, make.parent, make.flags], ["method", -1, ["exported", "static"]])
    assert.strictEqual(make.owner, `Point#def${indexOf("Point")}<T#local(Default)>`)
    assert.strictEqual(make.type, `:Point#def${indexOf("Point")}<T#local(Default)>`)
    assert.strictEqual(definition("Area.area").parent, indexOf("Area"))
    assert.deepStrictEqual(definition("Area.area").flags, ["exported", "declaration"])
    assert.strictEqual(definition("Area.double").body, "42:28")
    assert.deepStrictEqual(definition("Point.area").flags, ["exported", "override"])
    assert.deepStrictEqual(definition("Point.shift").parameters, { min: 2, max: 2, variadic: false })
    assert.strictEqual(definition("Point.shift").complexity, 8)
  })

  it("marks test functions and test modules", () => {
    assert.strictEqual(shapes.runner, "cargo test")
    assert.include(definition("tests").flags, "test")
    assert.include(definition("tests.builds").flags, "test")
    assert.deepStrictEqual(definition("tests.waits").flags, ["async", "test"])
    assert.deepStrictEqual(definition("tests.helper").flags, [])
  })

  it("names closures bound by let and functions inside functions, as local ones", () => {
    const add = definition("build.add")
    assert.deepStrictEqual([add.kind, add.flags, add.signature], ["function", ["local"], "let add = |a: i32, b|"])
    assert.deepStrictEqual(definition("build.inner").flags, ["local"])
  })

  it("reads foreign functions as declarations", () => {
    assert.deepStrictEqual(definition("printf").flags, ["declaration"])
    assert.deepStrictEqual(definition("printf").parameters, { min: 1, max: 1, variadic: true })
    assert.deepStrictEqual(definition("abs").flags, ["exported", "declaration"])
  })

  it("keeps the items of a macro call among items", async () => {
    const facts = await factsOf(rust, "cfg_rt! {\n  pub mod task;\n  impl A { fn run(&self) {} }\n}\nlazy_static! { static ref TABLE: Map<u8> = build(); }")
    assert.deepStrictEqual(facts.definitions.map((d) => `${d.kind} ${d.qualified}`), ["module task", "method A.run", "variable TABLE"])
    assert.strictEqual(facts.definitions[2]!.type, ":Map<'u8'>")
  })
})

describe("imports", () => {
  it("makes one record per leaf of a use tree", () => {
    assert.deepStrictEqual(shapes.imports.map((i) => [i.module, i.imported, i.local, i.flags.join()]), [
      ["std", "collections", "collections", ""],
      ["std::collections", "HashMap", "HashMap", ""],
      ["std::collections::hash_map", "Entry", "Slot", ""],
      ["std::collections::hash_map", "", "", "wildcard"],
      ["std::fmt", "Display", "Display", ""],
      ["std::fmt", "Formatter", "Formatter", ""],
      ["super", "geometry", "geometry", ""],
      ["crate::units", "Length", "Metre", "reexport"],
      ["alloc", "", "heap", "namespace"],
      ["file", "", "file", "namespace"],
      ["elsewhere/odd.rs", "", "odd", "namespace,reexport,quoted"],
      ["super", "", "", "wildcard"]
    ])
  })
  it("records super traits and implementations", () => {
    const point = `Point#def${indexOf("Point")}`
    assert.deepStrictEqual(shapes.inherits.map((i) => [i.subject, i.subjectType, i.superType, i.how]), [
      [indexOf("Area"), "?", "Display#imp4", "extends"],
      [-1, `${point}<'i32'>`, `Area#def${indexOf("Area")}`, "implements"],
      [-1, `${point}<T#local(?)>`, "Display#imp4", "implements"]
    ])
  })
})

describe("references", () => {
  const at = indexOf("Point")
  const self = `selfOf(Point#def${at}<T#local(Default)>)`
  it("types self, fields, iteration and pattern bindings", () => {
    assert.deepStrictEqual(referencesOn(62), [`x write of ${self}`])
    assert.deepStrictEqual(referencesOn(68), [`visit call of item#local(${self}.y[])`])
    assert.deepStrictEqual(referencesOn(71), [`finish call of value#local(unwrap(${self}.next()))`])
    assert.deepStrictEqual(referencesOn(66)[0], `x read of other#local(Point#def${at}<'i32'>.new())`)
    assert.include(referencesOn(75), `x read of first#local(:Pair#def${indexOf("Pair")}.0)`)
  })
  it("follows paths from their first segment", () => {
    assert.include(referencesOn(143), "build call of self")
    assert.deepStrictEqual(referencesOn(144), [`helper call of tests#def${indexOf("tests")}`])
    assert.deepStrictEqual(referencesOn(145), ["units read of crate", "check call of crate.units"])
    assert.deepStrictEqual(referencesOn(146), ["root call of super"])
  })
  it("reads macro arguments as expressions and captures of format strings", async () => {
    assert.deepStrictEqual(await references("const N: u8 = 1;\nfn f() { println!(\"{N:>w$} {{M}} {}\", g(1).h(), w = N); }"), [
      "println macro free", "g call free", "h call of g()", "N read def0", "N read def0"
    ])
    assert.deepStrictEqual(referencesOn(125), [`shape macro def${indexOf("shape")}`, "blue read free", `inner call def${indexOf("build.inner")}`])
    assert.deepStrictEqual(referencesOn(133).slice(1, 3), [`Shape read def${indexOf("Shape")}`, `Circle read of Shape#def${indexOf("Shape")}`])
  })
  it("keeps a variable apart from the type, function and macro of its name", async () => {
    assert.deepStrictEqual(await references("mod a {}\nfn f(a: u8, g: u8) { a::b(); g!(a); let f = 1; f::<u8>; }"), [
      "a read def0", "b call of a#def0", "g macro free"
    ])
  })
  it("says what becomes of a call's result", async () => {
    const facts = await factsOf(rust, "async fn f() -> u8 { a(); let x = b(); if c() {} d().await; e(g()); spawn(h()); return i(); k() }")
    assert.deepStrictEqual(facts.references.filter((r) => r.role === "call").map((r) => `${r.name} ${r.use}`), [
      "a discarded", "b assigned", "c condition", "d awaited", "e discarded", "g argument", "spawn discarded", "h spawned", "i returned", "k returned"
    ])
  })
  it("tells lifetimes, characters, raw strings and ranges apart", async () => {
    assert.deepStrictEqual(
      await references("fn f<'a>() { g('a', '\\'', b'\\\\', r##\"\"# h()\"##, 0..k(), 1.max(2), 1.0e-5_f64, r#type(), x.0.1.m()); }"),
      ["g call free", "k call free", "max call of 'number'", "type call free", "x read free", "0 read of x", "1 read of x.0", "m call of x.0.1"]
    )
  })
})

describe("marks", () => {
  it("finds environment variables, routes, addresses, statements and notes", () => {
    assert.deepStrictEqual(shapes.marks.map((m) => [m.kind, m.text, m.line]), [
      ["env", "HOME", 126],
      ["route", "/shapes/:id", 127],
      ["url", "https://example.com/x", 128],
      ["sql", "SELECT id FROM shapes", 129],
      ["todo", "TODO: scale", 131],
      ["todo", "FIXME: more", 132]
    ])
  })
})
