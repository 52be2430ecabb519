import { describe, expect, it } from "vitest"
import { brief } from "../../../src/transports/cli/Brief.ts"
import { health, size } from "../../../src/transports/cli/Health.ts"

describe("the health of an index", () => {
  it("says what is not indexed and why", () => {
    const text = brief(
      health({
        state: "ready",
        listed_files: 9,
        indexed_files: 4,
        node_count: 1,
        edge_count: 0,
        unbound_references: 2,
        freshness: { state: "stale", stale_files: ["src/a.ts"] },
        failed_files: [{ path: "src/b.ts", reason: "timeout" }],
        files_with_parse_errors: 1,
        skipped: { binary: 1, no_language: 3, minified: 0 },
        languages: [{ language: "python", files: 1, depth: "references", symbols: 1 }],
        language_servers: [
          { id: "typescript", state: "available", version: "7.0.2" },
          { id: "gopls", state: "absent", detail: "not on PATH", hint: "Install it." }
        ],
        indexed_at: "2026-01-01T00:00:00.000Z",
        watching: false,
        store_bytes: 1536
      }),
      40
    )
    expect(text.split("\n")).toEqual([
      "state: ready",
      "freshness: stale",
      "listed_files: 9",
      "indexed_files: 4",
      "symbols: 1",
      "edges: 0",
      "unbound_references: 2",
      "skipped_files: no_language 3, binary 1",
      "failed_files:",
      "  src/b.ts  timeout",
      "stale_files: src/a.ts",
      "parse_errors: 1",
      "languages:",
      "  python:  1 file  1 symbol  references",
      "language_servers:",
      "  typescript:  available  7.0.2",
      "  gopls:  absent  not on PATH  Install it.",
      "indexed_at: 2026-01-01T00:00:00.000Z",
      "watching: no",
      "store: 1.5 KiB"
    ])
  })
  it("tells none from not known", () => {
    const { failed_files, freshness, skipped_files, stale_files, store, watching } = health({
      state: "indexing"
    })
    expect({ freshness, stale_files, store, watching }).toEqual({
      freshness: "not known",
      stale_files: "not known",
      store: "not known",
      watching: "not known"
    })
    expect(brief({ failed_files, skipped_files }, 5)).toBe("failed_files: none\nskipped_files: none")
  })
  it("gives sizes in the largest unit of which there is one", () => {
    expect([0, 1, 1023, 1024, 1048576, 3 * 2 ** 30, 2 ** 42].map(size)).toEqual([
      "0 bytes",
      "1 bytes",
      "1023 bytes",
      "1.0 KiB",
      "1.0 MiB",
      "3.0 GiB",
      "4096.0 GiB"
    ])
  })
})
