/** A composed graph says of each repository what its own view says, and of uses across them what was written. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { expect } from "vitest"
import { compose, type Part } from "../../../src/engine/repositories/Composite.ts"
import { packagesOf } from "../../../src/engine/repositories/Packages.ts"
import { makeView } from "../../../src/engine/graph/View.ts"
import { open } from "../../../src/engine/workspace/Workspace.ts"
import type { GraphView, SymbolRef } from "../../../src/services/CodeGraph.ts"
import { TempFolder } from "../git/TempRepo.ts"

const freshness = { state: "fresh", stale_files: [], head: undefined, checked_at: "" } as const

/** Packages of functions that call functions of their own package and of those they may import. */
interface World {
  readonly packages: number
  readonly functions: number
  /** Caller and callee as `package * functions + function`. */
  readonly calls: ReadonlyArray<readonly [number, number]>
}
const world: fc.Arbitrary<World> = fc
  .record({ packages: fc.integer({ min: 2, max: 3 }), functions: fc.integer({ min: 1, max: 4 }) })
  .chain(({ functions, packages }) => {
    const node = fc.nat({ max: packages * functions - 1 })
    return fc.record({
      packages: fc.constant(packages),
      functions: fc.constant(functions),
      calls: fc.uniqueArray(fc.tuple(node, node), {
        maxLength: 14,
        selector: ([from, to]) => `${from} ${to}`
      })
    })
  })

const textOf = ({ calls, functions, packages }: World, own: number): string => {
  const lines: Array<string> = []
  for (let other = 0; other < packages; other++) {
    if (other === own) continue
    const names = new Set(
      calls
        .filter(([from, to]) => Math.floor(from / functions) === own && Math.floor(to / functions) === other)
        .map(([, to]) => to % functions)
    )
    if (names.size > 0)
      lines.push(`import { ${[...names].map((n) => `f${n} as p${other}f${n}`).join(", ")} } from "p${other}"`)
  }
  for (let at = 0; at < functions; at++) {
    lines.push(`export function f${at}() {`)
    for (const [from, to] of calls) {
      if (from !== own * functions + at) continue
      const other = Math.floor(to / functions)
      lines.push(`  ${other === own ? `f${to % functions}` : `p${other}f${to % functions}`}()`)
    }
    lines.push("}")
  }
  return `${lines.join("\n")}\n`
}

const partsOf = (of: World) =>
  Effect.forEach(Array.from({ length: of.packages }), (_, own) =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => new TempFolder()),
        (made) => Effect.sync(() => made[Symbol.dispose]())
      )
      const manifest = JSON.stringify({ name: `p${own}`, main: "index.js" })
      folder.write("package.json", manifest)
      folder.write("index.js", textOf(of, own))
      const engine = yield* open({
        directory: folder.path,
        exact: true,
        watch: false,
        store: false,
        threads: 1
      })
      const { snapshot } = yield* engine.current
      const view = makeView(snapshot, freshness)
      const part: Part = {
        name: `p${own}`,
        prefix: own === 0 ? "" : `p${own}/`,
        view,
        packages: packagesOf(view, (path) => (path === "package.json" ? manifest : undefined))
      }
      return part
    })
  )

const idOf = (of: World, node: number): string => {
  const own = Math.floor(node / of.functions)
  return `${own === 0 ? "" : `p${own}/`}index.js::f${node % of.functions}`
}

/** Everything that uses a node, by brute force. */
const closure = ({ calls }: World, node: number): ReadonlySet<number> => {
  const seen = new Set<number>()
  const queue = [node]
  for (const at of queue)
    for (const [from, to] of calls)
      if (to === at && !seen.has(from)) {
        seen.add(from)
        queue.push(from)
      }
  seen.delete(node)
  return seen
}

const refOf = (view: GraphView, id: string): SymbolRef => {
  const { exact, found } = view.resolve(id)
  expect({ id, exact, found: found.length }).toEqual({ id, exact: true, found: 1 })
  return found[0]!
}

const checked = (of: World) =>
  Effect.scoped(
    Effect.gen(function* () {
      const parts = yield* partsOf(of)
      const whole = compose(parts)
      const total = of.packages * of.functions
      expect(whole.counts.symbols).toBe(parts.reduce((n, { view }) => n + view.counts.symbols, 0))
      const { columns } = whole
      for (let node = 0; node < total; node++) {
        const id = idOf(of, node)
        const ref = refOf(whole, id)
        expect(whole.idOf(ref)).toBe(id)
        expect(whole.symbol(ref)).toMatchObject({ id, ref, path: id.slice(0, id.indexOf("::")), doc: "" })
        const callers = of.calls.filter(([, to]) => to === node).map(([from]) => idOf(of, from))
        const bound = whole.incoming(ref).filter(({ role }) => role === "call")
        expect(bound.map((edge) => whole.idOf(edge.from)).sort()).toEqual(callers.sort())
        const callees = of.calls.filter(([from]) => from === node).map(([, to]) => idOf(of, to))
        const uses = whole.outgoing(ref).filter(({ role }) => role === "call")
        expect(uses.map((edge) => whole.idOf(edge.to)).sort()).toEqual(callees.sort())
        // Columns have the same edges.
        const at = columns.nodeOf(ref)
        expect(columns.refOf(at)).toBe(ref)
        const users: Array<string> = []
        for (let p = columns.in.starts[at]!; p < columns.in.starts[at + 1]!; p++) {
          const edge = columns.inEdges[p]!
          if (columns.roleNames[columns.roles[edge]!] !== "call") continue
          users.push(whole.idOf(columns.refOf(columns.in.others[p]!)))
          expect(whole.idOf(columns.edge(edge).to)).toBe(id)
        }
        expect(users.sort()).toEqual(callers)
        // A walk finds what brute force finds.
        const reached = whole.reach([ref], { depth: 50, most: 1000 })
        const wanted = [...closure(of, node)].map((each) => idOf(of, each)).sort()
        const found = reached.refs.map((each) => whole.idOf(each))
        expect(found.filter((each) => each !== id).sort()).toEqual(wanted)
        reached.cameFrom.forEach((came, i) => {
          const to = came >= 0 ? reached.refs[came]! : [ref][-1 - came]!
          expect(whole.outgoing(reached.refs[i]!).some((edge) => edge.to === to)).toBe(true)
        })
      }
    })
  )

describe("a composed graph", () => {
  it.live("equals what its packages were written from", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(world, (of) => Effect.runPromise(checked(of))),
        { numRuns: 40 }
      )
    )
  )
})
