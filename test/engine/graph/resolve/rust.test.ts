import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { makeView } from "../../../../src/engine/graph/View.ts"
import { open } from "../../../../src/engine/workspace/Workspace.ts"

const folder = mkdtempSync(join(tmpdir(), "portico-rust-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const callersOf = (files: { readonly [path: string]: string }, id: string) => {
  const root = mkdtempSync(join(folder, "case-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return Effect.gen(function* () {
    const engine = yield* open({ directory: root, exact: true, watch: false, store: false })
    const { snapshot } = yield* engine.current
    const view = makeView(snapshot, { state: "fresh", stale_files: [], head: undefined, checked_at: "" })
    const [symbol] = view.resolve(id).found
    return view.incoming(symbol!).map((e) => `${e.path}:${e.line} ${e.tier}`)
  }).pipe(Effect.scoped, Effect.runPromise)
}

describe("Rust members", () => {
  it("of a type from outside are found by the name it is written with", async () => {
    const files = {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs":
        "use std::io;\npub trait Sink { fn message(text: &str) -> Self; }\n" +
        "impl Sink for io::Error {\n    fn message(text: &str) -> io::Error { io::Error::new(io::ErrorKind::Other, text) }\n}\n" +
        'pub fn f() -> io::Error { io::Error::message("x") }\n'
    }
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::Error.message"), ["src/lib.rs:6 resolved"])
  })

  it("of one name are told apart by being called or read", async () => {
    const files = {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs":
        "pub struct T { line: bool }\nimpl T {\n    pub fn line(mut self, yes: bool) -> T { self.line = yes; self }\n" +
        "    pub fn done(self) {}\n}\npub fn f(t: T) { t.line(true).done() }\n"
    }
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::T.done"), ["src/lib.rs:6 resolved"])
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::T.line~2"), ["src/lib.rs:6 resolved"])
  })

  it("are those of the type whose derived function made the value", async () => {
    const files = {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs":
        "mod b;\n#[derive(Default)]\npub struct T { size: usize }\nimpl T {\n    pub fn done(self) {}\n}\n" +
        "impl From<u8> for T { fn from(size: u8) -> Self { T { size: 1 } } }\n",
      "src/b.rs":
        "use crate::T;\nfn f() {\n    let mut t = T::default();\n    t.done();\n" +
        "    T::from(1).done();\n    let u = t.into();\n    u.done()\n}\n"
    }
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::T.done"), [
      "src/b.rs:4 resolved",
      "src/b.rs:5 resolved",
      "src/b.rs:7 name"
    ])
  })

  it("are not known to lie outside behind a method that takes an option apart", async () => {
    const files = {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs":
        "pub struct T { size: usize }\nimpl T {\n    fn done(self) -> T { self }\n}\nfn make() -> Option<T> { None }\n" +
        "fn f() {\n    let (mut t, yes) = make().map(|t| (t, true)).unwrap_or_else(|| other());\n    t = t.done();\n}\n" +
        "fn g(t: T) { t.cmp(&t).done() }\n"
    }
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::T.done"), ["src/lib.rs:8 name"])
  })
})

describe("A glob import inside of a function", () => {
  const files = {
    "Cargo.toml": '[package]\nname = "a"\n',
    "src/other.rs": "pub struct Regex;\nimpl Regex {\n    pub fn lone(&self) {}\n}\npub fn plain() {}\n",
    "src/lib.rs":
      "mod other;\nuse other::{plain, Regex};\npub struct Set;\nimpl Set {\n    fn all(&self) {}\n}\n" +
      "enum How {\n    Word,\n    Regex(Set),\n}\n" +
      "impl How {\n    fn go(&self) {\n        use self::How::*;\n        plain();\n" +
      "        match *self {\n            Word => {}\n            Regex(ref s) => s.all(),\n        }\n    }\n}\n" +
      "fn f(r: Regex) {\n    r.lone();\n}\n" +
      "fn g() {\n    use How as Ways;\n    use Ways::Word;\n    let _ = Word;\n}\n"
  }
  it("hides what the module around imports, for names and for what they hold", async () => {
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::Set.all"), ["src/lib.rs:17 resolved"])
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::How.Regex"), ["src/lib.rs:17 resolved"])
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::How.Word"), [
      "src/lib.rs:16 resolved",
      "src/lib.rs:26 resolved",
      "src/lib.rs:27 resolved"
    ])
  })

  it("leaves alone what it does not bring, and what lies outside of the function", async () => {
    assert.deepStrictEqual(await callersOf(files, "src/other.rs::plain"), [
      "src/lib.rs:2 resolved",
      "src/lib.rs:14 resolved"
    ])
    assert.deepStrictEqual(await callersOf(files, "src/other.rs::Regex.lone"), ["src/lib.rs:22 resolved"])
  })
})

describe("Modules of one name, each for another configuration", () => {
  it("are all meant, inline or in the file that an attribute names", async () => {
    const files = {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs":
        '#[cfg(not(unix))]\nmod platform {\n    pub fn clip() {}\n}\n#[cfg(unix)]\n#[path = "for_unix.rs"]\nmod platform;\n' +
        "fn f() {\n    platform::clip();\n}\n",
      "src/for_unix.rs": "pub fn clip() {}\npub fn rest() {}\n"
    }
    assert.deepStrictEqual(await callersOf(files, "src/lib.rs::platform.clip"), ["src/lib.rs:9 resolved"])
    assert.deepStrictEqual(await callersOf(files, "src/for_unix.rs::clip"), ["src/lib.rs:9 resolved"])
    assert.deepStrictEqual(await callersOf(files, "src/for_unix.rs::rest"), [])
  })
})
