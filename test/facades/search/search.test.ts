import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ast } from "../../../src/facades/search/ast.ts"
import { detectors } from "../../../src/facades/search/Detectors.ts"
import { completion } from "../../../src/facades/search/completion.ts"
import { files } from "../../../src/facades/search/files.ts"
import { symbols } from "../../../src/facades/search/symbols.ts"
import { text } from "../../../src/facades/search/text.ts"
import { winnow } from "../../../src/facades/search/winnow.ts"
import { answer } from "../explore/run.ts"
import { sample } from "../explore/sample.ts"
import { folder } from "../explore/services.ts"

describe("files that could not be read", () => {
  const files = { "a.js": `function hidden(){}${";".repeat(60_000)}\n`, "b.ts": "export const seen = 1\n" }
  it.scoped("keep a name that is not found from being a plain no", () =>
    Effect.gen(function* () {
      const services = yield* folder(files)
      expect(yield* answer(services, symbols, { query: "hidden" })).toMatchObject({
        total: 0,
        complete: false,
        causes: ["unread_files"],
        unread_files: 1
      })
      expect(yield* answer(services, symbols, { query: "seen" })).not.toHaveProperty("unread_files")
    })
  )
  it.scoped("are searched as text when they are only minified, and counted when they are too large", () =>
    Effect.gen(function* () {
      const services = yield* folder({ ...files, "large.js": "function vast(){}\n".repeat(130_000) })
      const found = yield* answer(services, text, { query: "function hidden" })
      expect(found).toMatchObject({ total: 1, unread_files: 1 })
      expect(found.matches[0].path).toBe("a.js")
      expect(yield* answer(services, text, { query: "vast" })).toMatchObject({ total: 0, unread_files: 1 })
      const elsewhere = yield* answer(services, text, { query: "seen", options: { glob: "*.ts" } })
      expect(elsewhere).not.toHaveProperty("unread_files")
    })
  )
})

describe("search.symbols", () => {
  it.scoped("ranks, counts and pages: the pages together are the whole", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const whole = yield* answer(services, symbols, {
        query: "session",
        options: { max_per_file: 0 },
        output: { limit: 200 }
      })
      expect(whole.results[0]).toMatchObject({
        id: "session/store.go::Session",
        kind: "struct",
        match: "exact"
      })
      expect(whole.query_class).toBe("symbol")
      expect(whole.total).toBe(whole.results.length)
      const pages: Array<string> = []
      let cursor: string | undefined
      do {
        const part = yield* answer(services, symbols, {
          query: "session",
          options: { max_per_file: 0 },
          output: { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
        })
        pages.push(...part.results.map((r: any) => r.id))
        cursor = part.next_cursor
      } while (cursor !== undefined)
      expect(pages).toEqual(whole.results.map((r: any) => r.id))
    })
  )

  it.scoped("keeps code and data apart, and takes filters from the query", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const code = yield* answer(services, symbols, { query: "lifetime" })
      expect(code.results.every((r: any) => r.file_path.endsWith(".go"))).toBe(true)
      const content = yield* answer(services, symbols, { query: "lifetime", options: { corpus: "content" } })
      expect(content.results.length).toBeGreaterThan(0)
      expect(content.results.every((r: any) => r.file_path.endsWith(".json"))).toBe(true)
      const structs = yield* answer(services, symbols, { query: "kind:struct session" })
      expect(new Set(structs.results.map((r: any) => r.kind))).toEqual(new Set(["struct"]))
      const flavour = yield* answer(services, symbols, { query: "session", options: { flavor: "struct" } })
      expect(new Set(flavour.results.map((r: any) => r.kind))).toEqual(new Set(["struct"]))
    })
  )

  it.scoped("says when it dropped filters that left nothing, and does not drop those of options", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const relaxed = yield* answer(services, symbols, { query: "kind:interface Renew" })
      expect(relaxed.filters_relaxed).toEqual(["kind:interface"])
      expect(relaxed.results[0].id).toBe("session/store.go::Store.Renew")
      const held = yield* answer(services, symbols, { query: "Renew", options: { kind: "interface" } })
      expect(held.results).toEqual([])
      expect(held.total).toBe(0)
      expect(held.filters_relaxed).toBeUndefined()
      expect(held.query_advice).toContain("search.text")
    })
  )
})

describe("search.text", () => {
  it.scoped("tags hits with the symbol around them and pages to the end", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const whole = yield* answer(services, text, { query: "s.Renew(" })
      expect(whole.matches).toEqual([
        expect.objectContaining({
          path: "session/store_test.go",
          symbol_id: "session/store_test.go::TestRenewAfterExpiry"
        })
      ])
      expect(whole.total).toBe(1)
      const all = yield* answer(services, text, { query: "session", options: { ignore_case: true } })
      const pages: Array<string> = []
      let cursor: string | undefined
      do {
        const part = yield* answer(services, text, {
          query: "session",
          options: { ignore_case: true },
          output: { limit: 3, ...(cursor === undefined ? {} : { cursor }) }
        })
        pages.push(...part.matches.map((m: any) => `${m.path}:${m.line}`))
        cursor = part.next_cursor
      } while (cursor !== undefined)
      expect(pages).toEqual(all.matches.map((m: any) => `${m.path}:${m.line}`))
    })
  )

  it.scoped("answers files and counts in less than matches take", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const ask = (mode: string) => answer(services, text, { query: "session", options: { mode } })
      const [matches, paths, counts] = [yield* ask("matches"), yield* ask("files"), yield* ask("count")]
      expect(paths.files.map((f: any) => f.path)).toEqual([
        ...new Set(matches.matches.map((m: any) => m.path))
      ])
      expect(counts.files.reduce((n: number, f: any) => n + f.count, 0)).toBe(matches.matches.length)
      expect(JSON.stringify(paths).length).toBeLessThan(JSON.stringify(matches).length)
      expect(JSON.stringify(counts).length).toBeLessThan(JSON.stringify(matches).length)
    })
  )

  it.scoped("takes no hit for success and a bad pattern for a failure", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const none = yield* answer(services, text, { query: "nowhere to be found" })
      expect(none).toEqual({ matches: [], total: 0, total_files: 0 })
      const bad = yield* Effect.flip(answer(services, text, { query: "a(", options: { regexp: true } }))
      expect(bad.code).toBe("invalid_pattern")
      const glob = yield* Effect.flip(answer(services, text, { query: "a", options: { glob: "[" } }))
      expect([glob.code, glob.field]).toEqual(["invalid_glob", "options.glob"])
      const tongue = yield* Effect.flip(
        answer(services, text, { query: "a", options: { language: "klingon" } })
      )
      expect([tongue.code, tongue.field]).toEqual(["invalid_argument", "options.language"])
      for (const path of ["../..", "/etc", "lib/../../x"]) {
        const outside = yield* Effect.flip(answer(services, text, { query: "a", options: { path } }))
        expect([outside.code, outside.field]).toEqual(["path_outside_root", "options.path"])
      }
      const literal = yield* answer(services, text, { query: "a(" })
      expect(literal.total).toBeGreaterThanOrEqual(0)
      const narrow = yield* answer(services, text, {
        query: "lifetime",
        options: { glob: "*.json", path: "config" }
      })
      expect(narrow.matches.every((m: any) => m.path.startsWith("config/"))).toBe(true)
      expect(narrow.total).toBe(3)
    })
  )
})

describe("search.files", () => {
  it.scoped("ranks names before paths, and code before its test", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      expect((yield* answer(services, files, { query: "cart.go" })).files[0].path).toBe("cart/cart.go")
      expect((yield* answer(services, files, { query: "cart" })).files.map((f: any) => f.path)).toEqual([
        "cart/cart.go",
        "cart/cart_test.go"
      ])
      expect(
        (yield* answer(services, files, { query: "session store" })).files.map((f: any) => f.path)
      ).toEqual(["session/store.go", "session/store_test.go"])
      expect((yield* answer(services, files, { query: "hdlr" })).total).toBe(0)
      expect((yield* answer(services, files, { query: "hdlr", options: { fuzzy: true } })).files).toEqual([
        { path: "api/handler.go", language: "go" }
      ])
      expect((yield* answer(services, files, { options: { glob: "*.json" } })).total).toBe(3)
      expect((yield* answer(services, files, { options: { glob: "**/*.go", path: "api" } })).files).toEqual([
        { path: "api/handler.go", language: "go" }
      ])
      expect((yield* Effect.flip(answer(services, files, { options: { glob: "[" } }))).code).toBe(
        "invalid_glob"
      )
      expect((yield* Effect.flip(answer(services, files, {}))).code).toBe("invalid_argument")
    })
  )
})

describe("search.completion", () => {
  it.scoped("adds neighbours of what the name finds, by the kinds of edge asked for", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, completion, { query: "HandleRenew", options: { seed_limit: 1 } })
      expect(value.results[0]).toMatchObject({ id: "api/handler.go::Handler.HandleRenew", is_seed: true })
      expect(value.results.map((r: any) => r.id)).toContain("session/store.go::Store.Renew")
      const alone = yield* answer(services, completion, {
        query: "HandleRenew",
        options: { seed_limit: 1, max_seed_expansion: 0 }
      })
      expect(alone.results.length).toBe(1)
      const wrong = yield* Effect.flip(
        answer(services, completion, { query: "x", options: { edge_kinds: "likes" } })
      )
      expect(wrong.field).toBe("options.edge_kinds")
    })
  )
})

describe("search.winnow", () => {
  it.scoped("narrows by structure and shows what each row's score is made of", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, winnow, {
        query: "session lifetime",
        options: { kind: "method,function", is_test: false }
      })
      expect(value.results[0].id).toBe("session/store.go::Store.Renew")
      for (const row of value.results) {
        const sum = Object.values(row.contributions as Record<string, number>).reduce((a, b) => a + b, 0)
        expect(Math.abs(sum - row.score)).toBeLessThan(0.003)
      }
      const used = yield* answer(services, winnow, { options: { min_fan_in: 2, kind: "method" } })
      expect(used.results.length).toBeGreaterThan(0)
      expect(used.results.every((r: any) => r.fan_in >= 2 && r.kind === "method")).toBe(true)
      const busy = yield* answer(services, winnow, { options: { min_fan_out: 3 } })
      expect(busy.results.every((r: any) => r.fan_out >= 3)).toBe(true)
      const tests = yield* answer(services, winnow, { options: { test_role: ["test"] } })
      expect(tests.results.map((r: any) => r.name).toSorted()).toEqual(["TestRenewAfterExpiry", "TestTotal"])
      expect(tests.total).toBe(2)
    })
  )
})

describe("search.ast", () => {
  it.scoped("tags matches with what is around them and drops those in tests or in unused functions", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, ast, {
        query: "(call_expression function: (selector_expression field: (field_identifier) @field)) @match",
        options: { language: "go" }
      })
      expect(value.matches.map((m: any) => m.symbol_id)).toContain("cart/cart.go::Cart.Discount")
      expect(value.matches.some((m: any) => m.file === "session/store_test.go")).toBe(true)
      expect(
        value.matches.find((m: any) => m.symbol_id === "api/handler.go::Handler.HandleRenew").captures.field
      ).toBeDefined()
      const code = yield* answer(services, ast, { query: "$X.Renew($$$ARGS)", options: { language: "go" } })
      expect(code.matches.map((m: any) => m.file)).toEqual(["api/handler.go", "session/store_test.go"])
      const quiet = yield* answer(services, ast, {
        query: "(call_expression) @match",
        options: { language: "go", exclude_tests: true, min_fan_in_of_enclosing_func: 1 }
      })
      expect(quiet.matches.some((m: any) => m.file.endsWith("_test.go"))).toBe(false)
      expect(quiet.matches.length).toBeGreaterThan(0)
      expect(quiet.matches.every((m: any) => m.symbol_id !== "api/handler.go::Handler.HandleRenew")).toBe(
        true
      )
    })
  )

  it.scoped("refuses what it cannot do by name", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      expect((yield* Effect.flip(answer(services, ast, { query: "(x)" }))).field).toBe("options.language")
      expect(
        (yield* Effect.flip(answer(services, ast, { options: { detector: "no-such-rule" } }))).data?.[
          "valid_detectors"
        ]
      ).toContain("panic")
      expect(
        (yield* Effect.flip(answer(services, ast, { options: { detector: "panic", language: "python" } })))
          .data?.["valid_values"]
      ).toEqual(["go", "rust"])
      expect(
        (yield* Effect.flip(
          answer(services, ast, { query: "(no_such_node) @match", options: { language: "go" } })
        )).code
      ).toBe("invalid_pattern")
      expect(
        (yield* Effect.flip(answer(services, ast, { query: "(x) @match", options: { language: "klingon" } })))
          .code
      ).toBe("capability_unavailable")
    })
  )

  it.scoped("has detectors that find what they are named for and nothing beside it", () =>
    Effect.gen(function* () {
      const services = yield* folder(bad)
      for (const { name, queries } of detectors) {
        const value = yield* answer(services, ast, { options: { detector: name } })
        expect(value.errors, name).toBeUndefined()
        const found = value.matches.map((m: any) => `${m.file}:${m.line}`)
        const wanted = Object.entries(bad)
          .flatMap(([file, text]) =>
            text
              .split("\n")
              .flatMap((line, at) =>
                new RegExp(`(?://|#)(?: [a-z-]+)*? ${name}(?: |$)`).test(line) ? [`${file}:${at + 1}`] : []
              )
          )
          .toSorted()
        expect(found.toSorted(), name).toEqual(wanted)
        expect(wanted.length, name).toBeGreaterThanOrEqual(1)
        expect(Object.keys(queries).length).toBeGreaterThan(0)
      }
    })
  )
})

/** Code that rules should stop at: the line of each finding names its rule. */
const bad: { readonly [path: string]: string } = {
  "a.ts": `import { exec } from "node:child_process"
export const load = (x: any) => { // any-type
  try { eval(x) } catch {} // empty-catch dynamic-eval
  try { load(x) } catch (e) { throw e }
  console.log(x) // debug-leftover
  console.error(x)
  if (x == 1) return 1 // loose-equality
  if (x == null) return 2
  exec("ls") // shell-command
  return x === 2
}
`,
  "b.js": `debugger // debug-leftover
try { run() } catch (e) { } // empty-catch
new Function("return 1") // dynamic-eval
`,
  "c.py": `import os, subprocess, time

def run(code):
    try:
        exec(code)  # dynamic-eval
    except:  # empty-catch bare-except
        pass
    try:
        run(code)
    except ValueError:
        raise
    breakpoint()  # debug-leftover
    subprocess.run(code, shell=True)  # shell-command
    os.system(code)  # shell-command
    time.sleep(1)  # sleep
`,
  "d.go": `package d

import "time"

func f() error { return nil }

func g() {
	_ = f() // ignored-error
	panic("no") // panic
	time.Sleep(time.Second) // sleep
	err := f()
	if err != nil {
		return
	}
}
`,
  "e.rs": `fn f(x: Option<i32>) -> i32 {
    dbg!(x); // debug-leftover
    std::thread::sleep(std::time::Duration::from_secs(1)); // sleep
    if x.is_none() {
        panic!("no") // panic
    }
    x.unwrap() // panic
}
`,
  "F.java": `class F {
  void run() {
    try {
      Thread.sleep(1); // sleep
    } catch (InterruptedException e) {} // empty-catch
  }
}
`
}
