/** Uses of what lies outside the indexed files, with the import they come through. */
import type { OutsideUse } from "../../services/CodeGraph.ts"
import { type FactsView, I, R, X } from "../languages/Facts.ts"
import { Bind, ImportFlag, Op, roles } from "../languages/Vocabulary.ts"
import type { Snapshot } from "./Snapshot.ts"
import { nodeOf } from "./World.ts"

/** Members on the way from an import to a use, outermost first, and the import's index; -1 when it is none. */
const originOf = (
  view: FactsView,
  expression: number,
  text: (name: number) => string,
  members: Array<string>
): number => {
  let at = expression
  while (at >= 0) {
    const op = view.expr(at, X.op)
    if (op === Op.name) {
      if (view.expr(at, X.b) === Bind.import) return view.expr(at, X.c)
      if (view.expr(at, X.b) !== Bind.local) return -1
      at = view.expr(at, X.c)
    } else if (op === Op.member) {
      members.unshift(text(view.expr(at, X.b)))
      at = view.expr(at, X.a)
    } else if (op === Op.instance || op === Op.new) {
      // Members of an instance are those of its class.
      at = view.expr(at, X.a)
    } else return -1
  }
  return -1
}

/** Uses in one file that are known to mean something outside and that an import of the file leads to. */
export const outsideUses = (snapshot: Snapshot, id: number): ReadonlyArray<OutsideUse> => {
  const view = snapshot.files[id]?.view
  const outside = snapshot.resolved[id]?.outside
  if (view === undefined || outside === undefined) return []
  const text = (name: number) => snapshot.names.text(name)
  const out: Array<OutsideUse> = []
  for (let i = 0, n = view.referenceCount; i < n; i++) {
    if ((outside[i >> 5]! & (1 << (i & 31))) === 0) continue
    const bind = view.glimpse(i, R.bind)
    const members: Array<string> = []
    let via = -1
    if ((bind & 7) === Bind.import) via = bind >> 3
    else if ((bind & 7) === Bind.member) {
      via = originOf(view, bind >> 3, text, members)
      members.push(text(view.glimpse(i, R.name)))
    }
    if (via < 0 || via >= view.importCount) continue
    const imported = view.import(via, I.imported)
    const place = view.glimpse(i, R.place)
    out.push({
      from: nodeOf(id, view.glimpse(i, R.within)),
      module: text(view.import(via, I.module)),
      imported:
        (view.import(via, I.flags) & ImportFlag.default) !== 0
          ? "default"
          : imported === 0
            ? undefined
            : text(imported),
      members,
      role: roles[(place >> 16) & 15]!,
      line: view.glimpse(i, R.line),
      column: place & 0xffff,
      args: view.glimpse(i, R.arity) - 1,
      name: text(view.glimpse(i, R.name))
    })
  }
  return out
}
