import { Chunk, Effect, Layer, ManagedRuntime, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { layerLanguageServers, make } from "../../../src/engine/lsp/LanguageServers.ts"
import { LanguageReader, type LanguageEdit } from "../../../src/services/LanguageReader.ts"
import type { ServiceFailure } from "../../../src/services/ServiceFailure.ts"
import { alive, folder, write } from "./support/processes.ts"
import { placeOf } from "./support/rows.ts"

const files = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022"],
      noEmit: true,
      types: [],
      jsx: "preserve",
      allowImportingTsExtensions: true
    },
    include: ["src"]
  }),
  "package.json": '{"type":"module"}',
  "src/shape.ts": `export interface Shape {
  area(): number
}
export const total = (shapes: ReadonlyArray<Shape>): number =>
  shapes.reduce((sum, shape) => sum + shape.area(), 0)
`,
  "src/square.ts": `import type { Shape } from "./shape.ts"

// 😀 before the place: columns are UTF-16 units
export class Square implements Shape { /* 😀 */ constructor(readonly side: number) {}
  area(): number { return this.side ** 2 }
}
`,
  "src/circle.ts": `import type { Shape } from "./shape.ts"
export class Circle implements Shape {
  constructor(readonly radius: number) {}
  area(): number { return Math.PI * this.radius ** 2 }
}
`,
  "src/main.ts": `import { total } from "./shape.ts"
import { Square } from "./square.ts"
export { total as sum } from "./shape.ts"
const area = 3
export const answer: number = total([new Square(area)])
`,
  "src/money.ts": `export type Cash = number
export const Cash = (value: number): Cash => value
export { Cash as Coin }
`,
  "src/broken.ts": `export const wrong: string = 1\n`,
  "README.adoc": "text\n"
}

const root = folder(files)
const text = (path: keyof typeof files): string => files[path]
const at = (path: keyof typeof files, needle: string, nth = 0) => placeOf(path, text(path), needle, nth)

const runtime = ManagedRuntime.make(layerLanguageServers({ root, path: "" }))
afterAll(() => runtime.dispose())

const ask = <A, E>(question: (reader: LanguageReader["Type"]) => Effect.Effect<A, E>): Promise<A> =>
  runtime.runPromise(Effect.flatMap(LanguageReader, question))
const refuse = <A>(question: (reader: LanguageReader["Type"]) => Effect.Effect<A, ServiceFailure>) =>
  ask((reader) => Effect.flip(question(reader)))

const spots = (
  spans: ReadonlyArray<{ path: string; startLine: number; startColumn: number; endColumn: number }>
) => spans.map((s) => `${s.path}:${s.startLine}:${s.startColumn}-${s.endColumn}`)
const rewritten = (
  path: string,
  edits: ReadonlyArray<LanguageEdit>,
  from = readFileSync(join(root, path), "utf8")
) => {
  const lines = from.split("\n")
  for (const e of edits.filter((edit) => edit.path === path).reverse()) {
    expect(e.startLine).toBe(e.endLine)
    const line = lines[e.startLine - 1] ?? ""
    lines[e.startLine - 1] = line.slice(0, e.startColumn) + e.text + line.slice(e.endColumn)
  }
  return lines.join("\n")
}

describe("the TypeScript server", () => {
  it("knows every reference of a method, in files that were never opened too", async () => {
    const answer = await ask((reader) => reader.references(at("src/shape.ts", "area")))
    expect(spots(answer.value)).toEqual([
      "src/circle.ts:4:2-6",
      "src/shape.ts:2:2-6",
      "src/shape.ts:5:44-48",
      "src/square.ts:5:2-6"
    ])
    expect(answer).toMatchObject({ partial: false, outside: 0 })
    expect(answer.server).toMatch(/^typescript-go 7\./)
  })

  it("counts columns in UTF-16 units", async () => {
    const answer = await ask((reader) => reader.references(at("src/square.ts", "side")))
    expect(spots(answer.value)).toEqual(["src/square.ts:4:69-73", "src/square.ts:5:31-35"])
    expect(text("src/square.ts").split("\n")[3]?.slice(69, 73)).toBe("side")
  })

  it("knows definitions, and counts those outside the root", async () => {
    const inside = await ask((reader) => reader.definitions(at("src/main.ts", "total", 2)))
    expect(spots(inside.value)).toEqual(["src/shape.ts:4:13-18"])
    const outside = await ask((reader) => reader.definitions(at("src/circle.ts", "PI")))
    expect(outside.value).toEqual([])
    expect(outside.outside).toBeGreaterThan(0)
  })

  it("knows implementations", async () => {
    const answer = await ask((reader) => reader.implementations(at("src/shape.ts", "Shape")))
    expect(spots(answer.value)).toEqual(["src/circle.ts:2:13-19", "src/square.ts:4:13-19"])
  })

  it("renames a method everywhere, and nothing that is only called alike", async () => {
    const { value } = await ask((reader) => reader.rename(at("src/shape.ts", "area"), "surface"))
    expect(spots(value.edits)).toEqual([
      "src/circle.ts:4:2-6",
      "src/shape.ts:2:2-6",
      "src/shape.ts:5:44-48",
      "src/square.ts:5:2-6"
    ])
    expect(value.edits.map((e) => e.text)).toEqual(["surface", "surface", "surface", "surface"])
    expect(value.files).toEqual([])
    expect(rewritten("src/circle.ts", value.edits)).toContain("surface(): number { return Math.PI")
  })

  it("keeps exported names by aliases, or renames through them", async () => {
    const main = (edits: ReadonlyArray<LanguageEdit>) => rewritten("src/main.ts", edits).split("\n")
    const kept = await ask((reader) => reader.rename(at("src/main.ts", "total"), "count"))
    expect(kept.value.edits.every(({ path }) => path === "src/main.ts")).toBe(true)
    expect(main(kept.value.edits)[0]).toBe('import { total as count } from "./shape.ts"')
    const through = await ask((reader) =>
      reader.rename(at("src/main.ts", "total"), "count", { throughAliases: true })
    )
    expect(main(through.value.edits)[0]).toBe('import { count } from "./shape.ts"')
    expect(main(through.value.edits)[2]).toBe('export { count as sum } from "./shape.ts"')
    expect(rewritten("src/shape.ts", through.value.edits)).toContain("export const count = ")
    const again = await ask((reader) => reader.rename(at("src/main.ts", "total"), "count"))
    expect(again.value).toEqual(kept.value)
  })

  it("renames a type and a value of one name once, though it says some edits twice", async () => {
    const { value } = await ask((reader) => reader.rename(at("src/money.ts", "Cash"), "Coins"))
    expect(rewritten("src/money.ts", value.edits)).toBe(text("src/money.ts").replaceAll("Cash", "Coins"))
  })

  it("says what a rename would rename, and where there is nothing", async () => {
    const answer = await ask((reader) => reader.prepareRename(at("src/main.ts", "Square", 1)))
    expect(answer.value).toEqual({
      span: { path: "src/main.ts", startLine: 5, startColumn: 41, endLine: 5, endColumn: 47 },
      placeholder: "Square"
    })
    expect(await refuse((reader) => reader.prepareRename(at("src/main.ts", "3")))).toMatchObject({
      reason: "invalid_argument"
    })
    expect(await refuse((reader) => reader.rename(at("src/main.ts", "3"), "x"))).toMatchObject({
      reason: "invalid_argument",
      stateChanged: false
    })
  })

  it("says which imports follow a file that moves, and a folder", async () => {
    const file = await ask((reader) =>
      reader.willRenameFiles([{ from: "src/shape.ts", to: "src/forms/shape.ts" }])
    )
    expect(rewritten("src/main.ts", file.value.edits).split("\n")[0]).toBe(
      'import { total } from "./forms/shape.ts"'
    )
    expect([...new Set(file.value.edits.map(({ path }) => path))]).toEqual([
      "src/circle.ts",
      "src/main.ts",
      "src/square.ts"
    ])
    const whole = await ask((reader) => reader.willRenameFiles([{ from: "src", to: "source" }]))
    expect(whole.value.files).toEqual([])
  })

  it("offers to add a missing import, and the edit of it", async () => {
    const overlay = [
      { path: "src/new.ts", content: "export const s = new Square(2)\n", deleted: false as const }
    ]
    const answer = await ask((reader) =>
      Effect.gen(function* () {
        const { value } = yield* reader.actions(
          { path: "src/new.ts", startLine: 1, startColumn: 21, endLine: 1, endColumn: 27 },
          "quickfix",
          { overlay }
        )
        const wanted = value.find(({ title }) => title.includes("square"))
        return wanted === undefined ? undefined : yield* reader.resolveAction(wanted.handle)
      })
    )
    expect(answer?.value.edits.map(({ text: t }) => t).join("")).toContain('import { Square } from "./square')
    expect(await refuse((reader) => reader.resolveAction("no-such-handle"))).toMatchObject({
      reason: "not_found"
    })
  })
})

describe("diagnostics of the TypeScript server", () => {
  it("are those of the compiler", async () => {
    const { value, partial } = await ask((reader) => reader.diagnostics("src/broken.ts"))
    expect(partial).toBe(false)
    expect(value).toEqual([
      {
        path: "src/broken.ts",
        startLine: 1,
        startColumn: 13,
        endLine: 1,
        endColumn: 18,
        severity: "error",
        message: "Type 'number' is not assignable to type 'string'.",
        code: "2322",
        source: "ts"
      }
    ])
    expect((await ask((reader) => reader.diagnostics("src/main.ts"))).value).toEqual([])
  })

  it("follow an overlay of another file, without the disk, and only while it is asked for", async () => {
    const changed = text("src/shape.ts").replaceAll("area", "surface")
    const overlay = [{ path: "src/shape.ts", content: changed, deleted: false as const }]
    const codes = (answer: { value: ReadonlyArray<{ code?: string }> }) =>
      answer.value.map(({ code }) => code)
    expect(codes(await ask((reader) => reader.diagnostics("src/square.ts", { overlay })))).toEqual(["2420"])
    expect(codes(await ask((reader) => reader.diagnostics("src/square.ts")))).toEqual([])
    expect(readFileSync(join(root, "src/shape.ts"), "utf8")).toBe(text("src/shape.ts"))
  })

  it("know files that are only in the overlay", async () => {
    const overlay = [
      { path: "src/only.ts", content: "export const only = 1\n", deleted: false as const },
      {
        path: "src/user.ts",
        content: 'import { only } from "./only.ts"\nexport const x: string = only\n',
        deleted: false as const
      }
    ]
    const { value } = await ask((reader) => reader.diagnostics("src/user.ts", { overlay }))
    expect(value.map(({ code, startLine }) => [code, startLine])).toEqual([["2322", 2]])
    expect(await refuse((reader) => reader.diagnostics("src/user.ts"))).toMatchObject({ reason: "not_found" })
  })

  it("are kept apart when two overlays are asked about at once", async () => {
    const overlay = (type: string) => [
      { path: "src/main.ts", content: `export const n: ${type} = 1\n`, deleted: false as const }
    ]
    const answers = await ask((reader) =>
      Effect.all(
        Array.from({ length: 12 }, (_, i) =>
          reader.diagnostics("src/main.ts", { overlay: overlay(i % 2 === 0 ? "number" : "string") })
        ),
        { concurrency: "unbounded" }
      )
    )
    expect(answers.map(({ value }) => value.length)).toEqual(Array.from({ length: 12 }, (_, i) => i % 2))
  })

  it("of an overlay are compared with those of the disk", async () => {
    const overlay = [
      { path: "src/broken.ts", content: '\n\nexport const wrong: string = "1"\n', deleted: false as const },
      { path: "src/shape.ts", deleted: true as const }
    ]
    const { value } = await ask((reader) =>
      reader.compareDiagnostics(["src/broken.ts", "src/main.ts", "src/shape.ts"], overlay)
    )
    expect(value.removed.map(({ code, path }) => [path, code])).toEqual([["src/broken.ts", "2322"]])
    expect(new Set(value.added.map(({ path }) => path))).toEqual(new Set(["src/main.ts"]))
    expect(value.added.length).toBeGreaterThan(0)
  })

  it("of many files come one by one, with how many are done", async () => {
    const paths = ["src/main.ts", "src/broken.ts", "README.adoc", "src/none.ts"]
    const items = Chunk.toReadonlyArray(
      await ask((reader) => Stream.runCollect(reader.workspaceDiagnostics(paths)))
    )
    expect(items.map(({ done, total }) => [done, total])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4]
    ])
    const results = Object.fromEntries(
      items.map(({ path, result }) => [path, "value" in result ? result.value.length : result.reason])
    )
    expect(results).toEqual({
      "src/main.ts": 0,
      "src/broken.ts": 1,
      "README.adoc": "not_configured",
      "src/none.ts": "not_found"
    })
  })

  it("see what was written to disk: open files at once, others when told", async () => {
    const here = folder({
      ...files,
      "src/late.ts": 'import { soon } from "./soon.ts"\nexport const l: number = soon\n'
    })
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { reader } = yield* make({ root: here, path: "" })
          const codes = Effect.map(reader.diagnostics("src/late.ts"), ({ value }) =>
            value.map(({ code }) => code)
          )
          expect(yield* codes).toEqual(["2307"])
          write(here, { "src/soon.ts": "export const soon = 1\n" })
          yield* reader.changed(["src/soon.ts"])
          expect(yield* codes).toEqual([])
          write(here, { "src/soon.ts": 'export const soon = "1"\n' })
          yield* reader.changed(["src/soon.ts"])
          expect(yield* codes).toEqual(["2322"])
          write(here, { "src/late.ts": 'import { soon } from "./soon.ts"\nexport const l: string = soon\n' })
          expect(yield* codes).toEqual([])
          rmSync(join(here, "src/soon.ts"))
          yield* reader.changed(["src/soon.ts"])
          expect(yield* codes).toEqual(["2307"])
        })
      )
    )
  })
})

describe("questions that cannot be answered", () => {
  it("about a language without a server fail with what was tried and how to get one", async () => {
    const here = folder({ "a.go": "package a\n" })
    const failure = await Effect.runPromise(
      Effect.flip(
        Effect.provide(
          Effect.flatMap(LanguageReader, (reader) => reader.references({ path: "a.go", line: 1, column: 8 })),
          layerLanguageServers({ root: here, path: "" })
        )
      )
    )
    expect(failure).toMatchObject({
      service: "LanguageReader",
      reason: "not_configured",
      stateChanged: false
    })
    expect((failure as ServiceFailure).detail).toContain("gopls is not on PATH")
    expect((failure as ServiceFailure).detail).toContain("go install golang.org/x/tools/gopls")
  })

  it("about files of no language fail", async () => {
    expect(await refuse((reader) => reader.diagnostics("README.adoc"))).toMatchObject({
      reason: "not_configured",
      detail: expect.stringContaining("*.adoc") as unknown
    })
  })

  it("about places outside the root, or that are not there, fail", async () => {
    const reason = async (path: string, line: number, column: number) =>
      (await refuse((reader) => reader.references({ path, line, column }))).reason
    expect(await reason("../x.ts", 1, 0)).toBe("path_outside_root")
    expect(await reason("/etc/x.ts", 1, 0)).toBe("path_outside_root")
    expect(await reason("src/none.ts", 1, 0)).toBe("not_found")
    expect(await reason("src/main.ts", 99, 0)).toBe("invalid_argument")
    expect(await reason("src/main.ts", 0, 0)).toBe("invalid_argument")
    expect(await reason("src/main.ts", 1, 999)).toBe("invalid_argument")
  })
})

describe("the servers of a folder", () => {
  it("are listed with their state and version, and how to get those that are absent", async () => {
    const servers = await ask((reader) => reader.servers)
    expect(servers.find(({ id }) => id === "typescript")).toMatchObject({
      state: "running",
      source: "dependency",
      root: "",
      restarts: 0,
      languages: ["typescript", "tsx", "javascript", "jsx"]
    })
    expect(servers.find(({ id }) => id === "rust")).toMatchObject({
      state: "absent",
      detail: "rust-analyzer is not on PATH",
      hint: expect.stringContaining("rustup component add rust-analyzer") as unknown
    })
    expect(await ask((reader) => reader.languages)).toEqual(
      expect.arrayContaining(["javascript", "jsx", "tsx", "typescript"])
    )
    expect(await ask((reader) => reader.languages)).not.toContain("rust")
  })

  it("are gone with their layer", async () => {
    const own = ManagedRuntime.make(layerLanguageServers({ root, path: "" }).pipe(Layer.passthrough))
    const pid = await own.runPromise(
      Effect.gen(function* () {
        const reader = yield* LanguageReader
        yield* reader.diagnostics("src/main.ts")
        return (yield* reader.servers).find(({ id }) => id === "typescript")?.pid ?? 0
      })
    )
    expect(alive(pid)).toBe(true)
    await own.dispose()
    expect(alive(pid)).toBe(false)
  })

  it("print nothing to the standard output of this program, nor to its errors", () => {
    const tsx = createRequire(import.meta.url).resolve("tsx/cli")
    const program = fileURLToPath(new URL("support/quiet.ts", import.meta.url))
    const printed = execFileSync(process.execPath, [tsx, program, root], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })
    expect(printed).toBe("")
  })
})
