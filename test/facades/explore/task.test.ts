import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { closure } from "../../../src/facades/explore/closure.ts"
import { context } from "../../../src/facades/explore/context.ts"
import { excerptOf } from "../../../src/facades/explore/Excerpt.ts"
import { outline } from "../../../src/facades/explore/outline.ts"
import { task } from "../../../src/facades/explore/task.ts"
import { answer, projected } from "./run.ts"
import { sample } from "./sample.ts"
import { folder } from "./services.ts"

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe("explore.task", () => {
  it.scoped("answers a sentence with the symbol, its source, its users, its tests and the file", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, task, {
        task: "extend the lifetime of a session when the browser renews it"
      })
      expect(value.symbols[0].id).toBe("session/store.go::Store.Renew")
      expect(value.symbols[0].source).toContain("found.Expires = now.Add(s.lifetime)")
      expect(value.symbols[0].used_by).toContain("api/handler.go::Handler.HandleRenew")
      expect(value.files[0].path).toBe("session/store.go")
      expect(value.tests).toEqual(["session/store_test.go"])
      expect(value.completeness).toMatchObject({ index: "fresh", text_search: "complete" })
    })
  )

  it.scoped("goes from a stack trace to the place", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const line = sample["cart/cart.go"]!.split("\n").findIndex((l) => l.includes("sum += item.Price")) + 1
      const value = yield* answer(services, task, {
        task: `panic: runtime error\n\ngoroutine 1 [running]:\nexample.com/shop/cart.(*Cart).Total(0x0)\n\t/home/ci/shop/cart/cart.go:${line} +0x1d`
      })
      expect(value.symbols[0].id).toBe("cart/cart.go::Cart.Total")
      expect(value.symbols[0].because).toContain("place")
    })
  )

  it.scoped("goes from a printed message to where it is made, and from there to who answers it", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, task, { task: 'users see "session token has expired" too early' })
      expect(value.files[0].path).toBe("session/store.go")
      expect(value.symbols.map((s: any) => s.id)).toContain("session/store.go::ErrExpired")
      expect(value.symbols.find((s: any) => s.id.endsWith("ErrExpired")).because).toContain("message")
    })
  )

  it.scoped("goes from a failing test to what it tests", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, task, { task: "TestTotal fails" })
      expect(value.symbols.slice(0, 3).map((s: any) => s.id)).toContain("cart/cart.go::Cart.Total")
      expect(
        value.files
          .slice(0, 2)
          .map((f: any) => f.path)
          .toSorted()
      ).toEqual(["cart/cart.go", "cart/cart_test.go"])
    })
  )

  it.scoped("says what it does not know, and answers nothing as nothing", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, task, {
        task: "where is `zqxjFrobnicate` in lib/none.zig called"
      })
      expect(value.completeness.unmatched).toContain("zqxjFrobnicate")
      const nothing = yield* answer(services, task, { task: "zqxj wvutq" })
      expect(nothing.symbols).toEqual([])
      expect(nothing.files).toEqual([])
      const page = yield* projected(services, task, { task: "zqxj wvutq", output: { format: "markdown" } })
      expect(page.text).toContain("Nothing here matches the task.")
    })
  )

  it.scoped("does not let leaves of data with one name fill the head", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, task, {
        task: "how long is the session lifetime and can it renew"
      })
      const ids: ReadonlyArray<string> = value.symbols.map((s: any) => s.id)
      for (const leaf of ["session", "lifetime", "renew"])
        expect(ids.filter((id) => id.startsWith("config/") && id.endsWith(leaf)).length).toBeLessThanOrEqual(
          1
        )
      expect(ids[0]).toMatch(/^session\/store\.go/)
    })
  )

  it.scoped("stays in the paths asked for and refuses a repository it does not have", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, task, { task: "renew session total", options: { path: "cart" } })
      expect(value.files.every((f: any) => f.path.startsWith("cart/"))).toBe(true)
      const failure = yield* Effect.flip(answer(services, task, { task: "renew", path: "other-repository" }))
      expect(failure.code).toBe("repo_not_tracked")
      expect(
        (yield* answer(services, task, { task: "renew", path: "session" })).symbols.length
      ).toBeGreaterThan(0)
    })
  )

  it.scoped("keeps its budget whatever is asked", () =>
    Effect.gen(function* () {
      const services = yield* folder({
        ...sample,
        "long.go": `package main\n\n// Renew everything about sessions.\nfunc RenewEverything() {\n${'\tprintln("renew \\"session\\" 世界")\n'.repeat(400)}}\n`
      })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 100, max: 4000 }),
            fc.integer({ min: 1, max: 40 }),
            fc.subarray(
              ["renew", "session", "cart total", "`Store.Renew`", "TestTotal", "config/a.json", "lifetime"],
              { minLength: 1 }
            ),
            async (token_budget, max_symbols, words) => {
              const value = await Effect.runPromise(
                answer(services, task, { task: words.join(" "), options: { token_budget, max_symbols } })
              )
              expect(bytes(value)).toBeLessThanOrEqual(Math.ceil(token_budget * 1.25 * 3.5) + 4)
              const source = value.symbols.reduce(
                (n: number, s: any) => n + Buffer.byteLength(s.source ?? ""),
                0
              )
              expect(source).toBeLessThanOrEqual(token_budget * 3.5)
              expect(value.symbols.length).toBeLessThanOrEqual(max_symbols)
              expect(value._truncated_by_budget).toBeUndefined()
            }
          ),
          { numRuns: 30 }
        )
      )
    })
  )

  it("cuts source in order, counts what it leaves out, and never cuts what fits", () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)
    expect(excerptOf(lines, 3, 5, [], 1000)).toEqual({ text: "line 3\nline 4\nline 5", cut: false })
    expect(excerptOf(lines, 3, 5, [], 5)).toBeUndefined()
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 19 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
        fc.integer({ min: 40, max: 500 }),
        (from, length, wanted, budget) => {
          const cut = excerptOf(lines, from, from + length, wanted, budget)
          if (cut === undefined) return
          expect(Buffer.byteLength(JSON.stringify(cut.text))).toBeLessThanOrEqual(budget + 30)
          const rows = cut.text.split("\n")
          const counted = rows.reduce(
            (n, row) => n + (row.startsWith("⋯") ? Number(/\d+/.exec(row)![0]) : 1),
            0
          )
          expect(counted).toBe(length + 1)
          const shown = rows.filter((r) => !r.startsWith("⋯")).map((r) => Number(r.slice(5)))
          expect(shown).toEqual(shown.toSorted((a, b) => a - b))
        }
      )
    )
  })
})

describe("explore.context", () => {
  it.scoped("packs source, neighbours, tests and reach, and knows a pack that is still held", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const ask = {
        task: "extend session lifetime in Renew",
        options: { max_symbols: 3, include_call_paths: true, include_confidence: true }
      }
      const value = yield* answer(services, context, ask)
      expect(value.relevant_symbols[0].id).toBe("session/store.go::Store.Renew")
      expect(value.relevant_symbols[0].source).toContain("return ErrExpired")
      expect(value.related_test_files).toContain("session/store_test.go")
      expect(value.files_to_edit[0]).toBe("session/store.go")
      expect(value.blast_radius.direct_users).toBeGreaterThan(0)
      expect(["high", "medium", "low"]).toContain(value.confidence.verdict)
      const again = yield* answer(services, context, {
        ...ask,
        options: { ...ask.options, if_none_match: value.etag }
      })
      expect(again).toEqual({ not_modified: true, etag: value.etag })

      const file = join(services.root, "session/store.go")
      writeFileSync(
        file,
        readFileSync(file, "utf8").replace("return s.byToken[token]", 'return s.byToken[token+""]')
      )
      const changed = yield* answer(services, context, {
        ...ask,
        options: { ...ask.options, max_symbols: 5, delta_from: value.etag }
      })
      expect(changed.etag).not.toBe(value.etag)
      expect([...changed.pack_delta.unchanged]).toContain("session/store.go::Store.Renew")
      const bad = yield* Effect.flip(
        answer(services, context, { task: "x", options: { delta_from: "nonsense" } })
      )
      expect(bad.field).toBe("options.delta_from")
    })
  )

  it.scoped("grades by budget and estimates without packing", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, context, {
        task: "session renew cart total",
        options: { fidelity: "graded", token_budget: 700 }
      })
      const tiers = value.context_manifest.map((m: any) => m.tier)
      expect(tiers[0]).toBe("full")
      expect(bytes(value.context_manifest)).toBeLessThanOrEqual(700 * 3.5)
      const estimate = yield* answer(services, context, {
        task: "session renew",
        options: { estimate: true }
      })
      expect(estimate.estimate.source_tokens).toBeGreaterThan(20)
      expect(estimate.relevant_symbols).toBeUndefined()
      const missing = yield* Effect.flip(
        answer(services, context, { task: "x", options: { entry_point: "Nowhere" } })
      )
      expect(missing.code).toBe("symbol_not_found")
      const entry = yield* answer(services, context, {
        task: "prices",
        options: { entry_point: "cart/cart.go" }
      })
      expect(entry.entry_file_symbols.map((s: any) => s.id)).toContain("cart/cart.go::Cart.Total")
      expect(entry.files_to_edit[0]).toBe("cart/cart.go")
    })
  )
})

describe("explore.closure", () => {
  it.scoped("follows what seeds use, nearest first, and says where it stopped", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const value = yield* answer(services, closure, {
        options: { symbols: ["api/handler.go::Handler.HandleRenew"], edge_kinds: ["calls"] }
      })
      expect(value.seeds).toEqual(["api/handler.go::Handler.HandleRenew"])
      const by = new Map(value.members.map((m: any) => [m.id, m.distance]))
      expect(by.get("session/store.go::Store.Renew")).toBe(1)
      expect(by.get("session/store.go::Store.lookup")).toBe(2)
      expect(value.truncated).toBe(false)
      const near = yield* answer(services, closure, {
        options: { symbols: ["api/handler.go::Handler.HandleRenew"], edge_kinds: ["calls"], max_depth: 1 }
      })
      expect(near.members.map((m: any) => m.id)).toEqual(["session/store.go::Store.Renew"])
      expect(near.stopped_at_depth).toBe(1)
      const walk = yield* answer(services, closure, {
        options: { files: ["api/handler.go"], rank: "proximity" }
      })
      expect(walk.members[0].proximity).toBeGreaterThanOrEqual(walk.members[1].proximity)
    })
  )

  it.scoped("tells a seed that is not there from one that uses nothing", () =>
    Effect.gen(function* () {
      const services = yield* folder(sample)
      const none = yield* Effect.flip(answer(services, closure, { options: { files: ["nowhere.go"] } }))
      expect(none.code).toBe("symbol_not_found")
      const some = yield* answer(services, closure, { options: { files: ["nowhere.go", "cart/cart.go"] } })
      expect(some.missing_files).toEqual(["nowhere.go"])
      const kinds = yield* Effect.flip(
        answer(services, closure, { options: { files: ["cart/cart.go"], edge_kinds: ["friends"] } })
      )
      expect(kinds.data?.["valid_values"]).toContain("calls")
    })
  )
})

describe("explore.outline", () => {
  it.scoped("shows languages, areas, hotspots and entry points", () =>
    Effect.gen(function* () {
      const services = yield* folder({ ...sample, "cmd/shop/main.go": "package main\n\nfunc main() {}\n" })
      const value = yield* answer(services, outline, {})
      expect(value.primary_language).toBe("go")
      expect(value.languages.find((l: any) => l.language === "go").files).toBe(6)
      expect(value.areas.map((a: any) => a.path)).toEqual(expect.arrayContaining(["session", "cart"]))
      expect(value.entry_points).toContainEqual({ id: "cmd/shop/main.go::main", because: "main" })
      expect(value.hotspots.length).toBeGreaterThan(0)
    })
  )
})
