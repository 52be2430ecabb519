/** Uses of other kinds than a name in code: fields of embedded types, lists of names, directives, places, properties of modules. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { working } from "./support.ts"

const rename = (symbol: string, new_name: string, options: object = {}) => ({
  operation: "rename",
  target: { symbol },
  new_name,
  options
})
const remove = (symbol: string, options: object = {}) => ({
  operation: "delete",
  target: { symbol },
  dry_run: false,
  options
})
const move = (symbol: string, destination: string) => ({ operation: "move", target: { symbol }, destination })
const mod = { "go.mod": "module ex.com/m\n\ngo 1.21\n" }

describe("Go", () => {
  it.scoped("renames an embedded type with the fields that it is", () =>
    Effect.gen(function* () {
      const work = yield* working(
        {
          ...mod,
          "a/a.go":
            "package a\n\ntype Base struct{ ID int }\n\ntype Outer struct {\n\t*Base\n}\n\nfunc New() Outer { return Outer{Base: &Base{ID: 1}} }\n",
          "b/b.go":
            'package b\n\nimport (\n\t"sync"\n\n\t"ex.com/m/a"\n)\n\ntype W struct {\n\ta.Base\n\tsync.Mutex\n}\n\nfunc F(w W) int { return w.Base.ID + a.New().Base.ID }\n'
        },
        { servers: [] }
      )
      expect((yield* work.refused(rename("b/b.go::W.Mutex", "Lock"))).reason_code).toBe("outside_supertype")
      yield* work.refactor(rename("a/a.go::Base", "Root"))
      expect(work.read("a/a.go")).toContain(
        "\t*Root\n}\n\nfunc New() Outer { return Outer{Root: &Root{ID: 1}} }"
      )
      expect(work.read("b/b.go")).toContain("\ta.Root\n")
      expect(work.read("b/b.go")).toContain("return w.Root.ID + a.New().Root.ID")
    })
  )

  it.scoped("keeps directives and what they name together", () =>
    Effect.gen(function* () {
      const work = yield* working(
        {
          ...mod,
          "a/a.go":
            'package a\n\nimport _ "embed"\n\n//go:generate stringer -type=Pill\n\ntype Pill int\n\n//go:embed x.txt\nvar Text string\n',
          "b/b.go": "package b\n"
        },
        { servers: [] }
      )
      expect((yield* work.refused(move("a/a.go::Text", "b/b.go"))).reason_code).toBe("embeds_files")
      yield* work.refactor(move("a/a.go::Text", "a/t.go"))
      expect(work.read("a/t.go")).toBe('package a\n\nimport _ "embed"\n\n//go:embed x.txt\nvar Text string\n')
      expect(yield* work.refused(rename("a/a.go::Pill", "Tablet"))).toMatchObject({
        reason_code: "unproven_sites",
        data: { sites: [{ file: "a/a.go", line: 5, why: "directive" }] }
      })
      expect((yield* work.refused(remove("a/a.go::Pill"))).reason_code).toBe("still_referenced")
      yield* work.refactor(rename("a/a.go::Pill", "Tablet", { in_comments: true }))
      expect(work.read("a/a.go")).toContain("-type=Tablet\n\ntype Tablet int")
    })
  )

  it.scoped("takes out no field and no constant that counts by its place", () =>
    Effect.gen(function* () {
      const work = yield* working(
        {
          ...mod,
          "a/a.go":
            'package a\n\ntype P struct {\n\tX int\n\tY int\n}\n\nvar p = P{1, 2}\n\ntype L struct {\n\tA int\n\tB int\n}\n\ntype Ls []L\n\nvar ls = Ls{{1, 2}}\n\ntype M struct {\n\tA int\n\tB int\n}\n\nvar ms = map[string][]M{"a": {{1, 2}}}\n\ntype K struct {\n\tA int\n\tB int\n}\n\nvar ks = []*K{{A: 1}}\n\nconst (\n\tCa = iota\n\tCb\n\tCc\n)\n'
        },
        { servers: [] }
      )
      for (const symbol of ["P.Y", "L.B", "M.B", "Cb"])
        expect((yield* work.refused(remove(`a/a.go::${symbol}`))).reason_code, symbol).toBe(
          "used_by_position"
        )
      for (const symbol of ["K.B", "Cc"]) yield* work.refactor(remove(`a/a.go::${symbol}`))
      expect(work.read("a/a.go")).toContain("type K struct {\n\tA int\n}")
    })
  )

  it.scoped("takes a test from outside for another package", () =>
    Effect.gen(function* () {
      const test = (body: string, more = "") =>
        `package a_test\n\nimport (\n\t"testing"\n\n\t"ex.com/m/a"\n${more})\n\nfunc TestOpen(t *testing.T) {\n\t${body}\n}\n`
      const work = yield* working(
        {
          ...mod,
          "a/a.go": "package a\n\nfunc Open() int { return 1 }\n\nfunc Other() int { return 1 }\n",
          "a/a_test.go": test("_ = a.Open() + a.Other()"),
          "b/b.go": "package b\n\nfunc B() int { return 2 }\n"
        },
        { servers: [] }
      )
      yield* work.refactor(rename("a/a.go::Other", "TestOpen"))
      yield* work.refactor(move("a/a.go::Open", "b/b.go"))
      expect(work.read("a/a_test.go")).toBe(test("_ = b.Open() + a.TestOpen()", '\t"ex.com/m/b"\n'))
    })
  )
})

describe("Python", () => {
  it.scoped("takes the names a module lists for uses", () =>
    Effect.gen(function* () {
      const work = yield* working(
        {
          "pkg/__init__.py": "from .core import lone\n\n__all__ = ['lone']\n",
          "pkg/core.py":
            "__all__ = ['keep', 'lone']\n\n\ndef lone():\n    return 2\n\n\ndef keep():\n    return 1\n",
          "pkg/other.py": "__all__ = ('x',)\n\nx = 1\n"
        },
        { servers: [] }
      )
      expect((yield* work.refused(remove("pkg/core.py::keep"))).reason_code).toBe("still_referenced")
      yield* work.refactor(rename("pkg/core.py::lone", "one"))
      expect(work.read("pkg/__init__.py")).toBe("from .core import one\n\n__all__ = ['one']\n")
      yield* work.refactor(move("pkg/core.py::one", "pkg/other.py"))
      expect(work.read("pkg/core.py")).toBe("__all__ = ['keep']\n\n\ndef keep():\n    return 1\n")
      expect(work.read("pkg/other.py")).toContain("__all__ = ('x', 'one',)\n")
      yield* work.refactor(remove("pkg/core.py::keep", { force: true }))
      expect(work.read("pkg/core.py")).toContain("__all__ = []")
    })
  )

  it.scoped("follows slots and patterns, and refuses members asked for by name or place", () =>
    Effect.gen(function* () {
      const work = yield* working(
        {
          "m.py":
            'from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n    y: int = 0\n\n\nclass S:\n    __slots__ = ("u",)\n    __match_args__ = ("u",)\n\n    def __init__(self):\n        self.u = 1\n\n\nclass A:\n    def hook(self):\n        return 1\n\n\nprint(P(1, 2), getattr(A(), "hook")(), S().u)\n'
        },
        { servers: [] }
      )
      expect((yield* work.refused(remove("m.py::P.y"))).reason_code).toBe("used_by_position")
      expect((yield* work.refused(remove("m.py::A.hook"))).reason_code).toBe("still_referenced")
      expect((yield* work.refused(rename("m.py::A.hook", "hoek"))).reason_code).toBe("unproven_sites")
      yield* work.refactor(rename("m.py::S.u", "w"))
      expect(work.read("m.py")).toContain('__slots__ = ("w",)\n    __match_args__ = ("w",)')
      expect(work.read("m.py")).toContain("self.w = 1")
    })
  )
})

describe("JavaScript", () => {
  it.scoped(
    "follows require() through classes and properties of modules",
    () =>
      Effect.gen(function* () {
        const work = yield* working({
          "package.json": "{}\n",
          "base.js": "class Base {\n  run() { return 1 }\n}\nmodule.exports = { Base }\n",
          "mid.js":
            'const { Base } = require("./base")\nclass Mid extends Base {\n  run() { return super.run() }\n}\nmodule.exports = { Mid }\n',
          "e.js": "exports.e1 = function () { return 1 }\n",
          "use.js":
            'const { Mid } = require("./mid")\nconst e = require("./e")\nconsole.log(new Mid().run() + e.e1())\n'
        })
        yield* work.refactor(rename("base.js::Base.run", "go"))
        expect(work.read("mid.js")).toContain("  go() { return super.go() }")
        yield* work.refactor(rename("e.js::e1", "e2"))
        expect(work.read("use.js")).toContain("new Mid().go() + e.e2()")
        yield* work.refactor(rename("base.js::Base", "Root"))
        expect(work.read("base.js")).toContain("module.exports = { Base: Root }")
        expect(work.read("mid.js")).toContain('const { Base } = require("./base")')
      }),
    120_000
  )
})
