/** A proposed header held to everything that calls, implements or overrides what it is for. */
import { Effect } from "effect"
import { retold } from "../../algorithms/Retold.ts"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import {
  CodeGraph,
  type EdgeInfo,
  type GraphView,
  type SymbolInfo,
  type SymbolRef
} from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { nothingHidden } from "../relations/Evidence.ts"
import { kinOf, memberFinder, ownerOf } from "../relations/Kin.ts"
import {
  type Argument,
  type Fit,
  fits,
  type Parameter,
  readArguments,
  readSignature,
  reordered,
  retyped,
  type Signature,
  type Style,
  styleOf
} from "./Signature.ts"

export type Verdict = "ok" | "breaks" | "unknown"

/** What a use of a symbol comes to under a proposed header. */
export interface Site {
  readonly file_path: string
  readonly line: number
  readonly within: SymbolRef
  readonly kind: "call" | "value" | "implementation" | "overridden" | "unbound"
  readonly verdict: Verdict
  /** Why it is not ok, as a word and in words. */
  readonly problem?: string
  readonly reason?: string
  readonly tier?: string
  readonly use?: string
}

export interface Checked {
  readonly ref: SymbolRef
  readonly sites: ReadonlyArray<Site>
  readonly calls: number
  readonly implementations: number
  /** Places that use the name and are bound to nothing. */
  readonly unbound: number
  readonly before: Signature
  readonly after: Signature
  /** What changed in the header beyond its parameters. */
  readonly changes: ReadonlyArray<string>
}

/** A header that could not be held to anything. */
export interface Unreadable {
  readonly reason: string
  readonly detail: string
}

const callable = new Set(["function", "method", "constructor", "macro", "operator"])
const makes = new Set(["call", "new", "macro", "decorate"])
/** Languages in which a member that overrides another has exactly its parameters. */
const strict: ReadonlySet<Style> = new Set(["go", "rust", "java", "csharp", "kotlin", "scala", "swift", "c"])

/** Most lines that are read for the arguments of one call. */
const mostLines = 200

/** A text in which lines are asked for in rising order, mostly. */
class Lined {
  #line = 1
  #start = 0
  constructor(private readonly text: string) {}

  /** What follows a place, up to {@link mostLines} lines more; undefined beyond the last line. */
  from(line: number, column: number): string | undefined {
    const { text } = this
    if (line < this.#line) {
      this.#line = 1
      this.#start = 0
    }
    for (; this.#line < line; this.#line++) {
      const feed = text.indexOf("\n", this.#start)
      if (feed < 0) return undefined
      this.#start = feed + 1
    }
    let end = text.indexOf("\n", this.#start)
    const from = Math.min(this.#start + column, end < 0 ? text.length : end)
    for (let more = 0; end >= 0 && more < mostLines; more++) end = text.indexOf("\n", end + 1)
    const part = text.slice(from, end < 0 ? text.length : end)
    if (!part.includes("\r")) return part
    const lines = part.replaceAll("\r\n", "\n")
    return end >= 0 && lines.endsWith("\r") ? lines.slice(0, -1) : lines
  }
}

/** Texts of files, each read once. */
class Texts {
  private readonly texts = new Map<string, Lined | undefined>()
  private readonly fs: ReadFs["Type"]
  constructor(fs: ReadFs["Type"]) {
    this.fs = fs
  }
  /** What follows a place, up to {@link mostLines} lines more. */
  from(path: string, line: number, column: number): Effect.Effect<string | undefined> {
    if (this.texts.has(path)) return Effect.succeed(this.texts.get(path)?.from(line, column))
    return this.fs.readText(path).pipe(
      Effect.map(({ text }): Lined | undefined => new Lined(text)),
      Effect.orElseSucceed(() => undefined),
      Effect.map((lined) => {
        this.texts.set(path, lined)
        return lined?.from(line, column)
      })
    )
  }
}

/** Ways to make a whole text of a header, so that its language can read it. */
const frames: { readonly [S in Style]?: ReadonlyArray<(header: string) => string> } = {
  ecmascript: [
    (header) => `${header} {}`,
    (header) => `class Frame { ${header} {} }`,
    (header) => `interface Frame { ${header} }`,
    (header) => `${header} ({})`,
    (header) => `${header};`,
    (header) => `abstract class Frame { ${header}; }`
  ],
  python: [
    (header) => `${header.replace(/:\s*$/, "")}: pass\n`,
    (header) => `class Frame:\n  ${header.replace(/:\s*$/, "")}: pass\n`
  ],
  go: [
    (header) => `package frame\n${header} {}\n`,
    (header) => `package frame\ntype Frame interface {\n${header}\n}\n`
  ],
  rust: [
    (header) => `${header} {}`,
    (header) => `impl Frame { ${header} {} }`,
    (header) => `trait Frame { ${header}; }`
  ],
  java: [(header) => `class Frame { ${header} {} }`, (header) => `interface Frame { ${header}; }`],
  csharp: [(header) => `class Frame { ${header} {} }`, (header) => `interface Frame { ${header}; }`],
  kotlin: [
    (header) => `${header} {}`,
    (header) => `class Frame { ${header} {} }`,
    (header) => `interface Frame { ${header} }`
  ],
  scala: [(header) => `class Frame { ${header} = ??? }`, (header) => `trait Frame { ${header} }`],
  php: [
    (header) => `<?php ${header} {}`,
    (header) => `<?php class Frame { ${header} {} }`,
    (header) => `<?php interface Frame { ${header}; }`
  ],
  swift: [
    (header) => `${header} {}`,
    (header) => `class Frame { ${header} {} }`,
    (header) => `protocol Frame { ${header} }`
  ],
  ruby: [(header) => `${header}\nend\n`],
  c: [(header) => `${header} {}`, (header) => `${header};`, (header) => `class Frame { ${header}; };`]
}

/** Whether the symbol's language can read the header at all; undefined where that cannot be told. */
const readable = (
  style: Style,
  path: string,
  header: string
): Effect.Effect<boolean | undefined, OperationFailure, CodeGraph> => {
  const own = frames[style]
  if (own === undefined) return Effect.succeed(undefined)
  const name = path.slice(path.lastIndexOf("/") + 1)
  const clean = header
    .trim()
    .replace(/[{;]\s*$/, "")
    .trim()
  return Effect.gen(function* () {
    const graph = yield* CodeGraph
    const view = yield* Effect.mapError(
      graph.sketch(own.map((frame, i) => ({ path: `${i}/${name}`, text: frame(clean) }))),
      (cause) => fromService(cause)
    )
    const files = own.map((_, i) => view.file(`${i}/${name}`))
    if (files.every((file) => file?.skipped !== undefined)) return undefined
    return files.some(
      (file, i) =>
        file?.parse_errors === 0 &&
        view.definitions(`${i}/${name}`).some((ref) => view.nameOf(ref) !== "Frame")
    )
  })
}

/** The member a sub type puts in place of one, or a super type asks for: same name, in types that are related. */
const related = (view: GraphView, ref: SymbolRef, way: "above" | "below"): ReadonlyArray<SymbolRef> => {
  const type = ownerOf(view, ref)
  if (type === undefined) return []
  const find = memberFinder(view, view.nameOf(ref))
  return kinOf(view, type, way, { include_speculative: false }, nothingHidden()).flatMap(
    ({ ref: other }) => find(other) ?? []
  )
}

const isMember = (view: GraphView, ref: SymbolRef): boolean => {
  const parent = view.parent(ref)
  return (parent !== undefined && !view.isFile(parent)) || view.symbol(ref).kind === "method"
}

const worse = (edge: EdgeInfo, fit: Fit): Fit =>
  edge.tier === "name" && fit.verdict === "breaks"
    ? { ...fit, verdict: "unknown", reason: `${fit.reason}, if it means this symbol: only the name says so` }
    : fit

const judge = (
  edge: EdgeInfo,
  args: ReadonlyArray<Argument> | undefined,
  before: Signature | undefined,
  after: Signature,
  style: Style,
  header: ReadonlyArray<{ readonly word: string; readonly text: string }>
): Fit => {
  const given =
    args ??
    (edge.args >= 0
      ? Array.from({ length: edge.args }, (): Argument => ({ name: undefined, spread: false }))
      : undefined)
  if (given === undefined)
    return { verdict: "unknown", kind: "arguments_not_read", reason: "the arguments could not be read" }
  const fit = fits(after.parameters, given, style)
  if (fit.verdict === "breaks") return fit
  const positional = given.filter(({ name }) => name === undefined).length
  const moved = before === undefined ? undefined : reordered(before.parameters, after.parameters, positional)
  if (moved !== undefined) return { verdict: "breaks", kind: "reordered", reason: moved }
  if (fit.verdict === "unknown") return fit
  const types = before === undefined ? [] : retyped(before.parameters, after.parameters, positional)
  if (types.length > 0)
    return { verdict: "unknown", kind: "types", reason: `types are not checked: ${types.join("; ")}` }
  const first = header[0]
  if (first !== undefined && edge.use !== "discarded")
    return { verdict: "unknown", kind: first.word, reason: first.text }
  return fit
}

const count = (parameters: ReadonlyArray<Parameter>) =>
  parameters.filter(({ namedRest }) => !namedRest).length

/** Whether a related member still goes with the header: exactly in strict languages, by what calls it must take in others. */
const goesWith = (after: Signature, other: Signature, style: Style): Fit => {
  const wanted = count(after.parameters)
  const has = count(other.parameters)
  if (strict.has(style)) {
    if (wanted !== has)
      return {
        verdict: "breaks",
        kind: "signature_mismatch",
        reason: `takes ${has} parameters, ${wanted} are proposed`
      }
    const types = after.parameters.flatMap((parameter, i) =>
      parameter.type !== other.parameters[i]!.type
        ? [`${i + 1}: ${other.parameters[i]!.type} -> ${parameter.type}`]
        : []
    )
    return types.length === 0
      ? { verdict: "ok" }
      : { verdict: "unknown", kind: "types", reason: `types are not checked: ${types.join("; ")}` }
  }
  const required = (parameters: ReadonlyArray<Parameter>) =>
    parameters.filter(({ optional }) => !optional).length
  const open = (parameters: ReadonlyArray<Parameter>) => parameters.some(({ rest }) => rest)
  if (required(other.parameters) > required(after.parameters))
    return {
      verdict: "breaks",
      kind: "signature_mismatch",
      reason: `asks for ${required(other.parameters)} arguments, calls may pass ${required(after.parameters)}`
    }
  if (style !== "ecmascript" && !open(other.parameters) && (open(after.parameters) || has < wanted))
    return {
      verdict: "breaks",
      kind: "signature_mismatch",
      reason: `takes at most ${has} arguments, calls may pass ${wanted}`
    }
  return style === "ecmascript" && has > wanted
    ? {
        verdict: "unknown",
        kind: "extra_parameters",
        reason: `takes ${has} parameters, ${wanted} are proposed`
      }
    : { verdict: "ok" }
}

/** Signature as it stands, from the header the index has. */
const standing = (info: SymbolInfo, style: Style, member: boolean): Signature | undefined =>
  readSignature(info.signature, info.name, style, member)

/**
 * Holds one proposed header to the graph; `previous` is the present one where the graph has another by now. Answers why
 * when a header cannot be read.
 */
export const check = (
  view: GraphView,
  ref: SymbolRef,
  header: string,
  previous?: string
): Effect.Effect<Checked | Unreadable, OperationFailure, CodeGraph | ReadFs> =>
  Effect.flatMap(ReadFs, (fs) => checkBy(fs, view, ref, header, previous))

/** The same with files read by `fs`. */
export const checkBy = (
  fs: ReadFs["Type"],
  view: GraphView,
  ref: SymbolRef,
  header: string,
  previous?: string
): Effect.Effect<Checked | Unreadable, OperationFailure, CodeGraph> =>
  Effect.gen(function* () {
    const info = view.symbol(ref)
    const style = styleOf(info.language)
    if (style === undefined)
      return {
        reason: "language_not_supported",
        detail: `signatures of ${info.language || "this file"} are not read`
      }
    const member = isMember(view, ref)
    const before = standing(
      previous === undefined ? info : retold(info, { signature: previous }),
      style,
      member
    )
    if (!callable.has(info.kind) && before === undefined)
      return { reason: "not_callable", detail: `${info.id} is a ${info.kind} and takes no arguments` }
    const after = readSignature(header, info.name, style, member)
    if (after === undefined)
      return { reason: "signature_not_read", detail: "no list of parameters could be found in it" }
    const legible = header === info.signature ? undefined : yield* readable(style, info.path, header)
    if (legible === false)
      return { reason: "syntax_error", detail: `it cannot be read as a header of ${info.language}` }
    if (before === undefined)
      return {
        reason: "present_signature_not_read",
        detail: `the present header could not be read: ${info.signature}`
      }

    const header_changes: Array<{ readonly word: string; readonly text: string }> = []
    const renamed = after.name !== "" && after.name !== info.name
    if (before.async !== after.async)
      header_changes.push({
        word: "async",
        text: after.async ? "the result would have to be awaited" : "the result would be no promise any more"
      })
    if (before.returns !== after.returns)
      header_changes.push({
        word: "return_type",
        text: `what it returns is not checked: ${before.returns || "unstated"} -> ${after.returns || "unstated"}`
      })
    const texts = new Texts(fs)
    const edges = [...view.incoming(ref)]
    // Making an instance runs the constructor.
    const parent = view.parent(ref)
    if (
      info.kind === "constructor" ||
      /^(?:constructor|__init__|__construct|initialize|init)$/.test(info.name)
    )
      if (parent !== undefined && !view.isFile(parent))
        edges.push(
          ...view
            .incoming(parent)
            .filter(({ role }) => role === "new" || (role === "call" && style !== "ecmascript"))
        )
    const above = related(view, ref, "above")
    for (const other of above)
      edges.push(
        ...view
          .incoming(other)
          .filter(({ role }) => makes.has(role))
          .map((edge): EdgeInfo => ({ ...edge, tier: edge.tier === "name" ? "name" : "inferred" }))
      )
    const sites: Array<Site> = []
    const seen = new Set<string>()
    let calls = 0
    for (const edge of edges) {
      const key = `${edge.path}\0${edge.line}\0${edge.column}`
      if (seen.has(key)) continue
      seen.add(key)
      if (edge.role === "import" || edge.role === "export") {
        if (renamed)
          sites.push({
            file_path: edge.path,
            line: edge.line,
            within: edge.from,
            kind: "value",
            verdict: edge.tier === "name" ? "unknown" : "breaks",
            problem: "renamed",
            reason: `names \`${info.name}\`, which would be \`${after.name}\``,
            tier: edge.tier
          })
        continue
      }
      if (!makes.has(edge.role)) {
        if (edge.role === "read" || edge.role === "write" || edge.role === "mention" || renamed)
          sites.push({
            file_path: edge.path,
            line: edge.line,
            within: edge.from,
            kind: "value",
            verdict: renamed && edge.tier !== "name" ? "breaks" : "unknown",
            problem: renamed ? "renamed" : "passed_on",
            reason: renamed
              ? `names \`${info.name}\`, which would be \`${after.name}\``
              : "is passed on as a value; who calls it with what is not known",
            tier: edge.tier
          })
        continue
      }
      calls++
      const text = edge.role === "decorate" ? undefined : yield* texts.from(edge.path, edge.line, edge.column)
      const args =
        text === undefined
          ? undefined
          : readArguments(text, styleOf(view.file(edge.path)?.language ?? "") ?? style)
      // A method called through its type takes its receiver as an argument.
      const fit = worse(
        edge,
        renamed
          ? {
              verdict: "breaks",
              kind: "renamed",
              reason: `calls \`${info.name}\`, which would be \`${after.name}\``
            }
          : judge(edge, args, before, after, style, header_changes)
      )
      const through =
        style === "rust" || style === "python" || style === "c" ? member && fit.verdict === "breaks" : false
      const final: Fit =
        through &&
        fit.verdict === "breaks" &&
        fit.kind === "too_many_arguments" &&
        takesReceiver(args, before, style)
          ? { verdict: "unknown", kind: "receiver", reason: "may pass the receiver as its first argument" }
          : fit
      sites.push({
        file_path: edge.path,
        line: edge.line,
        within: edge.from,
        kind: "call",
        verdict: final.verdict,
        ...(final.verdict === "ok" ? {} : { problem: final.kind, reason: final.reason }),
        tier: edge.tier,
        use: edge.use
      })
    }
    let implementations = 0
    for (const [way, others] of [
      ["implementation", related(view, ref, "below")],
      ["overridden", above]
    ] as const)
      for (const other of others) {
        const own = view.symbol(other)
        const read = standing(own, style, true)
        implementations++
        const fit: Fit = renamed
          ? {
              verdict: "breaks",
              kind: "renamed",
              reason: `is called \`${own.name}\`, the proposal \`${after.name}\``
            }
          : read === undefined
            ? { verdict: "unknown", kind: "signature_not_read", reason: "its header could not be read" }
            : way === "implementation"
              ? goesWith(after, read, style)
              : goesWith(read, after, style)
        sites.push({
          file_path: own.path,
          line: own.line,
          within: other,
          kind: way,
          verdict: fit.verdict,
          ...(fit.verdict === "ok" ? {} : { problem: fit.kind, reason: fit.reason })
        })
      }
    const unbound = view.unbound(info.name, 0).total
    return {
      ref,
      sites,
      calls,
      implementations,
      unbound,
      before,
      after,
      changes: [
        ...(renamed ? [`name: ${info.name} -> ${after.name}`] : []),
        ...header_changes.map(({ text }) => text)
      ]
    }
  })

/** One argument more than there were parameters to take it: the receiver, written out. */
const takesReceiver = (args: ReadonlyArray<Argument> | undefined, before: Signature, style: Style): boolean =>
  args !== undefined &&
  fits(before.parameters, args, style).verdict === "breaks" &&
  fits(before.parameters, args.slice(1), style).verdict === "ok"

/** The worst of several verdicts. */
export const worst = (verdicts: Iterable<Verdict>): Verdict => {
  let out: Verdict = "ok"
  for (const verdict of verdicts) {
    if (verdict === "breaks") return "breaks"
    if (verdict === "unknown") out = "unknown"
  }
  return out
}
