/** Which repositories a workspace consists of, as the user's control state says. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { projectOf, type TrackedRepository, workspaceOf } from "../../services/ControlTables.ts"

/** A repository beside the one that is served. */
export interface Member extends TrackedRepository {
  /** What its paths begin with: its name and a slash. */
  readonly prefix: string
}

export interface Membership {
  /** Name of the workspace; undefined while the served repository is alone. */
  readonly workspace: string | undefined
  /** Name and project of the served repository; undefined while it is alone. */
  readonly own?: TrackedRepository | undefined
  readonly members: ReadonlyArray<Member>
}

const alone: Membership = { workspace: undefined, members: [] }

/** The first part of paths that are in no folder of the served repository. */
const prefixOf = (root: string, name: string): string => {
  let prefix = name
  while (existsSync(join(root, prefix))) prefix += "~"
  return `${prefix}/`
}

/** The workspace around the repository at `root`. */
export const membershipOf = (root: string, tracked: ReadonlyArray<TrackedRepository>): Membership => {
  const own = tracked.find((repository) => repository.root === root)
  if (own === undefined) return alone
  const workspace = workspaceOf(own)
  return {
    workspace,
    own,
    members: tracked
      .filter((other) => other.root !== root && workspaceOf(other) === workspace)
      .map((other) => ({ ...other, prefix: prefixOf(root, other.name) }))
  }
}

/** Those of the active project, when one is chosen that is of this workspace; else all. */
export const active = (
  { members, workspace }: Membership,
  project: string | undefined
): ReadonlyArray<Member> => {
  if (project === undefined || project === workspace) return members
  const some = members.filter((member) => projectOf(member) === project)
  return some.length > 0 ? some : members
}
