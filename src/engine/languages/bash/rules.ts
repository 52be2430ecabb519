/** What shell syntax means. Functions and variables live apart: functions are looked up where types are. */
import { Scope, Space } from "../FactsBuilder.ts"
import type { Rules, Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import { binary, branches, ignored } from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { Flag, ImportFlag, Role } from "../Vocabulary.ts"

const functionSpace = Space.type

const builtins = new Set([
  ":",
  "[",
  "[[",
  "alias",
  "bg",
  "break",
  "builtin",
  "cd",
  "command",
  "continue",
  "declare",
  "echo",
  "eval",
  "exec",
  "exit",
  "export",
  "false",
  "fg",
  "getopts",
  "hash",
  "jobs",
  "kill",
  "let",
  "local",
  "popd",
  "printf",
  "pushd",
  "pwd",
  "read",
  "readonly",
  "return",
  "set",
  "shift",
  "shopt",
  "test",
  "times",
  "trap",
  "true",
  "type",
  "typeset",
  "ulimit",
  "umask",
  "unalias",
  "unset",
  "wait",
  "}",
  "{"
])

const functionDefinition: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const text = w.text(name)
  const index = w.open(n, {
    kind: "function",
    name,
    body: w.child(n, "body"),
    flags: Flag.exported | (/^test[A-Z_]/.test(text) ? Flag.test : 0),
    space: functionSpace
  })
  w.b.setParameters(index, 0, 0, true)
  w.skip(name)
  w.scope(n, Scope.function)
}

/** A path in a `source` command: a leading directory that is computed is taken as the script's own. */
const sourcedPath = (text: string): string => {
  const path = text.replace(/^["']|["']$/g, "").replace(/["']/g, "")
  const computed = /^(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`)(?=\/)/.exec(path)
  return computed === null ? path : `.${path.slice(computed[0].length)}`
}

/** Names of the functions a file defines. */
const defined = new WeakMap<Walk, ReadonlySet<string>>()
const definedIn = (w: Walk): ReadonlySet<string> => {
  let names = defined.get(w)
  if (names === undefined) {
    const heads = w.source.matchAll(/^[ \t]*(?:function[ \t]+([\w.:-]+)|([\w.:-]+)[ \t]*\(\))/gm)
    names = new Set([...heads].map(([, a, b]) => (a ?? b)!))
    defined.set(w, names)
  }
  return names
}
/** Arguments that name a function of the file, alone or as the first word of a string: who takes them may call it. */
const handed = (w: Walk, args: ReadonlyArray<Node>): void => {
  for (const arg of args) {
    const text = /^(["']?)([A-Za-z_][\w.:-]*)(?:\1$|[\s;])/.exec(w.text(arg))
    if (text === null || !definedIn(w).has(text[2]!)) continue
    w.b.reference(w.intern(text[2]!), w.start(arg) + text[1]!.length, Role.read, functionSpace)
  }
}
/** Commands that print what they are given. */
const printers = new Set([
  "echo",
  "printf",
  "export",
  "unset",
  "local",
  "declare",
  "typeset",
  "readonly",
  "alias"
])

const command: Visit = (w, n) => {
  const spelled = w.child(n, "name")
  const word = w.named(spelled)
  const name = w.text(spelled)
  const args = w.withField(n, "argument")
  const first = args[0] ?? -1
  if (w.type(word) !== "word") return
  if (name === "source" || name === ".") {
    w.skip(spelled)
    if (first < 0) return
    const path = sourcedPath(w.text(first))
    const flags = ImportFlag.wildcard | ImportFlag.quoted | (w.insideFunction() ? ImportFlag.dynamic : 0)
    if (!path.includes("$") && path !== "") w.b.import(w.intern(path), 0, 0, flags, w.start(first))
    return
  }
  if (name === "load" && first >= 0 && w.notes.has("bats")) {
    w.b.import(
      w.intern(sourcedPath(w.text(first))),
      0,
      0,
      ImportFlag.wildcard | ImportFlag.quoted,
      w.start(first)
    )
  }
  if (name === "@test" && first >= 0) return batsTest(w, n, spelled, first)
  if (name === "alias" && first >= 0) {
    const defined = /^([\w.-]+)=/.exec(w.text(first))?.[1]
    if (defined !== undefined)
      w.define(n, { kind: "function", name: first, as: defined, flags: Flag.exported, space: functionSpace })
  } else if ((name === "trap" && w.type(first) === "word") || (name === "run" && w.type(first) === "word")) {
    w.setCall(w.reference(first, Role.call, functionSpace), Role.call, Math.max(0, args.length - 1))
    handed(w, args.slice(1))
  } else if (name === "trap") handed(w, [first])
  else if (!printers.has(name)) handed(w, args)
  if (name === "read") for (const a of args) if (/^[A-Za-z_]\w*$/.test(w.text(a))) w.local(a)
  w.skip(spelled)
  if (builtins.has(name) || !/^[A-Za-z_][\w.:-]*$/.test(name)) return
  w.setCall(w.reference(word, Role.call, functionSpace), Role.call, args.length, w.useOf(n))
}

/** `@test "title" { … }` runs to the lone brace that closes it. */
const batsTest = (w: Walk, n: Node, spelled: Node, title: Node): void => {
  let last = n
  for (let s = w.tree.next(n); s >= 0; s = w.tree.next(s)) {
    if (w.type(s) === "command" && w.text(w.child(s, "name")) === "@test") break
    if (w.text(s).trim() === "}") {
      last = s
      break
    }
  }
  const [from, to] = w.content(title)
  w.open(last, {
    kind: "test",
    name: title,
    as: w.source.slice(from, Math.min(to, from + 120)),
    flags: Flag.test,
    start: w.start(n),
    body: title,
    headerEnd: w.end(title),
    space: 0
  })
  w.notes.set("bats", 1)
  w.b.setRunner(w.intern("bats"))
  w.skip(spelled)
}

/** Variables are global unless declared local; the first assignment of a global declares it. */
const assigned = (w: Walk, n: Node, name: Node, keyword: string): void => {
  w.skip(name)
  const local = w.insideFunction() && (keyword === "local" || keyword === "declare" || keyword === "typeset")
  const f = w.enclosingFunction()
  if (local) {
    w.notes.set(`local ${f} ${w.text(name)}`, 1)
    return w.local(name)
  }
  if (f >= 0 && w.notes.has(`local ${f} ${w.text(name)}`)) return
  const key = `global ${w.text(name)}`
  if (w.notes.has(key) || w.type(name) !== "variable_name") {
    w.reference(name, Role.write, Space.value)
    return
  }
  w.notes.set(key, 1)
  const flags = Flag.exported | (keyword === "readonly" ? Flag.readonly : 0)
  const depth = w.b.depth - 1
  w.inside(-1, () =>
    w.define(n, {
      kind: keyword === "readonly" ? "constant" : "variable",
      name,
      flags,
      space: Space.value,
      up: depth
    })
  )
}

const variable: Visit = (w, n) => {
  if (/^[A-Za-z_]\w*$/.test(w.text(n))) w.reference(n, w.roleOf(n, Role.read), Space.value)
}

export const rules: Rules = {
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-bash.wasm" },
  probe:
    '#!/bin/sh\n# \u00e9\nexport A="$B"\nf() { local c=${1:-d}; if [ "$c" = e ]; then g | h "$(i)"; fi; }\n',
  nodes: {
    function_definition: functionDefinition,
    command,
    declaration_command: (w, n) => {
      const keyword = /^\w+/.exec(w.text(n))?.[0] ?? ""
      for (const c of w.all(n)) {
        if (w.type(c) === "variable_assignment") {
          assigned(w, c, w.child(c, "name"), keyword)
          w.notes.set(`declared ${c}`, 1)
        } else if (w.type(c) === "variable_name") {
          if (keyword === "export" || keyword === "readonly") w.assign(c, Role.export)
          else assigned(w, c, c, keyword)
        }
      }
    },
    variable_assignment: (w, n) => {
      const name = w.child(n, "name")
      if (w.notes.has(`declared ${n}`) || name < 0) return
      // `A=1 command` sets A for that command only.
      if (w.type(w.parent(n)) === "command") return w.skip(name)
      assigned(w, n, w.type(name) === "subscript" ? w.child(name, "name") : name, "")
    },
    for_statement: (w, n) => {
      w.b.branch()
      const name = w.child(n, "variable")
      if (name < 0) return
      w.local(name)
      w.skip(name)
    },
    variable_name: variable,
    if_statement: branches,
    elif_clause: branches,
    while_statement: branches,
    case_item: branches,
    list: binary("&&", "||"),
    heredoc_content: ignored
  },
  values: {},
  types: {},
  passes: [],
  comments: ["comment"],
  docs: /^#(?!!)/,
  uses: {
    program: "discarded",
    compound_statement: "discarded",
    do_group: "discarded",
    command_substitution: "assigned",
    if_statement: "condition",
    while_statement: "condition"
  },
  strings: ["string", "raw_string"]
}
