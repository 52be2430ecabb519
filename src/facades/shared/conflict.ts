/** What answers tell of a transaction that stopped half-way. */
import type { Receipt } from "../../services/LocalWriter.ts"

/**
 * Paths that hold bytes nobody knows, then every file with its state and the copies that are kept of its sides. `kept_in`
 * is a folder below the server's home, which `PORTICO_HOME` names; copies are names in it.
 */
export const conflictOf = ({ conflict, conflicts }: Pick<Receipt, "conflict" | "conflicts">) => ({
  ...(conflicts.length === 0 ? {} : { conflicts }),
  ...(conflict === undefined
    ? {}
    : {
        ...(conflict.closed === undefined ? {} : { closed: conflict.closed }),
        kept_in: conflict.keptIn,
        files: conflict.files.map(({ after, before, path, state }) => ({
          path,
          state,
          ...(before === null ? {} : { before }),
          ...(after === null ? {} : { after })
        })),
        ...(conflict.found.length === 0 ? {} : { replaced: conflict.found })
      })
})
