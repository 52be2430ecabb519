import { Effect, Fiber } from "effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Activity } from "../../../src/engine/lsp/Activity.ts"
import { Capabilities } from "../../../src/engine/lsp/Capabilities.ts"
import { catalogue } from "../../../src/engine/lsp/Catalogue.ts"
import { compare, union } from "../../../src/engine/lsp/Diagnostics.ts"
import * as Glob from "../../../src/engine/lsp/Glob.ts"
import { groupMemory } from "../../../src/engine/lsp/Memory.ts"
import { fromUtf16, Lines, toUtf16 } from "../../../src/engine/lsp/Positions.ts"
import { decide, defaultPolicy } from "../../../src/engine/lsp/Restarts.ts"
import { documentKind } from "../../../src/engine/lsp/ServerRow.ts"
import { relativeOf, uriOf } from "../../../src/engine/lsp/Uri.ts"
import { atLeast, versionIn } from "../../../src/engine/lsp/Version.ts"
import { ViewLock } from "../../../src/engine/lsp/ViewLock.ts"
import type { LanguageDiagnostic } from "../../../src/services/LanguageReader.ts"

describe("columns", () => {
  it("are the same place in every unit", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.fullUnicodeString(),
        FastCheck.nat({ max: 40 }),
        FastCheck.constantFrom("utf-8" as const, "utf-32" as const, "utf-16" as const),
        (text, cut, encoding) => {
          const characters = [...text]
          const column = characters.slice(0, cut).join("").length
          const there = fromUtf16(text, column, encoding)
          expect(toUtf16(text, there, encoding)).toBe(column)
          if (encoding === "utf-8") expect(there).toBe(Buffer.byteLength(text.slice(0, column)))
          if (encoding === "utf-32") expect(there).toBe(Math.min(cut, characters.length))
        }
      )
    )
  })

  it("past the end are the end, and inside a character its start", () => {
    expect(toUtf16("a😀b", 99, "utf-8")).toBe(4)
    expect(toUtf16("a😀b", 3, "utf-8")).toBe(1)
    expect(fromUtf16("a😀b", 2, "utf-8")).toBe(1)
    expect(fromUtf16("a😀b", 99, "utf-32")).toBe(3)
  })

  it("stand in lines that end in LF, CRLF or CR", () => {
    const lines = new Lines("one\r\ntwo\nthree\rfour")
    expect([lines.count, lines.line(0), lines.line(1), lines.line(2), lines.line(3), lines.line(4)]).toEqual([
      4,
      "one",
      "two",
      "three",
      "four",
      ""
    ])
    expect(lines.offset(1, 1)).toBe(6)
    expect(lines.offset(0, 99)).toBe(3)
    expect(lines.offset(9, 0)).toBe(19)
  })
})

describe("capabilities", () => {
  it("are declared, nested and false alike", () => {
    const offers = new Capabilities()
    offers.declare({
      referencesProvider: {},
      definitionProvider: false,
      renameProvider: { prepareProvider: true },
      codeActionProvider: true,
      textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
      workspace: { fileOperations: { willRename: { filters: [] } } }
    })
    expect(
      [
        "textDocument/references",
        "textDocument/definition",
        "textDocument/prepareRename",
        "codeAction/resolve",
        "workspace/willRenameFiles",
        "textDocument/unheardOf"
      ].map((m) => offers.offers(m))
    ).toEqual([true, false, true, false, true, false])
    expect([offers.sync, offers.openClose, offers.save]).toEqual([2, true, true])
  })

  it("can be registered for one language, with what the registration brings", () => {
    const offers = new Capabilities()
    offers.register({
      registrations: [
        {
          id: "1",
          method: "textDocument/rename",
          registerOptions: { documentSelector: [{ language: "go" }], prepareProvider: true }
        }
      ]
    })
    expect(offers.offers("textDocument/rename", "go")).toBe(true)
    expect(offers.offers("textDocument/prepareRename", "go")).toBe(true)
    expect(offers.offers("textDocument/rename", "rust")).toBe(false)
    offers.unregister({ unregisterations: [{ id: "1", method: "textDocument/rename" }] })
    expect(offers.offers("textDocument/rename", "go")).toBe(false)
  })

  it("once withdrawn stay so, even when registered again", () => {
    const offers = new Capabilities()
    offers.declare({ typeHierarchyProvider: true })
    offers.withdraw("textDocument/prepareTypeHierarchy")
    offers.register({ registrations: [{ id: "1", method: "textDocument/prepareTypeHierarchy" }] })
    expect(offers.offers("textDocument/prepareTypeHierarchy")).toBe(false)
    expect(offers.broken).toEqual(["textDocument/prepareTypeHierarchy"])
  })

  it("are not upset by what makes no sense", () => {
    const offers = new Capabilities()
    offers.declare(null)
    offers.register({ registrations: [null, 3, { id: 4 }] })
    offers.unregister(undefined)
    expect(offers.offers("textDocument/rename")).toBe(false)
  })
})

describe("patterns of watched files", () => {
  it.each([
    ["**/*.{ts,tsx}", "src/deep/a.tsx", true],
    ["**/*.{ts,tsx}", "a.ts", true],
    ["**/*.{ts,tsx}", "a.js", false],
    ["*.go", "a.go", true],
    ["*.go", "x/a.go", false],
    ["/r/**", "/r/a/b", true],
    ["/r/**/node_modules/**/*", "/r/node_modules/x/y.json", true],
    ["go.{mod,work}", "go.mod", true],
    ["[a-c]?.c", "bx.c", true],
    ["[!a-c]?.c", "bx.c", false],
    ["a+b(c).ts", "a+b(c).ts", true]
  ])("%s and %s: %s", (glob, path, expected) => {
    expect(Glob.compile(glob)(path)).toBe(expected)
  })
})

describe("restarts", () => {
  const at = 1_000_000_000

  it("wait 1, 4 and 15 seconds", () => {
    expect(decide(defaultPolicy, [], at)).toEqual({ kind: "start", millis: 0 })
    expect(decide(defaultPolicy, [at], at)).toEqual({ kind: "start", millis: 1000 })
    expect(decide(defaultPolicy, [at - 2000, at], at)).toEqual({ kind: "start", millis: 4000 })
    expect(decide(defaultPolicy, [at - 9000, at - 5000, at], at)).toEqual({ kind: "start", millis: 15_000 })
    expect(decide(defaultPolicy, [at - 400], at)).toEqual({ kind: "start", millis: 600 })
    expect(decide(defaultPolicy, [at - 5000], at)).toEqual({ kind: "start", millis: 0 })
  })

  it("stop when three did not help within five minutes, until the first failure is five minutes old", () => {
    const failures = [at - 60_000, at - 50_000, at - 40_000, at - 1000]
    expect(decide(defaultPolicy, failures, at)).toEqual({ kind: "open", millis: 240_000 })
    expect(decide(defaultPolicy, failures, at + 240_000)).toEqual({ kind: "start", millis: 0 })
  })

  it("forget failures older than five minutes", () => {
    expect(decide(defaultPolicy, [at - 300_000, at - 301_000, at - 302_000], at)).toEqual({
      kind: "start",
      millis: 0
    })
  })
})

describe("the lock over views", () => {
  it("never lets two views in together, and lets everyone in", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(
          FastCheck.record({
            view: FastCheck.constantFrom("a", "b", "c"),
            ticks: FastCheck.nat({ max: 3 }),
            leaves: FastCheck.boolean()
          }),
          { maxLength: 25 }
        ),
        async (readers) => {
          const lock = new ViewLock()
          const inside: Array<string> = []
          let entered = 0
          await Effect.runPromise(
            Effect.forEach(
              readers,
              ({ view, ticks, leaves }) => {
                const visit = lock.with(
                  view,
                  Effect.gen(function* () {
                    inside.push(view)
                    entered++
                    for (let i = 0; i < ticks; i++) {
                      expect(new Set(inside).size).toBe(1)
                      yield* Effect.yieldNow()
                    }
                    inside.splice(inside.indexOf(view), 1)
                  }).pipe(Effect.uninterruptible)
                )
                // Some lose patience, perhaps while they wait.
                return leaves
                  ? Effect.flatMap(Effect.fork(visit), (fiber) =>
                      Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(fiber))
                    )
                  : visit
              },
              { concurrency: "unbounded", discard: true }
            )
          )
          expect(lock.readers).toBe(0)
          expect(entered).toBeGreaterThanOrEqual(readers.filter(({ leaves }) => !leaves).length)
        }
      ),
      { numRuns: 200 }
    )
  })

  it("lets readers of one view in together, but none past a reader of another who waits", async () => {
    const lock = new ViewLock()
    const order: Array<string> = []
    const visit = (view: string, name: string) =>
      lock.with(
        view,
        Effect.gen(function* () {
          order.push(`${name} in`)
          yield* Effect.sleep(20)
          order.push(`${name} out`)
        })
      )
    await Effect.runPromise(
      Effect.all([visit("a", "1"), visit("a", "2"), visit("b", "3"), visit("a", "4")], {
        concurrency: "unbounded",
        discard: true
      })
    )
    expect(order).toEqual(["1 in", "2 in", "1 out", "2 out", "3 in", "3 out", "4 in", "4 out"])
  })
})

describe("diagnostics compared", () => {
  const at = (line: number, message: string): LanguageDiagnostic => ({
    path: "a.ts",
    startLine: line,
    startColumn: 0,
    endLine: line,
    endColumn: 1,
    severity: "error",
    message
  })

  it("are the same where they only moved", () => {
    expect(compare([at(1, "x"), at(9, "y")], [at(2, "x"), at(10, "y")])).toEqual({
      added: [],
      removed: [],
      kept: 2
    })
  })

  it("are counted: a third of a kind is new, and it is the one that was not there", () => {
    expect(compare([at(1, "x"), at(5, "x")], [at(1, "x"), at(3, "x"), at(5, "x")])).toEqual({
      added: [at(3, "x")],
      removed: [],
      kept: 2
    })
  })

  it("are gone and new", () => {
    expect(compare([at(1, "x")], [at(1, "y")])).toEqual({
      added: [at(1, "y")],
      removed: [at(1, "x")],
      kept: 0
    })
  })

  it("of two sources are one list without repetitions", () => {
    expect(union([at(3, "x"), at(1, "z")], [at(3, "x"), at(2, "y")])).toEqual([
      at(1, "z"),
      at(2, "y"),
      at(3, "x")
    ])
  })
})

describe("work of a server", () => {
  const progress = (token: string, value: object) => ({ token, value })

  it("is under way from its begin to its end", () => {
    const activity = new Activity()
    activity.progress(progress("t", { kind: "begin", title: "Indexing", percentage: 0 }))
    activity.progress(progress("t", { kind: "report", message: "3/9", percentage: 33 }))
    expect(activity.work).toEqual([{ title: "Indexing", detail: "3/9", percent: 33 }])
    expect([activity.idle, activity.hasEnded("t")]).toEqual([false, false])
    activity.progress(progress("t", { kind: "end" }))
    expect([activity.idle, activity.hasEnded("t")]).toEqual([true, true])
  })

  it("can be waited for, until it has been still for a while or the time is over", async () => {
    const activity = new Activity()
    activity.progress(progress("t", { kind: "begin", title: "Indexing" }))
    const wait = (maxMillis: number) =>
      Effect.runPromise(activity.settled({ when: () => activity.idle, quietMillis: 20, maxMillis }))
    expect(await wait(50)).toBe(false)
    const settled = wait(10_000)
    activity.progress(progress("t", { kind: "end" }))
    expect(await settled).toBe(true)
  })

  it("is not a partial result", () => {
    const activity = new Activity()
    activity.progress({ token: "p", value: [{ uri: "file:///a" }] })
    expect(activity.idle).toBe(true)
  })
})

describe("versions", () => {
  it.each([
    ["rust-analyzer 1.95.0 (5980761 2026-04-14)", "1.95.0"],
    ["Debian clangd version 19.1.7 (3~deb12u1)", "19.1.7"],
    ["golang.org/x/tools/gopls v0.21.1", "0.21.1"],
    ["error: Unknown binary", undefined]
  ])("in %j: %s", (text, version) => {
    expect(versionIn(text)).toBe(version)
  })

  it("are compared number by number", () => {
    expect(atLeast("7.0.2", "7.0.0")).toBe(true)
    expect(atLeast("6.9.9", "7")).toBe(false)
    expect(atLeast("7", "7.0.0")).toBe(true)
    expect(atLeast("0.10", "0.9")).toBe(true)
  })
})

describe("the catalogue", () => {
  it("names each server once", () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  })

  it.each([
    ["src/a.tsx", "typescript", "typescriptreact"],
    ["a/b.mts", "typescript", "typescript"],
    ["tsconfig.build.json", "json", "jsonc"],
    ["package.json", "json", "json"],
    ["lib/x.hpp", "clangd", "cpp"],
    ["docker/Dockerfile.dev", "dockerfile", "dockerfile"],
    ["Gemfile", "ruby", "ruby"]
  ])("gives %s to %s as %s", (path, id, languageId) => {
    const row = catalogue.find((r) => r.serves === "everything" && documentKind(r, path) !== undefined)
    expect([row?.id, row === undefined ? undefined : documentKind(row, path)?.languageId]).toEqual([
      id,
      languageId
    ])
  })

  it("tells for every server how to get it", () => {
    expect(catalogue.filter(({ hint }) => hint.length < 10)).toEqual([])
  })
})

describe("files", () => {
  it("keep their path through their URI", () => {
    for (const path of ["a.ts", "a b/ü#%.ts", "[id].tsx", "x@1/y+z.ts"])
      expect(relativeOf("/r", uriOf("/r", path))).toBe(path)
    expect(relativeOf("/r", "file:///r%2Fx")).toBe(undefined)
    expect(relativeOf("/r", "file:///rx/a")).toBe(undefined)
    expect(relativeOf("/r", "bundled:///libs/a")).toBe(undefined)
  })
})

describe("memory", () => {
  it("of a process group is known here", async () => {
    const group = Number(
      (await import("node:child_process")).execFileSync("ps", ["-o", "pgid=", "-p", String(process.pid)], {
        encoding: "utf8"
      })
    )
    const memory = await Effect.runPromise(groupMemory(new Set([group, 2 ** 30])))
    expect(memory.get(group)).toBeGreaterThan(10 * 2 ** 20)
    expect(memory.has(2 ** 30)).toBe(false)
  })
})
