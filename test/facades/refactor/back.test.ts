/** Renaming and renaming back, over generated programs. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Either, FastCheck } from "effect"
import { OverlayView } from "../../../src/services/OverlayView.ts"
import { project, type Work, working } from "./support.ts"

/** Programs of each language; another number by the environment, as 1000. */
const runs = Number(process.env["PORTICO_RENAME_RUNS"] ?? 12)
/** Milliseconds that one language may take: many runs on a busy machine take long. */
const patience = Math.max(600_000, runs * 4_000)

interface Program {
  readonly files: { readonly [path: string]: string }
  /** Every definition that may be renamed. */
  readonly symbols: ReadonlyArray<string>
}

interface Shape {
  /** For each definition what it is, by number. */
  readonly kinds: ReadonlyArray<number>
  /** Uses: which definition, and how it is used. */
  readonly uses: ReadonlyArray<readonly [number, number]>
  readonly barrel: number
  readonly eol: "\n" | "\r\n"
}

const names = ["alpha", "beta", "gamma", "delta", "$eps", "ünï"]

const shapes = FastCheck.record({
  kinds: FastCheck.array(FastCheck.nat(5), { minLength: 1, maxLength: 6 }),
  uses: FastCheck.array(FastCheck.tuple(FastCheck.nat(5), FastCheck.nat(7)), { minLength: 1, maxLength: 8 }),
  barrel: FastCheck.nat(2),
  eol: FastCheck.constantFrom("\n" as const, "\r\n" as const)
})

const lines = (eol: string, list: ReadonlyArray<string>): string =>
  list.map((line) => `${line}${eol}`).join("")

/** Types, classes, functions and values of one module, used in another directly or through a third. */
const typescript = ({ barrel, eol, kinds, uses }: Shape): Program => {
  const own = kinds.map((_, i) => names[i]!)
  const define = (name: string, kind: number): ReadonlyArray<string> =>
    [
      [`export const ${name} = (x: number): number => x + 1 // ${name}`],
      [`/** ${name} */`, `export function ${name}(x: number): number { return x > 9 ? x : ${name}(x + 1) }`],
      [`export class ${name} { ${name} = 1; static of(): ${name} { return new ${name}() } }`],
      [`export interface ${name} { readonly at: number; readonly next?: ${name} }`],
      [
        `export enum ${name} { One, Two }`,
        `export const is${name} = (x: ${name}): boolean => x === ${name}.One`
      ],
      [`let ${name} = 1`, `export const get${name} = (): number => { ${name}++; return ${name} }`]
    ][kind]!.concat()
  const from = barrel === 0 ? "./lib.js" : "./mid.js"
  const imported: Array<string> = []
  const body = uses.map(([which, how], i) => {
    const at = which % kinds.length
    const name = own[at]!
    const kind = kinds[at]!
    if (kind === 5) {
      imported.push(`get${name}`)
      return `export const v${i} = get${name}()`
    }
    if (how < 5) imported.push(name)
    const value = how < 5 ? name : `all.${name}`
    if (kind === 3)
      return how % 2 === 0
        ? `export const v${i}: ${value} = { at: ${i} }`
        : `export type T${i} = ReadonlyArray<${value}>`
    if (kind === 4) return `export const v${i} = [${value}.One, "${name}"]`
    if (kind === 2)
      return how % 2 === 0 ? `export const v${i} = ${value}.of()` : `export class C${i} extends ${value} {}`
    return [
      `export const v${i} = ${value}(${i})`,
      `export const v${i} = (${name}: string): string => ${name} + "${name}"`,
      `export const v${i} = { f: ${value} }.f(1)`,
      how < 5 ? `export const v${i} = { ${name} }.${name}(2)` : `export const v${i} = typeof ${value}`,
      `export const v${i} = \`\${${value}(1)} ${name}\``
    ][how % 5]!
  })
  const used = [...new Set(imported)]
  const members = own.filter((_, i) => kinds[i] !== 5)
  return {
    files: {
      "lib.ts": lines(eol, ["export const other = 0", ...kinds.flatMap((kind, i) => define(own[i]!, kind))]),
      "mid.ts": lines(eol, [
        barrel === 1 || members.length === 0
          ? 'export * from "./lib.js"'
          : `export { ${[...members, ...own.filter((_, i) => kinds[i] === 5).map((name) => `get${name}`)].join(", ")} } from "./lib.js"`
      ]),
      "use.ts": lines(eol, [
        ...(used.length === 0 ? [] : [`import { ${used.join(", ")} } from "${from}"`]),
        'import * as all from "./lib.js"',
        ...body,
        "export const o = all.other"
      ])
    },
    symbols: own.map((name) => `lib.ts::${name}`)
  }
}

/** Functions, classes and values of one module of Python, used in another. */
const python = ({ barrel, eol, kinds, uses }: Shape): Program => {
  const own = kinds.map((_, i) => names[i]!.replace("$", "s"))
  const define = (name: string, kind: number): ReadonlyArray<string> =>
    [
      [`def ${name}(x):`, `    # ${name}`, `    return x if x > 9 else ${name}(x + 1)`],
      [`class ${name}:`, `    """${name}"""`, "    size = 1"],
      [`${name} = 1`]
    ][kind % 3]!.concat("", "")
  const imported: Array<string> = []
  const body = uses.map(([which, how], i) => {
    const at = which % kinds.length
    const name = how % 2 === 0 ? own[at]! : `lib.${own[at]!}`
    if (how % 2 === 0) imported.push(own[at]!)
    return kinds[at]! % 3 === 2
      ? `v${i} = [${name}, "told"]`
      : `v${i} = ${name}(${kinds[at]! % 3 === 0 ? i : ""})`
  })
  const used = [...new Set(imported)]
  return {
    files: {
      "pkg/__init__.py": lines(eol, [
        `from .lib import ${own.join(", ")}`,
        ...(barrel === 2 ? [`__all__ = [${own.map((name) => `"${name}"`).join(", ")}]`] : [])
      ]),
      "pkg/lib.py": lines(
        eol,
        kinds.flatMap((kind, i) => define(own[i]!, kind))
      ),
      "use.py": lines(eol, [
        ...(used.length === 0 ? [] : [`from ${barrel === 0 ? "pkg.lib" : "pkg"} import ${used.join(", ")}`]),
        "from pkg import lib",
        ...body
      ])
    },
    symbols: own.map((name) => `pkg/lib.py::${name}`)
  }
}

/** Functions, types and values of one package of Go, used in its other file and in another package. */
const go = ({ eol, kinds, uses }: Shape): Program => {
  const own = kinds.map((_, i) => ["Alpha", "Beta", "Gamma", "Delta", "Eps", "Zeta"][i]!)
  const define = (name: string, kind: number): ReadonlyArray<string> =>
    [
      [`// ${name} counts.`, `func ${name}(x int) int { if x > 9 { return x }; return ${name}(x + 1) }`],
      [`type ${name} struct { at int; next *${name} }`],
      [`var ${name} = 1`]
    ][kind % 3]!.concat("")
  const use = (at: number, i: number, from: string): string => {
    const name = `${from}${own[at]!}`
    return [`var V${i} = ${name}(${i})`, `var V${i} []*${name}`, `var V${i} = ${name} + 1`][kinds[at]! % 3]!
  }
  const here = uses.map(([which], i) => use(which % kinds.length, i, ""))
  const there = uses.map(([which], i) => use(which % kinds.length, i, "lib."))
  return {
    files: {
      "lib/lib.go": lines(eol, ["package lib", "", ...kinds.flatMap((kind, i) => define(own[i]!, kind))]),
      "lib/more.go": lines(eol, ["package lib", "", ...here]),
      "main.go": lines(eol, [
        "package main",
        "",
        'import "example.org/m/lib"',
        "",
        ...there,
        "",
        "func main() {}"
      ])
    },
    symbols: own.map((name) => `lib/lib.go::${name}`)
  }
}

/** The same without what a rename spells out: `{ x }` comes back as `{ x: x }`, as language services leave it. */
const plain = (files: { readonly [path: string]: string }): { readonly [path: string]: string } =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replace(/(?<![\w$])([\p{L}$][\w$\p{L}]*)(?:: | as )\1(?![\w$\p{L}])/gu, "$1")
    ])
  )

interface Count {
  applied: number
  refused: Map<string, number>
}

/** Renames one definition of each program and back, in one folder whose files the programs take turns in. */
const back = (
  work: Work,
  program: (shape: Shape) => Program,
  rest: { readonly [path: string]: string },
  fresh: ReadonlyArray<string>
): Effect.Effect<Count> =>
  Effect.gen(function* () {
    const overlays = Context.get(work.folder.context, OverlayView) as OverlayView["Type"]
    const count: Count = { applied: 0, refused: new Map() }
    const samples = FastCheck.sample(
      FastCheck.tuple(shapes, FastCheck.nat(5), FastCheck.nat(fresh.length - 1)),
      {
        numRuns: runs,
        seed: 7
      }
    )
    for (const [shape, which, to] of samples) {
      const { files, symbols } = program(shape)
      for (const [path, text] of Object.entries(files)) work.folder.write(path, text)
      yield* work.reader.changed(Object.keys(files))
      yield* Effect.orDie(overlays.over([]))
      const symbol = symbols[which % symbols.length]!
      const [path, name] = symbol.split("::") as [string, string]
      const rename = (from: string, new_name: string) =>
        Effect.either(
          Effect.sandbox(
            work.refactor({
              operation: "rename",
              target: { symbol: `${path}::${from}` },
              new_name,
              options: { through_reexports: true }
            })
          )
        )
      const there = yield* rename(name, fresh[to]!)
      if (Either.isLeft(there)) {
        const { defect } = there.left as {
          readonly defect?: { readonly reason_code?: string; readonly data?: unknown }
        }
        const reason = `${defect?.reason_code ?? String(there.left)}: ${JSON.stringify(defect?.data)} ${symbol} ${JSON.stringify(files)}`
        count.refused.set(reason, (count.refused.get(reason) ?? 0) + 1)
        expect(work.tree()).toEqual({ ...rest, ...files })
        continue
      }
      expect(work.tree()).not.toEqual({ ...rest, ...files })
      const again = yield* rename(fresh[to]!, name)
      expect(
        Either.isRight(again),
        `${symbol} ${JSON.stringify(files)} ${String(Either.isLeft(again) ? again.left : "")}`
      ).toBe(true)
      expect(plain(work.tree())).toEqual(plain({ ...rest, ...files }))
      count.applied++
    }
    return count
  })

describe("rename and back is the identity", () => {
  it.scoped(
    "through the TypeScript server",
    () =>
      Effect.gen(function* () {
        const work = yield* working(project)
        const { applied, refused } = yield* back(work, typescript, project, ["omega", "Psi", "_x1"])
        expect([applied, [...refused]]).toEqual([runs, []])
      }),
    patience
  )

  for (const [language, program, rest, fresh] of [
    ["Python", python, {}, ["omega", "Psi", "_x1"]],
    ["Go", go, { "go.mod": "module example.org/m\n\ngo 1.21\n" }, ["Omega", "Psi", "X1"]]
  ] as const)
    it.scoped(
      `by the graph of ${language}`,
      () =>
        Effect.gen(function* () {
          const work = yield* working(rest)
          const { applied, refused } = yield* back(work, program, rest, fresh)
          expect([applied, [...refused]]).toEqual([runs, []])
        }),
      patience
    )
})
