/** Fields by which a call is narrowed to a part of the workspace. They are the same wherever they are taken. */
import { Effect } from "effect"
import { CallInfo, type Narrowed } from "./CallInfo.ts"
import * as F from "./Fields.ts"
import { isRecord, type UnknownRecord } from "./Json.ts"

const narrowing: F.Fields = {
  repo: F.optional(F.described(F.text, "one repository; * for all")),
  project: F.optional(F.text),
  workspace: F.optional(F.described(F.text, "this one only")),
  scope: F.optional(F.described(F.text, "a saved scope"))
}
const names = ["repo", "project", "workspace", "scope"] as const

const optionsOf = (declared: F.Fields): F.Fields => {
  const shape = declared["options"]?.shape
  return shape?.tag === "group" ? shape.fields : {}
}

/**
 * The fields of an operation with those that narrow it. A field of its own stays what it is, and one that says in another
 * place which repository is meant is enough.
 */
export const fields = (declared: F.Fields): F.Fields => {
  const { repo, ...others } = narrowing
  const says = [...F.walk(declared)].some(([, field]) => field.selectsRepository)
  return {
    ...declared,
    options: F.group({ ...(says ? {} : { repo: repo! }), ...others, ...optionsOf(declared) })
  }
}

/** What decoded arguments of an operation say by the fields that were added to it; undefined when they narrow nothing. */
export const said = (
  value: UnknownRecord,
  narrows: boolean | "path",
  declared: F.Fields
): Narrowed | undefined => {
  const own = optionsOf(declared)
  const options = value["options"]
  if (!isRecord(options)) return undefined
  const { path } = options
  const found = {
    ...Object.fromEntries(
      names.flatMap((name) => {
        const word = Object.hasOwn(own, name) ? undefined : options[name]
        return typeof word === "string" ? [[name, word.trim()]] : []
      })
    ),
    ...(narrows === "path" && Array.isArray(path) && path.length > 0 ? { paths: path as Array<string> } : {})
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** Runs something that sees no more than is said. */
export const within = <A, E, R>(self: Effect.Effect<A, E, R>, narrowed: Narrowed): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallInfo, (info) => Effect.provideService(self, CallInfo, { ...info, narrowed }))
