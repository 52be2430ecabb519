/** Facts of the files that may hold something, found by their text, and what is said of the rest. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../../registry/Failure.ts"
import type { GraphView, SymbolRef } from "../../../services/CodeGraph.ts"
import { type FlowFacts, type FlowPosition, ProgramFlow } from "../../../services/ProgramFlow.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import { freshnessOf } from "../../shared/symbols.ts"

/** Milliseconds one answer may spend on reading files it has not read before. */
const patience = 8_000
const mostFiles = 20_000

export interface Read {
  readonly files: ReadonlyArray<FlowFacts>
  readonly unread: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  /** Files whose text may hold what is looked for. */
  readonly candidates: number
  /** Languages that were looked at. */
  readonly languages: ReadonlyArray<string>
}

/** Facts of the files under a path in some languages whose text fits an expression. */
export const reading = (
  view: GraphView,
  expression: string,
  inPath: (path: string) => boolean,
  languages?: ReadonlyArray<string>
): Effect.Effect<Read, OperationFailure, TextIndex | ProgramFlow> =>
  Effect.gen(function* () {
    const flow = yield* ProgramFlow
    const covered = yield* flow.languages
    const wanted = languages ?? covered
    const { search } = yield* TextIndex
    const hits = yield* Effect.mapError(
      search({
        pattern: expression,
        regexp: true,
        mode: "files",
        limit: mostFiles,
        languages: wanted,
        deadline_ms: patience
      }),
      (cause) => fromService(cause)
    )
    const paths = hits.files
      .map(({ path }) => path)
      .filter((path) => inPath(path) && wanted.includes(view.file(path)?.language ?? ""))
      .sort()
    const { files, unread } = yield* factsOf(view, paths)
    return { files, unread, candidates: paths.length, languages: wanted }
  })

export const factsOf = (view: GraphView, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const flow = yield* ProgramFlow
    return yield* Effect.mapError(flow.facts(view, paths, patience), (cause) => fromService(cause))
  })

/** Definitions by the place of their names, file by file. */
export class Places {
  private readonly files = new Map<string, ReadonlyMap<string, SymbolRef>>()
  private readonly edges = new Map<
    string,
    ReadonlyMap<
      string,
      ReadonlyArray<{ readonly to: SymbolRef; readonly role: string; readonly from: SymbolRef }>
    >
  >()
  constructor(private readonly view: GraphView) {}

  defined(path: string, at: FlowPosition | undefined): SymbolRef | undefined {
    if (at === undefined) return undefined
    let known = this.files.get(path)
    if (known === undefined) {
      const made = new Map<string, SymbolRef>()
      for (const ref of this.view.definitions(path)) {
        const { column, line } = this.view.symbol(ref)
        made.set(`${line}:${column}`, ref)
      }
      this.files.set(path, (known = made))
    }
    return known.get(`${at.line}:${at.column}`)
  }

  /** What the name at a place is bound to. */
  used(
    path: string,
    at: FlowPosition | undefined
  ): ReadonlyArray<{ readonly to: SymbolRef; readonly role: string; readonly from: SymbolRef }> {
    if (at === undefined) return []
    let known = this.edges.get(path)
    if (known === undefined) {
      const made = new Map<
        string,
        Array<{ readonly to: SymbolRef; readonly role: string; readonly from: SymbolRef }>
      >()
      const file = this.view.fileRef(path)
      for (const { column, from, line, role, tier, to } of file === undefined
        ? []
        : this.view.outgoing(file)) {
        if (tier === "name") continue
        const key = `${line}:${column}`
        const list = made.get(key)
        if (list === undefined) made.set(key, [{ to, role, from }])
        else list.push({ to, role, from })
      }
      this.edges.set(path, (known = made))
    }
    return known.get(`${at.line}:${at.column}`) ?? []
  }

  /** The definition a function of some facts is, or the one around it. */
  owner(path: string, fn: FlowFacts["functions"][number]): SymbolRef | undefined {
    return this.defined(path, fn.at) ?? this.view.at(path, fn.start_line)
  }

  nameOf(ref: SymbolRef | undefined, path: string): string {
    return ref === undefined ? path : this.view.idOf(ref)
  }
}

/** What an answer made of facts says of its reach. */
export const reach = (view: GraphView, { candidates, languages, unread }: Read) => {
  const late = unread.filter(({ reason }) => reason === "time").length
  const others = unread.filter(({ reason }) => reason !== "time")
  return {
    completeness: {
      complete: unread.length === 0 && view.freshness.state === "fresh",
      candidate_files: candidates,
      files_read: candidates - unread.length,
      ...(late === 0
        ? {}
        : {
            files_left: late,
            reason:
              "the time for one answer ran out; ask again to go on from here, or narrow by options.path_prefix"
          }),
      ...(others.length === 0
        ? {}
        : { unread_files: others.slice(0, 20).map(({ path, reason }) => ({ file_path: path, reason })) }),
      languages
    },
    freshness: freshnessOf(view.freshness)
  }
}
