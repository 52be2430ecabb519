/** What was read again since the process began: the newest changes, in memory only. */
import type { IndexedChange } from "../../services/WorkspaceView.ts"
import type { Snapshot } from "../graph/Snapshot.ts"

/** Changes that are kept. */
const most = 5000

const definitions = (snapshot: Snapshot | undefined, path: string): number | undefined => {
  const id = snapshot?.byPath.get(path)
  const file = id === undefined ? undefined : snapshot!.files[id]
  return file === undefined ? undefined : (file.view?.definitionCount ?? 0)
}

export class Feed {
  readonly began = Date.now()
  #changes: Array<IndexedChange> = []
  /** Changes that were forgotten to make room. */
  #forgotten = 0

  note(
    before: Snapshot | undefined,
    after: Snapshot,
    { removed, updated }: { readonly updated: ReadonlyArray<string>; readonly removed: ReadonlyArray<string> }
  ): void {
    const at = Date.now()
    for (const path of updated) {
      const old = definitions(before, path)
      this.#changes.push({
        path,
        kind: old === undefined ? "added" : "modified",
        definitions_before: old ?? 0,
        definitions_after: definitions(after, path) ?? 0,
        at
      })
    }
    for (const path of removed) {
      const old = definitions(before, path)
      if (old !== undefined)
        this.#changes.push({ path, kind: "removed", definitions_before: old, definitions_after: 0, at })
    }
    const over = this.#changes.length - most
    if (over <= 0) return
    this.#changes.splice(0, over)
    this.#forgotten += over
  }

  read() {
    return { began: this.began, changes: [...this.#changes], forgotten: this.#forgotten }
  }
}
