/**
 * Every server of the catalogue that is found here, on a small project of its language. Those that are not found are
 * skipped, and the name of the skipped test says what was looked for. `PORTICO_TEST_PACKAGES` may name a further folder
 * with installed packages.
 */
import { Effect } from "effect"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "vitest"
import { catalogue } from "../../../src/engine/lsp/Catalogue.ts"
import { make as makeDiscovery } from "../../../src/engine/lsp/Discovery.ts"
import { make } from "../../../src/engine/lsp/LanguageServers.ts"
import type { LanguageReader } from "../../../src/services/LanguageReader.ts"
import { folder } from "./support/processes.ts"
import { placeOf } from "./support/rows.ts"

type Reader = LanguageReader["Type"]

const further = process.env["PORTICO_TEST_PACKAGES"]
const packagesFrom = [process.cwd(), ...(further === undefined ? [] : [further])]
const path = [process.env["PATH"] ?? "", ...(further === undefined ? [] : [join(further, "bin")])].join(
  delimiter
)

interface Sample {
  readonly id: string
  readonly files: { readonly [path: string]: string }
  /** File and text of the declaration that is asked about. */
  readonly symbol: readonly [path: string, name: string]
  /** Every use, as `path:line:column`; undefined when the server offers no references. */
  readonly references?: ReadonlyArray<string>
  /** What a rename to `surface` makes of one file; undefined when it offers none. */
  readonly renamed?: readonly [path: string, text: string]
  /** A file with one fault, and a word of its message. */
  readonly fault?: readonly [path: string, word: string]
  /** An overlay under which the fault is gone. */
  readonly mended?: readonly [path: string, text: string]
}

const samples: ReadonlyArray<Sample> = [
  {
    id: "go",
    files: {
      "go.mod": "module x\n\ngo 1.18\n",
      "a.go": "package x\n\nfunc Area() int { return 1 }\n",
      "b.go": "package x\n\nvar y string = Area()\n"
    },
    symbol: ["a.go", "Area"],
    references: ["a.go:3:5", "b.go:3:15"],
    renamed: ["b.go", "package x\n\nvar y string = surface()\n"],
    fault: ["b.go", "cannot use Area()"],
    mended: ["a.go", 'package x\n\nfunc Area() string { return "" }\n']
  },
  {
    id: "rust",
    files: {
      "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": "mod a;\npub fn all() -> u32 { a::area() + 1 }\n",
      "src/a.rs": "pub fn area() -> u32 { 1 }\n"
    },
    symbol: ["src/a.rs", "area"],
    references: ["src/a.rs:1:7", "src/lib.rs:2:25"],
    renamed: ["src/lib.rs", "mod a;\npub fn all() -> u32 { a::surface() + 1 }\n"]
  },
  {
    id: "clangd",
    files: {
      "compile_flags.txt": "-Wall\n",
      "a.h": "int area(void);\n",
      "a.c": '#include "a.h"\nint area(void) { return 1; }\nint twice(void) { return area() * 2; }\n',
      "b.c": '#include "a.h"\nint main(void) { char *p = area(); return p != 0; }\n'
    },
    symbol: ["a.c", "area"],
    // Without a list of the files to compile it knows the open ones and what they include.
    renamed: [
      "a.c",
      '#include "a.h"\nint surface(void) { return 1; }\nint twice(void) { return surface() * 2; }\n'
    ],
    fault: ["b.c", "ncompatible integer to pointer"],
    mended: ["a.h", "char *area(void);\n"]
  },
  {
    id: "python",
    files: {
      "a.py": "def area() -> int:\n    return 1\n",
      "b.py": "from a import area\n\nx: str = area()\n"
    },
    symbol: ["a.py", "area"],
    references: ["a.py:1:4", "b.py:1:14", "b.py:3:9"],
    renamed: ["b.py", "from a import surface\n\nx: str = surface()\n"],
    fault: ["b.py", "not assignable"],
    mended: ["a.py", 'def area() -> str:\n    return ""\n']
  },
  {
    id: "bash",
    files: { "a.sh": "#!/bin/bash\narea() { echo 1; }\narea\n" },
    symbol: ["a.sh", "area"],
    references: ["a.sh:2:0", "a.sh:3:0"],
    renamed: ["a.sh", "#!/bin/bash\nsurface() { echo 1; }\nsurface\n"]
  },
  {
    id: "yaml",
    files: { "a.yaml": "a: &x 1\nb: *x\nc: *y\n" },
    symbol: ["a.yaml", "x"],
    fault: ["a.yaml", "Unresolved alias"],
    mended: ["a.yaml", "a: &x 1\nb: *x\nc: *x\n"]
  },
  {
    id: "json",
    files: { "a.json": '{"a": 1,}\n' },
    symbol: ["a.json", "a"],
    fault: ["a.json", "Trailing comma"],
    mended: ["a.json", '{"a": 1}\n']
  },
  {
    id: "css",
    files: { "a.css": ":root { --area: 1 }\na { width: var(--area); colr: red }\n" },
    symbol: ["a.css", "--area"],
    references: ["a.css:1:8", "a.css:2:15"],
    fault: ["a.css", "colr"],
    mended: ["a.css", "a { color: red }\n"]
  },
  {
    id: "html",
    files: { "a.html": "<main><style>a { colr: red }</style></main>\n" },
    symbol: ["a.html", "main"],
    renamed: ["a.html", "<surface><style>a { colr: red }</style></surface>\n"],
    fault: ["a.html", "colr"],
    mended: ["a.html", "<main></main>\n"]
  }
]

const absence = await Effect.runPromise(
  Effect.map(
    Effect.forEach(
      samples,
      ({ id }) => {
        const row = catalogue.find((r) => r.id === id)
        return row === undefined
          ? Effect.succeed("no such row")
          : Effect.match(
              makeDiscovery({ root: process.cwd(), trusted: true, packagesFrom, path }).find(row),
              {
                onFailure: (cause) => cause.message,
                onSuccess: () => undefined
              }
            )
      },
      { concurrency: 4 }
    ),
    (reasons) => new Map(samples.map(({ id }, i) => [id, reasons[i]]))
  )
)

const using = <A, E>(sample: Sample, body: (reader: Reader) => Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        make({ root: folder(sample.files), trustWorkspace: true, packagesFrom, path }),
        ({ reader }) => body(reader)
      )
    )
  )

describe.each(samples)("the server for $id", (sample) => {
  const reason = absence.get(sample.id)
  it.skipIf(reason !== undefined)(
    reason === undefined ? "answers what is right for a small project" : `is not tried: ${reason}`,
    async () => {
      const [file, name] = sample.symbol
      const at = placeOf(file, sample.files[file] ?? "", name)
      await using(sample, (reader) =>
        Effect.gen(function* () {
          if (sample.references !== undefined) {
            const { value, partial } = yield* reader.references(at)
            expect(value.map((s) => `${s.path}:${s.startLine}:${s.startColumn}`)).toEqual(sample.references)
            expect(partial).toBe(false)
          }
          if (sample.renamed !== undefined) {
            const [path, text] = sample.renamed
            const { value } = yield* reader.rename(at, "surface")
            const lines = (sample.files[path] ?? "").split("\n")
            for (const e of value.edits.filter((edit) => edit.path === path).reverse()) {
              const line = lines[e.startLine - 1] ?? ""
              lines[e.startLine - 1] = line.slice(0, e.startColumn) + e.text + line.slice(e.endColumn)
            }
            expect(lines.join("\n")).toBe(text)
          }
          if (sample.fault !== undefined) {
            const [path, word] = sample.fault
            const before = yield* reader.diagnostics(path)
            expect(before.value.map(({ message }) => message)).toEqual([expect.stringContaining(word)])
            expect(before.partial).toBe(false)
            if (sample.mended !== undefined) {
              const [mended, content] = sample.mended
              const after = yield* reader.diagnostics(path, {
                overlay: [{ path: mended, content, deleted: false }]
              })
              expect(after.value.filter(({ message }) => message.includes(word))).toEqual([])
              expect((yield* reader.diagnostics(path)).value).toEqual(before.value)
            }
          }
          const [status] = (yield* reader.servers).filter(({ id }) => id === sample.id)
          expect(status).toMatchObject({ state: "running", restarts: 0 })
        })
      )
    },
    180_000
  )
})

const beside = await Effect.runPromise(
  Effect.flatMap(
    Effect.sync(() => catalogue.find(({ id }) => id === "typescript6")),
    (row) =>
      row === undefined
        ? Effect.succeed("no such row")
        : Effect.match(makeDiscovery({ root: process.cwd(), packagesFrom, path }).find(row), {
            onFailure: (cause) => cause.message,
            onSuccess: () => undefined
          })
  )
)

describe("the server for refactorings of TypeScript", () => {
  const text = "export const f = (n: number) => {\n  const twice = n * 2\n  return twice + 1\n}\n"

  it.skipIf(beside !== undefined)(
    beside === undefined ? "offers what the other does not, as data" : `is not tried: ${beside}`,
    async () => {
      const root = folder({ "tsconfig.json": '{"compilerOptions":{"strict":true,"types":[]}}', "a.ts": text })
      const change = await Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const { reader } = yield* make({ root, packagesFrom, path })
            const { value } = yield* reader.actions(
              { path: "a.ts", startLine: 2, startColumn: 8, endLine: 2, endColumn: 8 },
              "refactor.inline"
            )
            expect(value.map(({ title }) => title)).toEqual(["Inline variable"])
            return (yield* reader.resolveAction(value[0]?.handle ?? "")).value
          })
        )
      )
      expect(change.edits.map((e) => [e.startLine, e.startColumn, e.endLine, e.endColumn, e.text])).toEqual([
        [2, 0, 3, 0, ""],
        [3, 9, 3, 14, "n * 2"]
      ])
    },
    120_000
  )
})
