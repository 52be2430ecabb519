/** Builds the blocks of one function while its syntax is walked. */
import type { Block, Edge, EdgeKind, FunctionIr, How, Op, OpKind, Statement } from "./Ir.ts"

interface Pending {
  readonly target: number
  readonly kind: EdgeKind
  /** Number of frames around the target. */
  readonly depth: number
}

/** What a jump may lead out of. */
type Frame =
  | {
      readonly tag: "loop"
      readonly labels: ReadonlyArray<string>
      readonly out: number
      readonly again: number
    }
  | { readonly tag: "switch" | "label"; readonly labels: ReadonlyArray<string>; readonly out: number }
  | { readonly tag: "try"; readonly handler: number }
  | { readonly tag: "finally"; readonly entry: number; readonly pending: Array<Pending> }

interface Open {
  readonly id: number
  /** Where its operations begin among those of open statements. */
  readonly from: number
}

export interface Shape {
  readonly index: number
  readonly parent: number
  readonly name: string
  readonly nameAt: number
  readonly start: number
  readonly end: number
  readonly generator: boolean
  readonly async: boolean
  readonly marks: ReadonlyArray<string>
}

const none: ReadonlyArray<number> = []

/** Statements and blocks while they are made. */
type Growing<A> = { -readonly [key in keyof A]: A[key] }

/** A list with one more, in room that fits as long as it is short: one that grows takes room for many. */
const and = <A>(list: Array<A>, one: A): Array<A> => {
  if (list.length === 0) return [one]
  if (list.length === 1) return [list[0]!, one]
  list.push(one)
  return list
}

export class FunctionBuilder {
  readonly blocks: Array<Growing<Block>> = []
  readonly statements: Array<Growing<Statement>> = []
  readonly ops: Array<Op> = []
  readonly parameters: Array<number> = []
  readonly approximations = new Set<string>()
  variadic = false
  receiver = -1
  /** Slot of what is thrown in the function; -1 until something is. */
  exception = -1
  readonly entry: number
  readonly exit: number
  /** Where returns lead; runs what was deferred. */
  readonly leave: number
  current: number
  private readonly frames: Array<Frame> = []
  private readonly open: Array<Open> = []
  /** Operations of open statements, those of the innermost one last. */
  private readonly own: Array<number> = []
  private readonly deferred: Array<{ readonly start: number; readonly end: number }> = []
  private readonly labels = new Map<string, number>()
  private errs = false
  private readonly results: Array<{
    readonly out: number
    readonly labels: ReadonlyArray<string>
    readonly slot: number
  }> = []

  constructor(readonly shape: Shape) {
    this.entry = this.block("entry")
    this.exit = this.block("exit")
    this.leave = this.block("leave")
    this.current = this.block("body")
    this.link(this.entry, this.current, "next")
  }

  block(label: string, unreachable = false): number {
    this.blocks.push({ label, statements: [], successors: [], unreachable })
    const id = this.blocks.length - 1
    return id
  }

  link(from: number, to: number, kind: EdgeKind): void {
    if (from < 0) return
    const block = this.blocks[from]!
    for (const edge of block.successors) if (edge.to === to && edge.kind === kind) return
    block.successors = and(block.successors, { to, kind })
  }

  /** Continues in a block, whatever was current; the previous one falls through into it when it goes on. */
  enter(block: number, kind: EdgeKind = "next"): void {
    this.link(this.current, block, kind)
    this.current = block
  }

  /** The block statements go to; one that nothing leads to after a jump. */
  private here(): number {
    if (this.current < 0) this.current = this.block("unreachable", true)
    return this.current
  }

  /** Starts a statement. Operations up to {@link close} are its own; it is put in the block current then. */
  begin(kind: string, start: number, end: number): void {
    this.statements.push({ kind, start, end, ops: none })
    this.open.push({ id: this.statements.length - 1, from: this.own.length })
  }

  /** Ends the innermost statement; without operations it still shows. */
  close(): void {
    const { from, id } = this.open.pop()!
    if (this.own.length > from) this.statements[id]!.ops = this.own.splice(from)
    const block = this.here()
    const known = this.blocks[block]!
    known.statements = and(known.statements, id)
    if (this.frames.length > 0) this.mayThrow(block)
    if (this.errs && this.open.length === 0) {
      this.errs = false
      this.errorOut()
    }
  }

  /** The open statement may end in an early way out on an error value. */
  mayErr(): void {
    this.errs = true
  }

  get inStatement(): boolean {
    return this.open.length > 0
  }

  /** Adds an operation to the open statement. */
  op(
    kind: OpKind,
    how: How,
    to: number,
    from: ReadonlyArray<number>,
    more: {
      readonly name?: string
      readonly at?: number
      readonly fn?: number
      readonly keywords?: ReadonlyArray<string>
    } = {}
  ): number {
    const alone = this.open.length === 0
    if (alone) this.begin("expression", more.at ?? this.shape.start, more.at ?? this.shape.start)
    const statement = this.open[this.open.length - 1]!.id
    this.ops.push({
      kind,
      how,
      to,
      from,
      name: more.name ?? "",
      at: more.at ?? -1,
      fn: more.fn ?? -1,
      ...(more.keywords === undefined ? {} : { keywords: more.keywords }),
      statement
    })
    const index = this.ops.length - 1
    this.own.push(index)
    if (alone) this.close()
    return index
  }

  /** Says how the last call of the open statement is made. */
  mark(how: How): void {
    for (let i = this.ops.length - 1; i >= 0; i--) {
      const op = this.ops[i]!
      if (op.statement !== this.open[this.open.length - 1]?.id) return
      if (op.kind === "call") {
        this.ops[i] = { ...op, how }
        return
      }
    }
  }

  /** A block inside a `try` may leave it at any of its statements. */
  private mayThrow(block: number): void {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!
      if (frame.tag === "try") {
        this.link(block, frame.handler, "exception")
        return
      }
      if (frame.tag === "finally") {
        this.link(block, frame.entry, "exception")
        this.rethrow(frame, i)
        return
      }
    }
  }

  private rethrow(frame: Frame & { tag: "finally" }, depth: number): void {
    for (let i = depth - 1; i >= 0; i--) {
      const outer = this.frames[i]!
      if (outer.tag === "try") return this.pend(frame, outer.handler, "exception", i)
      if (outer.tag === "finally") {
        this.rethrow(outer, i)
        return this.pend(frame, outer.entry, "exception", i + 1)
      }
    }
    this.pend(frame, this.exit, "throw", 0)
  }

  private pend(frame: Frame & { tag: "finally" }, target: number, kind: EdgeKind, depth: number): void {
    if (!frame.pending.some((p) => p.target === target && p.kind === kind))
      frame.pending.push({ target, kind, depth })
  }

  /** Leaves the current block for a target that has `depth` frames around it, through what runs on the way. */
  private leaveTo(target: number, kind: EdgeKind, depth: number): void {
    for (let i = this.frames.length - 1; i >= depth; i--) {
      const frame = this.frames[i]!
      if (frame.tag === "finally") {
        this.link(this.here(), frame.entry, kind)
        this.pend(frame, target, kind, depth)
        this.current = -1
        return
      }
    }
    this.link(this.here(), target, kind)
    this.current = -1
  }

  break(label?: string): void {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!
      if (frame.tag === "try" || frame.tag === "finally") continue
      if (label === undefined ? frame.tag !== "label" : frame.labels.includes(label))
        return this.leaveTo(frame.out, "break", i)
    }
    this.leaveTo(this.leave, "break", 0)
  }

  continue(label?: string): void {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!
      if (frame.tag === "loop" && (label === undefined || frame.labels.includes(label)))
        return this.leaveTo(frame.again, "continue", i)
    }
    this.leaveTo(this.leave, "continue", 0)
  }

  /** The slot the value of a `break` goes to. */
  valueOfBreak(label?: string): number | undefined {
    for (let i = this.results.length - 1; i >= 0; i--) {
      const result = this.results[i]!
      if (label === undefined || result.labels.includes(label)) return result.slot
    }
    return undefined
  }

  return(): void {
    this.leaveTo(this.leave, "return", 0)
  }

  /** An early way out on an error value, beside which the function goes on. */
  private errorOut(): void {
    const from = this.here()
    this.leaveTo(this.leave, "error", 0)
    const next = this.block("ok")
    this.link(from, next, "next")
    this.current = next
  }

  throw(): void {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!
      if (frame.tag === "try") {
        const block = this.here()
        const known = this.blocks[block]!
        known.successors = known.successors.filter((e) => !(e.to === frame.handler && e.kind === "exception"))
        this.link(block, frame.handler, "throw")
        this.current = -1
        return
      }
      if (frame.tag === "finally") {
        const block = this.here()
        const known = this.blocks[block]!
        known.successors = known.successors.filter((e) => !(e.to === frame.entry && e.kind === "exception"))
        this.link(block, frame.entry, "throw")
        this.rethrow(frame, i)
        this.current = -1
        return
      }
    }
    this.link(this.here(), this.shape.parent < 0 && this.leave < 0 ? this.exit : this.throwTarget(), "throw")
    this.current = -1
  }

  /** Deferred calls run on the way out of a panic too. */
  private throwTarget(): number {
    return this.deferred.length > 0 ? this.leave : this.exit
  }

  loop(labels: ReadonlyArray<string>, out: number, again: number, body: () => void, result?: number): void {
    this.frames.push({ tag: "loop", labels, out, again })
    if (result !== undefined) this.results.push({ out, labels, slot: result })
    body()
    if (result !== undefined) this.results.pop()
    this.frames.pop()
  }

  switch(
    labels: ReadonlyArray<string>,
    out: number,
    body: () => void,
    tag: "switch" | "label" = "switch",
    result?: number
  ): void {
    this.frames.push({ tag, labels, out })
    if (result !== undefined) this.results.push({ out, labels, slot: result })
    body()
    if (result !== undefined) this.results.pop()
    this.frames.pop()
  }

  /** A protected body, its handlers and what runs on every way out of both. */
  try(parts: {
    readonly body: () => void
    /** Runs at the head of the handlers; `undefined` without any. */
    readonly handlers?: (() => void) | undefined
    readonly otherwise?: (() => void) | undefined
    readonly cleanup?: (() => void) | undefined
  }): void {
    const after = this.block("after try")
    const cleanup = parts.cleanup === undefined ? -1 : this.block("finally")
    const frame: Frame = { tag: "finally", entry: cleanup, pending: [] }
    if (cleanup >= 0) this.frames.push(frame)
    if (parts.handlers !== undefined) {
      const handler = this.block("catch")
      this.frames.push({ tag: "try", handler })
      const body = this.block("try")
      this.enter(body)
      parts.body()
      this.frames.pop()
      if (parts.otherwise !== undefined && this.current >= 0) {
        this.enter(this.block("try else"))
        parts.otherwise()
      }
      const done = this.current
      this.current = handler
      parts.handlers()
      const handled = this.current
      const next = cleanup >= 0 ? cleanup : after
      this.link(done, next, "next")
      this.link(handled, next, "next")
      this.current = done < 0 && handled < 0 ? -1 : next
    } else {
      const body = this.block("try")
      this.enter(body)
      parts.body()
      parts.otherwise?.()
      if (cleanup >= 0) this.link(this.current, cleanup, "next")
    }
    if (cleanup < 0) {
      if (this.current >= 0 && this.current !== after) this.link(this.current, after, "next")
      this.current = this.current < 0 ? -1 : after
      return
    }
    this.frames.pop()
    const falls = this.current >= 0
    this.current = cleanup
    parts.cleanup!()
    const end = this.current
    if (end >= 0) {
      for (const { depth, kind, target } of frame.pending) {
        this.current = end
        this.leaveTo(target, kind, depth)
      }
      if (falls) this.link(end, after, "next")
    }
    this.current = end >= 0 && falls ? after : -1
  }

  /** Whether a jump waits for a `finally` to lead to a block. */
  leadsTo(block: number): boolean {
    return this.frames.some(
      (frame) => frame.tag === "finally" && frame.pending.some(({ target }) => target === block)
    )
  }

  label(name: string): number {
    let known = this.labels.get(name)
    if (known === undefined) this.labels.set(name, (known = this.block(`label ${name}`)))
    return known
  }

  goto(name: string): void {
    this.leaveTo(this.label(name), "goto", 0)
  }

  /** A call that runs when the function is left; what it reads is evaluated at the statement that defers it. */
  defer(start: number, end: number): void {
    this.deferred.push({ start, end })
  }

  finish(): FunctionIr {
    if (this.current >= 0) this.link(this.current, this.leave, "next")
    this.current = this.leave
    for (const { end, start } of [...this.deferred].reverse()) {
      this.begin("deferred", start, end)
      this.close()
    }
    this.link(this.leave, this.exit, "next")
    const { async, end, generator, index, marks, name, nameAt, parent, start } = this.shape
    return {
      index,
      parent,
      name,
      nameAt,
      start,
      end,
      parameters: this.parameters,
      variadic: this.variadic,
      receiver: this.receiver,
      generator,
      async,
      blocks: compact(this.blocks),
      // Lists that grew have room left, and stay for long.
      statements: this.statements.slice(),
      ops: this.ops.slice(),
      marks,
      approximations: [...this.approximations]
    }
  }
}

interface Joined {
  readonly label: string
  readonly statements: Array<number>
  successors: Array<Growing<Edge>>
  readonly unreachable: boolean
}

/** Drops empty blocks and joins those that always run one after the other. The first block is the entry, the last the exit. */
const compact = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const entry = 0
  const exit = 1
  const passed = (at: number): boolean => {
    const { statements, successors } = blocks[at]!
    return at !== entry && at !== exit && statements.length === 0 && successors.length === 1
  }
  // Empty blocks with one way on are passed through.
  const through = (from: number): number => {
    if (!passed(from)) return from
    const seen = new Set<number>()
    let at = from
    while (passed(at) && !seen.has(at)) {
      seen.add(at)
      at = blocks[at]!.successors[0]!.to
    }
    return at
  }
  const kept: Array<Joined | undefined> = blocks.map(() => undefined)
  const taken: Array<number> = []
  const pending: Array<number> = [entry, exit]
  for (let i = 0; i < blocks.length; i++) if (blocks[i]!.statements.length > 0) pending.push(i)
  while (pending.length > 0) {
    const i = pending.pop()!
    if (kept[i] !== undefined) continue
    const { label, statements, successors, unreachable } = blocks[i]!
    let edges: Array<Growing<Edge>> = []
    for (const edge of successors) {
      const to = through(edge.to)
      // A jump's kind outlives the empty blocks it passes; a plain step takes the kind of what comes next.
      let kind = edge.kind
      if (kind === "next") {
        let at = edge.to
        while (at !== to && kind === "next") {
          kind = blocks[at]!.successors[0]!.kind
          at = blocks[at]!.successors[0]!.to
        }
      }
      if (!edges.some((known) => known.to === to && known.kind === kind)) edges = and(edges, { to, kind })
    }
    kept[i] = { label, statements, successors: edges, unreachable }
    taken.push(i)
    for (const { to } of edges) pending.push(to)
  }
  const preds = new Int32Array(blocks.length)
  for (const i of taken) for (const { to } of kept[i]!.successors) preds[to]!++
  // What nothing leads to any more, and holds nothing.
  for (const i of taken)
    if (i !== entry && i !== exit && preds[i] === 0 && kept[i]!.statements.length === 0) kept[i] = undefined
  for (const i of taken) {
    const block = kept[i]
    if (block === undefined || i === entry) continue
    for (;;) {
      const on = block.successors.filter(({ kind }) => kind !== "exception")
      const [only] = on
      if (on.length !== 1 || only === undefined || only.kind !== "next") break
      if (only.to === exit || only.to === i || preds[only.to] !== 1) break
      const next = kept[only.to]!
      // What a handler covers is not joined with what it does not.
      if (handlersOf(block) !== handlersOf(next)) break
      block.statements.push(...next.statements)
      block.successors = next.successors
      kept[only.to] = undefined
    }
  }
  // In the order control takes them; what nothing leads to comes behind, the exit last.
  const ids: Array<number> = []
  const seen = new Uint8Array(blocks.length)
  seen[entry] = seen[exit] = 1
  const path: Array<number> = [entry]
  const left: Array<number> = [kept[entry]!.successors.length]
  while (path.length > 0) {
    const top = path.length - 1
    const at = --left[top]!
    if (at < 0) {
      ids.push(path.pop()!)
      left.pop()
      continue
    }
    const { to } = kept[path[top]!]!.successors[at]!
    if (seen[to] === 1) continue
    seen[to] = 1
    path.push(to)
    left.push(kept[to]!.successors.length)
  }
  ids.reverse()
  const reached = ids.length
  for (let i = 0; i < blocks.length; i++) if (kept[i] !== undefined && seen[i] === 0) ids.push(i)
  ids.push(exit)
  const number = new Int32Array(blocks.length)
  ids.forEach((id, i) => (number[id] = i))
  return ids.map((id, i) => {
    const { label, statements, successors } = kept[id]!
    for (const edge of successors) edge.to = number[edge.to]!
    return {
      label,
      statements: fitting(statements),
      successors: fitting(successors),
      unreachable: id !== exit && i >= reached
    }
  })
}

const fitting = <A>(list: Array<A>): Array<A> => (list.length > 2 ? list.slice() : list)

/** Where a block may be left for when something is thrown. */
const handlersOf = ({ successors }: Joined): string => {
  let handlers = ""
  for (const { kind, to } of successors) if (kind === "exception") handlers += `${to},`
  return handlers
}
