/** How items of lists begin at which texts of a language can be cut, and what stands for those around a part. */

/** What is known of the lists of a language that have items of many kinds: files, bodies, modules. */
export interface Seam {
  /** By how an item begins, a short one that begins so: where a part begins or ends. */
  readonly items: { readonly [first: string]: string }
  /** The same, of items that no definition begins with: where a part ends. */
  readonly further?: { readonly [first: string]: string }
  /** Beginnings of items that are something else where what is before them goes on. */
  readonly joined?: ReadonlySet<string>
  /** What stands before a part that begins with an item. */
  readonly head?: string
  /** What a list is made of that holds what all lists with such items in them hold. */
  readonly list?: {
    readonly head: string
    readonly foot: string
    /** Which parts stand in one, beside those that end where their list does. */
    readonly of: "all" | "indented" | "none"
  }
}

const scripts: Seam = {
  items: {
    "async function ": "async function f() {}\n",
    "class ": "class C {}\n",
    "const ": "const c = 1\n",
    "describe(": "describe(1)\n",
    "export ": "export const c = 1\n",
    "function ": "function f() {}\n",
    "it(": "it(1)\n",
    "let ": "let l = 1\n",
    "test(": "test(1)\n",
    "var ": "var v = 1\n"
  },
  further: {
    "await ": "await a\n",
    "for (": "for (;;) {}\n",
    "if (": "if (a) {}\n",
    "return ": "return a\n",
    "switch (": "switch (a) {}\n",
    "throw ": "throw a\n",
    "try {": "try {} finally {}\n",
    "while (": "while (a) {}\n"
  },
  joined: new Set(["async function ", "class ", "describe(", "function ", "it(", "test("]),
  list: { head: "{\n", foot: "}\n", of: "none" }
}

const typed: Seam = {
  ...scripts,
  items: {
    ...scripts.items,
    "declare ": "declare const c: 1\n",
    "enum ": "enum E {}\n",
    "interface ": "interface I {}\n",
    "type ": "type t = 1\n"
  },
  further: { ...scripts.further, "@": "@a class C {}\n" }
}

/** Only of grammars whose lexers say the same of a text wherever it begins. */
export const seams: { readonly [language: string]: Seam } = {
  go: {
    head: "package p\n",
    items: {
      "const ": "const c = 1\n",
      "func ": "func f() {}\n",
      "type ": "type t int\n",
      "var ": "var v int\n"
    }
  },
  javascript: scripts,
  jsx: scripts,
  typescript: typed,
  tsx: typed,
  python: {
    list: { head: "if a:\n", foot: "else: pass\n", of: "indented" },
    items: {
      "@": "@a\ndef f(): pass\n",
      "async def ": "async def f(): pass\n",
      "class ": "class C: pass\n",
      "def ": "def f(): pass\n"
    },
    further: {
      "for ": "for a in b: pass\n",
      "if ": "if a: pass\n",
      "raise ": "raise a\n",
      "return ": "return a\n",
      "try:": "try: pass\nfinally: pass\n",
      "while ": "while a: pass\n",
      "with ": "with a: pass\n"
    }
  },
  rust: {
    list: { head: "mod m {\n", foot: "}\n", of: "all" },
    items: {
      "#[": "#[a]\n",
      "async ": "async fn f() {}\n",
      "const ": "const C: u8 = 1;\n",
      "enum ": "enum E {}\n",
      "fn ": "fn f() {}\n",
      "mod ": "mod n {}\n",
      "pub ": "pub fn f() {}\n",
      "pub(": "pub(crate) fn f() {}\n",
      "static ": "static S: u8 = 1;\n",
      "struct ": "struct S;\n",
      "trait ": "trait T {}\n",
      "type ": "type T = u8;\n",
      "unsafe ": "unsafe fn f() {}\n"
    },
    further: {
      "impl ": "impl T {}\n",
      "impl<": "impl<A> T {}\n",
      "use ": "use a;\n"
    }
  }
}
