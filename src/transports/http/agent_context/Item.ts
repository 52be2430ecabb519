/** What the agent context shows: short rows with a reference each, within the bounds of an answer. */
import { createHash } from "node:crypto"
import { redact } from "./Redaction.ts"
import { limits, type Profile, type Scope } from "./Settings.ts"

/** One row as it is shown. */
export interface Item {
  /** At most 180 characters; the same for the same thing. */
  readonly ref: string
  readonly scope: Scope
  readonly kind: string
  readonly title: string
  readonly summary: string
  /** Repository-relative. */
  readonly path?: string
}

/** A row as a source has it. */
export interface Raw {
  readonly scope: Scope
  readonly kind: string
  /** What it goes by in its source. */
  readonly id: string
  readonly title: string
  /** Longer words about it. */
  readonly text: string
  readonly path?: string | undefined
  /** Words about it that give nothing of it away. */
  readonly label: string
  /** Whether its title and text are somebody's own words, which the metadata profile does not show. */
  readonly personal: boolean
}

export const mostRef = 180
const mostTitle = 160
const mostKind = 80
const mostPath = 300
/** Characters of a text that are searched. */
const mostSearched = 2000

const cap = (text: string, most: number): string => {
  const flat = text.replace(/\s+/g, " ").trim()
  if (flat.length <= most) return flat
  const end = most - 1
  // No half of a pair is left at the end.
  return `${flat.slice(0, /[\ud800-\udbff]/.test(flat[end - 1] ?? "") ? end - 1 : end)}…`
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 20)

/** Reference of a row: by its name where that is short and may be shown, by a digest of it otherwise. */
export const refOf = ({ id, kind, personal, scope }: Raw): string => {
  const plain = `${scope}:${kind}:${id}`
  return !personal &&
    plain.length <= mostRef &&
    redact(id) === id &&
    !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(id) &&
    id.trim() === id
    ? plain
    : `${scope}:${kind}:${digest(id)}`
}

/** The scope a reference is of; undefined for what is no reference. */
export const scopeOf = (ref: string, known: ReadonlyArray<Scope>): Scope | undefined =>
  known.find((scope) => ref.startsWith(`${scope}:`))

/** A row as a profile shows it. */
export const present = (raw: Raw, profile: Profile): Item => {
  const hidden = raw.personal && profile === "metadata"
  const path = raw.path === undefined || hidden ? undefined : cap(redact(raw.path), mostPath)
  return {
    ref: refOf(raw),
    scope: raw.scope,
    kind: cap(raw.kind, mostKind),
    title: cap(hidden ? raw.label : redact(raw.title), mostTitle),
    summary: cap(
      profile === "summary" && raw.text !== "" ? redact(raw.text.slice(0, 4 * mostSearched)) : raw.label,
      limits.maxSummaryChars
    ),
    ...(path === undefined ? {} : { path })
  }
}

/** Whether a row has some words. Only what may be shown is looked at, so no answer confirms what is masked. */
export const says = (raw: Raw, item: Item, profile: Profile, query: string): boolean => {
  const more = profile === "summary" ? redact(raw.text.slice(0, 4 * mostSearched)).slice(0, mostSearched) : ""
  const words = query.toLowerCase()
  return [item.title, item.kind, item.summary, item.path ?? "", more].some((text) =>
    text.toLowerCase().includes(words)
  )
}

/** The first items that fit an answer with `around` characters of other things; at least one, so that pages go on. */
export const fitting = (items: ReadonlyArray<Item>, around: number): ReadonlyArray<Item> => {
  const most = Math.min(limits.maxResponseChars, limits.maxApproxTokens * 4)
  let used = around
  let count = 0
  for (const item of items) {
    used += JSON.stringify(item).length + 1
    if (used > most && count > 0) break
    count++
  }
  return items.slice(0, count)
}
