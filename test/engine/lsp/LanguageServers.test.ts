import { Effect, Fiber } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { ServerRow } from "../../../src/engine/lsp/ServerRow.ts"
import { type LanguageServers, make } from "../../../src/engine/lsp/LanguageServers.ts"
import { eventually, folder, logged, type Plan, write } from "./support/processes.ts"
import { configured, toyRow } from "./support/rows.ts"

const place = { path: "a.toy", line: 1, column: 0 }
let logs = 0

const using = <A, E>(
  plan: Plan,
  body: (servers: LanguageServers, log: string, root: string) => Effect.Effect<A, E>,
  over: Partial<ServerRow> = {},
  files: { readonly [path: string]: string } = { "a.toy": "one\n" }
): Promise<A> => {
  const root = folder(files)
  const log = join(folder(), `log-${++logs}`)
  return Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        make({
          root,
          rows: [toyRow(over)],
          settings: { toy: configured({ ...plan, log }) },
          trustWorkspace: true,
          pool: { restarts: { delays: [10, 10, 10], windowMillis: 60_000 }, settleMillis: 3000 },
          publishMillis: 1000
        }),
        (servers) => body(servers, log, root)
      )
    )
  )
}

const uriIn = (log: string): string =>
  logged(log).flatMap(({ method, params }) =>
    method === "textDocument/didOpen" ? [(params as { textDocument: { uri: string } }).textDocument.uri] : []
  )[0] ?? ""

const methods = (log: string) => logged(log).map(({ method }) => method)

describe("a server that counts in bytes", () => {
  it("is asked in bytes", async () => {
    const text = "é😀x = é😀x\n"
    const answer = await using(
      {
        capabilities: { positionEncoding: "utf-8", renameProvider: true },
        answers: { "textDocument/rename": { changes: {} } }
      },
      ({ reader }, log) =>
        Effect.gen(function* () {
          yield* reader.rename({ path: "a.toy", line: 1, column: 3 }, "y")
          return logged(log).flatMap(({ method, params }) =>
            method === "textDocument/rename" ? [params] : []
          )
        }),
      {},
      { "a.toy": text }
    )
    expect(answer).toMatchObject([{ position: { line: 0, character: 6 } }])
  })

  it("sends diagnostics whose columns are put right", async () => {
    const root = folder({ "a.toy": "é😀x = 1\n" })
    const value = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(
          make({
            root,
            rows: [toyRow()],
            settings: {
              toy: configured({
                capabilities: { positionEncoding: "utf-8", diagnosticProvider: {} },
                answers: {
                  "textDocument/diagnostic": {
                    kind: "full",
                    items: [
                      {
                        range: { start: { line: 0, character: 6 }, end: { line: 0, character: 7 } },
                        severity: 2,
                        message: "short name"
                      }
                    ]
                  }
                }
              })
            },
            trustWorkspace: true
          }),
          ({ reader }) => Effect.map(reader.diagnostics("a.toy"), (answer) => answer.value)
        )
      )
    )
    expect(value).toEqual([
      {
        path: "a.toy",
        startLine: 1,
        startColumn: 3,
        endLine: 1,
        endColumn: 4,
        severity: "warning",
        message: "short name"
      }
    ])
  })
})

describe("an answer", () => {
  it("is marked as partial when the server never settles", async () => {
    const answer = await using(
      {
        capabilities: { referencesProvider: true },
        answers: { "textDocument/references": [] },
        says: [{ method: "$/progress", params: { token: "t", value: { kind: "begin", title: "Reading" } } }]
      },
      ({ reader }) => reader.references(place),
      { readiness: { kind: "idle" } }
    )
    expect(answer).toMatchObject({ value: [], partial: true })
  })

  it("waits for the line that says that the server is ready", async () => {
    const [early, late] = await using(
      {
        capabilities: { referencesProvider: true },
        answers: { "textDocument/references": [] },
        saysAfter: {
          "textDocument/didOpen": [
            { method: "window/logMessage", params: { type: 3, message: "Found 3 files" } }
          ]
        }
      },
      ({ reader }, log) =>
        Effect.map(reader.references(place), (answer) => [answer.partial, methods(log)] as const),
      { readiness: { kind: "log", line: /^Found \d+ files/ } }
    )
    expect(early).toBe(false)
    expect(late).toContain("textDocument/references")
  })

  it("of another shape than the protocol's is a failure", async () => {
    const failure = await using(
      {
        capabilities: { referencesProvider: true },
        answers: { "textDocument/references": [{ where: "here" }] }
      },
      ({ reader }) => Effect.flip(reader.references(place))
    )
    expect(failure).toMatchObject({ service: "LanguageReader", reason: "internal", stateChanged: false })
  })

  it("that never comes is a time-out of the asker's, and the server is told", async () => {
    const heard = await using(
      { capabilities: { referencesProvider: true }, silentOn: ["textDocument/references"] },
      ({ reader }, log) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(reader.references(place))
          yield* Effect.promise(() => eventually(() => methods(log).includes("textDocument/references")))
          yield* Fiber.interrupt(fiber)
          yield* Effect.promise(() => eventually(() => methods(log).includes("$/cancelRequest")))
          return methods(log)
        })
    )
    expect(heard).toContain("$/cancelRequest")
  })

  it("is asked for again when the server gave up because a document changed", async () => {
    const [failure, times] = await using(
      { capabilities: { referencesProvider: true }, refuses: { "textDocument/references": -32801 } },
      ({ reader }, log) =>
        Effect.map(
          Effect.flip(reader.references(place)),
          (cause) => [cause, methods(log).filter((m) => m === "textDocument/references").length] as const
        )
    )
    expect(failure.reason).toBe("unavailable")
    expect(times).toBe(4)
  })
})

describe("what a server does not do", () => {
  it("fails, and is not an empty answer", async () => {
    const failures = await using({ capabilities: {} }, ({ reader }) =>
      Effect.all([
        Effect.flip(reader.references(place)),
        Effect.flip(reader.rename(place, "x")),
        Effect.flip(reader.implementations(place)),
        Effect.flip(reader.willRenameFiles([{ from: "a.toy", to: "b.toy" }]))
      ])
    )
    expect(failures.map(({ reason }) => reason)).toEqual([
      "unavailable",
      "unavailable",
      "unavailable",
      "unavailable"
    ])
    expect(failures[0]?.detail).toBe("toy does not offer textDocument/references")
  })

  it("but declared is asked once", async () => {
    const times = await using(
      { capabilities: { implementationProvider: true }, refuses: { "textDocument/implementation": -32601 } },
      ({ reader }, log) =>
        Effect.gen(function* () {
          yield* Effect.flip(reader.implementations(place))
          const failure = yield* Effect.flip(reader.implementations(place))
          expect(failure.detail).toBe("toy does not offer textDocument/implementation")
          const [status] = yield* reader.servers
          expect(status?.broken).toEqual(["textDocument/implementation"])
          return methods(log).filter((m) => m === "textDocument/implementation").length
        })
    )
    expect(times).toBe(1)
  })
})

describe("a server that only sends diagnostics", () => {
  it("is waited for, and an answer without any message from it is marked", async () => {
    const answer = await using({}, ({ reader }) => reader.diagnostics("a.toy"))
    expect(answer).toMatchObject({ value: [], partial: true })
  })
})

describe("a server that dies", () => {
  it("fails what was asked, is listed as failing, and answers again", async () => {
    const result = await using(
      {
        capabilities: { referencesProvider: true, definitionProvider: true },
        diesOn: ["textDocument/references"],
        answers: { "textDocument/definition": [] }
      },
      ({ reader }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(reader.references(place))
          const answer = yield* reader.definitions(place)
          const [status] = yield* reader.servers
          return { failure, answer, status }
        })
    )
    expect(result.failure).toMatchObject({ reason: "unreachable" })
    expect(result.failure.detail).toContain("fell over textDocument/references")
    expect(result.answer.value).toEqual([])
    expect(result.status).toMatchObject({ state: "running", restarts: 1 })
  })

  it("at its start tells what it printed", async () => {
    const failure = await using({ diesAtStart: true }, ({ reader }) => Effect.flip(reader.references(place)))
    expect(failure.detail).toContain("cannot read the moon")
  })
})

describe("the folder of a server", () => {
  it("is the topmost one with a marker on the way to the file", async () => {
    const files = { "a/toy.root": "", "a/b/toy.root": "", "a/b/c.toy": "x\n", "d.toy": "x\n" }
    const roots = await using(
      { capabilities: { referencesProvider: true }, answers: { "textDocument/references": [] } },
      ({ reader }) =>
        Effect.gen(function* () {
          yield* reader.references({ path: "a/b/c.toy", line: 1, column: 0 })
          yield* reader.references({ path: "d.toy", line: 1, column: 0 })
          return (yield* reader.servers).map(({ root }) => root).sort()
        }),
      { rootMarkers: ["toy.root"] },
      files
    )
    expect(roots).toEqual(["", "a"])
  })
})

describe("files that change on disk", () => {
  it("are told of to a server that asked to hear of them, and only such", async () => {
    const events = await using(
      {
        capabilities: { referencesProvider: true },
        answers: { "textDocument/references": [] },
        asks: [
          {
            method: "client/registerCapability",
            params: {
              registrations: [
                {
                  id: "w",
                  method: "workspace/didChangeWatchedFiles",
                  registerOptions: { watchers: [{ globPattern: "**/*.{toy,cfg}" }] }
                }
              ]
            }
          }
        ]
      },
      ({ reader }, log, root) =>
        Effect.gen(function* () {
          yield* reader.references(place)
          yield* Effect.promise(() => eventually(() => logged(log).some(({ id }) => id === "ask-1")))
          mkdirSync(join(root, "sub"))
          write(root, { "sub/new.toy": "x\n", "notes.txt": "x\n" })
          yield* reader.changed(["sub/new.toy", "notes.txt", "gone.cfg", "../outside.toy"])
          yield* Effect.promise(() =>
            eventually(() => methods(log).includes("workspace/didChangeWatchedFiles"))
          )
          return logged(log).flatMap(({ method, params }) =>
            method === "workspace/didChangeWatchedFiles"
              ? (params as { changes: ReadonlyArray<{ uri: string; type: number }> }).changes.map(
                  ({ uri, type }) => [uri.slice(uriIn(log).length - "a.toy".length), type] as const
                )
              : []
          )
        })
    )
    expect(events).toEqual([
      ["sub/new.toy", 2],
      ["sub/new.toy", 1],
      ["gone.cfg", 3]
    ])
  })
})
