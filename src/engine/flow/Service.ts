/** The flow of a workspace's programs, over the graph and the sources of whoever calls. */
import { Effect } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import type { GraphView, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import type {
  FlowEnd,
  FlowFacts,
  FlowPath,
  FlowPattern,
  FlowPoint,
  ProgramFlow,
  TaintFinding
} from "../../services/ProgramFlow.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { TextIndex } from "../../services/TextIndex.ts"
import { controlOf } from "./Control.ts"
import { filling, lastName, sanitizing } from "./Externals.ts"
import { factsOf } from "./Facts.ts"
import type { FunctionIr, Op } from "./Ir.ts"
import { isLowerable, lowerable } from "./Lowered.ts"
import { fits, inPath, needles, ofKind } from "./Patterns.ts"
import { longFile } from "./Pieces.ts"
import { Program, type ReadText, type Share } from "./Program.ts"
import { pathTo, type Reached, Search, type State, stepAt, type Use } from "./Search.ts"
import type { Unit } from "./Unit.ts"

const failed = (reason: string, detail: string) =>
  new ServiceFailure({ service: "ProgramFlow", reason, detail, stateChanged: false })

const tiers: ReadonlyArray<Tier> = ["exact", "resolved", "inferred", "name"]
const patience = 4_000
const mostFiles = 400
const mostSources = 400
const mostUnread = 20
/** Places one question about two definitions looks at, at most. */
const mostStates = 600
/** How much it lowers; what it lowered is there for the next. */
const share: Share = { longFrom: longFile, longest: 24 * 1024, most: 20 * 1024 }

const ranked = (paths: ReadonlyArray<FlowPath>): ReadonlyArray<FlowPath> =>
  [...paths].sort(
    (a, b) =>
      tiers.indexOf(a.tier) - tiers.indexOf(b.tier) ||
      b.confidence - a.confidence ||
      a.steps.length - b.steps.length ||
      compare(placeOf(a), placeOf(b))
  )
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const placeOf = ({ steps }: FlowPath): string =>
  steps
    .map(
      ({ column, line, path }) =>
        `${path}:${String(line).padStart(7, "0")}:${String(column).padStart(5, "0")}`
    )
    .join(" ")

const seed = (
  unit: Unit,
  fn: number,
  op: number,
  slot: number,
  tier: Tier = "resolved",
  inside: ReadonlyArray<string> = []
): State => ({
  unit,
  fn,
  op,
  slot,
  inside,
  stack: undefined,
  hops: 0,
  parent: undefined,
  kind: "source",
  tier
})

/** Facts of files by language and content; small, so many are kept. */
const factCache = new Map<string, FlowFacts>()
const mostFacts = 6_000

/** What the sources of a call are read with: opened once for each question. */
export interface Sources {
  readonly open: Effect.Effect<ReadText, ServiceFailure>
  readonly search: TextIndex["Type"]["search"]
  /** How much a question about two definitions lowers. */
  readonly share?: Share
}

export const programFlow = (from: Sources): ProgramFlow["Type"] => {
  /** Fails with the reason for which a definition's file cannot be lowered. */
  const refused = (view: GraphView, ref: SymbolRef, unread: string) => {
    const { path } = view.symbol(ref)
    return failed(
      unread === "changed_since_indexed" ? "stale" : unread.startsWith("not_parsed") ? "not_parsed" : unread,
      `${path}: ${unread.replaceAll("_", " ")}`
    )
  }

  const covered = (view: GraphView, ref: SymbolRef): Effect.Effect<void, ServiceFailure> => {
    const symbol = view.symbol(ref)
    const language = view.file(symbol.path)?.language ?? symbol.language
    return isLowerable(language)
      ? Effect.void
      : failed("language_not_covered", `${language} is not covered; covered are ${lowerable.join(", ")}`)
  }

  const loaded = (program: Program, view: GraphView, ref: SymbolRef) =>
    Effect.gen(function* () {
      yield* covered(view, ref)
      const unit = yield* program.load(view.symbol(ref), "must")
      return "unread" in unit ? yield* refused(view, ref, unit.unread) : unit
    })

  /** Sees to it that what a value may arrive at can be read; its own text says nothing of that but for a parameter's place. */
  const arrivable = (program: Program, view: GraphView, { parameter, ref }: FlowPoint) =>
    Effect.gen(function* () {
      if (parameter !== undefined) yield* loaded(program, view, ref)
      else {
        yield* covered(view, ref)
        const unread = yield* program.unreadable(view.symbol(ref).path)
        if (unread !== undefined) return yield* refused(view, ref, unread)
      }
    })

  /** Files that hold one of some words, in path order. */
  const candidates = (
    view: GraphView,
    words: ReadonlyArray<string>,
    inFiles: (path: string) => boolean,
    causes: Set<string>
  ) =>
    Effect.gen(function* () {
      const found = new Set<string>()
      for (const word of words) {
        const hits = yield* from.search({
          pattern: word,
          regexp: false,
          ignore_case: word === word.toLowerCase(),
          limit: mostFiles,
          mode: "files",
          deadline_ms: 1_500
        })
        if (!hits.complete) causes.add("files")
        for (const { path } of hits.files)
          if (inFiles(path) && isLowerable(view.file(path)?.language)) found.add(path)
      }
      const all = [...found].sort(compare)
      if (all.length > mostFiles) causes.add("files")
      return all.slice(0, mostFiles)
    })

  const unreadOf = (program: Program) =>
    [...program.unread]
      .filter(([, reason]) => reason !== "language_not_covered")
      .slice(0, mostUnread)
      .map(([path, reason]) => ({ path, reason }))

  return {
    languages: Effect.succeed(lowerable),

    control: (view, ref) =>
      Effect.gen(function* () {
        const program = new Program(view, yield* from.open)
        const unit = yield* loaded(program, view, ref)
        const fn = unit.functionOf(ref)
        const { kind, name } = view.symbol(ref)
        if (fn === undefined)
          return yield* failed(
            "no_body",
            /^(?:function|method|constructor|test|operator)$/.test(kind)
              ? `${name} has no body here`
              : `${name} is a ${kind}: only functions and methods have control flow`
          )
        return controlOf(unit, fn)
      }),

    paths: (view, source, sink, bounds) =>
      Effect.gen(function* () {
        const program = new Program(view, yield* from.open, from.share ?? share)
        const until = performance.now() + patience
        yield* bodied(view, source.ref)
        const start = yield* loaded(program, view, source.ref)
        yield* arrivable(program, view, sink)
        if (isUncalled(view, sink.ref))
          return {
            paths: [],
            complete: program.unread.size === 0,
            causes: [],
            functions_visited: 0,
            files_read: program.read.size,
            unread: unreadOf(program)
          }
        const target = sinkOf(view, sink)
        const search = new Search(
          program,
          bounds,
          { sink: target, stops: () => false, towards: callersAbove(view, sink.ref, bounds.hops) },
          until,
          mostStates
        )
        const found: Array<FlowPath> = []
        const seen = new Set<string>()
        const collect =
          (origin: string) =>
          (reached: Reached): boolean => {
            const path = pathTo(reached, origin)
            const key = placeOf(path)
            if (!seen.has(key)) {
              seen.add(key)
              found.push(path)
            }
            return found.length >= bounds.most * 4
          }
        const seeds = yield* seedsOf(view, program, search, start, source)
        for (const [origin, states] of seeds) yield* search.run(states, collect(origin))
        return {
          paths: ranked(found).slice(0, bounds.most),
          complete: search.causes.size === 0 && program.unread.size === 0,
          causes: [...search.causes, ...(found.length >= bounds.most * 4 ? ["paths"] : [])],
          functions_visited: search.functions.size,
          files_read: program.read.size,
          unread: unreadOf(program)
        }
      }),

    taint: (view, source, sink, bounds, sanitizers) =>
      Effect.gen(function* () {
        const program = new Program(view, yield* from.open)
        const until = performance.now() + patience
        const causes = new Set<string>()
        const sinkTest = new Matcher(view, sink)
        // Where no sink is, nothing can arrive.
        const sinkFiles = yield* candidates(view, needles(sink), (path) => inPath(sink, path), causes)
        let sinks = 0
        for (const path of sinkFiles) {
          if (performance.now() > until - patience / 2) {
            causes.add("time")
            break
          }
          const unit = yield* program.loadFile(path)
          if ("unread" in unit) continue
          for (const fn of unit.file.functions)
            fn.ops.forEach((op) => {
              if ((op.kind === "call" || op.kind === "store") && sinkTest.at(unit, op)) sinks++
            })
        }
        const sourceFiles =
          sinks === 0 ? [] : yield* candidates(view, needles(source), (path) => inPath(source, path), causes)
        const starts: Array<Start> = []
        for (const path of sourceFiles) {
          if (performance.now() > until - patience / 4) {
            causes.add("time")
            break
          }
          const unit = yield* program.loadFile(path)
          if ("unread" in unit) continue
          starts.push(...startsIn(unit, new Matcher(view, source)))
        }
        if (starts.length > mostSources) causes.add("sources")
        const findings = new Map<
          string,
          { readonly source: FlowEnd; readonly sink: FlowEnd; readonly paths: Array<FlowPath> }
        >()
        const sanitized = new Map<string, FlowEnd>()
        const functions = new Set<string>()
        const stops = (use: Use): boolean => {
          const names = [use.op.name, use.unit.canonical(use.op.name)]
          const hit =
            sanitizers === undefined
              ? names.some((name) => sanitizing.test(name))
              : sanitizers.some((word) =>
                  names.some((name) =>
                    fits({ ...source, words: [{ alternatives: [word], exact: false }] }, [name])
                  )
                )
          if (hit) {
            const end = endOf(use.unit, use.fn, use.op)
            sanitized.set(`${end.path}:${end.line}:${end.column}`, end)
          }
          return hit
        }
        for (const start of starts.slice(0, mostSources)) {
          if (performance.now() > until) {
            causes.add("time")
            break
          }
          const search = new Search(
            program,
            bounds,
            {
              sink: (use, state) =>
                (use.op.kind === "call"
                  ? use.operand >= 2 && (sink.args.length === 0 || sink.args.includes(use.operand - 2))
                  : use.op.kind === "store" && use.operand === 1) &&
                !(use.unit === start.unit && use.fn.index === start.fn && use.index === start.op) &&
                state.inside.length <= 3 &&
                sinkTest.at(use.unit, use.op),
              stops
            },
            until
          )
          yield* search.run(start.states, (reached) => {
            const end = endOf(reached.use.unit, reached.use.fn, reached.use.op)
            const begin = endOf(
              start.unit,
              start.unit.file.functions[start.fn]!,
              start.unit.file.functions[start.fn]!.ops[start.op]!,
              start.name
            )
            const key = `${begin.path}:${begin.line}:${begin.column}>${end.path}:${end.line}:${end.column}`
            const known = findings.get(key)
            const path = pathTo(reached, start.kind)
            if (known === undefined) findings.set(key, { source: begin, sink: end, paths: [path] })
            else if (known.paths.length < 3) known.paths.push(path)
            return findings.size >= bounds.most
          })
          for (const cause of search.causes) causes.add(cause)
          for (const fn of search.functions) functions.add(fn)
          if (findings.size >= bounds.most) {
            causes.add("findings")
            break
          }
        }
        const rows: ReadonlyArray<TaintFinding> = [...findings.values()]
          .map((finding) => ({ ...finding, paths: ranked(finding.paths) }))
          .sort(
            (a, b) =>
              tiers.indexOf(a.paths[0]!.tier) - tiers.indexOf(b.paths[0]!.tier) ||
              b.paths[0]!.confidence - a.paths[0]!.confidence ||
              compare(a.sink.path, b.sink.path) ||
              a.sink.line - b.sink.line ||
              compare(a.source.path, b.source.path) ||
              a.source.line - b.source.line ||
              a.source.column - b.source.column
          )
        return {
          findings: rows,
          sources: starts.length,
          sinks,
          sanitized: [...sanitized.values()].slice(0, 20),
          sanitized_total: sanitized.size,
          complete: causes.size === 0 && unreadOf(program).length === 0,
          causes: [...causes].sort(compare),
          functions_visited: functions.size,
          files_read: program.read.size,
          unread: unreadOf(program)
        }
      }),

    facts: (view, paths, deadline) =>
      Effect.gen(function* () {
        const until = performance.now() + deadline
        const program = new Program(view, yield* from.open)
        const files: Array<FlowFacts> = []
        const unread: Array<{ readonly path: string; readonly reason: string }> = []
        let turn = performance.now()
        for (const path of paths) {
          const info = view.file(path)
          const key = `${info?.language}:${info?.sha}`
          const known = info === undefined || info.sha === "" ? undefined : factCache.get(key)
          if (known !== undefined) {
            files.push(known.path === path ? known : { ...known, path })
            continue
          }
          const now = performance.now()
          if (now > until) {
            unread.push({ path, reason: "time" })
            continue
          }
          if (now - turn > 12) {
            yield* nextTurn
            turn = performance.now()
          }
          const file = yield* program.formOf(path)
          if ("unread" in file) {
            unread.push({ path, reason: file.unread })
            continue
          }
          const facts = factsOf(path, file)
          if (info !== undefined && info.sha !== "") {
            factCache.set(key, facts)
            if (factCache.size > mostFacts) factCache.delete(factCache.keys().next().value!)
          }
          files.push(facts)
        }
        return { files, unread }
      })
  }
}

const endOf = (unit: Unit, fn: FunctionIr, op: Op, name?: string): FlowEnd => {
  const { column, line, path, text } = stepAt(unit, fn, op, "", "resolved")
  const stored =
    op.kind === "store"
      ? [unit.file.slots[op.from[0]!]!.path, op.name].filter((w) => w !== "").join(".")
      : op.name
  return { name: name ?? stored, path, line, column, text }
}

/** Which operations a pattern means; asked for the same one again and again. */
class Matcher {
  private readonly known = new WeakMap<Op, boolean>()
  constructor(
    private readonly view: GraphView,
    readonly pattern: FlowPattern
  ) {}

  at(unit: Unit, op: Op): boolean {
    let known = this.known.get(op)
    if (known === undefined) this.known.set(op, (known = this.test(unit, op)))
    return known
  }

  private test(unit: Unit, op: Op): boolean {
    const { pattern, view } = this
    if (!inPath(pattern, unit.path)) return false
    const written =
      op.kind === "store"
        ? [unit.file.slots[op.from[0]!]!.path, op.name].filter((w) => w !== "").join(".")
        : op.kind === "load" || op.kind === "copy"
          ? unit.file.slots[op.to]!.path
          : op.name
    if (written === "") return false
    const names = [written, unit.canonical(written)]
    const linked = op.kind === "copy" ? [] : unit.edgesAt(op.at).filter(({ to }) => !view.isFile(to))
    for (const { to } of linked) names.push(view.symbol(to).qualified)
    const kinds = [op.kind === "copy" ? "variable" : op.kind, ...linked.map(({ to }) => view.symbol(to).kind)]
    return kinds.some((kind) => ofKind(pattern, kind)) && fits(pattern, names)
  }
}

interface Start {
  readonly unit: Unit
  readonly fn: number
  readonly op: number
  readonly name: string
  readonly kind: string
  readonly states: ReadonlyArray<State>
}

/** Values in a file that a source pattern means: the first part of an expression that fits stands for the whole of it. */
const startsIn = (unit: Unit, matcher: Matcher): ReadonlyArray<Start> => {
  const out: Array<Start> = []
  const { pattern } = matcher
  for (const fn of unit.file.functions)
    fn.ops.forEach((op, index) => {
      if (op.kind === "parameter") {
        const slot = unit.file.slots[op.to]!
        if (
          pattern.kinds.some((kind) => kind === "parameter") &&
          slot.kind === "parameter" &&
          fits(pattern, [slot.name])
        )
          out.push({
            unit,
            fn: fn.index,
            op: index,
            name: slot.name,
            kind: "parameter",
            states: [seed(unit, fn.index, index, op.to)]
          })
        return
      }
      if (
        op.kind !== "call" &&
        op.kind !== "load" &&
        !(
          op.kind === "copy" &&
          (op.from.length === 0 || unit.file.slots[op.from[0]!]!.kind === "free") &&
          op.at >= 0
        )
      )
        return
      if (op.how === "receive" || op.how === "send" || !matcher.at(unit, op)) return
      if (op.kind === "load" || op.kind === "call") {
        const base = unit.made(fn, op.from[op.kind === "load" ? 0 : 1] ?? -1)
        if (
          base !== undefined &&
          (base.kind === "load" || base.kind === "call" || base.kind === "copy") &&
          matcher.at(unit, base)
        )
          return
      }
      const states: Array<State> = []
      if (op.to >= 0) states.push(seed(unit, fn.index, index, op.to))
      if (op.kind === "call") {
        const fills = filling[lastName(op.name)]
        for (const place of op.from.slice(2).keys()) {
          const slot = op.from[2 + place]!
          const made = unit.made(fn, slot)
          if (fills?.into.includes(place) === true || made?.how === "ref") {
            states.push(seed(unit, fn.index, index, slot))
            if (made !== undefined)
              for (const origin of made.from) states.push(seed(unit, fn.index, index, origin))
          }
        }
      }
      const name = op.kind === "call" ? `${op.name}()` : unit.file.slots[op.to]!.path
      out.push({ unit, fn: fn.index, op: index, name, kind: op.kind === "call" ? "call" : "read", states })
    })
  return out
}

/** Kinds of definitions that are no function and hold no value, whatever is in them. */
const bodiless = /^(?:interface|enum|type_alias|trait|union|namespace|module)$/
const noBody = (name: string, kind: string) =>
  failed("no_body", `${name} is a ${kind} without a body here: name a function, a parameter or a field`)

/** Refuses what no value can come from without lowering its file. */
const bodied = (view: GraphView, ref: SymbolRef): Effect.Effect<void, ServiceFailure> => {
  const { kind, language, name } = view.symbol(ref)
  return isLowerable(language) && (bodiless.test(kind) || (kind === "struct" && language !== "csharp"))
    ? noBody(name, kind)
    : Effect.void
}

/** Whether nothing uses a function of a language in which what runs it has to name it, or what it stands in for. */
const isUncalled = (view: GraphView, ref: SymbolRef): boolean => {
  const { kind, language, name } = view.symbol(ref)
  const parent = view.parent(ref)
  return (
    /^(?:function|method)$/.test(kind) &&
    /^(?:go|java|csharp|rust)$/.test(language) &&
    (parent === undefined ||
      view.isFile(parent) ||
      !/^(?:function|method)$/.test(view.symbol(parent).kind)) &&
    view.incomingCount(ref) === 0 &&
    view.unbound(name, 1).total === 0 &&
    view.reach([ref], { depth: 1, most: 1, names: true }).refs.length === 0
  )
}

/** Functions that lead to a definition by calls, or write the field it is, some steps up. */
const callersAbove = (view: GraphView, ref: SymbolRef, steps: number): ((node: number) => boolean) => {
  const { columns } = view
  const { in: into, inEdges, nodeCount, primaries, roleNames, roles, sources, tiers } = columns
  const found = new Uint8Array(nodeCount)
  const follows = Uint8Array.from(roleNames, (role) =>
    role === "call" || role === "new" ? 1 : role === "write" ? 2 : 0
  )
  const start = primaries[columns.nodeOf(ref)]!
  found[start] = 1
  let count = 1
  let level: ReadonlyArray<number> = [start]
  for (let step = 0; step <= steps && level.length > 0 && count < mostAbove; step++) {
    const next: Array<number> = []
    for (const at of level)
      for (let p = into.starts[at]!; p < into.starts[at + 1]!; p++) {
        const edge = inEdges[p]!
        const from = sources[edge]!
        const how = follows[roles[edge]!]!
        if (tiers[edge] === 3 || found[from] === 1 || how === 0 || (how === 2 && step > 0)) continue
        found[from] = 1
        count++
        next.push(from)
      }
    level = next
  }
  return (node) => node >= 0 && found[node] === 1
}
const mostAbove = 4_000

/** What counts as arriving at a definition. */
const sinkOf = (view: GraphView, { parameter, ref }: FlowPoint) => {
  const { kind } = view.symbol(ref)
  const held = /^(?:field|property|variable|constant|enum_member)$/.test(kind)
  // Members that a call through a super type reaches count as the definition.
  return (use: Use, state: State): boolean => {
    void state
    if (use.op.kind === "store" && held)
      return (
        use.operand === 1 &&
        (use.unit.edgesAt(use.op.at).some(({ to }) => to === ref) || use.unit.definedAt(use.op.at) === ref)
      )
    if (use.op.kind !== "call" || held) return false
    const own = view.isFile(ref) ? undefined : ref
    const hit =
      use.targets.find((t) => t.ref === own) ??
      (use.targets.length === 0 && use.unit.edgesAt(use.op.at).some(({ to }) => to === own)
        ? { fn: undefined }
        : undefined)
    if (hit === undefined || use.operand < 1) return false
    if (parameter === undefined) return use.operand >= 2
    const fn = hit.fn
    if (fn === undefined) return false
    const unit = use.targets.find((t) => t.ref === own)?.unit
    const keyword = use.op.keywords?.[use.operand - 2] ?? ""
    if (keyword !== "") return keyword === parameter
    const at =
      fn.parameters[Math.min(use.operand - 2, fn.variadic ? fn.parameters.length - 1 : use.operand - 2)]
    return unit !== undefined && at !== undefined && unit.file.slots[at]!.name === parameter
  }
}

/** Where values of a definition start, by how they come about. */
const seedsOf = (
  view: GraphView,
  program: Program,
  search: Search,
  unit: Unit,
  { parameter, ref }: FlowPoint
) =>
  Effect.gen(function* () {
    const { kind } = view.symbol(ref)
    const groups: Array<readonly [origin: string, states: ReadonlyArray<State>]> = []
    if (/^(?:field|property|variable|constant|enum_member)$/.test(kind)) {
      const states: Array<State> = []
      for (const edge of view.incoming(ref).slice(0, 400)) {
        if (edge.role === "import" || edge.role === "write") continue
        const there = yield* program.load(edge)
        if ("unread" in there) continue
        for (const { fn, op } of there.opsAt(edge.line, edge.column)) {
          const next = there.file.functions[fn]!.ops[op]!
          if (next.to >= 0 && (next.kind === "load" || next.kind === "copy"))
            states.push(seed(there, fn, op, next.to, edge.tier))
        }
      }
      // A variable of a file is read without a step of its own.
      for (const fn of unit.file.functions)
        fn.ops.forEach((op, index) => {
          if (op.kind === "copy" && op.to >= 0 && unit.definedAt(unit.file.slots[op.to]!.at) === ref)
            states.push(seed(unit, fn.index, index, op.to))
        })
      groups.push(["read", states])
      return groups
    }
    const fn = unit.functionOf(ref)
    if (fn === undefined) {
      return yield* noBody(view.symbol(ref).name, kind)
    }
    const parameters = fn.parameters.filter(
      (p) => parameter === undefined || unit.file.slots[p]!.name === parameter
    )
    if (parameter !== undefined && parameters.length === 0)
      return yield* failed(
        "no_parameter",
        `${view.symbol(ref).name} has no parameter ${JSON.stringify(parameter)}; it has ${fn.parameters.map((p) => unit.file.slots[p]!.name).join(", ") || "none"}`
      )
    if (parameter === undefined) {
      const returned: Array<State> = []
      for (const caller of yield* search.settled(() => search.takersOf(unit, fn))) {
        const call = caller.unit.file.functions[caller.fn]!.ops[caller.op]!
        if (call.to >= 0) returned.push(seed(caller.unit, caller.fn, caller.op, call.to, caller.tier))
      }
      groups.push(["returned", returned])
    }
    groups.push([
      "parameter",
      parameters.flatMap((p) => {
        const op = fn.ops.findIndex(({ kind: k, to }) => k === "parameter" && to === p)
        return op < 0 ? [] : [seed(unit, fn.index, op, p)]
      })
    ])
    if (parameter === undefined) {
      const inner: Array<State> = []
      fn.ops.forEach((op, index) => {
        if (op.kind === "call" && op.to >= 0) inner.push(seed(unit, fn.index, index, op.to))
      })
      groups.push(["inner", inner])
    }
    return groups
  })
