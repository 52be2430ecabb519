/** What is started beside its caller, and what it writes without a guard. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo, type GraphView, type SymbolRef } from "../../../services/CodeGraph.ts"
import { type FlowFacts, ProgramFlow, type Spawn } from "../../../services/ProgramFlow.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import * as Shared from "../../fields.ts"
import { graph } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { type analyze, kind } from "../facade.ts"
import { under } from "../upkeep/Narrowing.ts"
import { isField } from "./Fields.ts"
import { factsOf, Places, type Read, reach, reading } from "./Reading.ts"

const words =
  "\\bgo\\s+[\\w(]|\\bspawn\\w*\\b|\\bThread\\b|\\bProcess\\(|create_task|ensure_future|run_in_executor|\\.submit\\(|\\.execute\\(|\\.schedule\\(|invokeAll|runAsync|supplyAsync|Task\\.(Run|Factory)|Parallel\\.|QueueUserWorkItem|pthread_create|thrd_create|\\bj?thread\\b|\\basync\\(|\\bWorker\\(|setTimeout|setInterval|setImmediate|queueMicrotask|apply_async|\\.gather\\("

interface Started {
  readonly path: string
  readonly fn: FlowFacts["functions"][number]
  readonly spawn: Spawn
  readonly owner: SymbolRef | undefined
  /** The function that runs, where it has a name the graph knows. */
  readonly target: SymbolRef | undefined
}

const startedIn = (
  view: GraphView,
  files: ReadonlyArray<FlowFacts>,
  places: Places
): Effect.Effect<ReadonlyArray<Started>> =>
  Effect.gen(function* () {
    const found: Array<Started> = []
    yield* inTurns(files, (file) => {
      for (const fn of file.functions)
        for (const spawn of fn.spawns) {
          const named = spawn.name
          const bound =
            spawn.body !== undefined || named === undefined
              ? undefined
              : (places.used(file.path, named).find(({ to }) => runnable.has(view.symbol(to).kind))?.to ??
                places.defined(file.path, named))
          found.push({
            path: file.path,
            fn,
            spawn,
            owner: places.owner(file.path, fn),
            target: bound !== undefined && runnable.has(view.symbol(bound).kind) ? bound : undefined
          })
        }
    })
    return found
  })
const runnable = new Set(["function", "method", "constructor"])

const spawnNeeds = [CodeGraph, TextIndex, ProgramFlow] as const

export const goroutineSpawns: Member<typeof analyze, "goroutine_spawns", typeof spawnNeeds> = kind(
  "goroutine_spawns",
  {
    summary: "What is started concurrently, and where.",
    input: F.input({}),
    needs: spawnNeeds,
    handler: () =>
      Effect.gen(function* () {
        const view = yield* graph
        const read = yield* reading(view, words, () => true)
        const places = new Places(view)
        const groups = new Map<string, { readonly first: Started; readonly all: Array<Started> }>()
        for (const one of yield* startedIn(view, read.files, places)) {
          const at =
            one.target === undefined
              ? one.spawn.body === undefined
                ? one.spawn.target
                : `${one.spawn.target} in ${places.nameOf(one.owner, one.path)}`
              : view.idOf(one.target)
          const key = `${one.spawn.mode} ${at}`
          const group = groups.get(key)
          if (group === undefined) groups.set(key, { first: one, all: [one] })
          else group.all.push(one)
        }
        const spawns = [...groups.values()]
          .map(({ all, first }) => {
            const target = first.target === undefined ? first.spawn.target : view.idOf(first.target)
            const sites = [...all].sort((a, b) =>
              a.path < b.path ? -1 : a.path > b.path ? 1 : a.spawn.line - b.spawn.line
            )
            const site = sites[0]!
            return {
              id: `${site.path}:${site.spawn.line}:${site.spawn.column}`,
              target,
              mode: first.spawn.mode,
              file_path: site.path,
              line: site.spawn.line,
              spawns: all.length,
              concurrency: all.some(({ spawn }) => spawn.looped)
                ? "in_loop"
                : all.length > 1
                  ? "several_places"
                  : "once",
              spawners: sites.slice(0, 20).map(({ owner, path, spawn }) => ({
                id: places.nameOf(owner, path),
                file_path: path,
                line: spawn.line,
                ...(spawn.looped ? { looped: true } : {})
              }))
            }
          })
          .sort((a, b) => b.spawns - a.spawns || (a.id < b.id ? -1 : 1))
        const modes: { [mode: string]: number } = {}
        for (const { mode, spawns: count } of spawns) modes[mode] = (modes[mode] ?? 0) + count
        return {
          spawns,
          total: spawns.length,
          sites: spawns.reduce((sum, each) => sum + each.spawns, 0),
          by_mode: modes,
          notes: [
            "go statements; elsewhere calls by the usual names of threads, tasks, executors, workers and timers",
            "in_loop: one place may start any number"
          ],
          ...reach(view, read)
        }
      })
  }
)

/** Steps of calls below what was started. */
const deepest = 4
const mostPerRoot = 400
/** Types whose writes are guarded by themselves. */
const guardedType = /atomic|sync\.|Mutex|RwLock|Once|volatile|Concurrent|Atomic\w+/
const sequential = new Set(["javascript", "jsx", "typescript", "tsx"])

interface Reached {
  readonly ref: SymbolRef
  readonly path: ReadonlyArray<string>
}

const runs = (edge: EdgeInfo): boolean =>
  (edge.role === "call" || edge.role === "macro") && edge.tier !== "name"

/** What runs below a spawn: the functions called, nearest first, with the way to them. */
const below = (
  view: GraphView,
  started: Started
): { readonly own: ReadonlyArray<EdgeInfo>; readonly reached: ReadonlyArray<Reached> } => {
  const { owner, path, spawn, target } = started
  const within = (edge: EdgeInfo) =>
    edge.path === path && edge.line >= spawn.body!.start_line && edge.line <= spawn.body!.end_line
  const own = spawn.body !== undefined && owner !== undefined ? view.outgoing(owner).filter(within) : []
  const seen = new Set<SymbolRef>()
  const reached: Array<Reached> = []
  const queue: Array<Reached & { readonly depth: number }> = []
  const add = (ref: SymbolRef, way: ReadonlyArray<string>, depth: number) => {
    if (seen.has(ref) || view.isFile(ref) || reached.length >= mostPerRoot) return
    seen.add(ref)
    const one = { ref, path: [...way, view.idOf(ref)], depth }
    reached.push(one)
    queue.push(one)
  }
  if (target !== undefined) add(target, [], 0)
  for (const edge of own) if (runs(edge)) add(edge.to, [`${path}:${spawn.body!.start_line}`], 1)
  for (let i = 0; i < queue.length; i++) {
    const at = queue[i]!
    if (at.depth >= deepest) continue
    for (const edge of view.outgoing(at.ref)) if (runs(edge)) add(edge.to, at.path, at.depth + 1)
  }
  return { own, reached }
}

const races = (prefix: string | undefined) =>
  Effect.gen(function* () {
    const view = yield* graph
    const inPath = yield* under(view, prefix)
    const read: Read = yield* reading(view, words, () => true)
    const places = new Places(view)
    const roots = (yield* startedIn(
      view,
      read.files.filter(({ language }) => !sequential.has(language)),
      places
    )).filter(
      ({ owner, spawn }) =>
        spawn.mode !== "process" && spawn.mode !== "timer" && !(owner !== undefined && view.isTest(owner))
    )
    interface Candidate {
      readonly edge: EdgeInfo
      readonly started: Started
      readonly path: ReadonlyArray<string>
      readonly writer: SymbolRef | undefined
    }
    const candidates = new Map<string, Candidate>()
    const files = new Set<string>()
    const take = (
      edge: EdgeInfo,
      started: Started,
      path: ReadonlyArray<string>,
      writer: SymbolRef | undefined
    ) => {
      if (edge.role !== "write" || edge.tier === "name" || view.isFile(edge.to)) return
      const { kind: is, signature } = view.symbol(edge.to)
      if (!isField(is) || guardedType.test(signature) || !inPath(edge.path)) return
      const key = `${edge.path}:${edge.line}:${edge.column}`
      const known = candidates.get(key)
      if (known !== undefined && known.path.length <= path.length) return
      candidates.set(key, { edge, started, path, writer })
      files.add(edge.path)
    }
    yield* inTurns(roots, (started) => {
      const { own, reached } = below(view, started)
      for (const edge of own) take(edge, started, [`${started.path}:${started.spawn.line}`], started.owner)
      for (const { path, ref } of reached)
        for (const edge of view.outgoing(ref)) take(edge, started, path, ref)
    })
    const { files: facts, unread } = yield* factsOf(view, [...files].sort())
    const writes = new Map<
      string,
      { readonly guarded: boolean; readonly fresh: boolean; readonly base: string }
    >()
    const locks = new Set<string>()
    yield* inTurns(facts, (file) => {
      for (const fn of file.functions) {
        for (const write of fn.writes) writes.set(`${file.path}:${write.line}:${write.column}`, write)
        if (fn.locks) locks.add(places.nameOf(places.owner(file.path, fn), file.path))
      }
    })
    let guarded = 0
    let fresh = 0
    const rows = []
    for (const [key, { edge, path, started, writer }] of candidates) {
      const write = writes.get(key)
      // Not a write of its own: a place in a literal.
      if (write === undefined) continue
      if (write.fresh) {
        fresh++
        continue
      }
      if (write.guarded || path.some((id) => locks.has(id))) {
        guarded++
        continue
      }
      rows.push({
        id: key,
        field: view.idOf(edge.to),
        writer: places.nameOf(writer, edge.path),
        file_path: edge.path,
        line: edge.line,
        reason: `written through ${write.base === "" ? "an expression" : write.base} in code started as a ${started.spawn.mode} at ${started.path}:${started.spawn.line}${started.spawn.looped ? ", in a loop" : ""}; no lock is taken on the way to it`,
        spawn_path: [places.nameOf(started.owner, started.path), ...path.filter((id) => id.includes("::"))]
      })
    }
    rows.sort(
      (a, b) =>
        a.spawn_path.length - b.spawn_path.length ||
        (a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line)
    )
    return page(
      "race_writes",
      {
        race_writes: rows,
        total: rows.length,
        spawns_looked_at: roots.length,
        guarded,
        fresh_objects: fresh,
        notes: [
          `functions up to ${deepest} calls below what is started; a write counts as guarded when a lock is taken before it in its function, or anywhere in a function on the way`,
          "whether another goroutine or thread touches the same object at the same time is not known: this is where to look, not a proof",
          "javascript and typescript are left out: they share no memory between threads but through buffers"
        ],
        ...reach(view, {
          ...read,
          unread: [...read.unread, ...unread.filter(({ path }) => !read.unread.some((u) => u.path === path))]
        })
      },
      { snapshot: view.generation }
    )
  })

const raceNeeds = [CodeGraph, TextIndex, ProgramFlow] as const

export const raceWrites: Member<typeof analyze, "race_writes", typeof raceNeeds> = kind("race_writes", {
  summary: "Fields written concurrently without a guard in sight.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: raceNeeds,
  handler: ({ options }) => races(options.path_prefix)
})
