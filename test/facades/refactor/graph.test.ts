import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { project, type Value, working } from "./support.ts"

const rename = (symbol: string, new_name: string, more: object = {}) => ({
  operation: "rename",
  target: { symbol },
  new_name,
  ...more
})

describe("rename by the graph alone", () => {
  it.scoped("renames a Python function with its imports and __all__", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "pkg/__init__.py": 'from .core import load\n\n__all__ = ["load", "other"]\nother = 1\n',
        "pkg/core.py":
          '"""load things"""\n\n\ndef load(path):\n    return path\n\n\nclass Box:\n    load = 3\n',
        "main.py":
          "from pkg import load as ld\nfrom pkg.core import load\nimport pkg.core\n\nprint(ld(1), load(2), pkg.core.load(3))\n"
      })
      const done = yield* work.refactor(rename("pkg/core.py::load", "read"))
      expect(done).toMatchObject({ status: "applied", verification: "graph", files_affected: 3 })
      expect(done["server_hint"]).toEqual(expect.any(String))
      expect(work.read("pkg/__init__.py")).toBe(
        'from .core import read\n\n__all__ = ["read", "other"]\nother = 1\n'
      )
      expect(work.read("pkg/core.py")).toBe(
        '"""load things"""\n\n\ndef read(path):\n    return path\n\n\nclass Box:\n    load = 3\n'
      )
      expect(work.read("main.py")).toBe(
        "from pkg import read as ld\nfrom pkg.core import read\nimport pkg.core\n\nprint(ld(1), read(2), pkg.core.read(3))\n"
      )
      expect((done["edits"] as ReadonlyArray<Value>).map((edit) => edit["confidence"])).not.toContain("name")
    })
  )

  it.scoped("renames a Python method with its overrides, and refuses one of a foreign base", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "a.py": `from threading import Thread


class Base:
    def area(self):
        return 0


class Square(Base):
    def area(self):
        return super().area() + 1


class Worker(Thread):
    def run(self):
        return 1


def total(shape: Base):
    return shape.area()
`
      })
      const foreign = yield* work.refused(rename("a.py::Worker.run", "go"))
      expect(foreign).toMatchObject({ reason_code: "outside_supertype", data: { supertypes: ["Thread"] } })
      const done = yield* work.refactor(rename("a.py::Base.area", "size"))
      expect(done["total_edits"]).toBe(4)
      expect(work.read("a.py")).not.toContain("area")
    })
  )

  it.scoped("names the places it cannot prove", () =>
    Effect.gen(function* () {
      const files = {
        "a.py":
          "class A:\n    def step(self):\n        return 1\n\n\nclass B:\n    def step(self):\n        return 2\n",
        "b.py": "def go(thing):\n    return thing.step()\n"
      }
      const work = yield* working(files)
      const refused = yield* work.refused(rename("a.py::A.step", "stride"))
      expect(refused).toMatchObject({ code: "edit_conflict", reason_code: "unproven_sites" })
      expect(refused.data?.["sites"]).toMatchObject([{ file: "b.py", line: 2, column: 17 }])
      expect(work.tree()).toEqual(files)
    })
  )

  it.scoped("refuses a name that a parameter would capture", () =>
    Effect.gen(function* () {
      const files = { "a.py": "limit = 3\n\n\ndef f(bound):\n    return limit + bound\n" }
      const work = yield* working(files)
      expect((yield* work.refused(rename("a.py::limit", "bound"))).reason_code).toBe("captured")
      expect((yield* work.refused(rename("a.py::limit", "f"))).reason_code).toBe("name_taken")
      expect((yield* work.refused(rename("a.py::limit", "lambda"))).reason_code).toBe("keyword")
      expect(work.tree()).toEqual(files)
    })
  )

  it.scoped("renames across packages of Go, and keeps what is visible visible", () =>
    Effect.gen(function* () {
      const files = {
        "go.mod": "module example.org/m\n\ngo 1.21\n",
        "store/store.go":
          "package store\n\n// Open opens.\nfunc Open(name string) int { return len(name) }\n",
        "store/other.go": 'package store\n\nfunc Twice() int { return Open("a") + Open("b") }\n',
        "main.go":
          'package main\n\nimport "example.org/m/store"\n\nfunc main() { println(store.Open("x")) }\n'
      }
      const work = yield* working(files)
      expect((yield* work.refused(rename("store/store.go::Open", "open"))).reason_code).toBe("hidden_by_name")
      expect((yield* work.refused(rename("store/store.go::Open", "Twice"))).reason_code).toBe("name_taken")
      const done = yield* work.refactor(rename("store/store.go::Open", "Load"))
      expect(done["total_edits"]).toBe(4)
      expect(done["left_behind"]).toMatchObject({ comments: 1 })
      expect(work.read("main.go")).toContain('store.Load("x")')
      expect(work.read("store/other.go")).toContain('Load("a") + Load("b")')
    })
  )

  it.scoped("renames a Rust type through its uses", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs":
          "pub mod shape;\nuse crate::shape::Square;\n\npub fn unit() -> Square {\n    Square { side: 1 }\n}\n",
        "src/shape.rs":
          "pub struct Square {\n    pub side: u32,\n}\n\nimpl Square {\n    pub fn new(side: u32) -> Square {\n        Square { side }\n    }\n}\n"
      })
      const done = yield* work.refactor(rename("src/shape.rs::Square", "Box2"))
      expect(done["status"]).toBe("applied")
      expect(work.read("src/lib.rs")).toBe(
        "pub mod shape;\nuse crate::shape::Box2;\n\npub fn unit() -> Box2 {\n    Box2 { side: 1 }\n}\n"
      )
      expect(work.read("src/shape.rs")).not.toContain("Square")
    })
  )
})

describe("rename through a server of an untyped language", () => {
  it.scoped(
    "refuses what neither the server nor the graph can prove, unless told to leave it",
    () =>
      Effect.gen(function* () {
        const files = {
          "a.py":
            "class A:\n    def step(self):\n        return 1\n\n\nclass B:\n    def step(self):\n        return 2\n",
          "b.py": "from a import A\n\n\ndef go(thing):\n    return thing.step() + A().step()\n"
        }
        const work = yield* working(files, { servers: ["python"] })
        const refused = yield* work.refused(rename("a.py::A.step", "stride"))
        expect(refused).toMatchObject({ reason_code: "unproven_sites", data: { total_sites: 1 } })
        expect(work.tree()).toEqual(files)
        const done = yield* work.refactor(
          rename("a.py::A.step", "stride", { options: { allow_unproven: true } })
        )
        expect(done).toMatchObject({
          total_edits: 2,
          verification: "language_server",
          unproven: { sites: [{ file: "b.py", line: 5, column: 17 }] }
        })
        expect(work.read("b.py")).toContain("thing.step() + A().stride()")
      }),
    120_000
  )
})

describe("rename and back", () => {
  const words = ["alpha", "beta", "gamma", "delta"] as const
  const functions = FastCheck.uniqueArray(FastCheck.constantFrom(...words), { minLength: 2, maxLength: 4 })

  it.scoped(
    "is the identity",
    () =>
      Effect.gen(function* () {
        const programs = FastCheck.sample(
          FastCheck.record({
            names: functions,
            uses: FastCheck.array(FastCheck.nat(3), { minLength: 1, maxLength: 6 }),
            barrel: FastCheck.boolean(),
            eol: FastCheck.constantFrom("\n", "\r\n")
          }),
          { numRuns: 6, seed: 7 }
        )
        for (const { barrel, eol, names, uses } of programs) {
          const use = uses.map((at) => names[at % names.length]!)
          const files = {
            ...project,
            "lib.ts": `${names.map((name, i) => `export const ${name} = (x: number) => x + ${i}`).join(eol)}${eol}`,
            "mid.ts": `${barrel ? 'export * from "./lib.js"' : `export { ${names.join(", ")} } from "./lib.js"`}${eol}`,
            "use.ts": `import { ${[...new Set(use)].join(", ")} } from "./${barrel ? "mid" : "lib"}.js"${eol}export const all = { ${[...new Set(use)].join(", ")} }${eol}export const n = ${use.map((name) => `${name}(1)`).join(" + ")} // ${use[0]!}${eol}`
          }
          const work = yield* working(files)
          const before = work.tree()
          yield* work.refactor(
            rename(`lib.ts::${use[0]!}`, "renamed", { options: { through_reexports: true } })
          )
          expect(work.read("lib.ts")).toContain("renamed")
          yield* work.refactor(rename("lib.ts::renamed", use[0]!, { options: { through_reexports: true } }))
          const after = work.tree()
          expect(Object.keys(after)).toEqual(Object.keys(before))
          expect(after["lib.ts"]).toBe(before["lib.ts"])
          expect(after["mid.ts"]).toBe(before["mid.ts"])
        }
      }),
    120_000
  )
})
