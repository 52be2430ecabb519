import * as fc from "effect/FastCheck"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { describe, expect, it } from "vitest"
import { makeView } from "../../../../src/engine/graph/View.ts"
import { cyclesOf } from "../../../../src/facades/analyze/measures/cycles.ts"
import type { GraphView } from "../../../../src/services/CodeGraph.ts"
import { fresh, treeOf } from "../../../engine/graph/Line.ts"

const inFolder = async <A>(
  files: { readonly [path: string]: string },
  run: (folder: string) => Promise<A>
) => {
  const folder = mkdtempSync(join(tmpdir(), "portico-cycles-"))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Rings of files that a bundler complains of, by relative paths. */
const complained = async (folder: string, files: ReadonlyArray<string>) => {
  const rings: Array<ReadonlyArray<string>> = []
  const bundle = await rolldown({
    input: files.map((path) => join(folder, path)),
    checks: { circularDependency: true },
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    treeshake: false,
    onLog: (_, log) => {
      if (log.code === "CIRCULAR_DEPENDENCY")
        rings.push((log.ids ?? []).map((id) => relative(folder, id).replaceAll("\\", "/")))
    }
  })
  await bundle.generate({ format: "esm" })
  await bundle.close()
  return rings
}

const importCycles = (view: GraphView) =>
  cyclesOf(view, () => true)
    .filter(({ kind }) => kind === "import")
    .map(({ members, ring }) => ({
      members: members.map((node) => view.idOf(view.columns.refOf(node))),
      ring: ring.map((node) => view.idOf(view.columns.refOf(node)))
    }))

const viewOf = async (files: { readonly [path: string]: string }) =>
  makeView(await fresh(treeOf(files)), { state: "fresh", stale_files: [], head: undefined, checked_at: "" })

/** Every ring the bundler finds lies in one of our cycles, and every cycle of ours holds one of its rings. */
const agree = async (files: { readonly [path: string]: string }) => {
  const ours = importCycles(await viewOf(files))
  const theirs = await inFolder(files, (folder) => complained(folder, Object.keys(files)))
  for (const ring of theirs)
    expect(ours.some(({ members }) => ring.every((path) => members.includes(path)))).toBe(true)
  for (const { members } of ours)
    expect(theirs.some((ring) => ring.every((path) => members.includes(path)))).toBe(true)
  return { ours, theirs }
}

const count = 7
type Link = "value" | "type" | "implicit" | "both" | "passed"
const links = fc.array(
  fc.tuple(
    fc.nat(count - 1),
    fc.nat(count - 1),
    fc.constantFrom<Link>("value", "value", "type", "implicit", "both", "passed")
  ),
  { maxLength: 12 }
)
const program = (drawn: ReadonlyArray<readonly [number, number, Link]>) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const seen = new Set<number>([at])
      const lines = drawn.flatMap(([from, to, link]) => {
        if (from !== at || seen.has(to)) return []
        seen.add(to)
        switch (link) {
          case "type":
            return [`import type { C${to} } from "./m${to}"`, `export const t${to} = (x: C${to}) => x`]
          case "implicit":
            return [`import { C${to} } from "./m${to}"`, `export const i${to} = (x: C${to}) => x`]
          case "both":
            return [`import { C${to} } from "./m${to}"`, `export const b${to} = (): C${to} => new C${to}()`]
          case "passed":
            return [`export { f${to} as g${to} } from "./m${to}"`]
          default:
            return [`import { f${to} } from "./m${to}"`, `export const v${to} = () => f${to}()`]
        }
      })
      return [
        `m${at}.ts`,
        [...lines, `export const f${at} = () => ${at}`, `export class C${at} { own = ${at} }`].join("\n")
      ]
    })
  )

describe("import cycles", () => {
  it("are those a bundler finds, over random programs", async () => {
    await fc.assert(
      fc.asyncProperty(links, async (drawn) => {
        const { ours } = await agree(program(drawn))
        // What is shown is a ring: each file imports the next.
        for (const { ring } of ours) {
          expect(ring[0]).toBe(ring[ring.length - 1])
          for (let i = 0; i + 1 < ring.length; i++) {
            const [a, b] = [ring[i]!, ring[i + 1]!].map((path) => Number(/\d+/.exec(path)![0])) as [
              number,
              number
            ]
            expect(drawn.some(([from, to]) => from === a && to === b)).toBe(true)
          }
        }
      }),
      { numRuns: 30 }
    )
  })
  it("are those a bundler finds in a real package", async () => {
    const source = fileURLToPath(new URL("../../../../node_modules/zod/src/v4", import.meta.url))
    const files = Object.fromEntries(
      readdirSync(source, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !/(?:^|\/)tests\//.test(path))
        .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(source, path), "utf8")])
    )
    const { ours } = await agree(files)
    expect(ours.map(({ members }) => members)).toEqual([["core/core.ts", "core/util.ts"]])
  })
})
