/**
 * Where a value goes: a walk over (operation, slot, path inside the value, calls on the way). Inside a function it follows
 * definitions to their uses; between functions the graph's call edges, entering a callee with its call on a stack so that
 * a result goes back to where it was asked for. What is inside an object is told apart by up to three field names.
 */
import { Effect } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import type { SymbolRef, Tier } from "../../services/CodeGraph.ts"
import type { FlowBounds, FlowPath, FlowStep } from "../../services/ProgramFlow.ts"
import { definitionsBefore, usesEverywhere } from "./Chains.ts"
import { filling, fluent, lastName, mutating, neutral, numeric } from "./Externals.ts"
import type { FunctionIr, Op } from "./Ir.ts"
import type { Program, Spot } from "./Program.ts"
import type { Unit } from "./Unit.ts"

interface Frame {
  readonly unit: Unit
  readonly fn: number
  readonly op: number
  /** The call runs a function it was given; what that gives back is at most part of the result. */
  readonly callback: boolean
  readonly up: Frame | undefined
  readonly depth: number
  /** Two walks that differ far up their stacks only would go the same way from here, and have the same. */
  readonly key: string
}

export interface State {
  readonly unit: Unit
  readonly fn: number
  /** Operation that gives the slot its value. */
  readonly op: number
  readonly slot: number
  /** Where inside the slot's value the traced one is; empty for the value itself. */
  readonly inside: ReadonlyArray<string>
  readonly stack: Frame | undefined
  readonly hops: number
  readonly parent: State | undefined
  readonly kind: string
  readonly tier: Tier
  /** What took it here when that is somewhere else: the call an argument is of, the statement that returns. */
  readonly via?:
    | { readonly unit: Unit; readonly fn: number; readonly op: number; readonly kind: string }
    | undefined
}

interface Caller {
  readonly unit: Unit
  readonly fn: number
  readonly op: number
  readonly tier: Tier
}

/** The field a value was put into: where its name is written, and where the value is inside of it. */
interface Field {
  readonly unit: Unit
  readonly inside: ReadonlyArray<string>
  readonly at: number
}

/** A use that is being looked at. */
export interface Use {
  readonly unit: Unit
  readonly fn: FunctionIr
  readonly op: Op
  readonly index: number
  /** Place of the slot among what the operation reads. */
  readonly operand: number
  readonly targets: ReadonlyArray<Target>
}

export interface Target {
  readonly ref: SymbolRef
  readonly unit: Unit | undefined
  readonly fn: FunctionIr | undefined
  readonly tier: Tier
}

export interface Watch {
  /** Whether a use is an end of the walk; a value with something inside only counts when it says so. */
  readonly sink: (use: Use, state: State) => boolean
  /** Whether a call stops the value. */
  readonly stops: (use: Use) => boolean
  /** Whether an end can be reached from a node of the graph's columns by calls alone: values there are followed first. */
  readonly towards?: ((node: number) => boolean) | undefined
}

export interface Reached {
  readonly state: State
  readonly use: Use
}

const order: ReadonlyArray<Tier> = ["exact", "resolved", "inferred", "name"]
export const weaker = (a: Tier, b: Tier): Tier => (order.indexOf(a) > order.indexOf(b) ? a : b)
const atLeast = (tier: Tier, least: Tier): boolean => order.indexOf(tier) <= order.indexOf(least)

const mostStates = 8_000
/** Places looked at that are not on their way to an end by calls alone, when that is known. */
const mostFar = 300
const mostCallers = 60
const mostReads = 200
const patience = 4_000
const calling = new Set(["call", "new", "macro", "decorate"])
const longestInside = 3

const isElement = (name: string): boolean => name.startsWith("[")
/** Whether a load by one name may give what was stored by another. */
const sameField = (stored: string, loaded: string): boolean =>
  stored === loaded || stored === "[]" || loaded === "[]"
const put = (name: string, inside: ReadonlyArray<string>): ReadonlyArray<string> =>
  [name, ...inside].slice(0, longestInside)

/** One walk from some values. Values at the end are collected by whoever watches. */
export class Search {
  readonly causes = new Set<string>()
  readonly functions = new Set<string>()
  private readonly visited = new Set<string>()
  private readonly numbers = new Map<object, number>()
  private readonly missing = new Map<string, Spot>()
  /** Keys of what the step at hand has added. */
  private readonly fresh: Array<string> = []
  /** Those that are on their way to an end, and the others. */
  private readonly near: Array<State> = []
  private readonly far: Array<State> = []
  states = 0
  /** What is asked of operations and functions, which is not the same for every least tier. */
  private readonly questions: { readonly targets: string; readonly callers: string; readonly takers: string }
  /** By role, whether an edge of it calls, and whether it reads. */
  private readonly calling: ReadonlyArray<boolean>
  private readonly reading: ReadonlyArray<boolean>

  constructor(
    private readonly program: Program,
    private readonly bounds: FlowBounds,
    private readonly watch: Watch,
    private readonly until: number = performance.now() + patience,
    /** Places to look at, at most. */
    private readonly most: number = mostStates
  ) {
    const tier = bounds.tier ?? ""
    this.questions = { targets: `targets ${tier}`, callers: `callers ${tier}`, takers: `takers ${tier}` }
    const { roleNames } = program.view.columns
    this.calling = roleNames.map((role) => calling.has(role))
    this.reading = roleNames.map((role) => role !== "write" && role !== "import")
  }

  private numberOf(of: object): number {
    let known = this.numbers.get(of)
    if (known === undefined) this.numbers.set(of, (known = this.numbers.size))
    return known
  }

  /** A call on the way, in front of those before it. */
  private frame(unit: Unit, fn: number, op: number, callback: boolean, up: Frame | undefined): Frame {
    const depth = (up?.depth ?? 0) + 1
    const key = `${this.numberOf(unit)}.${fn}.${op}.${up?.op ?? ""}.${depth}`
    return { unit, fn, op, callback, up, depth, key }
  }
  /** Whether something is looked at for the first time. */
  private isNew(key: string): boolean {
    if (this.visited.has(key)) return false
    this.visited.add(key)
    this.fresh.push(key)
    return true
  }

  private add(state: State): void {
    if (state.hops > this.bounds.hops) {
      this.causes.add("hops")
      return
    }
    const key = `${this.numberOf(state.unit)}.${state.fn}.${state.op}.${state.slot}.${state.inside.join("/")}|${state.stack?.key ?? ""}`
    if (!this.isNew(key)) return
    const { towards } = this.watch
    ;(towards === undefined || towards(state.unit.nodeOf(state.fn)) ? this.near : this.far).push(state)
  }

  private next(
    from: State,
    kind: string,
    to: Partial<State> & { readonly op: number; readonly slot: number },
    tier: Tier = "resolved"
  ): State {
    return {
      unit: from.unit,
      fn: from.fn,
      inside: from.inside,
      stack: from.stack,
      hops: from.hops,
      ...to,
      via: to.via,
      parent: from,
      kind,
      tier: weaker(from.tier, tier)
    }
  }

  /** Walks until nothing is new or a bound is met. */
  run(seeds: ReadonlyArray<State>, found: (reached: Reached) => boolean): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      this.near.length = 0
      this.far.length = 0
      for (const seed of seeds) this.add(seed)
      let turn = performance.now()
      let nearAt = 0
      let farAt = 0
      while (nearAt < this.near.length || farAt < this.far.length) {
        const strays = nearAt >= this.near.length && this.watch.towards !== undefined && farAt >= mostFar
        if (this.states >= this.most || strays) {
          this.causes.add("states")
          return
        }
        const now = performance.now()
        if (now > this.until) {
          this.causes.add("time")
          return
        }
        if (now - turn > 12) {
          yield* nextTurn
          turn = performance.now()
        }
        // With nothing more to be lowered, what is at hand may still lead to an end.
        if (nearAt >= this.near.length && this.program.full) return
        const state = nearAt < this.near.length ? this.near[nearAt++]! : this.far[farAt++]!
        this.states++
        for (;;) {
          this.missing.clear()
          this.fresh.length = 0
          const [nearBefore, farBefore] = [this.near.length, this.far.length]
          const reached: Array<Reached> = []
          this.step(state, reached)
          const wanted = this.wanted()
          if (wanted.length > 0 && this.program.full) this.causes.add("work")
          else if (wanted.length > 0) {
            // What was concluded without those files does not count.
            for (const key of this.fresh) this.visited.delete(key)
            this.near.length = nearBefore
            this.far.length = farBefore
            for (const spot of wanted) {
              if (this.program.full || performance.now() > this.until) break
              yield* this.program.load(spot)
            }
            if (performance.now() > this.until) {
              this.causes.add("time")
              return
            }
            continue
          }
          for (const one of reached) if (found(one)) return
          break
        }
      }
    })
  }

  /** Asks again until all that the answer needs is lowered, or as much as may be. */
  settled<A>(ask: () => A): Effect.Effect<A> {
    return Effect.gen(this, function* () {
      for (;;) {
        this.missing.clear()
        const answer = ask()
        const wanted = this.wanted()
        if (wanted.length === 0) return answer
        for (const spot of wanted) {
          if (this.program.full || performance.now() > this.until) {
            this.causes.add(this.program.full ? "work" : "time")
            return answer
          }
          yield* this.program.load(spot)
        }
      }
    })
  }

  private unitAt(spot: Spot): Unit | undefined {
    const unit = this.program.at(spot)
    if (unit === undefined) this.missing.set(this.program.keyOf(spot), spot)
    return unit
  }

  /** What is missing and may still be lowered, that on the way to an end first. */
  private wanted(): ReadonlyArray<Spot> {
    const wanted = [...this.missing.values()].filter((spot) => !this.program.settled(spot))
    const { towards } = this.watch
    if (towards === undefined || wanted.length < 2) return wanted
    const leads = (spot: Spot): number => (towards(this.program.nodeAt(spot)) ? 0 : 1)
    return wanted
      .map((spot) => [spot, leads(spot)] as const)
      .sort(([, a], [, b]) => a - b)
      .map(([spot]) => spot)
  }

  private passes(tier: Tier): boolean {
    return atLeast(tier, this.bounds.tier ?? "inferred")
  }

  /** What a call may run: by the graph, or a function in a slot. */
  targets(unit: Unit, op: Op): ReadonlyArray<Target> {
    return this.remembered(unit, this.questions.targets, op, () => this.resolve(unit, op))
  }

  /** Asks once for each operation or function, unless a file was missing while it was answered. */
  private remembered<A extends object>(
    unit: Unit,
    question: string,
    of: object,
    ask: () => A,
    lasts: (answer: A) => boolean = () => true
  ): A {
    let known = unit.found.get(question)
    if (known === undefined) unit.found.set(question, (known = new Map()))
    const before = known.get(of)
    if (before !== undefined) return before as A
    const missing = this.missing.size
    const answer = ask()
    if (this.missing.size === missing && lasts(answer)) known.set(of, answer)
    return answer
  }

  private resolve(unit: Unit, op: Op): ReadonlyArray<Target> {
    const out: Array<Target> = []
    const callee = op.from[0] ?? -1
    if (callee >= 0)
      for (const index of unit.closuresIn(callee)) {
        const ref = unit.symbolOf(index)
        out.push({ ref: ref ?? -1, unit, fn: unit.file.functions[index], tier: "resolved" })
      }
    if (out.length > 0) return out
    for (const edge of unit.edgesAt(op.at))
      if ((calling.has(edge.role) || (op.how === "new" && edge.role === "type")) && this.passes(edge.tier))
        this.dispatch(edge.to, edge.tier, out)
    return out
  }

  private dispatch(ref: SymbolRef, tier: Tier, out: Array<Target>): void {
    const { view } = this.program
    if (view.isFile(ref)) return
    const kind = view.symbol(ref).kind
    let at = ref
    if (kind === "class" || kind === "struct" || kind === "object" || kind === "type_alias") {
      const made = view.members(ref).find((m) => view.symbol(m).kind === "constructor")
      if (made === undefined) {
        out.push({ ref, unit: undefined, fn: undefined, tier })
        return
      }
      at = made
    }
    const spot = this.program.spotOf(at)
    const empty = this.isBodiless(at)
    const unit = empty ? undefined : this.unitAt(spot)
    const fn = unit?.functionOf(at)
    if (fn !== undefined && fn.ops.some(({ kind: k }) => k !== "parameter"))
      out.push({ ref: at, unit, fn, tier })
    else if (empty || unit !== undefined || this.program.settled(spot)) {
      const others = view.overriders(at).slice(0, 12)
      if (others.length === 0) out.push({ ref: at, unit: undefined, fn: undefined, tier })
      for (const other of others) {
        if (this.isBodiless(other)) continue
        const there = this.unitAt(this.program.spotOf(other))
        const body = there?.functionOf(other)
        if (there !== undefined && body !== undefined)
          out.push({ ref: other, unit: there, fn: body, tier: weaker(tier, "inferred") })
      }
    }
  }

  /** Whether a definition says itself that it has no body, as a member of an interface does. */
  private isBodiless(ref: SymbolRef): boolean {
    const { columns } = this.program.view
    const { complexity, flagBits, flags } = columns
    const node = columns.nodeOf(ref)
    return complexity[node] === 0 && (flags[node]! & (flagBits.abstract | flagBits.declaration)) !== 0
  }

  private step(state: State, reached: Array<Reached>): void {
    const { fn, op, slot, unit } = state
    this.functions.add(unit.placeOf(fn))
    for (const use of usesEverywhere(unit.file, { fn, op }, slot)) {
      const here = unit.file.functions[use.fn]!
      const next = here.ops[use.op]!
      // A variable of another function: which call of that one it is cannot be told.
      const at: State =
        use.fn === fn
          ? state
          : {
              ...state,
              fn: use.fn,
              stack: undefined,
              op: use.op,
              parent: state,
              via: undefined,
              kind: "capture"
            }
      this.use(at, here, next, use.op, reached)
    }
    this.globals(state)
  }

  private use(state: State, fn: FunctionIr, op: Op, index: number, reached: Array<Reached>): void {
    const { inside, slot } = state
    switch (op.kind) {
      case "copy": {
        if (op.how === "compare" || op.to < 0) return
        if (op.how === "derive") {
          if (inside.length > 0 && !isElement(inside[0]!)) return
          return this.add(this.next(state, "derive", { op: index, slot: op.to, inside: [] }))
        }
        const to = state.unit.file.slots[op.to]!
        // Of a parameter that stands for the caller's variable.
        if (to.kind === "parameter" && to.fn === fn.index && /^(?:out|ref)\b|&$/.test(to.type))
          this.climb(
            this.next(state, "assign", { op: index, slot: op.to }),
            fn,
            op.to,
            inside,
            undefined,
            "mutate"
          )
        return this.add(this.next(state, op.how === "ref" ? "assign" : op.how, { op: index, slot: op.to }))
      }
      case "load": {
        if (inside.length === 0) {
          if (this.watch.sink(this.useOf(state, fn, op, index, 0), state))
            reached.push({ state, use: this.useOf(state, fn, op, index, 0) })
          // A property of the value itself: its length says nothing about it.
          if (!/^(?:length|size|Length|Count)$/.test(op.name))
            this.add(this.next(state, "load", { op: index, slot: op.to }))
        } else if (sameField(inside[0]!, op.name))
          this.add(this.next(state, "load", { op: index, slot: op.to, inside: inside.slice(1) }))
        return
      }
      case "store": {
        const [base, value] = op.from
        if (slot === value) {
          const use = this.useOf(state, fn, op, index, 1)
          if (this.watch.sink(use, state)) reached.push({ state, use })
          this.mutate(
            state,
            fn,
            index,
            base!,
            put(op.name, inside),
            { unit: state.unit, inside, at: op.at },
            "store"
          )
        }
        if (slot === base && !(inside.length > 0 && inside[0] === op.name && op.name !== "[]"))
          this.add(this.next(state, state.kind === "store" ? "store" : "assign", { op: index, slot: base! }))
        return
      }
      case "call":
        return this.call(state, fn, op, index, reached)
      case "return":
        return this.back(state, fn, index, inside)
      case "yield":
        return this.back(state, fn, index, put("[]", inside))
      case "throw":
        return this.add(this.next(state, "throw", { op: index, slot: op.to }))
      default:
    }
  }

  private useOf(
    state: State,
    fn: FunctionIr,
    op: Op,
    index: number,
    operand: number,
    targets: ReadonlyArray<Target> = []
  ): Use {
    return { unit: state.unit, fn, op, index, operand, targets }
  }

  private call(state: State, fn: FunctionIr, op: Op, index: number, reached: Array<Reached>): void {
    const { inside, slot, unit } = state
    if (!op.from.includes(slot) || op.how === "receive") return
    const targets = this.targets(unit, op)
    const known = targets.some((t) => t.fn !== undefined)
    const name = lastName(op.name)
    const frame = known ? this.frame(unit, fn.index, index, false, state.stack) : undefined
    for (let operand = 1; operand < op.from.length; operand++) {
      if (op.from[operand] !== slot) continue
      const use = this.useOf(state, fn, op, index, operand, targets)
      if (this.watch.sink(use, state)) {
        reached.push({ state, use })
        continue
      }
      if (this.watch.stops(use)) continue
      if (frame !== undefined) {
        for (const target of targets)
          if (target.fn !== undefined) this.enter(state, fn, op, index, operand, target, frame)
        continue
      }
      this.outside(state, fn, op, index, operand, name, inside)
    }
  }

  /** Into a function whose source is at hand. */
  private enter(
    state: State,
    fn: FunctionIr,
    op: Op,
    index: number,
    operand: number,
    target: Target,
    frame: Frame
  ): void {
    const callee = target.fn!
    const unit = target.unit!
    const { stack } = state
    for (let up = stack; up !== undefined; up = up.up)
      if (up.unit === state.unit && up.fn === fn.index && up.op === index) return
    let slot = -1
    let { inside } = state
    const args = op.from.length - 2
    if (operand === 1) slot = callee.receiver
    else {
      let at = operand - 2
      const keyword = op.keywords?.[at] ?? ""
      // Called through its type: the first argument is what it is a method of.
      const bare = (op.from[1] ?? -1) < 0 || this.isStatic(state.unit, op)
      const shifted =
        callee.receiver >= 0 && bare && op.how !== "new" && args === callee.parameters.length + 1
      if (keyword !== "") slot = callee.parameters.find((p) => unit.file.slots[p]!.name === keyword) ?? -1
      else if (shifted && at === 0) slot = callee.receiver
      else {
        if (shifted) at--
        const last = callee.parameters.length - 1
        if (callee.variadic && at >= last && last >= 0) {
          slot = callee.parameters[last]!
          inside = put("[]", inside)
        } else slot = callee.parameters[at] ?? -1
      }
    }
    if (slot < 0) return
    const begun = callee.ops.findIndex(({ kind, to }) => kind === "parameter" && to === slot)
    if (begun < 0) return
    this.add({
      unit,
      fn: callee.index,
      op: begun,
      slot,
      inside,
      stack: frame,
      hops: state.hops + 1,
      parent: state,
      via: { unit: state.unit, fn: fn.index, op: index, kind: "call" },
      kind: "argument",
      tier: weaker(state.tier, target.tier)
    })
  }

  private isStatic(unit: Unit, op: Op): boolean {
    const receiver = op.from[1] ?? -1
    if (receiver < 0) return true
    const path = unit.file.slots[receiver]!.path
    return /^[A-Z]\w*$/.test(path) && !/^[A-Z0-9_]+$/.test(path)
  }

  /** Through a function whose source is not. */
  private outside(
    state: State,
    fn: FunctionIr,
    op: Op,
    index: number,
    operand: number,
    name: string,
    inside: ReadonlyArray<string>
  ): void {
    const { unit } = state
    if (neutral.has(name) || numeric.test(op.name)) return
    const argument = operand >= 2
    const fills = filling[name]
    if (fills !== undefined && argument) {
      if (fills.from.includes(operand - 2))
        for (const into of fills.into) {
          const slot = op.from[2 + into]
          if (slot !== undefined) this.mutate(state, fn, index, slot, [], undefined, "external")
        }
      if (!fills.from.includes(operand - 2)) return
    }
    // Functions it is given get what it was called on, or its other arguments.
    for (let place = 2; place < op.from.length; place++) {
      if (place === operand) continue
      for (const made of unit.closuresIn(op.from[place]!)) {
        const closure = unit.file.functions[made]!
        const wanted = argument ? [] : /^(?:reduce|fold|aggregate|Aggregate)/.test(name) ? [0, 1] : [0]
        for (const p of wanted) {
          const slot = closure.parameters[p]
          if (slot === undefined) continue
          const begun = closure.ops.findIndex(({ kind, to }) => kind === "parameter" && to === slot)
          if (begun < 0) continue
          this.add({
            unit,
            fn: made,
            op: begun,
            slot,
            inside: inside.length > 0 && isElement(inside[0]!) ? inside.slice(1) : inside,
            stack: this.frame(unit, fn.index, index, true, state.stack),
            hops: state.hops + 1,
            parent: state,
            via: { unit, fn: fn.index, op: index, kind: "call" },
            kind: "callback",
            tier: weaker(state.tier, "inferred")
          })
        }
      }
    }
    const whole = inside.length === 0 || isElement(inside[0]!)
    if (argument && mutating.has(name) && (op.from[1] ?? -1) >= 0)
      this.mutate(state, fn, index, op.from[1]!, put("[]", inside), undefined, "mutate")
    // What it is given the address of it may write to.
    for (let place = 2; place < op.from.length; place++) {
      const slot = op.from[place]!
      if (place !== operand && unit.made(fn, slot)?.how === "ref" && whole)
        this.mutate(state, fn, index, slot, [], undefined, "external")
    }
    if (op.to < 0 || (argument && mutating.has(name) && !fluent.has(name) && op.how !== "new")) return
    // Through `then` and `map` with a function that is at hand the result is what that gives back.
    const given = op.from.slice(2).some((slot) => unit.closuresIn(slot).size > 0)
    if (!argument && (!whole || (given && /^(?:then|map|flatMap|reduce|fold|Select|and_then)$/.test(name))))
      return
    this.add(
      this.next(
        state,
        "external",
        {
          op: index,
          slot: op.to,
          inside: argument && !whole ? [] : inside.length > 0 ? inside.slice(1) : []
        },
        "inferred"
      )
    )
  }

  /** Out of a function with its result. */
  private back(state: State, fn: FunctionIr, index: number, inside: ReadonlyArray<string>): void {
    const { stack } = state
    const kind = "result"
    const via = { unit: state.unit, fn: fn.index, op: index, kind: "return" }
    if (stack !== undefined) {
      const call = stack.unit.file.functions[stack.fn]!.ops[stack.op]!
      if (call.to < 0) return
      this.add({
        ...this.next(state, kind, { op: stack.op, slot: call.to }),
        unit: stack.unit,
        fn: stack.fn,
        inside,
        stack: stack.up,
        hops: state.hops + 1,
        via
      })
      return
    }
    for (const caller of this.takersOf(state.unit, fn)) {
      const call = caller.unit.file.functions[caller.fn]!.ops[caller.op]!
      if (call.to < 0) continue
      this.add({
        ...this.next(state, kind, { op: caller.op, slot: call.to }, caller.tier),
        unit: caller.unit,
        fn: caller.fn,
        inside,
        stack: undefined,
        hops: state.hops + 1,
        via
      })
    }
  }

  /** Calls of a function. */
  private callersOf(unit: Unit, fn: FunctionIr): ReadonlyArray<Caller> {
    return this.bounded(unit, fn, this.questions.callers, nowhere)
  }
  /** Calls of a function whose result may go somewhere. */
  takersOf(unit: Unit, fn: FunctionIr): ReadonlyArray<Caller> {
    return this.bounded(unit, fn, this.questions.takers, leaving)
  }
  private bounded(
    unit: Unit,
    fn: FunctionIr,
    question: string,
    without: ReadonlySet<string>
  ): ReadonlyArray<Caller> {
    // Of too many callers those are taken that lead on, which is not the same for every end.
    const callers = this.remembered(
      unit,
      question,
      fn,
      () => this.calls(unit, fn, without),
      ({ length }) => length < mostCallers
    )
    if (callers.length >= mostCallers) this.causes.add("callers")
    return callers
  }

  private calls(unit: Unit, fn: FunctionIr, without: ReadonlySet<string>): ReadonlyArray<Caller> {
    const out: Array<{ readonly unit: Unit; readonly fn: number; readonly op: number; readonly tier: Tier }> =
      []
    const ref = unit.symbolOf(fn.index)
    if (ref === undefined) {
      for (const other of unit.file.functions)
        other.ops.forEach((op, index) => {
          if (
            op.kind === "call" &&
            op.from.some((slot, place) => place !== 1 && slot >= 0 && unit.closuresIn(slot).has(fn.index))
          )
            out.push({ unit, fn: other.index, op: index, tier: "inferred" })
        })
      return out
    }
    const { view } = this.program
    const subjects = [ref]
    const parent = view.parent(ref)
    if (parent !== undefined && view.symbol(ref).kind === "constructor" && !view.isFile(parent))
      subjects.push(parent)
    // Calls through what it overrides or satisfies reach it too.
    const { name } = view.symbol(ref)
    if (parent !== undefined && !view.isFile(parent))
      for (const { ref: above } of view.above(parent)) {
        const own = view.members(above).find((m) => view.nameOf(m) === name)
        if (own !== undefined) subjects.push(own)
      }
    let absent = 0
    for (const subject of subjects)
      for (const number of this.usesOf(subject, this.calling)) {
        if (out.length + absent >= mostCallers) return out
        const edge = view.columns.edge(number)
        if (without.has(edge.use)) continue
        const there = this.unitAt(edge)
        if (there === undefined) {
          if (!this.program.settled(edge)) absent++
          continue
        }
        for (const { fn: at, op } of there.opsAt(edge.line, edge.column))
          if (there.file.functions[at]!.ops[op]!.kind === "call")
            out.push({
              unit: there,
              fn: at,
              op,
              tier: subject === ref || subject === parent ? edge.tier : weaker(edge.tier, "inferred")
            })
      }
    return out
  }

  /**
   * Edges of some roles that end at a definition and are sure enough, by number, at most so many: those on the way to an
   * end come first.
   */
  private usesOf(
    ref: SymbolRef,
    wanted: ReadonlyArray<boolean>,
    most = Number.POSITIVE_INFINITY
  ): ReadonlyArray<number> {
    const { columns } = this.program.view
    const { in: into, inEdges, primaries, roles, sources, tiers } = columns
    const node = primaries[columns.nodeOf(ref)]!
    const least = order.indexOf(this.bounds.tier ?? "inferred")
    const { towards } = this.watch
    const near: Array<number> = []
    const far: Array<number> = []
    const end = into.starts[node + 1]!
    for (let p = into.starts[node]!; p < end && near.length < most; p++) {
      const edge = inEdges[p]!
      if (tiers[edge]! > least || !wanted[roles[edge]!]) continue
      if (towards === undefined || towards(sources[edge]!)) near.push(edge)
      else if (far.length < most) far.push(edge)
    }
    for (let i = 0; i < far.length && near.length < most; i++) near.push(far[i]!)
    return near
  }

  /** A value was put inside what a slot holds: whoever holds the same object has it too. */
  private mutate(
    state: State,
    fn: FunctionIr,
    index: number,
    slot: number,
    inside: ReadonlyArray<string>,
    field: Field | undefined,
    kind: string,
    seen: ReadonlySet<number> = none
  ): void {
    if (slot < 0 || seen.has(slot) || seen.size > 8) return
    const { unit } = state
    // Callers of callers lead here again and again.
    const into =
      field === undefined ? "" : `${this.numberOf(field.unit)}.${field.at}.${field.inside.join("/")}`
    const key = `${this.numberOf(unit)}.${fn.index}.${index}.${slot}.${inside.join("/")}|${state.stack?.key ?? ""}|${kind}|${into}`
    if (!this.isNew(key)) return
    if (this.near.length + this.far.length > 2 * this.most) {
      this.causes.add("states")
      return
    }
    const after = new Set(seen).add(slot)
    const known = unit.file.slots[slot]!
    this.add(this.next(state, kind, { fn: fn.index, op: index, slot, inside }))
    const made = unit.made(fn, slot)
    const again = (other: number, path: ReadonlyArray<string>) =>
      this.mutate(state, fn, index, other, path, field, kind, after)
    if (made !== undefined) {
      if (made.kind === "load") again(made.from[0]!, put(made.name, inside))
      else if (made.kind === "copy" && made.how === "ref")
        again(made.from[0]!, isElement(inside[0] ?? "") ? inside.slice(1) : inside)
      else if (made.kind === "copy" && (made.how === "assign" || made.how === "choose"))
        for (const from of made.from) again(from, inside)
      else if (made.kind === "call" && fluent.has(lastName(made.name))) again(made.from[1] ?? -1, inside)
      else if (made.kind === "call" && made.how !== "new") this.escape(state, field)
      return
    }
    if (known.kind === "free") return this.escape(state, field)
    if (known.kind === "parameter" || known.kind === "receiver") {
      if (known.fn === fn.index) {
        this.climb(state, fn, slot, inside, field, kind)
        if (state.stack === undefined) this.escape(state, field)
      } else this.escape(state, field)
      return
    }
    if (known.captured && known.fn !== fn.index) this.escape(state, field)
    // One step back through `y = x`.
    for (const definition of definitionsBefore(fn, index, slot)) {
      const op = fn.ops[definition]!
      if (op.kind === "copy" && (op.how === "assign" || op.how === "choose" || op.how === "ref"))
        for (const from of op.from)
          if (from !== slot)
            again(from, op.how === "ref" && isElement(inside[0] ?? "") ? inside.slice(1) : inside)
    }
  }

  /** What a function put into its parameter is in the caller's argument. */
  private climb(
    state: State,
    fn: FunctionIr,
    slot: number,
    inside: ReadonlyArray<string>,
    field: Field | undefined,
    kind: string
  ): void {
    const { stack } = state
    const place = fn.receiver === slot ? -1 : fn.parameters.indexOf(slot)
    const own = state.unit.symbolOf(fn.index)
    const constructs = own !== undefined && this.program.view.symbol(own).kind === "constructor"
    const at = (unit: Unit, caller: FunctionIr, op: number, rest: Frame | undefined, tier: Tier) => {
      const call = caller.ops[op]!
      // What a constructor puts into the object is in what the call that makes one gives.
      const makes = place < 0 && (call.how === "new" || (constructs && lastName(call.name) !== fn.name))
      const argument = place < 0 ? (makes ? call.to : (call.from[1] ?? -1)) : (call.from[2 + place] ?? -1)
      if (argument < 0 || state.hops + 1 > this.bounds.hops) return
      const up: State = {
        ...this.next(state, kind, { op, slot: argument }, tier),
        unit,
        fn: caller.index,
        stack: rest,
        hops: state.hops + 1
      }
      if (makes) this.add({ ...up, inside })
      else this.mutate(up, caller, op, argument, inside, field, kind)
    }
    if (stack !== undefined) {
      if (!stack.callback)
        at(stack.unit, stack.unit.file.functions[stack.fn]!, stack.op, stack.up, "resolved")
      return
    }
    for (const caller of this.callersOf(state.unit, fn))
      at(caller.unit, caller.unit.file.functions[caller.fn]!, caller.op, undefined, caller.tier)
  }

  /** The object cannot be followed: whoever loads the field may get the value. */
  private escape(state: State, field: Field | undefined): void {
    if (field === undefined) return
    const { view } = this.program
    const refs = new Set<SymbolRef>()
    for (const edge of field.unit.edgesAt(field.at))
      if (!view.isFile(edge.to) && this.passes(edge.tier)) refs.add(edge.to)
    const own = field.unit.definedAt(field.at)
    if (own !== undefined) refs.add(own)
    for (const ref of refs) {
      if (!/^(?:field|property|variable|constant|enum_member)$/.test(view.symbol(ref).kind)) continue
      this.reads(state, ref, field.inside, "field")
    }
  }

  private reads(state: State, ref: SymbolRef, inside: ReadonlyArray<string>, kind: string): void {
    // A place is looked at once, so whoever comes after the first finds nothing new.
    if (state.hops < this.bounds.hops && !this.isNew(`reads ${ref}.${inside.join("/")}`)) return
    let count = 0
    for (const number of this.usesOf(ref, this.reading, mostReads + 1)) {
      if (++count > mostReads) {
        this.causes.add("readers")
        return
      }
      const edge = this.program.view.columns.edge(number)
      const there = this.unitAt(edge)
      if (there === undefined) continue
      for (const { fn, op } of there.opsAt(edge.line, edge.column)) {
        const next = there.file.functions[fn]!.ops[op]!
        if (next.to < 0 || next.kind === "store" || next.kind === "call") continue
        this.add({
          ...this.next(state, kind, { op, slot: next.to }, "inferred"),
          unit: there,
          fn,
          inside,
          stack: undefined,
          hops: state.hops + 1
        })
      }
    }
  }

  /** Variables of whole files and packages are read elsewhere. */
  private globals(state: State): void {
    const { unit } = state
    const slot = unit.file.slots[state.slot]!
    if (slot.kind === "temporary" || (slot.kind !== "free" && slot.fn !== 0)) return
    const op = unit.file.functions[state.fn]!.ops[state.op]!
    if (op.kind !== "copy" && op.kind !== "store") return
    const ref =
      unit.definedAt(slot.at) ??
      unit.edgesAt(op.at).find(({ role }) => role === "write" || role === "read")?.to
    if (ref === undefined || this.program.view.isFile(ref)) return
    this.reads(state, ref, state.inside, "field")
  }
}
const none: ReadonlySet<number> = new Set()
const nowhere: ReadonlySet<string> = new Set()
/** What becomes of the result of a call that nobody takes it from. */
const leaving: ReadonlySet<string> = new Set(["discarded", "spawned", "deferred"])

const weights: { readonly [kind: string]: number } = {
  external: 0.95,
  callback: 0.93,
  field: 0.8,
  capture: 0.95,
  mutate: 0.95,
  throw: 0.9
}
const tierWeights: { readonly [T in Tier]: number } = { exact: 1, resolved: 1, inferred: 0.9, name: 0.6 }

const widest = 160
/** A stretch of a file on one line. */
export const clip = (text: string, start: number, end: number): string => {
  const raw = text
    .slice(start, Math.min(end, start + widest * 4))
    .replace(/\s+/g, " ")
    .trim()
  return raw.length > widest ? `${raw.slice(0, widest - 1)}…` : raw
}

export const stepAt = (unit: Unit, fn: FunctionIr, op: Op, kind: string, tier: Tier): FlowStep => {
  const statement = fn.statements[op.statement]!
  const at = op.at >= 0 ? op.at : statement.start
  const { column, line } = unit.positionAt(at)
  const lineStart = unit.file.lines[line - 1]!
  const text =
    statement.end > statement.start && statement.kind !== "declaration" && statement.kind !== "parameter"
      ? clip(unit.file.text, statement.start, statement.end)
      : clip(unit.file.text, lineStart, unit.file.lines[line] ?? unit.file.text.length)
  return { kind, path: unit.path, line, column, text, within: unit.within(fn.index), tier }
}

/** The way to a use, line by line: steps on one line of one kind of movement are one. */
export const pathTo = (reached: Reached, origin: string): FlowPath => {
  const chain: Array<State> = []
  for (let at: State | undefined = reached.state; at !== undefined; at = at.parent) chain.push(at)
  chain.reverse()
  let confidence = 1
  const steps: Array<FlowStep> = []
  const push = (step: FlowStep) => {
    const last = steps[steps.length - 1]
    if (
      last !== undefined &&
      last.path === step.path &&
      last.line === step.line &&
      (minor.has(step.kind) || last.kind === step.kind)
    )
      return
    steps.push(step)
  }
  chain.forEach((state, i) => {
    const { via } = state
    if (via !== undefined) {
      const from = via.unit.file.functions[via.fn]!
      push(stepAt(via.unit, from, from.ops[via.op]!, via.kind, state.tier))
    }
    const fn = state.unit.file.functions[state.fn]!
    const kind = i === 0 ? "source" : state.kind
    push(stepAt(state.unit, fn, fn.ops[state.op]!, kind, state.tier))
    confidence *= weights[kind] ?? 1
  })
  const { fn, op, unit } = reached.use
  const { tier } = reached.state
  const last = steps[steps.length - 1]
  const sink = stepAt(unit, fn, op, "sink", tier)
  if (
    last !== undefined &&
    last.line === sink.line &&
    last.path === sink.path &&
    steps.length > 1 &&
    minor.has(last.kind)
  )
    steps.pop()
  steps.push(sink)
  return { steps, tier, confidence: Math.round(confidence * tierWeights[tier] * 100) / 100, origin }
}
/** Movements inside a line that add nothing to its text. */
const minor = new Set(["assign", "derive", "choose", "load", "await", "store"])
