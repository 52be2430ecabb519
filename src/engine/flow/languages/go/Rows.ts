/** Syntax that is put together from its leaves on: a node may get one around it later. Afterwards it is a {@link SyntaxTree}. */
import { type Node, NodeFlag, SyntaxTree } from "../../../languages/treesitter/SyntaxTree.ts"

/** Nodes of these types are tokens; those of all others are named. */
const tokens = [":=", "operator"] as const
const kinds = [
  ...tokens,
  "source_file",
  "package_clause",
  "import_declaration",
  "type_declaration",
  "const_declaration",
  "const_spec",
  "var_declaration",
  "var_spec",
  "var_spec_list",
  "function_declaration",
  "method_declaration",
  "func_literal",
  "parameter_list",
  "parameter_declaration",
  "variadic_parameter_declaration",
  "block",
  "statement_list",
  "expression_statement",
  "send_statement",
  "receive_statement",
  "inc_statement",
  "dec_statement",
  "assignment_statement",
  "short_var_declaration",
  "labeled_statement",
  "fallthrough_statement",
  "break_statement",
  "continue_statement",
  "goto_statement",
  "return_statement",
  "go_statement",
  "defer_statement",
  "if_statement",
  "for_statement",
  "for_clause",
  "range_clause",
  "expression_switch_statement",
  "expression_case",
  "type_switch_statement",
  "type_case",
  "select_statement",
  "communication_case",
  "default_case",
  "expression_list",
  "argument_list",
  "variadic_argument",
  "parenthesized_expression",
  "call_expression",
  "selector_expression",
  "index_expression",
  "slice_expression",
  "type_assertion_expression",
  "type_conversion_expression",
  "type_instantiation_expression",
  "composite_literal",
  "literal_value",
  "literal_element",
  "keyed_element",
  "unary_expression",
  "binary_expression",
  "identifier",
  "field_identifier",
  "label_name",
  "package_identifier",
  "type_identifier",
  "interpreted_string_literal",
  "raw_string_literal",
  "int_literal",
  "imaginary_literal",
  "rune_literal",
  "nil",
  "true",
  "false",
  "iota",
  "qualified_type",
  "generic_type",
  "pointer_type",
  "array_type",
  "implicit_length_array_type",
  "slice_type",
  "map_type",
  "channel_type",
  "function_type",
  "struct_type",
  "interface_type",
  "parenthesized_type"
] as const
export type Kind = (typeof kinds)[number]

const fields = [
  "alias",
  "alternative",
  "arguments",
  "body",
  "channel",
  "communication",
  "condition",
  "consequence",
  "field",
  "function",
  "index",
  "initializer",
  "key",
  "label",
  "left",
  "name",
  "operand",
  "operator",
  "parameters",
  "receiver",
  "result",
  "right",
  "type",
  "update",
  "value"
] as const
export type Field = (typeof fields)[number]

/** Types of nodes and names of fields as numbers. */
export const K = Object.fromEntries(kinds.map((kind, i) => [kind, i])) as { readonly [kind in Kind]: number }
export const F = Object.fromEntries(fields.map((field, i) => [field, i + 1])) as {
  readonly [field in Field]: number
}

/** Types that are written as types alone. */
const firstType: number = K.qualified_type

export class Rows {
  private count = 0
  private kind = new Uint8Array(1 << 10)
  private from = new Int32Array(1 << 10)
  private to = new Int32Array(1 << 10)
  private field = new Uint8Array(1 << 10)
  /** First and last child, the next sibling and what the node is in; -1 for none. */
  private head = new Int32Array(1 << 10)
  private tail = new Int32Array(1 << 10)
  private after = new Int32Array(1 << 10)
  private up = new Int32Array(1 << 10)
  private readonly tree = new SyntaxTree([...kinds, "ERROR"], new Map(fields.map((name, i) => [name, i + 1])))

  clear(): void {
    this.count = 0
  }

  /** A node without anything in it. */
  add(kind: number, from: number, to: number): Node {
    const n = this.count++
    if (n === this.kind.length) this.grow()
    this.kind[n] = kind
    this.from[n] = from
    this.to[n] = to
    this.field[n] = 0
    this.head[n] = this.tail[n] = this.after[n] = this.up[n] = -1
    return n
  }

  /** Puts a node behind those in another; what it was in before is forgotten. */
  put(n: Node, child: Node, field = 0): void {
    this.field[child] = field
    this.up[child] = n
    this.after[child] = -1
    const last = this.tail[n]!
    if (last < 0) this.head[n] = child
    else this.after[last] = child
    this.tail[n] = child
  }

  private grow(): void {
    const size = this.kind.length * 2
    const bigger = <A extends Uint8Array | Int32Array>(old: A, fresh: A): A => {
      fresh.set(old)
      return fresh
    }
    this.kind = bigger(this.kind, new Uint8Array(size))
    this.field = bigger(this.field, new Uint8Array(size))
    this.from = bigger(this.from, new Int32Array(size))
    this.to = bigger(this.to, new Int32Array(size))
    this.head = bigger(this.head, new Int32Array(size))
    this.tail = bigger(this.tail, new Int32Array(size))
    this.after = bigger(this.after, new Int32Array(size))
    this.up = bigger(this.up, new Int32Array(size))
  }

  is(n: Node, kind: number): boolean {
    return this.kind[n] === kind
  }
  /** Whether a node is a type and can be nothing else. */
  isType(n: Node): boolean {
    return this.kind[n]! >= firstType
  }
  start(n: Node): number {
    return this.from[n]!
  }
  end(n: Node): number {
    return this.to[n]!
  }
  setEnd(n: Node, to: number): void {
    this.to[n] = to
  }
  first(n: Node): Node {
    return this.head[n]!
  }
  last(n: Node): Node {
    return this.tail[n]!
  }

  /** What is in a node and the node itself, in source order; the same value is refilled by the next call. */
  read(root: Node): SyntaxTree {
    const { after, field, from, head, kind, to, tree, up } = this
    tree.clear()
    let node = root
    let parent = -1
    for (;;) {
      const row = tree.push(
        kind[node]!,
        from[node]!,
        to[node]!,
        parent,
        field[node]!,
        kind[node]! < tokens.length ? 0 : NodeFlag.named
      )
      if (head[node]! >= 0) {
        parent = row
        node = head[node]!
        continue
      }
      while (node !== root && after[node]! < 0) {
        node = up[node]!
        tree.after[parent] = tree.count
        parent = tree.parent[parent]!
      }
      if (node === root) return tree
      node = after[node]!
    }
  }
}
