/** What a caller asks for, and the limits that hold for one request. */
import type { ChangeItem, Guard } from "../../services/LocalWriter.ts"
import { checkEdit } from "./Matcher.ts"
import { type EditRefused, type Place, refuse } from "../../services/EditRefused.ts"

/** The path an item is about: the source of a move. */
export const pathOf = (item: ChangeItem): string => (item.op === "move" ? item.source : item.path)

export const rankOf = (item: ChangeItem): number =>
  item.rank ?? (item.op === "edit" || item.op === "write" ? 1000 : 2000)

/** Most that one request may ask for; more is refused whole. Sizes in bytes of UTF-8. */
export interface Limits {
  /** Replacements, summed over all items. */
  readonly edits: number
  /** Files written, moved or deleted. */
  readonly files: number
  /** One `match` or `replacement`. */
  readonly text: number
  /** The content of one whole-file write. */
  readonly write: number
  /** All texts together. */
  readonly batch: number
}
export const limits: Limits = {
  edits: 20,
  files: 16,
  text: 512 << 10,
  write: 256 << 10,
  batch: 1 << 20
}

/** Largest file whose text is edited, in bytes. */
export const maxEditedBytes = 16 << 20

const sizeOf = (text: string | Uint8Array): number =>
  typeof text === "string" ? Buffer.byteLength(text) : text.length

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

const checkGuard = (guard: Guard, place: Place): EditRefused | null => {
  const at = { ...place, stage: "admission" as const }
  if (guard.baseSha !== undefined && !/^[0-9a-f]{40}$/i.test(guard.baseSha))
    return refuse("invalid_guard", "base_sha is 40 hexadecimal digits", {
      ...at,
      data: { field: "base_sha" }
    })
  if (guard.sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(guard.sha256))
    return refuse("invalid_guard", "expected_sha256 is 64 hexadecimal digits", {
      ...at,
      data: { field: "expected_sha256" }
    })
  if (
    guard.readRevision !== undefined &&
    !(Number.isSafeInteger(guard.readRevision) && guard.readRevision > 0)
  )
    return refuse("invalid_guard", "a read revision is a positive whole number", {
      ...at,
      data: { field: "read_revision" }
    })
  return null
}

/** Which guard a replacement of many matches needs. */
export type BulkGuard = "read_revision" | "any"

/** What is wrong with a request as such, before the disk is looked at. */
export const admit = (
  items: ReadonlyArray<ChangeItem>,
  most: Limits,
  bulkGuard: BulkGuard
): EditRefused | null => {
  const over = (
    reason: EditRefused["reason"],
    what: string,
    limit: number,
    observed: number,
    place: Place = {},
    field?: string
  ) =>
    refuse(reason, `${what}: ${observed} is more than ${limit}`, {
      ...place,
      stage: "admission",
      data: { limit, observed, ...(field === undefined ? {} : { field }) }
    })
  if (items.length === 0) return refuse("no_changes", "there is nothing to change", { stage: "admission" })
  let edits = 0
  let total = 0
  const files = new Set<string>()
  for (const [changeIndex, item] of items.entries()) {
    const place: Place = { changeIndex, kind: item.op, path: pathOf(item) }
    files.add(pathOf(item))
    if (item.guard !== undefined) {
      const wrong = checkGuard(item.guard, place)
      if (wrong !== null) return wrong
    }
    if (item.op === "write") {
      const size = sizeOf(item.content)
      total += size
      if (size > most.write)
        return over("text_too_large", "bytes of the new file", most.write, size, place, "content")
      if (typeof item.content === "string" && !isWellFormed(item.content))
        return refuse("invalid_text", "the content holds half of a surrogate pair", {
          ...place,
          stage: "admission",
          data: { field: "content" }
        })
    }
    if (item.op !== "edit") continue
    if (item.edits.length === 0)
      return refuse("no_changes", "there is nothing to change in this file", { ...place, stage: "admission" })
    for (const [editIndex, edit] of item.edits.entries()) {
      edits++
      for (const field of ["match", "replacement"] as const) {
        const size = sizeOf(edit[field])
        total += size
        if (size > most.text)
          return over("text_too_large", `bytes of ${field}`, most.text, size, { ...place, editIndex }, field)
      }
      const wrong = checkEdit(edit, { ...place, editIndex })
      if (wrong !== null) return wrong
      if (edit.expectedMatchCount === undefined && edit.replaceAll !== true) continue
      const guarded =
        item.guard?.readRevision !== undefined ||
        (bulkGuard === "any" && (item.guard?.baseSha !== undefined || item.guard?.sha256 !== undefined))
      if (!guarded)
        return refuse(
          "guard_required",
          "replacing several matches needs the read revision of the file it was counted in",
          { ...place, editIndex, stage: "admission", data: { field: "guard.read_revision" } }
        )
    }
  }
  if (edits > most.edits) return over("too_many_edits", "replacements", most.edits, edits)
  if (files.size > most.files) return over("too_many_files", "files", most.files, files.size)
  if (total > most.batch) return over("batch_too_large", "bytes of text", most.batch, total)
  return null
}
