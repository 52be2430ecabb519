import { assert, describe, it } from "@effect/vitest"
import { interpreterOf, isTestPath, LanguageTable, looksLikeCxx } from "../../../src/engine/indexer/Detect.ts"
import { groupBytes, Schedule, split } from "../../../src/engine/indexer/Split.ts"
import type { Language } from "../../../src/engine/languages/Language.ts"

const language = (id: string, more: Partial<Language>): Language => ({
  id,
  label: id,
  extensions: [],
  depth: "outline",
  family: "none",
  reads: "text",
  hoisting: false,
  load: async () => () => {},
  ...more
})
const table = new LanguageTable([
  language("c", { extensions: [".c", ".h"] }),
  language("cpp", { extensions: [".cpp", ".C", ".h"] }),
  language("php", { extensions: [".php"] }),
  language("blade", { extensions: [".blade.php"] }),
  language("make", { filenames: ["Makefile"], extensions: [".mk"] }),
  language("python", { extensions: [".py"], interpreters: ["python"] }),
  language("bash", { extensions: [".sh"], filenames: [".bashrc"], interpreters: ["bash", "sh"] })
])
const bytes = (text: string) => Buffer.from(text)
const named = (path: string, text = "") => table.languages[table.of(path, bytes(text))]?.id

describe("the language of a file", () => {
  it("goes by whole name, then the longest extension, in the letter case claimed or none", () => {
    assert.strictEqual(named("a/Makefile"), "make")
    assert.strictEqual(named("a/makefile"), "make")
    assert.strictEqual(named("view.blade.php"), "blade")
    assert.strictEqual(named("view.other.php"), "php")
    assert.strictEqual(named("A.C"), "cpp")
    assert.strictEqual(named("a.c"), "c")
    assert.strictEqual(named("A.PY"), "python")
    assert.strictEqual(named("home/.bashrc"), "bash")
    assert.strictEqual(named(".py"), undefined)
    assert.strictEqual(named("dir.py/readme"), undefined)
  })

  it("goes by the interpreter when a file has no extension", () => {
    assert.strictEqual(named("bin/run", "#!/usr/bin/env python3.11\n"), "python")
    assert.strictEqual(named("bin/run", "#!/usr/bin/env -S FOO=1 python3 -u\r\n"), "python")
    assert.strictEqual(named("bin/run", "#! /bin/sh -e\n"), "bash")
    assert.strictEqual(named("bin/run", "#!/usr/bin/perl\n"), undefined)
    assert.strictEqual(named("bin/run", "#!\n"), undefined)
    assert.strictEqual(named("bin/run.txt", "#!/bin/sh\n"), undefined)
    assert.strictEqual(interpreterOf(bytes("# /bin/sh")), undefined)
  })

  it("tells a C++ header from a C header by what it holds", () => {
    const c = [
      '#ifndef A_H\n#define A_H\n#ifdef __cplusplus\nextern "C" {\n#endif\nint class_of(struct thing *t);\n#ifdef __cplusplus\n}\n#endif\n#endif\n',
      "/* like std::vector\n class Foo { */\nint f(void); // see Foo::bar\n",
      "#if defined(__cplusplus)\nnamespace a { class B; }\n#else\ntypedef struct B B;\n#endif\n",
      'struct a { int x; };\nstatic const char *s = "a::b";\n',
      "#define CLASS(x) class x {\nint a = 1, b = 2;\n"
    ]
    const cxx = [
      "#pragma once\nnamespace a {\nint f();\n}\n",
      "class Foo {\npublic:\n  int x;\n};\n",
      "class Foo;\n",
      "template <typename T> T id(T t);\n",
      "using byte = unsigned char;\n",
      "std::string name();\n",
      "struct A : B { int x; };\n",
      "struct A { A() = default; };\n"
    ]
    for (const text of c) assert.isFalse(looksLikeCxx(bytes(text)), text)
    for (const text of cxx) assert.isTrue(looksLikeCxx(bytes(text)), text)
    assert.strictEqual(named("a.h", c[0]), "c")
    assert.strictEqual(named("a.h", cxx[0]), "cpp")
    assert.strictEqual(named("a.c", cxx[0]), "c")
  })
})

describe("a test path", () => {
  it("is one by a folder or by its name", () => {
    for (const path of [
      "a_test.go",
      "src/foo.test.ts",
      "src/foo.spec.tsx",
      "tests/helper.py",
      "pkg/test_foo.py",
      "conftest.py",
      "src/test/java/Foo.java",
      "FooTest.java",
      "FooTests.cs",
      "spec/foo_spec.rb",
      "__tests__/a.js",
      "pkg/testdata/x.go",
      "App.Tests/Foo.cs",
      "e2e/login.ts"
    ])
      assert.isTrue(isTestPath(path), path)
    for (const path of [
      "src/contest.ts",
      "latest/a.go",
      "src/attest.py",
      "src/testing.ts",
      "Contest.java",
      "src/inspect/a.ts",
      "protest_x.py"
    ]) {
      assert.isFalse(isTestPath(path), path)
    }
  })
})

describe("the split of a job", () => {
  it("puts every file into one group, large files first, none too full", () => {
    const sizes = Array.from({ length: 2000 }, (_, i) => (i * 7919) % 200_000)
    const groups = split({ paths: sizes.map(String), sizes })
    const order = groups.flatMap(({ indices }) => [...indices])
    assert.deepStrictEqual(
      order.toSorted((a, b) => a - b),
      sizes.map((_, i) => i)
    )
    for (const { indices: group } of groups) {
      assert.isAtMost(group.length, 256)
      if (group.length > 1)
        assert.isAtMost(
          group.reduce((sum, i) => sum + sizes[i]!, 0),
          384 * 1024
        )
    }
    assert.deepStrictEqual(
      order.map((i) => sizes[i]!),
      sizes.toSorted((a, b) => b - a)
    )
    assert.deepStrictEqual(split({ paths: [] }), [])
    assert.deepStrictEqual(
      split({ paths: ["huge"], sizes: [9_000_000] }).map(({ indices }) => [...indices]),
      [[0]]
    )
  })

  it("keeps what fills groups apart by kind, and puts the rest together", () => {
    const paths = ["a.md", "b.rs", "c.rs", "d.toml", "e.rs", "f.go", "g.go"]
    const sizes = [10, 300_000, 200_000, 10, 100_000, 250_000, 240_000]
    assert.deepStrictEqual(
      split({ paths, sizes }).map(({ indices, kind }) => [kind, ...indices]),
      [
        ["rs", 1],
        ["rs", 2, 4],
        ["go", 5],
        ["go", 6],
        ["", 0, 3]
      ]
    )
    assert.deepStrictEqual(
      split({ paths, sizes }, (path) => (path < "c" ? "first" : "second")).map(({ kind }) => kind),
      ["second", "second", "second", "first"]
    )
  })
})

describe("the schedule of a job", () => {
  const groupsOf = (counts: { readonly [kind: string]: number }) =>
    Object.entries(counts).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, i) => ({ indices: Int32Array.of(i), kind, cost: groupBytes }))
    )
  /** What threads that take turns are given, until none gets more. */
  const handed = (schedule: Schedule, threads: number) => {
    const out: Array<string> = []
    for (let idle = 0, thread = 0; idle < threads; thread = (thread + 1) % threads) {
      const group = schedule.next(thread)
      if (group === undefined) idle++
      else {
        idle = 0
        out.push(`${thread}:${group.kind}${group.indices[0]}`)
      }
    }
    return out
  }

  it("keeps a thread with what it has begun, largest kinds first", () => {
    assert.deepStrictEqual(handed(new Schedule(groupsOf({ rs: 4, md: 1, sh: 2 }), 2, 10 * groupBytes), 2), [
      "0:rs0",
      "1:sh0",
      "0:rs1",
      "1:sh1",
      "0:rs2",
      "1:md0",
      "0:rs3"
    ])
  })

  it("gives a kind another thread only when enough of it is left", () => {
    assert.deepStrictEqual(handed(new Schedule(groupsOf({ rs: 5, md: 1 }), 2, 2 * groupBytes), 2), [
      "0:rs0",
      "1:md0",
      "0:rs1",
      "1:rs2",
      "0:rs3",
      "1:rs4"
    ])
    assert.deepStrictEqual(handed(new Schedule(groupsOf({ rs: 5, md: 1 }), 2, 3 * groupBytes), 2), [
      "0:rs0",
      "1:md0",
      "0:rs1",
      "0:rs2",
      "0:rs3",
      "0:rs4"
    ])
  })

  it("hands out every group once, however many threads ask in whatever order", () => {
    const groups = groupsOf({ a: 7, b: 3, c: 1, "": 2 })
    for (const threads of [1, 2, 3, 8]) {
      for (const worthwhile of [0, groupBytes, Infinity]) {
        const schedule = new Schedule(groups, threads, worthwhile)
        const given = handed(schedule, threads).map((text) => text.slice(text.indexOf(":") + 1))
        assert.deepStrictEqual(
          given.toSorted(),
          groups.map(({ indices, kind }) => `${kind}${indices[0]}`).toSorted()
        )
      }
    }
  })
})
