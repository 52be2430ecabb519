/**
 * Small trees in several languages, and edits made to provoke trouble: every choice is drawn from a few names, so that
 * files keep referring to each other, lose what they refer to and find it again.
 */
import * as fc from "effect/FastCheck"

/** What to write, by path; undefined removes the file. */
export type Edit = ReadonlyArray<readonly [path: string, content: string | undefined]>

const names = ["alpha", "beta", "gamma"] as const
const types = ["Node", "Leaf", "Base"] as const
const name = fc.constantFrom(...names)
const type = fc.constantFrom(...types)
const some = <A>(item: fc.Arbitrary<A>, maxLength = 4) => fc.array(item, { maxLength })
const oneOf = fc.oneof
const text = (parts: ReadonlyArray<string>) => `${parts.join("\n")}\n`

// ---- ECMAScript ---------------------------------------------------------------------------------

const scriptPaths = [
  "src/a.ts",
  "src/b.ts",
  "src/c.ts",
  "src/index.ts",
  "src/deep/index.ts",
  "src/deep/d.ts",
  "lib/e.js",
  "lib/f.cjs",
  "src/g.d.ts",
  "global.js"
] as const
const specifier = fc.constantFrom(
  "./a",
  "./b",
  "./c",
  "./index",
  ".",
  "./deep",
  "./deep/d",
  "../a",
  "../index",
  "..",
  "./d",
  "../lib/e.js",
  "./e.js",
  "./f.cjs",
  "../src/a",
  "@x/core",
  "@x/core/deep",
  "~lib/e",
  "#inner",
  "./a.js",
  "./data.json",
  "../data.json"
)
const scriptLine = oneOf(
  fc
    .tuple(name, type, type, name)
    .map(
      ([n, t, u, m]) =>
        `export function ${n}(x: ${t} | ${u}) { return x instanceof ${t} ? x.${m}() : x.${n} }`
    ),
  fc
    .tuple(type, name, type)
    .map(
      ([t, n, u]) =>
        `export interface ${t} { kind: "${n}"; next(): IteratorResult<never, ${u}>; [Symbol.iterator](): ${u} }`
    ),
  fc
    .tuple(name, type, type, name, name)
    .map(
      ([n, t, u, m, o]) =>
        `export function* ${n}(x: ${t} | ${u}) { if (x.kind !== "${m}") return x.${o}; (yield* x).${o}; x.${m} }`
    ),
  fc.tuple(type, type).map(([t, u]) => `export class ${t} { constructor(f: (x: ${u}) => void) {} }`),
  fc.tuple(type, name).map(([t, n]) => `new ${t}((x) => x.${n}())`),
  fc.tuple(name, specifier).map(([n, s]) => `import { ${n} } from "${s}"`),
  fc.tuple(name, name, specifier).map(([n, m, s]) => `import { ${n} as ${m} } from "${s}"`),
  fc.tuple(type, specifier).map(([n, s]) => `import type { ${n} } from "${s}"`),
  fc.tuple(name, specifier).map(([n, s]) => `import ${n} from "${s}"`),
  fc.tuple(name, specifier).map(([n, s]) => `import * as ${n} from "${s}"`),
  specifier.map((s) => `export * from "${s}"`),
  fc.tuple(name, specifier).map(([n, s]) => `export * as ${n} from "${s}"`),
  fc
    .tuple(oneOf(name, type), oneOf(name, type), specifier)
    .map(([n, m, s]) => `export { ${n} as ${m} } from "${s}"`),
  fc.tuple(name, specifier).map(([n, s]) => `export { default as ${n} } from "${s}"`),
  fc.tuple(name, type).map(([n, t]) => `export function ${n}(): ${t} { return new ${t}() }`),
  fc.tuple(name, name).map(([n, m]) => `export function ${n}(x: number) { return ${m}() }`),
  fc.tuple(name, name).map(([n, m]) => `export const ${n} = () => { const inner = ${m}(); return inner }`),
  fc.tuple(name, name, name).map(([n, m, k]) => `export const ${n} = ${m}().${k}`),
  fc
    .tuple(type, type, name, type)
    .map(([t, b, n, r]) => `export class ${t} extends ${b} { ${n}(): ${r} { return this.${n}() } }`),
  fc
    .tuple(type, name, name)
    .map(([t, n, m]) => `export class ${t} { ${n}() { return this.${m} }\n  ${m} = new ${t}() }`),
  fc.tuple(type, type, name).map(([t, b, n]) => `export interface ${t} extends ${b} { ${n}(): ${b} }`),
  fc.tuple(type, type).map(([t, b]) => `export type ${t} = ${b}`),
  fc.tuple(name, name).map(([n, m]) => `export default function ${n}() { return ${m}() }`),
  name.map((n) => `export default ${n}`),
  fc.tuple(name, name, name).map(([n, m, k]) => `${n}().${m}().${k}()`),
  fc.tuple(type, name).map(([t, n]) => `new ${t}().${n}()`),
  fc.tuple(name, name).map(([n, m]) => `function ${n}(a, b) { ${m}(); return a.${m}() }`),
  fc.tuple(name, specifier).map(([n, s]) => `const ${n} = require("${s}")`),
  fc.tuple(name, name).map(([n, m]) => `module.exports.${n} = ${m}`),
  name.map((n) => `module.exports = ${n}`),
  fc.tuple(name, name).map(([n, m]) => `export const ${n} = { ${m}() { return 1 } }`),
  fc.tuple(type, name).map(([t, n]) => `${t}.prototype.${n} = function () { return this }`),
  fc.tuple(type, name).map(([t, n]) => `export enum ${t} { ${n} }`),
  fc.tuple(type, name).map(([t, n]) => `export namespace ${t} { export function ${n}() {} }`),
  fc.tuple(name).map(([n]) => `declare global { function ${n}(): void }`)
)
const manifest = fc
  .tuple(
    fc.constantFrom("@x/core", "@x/other"),
    fc.constantFrom("src/index.ts", "src/a.ts", "lib/e.js"),
    fc.constantFrom("./src/b.ts", "./src/c.ts", "./data.json")
  )
  .map(([n, main, inner]) =>
    JSON.stringify({
      name: n,
      main,
      imports: { "#inner": inner },
      exports: { ".": `./${main}`, "./*": "./src/*/index.ts" }
    })
  )
const mapping = fc
  .tuple(fc.constantFrom("lib", "src"), fc.boolean())
  .map(([to, inherit]) =>
    JSON.stringify(
      inherit
        ? { extends: "./config/shared.json" }
        : { compilerOptions: { baseUrl: ".", paths: { "~lib/*": [`${to}/*`] } } }
    )
  )
const shared = fc
  .constantFrom("lib", "src", "src/deep")
  .map((to) => JSON.stringify({ compilerOptions: { baseUrl: "..", paths: { "~lib/*": [`${to}/*`] } } }))

// ---- Python -------------------------------------------------------------------------------------

const pythonPaths = [
  "pkg/__init__.py",
  "pkg/a.py",
  "pkg/b.py",
  "pkg/sub/__init__.py",
  "pkg/sub/c.py",
  "main.py",
  "pkg/alpha.py"
] as const
const module = fc.constantFrom(
  "pkg",
  "pkg.a",
  "pkg.b",
  "pkg.sub",
  "pkg.sub.c",
  ".",
  ".a",
  ".b",
  ".sub",
  "..a",
  "..",
  ".c",
  ".alpha"
)
const pythonLine = oneOf(
  fc.tuple(module, name).map(([m, n]) => `from ${m} import ${n}`),
  fc.tuple(module, name, name).map(([m, n, k]) => `from ${m} import ${n} as ${k}`),
  fc.tuple(module, type).map(([m, n]) => `from ${m} import ${n}`),
  module.map((m) => `from ${m} import *`),
  fc.constantFrom("pkg", "pkg.a", "pkg.sub.c").map((m) => `import ${m}`),
  fc.tuple(name).map(([n]) => `from . import a as ${n}`),
  fc.tuple(name, type).map(([n, t]) => `def ${n}() -> ${t}:\n    return ${t}()`),
  fc.tuple(name, name).map(([n, m]) => `def ${n}(x, y=1):\n    return ${m}()`),
  fc
    .tuple(type, type, name, name)
    .map(([t, b, n, m]) => `class ${t}(${b}):\n    def ${n}(self):\n        return self.${m}()`),
  fc
    .tuple(type, name, type)
    .map(([t, n, r]) => `class ${t}:\n    def ${n}(self) -> ${r}:\n        return self`),
  fc.tuple(name, name, name).map(([n, m, k]) => `${n} = ${m}().${k}`),
  fc.tuple(name, name).map(([n, m]) => `${n}().${m}()`),
  fc.tuple(name, name).map(([n, m]) => `pkg.a.${n}().${m}()`),
  name.map((n) => `__all__ = ["${n}"]`)
)

// ---- Go -----------------------------------------------------------------------------------------

const goPaths = [
  "go/main.go",
  "go/store/store.go",
  "go/store/more.go",
  "go/util/util.go",
  "go/util/util_test.go"
] as const
const goFile = fc
  .tuple(
    fc.constantFrom("main", "store", "util", "storage"),
    some(
      fc.constantFrom(
        `"ex.org/m/store"`,
        `"ex.org/m/util"`,
        `st "ex.org/m/store"`,
        `. "ex.org/m/util"`,
        `"ex.org/n/store"`
      ),
      2
    ),
    some(
      oneOf(
        fc.tuple(type, type).map(([t, b]) => `type ${t} struct { ${b}; Next *${b} }`),
        fc.tuple(type, type).map(([t, b]) => `type ${t} struct { Inner store.${b} }`),
        fc.tuple(type, type).map(([t, b]) => `type ${t} = ${b}`),
        fc.tuple(type, name, type).map(([t, n, r]) => `func (x *${t}) ${upper(n)}() *${r} { return x.Next }`),
        fc.tuple(name, type).map(([n, r]) => `func ${upper(n)}() *${r} { return nil }`),
        fc.tuple(name, name).map(([n, m]) => `func ${upper(n)}() { ${upper(m)}() }`),
        fc
          .tuple(name, name, name)
          .map(
            ([n, m, k]) =>
              `func ${n}() { store.${upper(m)}().${upper(k)}(); util.${upper(k)}(); storage.${upper(k)}() }`
          ),
        fc.tuple(name, name).map(([n, m]) => `var ${upper(n)} = ${upper(m)}()`)
      ),
      5
    )
  )
  .map(([p, imports, lines]) => text([`package ${p}`, ...imports.map((i) => `import ${i}`), ...lines]))
const upper = (n: string) => n[0]!.toUpperCase() + n.slice(1)
const goModule = fc.constantFrom("ex.org/m", "ex.org/n").map((m) => `module ${m}\n\ngo 1.22\n`)

// ---- Rust ---------------------------------------------------------------------------------------

const rustPaths = ["rs/src/lib.rs", "rs/src/a.rs", "rs/src/b.rs", "rs/src/a/c.rs", "rs/src/main.rs"] as const
const rustPath = fc.constantFrom(
  "crate",
  "crate::a",
  "crate::b",
  "crate::a::c",
  "super",
  "self::a",
  "a",
  "core_x",
  "core_x::a"
)
const rustLine = oneOf(
  fc.constantFrom("a", "b", "c").map((m) => `pub mod ${m};`),
  fc.tuple(fc.constantFrom("a", "b", "c"), name).map(([m, n]) => `pub mod ${m} { pub fn ${n}() {} }`),
  fc.tuple(rustPath, oneOf(name, type)).map(([p, n]) => `pub use ${p}::${n};`),
  fc.tuple(rustPath, oneOf(name, type), name).map(([p, n, k]) => `use ${p}::${n} as ${k};`),
  rustPath.map((p) => `pub use ${p}::*;`),
  fc.tuple(type, type).map(([t, b]) => `pub struct ${t} { pub inner: ${b} }`),
  fc
    .tuple(type, name, type)
    .map(([t, n, r]) => `impl ${t} { pub fn ${n}(&self) -> ${r} { self.inner.${n}() } }`),
  fc.tuple(type, name).map(([t, n]) => `pub trait ${t} { fn ${n}(&self) {} }`),
  fc.tuple(type, type).map(([t, b]) => `impl ${t} for ${b} {}`),
  fc.tuple(name, type).map(([n, t]) => `pub fn ${n}() -> ${t} { todo!() }`),
  fc.tuple(name, name, name).map(([n, m, k]) => `pub fn ${n}() { let x = ${m}(); x.${k}(); }`),
  fc.tuple(name, name).map(([n, m]) => `pub fn ${n}() { crate::a::${m}(); b::${m}(); }`)
)
const crate = fc.constantFrom("core-x", "other").map((n) => `[package]\nname = "${n}"\nversion = "0.1.0"\n`)

// ---- Java, C#, C, Ruby, PHP ---------------------------------------------------------------------

const javaPaths = ["java/Node.java", "java/Leaf.java", "java/Base.java", "java/other/Extra.java"] as const
const javaFile = fc
  .tuple(
    fc.constantFrom("a.b", "a.c", "a"),
    some(
      oneOf(
        type.map((t) => `a.b.${t}`),
        fc.constant("a.b.*"),
        fc.tuple(type, name).map(([t, n]) => `static a.b.${t}.${n}`)
      ),
      2
    ),
    fc.tuple(type, type),
    some(
      oneOf(
        fc.tuple(name, type, name).map(([n, r, m]) => `  public ${r} ${n}() { return ${m}(); }`),
        fc.tuple(name, type).map(([n, r]) => `  public static ${r} ${n}(int x) { return new ${r}(); }`),
        fc.tuple(name, type, name).map(([n, r, m]) => `  ${r} ${n}f; void run${n}() { ${n}f.${m}(); }`)
      )
    )
  )
  .map(([p, imports, [t, b], lines]) =>
    text([
      `package ${p};`,
      ...imports.map((i) => `import ${i};`),
      `public class ${t} extends ${b} {`,
      ...lines,
      "}"
    ])
  )
const sharpPaths = ["cs/A.cs", "cs/B.cs", "cs/C.cs"] as const
const sharpFile = fc
  .tuple(fc.constantFrom("N.A", "N.B", "N"), fc.constantFrom("N.A", "N.B"), type, type, name, name)
  .map(([n, u, t, b, m, k]) =>
    text([
      `using ${u};`,
      `namespace ${n} {`,
      `  public class ${t} : ${b} { public ${b} ${upper(m)}() { return ${upper(k)}(); } }`,
      "}"
    ])
  )
const cPaths = ["c/main.c", "c/node.c", "c/include/node.h", "c/leaf.h", "c/impl.inc"] as const
const cLine = oneOf(
  fc.constantFrom("node.h", "leaf.h", "include/node.h", "impl.inc").map((h) => `#include "${h}"`),
  fc.tuple(name, type).map(([n, t]) => `struct ${t} *${n}(void);`),
  fc.tuple(name, name).map(([n, m]) => `int ${n}(int x) { return ${m}(x); }`),
  fc.tuple(name, name).map(([n, m]) => `static int ${n}(void) { return ${m}(); }`),
  fc.tuple(type, name, type).map(([t, n, b]) => `struct ${t} { struct ${b} *${n}; };`),
  fc.tuple(name, name, name).map(([n, m, k]) => `void use_${n}(struct Node *p) { p->${m}->${k} = 0; }`),
  fc.tuple(type, type).map(([t, b]) => `typedef struct ${b} ${t}_t;`)
)
const rubyPaths = ["rb/a.rb", "rb/b.rb"] as const
const rubyLine = oneOf(
  fc.constantFrom("a", "b").map((m) => `require_relative "${m}"`),
  fc
    .tuple(type, type, name, name)
    .map(([t, b, n, m]) => `class ${t} < ${b}\n  def ${n}\n    ${m}\n  end\nend`),
  fc.tuple(name, name).map(([n, m]) => `def ${n}\n  ${m}\nend`),
  fc.tuple(type, name).map(([t, n]) => `${t}.new.${n}`)
)
const phpPaths = ["php/A.php", "php/B.php"] as const
const phpFile = fc
  .tuple(fc.constantFrom("App", "App\\Sub"), oneOf(type, name), type, type, name, name)
  .map(([n, u, t, b, m, k]) =>
    text([
      "<?php",
      `namespace ${n};`,
      `use App\\${u};`,
      `class ${t} extends ${b} { public function ${m}(): ${b} { return $this->${k}(); } }`,
      `function ${m}() { return ${k}(); }`
    ])
  )

const lines = (paths: ReadonlyArray<string>, line: fc.Arbitrary<string>, maxLength = 6): fc.Arbitrary<Edit> =>
  fc.tuple(fc.constantFrom(...paths), fc.array(line, { maxLength })).map(([path, all]) => [[path, text(all)]])
const whole = (paths: ReadonlyArray<string>, file: fc.Arbitrary<string>): fc.Arbitrary<Edit> =>
  fc.tuple(fc.constantFrom(...paths), file).map(([path, content]) => [[path, content]])

const allPaths = [
  ...scriptPaths,
  ...pythonPaths,
  ...goPaths,
  ...rustPaths,
  ...javaPaths,
  ...sharpPaths,
  ...cPaths,
  ...rubyPaths,
  ...phpPaths,
  "package.json",
  "tsconfig.json",
  "config/shared.json",
  "go/go.mod",
  "rs/Cargo.toml",
  "src/data.json",
  "data.json",
  "README.md"
]

const groups: { readonly [language: string]: fc.Arbitrary<Edit> } = {
  ecmascript: lines(scriptPaths, scriptLine),
  python: lines(pythonPaths, pythonLine),
  go: whole(goPaths, goFile),
  rust: lines(rustPaths, rustLine),
  java: whole(javaPaths, javaFile),
  csharp: whole(sharpPaths, sharpFile),
  c: lines(cPaths, cLine),
  ruby: lines(rubyPaths, rubyLine),
  php: whole(phpPaths, phpFile)
}
const configs: fc.Arbitrary<Edit> = oneOf(
  manifest.map((m): Edit => [["package.json", m]]),
  mapping.map((m): Edit => [["tsconfig.json", m]]),
  shared.map((m): Edit => [["config/shared.json", m]]),
  goModule.map((m): Edit => [["go/go.mod", m]]),
  crate.map((m): Edit => [["rs/Cargo.toml", m]]),
  fc
    .tuple(fc.constantFrom("src/data.json", "data.json"), name)
    .map(([p, n]): Edit => [[p, JSON.stringify({ [n]: 1 })]]),
  name.map((n): Edit => [["README.md", `# ${n}\n`]])
)
const removal: fc.Arbitrary<Edit> = fc.constantFrom(...allPaths).map((path) => [[path, undefined]])

/** A small change of a file that is there: a line more, a line less, a name for another. */
export type Tweak =
  | { readonly _tag: "Write"; readonly edit: Edit }
  | { readonly _tag: "Drop"; readonly at: number; readonly line: number }
  | { readonly _tag: "Swap"; readonly at: number; readonly from: string; readonly to: string }
  | { readonly _tag: "Blank"; readonly at: number }
  | { readonly _tag: "Move"; readonly at: number; readonly to: string }

const tweak: fc.Arbitrary<Tweak> = oneOf(
  { weight: 4, arbitrary: oneOf(...Object.values(groups)).map((edit): Tweak => ({ _tag: "Write", edit })) },
  { weight: 1, arbitrary: oneOf(configs, removal).map((edit): Tweak => ({ _tag: "Write", edit })) },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Drop" as const), at: fc.nat(), line: fc.nat(8) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("Swap" as const),
      at: fc.nat(),
      from: oneOf(name, type),
      to: oneOf(name, type)
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Blank" as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Move" as const),
      at: fc.nat(),
      to: fc.constantFrom(...allPaths)
    })
  }
)

/** Trees in which everything hangs together, so that a small change far away matters. */
const coherent: { readonly [language: string]: Edit } = {
  ecmascript: [
    [
      "src/a.ts",
      text([
        "export class Base { gamma(): Leaf { return new Leaf() } }",
        "export class Leaf extends Base { alpha() { return this.gamma() } }",
        "export class Node { beta = new Leaf() }"
      ])
    ],
    [
      "src/b.ts",
      text([
        'import { Leaf, Node } from "./a"',
        "export function alpha() { return new Node() }",
        "export const beta = () => alpha().beta",
        "export default beta"
      ])
    ],
    ["src/c.ts", text(['export { alpha as gamma } from "./b"', 'export * from "./deep"'])],
    [
      "src/deep/index.ts",
      text(['import it from "../b"', "export const alpha = it()", 'export { beta } from "../b"'])
    ],
    ["src/index.ts", text(['export * from "./c"'])],
    [
      "src/deep/d.ts",
      text([
        'import { gamma, alpha, beta } from ".."',
        "gamma().beta.alpha()",
        "alpha.gamma().alpha()",
        "beta().gamma()"
      ])
    ],
    [
      "lib/f.cjs",
      text(['const { gamma } = require("../src/index")', "gamma().beta.gamma()", "module.exports = gamma"])
    ]
  ],
  python: [
    [
      "pkg/a.py",
      text([
        "class Base:",
        "    def gamma(self) -> Leaf:",
        "        return Leaf()",
        "class Leaf(Base):",
        "    def alpha(self):",
        "        return self.gamma()"
      ])
    ],
    [
      "pkg/b.py",
      text(["from .a import Leaf", "def alpha() -> Leaf:", "    return Leaf()", "beta = alpha()"])
    ],
    ["pkg/__init__.py", text(["from .b import alpha as gamma", "from .sub import *"])],
    ["pkg/sub/__init__.py", text(["from .c import beta"])],
    ["pkg/sub/c.py", text(["from ..b import alpha", "def beta():", "    return alpha()"])],
    [
      "main.py",
      text([
        "import pkg",
        "from pkg import gamma, beta",
        "gamma().alpha()",
        "beta().gamma()",
        "pkg.beta().alpha().gamma()"
      ])
    ]
  ],
  go: [
    ["go/go.mod", "module ex.org/m\n"],
    [
      "go/store/store.go",
      text([
        "package store",
        "type Node struct { Leaf }",
        "type Leaf struct { Next *Node }",
        "func (x *Leaf) Alpha() *Node { return x.Next }"
      ])
    ],
    ["go/store/more.go", text(["package store", "func Beta() *Node { return nil }", "var Gamma = Beta()"])],
    [
      "go/util/util.go",
      text([
        "package util",
        'import "ex.org/m/store"',
        "func Alpha() *store.Node { return store.Beta() }",
        "type Base = store.Leaf"
      ])
    ],
    [
      "go/main.go",
      text([
        "package main",
        "import (",
        '"ex.org/m/store"',
        '"ex.org/m/util"',
        ")",
        "func main() { util.Alpha().Alpha().Next.Alpha(); store.Gamma.Alpha(); var b util.Base; b.Alpha() }"
      ])
    ]
  ],
  rust: [
    ["rs/Cargo.toml", '[package]\nname = "core-x"\n'],
    ["rs/src/lib.rs", text(["pub mod a;", "pub mod b;", "pub use b::alpha as gamma;"])],
    [
      "rs/src/a.rs",
      text([
        "pub mod c;",
        "pub struct Node { pub inner: Leaf }",
        "pub struct Leaf;",
        "impl Leaf { pub fn beta(&self) -> Node { todo!() } }",
        "pub use self::c::*;"
      ])
    ],
    [
      "rs/src/a/c.rs",
      text(["use super::Node;", "pub trait Base { fn gamma(&self) {} }", "impl Base for Node {}"])
    ],
    ["rs/src/b.rs", text(["use crate::a::{Leaf, Node};", "pub fn alpha() -> Node { todo!() }"])],
    [
      "rs/src/main.rs",
      text(["use core_x::gamma;", "fn main() { gamma().inner.beta().gamma(); let x = gamma(); x.gamma(); }"])
    ]
  ],
  java: [
    [
      "java/Base.java",
      text(["package a.b;", "public class Base { public Leaf alpha() { return new Leaf(); } }"])
    ],
    [
      "java/Leaf.java",
      text([
        "package a.b;",
        "public class Leaf extends Base { public static Node beta(int x) { return new Node(); } }"
      ])
    ],
    ["java/Node.java", text(["package a.b;", "public class Node { public Leaf gamma; }"])],
    [
      "java/other/Extra.java",
      text([
        "package a.c;",
        "import a.b.*;",
        "public class Extra { void run() { Leaf.beta(1).gamma.alpha().alpha(); } }"
      ])
    ]
  ]
}

/** A first tree and the steps from there; each step is a few tweaks. */
export const histories = (
  language: string | undefined,
  steps: number
): fc.Arbitrary<{
  readonly start: ReadonlyArray<Edit>
  readonly steps: ReadonlyArray<ReadonlyArray<Tweak>>
}> => {
  const own = language === undefined ? oneOf(...Object.values(groups)) : groups[language]!
  const change =
    language === undefined
      ? tweak
      : oneOf(
          { weight: 3, arbitrary: own.map((edit): Tweak => ({ _tag: "Write", edit })) },
          { weight: 7, arbitrary: tweak }
        )
  return fc.record({
    start: fc
      .tuple(
        fc
          .boolean()
          .map(
            (whole): ReadonlyArray<Edit> =>
              !whole
                ? []
                : language === undefined
                  ? Object.values(coherent)
                  : coherent[language] === undefined
                    ? []
                    : [coherent[language]]
          ),
        fc.array(own, { maxLength: 12 }),
        fc.array(configs, { maxLength: 4 }),
        fc.boolean()
      )
      .map(([first, a, b, last]) => (last ? [...a, ...b, ...first] : [...first, ...a, ...b])),
    steps: fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: steps })
  })
}
export const languagesOfTrees: ReadonlyArray<string> = Object.keys(groups)

/** The tree after a tweak; an edit that does not apply leaves it as it is. */
export const tweaked = (tree: ReadonlyMap<string, string>, tweak: Tweak): ReadonlyMap<string, string> => {
  const next = new Map(tree)
  const paths = [...tree.keys()].sort()
  const path = "at" in tweak && paths.length > 0 ? paths[tweak.at % paths.length]! : ""
  const content = tree.get(path) ?? ""
  switch (tweak._tag) {
    case "Write":
      for (const [at, written] of tweak.edit) {
        if (written === undefined) next.delete(at)
        else next.set(at, written)
      }
      break
    case "Drop": {
      const all = content.split("\n")
      all.splice(tweak.line % Math.max(1, all.length), 1)
      if (path !== "") next.set(path, all.join("\n"))
      break
    }
    case "Swap":
      if (path !== "") next.set(path, content.replaceAll(tweak.from, tweak.to))
      break
    case "Blank":
      if (path !== "") next.set(path, `\n${content}`)
      break
    case "Move":
      if (path !== "") {
        next.delete(path)
        next.set(tweak.to, content)
      }
      break
  }
  return next
}
