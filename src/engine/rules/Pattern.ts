/**
 * Code patterns over the columns of a parsed file: what {@link import("../structural/CodePattern.ts")} reads, with types
 * as numbers, so that hundreds of patterns can be tried in one walk over a file.
 */
import type { Parser } from "web-tree-sitter"
import type { Grammar } from "../languages/treesitter/Grammar.ts"
import { type Node, NodeFlag, type SyntaxTree } from "../languages/treesitter/SyntaxTree.ts"
import { compile, type Part } from "../structural/CodePattern.ts"
import type { Sight } from "./Sight.ts"
import { Trait } from "./Traits.ts"

export type Step =
  | { readonly kind: "one"; readonly name: string }
  | { readonly kind: "many"; readonly name: string }
  /** A literal text, however it is quoted. */
  | { readonly kind: "string"; readonly content: string }
  | {
      readonly kind: "node"
      readonly type: number
      readonly text: string | undefined
      readonly named: boolean
      readonly comma: boolean
      readonly parts: ReadonlyArray<Step>
    }

export interface CodeMatcher {
  readonly root: Step & { readonly kind: "node" }
  readonly words: ReadonlyArray<string>
  /** First word of a match, when that is fixed. */
  readonly head: string | undefined
}

/** What the variables of a match stand for, the newest first. `node` is -1 for a run of neighbours. */
export interface Bound {
  readonly name: string
  readonly node: Node
  readonly start: number
  readonly end: number
  readonly next: Bound | undefined
}
/** No variable is bound. */
export const unbound: Bound = { name: "", node: -1, start: 0, end: 0, next: undefined }

export const lookUp = (bound: Bound | undefined, name: string): Bound | undefined => {
  for (let at = bound; at !== undefined; at = at.next) if (at.name === name) return at
  return undefined
}

const quote = /^["'`]$/

/** Numbers of the node types of a grammar: types of one name have one number, and so have all quotes. */
export class TypeNumbers {
  readonly of: Int32Array
  private readonly byName = new Map<string, number>()
  constructor(tree: SyntaxTree) {
    this.of = Int32Array.from(tree.types, (type) => this.number(type))
  }
  number(type: string): number {
    const name = quote.test(type) ? '"' : type
    let known = this.byName.get(name)
    if (known === undefined) this.byName.set(name, (known = this.byName.size))
    return known
  }
  /** Numbers of the types that fit. */
  fitting(pattern: RegExp): ReadonlyArray<number> {
    return [...this.byName].flatMap(([name, number]) => (pattern.test(name) ? [number] : []))
  }
}

const variants: { readonly [language: string]: string } = { tsx: "typescript", jsx: "javascript" }

/** Reads a code pattern. Throws {@link import("../structural/CodePattern.ts").InvalidCodePattern}. */
export const compileCode = (
  code: string,
  select: string | undefined,
  language: string,
  grammar: Grammar,
  parser: Parser,
  types: TypeNumbers,
  traits: ReadonlyMap<string, number>
): CodeMatcher => {
  const { root, words } = compile(code, variants[language] ?? language, grammar.language, parser, select)
  const step = stepOf(root, language, types, traits)
  if (step.kind !== "node") throw new Error(`the pattern ${code} is a lone text`)
  return { root: step, words, head: headOf(step) }
}

const leaves = (part: Part): string =>
  part.kind === "node"
    ? part.parts.length === 0
      ? quote.test(part.text ?? "") || /^string_(?:start|end)$/.test(part.type)
        ? ""
        : (part.text ?? "")
      : part.parts.map(leaves).join("")
    : "\0"

const stepOf = (
  part: Part,
  language: string,
  types: TypeNumbers,
  traits: ReadonlyMap<string, number>
): Step => {
  if (part.kind !== "node") return part
  if (((traits.get(part.type) ?? 0) & Trait.string) !== 0) {
    const content = leaves(part)
    if (!content.includes("\0")) return { kind: "string", content }
  }
  // Parentheses around arguments are a matter of taste in Ruby.
  const parts =
    language === "ruby" && part.type === "argument_list"
      ? part.parts.filter((p) => !(p.kind === "node" && !p.named && /^[()]$/.test(p.type)))
      : part.parts
  return {
    kind: "node",
    type: types.number(part.type),
    text: part.named ? part.text : undefined,
    named: part.named,
    comma: !part.named && part.type === ",",
    parts: parts.map((p) => stepOf(p, language, types, traits))
  }
}

const headOf = (step: Step): string | undefined => {
  let at: Step | undefined = step
  while (at !== undefined && at.kind === "node" && at.parts.length > 0) at = at.parts[0]
  return at !== undefined && at.kind === "node" && at.text !== undefined ? at.text : undefined
}

/** Matches of patterns in one file. */
export class Matching {
  constructor(
    readonly sight: Sight,
    private readonly types: Int32Array
  ) {}

  /** What the variables stand for when the pattern fits at the node; undefined when it does not. */
  code(pattern: CodeMatcher, n: Node, bound: Bound): Bound | undefined {
    if (pattern.head !== undefined && !this.sight.source.startsWith(pattern.head, this.sight.tree.start[n]!))
      return undefined
    return this.step(pattern.root, n, bound, 0)
  }

  private bind(bound: Bound, name: string, node: Node, start: number, end: number): Bound | undefined {
    if (name.startsWith("_")) return bound
    const known = lookUp(bound, name)
    if (known === undefined) return { name, node, start, end, next: bound }
    const { source } = this.sight
    return known.end - known.start === end - start && source.startsWith(source.slice(start, end), known.start)
      ? bound
      : undefined
  }

  private step(step: Step, n: Node, bound: Bound, depth: number): Bound | undefined {
    if (depth > 200) return undefined
    const { tree } = this.sight
    if (step.kind === "one")
      return tree.isNamed(n) ? this.bind(bound, step.name, n, tree.start[n]!, tree.end[n]!) : undefined
    if (step.kind === "many") return this.bind(bound, step.name, n, tree.start[n]!, tree.end[n]!)
    if (step.kind === "string") return this.sight.plain(n) === step.content ? bound : undefined
    if (step.type !== this.types[tree.symbol[n]!]) return undefined
    if (step.text !== undefined) {
      const start = tree.start[n]!
      return tree.end[n]! - start === step.text.length && this.sight.source.startsWith(step.text, start)
        ? bound
        : undefined
    }
    if (step.parts.length === 0) return bound
    const children: Array<Node> = []
    for (let c = n + 1, end = tree.after[n]!; c < end; c = tree.after[c]!)
      if ((tree.flags[c]! & NodeFlag.extra) === 0) children.push(c)
    return this.sequence(step.parts, 0, children, 0, bound, depth + 1)
  }

  private sequence(
    steps: ReadonlyArray<Step>,
    s: number,
    nodes: ReadonlyArray<Node>,
    n: number,
    bound: Bound,
    depth: number
  ): Bound | undefined {
    const { tree } = this.sight
    if (s === steps.length) {
      for (let i = n; i < nodes.length; i++) if (tree.isNamed(nodes[i]!)) return undefined
      return bound
    }
    const step = steps[s]!
    if (step.kind === "many") {
      const behind = steps[s + 1]
      // The separator after it belongs to the run when the run is empty.
      const after = behind?.kind === "node" && behind.comma ? s + 2 : s + 1
      for (let end = n; end <= nodes.length; end++) {
        const trial =
          end === n
            ? this.bind(bound, step.name, -1, 0, 0)
            : this.bind(
                bound,
                step.name,
                end === n + 1 ? nodes[n]! : -1,
                tree.start[nodes[n]!]!,
                tree.end[nodes[end - 1]!]!
              )
        if (trial === undefined) continue
        const found =
          this.sequence(steps, end === n ? after : s + 1, nodes, end, trial, depth) ??
          (end > n && after !== s + 1 ? this.sequence(steps, after, nodes, end, trial, depth) : undefined)
        if (found !== undefined) return found
        // A separator before it belongs to the run when the run is empty.
      }
      return undefined
    }
    for (let at = n; at < nodes.length; at++) {
      const trial = this.step(step, nodes[at]!, bound, depth)
      if (trial !== undefined) {
        const found = this.sequence(steps, s + 1, nodes, at + 1, trial, depth)
        if (found !== undefined) return found
      }
      if (tree.isNamed(nodes[at]!)) break
    }
    // `a, $$$REST` fits `a` alone.
    if (step.kind === "node" && step.comma && n < nodes.length + 1) {
      const next = steps[s + 1]
      if (next?.kind === "many") {
        const none = this.bind(bound, next.name, -1, 0, 0)
        if (none !== undefined) return this.sequence(steps, s + 2, nodes, n, none, depth)
      }
    }
    return undefined
  }
}
