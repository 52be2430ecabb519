/** Rows and found servers for the scripted program, and places in texts. */
import type { Found } from "../../../../src/engine/lsp/Discovery.ts"
import type { ServerRow } from "../../../../src/engine/lsp/ServerRow.ts"
import type { DocumentPosition } from "../../../../src/services/LanguageReader.ts"
import { type Plan, scripted } from "./processes.ts"

/** A row for files that end in `.toy`. */
export const toyRow = (over: Partial<ServerRow> = {}): ServerRow => ({
  id: "toy",
  documents: [{ language: "toy", languageId: "toy", globs: ["*.toy"] }],
  rootMarkers: [],
  candidates: [],
  readiness: { kind: "waits" },
  runsWorkspaceCode: false,
  serves: "everything",
  memory: { hardBytes: 2 ** 34 },
  idleMillis: 60_000,
  hint: "Install toys.",
  quirks: {},
  ...over
})

/** The scripted program as a server that was found. */
export const toy = (plan: Plan, over: Partial<ServerRow> = {}): Found => ({
  row: toyRow(over),
  launch: scripted(plan),
  version: undefined,
  source: "config",
  shown: "toy",
  settings: {},
  initOptions: undefined
})

/** Settings under which the scripted program is the server of a row. */
export const configured = (plan: Plan) => {
  const { command, args } = scripted(plan)
  return { command: [command, ...args] }
}

/** Place of a piece of a text, by default its first occurrence. */
export const placeOf = (path: string, text: string, needle: string, nth = 0): DocumentPosition => {
  let at = -1
  for (let i = 0; i <= nth; i++) at = text.indexOf(needle, at + 1)
  if (at < 0) throw new Error(`no ${needle} in ${path}`)
  const before = text.slice(0, at).split("\n")
  return { path, line: before.length, column: before.at(-1)?.length ?? 0 }
}
