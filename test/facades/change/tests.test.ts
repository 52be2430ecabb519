import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { quoted } from "../../../src/facades/change/Runners.ts"
import { stemOf } from "../../../src/facades/change/TestMap.ts"
import { served, type Value } from "../read/support.ts"

const commandsOf = (value: Value): ReadonlyArray<string> =>
  value["run_commands"].map(({ command }: Value) => command)

/** The commands for the tests of one symbol in a folder with these files. */
const commands = (files: { readonly [path: string]: string }, symbol: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", { operation: "tests", target: { symbol } })
      return commandsOf(value)
    })
  )

describe("change.tests", () => {
  it.scoped("ranks tests by how they were found, names the runner, and lists what has none", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "package.json": `{"scripts": {"test": "vitest run"}}`,
        "src/core.ts":
          "export const deep = () => 1\nexport const api = () => deep()\nexport const lonely = () => 2\n",
        "src/other.ts": `import { api } from "./core.ts"\nexport const far = () => api()\n`,
        "src/only.ts": "export const only = () => 1\n",
        "test/helper.ts": `import { far } from "../src/other.ts"\nexport const setUp = () => far()\n`,
        "test/far.test.ts": `import { describe, it } from "vitest"
import { setUp } from "./helper.ts"
describe("far", () => { it("works", () => { setUp() }) })
`,
        "test/core.test.ts": `import { test } from "vitest"
import { api } from "../src/core.ts"
test("api", () => { api() })
`,
        "test/fixtures/data.ts": `import { deep } from "../../src/core.ts"\nexport const data = deep()\n`
      })
      const value = yield* at.call("change", {
        operation: "tests",
        target: { symbols: ["src/core.ts::deep", "src/only.ts::only"] }
      })
      assert.deepStrictEqual(
        value["test_targets"].map(({ distance, file, found_by, functions, runner }: Value) => [
          file,
          found_by,
          distance,
          functions.map(({ name }: Value) => name),
          runner
        ]),
        [
          ["test/core.test.ts", "calls", 2, ["api"], "vitest"],
          ["test/far.test.ts", "calls", 4, ["far.works"], "vitest"]
        ]
      )
      assert.deepStrictEqual(
        value["test_targets"].flatMap(({ functions }: Value) => functions.map(({ via }: Value) => via)),
        ["api", "setUp"]
      )
      assert.deepStrictEqual(value["uncovered"], ["src/only.ts::only"])
      assert.deepStrictEqual(commandsOf(value), ["npx vitest run test/core.test.ts test/far.test.ts"])
      assert.deepStrictEqual(value["test_targets"][0].covers, ["src/core.ts::deep"])
      assert.strictEqual(value["follow_up"].arguments.operation, "guards")
      const near = yield* at.call("change", {
        operation: "tests",
        target: { symbol: "src/core.ts::deep" },
        options: { depth: 1 }
      })
      assert.notInclude(
        near["test_targets"]
          .filter(({ found_by }: Value) => found_by === "calls")
          .map(({ file }: Value) => file),
        "test/far.test.ts"
      )
    })
  )

  it.effect("runs JavaScript tests the way their package does", () =>
    Effect.gen(function* () {
      const source = "export const f = () => 1\n"
      const plain = `import { f } from "./f.js"\ntest("f", () => { f() })\n`
      const of = (manifest: object, test = plain, more: { readonly [path: string]: string } = {}) =>
        commands(
          { "package.json": JSON.stringify(manifest), "f.js": source, "f.test.js": test, ...more },
          "f"
        )
      assert.deepStrictEqual(yield* of({ devDependencies: { jest: "29" } }), [
        "npx jest --runTestsByPath f.test.js"
      ])
      assert.deepStrictEqual(yield* of({ scripts: { test: "mocha -r ts-node/register 'test/**'" } }), [
        "npx mocha -r ts-node/register f.test.js"
      ])
      assert.deepStrictEqual(yield* of({ scripts: { test: "ava" } }), ["npx ava f.test.js"])
      assert.deepStrictEqual(
        yield* of(
          { scripts: { test: "node --import tsx --test --test-reporter=spec 'test/*.js'" } },
          `import test from "node:test"\nimport { f } from "./f.js"\ntest("f", () => { f() })\n`
        ),
        ["node --import tsx --test f.test.js"]
      )
      assert.deepStrictEqual(yield* of({}), [])
    })
  )

  it.effect(
    "goes into the package of a monorepo that has the set-up, and stays out of one that has none",
    () =>
      Effect.gen(function* () {
        const files = {
          "package.json": `{"devDependencies": {"vitest": "3"}}`,
          "packages/a b/package.json": `{"name": "a"}`,
          "packages/a b/src/f.ts": "export const f = () => 1\n",
          "packages/a b/src/f.test.ts": `import { test } from "vitest"\nimport { f } from "./f.ts"\ntest("f", () => { f() })\n`
        }
        assert.deepStrictEqual(yield* commands(files, "f"), ["npx vitest run 'packages/a b/src/f.test.ts'"])
        assert.deepStrictEqual(
          yield* commands(
            { ...files, "packages/a b/vitest.config.ts": "export default {}\n" },
            "packages/a b/src/f.ts::f"
          ),
          ["(cd 'packages/a b' && npx vitest run src/f.test.ts)"]
        )
      })
  )

  it.effect("names Go tests, and folders of modules below the root", () =>
    Effect.gen(function* () {
      const files = {
        "go/go.mod": "module example.org/m\n",
        "go/pkg/f.go": "package pkg\n\nfunc F() int { return 1 }\n",
        "go/pkg/f_test.go": `package pkg

import "testing"

func TestF(t *testing.T) {
	t.Run("sub", func(t *testing.T) { F() })
}
func TestOther(t *testing.T) {}
`
      }
      assert.deepStrictEqual(yield* commands(files, "go/pkg/f.go::F"), [
        "(cd go && go test ./pkg -run '^(TestF)$')"
      ])
    })
  )

  it.effect("names pytest functions, and runs unittest where nothing speaks of pytest", () =>
    Effect.gen(function* () {
      const source = "def f():\n    return 1\n"
      assert.deepStrictEqual(
        yield* commands(
          {
            "pyproject.toml": "[tool.pytest.ini_options]\n",
            "lib/f.py": source,
            "tests/test_f.py":
              "from lib.f import f\n\nclass TestF:\n    def test_one(self):\n        f()\n\ndef test_two():\n    f()\n"
          },
          "lib/f.py::f"
        ),
        ["python -m pytest tests/test_f.py::TestF::test_one tests/test_f.py::test_two"]
      )
      assert.deepStrictEqual(
        yield* commands(
          {
            "lib/f.py": source,
            "tests/test_f.py":
              "import unittest\nfrom lib.f import f\n\nclass FTest(unittest.TestCase):\n    def test_one(self):\n        f()\n"
          },
          "lib/f.py::f"
        ),
        ["python -m unittest tests/test_f.py"]
      )
    })
  )

  it.effect("tells unit tests of Rust by their modules and integration tests by their file", () =>
    Effect.gen(function* () {
      const files = {
        "Cargo.toml": `[workspace]\nmembers = ["crates/*"]\n`,
        "crates/core/Cargo.toml": `[package]\nname = "my-core"\n`,
        "crates/core/src/lib.rs": "pub mod deep;\n",
        "crates/core/src/deep.rs": `pub fn f() -> u32 { 1 }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { f(); }
}
`,
        "crates/core/tests/api.rs": "use my_core::deep::f;\n\n#[test]\nfn outside() { f(); }\n"
      }
      assert.sameMembers(
        [...(yield* commands(files, "crates/core/src/deep.rs::f"))],
        ["cargo test -p my-core -- deep::tests::works", "cargo test -p my-core --test api -- outside"]
      )
    })
  )

  it.effect("runs Maven, Gradle, RSpec, PHPUnit and .NET tests", () =>
    Effect.gen(function* () {
      const java = {
        "src/main/java/p/Calc.java":
          "package p;\npublic class Calc { public int add(int a) { return a; } }\n",
        "src/test/java/p/CalcTest.java":
          "package p;\nimport org.junit.jupiter.api.Test;\nclass CalcTest { @Test void adds() { new Calc().add(1); } }\n"
      }
      const add = "src/main/java/p/Calc.java::Calc.add"
      assert.deepStrictEqual(yield* commands({ ...java, "pom.xml": "<project/>" }, add), [
        "mvn test '-Dtest=CalcTest#adds' -Dsurefire.failIfNoSpecifiedTests=false"
      ])
      assert.deepStrictEqual(yield* commands({ ...java, "build.gradle": "", gradlew: "" }, add), [
        "./gradlew test --tests CalcTest.adds"
      ])
      assert.deepStrictEqual(
        yield* commands(
          {
            Gemfile: "gem 'rspec'\n",
            "lib/calc.rb": "class Calc\n  def add(a)\n    a\n  end\nend\n",
            "spec/calc_spec.rb": `require "calc"\nRSpec.describe Calc do\n  it "adds" do\n    Calc.new.add(1)\n  end\nend\n`
          },
          "lib/calc.rb::Calc"
        ),
        ["bundle exec rspec spec/calc_spec.rb"]
      )
      assert.deepStrictEqual(
        yield* commands(
          {
            "composer.json": "{}",
            "src/Calc.php":
              "<?php\nnamespace App;\nclass Calc { public function add(int $a): int { return $a; } }\n",
            "tests/CalcTest.php":
              "<?php\nnamespace Tests;\nuse App\\Calc;\nuse PHPUnit\\Framework\\TestCase;\nclass CalcTest extends TestCase { public function testAdds(): void { (new Calc())->add(1); } }\n"
          },
          "src/Calc.php::Calc.add"
        ),
        ["vendor/bin/phpunit --filter '/(testAdds)( |$)/' tests/CalcTest.php"]
      )
      assert.deepStrictEqual(
        yield* commands(
          {
            "Calc/Calc.cs": "namespace App; public class Calc { public int Add(int a) => a; }\n",
            "Calc.Tests/Calc.Tests.csproj": "<Project/>",
            "Calc.Tests/CalcTests.cs":
              "using Xunit;\nnamespace App.Tests;\npublic class CalcTests { [Fact] public void Adds() { new App.Calc().Add(1); } }\n"
          },
          "Calc/Calc.cs::Calc.Add"
        ),
        ["dotnet test Calc.Tests/Calc.Tests.csproj --filter 'FullyQualifiedName~CalcTests.Adds'"]
      )
    })
  )

  it("knows names of tests for what they are of, and words for a shell", () => {
    assert.deepStrictEqual(
      [
        "src/user.test.ts",
        "user_test.go",
        "test_user.py",
        "UserTest.java",
        "user_spec.rb",
        "User.cs",
        "UserTests.cs"
      ].map(stemOf),
      ["user", "user", "user", "user", "user", "user", "user"]
    )
    assert.deepStrictEqual(
      [quoted("a/b.ts"), quoted("it's"), quoted("a b"), quoted("$x")],
      ["a/b.ts", `'it'\\''s'`, "'a b'", "'$x'"]
    )
  })
})
