import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { ProgramFlow } from "../../../services/ProgramFlow.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import * as Shared from "../../fields.ts"
import { graph } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { type analyze, kind } from "../facade.ts"
import { under } from "../upkeep/Narrowing.ts"
import { Places, reach, reading } from "./Reading.ts"

/** Texts without one of which a file raises nothing. */
const words =
  "\\bthrow\\b|\\braise\\b|\\bpanic!?\\(|\\bErr\\(|\\bunreachable!|\\btodo!|\\bunimplemented!|errors\\.(New|Wrap|Errorf|Join)|\\.Errorf\\(|return.*\\b(Err[A-Z]\\w*|\\w*Error)\\b"

const needs = [CodeGraph, TextIndex, ProgramFlow] as const

export const errorSurface: Member<typeof analyze, "error_surface", typeof needs> = kind("error_surface", {
  summary: "Functions and the errors they raise.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const inPath = yield* under(view, options.path_prefix)
      const read = yield* reading(view, words, inPath)
      const places = new Places(view)
      const rows = new Map<
        string,
        {
          readonly path: string
          line: number
          throws: number
          readonly ways: Set<string>
          readonly errors: Set<string>
          readonly messages: Set<string>
          readonly test: boolean
        }
      >()
      yield* inTurns(read.files, (file) => {
        for (const fn of file.functions) {
          if (fn.thrown.length === 0) continue
          const owner = places.owner(file.path, fn)
          const id = places.nameOf(owner, file.path)
          for (const thrown of fn.thrown) {
            let row = rows.get(id)
            if (row === undefined) {
              const line = owner === undefined || view.isFile(owner) ? thrown.line : view.symbol(owner).line
              rows.set(
                id,
                (row = {
                  path: file.path,
                  line,
                  throws: 0,
                  ways: new Set(),
                  errors: new Set(),
                  messages: new Set(),
                  test: owner !== undefined && view.isTest(owner)
                })
              )
            }
            row.throws++
            row.ways.add(thrown.how)
            if (thrown.error !== "") row.errors.add(thrown.error)
            if (thrown.message !== "") row.messages.add(thrown.message)
          }
        }
      })
      const throwers = [...rows]
        .sort(([a, x], [b, y]) => Number(x.test) - Number(y.test) || y.throws - x.throws || (a < b ? -1 : 1))
        .map(([id, { errors, line, messages, path, test, throws, ways }]) => ({
          id,
          symbol: id,
          file_path: path,
          line,
          throws,
          how: [...ways].sort(),
          errors: [...errors].sort(),
          error_msgs: [...messages].slice(0, 10),
          ...(test ? { test: true } : {})
        }))
      return page(
        "throwers",
        {
          throwers,
          total: throwers.length,
          sites: throwers.reduce((sum, { throws }) => sum + throws, 0),
          ...(call.limit === undefined ? {} : { limit: call.limit }),
          notes: [
            "what a function throws, panics with, or returns as an error it makes there; errors of functions it calls are not added to its own",
            "test code comes last"
          ],
          ...reach(view, read)
        },
        { snapshot: view.generation }
      )
    })
})
