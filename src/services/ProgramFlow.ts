import { Context, type Effect } from "effect"
import type { GraphView, SymbolRef, Tier } from "./CodeGraph.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface FlowStatement {
  /** Place in the function, in the order of its blocks; 0 and up. */
  readonly id: number
  /** assignment, declaration, call, condition, loop, step, case, return, throw, yield, jump, parameter, spawn, defer, deferred, send, receive, expression. */
  readonly kind: string
  readonly line: number
  readonly end_line: number
  /** The statement on one line, clipped. */
  readonly text: string
  readonly defs: ReadonlyArray<string>
  readonly uses: ReadonlyArray<string>
}
export interface FlowBlock {
  readonly id: number
  readonly label: string
  readonly statements: ReadonlyArray<FlowStatement>
  /** Nothing leads to it. */
  readonly unreachable: boolean
  /** Blocks that run before it on every way from the entry, the nearest of them; undefined for the entry. */
  readonly dominator: number | undefined
}
export interface FlowEdge {
  readonly from: number
  readonly to: number
  /** next, true, false, case, default, loop, break, continue, goto, fallthrough, return, throw, exception, error. */
  readonly kind: string
}

/** A use and the definitions that may have given it its value. */
export interface DefUse {
  readonly statement: number
  readonly line: number
  readonly variable: string
  readonly definitions: ReadonlyArray<{ readonly statement: number; readonly line: number }>
  /** The variable is another function's. */
  readonly captured: boolean
}
export interface ControlFlow {
  readonly language: string
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly blocks: ReadonlyArray<FlowBlock>
  readonly edges: ReadonlyArray<FlowEdge>
  readonly entry: number
  readonly exit: number
  readonly def_use: ReadonlyArray<DefUse>
  readonly variables: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<string>
  /** What was simplified in this function, and syntax errors in its file. */
  readonly approximations: ReadonlyArray<string>
}

/** One step of a value on its way. */
export interface FlowStep {
  /** source, assign, derive, choose, await, load, store, call, argument, return, result, throw, capture, field, external, mutate, callback, sink. */
  readonly kind: string
  readonly path: string
  readonly line: number
  /** 0-based UTF-16 column. */
  readonly column: number
  /** The statement on one line, clipped. */
  readonly text: string
  /** The definition it happens in; undefined at the top level of a file that has none. */
  readonly within: SymbolRef | undefined
  readonly tier: Tier
}
export interface FlowPath {
  readonly steps: ReadonlyArray<FlowStep>
  /** The least certain step. */
  readonly tier: Tier
  /** From 0 to 1: a product over the steps, less for each guess. */
  readonly confidence: number
  /** returned, parameter, inner, read, call: how the value starts out. */
  readonly origin: string
}
export interface FlowEnd {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly column: number
  readonly text: string
}
export interface FlowSearch {
  readonly paths: ReadonlyArray<FlowPath>
  readonly complete: boolean
  /** Why it is not: states, time, work, files, hops, callers. */
  readonly causes: ReadonlyArray<string>
  readonly functions_visited: number
  readonly files_read: number
  /** Files on the way that could not be lowered, with the reason; at most 20. */
  readonly unread: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}
/** A definition, or one parameter of it. */
export interface FlowPoint {
  readonly ref: SymbolRef
  readonly parameter?: string | undefined
}
export interface FlowBounds {
  /** Calls, returns and field jumps a value may take. */
  readonly hops: number
  readonly most: number
  /** Least certain edge to follow; edges known by name only are left out without it. */
  readonly tier?: Tier | undefined
}
/** Which expressions, calls, parameters or definitions are meant. Any of `alternatives`, all of `words` of one. */
export interface FlowPattern {
  readonly text: string
  readonly words: ReadonlyArray<{ readonly alternatives: ReadonlyArray<string>; readonly exact: boolean }>
  readonly paths: ReadonlyArray<string>
  /** call, load, store, parameter, variable, or a kind of definition. */
  readonly kinds: ReadonlyArray<string>
  /** Arguments of a call that count, from 0; all when empty. */
  readonly args: ReadonlyArray<number>
}
export interface TaintFinding {
  readonly source: FlowEnd
  readonly sink: FlowEnd
  readonly paths: ReadonlyArray<FlowPath>
}
export interface TaintSearch extends Omit<FlowSearch, "paths"> {
  readonly findings: ReadonlyArray<TaintFinding>
  /** Places that fit the patterns, in the files that were read. */
  readonly sources: number
  readonly sinks: number
  /** Values that were stopped by a call taken for a sanitizer, and at which; at most 20. */
  readonly sanitized: ReadonlyArray<FlowEnd>
  readonly sanitized_total: number
}

/** Where in a file: 1-based line, 0-based UTF-16 column. */
export interface FlowPosition {
  readonly line: number
  readonly column: number
}
export interface Spawn extends FlowPosition {
  /** goroutine, thread, task, process, timer. */
  readonly mode: string
  /** The call as written. */
  readonly target: string
  /** The function started when it is written in place: its lines. */
  readonly body: { readonly start_line: number; readonly end_line: number } | undefined
  /** It is started again on each round of a loop. */
  readonly looped: boolean
  /** Where the name of what is started is written. */
  readonly name: FlowPosition | undefined
}
export interface ChannelUse extends FlowPosition {
  /** make, send, receive, range, close, passed. */
  readonly how: string
  readonly channel: string
  /** Where the variable is declared in the file; undefined for a field or what other files declare. */
  readonly declared: FlowPosition | undefined
  /** Where the field's name is written. */
  readonly field: FlowPosition | undefined
  readonly buffered: boolean
}
export interface Thrown extends FlowPosition {
  /** throw, panic, return. */
  readonly how: string
  /** The type or constructor that is thrown, "" when it cannot be told. */
  readonly error: string
  /** The first text in it. */
  readonly message: string
}
export interface Literal extends FlowPosition {
  /** The type as written. */
  readonly type: string
  readonly fields: ReadonlyArray<string>
  /** Values without field names. */
  readonly positional: number
  /** Takes the rest from another value. */
  readonly rest: boolean
}
export interface FieldWrite extends FlowPosition {
  readonly field: string
  /** What it is written through. */
  readonly base: string
  /** The base is made in the same function and has not left it. */
  readonly fresh: boolean
  /** A call that locks runs before it on every way. */
  readonly guarded: boolean
}
export interface FieldMutation extends FlowPosition {
  readonly field: string
  readonly method: string
  /** Where the method's name is written. */
  readonly call: FlowPosition
}
/** What one file says that whole-program analyses count. Functions are known by their span. */
export interface FlowFacts {
  readonly path: string
  readonly language: string
  readonly functions: ReadonlyArray<{
    readonly name: string
    readonly at: FlowPosition | undefined
    readonly start_line: number
    readonly end_line: number
    readonly spawns: ReadonlyArray<Spawn>
    readonly channels: ReadonlyArray<ChannelUse>
    readonly thrown: ReadonlyArray<Thrown>
    readonly literals: ReadonlyArray<Literal>
    readonly writes: ReadonlyArray<FieldWrite>
    readonly mutations: ReadonlyArray<FieldMutation>
    /** A lock is taken somewhere in it. */
    readonly locks: boolean
  }>
}

/** Control and values inside functions and between them, read from sources when asked. */
export class ProgramFlow extends Context.Tag("portico/ProgramFlow")<
  ProgramFlow,
  {
    /** Ids of the languages that are covered, sorted. */
    readonly languages: Effect.Effect<ReadonlyArray<string>>
    /**
     * Control flow of one function. Fails with reason language_not_covered, no_body, unreadable, not_parsed, stale, or what
     * reading the file fails with.
     */
    readonly control: (view: GraphView, ref: SymbolRef) => Effect.Effect<ControlFlow, ServiceFailure>
    /** Ways a value takes from one definition to another, most certain first. */
    readonly paths: (
      view: GraphView,
      from: FlowPoint,
      to: FlowPoint,
      bounds: FlowBounds
    ) => Effect.Effect<FlowSearch, ServiceFailure>
    /** Values that go from sources to sinks. A call whose name fits `sanitizers` stops them. */
    readonly taint: (
      view: GraphView,
      source: FlowPattern,
      sink: FlowPattern,
      bounds: FlowBounds,
      sanitizers: ReadonlyArray<string> | undefined
    ) => Effect.Effect<TaintSearch, ServiceFailure>
    /** What files say, in the order of the paths. Stops at the deadline and tells which were not reached. */
    readonly facts: (
      view: GraphView,
      paths: ReadonlyArray<string>,
      deadline_ms: number
    ) => Effect.Effect<
      {
        readonly files: ReadonlyArray<FlowFacts>
        readonly unread: ReadonlyArray<{ readonly path: string; readonly reason: string }>
      },
      ServiceFailure
    >
  }
>() {}
