/**
 * What can be told of the values in one parsed file: whether an expression is constant, a text put together from values,
 * or comes from a request. A name stands for what the function around it, or the file, gives to it; nothing is followed
 * further than that.
 */
import type { Node, SyntaxTree } from "../languages/treesitter/SyntaxTree.ts"
import { Trait } from "./Traits.ts"

interface Binding {
  /** What the name is given: an expression, or for a parameter the parameter. */
  readonly value: Node
  /** The function it happens in, -1 at top level. */
  readonly scope: Node
  /** The value differs from one time to the next. */
  readonly open: boolean
}

const deepest = 4
/** Names looked up for one expression. */
const mostNames = 24

const formatter =
  /^(?:fmt\.(?:Sprintf?|Sprintln|Appendf)|String\.format|string\.(?:Format|Concat|Join)|String\.(?:Format|Concat|Join)|v?sprintf|format|Kernel\.format|util\.format|path\.join|str_replace|implode|(?:std::)?format)$/
/** Ways to write a constant as another type. */
const constantCall =
  /^(?:\[\]byte|\[\]rune|Buffer\.from|new TextEncoder\(\)\.encode|[\w.]*Encoding\.\w+\.GetBytes|String|string|bytes|bytearray|String::from)\(\s*[bf]?(["'`])(?:(?!\1)[^\\]|\\.)*\1[^()]*\)$|^[bru]?(["'])(?:(?!\2)[^\\]|\\.)*\2\.(?:encode|getBytes|to_string|to_owned|into|as_bytes|to_vec|as_str|bytes|unpack|freeze|strip|trim|toCharArray|b)(?:\([^()]*(?:\(\))?\))?$/s
const shouting = /^(?:[\w$]+(?:\.|::|->))*[A-Z][A-Z0-9_]+$/
/** An operation on a text that keeps what is in it. */
const keeps =
  /\.(?:trim|strip|toString|to_string|as_str|clone|concat|into|to_owned|String|lower|upper|toLowerCase|toUpperCase|encode|freeze|html_safe|c_str|data)\(?/

export class Sight {
  private bindings: Map<string, Array<Binding>> | undefined

  constructor(
    readonly tree: SyntaxTree,
    readonly source: string,
    private readonly traits: Uint16Array,
    private readonly request: RegExp | undefined
  ) {}

  text(n: Node): string {
    return this.source.slice(this.tree.start[n]!, this.tree.end[n]!)
  }

  is(n: Node, trait: number): boolean {
    return n >= 0 && (this.traits[this.tree.symbol[n]!]! & trait) !== 0
  }

  /** The expression inside what adds nothing to it. */
  inner(n: Node): Node {
    let at = n
    while (this.is(at, Trait.wrap)) {
      const parts = this.tree.namedChildren(at)
      const value = this.tree.child(at, "value")
      const next =
        value >= 0
          ? value
          : parts.length === 1
            ? parts[0]!
            : /^(?:as|satisfies)_/.test(this.tree.type(at))
              ? parts[0]!
              : -1
      if (next < 0) return at
      at = next
    }
    return at
  }

  /** The innermost function around a node, -1 at top level. */
  scope(n: Node): Node {
    for (let at = this.tree.parent[n]!; at >= 0; at = this.tree.parent[at]!)
      if (this.is(at, Trait.function)) return at
    return -1
  }

  /** The content of a literal text without interpolation. */
  plain(n: Node): string | undefined {
    if (!this.is(n, Trait.string) || this.interpolations(n).length > 0) return undefined
    const whole = this.text(n)
    const quoted = /^[A-Za-z@$]{0,3}(#*)("""|'''|"|'|`)([^]*)\2\1$/.exec(whole)
    if (quoted !== null && this.tree.type(n) !== "concatenated_string") return quoted[3]!
    const parts = this.tree.namedChildren(n).map((part) => this.plain(part))
    return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join("") : undefined
  }

  private interpolations(n: Node): Array<Node> {
    const out: Array<Node> = []
    const encapsed = /^(?:encapsed_string|heredoc)/.test(this.tree.type(n))
    for (let at = n + 1, end = this.tree.after[n]!; at < end; ) {
      if (
        this.is(at, Trait.interpolation) ||
        (encapsed && /expression$|^variable_name$/.test(this.tree.type(at)))
      ) {
        out.push(at)
        at = this.tree.after[at]!
      } else at++
    }
    return out
  }

  /** The texts an expression may be, when it is constant text. */
  strings(n: Node, depth = 0): ReadonlyArray<string> {
    const at = this.inner(n)
    const plain = this.plain(at)
    if (plain !== undefined) return [plain]
    if (depth >= deepest) return []
    if (this.is(at, Trait.conditional))
      return this.tree
        .namedChildren(at)
        .slice(1)
        .flatMap((part) => this.strings(part, depth + 1))
    if (this.is(at, Trait.name)) {
      const known = this.known(at)
      if (known.some(({ open }) => open)) return []
      return known.flatMap(({ value }) => this.strings(value, depth + 1))
    }
    return []
  }

  /** Whether the value is written down in this file. */
  constant(n: Node, depth = 0): boolean {
    const at = this.inner(n)
    if (depth > deepest) return false
    if (this.is(at, Trait.string))
      return this.interpolations(at).every((part) =>
        this.tree.namedChildren(part).every((value) => this.constant(value, depth + 1))
      )
    if (this.is(at, Trait.name)) {
      const known = this.known(at)
      if (known.length === 0) return shouting.test(this.text(at))
      return known.every(({ open, value }) => !open && value !== at && this.constant(value, depth + 1))
    }
    if (this.is(at, Trait.literal)) return true
    if (this.is(at, Trait.binary | Trait.composite))
      return this.tree
        .namedChildren(at)
        .every((part) => this.constant(part, depth + 1) || /type/.test(this.tree.type(part)))
    if (this.is(at, Trait.conditional))
      return this.tree
        .namedChildren(at)
        .slice(1)
        .every((part) => this.constant(part, depth + 1))
    const end = this.tree.end[at]! - this.tree.start[at]!
    if (end > 300) return false
    const text = this.text(at)
    return shouting.test(text) || constantCall.test(text)
  }

  /** Whether some literal text stands in it. */
  private worded(n: Node): boolean {
    for (let at = n, end = this.tree.after[n]!; at < end; at++)
      if (this.is(at, Trait.string) && this.tree.end[at]! - this.tree.start[at]! > 2) return true
    return false
  }

  /** Whether the value is a text put together from others that are not all constant. */
  built(n: Node, depth = 0): boolean {
    const at = this.inner(n)
    if (depth > deepest) return false
    if (this.is(at, Trait.string)) return this.interpolations(at).length > 0 && !this.constant(at, depth)
    if (this.is(at, Trait.binary)) {
      const operator = this.operator(at)
      if (/^(?:\+|\.|\.\.|<<|\|\|)$/.test(operator)) {
        if (this.constant(at, depth)) return false
        return (
          this.worded(at) ||
          this.tree
            .namedChildren(at)
            .some(
              (part) =>
                this.is(this.inner(part), Trait.name) &&
                (this.built(part, depth + 1) || this.strings(part, depth + 1).length > 0)
            )
        )
      }
      return operator === "%" && this.is(this.tree.named(at, 0), Trait.string | Trait.name) && this.worded(at)
    }
    if (this.is(at, Trait.conditional))
      return this.tree
        .namedChildren(at)
        .slice(1)
        .some((part) => this.built(part, depth + 1))
    if (this.is(at, Trait.name))
      return this.known(at).some(({ open, value }) => !open && value !== at && this.built(value, depth + 1))
    if (this.is(at, Trait.call)) {
      const text = this.text(at)
      const open = text.indexOf("(")
      const callee = text.slice(0, Math.max(open, 0)).trim()
      if (this.tree.type(at) === "macro_invocation")
        return /^(?:std::)?format!/.test(text) && /\{[a-z_]\w*(?::[^}]*)?\}|",/.test(text)
      const list = this.tree.child(at, "arguments")
      const parts = this.tree.namedChildren(list)
      if (formatter.test(callee) && callee !== "path.join")
        return this.worded(at) && parts.some((part) => !this.constant(part, depth + 1))
      if (/^["'][^]*\.(?:format|formatted|concat|join)$/.test(callee))
        return parts.some((part) => !this.constant(part, depth + 1))
      const last = /\.\w+$/.exec(callee)?.[0]
      const receiver = this.receiver(at)
      if (receiver >= 0 && last !== undefined && keeps.test(last)) return this.built(receiver, depth + 1)
    }
    return false
  }

  /** What a method is called on, -1 for none. */
  private receiver(call: Node): Node {
    const direct = this.tree.child(call, "object")
    if (direct >= 0) return direct
    const receiver = this.tree.child(call, "receiver")
    if (receiver >= 0) return receiver
    const callee = this.tree.child(call, "function")
    return callee < 0 || this.is(callee, Trait.name) ? -1 : this.tree.named(callee, 0)
  }

  private operator(n: Node): string {
    const field = this.tree.child(n, "operator")
    if (field >= 0) return this.text(field)
    for (const part of this.tree.children(n)) if (!this.tree.isNamed(part)) return this.text(part)
    return ""
  }

  /** Whether the value holds something of a request. */
  requested(n: Node, depth = 0): boolean {
    if (this.request === undefined || depth >= deepest) return false
    if (this.request.test(this.text(n))) return true
    let names = 0
    for (let at = n, end = this.tree.after[n]!; at < end; at++) {
      if (!this.is(at, Trait.name)) continue
      if (++names > mostNames) return false
      if (
        this.known(at).some(
          ({ value }) => (value > n || this.tree.after[value]! <= n) && this.requested(value, depth + 1)
        )
      )
        return true
    }
    return false
  }

  /** What the function around a name, or the nearest one outside, gives to it. */
  private known(n: Node): ReadonlyArray<Binding> {
    const all = (this.bindings ??= this.gather()).get(this.text(n))
    if (all === undefined) return []
    for (let scope = this.scope(n); ; scope = this.scope(scope)) {
      const here = all.filter((binding) => binding.scope === scope)
      if (here.length > 0 || scope < 0) return here
    }
  }

  private gather(): Map<string, Array<Binding>> {
    const { tree } = this
    const out = new Map<string, Array<Binding>>()
    const put = (name: Node, value: Node, open: boolean, at: Node) => {
      const key = this.text(name).replace(/^[*&]+/, "")
      if (key.length === 0 || key.length > 80 || !/^[$@]*\w+$/.test(key)) return
      const list = out.get(key)
      const binding = { value, open, scope: this.scope(at) }
      if (list === undefined) out.set(key, [binding])
      else list.push(binding)
    }
    for (let n = 0; n < tree.count; n++) {
      const bits = this.traits[tree.symbol[n]!]!
      if ((bits & (Trait.binding | Trait.loop | Trait.parameter)) === 0) continue
      if ((bits & Trait.parameter) !== 0) {
        const type = tree.type(n)
        if (type.endsWith("parameters")) {
          for (const part of tree.namedChildren(n)) if (this.is(part, Trait.name)) put(part, part, true, part)
          continue
        }
        for (const name of this.parameterNames(n)) put(name, n, true, n)
        continue
      }
      const left = this.first(n, "left", "name", "pattern", "declarator")
      const right = this.first(n, "right", "value")
      if (left < 0) continue
      const open = (bits & Trait.loop) !== 0
      const names = /list|pattern|tuple/.test(tree.type(left)) ? tree.namedChildren(left) : [left]
      let value = right
      if (value < 0) {
        const parts = tree.namedChildren(n)
        value = parts.length > 1 ? parts[parts.length - 1]! : -1
        if (value === left || value < 0) continue
      }
      const values = names.length > 1 && /list|tuple/.test(tree.type(value)) ? tree.namedChildren(value) : []
      names.forEach((name, i) => put(name, values[i] ?? value, open, n))
    }
    return out
  }

  private first(n: Node, ...fields: ReadonlyArray<string>): Node {
    for (const name of fields) {
      const found = this.tree.child(n, name)
      if (found >= 0) return found
    }
    return -1
  }

  /** The names a parameter gives: several when it takes its value apart. */
  private parameterNames(n: Node): ReadonlyArray<Node> {
    let at = this.first(n, "name", "pattern", "declarator")
    if (at < 0) {
      const only = this.tree.named(n, 0)
      return this.is(only, Trait.name) ? [only] : []
    }
    if (this.tree.type(at).endsWith("pattern")) {
      const out: Array<Node> = []
      for (let inner = at, end = this.tree.after[at]!; inner < end; inner++)
        if (this.is(inner, Trait.name) || this.tree.type(inner) === "shorthand_property_identifier_pattern")
          out.push(inner)
      return out
    }
    for (let step = 0; step < 4 && at >= 0 && !this.is(at, Trait.name); step++) {
      const next = this.tree.child(at, "declarator")
      at = next >= 0 ? next : this.tree.named(at, 0)
    }
    return at < 0 ? [] : [at]
  }
}
