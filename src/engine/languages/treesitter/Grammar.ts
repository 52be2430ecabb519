/**
 * A loaded grammar: parses a text and fills a {@link SyntaxTree}. The parser's WebAssembly memory is ours, so that
 * trees are read straight out of it; where the memory does not look as expected, the public API is used instead.
 */
import { Data } from "effect"
import { createRequire } from "node:module"
import { Language as Wasm, Parser, type Tree } from "web-tree-sitter"
import { readWithCursor } from "./CursorReader.ts"
import { HeapReader, type LinearMemory } from "./HeapReader.ts"
import { SyntaxTree } from "./SyntaxTree.ts"
import { compileParser } from "./Tiers.ts"

/** Package and file of a grammar, as in {@link import("../Language.ts").Language.grammar}. */
export interface GrammarFile {
  readonly package: string
  readonly file: string
}

/** The file is left unread: too long, too many nodes, or too slow to parse. Lengths are UTF-16 units, times milliseconds. */
export class ParseAbandoned extends Data.TaggedError("ParseAbandoned")<{
  readonly path: string
  readonly reason: "length" | "nodes" | "time"
  readonly limit: number
}> {
  override get message(): string {
    return `${this.path}: not parsed, more than ${this.limit} ${
      this.reason === "length" ? "characters" : this.reason === "nodes" ? "syntax nodes" : "ms"
    }`
  }
}

export interface ParseLimits {
  readonly length: number
  readonly nodes: number
  readonly time: number
}

/** A part of a text: UTF-16 offsets, and the same places as 0-based rows and columns. */
export interface Stretch {
  readonly startIndex: number
  readonly endIndex: number
  readonly startPosition: { readonly row: number; readonly column: number }
  readonly endPosition: { readonly row: number; readonly column: number }
}
export const parseLimits: ParseLimits = { length: 1 << 20, nodes: 1 << 21, time: 4_000 }

/** Absolute path of an installed grammar. Throws what module resolution throws when the package is absent. */
export const resolveGrammar = (grammar: GrammarFile): string =>
  createRequire(import.meta.url).resolve(`${grammar.package}/${grammar.file}`)

/** The part of the WebAssembly API used here, which the type libraries in use do not declare. */
const { Memory } = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => LinearMemory
    }
  }
).WebAssembly

let memory: LinearMemory | undefined
let started: Promise<void> | undefined

/** Starts the parser runtime of this thread, once, with a memory that the heap reader can see. */
export const startParser = (): Promise<void> => {
  started ??= (async () => {
    memory = new Memory({ initial: 512, maximum: 32_768 })
    const options = { wasmMemory: memory } as unknown as Parameters<typeof Parser.init>[0]
    await compileParser(() => Parser.init(options))
  })()
  return started
}

/** Loads a grammar's parser into this thread. Throws what module resolution throws when the package is absent. */
export const loadParser = async (grammar: GrammarFile): Promise<Wasm> => {
  await startParser()
  return compileParser(() => Wasm.load(resolveGrammar(grammar)))
}

export class Grammar {
  readonly tree: SyntaxTree
  private heap: HeapReader | undefined
  private readonly errorType: number

  private constructor(
    private readonly parser: Parser,
    readonly language: Wasm
  ) {
    const types = Array.from({ length: language.nodeTypeCount }, (_, i) => language.nodeTypeForId(i) ?? "")
    this.errorType = types.length
    const fields = new Map<string, number>()
    language.fields.forEach((name, id) => {
      if (name !== null) fields.set(name, id)
    })
    this.tree = new SyntaxTree([...types, "ERROR"], fields)
  }

  /** Loads a grammar; `probe` is a short valid text of the language that decides whether the heap reader is used. */
  static async load(grammar: GrammarFile, probe: string): Promise<Grammar> {
    const language = await loadParser(grammar)
    const parser = new Parser()
    parser.setLanguage(language)
    const out = new Grammar(parser, language)
    out.heap = out.probed(probe)
    return out
  }

  /** Whether trees are read from memory rather than through the public API. */
  get readsHeap(): boolean {
    return this.heap !== undefined
  }

  /** The heap reader, if it reads the probe as the public API does. */
  private probed(probe: string): HeapReader | undefined {
    if (memory === undefined) return undefined
    const tree = this.parser.parse(probe)
    if (tree === null) return undefined
    try {
      const reader = new HeapReader(memory, this.language, this.errorType)
      return sameTree(this.tree, tree, reader, this.errorType) ? reader : undefined
    } catch {
      return undefined
    } finally {
      tree.delete()
    }
  }

  /**
   * Parses a text, or parts of it in their order, into {@link tree}; places are those in the whole text. The same value is
   * refilled by the next call. Throws {@link ParseAbandoned}.
   */
  parse(
    path: string,
    text: string,
    limits: ParseLimits = parseLimits,
    parts?: ReadonlyArray<Stretch>
  ): SyntaxTree {
    const length = parts?.reduce((sum, { endIndex, startIndex }) => sum + endIndex - startIndex, 0)
    if ((length ?? text.length) > limits.length)
      throw new ParseAbandoned({ path, reason: "length", limit: limits.length })
    const tree = this.parseNative(path, text, limits, parts)
    try {
      const whole =
        this.heap === undefined
          ? readWithCursor(tree, this.tree, limits.nodes, this.errorType)
          : this.heap.read(tree, this.tree, limits.nodes)
      if (!whole) throw new ParseAbandoned({ path, reason: "nodes", limit: limits.nodes })
      return this.tree
    } finally {
      tree.delete()
    }
  }

  /** As {@link parse}, always through the public API. */
  parseWithCursor(path: string, text: string, limits: ParseLimits = parseLimits): SyntaxTree {
    const tree = this.parseNative(path, text, limits)
    try {
      readWithCursor(tree, this.tree, limits.nodes, this.errorType)
      return this.tree
    } finally {
      tree.delete()
    }
  }

  private parseNative(path: string, text: string, limits: ParseLimits, parts?: ReadonlyArray<Stretch>): Tree {
    const deadline = performance.now() + limits.time
    const end = parts === undefined ? text.length : (parts[parts.length - 1]?.endIndex ?? 0)
    // The parser asks for at most 5,120 units at a time.
    const tree = this.parser.parse((index) => text.slice(index, Math.min(index + 5_120, end)), null, {
      progressCallback: () => performance.now() > deadline,
      ...(parts === undefined ? {} : { includedRanges: [...parts] })
    })
    if (tree === null) {
      this.parser.reset()
      throw new ParseAbandoned({ path, reason: "time", limit: limits.time })
    }
    return tree
  }
}

const sameTree = (scratch: SyntaxTree, tree: Tree, reader: HeapReader, errorType: number): boolean => {
  const columns = () => {
    const n = scratch.count
    return [
      scratch.symbol,
      scratch.start,
      scratch.end,
      scratch.parent,
      scratch.after,
      scratch.field,
      scratch.flags
    ].map((c) => c.slice(0, n))
  }
  if (!readWithCursor(tree, scratch, 100_000, errorType)) return false
  const expected = columns()
  if (!reader.read(tree, scratch, 100_000)) return false
  return columns().every(
    (column, i) => column.length === expected[i]!.length && column.every((v, j) => v === expected[i]![j])
  )
}
