/** What the index tells the parse gate of files it has read. */
import type { Outline } from "../edits/ParseGate.ts"
import { D, H } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import type { Current } from "./Workspace.ts"

/**
 * The outline of a file, by the state as it is known when it is asked for: of the very bytes that were read, in a language
 * whose parser would have told of an error.
 */
export const outlineOf =
  (known: () => Current | undefined, path: string): Outline =>
  ({ bytes, sha }) => {
    const snapshot = known()?.snapshot
    const id = snapshot?.byPath.get(path)
    const file = id === undefined ? undefined : snapshot?.files[id]
    const view = file?.view
    if (
      file === undefined ||
      view === undefined ||
      languages[file.language]?.thorough !== true ||
      view.ints[view.at + H.parseErrors] !== 0 ||
      file.size !== bytes.length ||
      file.oid !== sha
    )
      return undefined
    const lines: Array<number> = []
    for (let i = 0; i < view.definitionCount; i++) {
      const line = view.def(i, D.startLine)
      if (view.def(i, D.parent) < 0 && view.def(i, D.startColumn) === 0 && line > (lines.at(-1) ?? 0))
        lines.push(line)
    }
    return lines
  }
