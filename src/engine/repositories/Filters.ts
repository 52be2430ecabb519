/** Path filters of a workspace of several repositories, as those of one of them. */
import { prefixOf } from "../../registry/Place.ts"
import type { Member } from "./Members.ts"

/**
 * The part of a list of path filters that is about one repository, by its own paths; undefined for `member` is the
 * served one. None asks for all of it, undefined for nothing.
 */
export const filtersOf = (
  paths: ReadonlyArray<string> | undefined,
  member: Member | undefined,
  all: ReadonlyArray<Member>
): ReadonlyArray<string> | undefined => {
  const asked = (paths ?? []).map(prefixOf)
  if (asked.length === 0 || asked.includes("")) return []
  const out: Array<string> = []
  for (const path of asked) {
    const owner = all.find(({ prefix }) => `${path}/`.startsWith(prefix))
    if (owner !== member) continue
    const inner = member === undefined ? path : path.slice(member.prefix.length)
    if (inner === "") return []
    out.push(inner)
  }
  return out.length === 0 ? undefined : out
}
