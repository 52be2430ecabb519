/**
 * The language-independent form of a file's functions: slots that hold values, operations that move them, statements
 * that own operations, and blocks that order statements. Offsets count UTF-16 units from the start of the text.
 */

/**
 * What an operation does. `constant` makes a value out of nothing that is tracked; `copy` moves one or more values;
 * `load` and `store` go through a field or element; `closure` makes a function value; `test` decides a branch.
 */
export type OpKind =
  | "constant"
  | "parameter"
  | "copy"
  | "load"
  | "store"
  | "call"
  | "return"
  | "throw"
  | "yield"
  | "closure"
  | "test"

/** How a copy or a call treats what it reads. */
export type How =
  /** The same value: assignment, cast, parentheses. */
  | "assign"
  /** A value made out of it: concatenation, arithmetic, interpolation. */
  | "derive"
  /** One of several: conditional expressions, short circuits, defaults. */
  | "choose"
  /** A truth value or a number about it; carries nothing over. */
  | "compare"
  | "await"
  /** The address of a variable. */
  | "ref"
  | "call"
  | "new"
  | "spawn"
  | "defer"
  | "macro"
  | "send"
  | "receive"

export interface Op {
  readonly kind: OpKind
  readonly how: How
  /** Slot that gets the result; for a store the slot whose inside changes; -1 for none. */
  readonly to: number
  /** Slots read. For a call: callee (or -1), receiver (or -1), then arguments. For a store: base, value. */
  readonly from: ReadonlyArray<number>
  /** Field of a load or store (`[]` for any element, `[0]` for one); dotted callee of a call; a variable's name. */
  readonly name: string
  /** Where the name is written; -1 where it is not. */
  readonly at: number
  /** Function a closure makes; -1 otherwise. */
  readonly fn: number
  /** Names of keyword arguments by place among the arguments, "" for positional ones. */
  readonly keywords?: ReadonlyArray<string>
  readonly statement: number
}

export type SlotKind = "parameter" | "receiver" | "local" | "temporary" | "free" | "exception"

export interface Slot {
  readonly name: string
  readonly kind: SlotKind
  /** Where it is declared; -1 where it is not. */
  readonly at: number
  /** Function that declares it. */
  readonly fn: number
  /** Read or written in another function than its own. */
  captured: boolean
  /** Dotted words of the expression it holds, "" where there are none. */
  readonly path: string
  /** The declared type as written, "" where there is none. */
  readonly type: string
}

export interface Statement {
  /** assignment, call, condition, return, throw, yield, jump, declaration, expression, defer, spawn, case, loop. */
  readonly kind: string
  readonly start: number
  readonly end: number
  /** Places of its operations in the function's list, in order. */
  readonly ops: ReadonlyArray<number>
}

export type EdgeKind =
  | "next"
  | "true"
  | "false"
  | "case"
  | "default"
  | "loop"
  | "break"
  | "continue"
  | "goto"
  | "fallthrough"
  | "return"
  | "throw"
  | "exception"
  | "error"

export interface Edge {
  readonly to: number
  readonly kind: EdgeKind
}

export interface Block {
  readonly label: string
  readonly statements: Array<number>
  successors: Array<Edge>
  /** Nothing leads here. */
  readonly unreachable: boolean
}

export interface FunctionIr {
  readonly index: number
  /** Function around it; -1 for the file's own top level. */
  readonly parent: number
  /** "" for a function without a name. */
  readonly name: string
  /** Where the name is written, or the name it is bound to; -1 for none. */
  readonly nameAt: number
  readonly start: number
  readonly end: number
  readonly parameters: ReadonlyArray<number>
  /** The last parameter takes all further arguments. */
  readonly variadic: boolean
  /** Slot of `this`, `self` or a method's receiver; -1 for none. */
  readonly receiver: number
  readonly generator: boolean
  readonly async: boolean
  readonly blocks: ReadonlyArray<Block>
  readonly statements: ReadonlyArray<Statement>
  readonly ops: ReadonlyArray<Op>
  /** Names of types, annotations or modifiers that tell of the function: throws, synchronized. */
  readonly marks: ReadonlyArray<string>
  /** What was simplified, in closed words. */
  readonly approximations: ReadonlyArray<string>
}

export interface FileIr {
  readonly language: string
  readonly slots: ReadonlyArray<Slot>
  /** The first one is the file's top level. */
  readonly functions: ReadonlyArray<FunctionIr>
  /** Offsets at which lines start. */
  readonly lines: Int32Array
  readonly text: string
  readonly errors: number
  /** Uses of slots that other functions capture: slot → places. */
  readonly captures: ReadonlyMap<number, ReadonlyArray<{ readonly fn: number; readonly op: number }>>
}

/** 1-based line and 0-based column of an offset. */
export const positionOf = (
  lines: Int32Array,
  offset: number
): { readonly line: number; readonly column: number } => {
  let low = 0
  let high = lines.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (lines[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - lines[low]! }
}

/** Offsets at which the lines of a text start. */
export const linesOf = (text: string): Int32Array => {
  let starts = new Int32Array(16 + (text.length >> 5))
  let count = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (count === starts.length) {
      const more = new Int32Array(count * 2)
      more.set(starts)
      starts = more
    }
    starts[count++] = at + 1
  }
  return starts.slice(0, count)
}
