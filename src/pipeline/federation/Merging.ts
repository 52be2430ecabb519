/** What other servers answered, put beside what this one did. Every row of theirs says whose it is. */
import type { UnknownRecord } from "../../registry/Json.ts"
import { isRecord } from "../../registry/Json.ts"
import type { Elsewhere, Outcome } from "../../registry/Projection.ts"
import type { PeerReply } from "../../services/Peers.ts"

/** Rows of a list, marked with the server they are from. */
const marked = (rows: ReadonlyArray<unknown>, origin: string): ReadonlyArray<UnknownRecord> =>
  rows.filter(isRecord).map((row) => ({ ...row, origin }))

/** Lists of rows in an answer. */
const listsOf = (value: UnknownRecord): ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> =>
  Object.entries(value).flatMap(([key, list]) =>
    Array.isArray(list) && key !== "peers" && key !== "elsewhere" && list.some(isRecord)
      ? [[key, list] as const]
      : []
  )

/** What is said of each server asked. */
const told = (
  { code, detail, ms, name, status, value }: PeerReply,
  list: string | undefined
): UnknownRecord => {
  const rows = list === undefined ? undefined : value?.[list]
  return {
    name,
    status,
    ms,
    ...(code === undefined ? {} : { code }),
    ...(detail === undefined ? {} : { detail }),
    ...(Array.isArray(rows) ? { rows: rows.length } : {}),
    ...(typeof value?.["total"] === "number" ? { total: value["total"] } : {}),
    ...(value?.["complete"] === false ? { complete: false } : {}),
    ...(value?.["next_cursor"] === undefined ? {} : { more: true })
  }
}

const elsewhereOf = (replies: ReadonlyArray<PeerReply>, list: string | undefined): Elsewhere => {
  const lists: { [key: string]: Array<UnknownRecord> } = {}
  const answers: Array<UnknownRecord> = []
  for (const { name, value } of replies) {
    if (value === undefined) continue
    if (list === undefined) {
      answers.push({ ...value, origin: name })
      continue
    }
    for (const [key, rows] of listsOf(value)) (lists[key] ??= []).push(...marked(rows, name))
  }
  return { lists, answers, peers: replies.map((reply) => told(reply, list)) }
}

/** An answer of this server's with the others' beside it. */
export const merged = (outcome: Outcome, replies: ReadonlyArray<PeerReply>): Outcome => ({
  ...outcome,
  elsewhere: elsewhereOf(replies, outcome.answer.shape.list)
})

/** The list most rows of an answer are in. */
const mainList = (value: UnknownRecord): string | undefined =>
  [...listsOf(value)].sort((left, right) => right[1].length - left[1].length)[0]?.[0]

/** What others answered where this server could not. Undefined when none of them did. */
export const theirs = (
  replies: ReadonlyArray<PeerReply>
): { readonly value: UnknownRecord; readonly list: string | undefined } | undefined => {
  const answered = replies.flatMap(({ value }) => (value === undefined ? [] : [value]))
  if (answered.length === 0) return undefined
  const list = answered.map(mainList).find((name) => name !== undefined)
  const { answers, lists, peers } = elsewhereOf(replies, list)
  return { value: { ...lists, ...(answers.length === 0 ? {} : { elsewhere: answers }), peers }, list }
}

/** The state of every server, for a failure. */
export const statesOf = (replies: ReadonlyArray<PeerReply>): ReadonlyArray<UnknownRecord> =>
  replies.map((reply) => told(reply, undefined))
