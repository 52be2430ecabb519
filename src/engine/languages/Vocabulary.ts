/**
 * The closed vocabularies of the facts a language yields. The position of a name in its list is the number
 * stored in facts and snapshots, so lists only ever grow at the end.
 */

/** What a definition is. `key`, `heading`, `selector`, `element` and `target` are the leaves of data and markup files. */
export const definitionKinds = [
  "function",
  "method",
  "constructor",
  "class",
  "interface",
  "struct",
  "enum",
  "enum_member",
  "trait",
  "type_alias",
  "variable",
  "constant",
  "field",
  "property",
  "namespace",
  "module",
  "macro",
  "test",
  "object",
  "annotation",
  "union",
  "extension",
  "event",
  "operator",
  "label",
  "key",
  "heading",
  "selector",
  "element",
  "target",
  "table",
  "view",
  "procedure",
  "message",
  "service",
  "rpc",
  "resource",
  "stage",
  "query",
  "fragment"
] as const
export type DefinitionKind = (typeof definitionKinds)[number]

export const kindNumber = Object.fromEntries(definitionKinds.map((k, i) => [k, i])) as {
  readonly [K in DefinitionKind]: number
}

/** What a reference does with the name. Doubles as the `context` of a usage. */
export const roles = [
  "read",
  "write",
  "call",
  "new",
  "type",
  "parameter_type",
  "return_type",
  "field_type",
  "generic_arg",
  "import",
  "extends",
  "implements",
  "decorate",
  "export",
  "macro",
  "mention"
] as const
export type Role = (typeof roles)[number]
export const Role = Object.fromEntries(roles.map((k, i) => [k, i])) as { readonly [K in Role]: number }

/** What happens to the value of a call. */
export const resultUses = [
  "unknown",
  "discarded",
  "assigned",
  "partially_ignored",
  "returned",
  "spawned",
  "deferred",
  "argument",
  "condition",
  "awaited"
] as const
export type ResultUse = (typeof resultUses)[number]
export const ResultUse = Object.fromEntries(resultUses.map((k, i) => [k, i])) as {
  readonly [K in ResultUse]: number
}

/** Bits of a definition. */
export const Flag = {
  exported: 1 << 0,
  defaultExport: 1 << 1,
  async: 1 << 2,
  static: 1 << 3,
  abstract: 1 << 4,
  /** Declared inside a function body: never visible to other files. */
  local: 1 << 5,
  test: 1 << 6,
  private: 1 << 7,
  protected: 1 << 8,
  /** A declaration without a body where one may exist elsewhere: overload signature, prototype, forward declaration. */
  declaration: 1 << 9,
  generator: 1 << 10,
  readonly: 1 << 11,
  getter: 1 << 12,
  setter: 1 << 13,
  deprecated: 1 << 14,
  /** A value-level name that stands for its enclosing file's sole public object. */
  ambient: 1 << 15,
  optional: 1 << 16,
  override: 1 << 17,
  /** Lives in the type namespace only (TypeScript interface, type alias). */
  typeOnly: 1 << 18,
  /** Macro-generated or compiler-synthesised. */
  synthetic: 1 << 19
} as const

/** Bits of an import. */
export const ImportFlag = {
  /** Binds the whole module under the local name. */
  namespace: 1 << 0,
  /** Brings every public name of the module into scope. */
  wildcard: 1 << 1,
  typeOnly: 1 << 2,
  /** Imports the module's default export. */
  default: 1 << 3,
  sideEffect: 1 << 4,
  /** Also published by this file under the local name. */
  reexport: 1 << 5,
  /** Dynamic: `import()`, `require()` inside a function. */
  dynamic: 1 << 6,
  /** Java/C# static import: the module is a type and the name one of its static members. */
  static: 1 << 7,
  /** C-like textual inclusion with quotes rather than angle brackets. */
  quoted: 1 << 8
} as const

/** How a super type is taken. */
export const Inherit = { extends: 0, implements: 1, embeds: 2, mixes: 3 } as const

/** Side facts about places in a file. */
export const markKinds = ["todo", "route", "env", "sql", "url", "parse_error"] as const
export type MarkKind = (typeof markKinds)[number]
export const Mark = Object.fromEntries(markKinds.map((k, i) => [k, i])) as {
  readonly [K in MarkKind]: number
}

/** How a lexical name is bound. */
export const Bind = {
  /** Not declared in this file. */
  free: 0,
  /** A definition of this file, by its index. */
  definition: 1,
  /** An import of this file, by its index. */
  import: 2,
  /** A member of a receiver, given as an expression index. */
  member: 3,
  /** A parameter or local variable; the value is the index of the expression that gives its type, or -1. */
  local: 4
} as const

/** Operators of the small expression language that receivers and types are written in. */
export const Op = {
  unknown: 0,
  /**
   * A lexical name: a = name, b = {@link Bind}, c = value. Of a free one c is 0, or one more than the definition it stands
   * in where imports inside of that may bring it.
   */
  name: 1,
  /** A member: a = receiver, b = name. */
  member: 2,
  /**
   * The result of a call: a = callee, b = start in the argument list, c = count. The list is what the call is expected
   * to give, then its arguments, each an expression or -1; it is empty where nothing is told about them.
   */
  call: 3,
  /** A new instance: a = class. */
  new: 4,
  /** An instance of an annotated type: a = the type's name expression. */
  instance: 5,
  /** The current instance: a = class definition. */
  self: 6,
  /** The current class itself (static side): a = class definition. */
  selfType: 7,
  /** The parent part of the current instance: a = class definition. */
  super: 8,
  /** An element of a collection: a = collection. */
  element: 9,
  /** A generic type applied: a = base, b = start in the argument list, c = count. */
  generic: 10,
  /** What awaiting or unwrapping yields: a = value. */
  unwrap: 11,
  /** A literal or built-in type: a = name of that type. */
  literal: 12,
  /** One of two: a, b. */
  union: 13,
  /** A tuple or several results: b = start in the argument list, c = count. */
  tuple: 14,
  /** One slot of a tuple: a = tuple, b = slot. */
  slot: 15,
  /** A function value: a = definition. */
  function: 16,
  /** The current instance where the class is given by an expression (Go receiver, Rust impl): a = class expression. */
  selfOf: 17,
  /** A function type: a = its result or -1, b = start of its parameters' types in the argument list, c = their count. */
  callable: 18,
  /** What a function expects as an argument: a = the function, b = place of the argument, c = the call plus one or 0. */
  argument: 19,
  /** What a value of a function type is given as a parameter: a = the function type, b = place of the parameter. */
  parameter: 20,
  /** A type parameter: a = its constraint or -1, b = name, c = a number of its own in the file. */
  typeParameter: 21,
  /** A member of an object type: a = the value's type or -1, b = name, 0 for an index signature, "..." for a spread. */
  property: 22,
  /** An object type: b = start of its members and call signatures in the argument list, c = count. */
  record: 23,
  /**
   * A call signature: a = the function type, b = its parameters as in {@link D.parameters} and bit 17 where it constructs,
   * c = its type parameters as in {@link D.generics} plus one or 0.
   */
  signature: 24,
  /** The type `this`: a = class definition. */
  thisType: 25,
  /** A conditional type: b = start of check, extends, then and else in the argument list, c = 4. */
  conditional: 26,
  /** What `yield*` gives: a = what is iterated. */
  delegated: 27,
  /** What a value is, taken as a type (`typeof x`): a = the value. */
  typeOf: 28,
  /** A type indexed by another: b = start of the type and its index in the argument list, c = 2. */
  indexed: 29,
  /** The names of a type's members: a = type. */
  keyOf: 30,
  /** A mapped type: b = start of its key, what that ranges over and the members' type in the argument list, c = 3. */
  mapped: 31,
  /** What an object literal is expected to be: b = start of that and the literal in the argument list, c = 2. */
  chosen: 32
} as const
