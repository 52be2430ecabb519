import { Effect, Stream } from "effect"
import { expect, it } from "vitest"
import { unavailable } from "../../../src/engine/unavailable/Unavailable.ts"
import { LanguageReader } from "../../../src/services/LanguageReader.ts"

const layer = unavailable(
  LanguageReader,
  { detail: "there is no language server" },
  {
    languages: Effect.succeed([]),
    servers: Effect.succeed([]),
    workspaceDiagnostics: () => Stream.empty,
    compareDiagnostics: "method",
    prepareRename: "method",
    willRenameFiles: "method",
    changed: () => Effect.void,
    definitions: "method",
    references: "method",
    implementations: "method",
    diagnostics: "method",
    actions: "method",
    resolveAction: "method",
    rename: "method"
  }
)

it("a service that is not there refuses every call and says why", () => {
  const asked = Effect.flatMap(LanguageReader, (reader) =>
    reader.definitions({ path: "a.ts", line: 1, column: 0 })
  )
  expect(Effect.runSync(Effect.flip(Effect.provide(asked, layer)))).toMatchObject({
    service: "LanguageReader",
    reason: "unavailable",
    detail: "there is no language server",
    stateChanged: false
  })
})

it("and answers what cannot fail as it was told to", () => {
  expect(
    Effect.runSync(
      Effect.provide(
        Effect.flatMap(LanguageReader, ({ languages }) => languages),
        layer
      )
    )
  ).toEqual([])
})
