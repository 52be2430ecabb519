/** What stands at a path that is to be tracked. */
import { Effect } from "effect"
import { realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { basename, isAbsolute, parse } from "node:path"
import type { Tree } from "../../services/IndexControl.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { locateHere } from "../git/HeadStamp.ts"

const refused = (reason: string, detail: string) =>
  new ServiceFailure({ service: "IndexControl", reason, detail, stateChanged: false })

const real = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** The top folder of a work tree, or any folder outside of one; `root` is the one that is served. */
export const locateTree = (
  path: string,
  root: string,
  { wide = false }: { readonly wide?: boolean } = {}
): Effect.Effect<Tree, ServiceFailure> =>
  Effect.suspend(() => {
    if (!isAbsolute(path) || path.includes("\0"))
      return refused("not_absolute", `${path} is not an absolute path`)
    const top = real(path)
    if (top === undefined || !statSync(top).isDirectory())
      return refused("not_found", "there is no such folder")
    if (!wide && top === parse(top).root)
      return refused("too_wide", "the root of the file system is no repository")
    if (!wide && top === real(homedir())) return refused("too_wide", "a home folder is no repository")
    if (top === root) return refused("served", "it is the repository this server was started in")
    if (top.startsWith(`${root}/`))
      return refused("served", "it lies in the repository this server was started in, and is indexed with it")
    if (root.startsWith(`${top}/`))
      return refused("around", "the repository this server was started in lies in it")
    const here = locateHere(top)
    const ours = locateHere(root)
    return Effect.succeed({
      root: top,
      name: basename(top),
      git: here !== null,
      worktreeOfServed: here !== null && ours !== null && here.commonDir === ours.commonDir,
      served: { root, name: basename(root) }
    })
  })
