/** What each test of a tree runs, as its own tools measure it. */
import type { GraphView, SymbolInfo } from "../../../../src/services/CodeGraph.ts"
import type { Tree } from "../Tree.ts"

/** One test that ran: `key` is its file or package and its name or line, as {@link Measured.keyOf} gives it for a known one. */
export interface TestRun {
  readonly key: string
  /** Its file; undefined when the tools do not tell. */
  readonly path: string | undefined
  /** Ids of functions and methods that ran. */
  readonly covers: ReadonlySet<string>
}

export interface Measured {
  readonly tests: ReadonlyArray<TestRun>
  /** Ids of what runs before any test does, as by loading the code: no test is the reason. */
  readonly atLoad: ReadonlySet<string>
  /** The key of a test that an answer names. */
  readonly keyOf: (test: { readonly file: string; readonly name: string; readonly line: number }) => string
}

/** Measures a tree with the tools of its language; throws when they are not there. */
export type Measure = (tree: Tree) => Measured

const kinds = new Set(["function", "method", "constructor"])

/** Functions with a body outside of tests, by file. */
export class Functions {
  readonly #byPath = new Map<string, ReadonlyArray<SymbolInfo>>()
  readonly #view: GraphView

  constructor(view: GraphView) {
    this.#view = view
  }

  of(path: string): ReadonlyArray<SymbolInfo> {
    let known = this.#byPath.get(path)
    if (known === undefined) {
      known =
        this.#view.file(path) === undefined
          ? []
          : this.#view
              .definitions(path)
              .map((ref) => this.#view.symbol(ref))
              .filter(
                ({ body_line, flags, kind, test }) =>
                  !test &&
                  !flags.includes("local") &&
                  (kinds.has(kind) || body_line !== undefined) &&
                  isCode(kind)
              )
      this.#byPath.set(path, known)
    }
    return known
  }

  /** Ids of those whose bodies hold a line that ran; lines of headers run when a module is loaded. */
  around(path: string, ran: (line: number) => boolean): ReadonlyArray<string> {
    return this.of(path).flatMap(({ body_line, end_line, id, line }) => {
      for (let at = Math.max(body_line ?? 0, line + 1); at <= end_line; at++) if (ran(at)) return [id]
      return []
    })
  }

  /** Ids of those that hold a part of the text, lines inclusive, that ran. */
  holding(path: string, parts: Iterable<readonly [from: number, to: number]>): ReadonlySet<string> {
    const out = new Set<string>()
    const all = this.of(path)
    for (const [from, to] of parts)
      for (const { end_line, id, start_line } of all) if (start_line <= from && to <= end_line) out.add(id)
    return out
  }

  /** The one that a function which begins and ends on these lines is the code of. */
  headed(path: string, from: number, to: number): string | undefined {
    let best: SymbolInfo | undefined
    for (const each of this.of(path))
      if (
        each.start_line <= from &&
        from <= (each.body_line ?? each.line) &&
        to <= each.end_line &&
        (best === undefined || each.start_line >= best.start_line)
      )
        best = each
    return best?.id
  }
}

const isCode = (kind: string): boolean => kinds.has(kind) || kind === "constant" || kind === "variable"
