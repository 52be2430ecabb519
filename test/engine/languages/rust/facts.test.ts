import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { rust } from "../../../../src/engine/languages/rust/index.ts"
import { factsOf } from "../support.ts"

const shapes = await factsOf(
  rust,
  readFileSync(new URL("./fixtures/shapes.rs", import.meta.url), "utf8"),
  "src/shapes.rs"
)
const definition = (qualified: string, nth = 0) => {
  const found = shapes.definitions.filter((d) => d.qualified === qualified)[nth]
  assert.isDefined(found, qualified)
  return found!
}
const indexOf = (qualified: string) => shapes.definitions.findIndex((d) => d.qualified === qualified)
const referencesOn = (line: number) =>
  shapes.references.filter((r) => r.at.startsWith(`${line}:`)).map((r) => `${r.name} ${r.role} ${r.bind}`)
const references = async (text: string) =>
  (await factsOf(rust, text)).references.map((r) => `${r.name} ${r.role} ${r.bind}`)

describe("definitions", () => {
  it("reads the fixture without a parse error", () => assert.strictEqual(shapes.parseErrors, 0))

  it("gives types their fields, variants and documentation", () => {
    const point = definition("Point")
    assert.deepStrictEqual(
      [point.kind, point.at, point.span, point.flags],
      ["struct", "16:11", "15:0-20:1", ["exported"]]
    )
    assert.strictEqual(point.doc, "/// A point in the plane.\n///\n/// Both coordinates share a type.")
    assert.strictEqual(point.signature, "pub struct Point<T>")
    assert.deepStrictEqual(
      [definition("Point.x").type, definition("Point.x").doc],
      [":T#local(?)", "/// Across."]
    )
    assert.strictEqual(definition("Point.y").type, ":Vec<T#local(?)>")
    assert.deepStrictEqual(
      [definition("Pair.0").type, definition("Pair.0").flags],
      [`:Point#def${indexOf("Point")}<'i32'>`, ["exported", "synthetic"]]
    )
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
    assert.deepStrictEqual(
      [add.kind, add.flags, add.signature],
      ["function", ["local"], "let add = |a: i32, b|"]
    )
    assert.deepStrictEqual(definition("build.inner").flags, ["local"])
  })

  it("reads foreign functions as declarations", () => {
    assert.deepStrictEqual(definition("printf").flags, ["declaration"])
    assert.deepStrictEqual(definition("printf").parameters, { min: 1, max: 1, variadic: true })
    assert.deepStrictEqual(definition("abs").flags, ["exported", "declaration"])
  })

  it("keeps the items of a macro call among items", async () => {
    const facts = await factsOf(
      rust,
      "cfg_rt! {\n  pub mod task;\n  impl A { fn run(&self) {} }\n}\nlazy_static! { static ref TABLE: Map<u8> = build(); }"
    )
    assert.deepStrictEqual(
      facts.definitions.map((d) => `${d.kind} ${d.qualified}`),
      ["module task", "method A.run", "variable TABLE"]
    )
    assert.strictEqual(facts.definitions[2]!.type, ":Map<'u8'>")
  })
})

describe("imports", () => {
  it("makes one record per leaf of a use tree", () => {
    assert.deepStrictEqual(
      shapes.imports.map((i) => [i.module, i.imported, i.local, i.flags.join()]),
      [
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
      ]
    )
  })
  it("records super traits and implementations", () => {
    const point = `Point#def${indexOf("Point")}`
    assert.deepStrictEqual(
      shapes.inherits.map((i) => [i.subject, i.subjectType, i.superType, i.how]),
      [
        [indexOf("Area"), "?", "Display#imp4", "extends"],
        [-1, `${point}<'i32'>`, `Area#def${indexOf("Area")}`, "implements"],
        [-1, `${point}<T#local(?)>`, "Display#imp4", "implements"]
      ]
    )
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
    assert.deepStrictEqual(
      await references('const N: u8 = 1;\nfn f() { println!("{N:>w$} {{M}} {}", g(1).h(), w = N); }'),
      ["println macro free", "g call free", "h call of g()", "N read def0", "N read def0"]
    )
    assert.deepStrictEqual(referencesOn(125), [
      `shape macro def${indexOf("shape")}`,
      "blue read free",
      `inner call def${indexOf("build.inner")}`
    ])
    assert.deepStrictEqual(referencesOn(133).slice(1, 3), [
      `Shape read def${indexOf("Shape")}`,
      `Circle read of Shape#def${indexOf("Shape")}`
    ])
  })
  it("keeps a variable apart from the type, function and macro of its name", async () => {
    assert.deepStrictEqual(
      await references("mod a {}\nfn f(a: u8, g: u8) { a::b(); g!(a); let f = 1; f::<u8>; }"),
      ["a read def0", "b call of a#def0", "g macro free"]
    )
  })
  it("says what becomes of a call's result", async () => {
    const facts = await factsOf(
      rust,
      "async fn f() -> u8 { a(); let x = b(); if c() {} d().await; e(g()); spawn(h()); return i(); k() }"
    )
    assert.deepStrictEqual(
      facts.references.filter((r) => r.role === "call").map((r) => `${r.name} ${r.use}`),
      [
        "a discarded",
        "b assigned",
        "c condition",
        "d awaited",
        "e discarded",
        "g argument",
        "spawn discarded",
        "h spawned",
        "i returned",
        "k returned"
      ]
    )
  })
  it("tells lifetimes, characters, raw strings and ranges apart", async () => {
    assert.deepStrictEqual(
      await references(
        "fn f<'a>() { g('a', '\\'', b'\\\\', r##\"\"# h()\"##, 0..k(), 1.max(2), 1.0e-5_f64, r#type(), x.0.1.m()); }"
      ),
      [
        "g call free",
        "k call free",
        "max call of 'number'",
        "type call free",
        "x read free",
        "0 read of x",
        "1 read of x.0",
        "m call of x.0.1"
      ]
    )
  })
})

describe("functions as values", () => {
  const uses = async (text: string, name: string) =>
    (await factsOf(rust, text)).references
      .filter((r) => r.name === name)
      .map((r) => `${r.role} ${r.bind}`.replace(/#(def|imp)\d+/g, ""))
  it("types the parameters of a closure by what it is an argument of", async () => {
    const text = `fn f(list: Vec<Item>, found: Option<Item>) {
      list.iter().map(|i| i.go()).for_each(|j| j.go());
      list.iter().fold(0, |sum, &i| i.go());
      list.retain(move |(a, b)| b.go());
      found.and_then(|x: &_| x.go());
      found.map(|x: Other| x.go());
      visit(async move |n| n.go(), |k| { other(|m| m.go()); k.go() });
      Item::each::<u8>(|i| i.go());
      (found.pick)(|i| i.go());
      let later = |i| i.go();
      nothing().field[0].each(async move { done(|z| z.go()) });
    }`
    const list = "list#local(:Vec<Item>)"
    const found = "found#local(:Option<Item>)"
    assert.strictEqual((await factsOf(rust, text)).parseErrors, 0)
    assert.deepStrictEqual(await uses(text, "go"), [
      `call of i#local(parameter0(argument0(${list}.map)))`,
      `call of j#local(parameter0(argument0(${list}.map().for_each)))`,
      `call of i#local(parameter1(argument1(${list}.fold)))`,
      `call of b#local(parameter0(argument0(${list}.retain))[1])`,
      `call of x#local(parameter0(argument0(${found}.and_then)))`,
      "call of x#local(:Other)",
      "call of n#local(parameter0(argument0(visit)))",
      "call of m#local(parameter0(argument0(other)))",
      "call of k#local(parameter0(argument1(visit)))",
      "call of i#local(parameter0(argument0(Item.each)))",
      `call of i#local(parameter0(argument0(${found}.pick)))`,
      "call of i#local(?)",
      "call of z#local(parameter0(argument0(done)))"
    ])
  })
  it("types the parameters of a closure by the field, variable or pointer it goes into", async () => {
    const text = `fn f() {
      Hook { on: |i| i.go(), off: Some(Box::new(|i| i.go())), name: "x" };
      let k: Box<dyn Fn(&Item)> = Box::new(move |i| i.go());
      visit(1, Arc::new(|i| i.go()));
      visit(Box::other(|i| i.go()));
    }`
    assert.deepStrictEqual(await uses(text, "go"), [
      "call of i#local(parameter0(:Hook.on))",
      "call of i#local(parameter0(unwrap(:Hook.off)))",
      "call of i#local(parameter0(:((:Item) => ?)))",
      "call of i#local(parameter0(argument1(visit)))",
      "call of i#local(parameter0(argument0(Box.other)))"
    ])
  })
  it("notes what functions take, self aside, and types functions by parameters and results", async () => {
    const facts = await factsOf(
      rust,
      `
      impl Tree { fn walk<F: Fn(&Node, u8) -> Step>(&mut self, visit: F, n: u8) -> u8 { visit(n).take() } }
      trait Pass { fn run(self, with: Box<dyn FnMut(Node)>) -> impl Fn() -> Node; fn bare(); }
      fn apply<G>(g: G, (a, b): Pair, h: fn(x: Node) -> Node, later: impl FnOnce(Node)) where G: Fn() -> Node { g().take(); h(a).take(); let k = |n: Node, m| n; }
      struct Hook { on: Option<Box<dyn Fn(&Event) -> Reply + Send>> }`
    )
    assert.strictEqual(facts.parseErrors, 0)
    const plain = (text: string | undefined) => text?.replace(/#(def|imp)\d+/g, "")
    assert.deepStrictEqual(
      facts.definitions
        .filter((d) => d.kind === "function" || d.kind === "method")
        .map((d) => `${d.name} ${plain(d.takes)} ${d.parameters!.max}`),
      [
        "walk (:F#local(((:Node, :'u8') => :Step)), :'u8') 2",
        "run (:((:Node) => ?)) 1",
        "bare undefined 0",
        "apply (:G#local((() => :Node)), :Pair, :((:Node) => :Node), :((:Node) => ?)) 4",
        "k (:Node, ?) 2"
      ]
    )
    assert.strictEqual(plain(facts.definitions.find((d) => d.name === "run")!.type), ":(() => :Node)")
    assert.strictEqual(
      plain(facts.definitions.find((d) => d.name === "on")!.type),
      ":Option<((:Event) => :Reply)>"
    )
    assert.deepStrictEqual(
      facts.references.filter((r) => r.name === "take").map((r) => plain(r.bind)),
      [
        "of visit#local(:F#local(((:Node, :'u8') => :Step)))()",
        "of g#local(:G#local((() => :Node)))()",
        "of h#local(:((:Node) => :Node))()"
      ]
    )
  })
  it("tells the call of a method from reading and setting the field of its name", async () => {
    const facts = await factsOf(
      rust,
      "fn f(x: Row) { x.line(false); x.line; Row { line: 1 }; Row { line }; (x.line)(1, 2); }"
    )
    assert.deepStrictEqual(
      facts.references.filter((r) => r.name === "line").map((r) => `${r.role} ${r.args}`),
      ["call 1", "read -1", "write -1", "write -1", "read -1", "call 2"]
    )
  })
  it("types what a pattern takes out of a variant by the variant's field", async () => {
    const text = `enum Error { WithDepth { depth: usize, err: Box<Error> }, Io(Cause) }
      impl Error { fn fmt(&self, f: &mut F) {
        match *self { Error::WithDepth { ref err, .. } => err.fmt(f), Self::Io(ref cause) => cause.fmt(f) }
        if let Error::WithDepth { depth, err: inner } = self { inner.fmt(f) }
      } }`
    assert.deepStrictEqual(await uses(text, "fmt"), [
      "call of err#local(:Error.WithDepth.err)",
      "call of cause#local(:Error.Io.0)",
      "call of inner#local(:Error.WithDepth.err)"
    ])
  })
  it("pairs what enumerate and zip pair", async () => {
    const text = `fn f(a: Vec<A>, b: &[B]) {
      for (i, x) in a.iter().enumerate() { x.go() }
      for (x, y) in a.iter().zip(b.iter()) { x.go(); y.go() }
      for (i, (x, y)) in a.iter().zip(b).enumerate() { y.go() }
      a.iter().enumerate().map(|(i, x)| x.go());
      for x in unknown!().enumerate() { x.go() }
    }`
    const pairs = (a: string, b: string) => `'array'<(${a}, ${b})>`
    const [a, b] = ["a#local(:Vec<A>)[]", "b#local(:'array'<B>)[]"]
    assert.deepStrictEqual(await uses(text, "go"), [
      `call of x#local(${pairs("'number'", a)}[][1])`,
      `call of x#local(${pairs(a, b)}[][0])`,
      `call of y#local(${pairs(a, b)}[][1])`,
      `call of y#local(${pairs("'number'", `${pairs(a, b)}[]`)}[][1][1])`,
      `call of x#local(parameter0(argument0(${pairs("'number'", a)}.map))[1])`,
      "call of x#local(?)"
    ])
  })
})

describe("marks", () => {
  it("finds environment variables, routes, addresses, statements and notes", () => {
    assert.deepStrictEqual(
      shapes.marks.map((m) => [m.kind, m.text, m.line]),
      [
        ["env", "HOME", 126],
        ["route", "/shapes/:id", 127],
        ["url", "https://example.com/x", 128],
        ["sql", "SELECT id FROM shapes", 129],
        ["todo", "TODO: scale", 131],
        ["todo", "FIXME: more", 132]
      ]
    )
  })
})

describe("paths in strings of attributes", () => {
  it("are uses of what they name", async () => {
    const text = [
      "struct A {",
      '  #[serde(default = "one", rename = "two")]',
      "  a: u8,",
      "  #[serde(",
      '    skip_serializing_if = "Option::is_none",',
      '    deserialize_with = "crate::de::read"',
      "  )]",
      "  b: u8,",
      '  #[cfg_attr(feature = "serde", serde(with = "stamp"))]',
      "  c: u8,",
      '  #[serde(default = "not a path", bound = "T: D")]',
      "  d: u8",
      "}",
      "fn one() -> u8 { 1 }"
    ].join("\n")
    const facts = await factsOf(rust, text)
    assert.strictEqual(facts.parseErrors, 0)
    assert.deepStrictEqual(
      facts.references.filter((r) => r.role === "read").map((r) => `${r.at} ${r.name} ${r.bind}`),
      [
        "2:21 one def5",
        "5:27 Option free",
        "5:35 is_none of Option",
        "6:31 de of crate",
        "6:35 read of crate.de",
        "9:46 stamp free"
      ]
    )
  })
})
