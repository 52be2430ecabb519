import { assert, beforeAll, describe, it } from "vitest"
import { bash } from "../../../../src/engine/languages/bash/index.ts"
import { shownSample } from "../treesitter/shown.ts"

describe("Bash", () => {
  let facts: Awaited<ReturnType<typeof shownSample>>
  beforeAll(async () => {
    facts = await shownSample(bash, "build.sh", import.meta.url)
  })

  it("reports what a file defines, with types and owners", () => {
    assert.deepStrictEqual(facts.definitions, [
      "5 variable PATH",
      "5 variable NAME",
      "6 constant CONST",
      "7 variable ARR",
      "8 variable GLOBAL",
      "10 function build",
      "18 function deploy",
      "19 function ll",
      "25 test adds"
    ])
    assert.strictEqual(facts.parseErrors, 0)
  })

  it("reports calls with their receivers' types", () => {
    assert.deepStrictEqual(facts.references("call", "new"), [
      "8 compute(2) free",
      "12 helper(1) free",
      "12 run_it(0) free",
      "12 grep(1) free",
      "15 one(0) free",
      "15 two(0) free",
      "16 curl(1) free",
      "18 build(1) @build",
      "20 build(0) @build",
      "20 deploy(0) @deploy",
      "21 cleanup(1) free",
      "22 cat(0) free",
      "26 build(0) @build",
      "26 run(1) free"
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
      []
    )
  })

  it("reports reads and writes of names that are not local", () => {
    assert.deepStrictEqual(facts.references("read"), [
      "4 DIR free",
      "5 HOME free",
      "12 GLOBAL @GLOBAL",
      "16 CONST @CONST",
      "23 NAME @NAME"
    ])
    assert.deepStrictEqual(facts.references("write"), [])
  })

  it("reports imports, the package and the test runner", () => {
    assert.deepStrictEqual(facts.imports, ["./lib.sh (wildcard quoted)", "./other.sh (wildcard quoted)"])
    assert.strictEqual(facts.package, "")
    assert.strictEqual(facts.runner, "bats")
  })

  it("reports super types and marks", () => {
    assert.deepStrictEqual(facts.inherits, [])
    assert.deepStrictEqual(facts.marks, [])
  })

  it("tells constants, documentation and branches", () => {
    assert.deepStrictEqual(facts.flags("CONST"), ["exported", "readonly"])
    assert.strictEqual(facts.of("build")?.doc, "# Does things.")
    assert.strictEqual(facts.of("build")?.complexity, 8)
    assert.deepStrictEqual(facts.flags("adds"), ["test"])
  })
})
