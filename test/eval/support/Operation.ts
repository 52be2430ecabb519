/** Calls of operations over a tree, all pages of them. */
import { Effect } from "effect"
import { catalog } from "../../../src/facades/index.ts"
import { CallInfo } from "../../../src/registry/CallInfo.ts"
import { select } from "../../../src/registry/Facade.ts"
import { project } from "../../../src/registry/Projection.ts"
import type { Registry } from "../../../src/registry/Registry.ts"
import type { Tree } from "./Tree.ts"

export type Row = { readonly [key: string]: any }

/** The rows of one list of an answer, from its first page to its last. */
export const rowsOf = (
  tree: Tree,
  tool: string,
  args: Row,
  list: string
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.gen(function* () {
    const facade = (catalog as Registry.Any).facade(tool)
    if (facade === undefined) throw new Error(`no tool ${tool}`)
    const rows: Array<Row> = []
    let cursor: string | undefined
    do {
      const selected = yield* select(facade, {
        ...args,
        output: { limit: 200, max_bytes: 0, ...(cursor === undefined ? {} : { cursor }) }
      })
      const outcome = yield* selected.operation
        .run(selected.args)
        .pipe(
          Effect.provide(tree.services),
          Effect.provideService(CallInfo, { requestId: "eval" })
        ) as Effect.Effect<any>
      const value = (yield* project(outcome)).value as Row
      rows.push(...(value[list] as ReadonlyArray<Row>))
      cursor = value["next_cursor"] as string | undefined
    } while (cursor !== undefined)
    return rows
  }).pipe(Effect.orDie)
