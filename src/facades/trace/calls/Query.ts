/**
 * The little language of `trace.graph`: stages between pipes, each of which makes a set of nodes out of the last.
 *
 *     nodes FILTER* | traverse KINDS out|in|both | filter FILTER+
 *
 * A filter is `kind=function,method`, `name~regexp`, `name=exactly`, `path=prefix` or `lang=go`.
 */
import { Either } from "effect"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import { edgeKinds } from "../../search/EdgeKinds.ts"

export type Filter =
  | { readonly of: "kind" | "lang"; readonly values: ReadonlyArray<string> }
  | { readonly of: "path" | "name"; readonly value: string }
  | { readonly of: "matches"; readonly pattern: RegExp }

export type Stage =
  | { readonly stage: "nodes" | "filter"; readonly filters: ReadonlyArray<Filter> }
  | {
      readonly stage: "traverse"
      readonly kinds: ReadonlyArray<string>
      readonly direction: "out" | "in" | "both"
    }

export const mostStages = 5
const mostPattern = 200
const grammar =
  "nodes FILTER* | traverse KINDS out|in|both | filter FILTER+; filters kind=, name~regexp, name=, path=, lang="

const bad = (why: string): OperationFailure =>
  invalidArgument("options.query", `options.query: ${why}; ${grammar}`, {
    reason_code: "invalid_query",
    data: { grammar, edge_kinds: [...edgeKinds, "all"], most_stages: mostStages }
  })

/** Words of a stage; a word may hold spaces between double quotes. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""))

/** Stages of a text; a pipe between double quotes or after a backslash does not end one. */
const split = (text: string): ReadonlyArray<string> => {
  const out = [""]
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const at = text[i]!
    if (at === "\\" && text[i + 1] === "|" && !quoted) {
      out[out.length - 1] += "|"
      i++
    } else if (at === "|" && !quoted) out.push("")
    else {
      if (at === '"') quoted = !quoted
      out[out.length - 1] += at
    }
  }
  return out
}

/** Repeats of what repeats itself, or of a choice, may take longer than anybody waits. */
const nested = /\([^)]*[*+}|][^)]*\)[*+{]/

const filterOf = (
  word: string,
  known: { readonly kinds: ReadonlyArray<string>; readonly languages: ReadonlyArray<string> }
): Either.Either<Filter, OperationFailure> => {
  const match = /^(kind|name|path|lang)(=|~)(.*)$/s.exec(word)
  if (match === null) return Either.left(bad(`${JSON.stringify(word)} is no filter`))
  const [, of, sign, value] = match as unknown as [
    string,
    "kind" | "name" | "path" | "lang",
    "=" | "~",
    string
  ]
  if (value === "") return Either.left(bad(`${of}${sign} has no value`))
  if (sign === "~") {
    if (of !== "name") return Either.left(bad(`${of}~ is no filter: only names are matched`))
    if (value.length > mostPattern || nested.test(value))
      return Either.left(
        bad(`the pattern of name~ is too long, or repeats a group that holds a repeat or a choice`)
      )
    try {
      return Either.right({ of: "matches", pattern: new RegExp(value, "u") })
    } catch (cause) {
      return Either.left(bad(`name~${value}: ${(cause as Error).message}`))
    }
  }
  if (of === "path" || of === "name") return Either.right({ of, value })
  const values = value.split(",").filter((each) => each !== "")
  const valid = of === "kind" ? known.kinds : known.languages
  const stray = values.filter((each) => !valid.includes(each))
  return stray.length === 0
    ? Either.right({ of, values })
    : Either.left(
        bad(
          `there is no ${of === "kind" ? "kind" : "language"} ${stray.join(", ")}; valid: ${valid.join(", ")}`
        )
      )
}

/** Reads a query. What is wrong with it is said with the grammar. */
export const parse = (
  text: string,
  known: { readonly kinds: ReadonlyArray<string>; readonly languages: ReadonlyArray<string> }
): Either.Either<ReadonlyArray<Stage>, OperationFailure> =>
  Either.gen(function* () {
    const stages = split(text)
    if (stages.length > mostStages)
      return yield* Either.left(bad(`${stages.length} stages are more than ${mostStages}`))
    const out: Array<Stage> = []
    for (const [at, stage] of stages.entries()) {
      const [verb, ...rest] = wordsOf(stage)
      if (verb === undefined) return yield* Either.left(bad(`stage ${at + 1} is empty`))
      if ((at === 0) !== (verb === "nodes"))
        return yield* Either.left(
          bad(at === 0 ? `the first stage is nodes, not ${verb}` : "only the first stage is nodes")
        )
      switch (verb) {
        case "nodes":
        case "filter": {
          if (verb === "filter" && rest.length === 0) return yield* Either.left(bad("filter has no filters"))
          const filters: Array<Filter> = []
          for (const word of rest) filters.push(yield* filterOf(word, known))
          out.push({ stage: verb, filters })
          break
        }
        case "traverse": {
          const [kinds, direction = "out", ...more] = rest
          if (kinds === undefined || more.length > 0)
            return yield* Either.left(bad("traverse takes kinds of edge and a direction"))
          if (direction !== "out" && direction !== "in" && direction !== "both")
            return yield* Either.left(bad(`${direction} is no direction`))
          const list = kinds.split(",").filter((each) => each !== "")
          const stray = list.filter((each) => each !== "all" && !edgeKinds.includes(each))
          if (stray.length > 0 || list.length === 0)
            return yield* Either.left(
              bad(
                `there is no kind of edge ${stray.join(", ") || kinds}; valid: ${[...edgeKinds, "all"].join(", ")}`
              )
            )
          out.push({ stage: "traverse", kinds: list, direction })
          break
        }
        default:
          return yield* Either.left(bad(`${JSON.stringify(verb)} is no stage`))
      }
    }
    return out
  })
