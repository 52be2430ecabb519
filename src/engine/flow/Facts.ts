/** What whole-program analyses want to know of a file's functions, in one pass over their operations. */
import type {
  ChannelUse,
  FieldMutation,
  FieldWrite,
  FlowFacts,
  FlowPosition,
  Literal,
  Spawn,
  Thrown
} from "../../services/ProgramFlow.ts"
import { blockOf, dominatorsOf } from "./Chains.ts"
import { lastName, mutating } from "./Externals.ts"
import type { FileIr, FunctionIr, Op } from "./Ir.ts"
import { positionOf } from "./Ir.ts"

/** Calls that run a function beside the caller, by language, and what is started. */
const spawning: { readonly [language: string]: ReadonlyArray<readonly [name: RegExp, mode: string]> } = {
  rust: [
    [/(?:^|\.)(?:thread\.spawn|spawn_blocking)$/, "thread"],
    [/(?:tokio|task|async_std|smol|JoinSet|set|rt|runtime|handle)\.spawn(?:_local)?$|^spawn$/, "task"]
  ],
  python: [
    [/(?:^|\.)Thread$/, "thread"],
    [/(?:^|\.)Process$/, "process"],
    [/\.(?:create_task|ensure_future|run_in_executor|gather)$|^create_task$/, "task"],
    [/(?:executor|pool)\w*\.(?:submit|map|apply_async)$/i, "task"]
  ],
  java: [
    [/^(?:java\.lang\.)?Thread$|Thread\.(?:startVirtualThread|ofVirtual)/, "thread"],
    [/(?:executor|pool|service|scheduler)\w*\.(?:submit|execute|schedule|invokeAll)$/i, "task"],
    [/CompletableFuture\.(?:runAsync|supplyAsync)$/, "task"]
  ],
  csharp: [
    [/(?:^|\.)Thread$/, "thread"],
    [
      /Task\.(?:Run|Factory\.StartNew)$|Parallel\.(?:For|ForEach|Invoke)$|ThreadPool\.QueueUserWorkItem$/,
      "task"
    ]
  ],
  c: [[/^(?:pthread_create|thrd_create)$/, "thread"]],
  cpp: [
    [/^(?:std\.)?j?thread$|^pthread_create$/, "thread"],
    [/^(?:std\.)?async$/, "task"]
  ],
  javascript: [
    [/^Worker$|\.Worker$/, "worker"],
    [/^(?:setTimeout|setInterval|setImmediate|queueMicrotask)$/, "timer"]
  ]
}
for (const id of ["jsx", "typescript", "tsx"])
  (spawning as { [k: string]: unknown })[id] = spawning["javascript"]

const locking =
  /^(?:Lock|RLock|TryLock|lock|try_lock|acquire|synchronized|write|read|lock_guard|unique_lock|scoped_lock|pthread_mutex_lock|Enter|WaitOne|Do|runExclusive|get_mut)$/
const lockPath = /mu(?:tex)?\b|lock|sem(?:aphore)?\b|synchroni|guard|once/i

const isLock = (op: Op): boolean => {
  if (op.kind !== "call" || op.how === "defer" || op.how === "spawn") return false
  const name = lastName(op.name)
  if (!locking.test(name)) return false
  return (
    /^(?:Lock|RLock|TryLock|lock|try_lock|acquire|synchronized|lock_guard|unique_lock|scoped_lock|pthread_mutex_lock)$/.test(
      name
    ) || lockPath.test(op.name)
  )
}

const textIn = (text: string): string => /(["'`])((?:(?!\1)[^\\\n]|\\.){0,120})\1/.exec(text)?.[2] ?? ""

export const factsOf = (path: string, file: FileIr): FlowFacts => {
  const at = (offset: number): FlowPosition => positionOf(file.lines, Math.max(0, offset))
  const reader = new FactReader(file, at)
  return {
    path,
    language: file.language,
    functions: file.functions.flatMap((fn) => {
      const facts = reader.read(fn)
      const { channels, literals, locks, mutations, spawns, thrown, writes } = facts
      if (
        channels.length +
          literals.length +
          mutations.length +
          spawns.length +
          thrown.length +
          writes.length ===
          0 &&
        !locks
      )
        return []
      return [
        {
          name: fn.name,
          at: fn.nameAt < 0 ? undefined : at(fn.nameAt),
          start_line: at(fn.start).line,
          end_line: at(fn.end - 1).line,
          ...facts
        }
      ]
    })
  }
}

class FactReader {
  /** First operation that gives each slot a value, of the function at hand. */
  private of: FunctionIr | undefined
  private first = new Map<number, Op>()
  /** All of them, without stores. */
  private givenOf: FunctionIr | undefined
  private given = new Map<number, Array<Op>>()

  constructor(
    private readonly file: FileIr,
    private readonly at: (offset: number) => FlowPosition
  ) {}

  private made(fn: FunctionIr, slot: number): Op | undefined {
    if (slot < 0 || this.file.slots[slot]!.kind !== "temporary") return undefined
    if (this.of !== fn) {
      this.of = fn
      this.first = new Map()
      for (const op of fn.ops) if (op.to >= 0 && !this.first.has(op.to)) this.first.set(op.to, op)
    }
    return this.first.get(slot)
  }

  private text(fn: FunctionIr, op: Op): string {
    const { end, start } = fn.statements[op.statement]!
    return this.file.text.slice(start, Math.min(end, start + 400))
  }

  read(fn: FunctionIr) {
    const spawns: Array<Spawn> = []
    const channels: Array<ChannelUse> = []
    const thrown: Array<Thrown> = []
    const literals: Array<Literal> = []
    const writes: Array<FieldWrite> = []
    const mutations: Array<FieldMutation> = []
    const lockOps = fn.ops.flatMap((op, i) => (isLock(op) ? [i] : []))
    const marked = fn.marks.includes("synchronized")
    let dominators: ReadonlyArray<ReadonlySet<number>> | undefined
    const guarded = (index: number): boolean =>
      marked ||
      lockOps.some((lock) => {
        if (lock > index) return false
        const a = blockOf(fn, lock)
        const b = blockOf(fn, index)
        if (a < 0 || b < 0) return false
        if (a === b) return true
        dominators ??= dominatorsOf(fn)
        return dominators[b]!.has(a)
      })
    fn.ops.forEach((op, index) => {
      if (op.kind === "call") {
        this.call(fn, op, index, spawns, channels, mutations)
        if (file_rust(this.file) && lastName(op.name) === "Err" && op.how === "new" && this.returned(fn, op))
          thrown.push(this.thrownBy(fn, op, "return", op.from[2] ?? -1))
      } else if (op.kind === "throw") {
        const how =
          op.name.endsWith("!") || /^panic\b/.test(this.file.text.slice(op.at, op.at + 6)) ? "panic" : "throw"
        thrown.push(this.thrownBy(fn, op, how, op.from[0] ?? -1))
      } else if (op.kind === "return" && this.file.language === "go") this.goErrors(fn, op, index, thrown)
      else if (op.kind === "constant" && op.how === "new") {
        if (/^(?:<-)?\s*chan\b/.test(op.name)) channels.push(this.made_channel(fn, op, index))
        else if (op.name !== "" && !/^(?:\[|map\[|func\b)/.test(op.name))
          literals.push(this.literal(fn, op, index))
      } else if (op.kind === "store" && !op.name.startsWith("[") && op.at >= 0) {
        const base = op.from[0]!
        const origin = this.made(fn, base)
        // The parts of a literal are not writes of anybody else's.
        if (origin?.kind === "constant") return
        writes.push({
          ...this.at(op.at),
          field: op.name,
          base: this.file.slots[base]!.path,
          fresh: this.fresh(fn, base),
          guarded: guarded(index)
        })
      }
    })
    return { spawns, channels, thrown, literals, writes, mutations, locks: lockOps.length > 0 || marked }
  }

  private givenTo(fn: FunctionIr): ReadonlyMap<number, ReadonlyArray<Op>> {
    if (this.givenOf !== fn) {
      this.givenOf = fn
      this.given = new Map()
      for (const op of fn.ops) {
        if (op.to < 0 || op.kind === "store") continue
        const list = this.given.get(op.to)
        if (list === undefined) this.given.set(op.to, [op])
        else list.push(op)
      }
    }
    return this.given
  }

  /** Whether a local only ever holds what this function makes. */
  private fresh(fn: FunctionIr, base: number): boolean {
    const known = this.file.slots[base]!
    if (known.fn !== fn.index || known.captured) return false
    // A struct that is passed or declared by value is a copy.
    if (
      this.file.language === "go" &&
      known.kind !== "temporary" &&
      /^[A-Za-z]/.test(known.type) &&
      !/^(?:map|chan|interface|func)\b/.test(known.type)
    )
      return true
    if (known.kind !== "local") return false
    const given = this.givenTo(fn).get(base) ?? []
    return (
      given.length > 0 &&
      given.every((op) => {
        let origin = op.kind === "copy" ? this.made(fn, op.from[0] ?? -1) : undefined
        if (origin?.kind === "copy" && origin.how === "ref") origin = this.made(fn, origin.from[0] ?? -1)
        return (
          origin !== undefined &&
          origin.how === "new" &&
          (origin.kind === "constant" || origin.kind === "call")
        )
      })
    )
  }

  private call(
    fn: FunctionIr,
    op: Op,
    index: number,
    spawns: Array<Spawn>,
    channels: Array<ChannelUse>,
    mutations: Array<FieldMutation>
  ): void {
    const { file } = this
    const target = (slot: number) => {
      const closure = fn.ops.find(({ kind, to }) => kind === "closure" && to === slot)
      const made = file.functions[closure?.fn ?? -1]
      return made === undefined
        ? undefined
        : { start_line: this.at(made.start).line, end_line: this.at(made.end - 1).line }
    }
    if (op.how === "spawn") {
      const body = target(op.from[0] ?? -1)
      spawns.push({
        ...this.at(fn.statements[op.statement]!.start),
        mode: "goroutine",
        target: body === undefined ? op.name : "func literal",
        body,
        looped: this.looped(fn, index),
        name: op.at < 0 ? undefined : this.at(op.at)
      })
    } else {
      const rule = (spawning[file.language] ?? []).find(([name]) => name.test(op.name))
      // A class named Thread only starts something when it is made with something to run.
      if (rule !== undefined && (op.from.length > 2 || op.how === "macro")) {
        const args = op.from.slice(2)
        const keyword = op.keywords?.indexOf("target") ?? -1
        const given =
          keyword >= 0
            ? args[keyword]
            : args.find((a) => target(a) !== undefined || file.slots[a]!.path !== "")
        const body = given === undefined ? undefined : target(given)
        const slot = given === undefined ? undefined : file.slots[given]!
        const load = given === undefined ? undefined : this.made(fn, given)
        spawns.push({
          ...this.at(op.at < 0 ? fn.statements[op.statement]!.start : op.at),
          mode: rule[1],
          target:
            body !== undefined
              ? "function literal"
              : (slot?.path ?? "") === ""
                ? op.name
                : slot!.path.replace(/\(\)$/, ""),
          body,
          looped: this.looped(fn, index),
          name:
            load !== undefined && load.at >= 0
              ? this.at(load.at)
              : slot !== undefined && slot.at >= 0
                ? this.at(slot.at)
                : undefined
        })
      }
    }
    if (file.language === "go") {
      if ((op.how === "send" || op.how === "receive") && op.from[1] !== undefined) {
        if (op.name !== "range" || this.isChannel(fn, op.from[1]))
          channels.push(this.channel(fn, op.from[1], op.name === "range" ? "range" : op.how, op, false))
      } else if (op.name === "close" && op.from[2] !== undefined)
        channels.push(this.channel(fn, op.from[2], "close", op, false))
      else if (op.how !== "send" && op.how !== "receive")
        for (const arg of op.from.slice(2))
          if (arg >= 0 && this.isChannel(fn, arg)) channels.push(this.channel(fn, arg, "passed", op, false))
    }
    const receiver = this.made(fn, op.from[1] ?? -1)
    if (receiver?.kind === "load" && receiver.at >= 0 && op.at >= 0 && !receiver.name.startsWith("["))
      mutations.push({
        ...this.at(receiver.at),
        field: receiver.name,
        method: lastName(op.name),
        call: this.at(op.at)
      })
  }

  /** Whether control comes back to an operation. */
  private looped(fn: FunctionIr, index: number): boolean {
    const start = blockOf(fn, index)
    const seen = new Set<number>()
    const queue = start < 0 ? [] : [start]
    while (queue.length > 0)
      for (const { to } of fn.blocks[queue.pop()!]!.successors) {
        if (to === start) return true
        if (!seen.has(to)) {
          seen.add(to)
          queue.push(to)
        }
      }
    return false
  }

  private isChannel(fn: FunctionIr, slot: number): boolean {
    const known = this.file.slots[slot]!
    if (/^(?:<-)?\s*chan\b/.test(known.type)) return true
    const made = this.made(fn, slot)
    return (
      made !== undefined &&
      made.kind === "copy" &&
      made.from[0] !== undefined &&
      /^(?:<-)?\s*chan\b/.test(this.file.slots[made.from[0]]!.type)
    )
  }

  private channel(fn: FunctionIr, slot: number, how: string, op: Op, buffered: boolean): ChannelUse {
    const known = this.file.slots[slot]!
    const load = this.made(fn, slot)
    return {
      ...this.at(op.at >= 0 ? op.at : fn.statements[op.statement]!.start),
      how,
      channel: known.path === "" ? known.name : known.path,
      declared: known.kind !== "temporary" && known.at >= 0 ? this.at(known.at) : undefined,
      field: load?.kind === "load" && load.at >= 0 ? this.at(load.at) : undefined,
      buffered
    }
  }

  private made_channel(fn: FunctionIr, op: Op, index: number): ChannelUse {
    const text = this.file.text.slice(op.at, op.at + 200)
    const buffered = /^make\s*\([^()]*(?:\([^()]*\)[^()]*)*,/.test(text)
    for (let i = index + 1; i < Math.min(fn.ops.length, index + 12); i++) {
      const next = fn.ops[i]!
      if (next.kind === "copy" && next.from.includes(op.to))
        return { ...this.channel(fn, next.to, "make", op, buffered) }
      if (next.kind === "store" && next.from[1] === op.to) {
        const base = this.file.slots[next.from[0]!]!.path
        return {
          ...this.at(op.at),
          how: "make",
          channel: base === "" ? next.name : `${base}.${next.name}`,
          declared: undefined,
          field: next.at >= 0 ? this.at(next.at) : undefined,
          buffered
        }
      }
    }
    return { ...this.at(op.at), how: "make", channel: "", declared: undefined, field: undefined, buffered }
  }

  private literal(fn: FunctionIr, op: Op, index: number): Literal {
    const fields: Array<string> = []
    let positional = 0
    let rest = op.name.endsWith(" ..")
    for (let i = index + 1; i < fn.ops.length; i++) {
      const next = fn.ops[i]!
      if (next.kind === "store" && next.from[0] === op.to) {
        if (next.name.startsWith("[")) positional++
        else fields.push(next.name)
      } else if (next.kind === "copy" && next.to === op.to) rest = true
      if (next.statement !== op.statement) break
    }
    return { ...this.at(op.at), type: op.name.replace(/ \.\.$/, ""), fields, positional, rest }
  }

  private returned(fn: FunctionIr, op: Op): boolean {
    const kind = fn.statements[op.statement]!.kind
    return (
      kind === "return" ||
      (kind === "expression" && fn.ops.some((o) => o.kind === "return" && o.from.includes(op.to))) ||
      fn.ops.some((o) => o.kind === "copy" && o.from.includes(op.to))
    )
  }

  private thrownBy(fn: FunctionIr, op: Op, how: string, value: number): Thrown {
    const made = this.made(fn, value)
    const text = this.text(fn, op)
    const path = value < 0 ? "" : this.file.slots[value]!.path.replace(/\(\)$/, "")
    const error =
      made?.kind === "call"
        ? made.name
        : made?.kind === "constant" && made.how === "new"
          ? made.name
          : how === "panic" && op.name !== ""
            ? op.name
            : path
    const from =
      made !== undefined && made.at >= 0
        ? this.file.text
            .slice(made.at, made.at + 300)
            .split("\n")
            .slice(0, 4)
            .join("\n")
        : text
    return {
      ...this.at(op.at >= 0 ? op.at : fn.statements[op.statement]!.start),
      how,
      error: error.replace(/\(\)$/, ""),
      message: textIn(from)
    }
  }

  /** `return errors.New(…)`, `return x, fmt.Errorf(…)`, `return ErrMissing`, `return &Failed{…}`. */
  private goErrors(fn: FunctionIr, op: Op, index: number, thrown: Array<Thrown>): void {
    const value = op.from[0]
    if (value === undefined) return
    const own = fn.statements[op.statement]!.ops
    const last = [...own]
      .reverse()
      .map((o) => fn.ops[o]!)
      .find((o) => o.kind === "store" && o.from[0] === value)
    const slot = last === undefined ? value : last.from[1]!
    let made = this.made(fn, slot)
    if (made?.kind === "copy" && made.how === "ref") made = this.made(fn, made.from[0] ?? -1)
    const path = this.file.slots[slot]!.path
    const name = made?.kind === "call" || (made?.kind === "constant" && made.how === "new") ? made.name : path
    const errs =
      /^(?:errors\.(?:New|Join)|fmt\.Errorf|xerrors\.\w+|errors\.(?:Wrap|Wrapf|Errorf|WithStack|WithMessage)|status\.Errorf?)$/.test(
        name
      ) || /(?:^|\.)(?:Err[A-Z]\w*|\w*Error|EOF)$/.test(name)
    if (!errs) return
    const from = made !== undefined && made.at >= 0 ? made.at : op.at
    thrown.push({
      ...this.at(from >= 0 ? from : fn.start),
      how: "return",
      error: name,
      message: textIn(
        this.file.text
          .slice(from, from + 300)
          .split("\n")
          .slice(0, 3)
          .join("\n")
      )
    })
    void index
  }
}

const file_rust = (file: FileIr): boolean => file.language === "rust"

/** Whether a method's name says that it changes what it is called on. */
export const changes = (method: string): boolean => mutating.has(method)
