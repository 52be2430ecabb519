import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "package.json": JSON.stringify({
    name: "shop",
    version: "1.0.0",
    main: "./dist/index.js",
    scripts: {}
  }),
  "src/index.ts": `export { open } from "./open.ts"
export * from "./public.ts"
`,
  "src/open.ts": `import { help } from "./help.ts"
export class Door {
  turn() {}
  private oil() {}
}
export function open() {
  return help() + private2()
}
function private2() { return 1 }
export function forgotten() {}
function nobody() { return nobody() }
function maker() {
  return function named() { return 1 }
}
export const use = maker()
`,
  "src/help.ts": `export function help() { return 1 }
export function spare() {}
// spareParts are not spare
export function mentioned() {}
export const table = "mentioned"
`,
  "src/public.ts": `export function api() {}
export type Shape = { side: number }
function hidden() {}
`,
  "src/dyn.ts": `export function loaded() {}
`,
  "src/lazy.ts": `export const lazy = () => import("./dyn.ts")
lazy()
`,
  "src/helpers.ts": `export function aliased() {}
`,
  "src/alias.ts": `import { aliased } from "@/helpers"
aliased()
`,
  "src/vague.ts": `export function vaguely() {}
export function go(x: any) { x.vaguely() }
go(1)
`,
  "src/kinds.ts": `import { Base } from "elsewhere"
interface Runs { run(): void }
class Child extends Base { hook() {} }
class Plain { run() {} stop() {} toString() { return "" } }
function decorate(t: any) { return t }
@decorate
class Marked { inside() {} }
new Child(); new Plain(); new Marked()
const kept: Runs = new Plain()
kept.run()
const unusedConstant = 1
declare module "other" { interface Added { a: 1 } }
`,
  "vite.config.ts": `export function configure() {}
`,
  "fixtures/data.ts": `export function fixture() {}
`,
  "test/open.test.ts": `import { it } from "vitest"
function helper() {}
it("opens", () => {})
`,
  "app/go.mod": "module example.com/app\n\ngo 1.22\n",
  "app/main.go": `package main

import "C"

//export Exported
func Exported() {}

func main() { used(); var i Speaker = &Dog{}; i.Speak() }
func init() {}
func used() {}
func dropped() {}
func Dropped() {}

type Speaker interface{ Speak() }
type Dog struct{}

func (d *Dog) Speak() {}
func (d *Dog) wag() {}
func (d *Dog) String() string { return "" }

//go:linkname nano runtime.nanotime
func nano() int64
func byAsm()
`,
  "app/os_linux.go": "package main\n\nfunc perOs() {}\n\nfunc caller() { perOs() }\n",
  "app/os_darwin.go": "package main\n\nfunc perOs() {}\n",
  "app/lib/lib.go": "package lib\n\nfunc Public() {}\nfunc private() {}\n",
  "py/pyproject.toml": '[project]\nname = "pack"\n',
  "py/pack/__init__.py": "from .core import shown\n__all__ = ['shown', 'listed']\n",
  "py/pack/core.py": `import functools
def shown(): return _inner()
def listed(): pass
def _inner(): return 1
def _left(): pass
@functools.cache
def _marked(): pass
class Thing:
    def __enter__(self): pass
    def method(self): pass
`,
  "rs/Cargo.toml": '[package]\nname = "crate"\nversion = "0.1.0"\n',
  "rs/src/lib.rs": `use std::fmt;
pub struct Shown;
impl fmt::Display for Shown { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "x") } }
pub fn api() {}
fn left() {}
pub(crate) fn left_too() {}
#[no_mangle]
pub extern "C" fn entry() {}
`
}
const rowsOf = ({ dead_code }: Value) => dead_code as ReadonlyArray<Value>
const idsOf = (value: Value) => rowsOf(value).map(({ id }) => id as string)

describe("analyze.dead_code", () => {
  it.scoped("reports what nothing uses, and leaves out what something else may use", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const found = yield* at.call("analyze", { kind: "dead_code" })
      assert.sameMembers(idsOf(found), [
        "app/main.go::dropped",
        "app/main.go::Dropped",
        "app/main.go::Dog.wag",
        "app/os_linux.go::caller",
        "app/lib/lib.go::private",
        "py/pack/core.py::_left",
        "rs/src/lib.rs::left",
        "rs/src/lib.rs::left_too",
        "src/help.ts::spare",
        "src/help.ts::mentioned",
        "src/open.ts::Door",
        "src/open.ts::Door.oil",
        "src/open.ts::forgotten",
        "src/open.ts::nobody",
        "src/public.ts::hidden"
      ])
      assert.strictEqual(found["total"], rowsOf(found).length)
      const row = (id: string) => rowsOf(found).find((each) => each["id"] === id)!
      assert.strictEqual(row("src/public.ts::hidden")["confidence"], "high")
      assert.strictEqual(row("src/open.ts::forgotten")["confidence"], "medium")
      assert.strictEqual(row("src/help.ts::mentioned")["confidence"], "low")
      assert.deepStrictEqual(row("src/help.ts::mentioned")["mentions"], [
        { file_path: "src/help.ts", line: 5 }
      ])
      assert.include(row("src/open.ts::nobody")["why"], "only its own body uses it")
      const left = found["left_out"] as Value
      assert.strictEqual(left["cgo_export"], 1)
      assert.strictEqual(left["expression"], 1)
      assert.strictEqual(left["other_variant_used"], 1)
      assert.strictEqual(left["loaded_dynamically"], 1)
      assert.strictEqual(left["convention"], 1)
      assert.strictEqual(left["set_aside"], 1)
      assert.strictEqual(left["name_used_unbound"], 1)
      assert.strictEqual(left["foreign_super_type"], 1)
      assert.isAtLeast(left["decorated"], 2)
      assert.isAtLeast(left["overrides"], 1)
    })
  )

  it.scoped("takes further kinds, marks of cgo and an overlay into account", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const constants = yield* at.call("analyze", {
        kind: "dead_code",
        options: { include_constants: true, include_cgo_exports: true }
      })
      assert.include(idsOf(constants), "src/kinds.ts::unusedConstant")
      assert.include(idsOf(constants), "app/main.go::Exported")
      const first = yield* at.call("analyze", { kind: "dead_code", output: { limit: 2 } })
      assert.strictEqual(rowsOf(first).length, 2)
      assert.isString(first["next_cursor"])
      yield* at.overlay("s", {
        path: "src/lazy.ts",
        content: 'import { spare } from "./help.ts"\nspare()\n',
        deleted: false
      })
      assert.notInclude(idsOf(yield* at.call("analyze", { kind: "dead_code" }, "s")), "src/help.ts::spare")
      assert.include(idsOf(yield* at.call("analyze", { kind: "dead_code" })), "src/help.ts::spare")
    })
  )

  it.scoped("takes what is named at run time for used", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "rs/Cargo.toml": '[package]\nname = "c"\nversion = "0.1.0"\n',
        "rs/src/main.rs": `#[derive(serde::Deserialize)]
struct Settings {
  #[serde(default = "one", skip_serializing_if = "none")]
  size: u8
}
fn one() -> u8 { 1 }
fn none(size: &u8) -> bool { *size == 0 }
fn never() -> u8 { 1 }
#[derive(Default)]
struct Errors(Vec<u8>);
impl Errors {
  fn all(self) -> Vec<u8> { self.0 }
  fn idle(self) {}
}
#[cfg(unix)]
mod platform {
  pub(crate) fn clip() {}
}
#[cfg(not(unix))]
mod platform {
  pub(crate) fn clip() {}
  pub(crate) fn rest() {}
}
fn main() {
  let errors = Errors::default();
  errors.all();
  platform::clip();
}
`,
        "bench.py": `def bench_one(): pass
def bench_two(): pass
for name in list(globals()):
    globals()[name]()
`,
        "draw.py": `def main(fancy):
    draw = None
    if fancy == 1:
        def draw(x): return x
    if fancy == 2:
        def draw(x): return -x
    def idle(x): return x
    show(draw)
`
      })
      const found = yield* at.call("analyze", { kind: "dead_code" })
      assert.sameMembers(idsOf(found), [
        "rs/src/main.rs::never",
        "rs/src/main.rs::platform.rest",
        "rs/src/main.rs::Errors.idle",
        "draw.py::main.idle"
      ])
      const left = found["left_out"] as Value
      assert.strictEqual(left["loaded_dynamically"], 2)
      assert.strictEqual(left["other_variant_used"], 2)
    })
  )

  it.scoped("takes what manifests, settings and tools name for used", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "app/package.json": JSON.stringify({
          name: "tool",
          private: true,
          bin: { tool: "./bin/tool.js" },
          scripts: { seed: "node scripts/seed.mjs --all" }
        }),
        "app/bin/tool.js": "export function run() {}\nfunction lost() {}\n",
        "app/scripts/seed.mjs": "export function seed() {}\n",
        "app/vitest.config.ts": 'export default { test: { globalSetup: ["./src/prepare.ts"] } }\n',
        "app/src/prepare.ts": "export function setup() {}\nexport function teardown() {}\n",
        "app/src/main.test.ts": "function helper() {}\n",
        "lib/package.json": JSON.stringify({
          name: "lib",
          version: "1.0.0",
          exports: { ".": "./dist/index.js", "./more": { import: "./dist/more.js" } }
        }),
        "lib/src/index.ts": "export class Door { open() {} }\n",
        "lib/src/more.ts": "export function more() {}\n",
        "lib/src/inner.ts": "export function inner() {}\nexport function Badge() {}\n",
        "lib/docs/index.mdx": 'import { Badge } from "@/inner"\n\n<Badge />\n',
        "py/pyproject.toml":
          '[project]\nname = "pack"\n[project.scripts]\ntool = "pack.cli:_start"\n[project.entry-points.x]\ny = "pack.cli:_plug [z]"\n',
        "py/pack/cli.py": "def _start(): pass\ndef _plug(): pass\ndef _left(): pass\n",
        "py/conftest.py":
          "import pytest\n@pytest.fixture\ndef db(): pass\ndef pytest_configure(config): pass\n",
        "go/go.mod": "module example.com/m\n",
        "go/m.go": "package main\n\nfunc main() {}\nfunc lost() {}\n",
        "go/m_test.go":
          'package main\n\nimport "testing"\n\nfunc TestMain(m *testing.M) {}\nfunc TestX(t *testing.T) {}\nfunc BenchmarkX(b *testing.B) {}\nfunc FuzzX(f *testing.F) {}\nfunc ExampleX() {}\n',
        "go/kind.go":
          "package main\n\ntype box struct{}\n\nfunc (b *box) size() int { return 1 }\nfunc (b *box) idle() {}\nfunc sizeOf(x any) int {\n\tif s, ok := x.(interface{ size() int }); ok {\n\t\treturn s.size()\n\t}\n\treturn 0\n}\n\nvar one = sizeOf(&box{})\n",
        "go/targets.go": "//go:build mage\n\npackage main\n\nfunc Install() {}\nfunc lostToo() {}\n",
        "rs/Cargo.toml": '[package]\nname = "c"\nversion = "0.1.0"\n',
        "rs/src/main.rs": "fn main() {}\n#[test]\nfn works() {}\nfn lost() {}\n",
        "rs/build.rs": "fn main() {}\n"
      })
      const found = yield* at.call("analyze", { kind: "dead_code" })
      assert.sameMembers(idsOf(found), [
        "app/bin/tool.js::lost",
        "lib/src/inner.ts::inner",
        "py/pack/cli.py::_left",
        "go/m.go::lost",
        "go/targets.go::lostToo",
        "go/kind.go::box.idle",
        "rs/src/main.rs::lost"
      ])
      assert.strictEqual((found["left_out"] as Value)["exported_api"], 3)
    })
  )

  it.scoped("takes what is looked up by a name made at run time for used", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "steps.py": "def step_one(): pass\ndef step_two(): pass\n",
        "run.py": `import steps as all_steps
import plain
def go(name):
    getattr(all_steps, f"step_{name}")()
    getattr(plain, "used")()
go("one")
`,
        "plain.py": "def used(): pass\ndef idle(): pass\n",
        "nodes.py": `class Add:
    FUNCTION = "op"
    def op(self): pass
    def rest(self): pass
Add()
`,
        "walk.py": `class Walker:
    def start(self, node): return getattr(self, "at_" + node)(node)
    def at_name(self, node): pass
Walker().start("name")
`,
        "ops.py": `def choose(wide, config):
    if wide:
        class Ops: pass
    else:
        class Ops: pass
    class Idle: pass
    config["ops"] = Ops
choose(1, {})
`,
        "check.sh": `run_tests() { echo tests; }
clean() { echo clean; }
idle() { echo idle; }
timed() { "$@"; }
trap 'clean' EXIT
timed run_tests
echo idle
`,
        "broken.sh": `say() { echo "$1"; }
never() { echo never; }
post() {
  local body="\${2:-{}}"
  curl -d "$body" || true
}
say "artifact"
post "b"
`,
        "rs/Cargo.toml": '[package]\nname = "c"\nversion = "0.1.0"\n',
        "rs/src/main.rs": `mod unix;
mod windows;
#[cfg(unix)]
use unix::Child;
#[cfg(windows)]
use windows::Child;
use std::sync::Mutex;
pub struct Held;
impl Held {
  pub fn kept(&self) {}
  pub fn dropped(&self) {}
}
fn main() {
  let held = outside::pool().lock();
  held.kept();
  Child::open();
}
`,
        "rs/src/unix.rs": "pub struct Child;\nimpl Child {\n  pub fn open() {}\n  fn idle() {}\n}\n",
        "rs/src/windows.rs": "pub struct Child;\nimpl Child {\n  pub fn open() {}\n}\n"
      })
      const found = yield* at.call("analyze", { kind: "dead_code" })
      assert.sameMembers(idsOf(found), [
        "plain.py::idle",
        "nodes.py::Add.rest",
        "ops.py::choose.Idle",
        "broken.sh::never",
        "check.sh::idle",
        "rs/src/main.rs::Held.dropped",
        "rs/src/unix.rs::Child.idle"
      ])
    })
  )

  it.scoped("refuses a target and an option it does not have", () =>
    Effect.gen(function* () {
      const at = yield* served({ "a.ts": "export const a = 1\n" })
      const failure = yield* at.refused("analyze", { kind: "dead_code", target: { symbol: "a" } })
      assert.strictEqual(failure.code, "invalid_argument")
      const other = yield* at.refused("analyze", { kind: "dead_code", options: { includes: true } })
      assert.strictEqual(other.code, "invalid_argument")
      const none = yield* at.call("analyze", { kind: "dead_code" })
      assert.strictEqual(none["total"], 0)
      assert.strictEqual(none["looked_at"], 0)
    })
  )
})
