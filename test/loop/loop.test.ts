/**
 * A change made from beginning to end by public calls of the built server alone: explored, judged, tried, made, renamed,
 * looked at, and its tests run as the answers say.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import * as path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { build, environment, folder, Server } from "../protocol/server.ts"

beforeAll(build, 120_000)

const top = path.resolve(import.meta.dirname, "../..")
const has = (command: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { encoding: "utf8", timeout: 10_000 }).status === 0

interface Story {
  readonly files: { readonly [path: string]: string }
  /** Prepares the folder for running tests. */
  readonly prepare?: (directory: string) => void
  readonly task: string
  /** The function that changes, its file, and one that calls it. */
  readonly symbol: string
  readonly name: string
  readonly caller: string
  /** A signature that breaks the caller. */
  readonly breaking: string
  readonly edit: { readonly file: string; readonly match: string; readonly replacement: string }
  readonly newName: string
}

const stories: { readonly [language: string]: Story & { readonly runs: boolean } } = {
  TypeScript: {
    runs: true,
    files: {
      "package.json": JSON.stringify({
        name: "shop",
        private: true,
        type: "module",
        scripts: { test: "vitest run" },
        devDependencies: { vitest: "*" }
      }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          module: "nodenext",
          target: "es2022",
          noEmit: true,
          allowImportingTsExtensions: true
        }
      }),
      ".gitignore": "node_modules\n",
      "src/price.ts":
        "/** What it costs. */\nexport function price(n: number): number {\n  return n * 2\n}\n",
      "src/cart.ts":
        'import { price } from "./price.ts"\n\nexport function total(items: number[]) {\n  return items.map((n) => price(n)).reduce((a, b) => a + b, 0)\n}\n',
      "test/cart.test.ts":
        'import { expect, it } from "vitest"\nimport { total } from "../src/cart.ts"\n\nit("adds up", () => {\n  expect(total([1.2, 2])).toBe(6)\n})\n'
    },
    prepare: (directory) => symlinkSync(path.join(top, "node_modules"), path.join(directory, "node_modules")),
    task: "round the price of an item",
    symbol: "src/price.ts::price",
    name: "price",
    caller: "src/cart.ts::total",
    breaking: "function price(n: number, currency: string): number",
    edit: { file: "src/price.ts", match: "n * 2", replacement: "Math.round(n * 2)" },
    newName: "cost"
  },
  Go: {
    runs: has("go", "version"),
    files: {
      "go.mod": "module example.com/shop\n\ngo 1.20\n",
      "price.go": "package shop\n\n// Price is what it costs.\nfunc Price(n int) int {\n\treturn n * 2\n}\n",
      "cart.go":
        "package shop\n\nfunc Total(items []int) int {\n\tsum := 0\n\tfor _, n := range items {\n\t\tsum += Price(n)\n\t}\n\treturn sum\n}\n",
      "cart_test.go":
        'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total([]int{1, 2}) != 9 {\n\t\tt.Fatal("wrong")\n\t}\n}\n'
    },
    task: "triple the price of an item",
    symbol: "price.go::Price",
    name: "Price",
    caller: "cart.go::Total",
    breaking: "func Price(n int, currency string) int",
    edit: { file: "price.go", match: "n * 2", replacement: "n * 3" },
    newName: "Cost"
  },
  Python: {
    runs: has("python3", "--version"),
    files: {
      "shop/__init__.py": "",
      "shop/price.py": 'def price(n):\n    """What it costs."""\n    return n * 2\n',
      "shop/cart.py":
        "from shop.price import price\n\n\ndef total(items):\n    return sum(price(n) for n in items)\n",
      "tests/__init__.py": "",
      "tests/test_cart.py":
        "import unittest\n\nfrom shop.cart import total\n\n\nclass CartTest(unittest.TestCase):\n    def test_adds_up(self):\n        self.assertEqual(total([1, 2]), 9)\n"
    },
    task: "triple the price of an item",
    symbol: "shop/price.py::price",
    name: "price",
    caller: "shop/cart.py::total",
    breaking: "def price(n, currency):",
    edit: { file: "shop/price.py", match: "n * 2", replacement: "n * 3" },
    newName: "cost"
  },
  Rust: {
    runs: has("cargo", "--version"),
    files: {
      "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      ".gitignore": "target\nCargo.lock\n",
      "src/price.rs": "/// What it costs.\npub fn price(n: i64) -> i64 {\n    n * 2\n}\n",
      "src/lib.rs":
        "pub mod price;\n\npub fn total(items: &[i64]) -> i64 {\n    items.iter().map(|n| price::price(*n)).sum()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::total;\n\n    #[test]\n    fn adds_up() {\n        assert_eq!(total(&[1, 2]), 9);\n    }\n}\n"
    },
    task: "triple the price of an item",
    symbol: "src/price.rs::price",
    name: "price",
    caller: "src/lib.rs::total",
    breaking: "pub fn price(n: i64, currency: &str) -> i64",
    edit: { file: "src/price.rs", match: "n * 2", replacement: "n * 3" },
    newName: "cost"
  }
}

describe("the change loop", () => {
  for (const [language, story] of Object.entries(stories)) {
    it.runIf(story.runs)(
      `goes from a task to tests that pass in a repository of ${language}`,
      { timeout: 180_000 },
      async () => {
        const directory = folder(story.files)
        const git = (...args: ReadonlyArray<string>) =>
          execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
            cwd: directory
          })
        git("init", "-q")
        git("add", "-A")
        git("commit", "-qm", "first")
        story.prepare?.(directory)
        const server = new Server(directory)
        await server.open()
        const call = async (tool: string, args: object): Promise<any> => {
          const { result } = await server.call(tool, args)
          expect(result.isError, `${tool} ${JSON.stringify(args)}: ${result.content[0].text}`).toBeUndefined()
          return result.structuredContent
        }
        const follow = ({ follow_up }: any) => call(follow_up.tool, follow_up.arguments)

        const explored = await call("explore", { operation: "task", task: story.task })
        expect(explored.symbols.map((s: any) => s.id)).toContain(story.symbol)
        const read = await call("read", { target: { symbol: story.symbol } })
        expect(read.source).toContain(story.edit.match)

        const impact = await call("change", { operation: "impact", target: { symbol: story.symbol } })
        expect(impact.by_depth["1"].map((row: any) => row.id)).toContain(story.caller)
        const verified = await call("change", {
          operation: "verify",
          source: { changes: [{ symbol_id: story.symbol, new_signature: story.breaking }] }
        })
        expect(verified.verdict).toBe("breaks")
        expect(verified.sites.map((site: any) => site.within)).toContain(story.caller)

        const { file, match, replacement } = story.edit
        const whole = await call("read", { target: { file } })
        const edit = { target: { file }, match, replacement, guard: { base_sha: whole.sha } }
        const tried = await call("edit", { ...edit, dry_run: true })
        expect(tried.diff).toContain(`${replacement}`)
        expect((await call("read", { target: { file } })).content).toBe(story.files[file])
        const made = await call("edit", edit)
        expect(made.new_sha).toBe(tried.new_sha)

        const rename = { operation: "rename", target: { symbol: story.symbol }, new_name: story.newName }
        const planned = await call("refactor", { ...rename, dry_run: true })
        expect(planned.status).toBe("would_apply")
        const renamed = await call("refactor", rename)
        expect([renamed.status, renamed.total_edits]).toEqual(["applied", planned.total_edits])
        expect(renamed.files.map((f: any) => f.path)).toContain(file)

        const detected = await call("change", { operation: "detect", source: { base: "HEAD" } })
        const ids = detected.changed_symbols.map((s: any) => s.id)
        expect(ids).toContain(`${story.symbol.split("::")[0]}::${story.newName}`)
        expect(ids).toContain(story.caller)
        const tests = await follow(detected)
        expect(tests.run_commands.length).toBeGreaterThan(0)
        const guards = await call("change", {
          operation: "guards",
          target: { symbols: ids.filter((id: string) => id !== story.symbol) }
        })
        expect(guards.violations).toEqual([])
        const contract = await call("change", {
          operation: "contract",
          source: { source: "diff", base: "HEAD" }
        })
        expect(["allow", "warn"]).toContain(contract.verdict)
        expect(contract.verification_command).toBeTypeOf("string")

        // One environment for all of them, so that what a tool chain compiles for itself is compiled once.
        const env: NodeJS.ProcessEnv = { ...process.env, ...environment(), HOME: process.env["HOME"] }
        delete env["VITEST"]
        for (const command of [
          ...tests.run_commands.map((c: any) => c.command ?? c),
          contract.verification_command
        ]) {
          const ran = spawnSync("sh", ["-c", command], {
            cwd: directory,
            encoding: "utf8",
            env,
            timeout: 120_000
          })
          expect(ran.status, `${command}\n${ran.stdout}\n${ran.stderr}`).toBe(0)
        }
      }
    )
  }
})
