/** What the index tells the parse gate of files it has read. */
import type { Outline, Sketch } from "../edits/ParseGate.ts"
import { D, type FactsView, H } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { kindNumber } from "../languages/Vocabulary.ts"
import type { Current } from "./Workspace.ts"

/** Members of types: they are in lists of other kinds. */
const members: ReadonlySet<number> = new Set([kindNumber.field, kindNumber.property, kindNumber.enum_member])

/**
 * The sketch of a file by its facts; undefined where its reader found an error. Of languages whose parser tells of every
 * error it has only the definitions that are in no other.
 */
export const sketchOf = (view: FactsView, isSound: boolean): Sketch | undefined => {
  if (view.ints[view.at + H.parseErrors] !== 0) return undefined
  const places: Array<number> = []
  let last = 0
  for (let i = 0; i < view.definitionCount; i++) {
    const line = view.def(i, D.startLine)
    const column = view.def(i, D.startColumn)
    if (line <= last || members.has(view.def(i, D.kind))) continue
    if (isSound && (view.def(i, D.parent) >= 0 || column > 0)) continue
    places.push(line, column)
    last = line
  }
  return { isSound, places }
}

/** The outline of a file, by the state as it is known when it is asked for: of the very bytes that were read. */
export const outlineOf =
  (known: () => Current | undefined, path: string): Outline =>
  ({ bytes, sha }) => {
    const snapshot = known()?.snapshot
    const id = snapshot?.byPath.get(path)
    const file = id === undefined ? undefined : snapshot?.files[id]
    if (file?.view === undefined || file.size !== bytes.length || file.oid !== sha) return undefined
    return sketchOf(file.view, languages[file.language]?.thorough === true)
  }
