/** The part of a workspace that a call is about, by the words it was narrowed with. Each of them can only take away. */
import type { Narrowed } from "../../registry/CallInfo.ts"
import { isWithin } from "../../registry/Place.ts"
import { projectOf, type SavedScope } from "../../services/ControlTables.ts"
import type { Member, Membership } from "./Members.ts"
import { both } from "./Within.ts"

/** The repositories that are asked, and where in them. */
export interface Chosen {
  /** Paths of the served repository to stay below; none for all of it, undefined when it is left out. */
  readonly home: ReadonlyArray<string> | undefined
  readonly members: ReadonlyArray<ChosenMember>
}
export interface ChosenMember {
  readonly member: Member
  /** By its own paths; none for all of it. */
  readonly below: ReadonlyArray<string>
}

/** A word that leads to nothing here. `valid` are those that would lead somewhere. */
export interface Misled {
  readonly field: "options.repo" | "options.project" | "options.workspace" | "options.scope"
  readonly reason:
    | "repo_not_tracked"
    | "project_unknown"
    | "workspace_unknown"
    | "unknown_scope"
    | "scope_elsewhere"
    | "nothing_in_common"
  readonly detail: string
  readonly valid: ReadonlyArray<string>
}

export interface Surroundings {
  /** Name of the served repository. */
  readonly name: string
  readonly membership: Membership
  /** Repositories within the served one, by their folders. */
  readonly nested: ReadonlyArray<{ readonly name: string; readonly root: string }>
  readonly scopes: ReadonlyArray<SavedScope>
}

/** Everything of a workspace. */
export const everything = (members: ReadonlyArray<Member>): Chosen => ({
  home: [],
  members: members.map((member) => ({ member, below: [] }))
})

const quoted = (word: string): string => JSON.stringify(word)

/** What both leave; a repository that one of them leaves out is left out. */
const common = (
  some: ReadonlyArray<string> | undefined,
  others: ReadonlyArray<string> | undefined
): ReadonlyArray<string> | undefined =>
  some === undefined || others === undefined ? undefined : both(some, others)

const intersect = (some: Chosen, others: Chosen): Chosen => ({
  home: common(some.home, others.home),
  members: some.members.flatMap(({ below, member }) => {
    const other = others.members.find((one) => one.member === member)
    const left = common(below, other?.below)
    return left === undefined ? [] : [{ member, below: left }]
  })
})
const isEmpty = ({ home, members }: Chosen): boolean => home === undefined && members.length === 0

const byRepository = (
  written: string,
  { membership: { members, own }, name, nested }: Surroundings
): Chosen | Misled => {
  const word = written.replace(/^\.\//, "").replace(/(.)\/+$/, "$1")
  if (word === "*") return everything(members)
  if (word === "." || word === name || word === own?.name) return { home: [], members: [] }
  const named = members.find((member) => member.name === word || member.prefix === `${word}/`)
  const around = named ?? members.find(({ prefix, root }) => isWithin(word, root) || word.startsWith(prefix))
  if (around !== undefined) return { home: undefined, members: [{ member: around, below: [] }] }
  const within = nested.filter((one) => one.root !== ".")
  const inner = within.find((one) => one.root === word) ?? within.find((one) => one.name === word)
  if (inner !== undefined) return { home: [inner.root], members: [] }
  return {
    field: "options.repo",
    reason: "repo_not_tracked",
    detail: `no repository ${quoted(written)} is in this workspace`,
    valid: [own?.name ?? name, ...members.map((member) => member.name), ...within.map((one) => one.root)]
  }
}

const byProject = (word: string, { membership, name }: Surroundings): Chosen | Misled => {
  const { members, own, workspace } = membership
  const home = own === undefined ? name : projectOf(own)
  if (word === (workspace ?? name)) return everything(members)
  const some = members.filter((member) => projectOf(member) === word)
  if (some.length > 0 || word === home) return { ...everything(some), home: word === home ? [] : undefined }
  return {
    field: "options.project",
    reason: "project_unknown",
    detail: `no project ${quoted(word)} is in this workspace`,
    valid: [...new Set([workspace ?? name, home, ...members.map(projectOf)])]
  }
}

const byScope = (word: string, around: Surroundings): Chosen | Misled => {
  const {
    membership: { members, own },
    name,
    nested,
    scopes
  } = around
  const scope = scopes.find((one) => one.name === word)
  if (scope === undefined)
    return {
      field: "options.scope",
      reason: "unknown_scope",
      detail: `no scope is saved as ${quoted(word)}`,
      valid: scopes.map((one) => one.name)
    }
  const { paths, repos } = scope
  const wanted = new Set(repos)
  const inside = nested
    .filter((one) => one.root !== "." && wanted.has(one.name))
    .flatMap(({ root }) => (paths.length === 0 ? [root] : paths.map((path) => `${root}/${path}`)))
  const whole = wanted.has(name) || (own !== undefined && wanted.has(own.name))
  const chosen: Chosen = {
    home: whole ? (paths.length === 0 ? [] : [...paths, ...inside]) : inside.length > 0 ? inside : undefined,
    members: members.filter((member) => wanted.has(member.name)).map((member) => ({ member, below: paths }))
  }
  return isEmpty(chosen)
    ? {
        field: "options.scope",
        reason: "scope_elsewhere",
        detail: `none of the repositories of the scope ${quoted(word)} is in this workspace`,
        valid: scopes
          .filter((one) =>
            one.repos.some(
              (repo) => repo === name || repo === own?.name || members.some((m) => m.name === repo)
            )
          )
          .map((one) => one.name)
      }
    : chosen
}

/** What the words of a call leave of the workspace, or the one that leads to nothing. */
export const chosenBy = (narrowed: Narrowed, around: Surroundings): Chosen | Misled => {
  const { members, own, workspace } = around.membership
  const { project, repo, scope, workspace: named } = narrowed
  const here = [...new Set([workspace ?? around.name, own?.name ?? around.name])]
  if (named !== undefined && !here.includes(named))
    return {
      field: "options.workspace",
      reason: "workspace_unknown",
      detail: `this session is bound to the workspace ${here[0]}, and a call cannot name another`,
      valid: here.slice(0, 1)
    }
  let chosen = everything(members)
  const steps = [
    ["options.project", project, byProject],
    ["options.repo", repo, byRepository],
    ["options.scope", scope, byScope]
  ] as const
  for (const [field, word, by] of steps) {
    if (word === undefined) continue
    const next = by(word, around)
    if ("reason" in next) return next
    chosen = intersect(chosen, next)
    if (isEmpty(chosen))
      return {
        field,
        reason: "nothing_in_common",
        detail: `${quoted(word)} has nothing in common with what else the call is narrowed to`,
        valid: []
      }
  }
  return chosen
}
