/**
 * Read revisions: numbers that say "this owner read this path in this state". They stand for content, so touching a
 * file changes nothing, and a revision is worth nothing on another path, in another project or for another owner.
 */
import { randomInt } from "node:crypto"
import { type EditRefused, refuse } from "../../services/EditRefused.ts"

/** Whose revision of what. `project` is a root's real path, `path` root-relative with `/`. */
export interface RevisionKey {
  readonly owner: string
  readonly project: string
  readonly path: string
}

interface Issued extends RevisionKey {
  readonly sha: string
  readonly revision: number
}

/** Revisions kept for one owner; the least recently used are forgotten and then unknown. */
export const maxRevisionsOfOwner = 8_192

/** Where numbering begins: far enough apart that numbers of an earlier process are unknown rather than mistaken. */
const origin = (): number => randomInt(1, 2 ** 40) * 4096

/** Revisions issued by this process. All operations are constant time. */
export class Revisions {
  private readonly byNumber = new Map<number, Issued>()
  private readonly byOwner = new Map<string, Map<string, Issued>>()
  private next = origin()

  /**
   * The revision of a path whose content has this git blob id. The same content gets the same number while it stays
   * the last one seen.
   */
  issue(key: RevisionKey, sha: string): number {
    const own = this.byOwner.get(key.owner) ?? new Map<string, Issued>()
    this.byOwner.set(key.owner, own)
    const id = `${key.project}\0${key.path}\0${sha.toLowerCase()}`
    const known = own.get(id)
    if (known !== undefined) {
      own.delete(id)
      own.set(id, known)
      return known.revision
    }
    const issued: Issued = { ...key, sha: sha.toLowerCase(), revision: this.next++ }
    own.set(id, issued)
    this.byNumber.set(issued.revision, issued)
    if (own.size > maxRevisionsOfOwner) {
      const [oldest, dropped] = own.entries().next().value!
      own.delete(oldest)
      this.byNumber.delete(dropped.revision)
    }
    return issued.revision
  }

  /** Why a revision does not admit an edit of content with this blob id, or null when it does. */
  check(key: RevisionKey, revision: number, sha: string): EditRefused | null {
    const issued = this.byNumber.get(revision)
    const data = { read_revision: revision, reread_required: true }
    if (issued === undefined)
      return refuse("unknown_read_revision", "this revision was not issued by a read, or is forgotten", {
        data
      })
    if (issued.owner !== key.owner)
      return refuse("read_revision_owner_mismatch", "this revision was issued to another session", { data })
    if (issued.project !== key.project)
      return refuse(
        "read_revision_project_mismatch",
        "this revision belongs to a file of another repository",
        {
          data
        }
      )
    if (issued.path !== key.path)
      return refuse("read_revision_path_mismatch", "this revision belongs to another file", { data })
    if (issued.sha !== sha.toLowerCase())
      return refuse("stale_read_revision", "the file changed after it was read", {
        data: { ...data, current_sha: sha }
      })
    return null
  }

  /** Forgets everything issued to an owner. */
  forget(owner: string): void {
    const own = this.byOwner.get(owner)
    if (own === undefined) return
    for (const { revision } of own.values()) this.byNumber.delete(revision)
    this.byOwner.delete(owner)
  }
}
