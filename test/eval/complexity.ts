/**
 * Cyclomatic complexity of functions against the tools that are known for it: eslint's rule for JavaScript and TypeScript,
 * gocyclo for Go, radon for Python.
 *
 *     npm run eval -- complexity DIR… [--strict] [--show N] [--symbols N]
 *
 * Here a function without a name counts for the one around it, and optional chaining and default values are no branches;
 * eslint has it otherwise, so what it says is translated, and the share that is the same without that is told beside it.
 *
 * At most so many functions are compared (2000), of files drawn from the whole tree; files are read by eslint one by one,
 * so that a large tree takes no longer than a small one once it is indexed. TypeScript needs `@typescript-eslint/parser`,
 * Go and Python need `gocyclo` and `radon`, on PATH or in `bin` of the folder named by PORTICO_ORACLES; what is missing is
 * told and left out.
 */
import { Effect } from "effect"
import { Linter, type Rule } from "eslint"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { random, sample } from "./support/Sample.ts"
import { table } from "./support/Table.ts"
import { type Tree, treeOf } from "./support/Tree.ts"

const bodies = new Set(["function", "method", "constructor"])
const oracles = process.env["PORTICO_ORACLES"]

/** What a tool says of the functions of a file, by the line they start at; undefined when it cannot read the file. */
type Tool = (tree: Tree, path: string) => ReadonlyMap<number, number> | undefined

const linter = new Linter({ configType: "flat" })
const typescriptParser = (): Linter.Parser | undefined => {
  try {
    return createRequire(join(oracles ?? import.meta.dirname, "package.json"))("@typescript-eslint/parser")
  } catch {
    return undefined
  }
}

/** A function as eslint sees it. */
interface Measured {
  /** Where its head is reported; 1-based. */
  readonly line: number
  /** Offsets of its text. */
  readonly from: number
  readonly to: number
  complexity: number
  /** Of that, optional chaining and default values, which eslint takes for branches. */
  beyond: number
}

/** Tells where functions are, and what in them only eslint takes for a branch. */
const ground = (functions: Map<string, Measured>): Rule.RuleModule => ({
  create: (context) => {
    const open: Array<Measured> = []
    const enter = (node: Rule.Node) => {
      const { parent } = node
      const holder =
        parent?.type === "Property" ||
        parent?.type === "MethodDefinition" ||
        parent?.type === "PropertyDefinition"
          ? parent
          : undefined
      const arrow =
        node.type === "ArrowFunctionExpression"
          ? context.sourceCode.getTokenBefore(node.body, ({ value }) => value === "=>")
          : null
      const { column, line } = (holder ?? arrow ?? node).loc!.start
      const [from, to] = node.range!
      const made = { line, from, to, complexity: 0, beyond: 0 }
      open.push(made)
      functions.set(`${line}:${column + 1}`, made)
    }
    const leave = () => open.pop()
    const beyond = () => {
      if (open.length > 0) open.at(-1)!.beyond++
    }
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      "FunctionDeclaration:exit": leave,
      "FunctionExpression:exit": leave,
      "ArrowFunctionExpression:exit": leave,
      AssignmentPattern: beyond,
      "MemberExpression[optional=true]": beyond,
      "CallExpression[optional=true]": beyond
    }
  }
})

/** The functions of a text; undefined for one that is not read. */
const measured = (
  text: string,
  jsx: boolean,
  parser?: Linter.Parser
): ReadonlyArray<Measured> | undefined => {
  const functions = new Map<string, Measured>()
  for (const message of linter.verify(
    text,
    [
      {
        files: ["**/*.js", "**/*.ts", "**/*.tsx"],
        plugins: { portico: { rules: { ground: ground(functions) } } },
        languageOptions: {
          ecmaVersion: "latest",
          sourceType: "module",
          parserOptions: { ecmaFeatures: { jsx } },
          ...(parser === undefined ? {} : { parser })
        },
        linterOptions: { reportUnusedDisableDirectives: "off", noInlineConfig: true },
        rules: { "portico/ground": "error", complexity: ["error", { max: 0 }] }
      }
    ],
    `a.${parser === undefined ? "js" : jsx ? "tsx" : "ts"}`
  )) {
    if (message.fatal === true) return undefined
    const found = /has a complexity of (\d+)/.exec(message.message)
    const known = found === null ? undefined : functions.get(`${message.line}:${message.column}`)
    if (known !== undefined) known.complexity = Number(found![1])
  }
  return [...functions.values()].filter(({ complexity }) => complexity > 0).sort((a, b) => a.from - b.from)
}

/**
 * Complexity as it is counted here, from what eslint says: what a function without a name of its own branches into counts
 * for the one around it, and optional chaining and default values are no branches.
 */
const eslintTool =
  (parser?: Linter.Parser): Tool =>
  (tree, path) => {
    const functions = measured(tree.lines(path).join("\n"), !/\.[cm]?ts$/.test(path), parser)
    if (functions === undefined) return undefined
    const named = new Set(
      tree.view.definitions(path).flatMap((ref) => {
        const { body_line, kind, line } = tree.view.symbol(ref)
        return bodies.has(kind) && body_line !== undefined ? [line] : []
      })
    )
    const out = new Map<number, number>()
    const plain = new Map<number, number>()
    const around: Array<Measured> = []
    for (const each of functions) {
      while (around.length > 0 && around.at(-1)!.to <= each.from) around.pop()
      const own = each.complexity - each.beyond
      const holder = around.at(-1)
      // Only the outermost function of a line can be the one that is named there.
      if (named.has(each.line) && !out.has(each.line)) {
        around.push(each)
        out.set(each.line, own)
        plain.set(each.line, each.complexity)
      } else if (holder !== undefined) out.set(holder.line, out.get(holder.line)! + own - 1)
    }
    strict.set(tree, (strict.get(tree) ?? new Map()).set(path, plain))
    return out
  }
/** What eslint says as it is, by tree, path and line. */
const strict = new WeakMap<Tree, Map<string, ReadonlyMap<number, number>>>()

/** The output of a program of the folder of oracles or of PATH; undefined when it is not there. */
const output = (program: string, args: ReadonlyArray<string>, cwd: string): string | undefined => {
  const own = oracles === undefined ? "" : join(oracles, "bin", program)
  try {
    return execFileSync(existsSync(own) ? own : program, args, {
      cwd,
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "ignore"]
    })
  } catch (cause) {
    // gocyclo exits with 1 when anything is over its limit.
    const { code, stdout } = cause as { readonly code?: string; readonly stdout?: string }
    return code === "ENOENT" ? undefined : stdout
  }
}

interface Block {
  readonly type: string
  readonly lineno: number
  readonly complexity: number
  readonly methods?: ReadonlyArray<Block>
  readonly closures?: ReadonlyArray<Block>
}

/** The tools there are, by language; each is started once for a tree. */
const toolsOf = (tree: Tree): { readonly [language: string]: () => Tool | undefined } => {
  const typescript = () => {
    const parser = typescriptParser()
    return parser === undefined ? undefined : eslintTool(parser)
  }
  return {
    javascript: () => eslintTool(),
    jsx: () => eslintTool(),
    typescript,
    tsx: typescript,
    go: () => {
      const text = output("gocyclo", ["."], tree.root)
      if (text === undefined) return undefined
      const files = new Map<string, Map<number, number>>()
      for (const line of text.split("\n")) {
        const found = /^(\d+) \S+ .* (\S+):(\d+):\d+$/.exec(line)
        if (found === null) continue
        const own = files.get(found[2]!) ?? new Map<number, number>()
        files.set(found[2]!, own)
        own.set(Number(found[3]), Number(found[1]))
      }
      return (_, path) => files.get(path)
    },
    python: () => {
      const text = output("radon", ["cc", "--json", "--no-assert", "."], tree.root)
      if (text === undefined) return undefined
      const files = JSON.parse(text) as { readonly [path: string]: ReadonlyArray<Block> | object }
      return (_, path) => {
        const blocks = files[path] ?? files[`./${path}`]
        if (!Array.isArray(blocks)) return undefined
        const out = new Map<number, number>()
        const add = (block: Block): void => {
          if (block.type !== "class") out.set(block.lineno, block.complexity)
          for (const inner of [...(block.methods ?? []), ...(block.closures ?? [])]) add(inner)
        }
        blocks.forEach(add)
        return out
      }
    }
  }
}

interface Count {
  files: number
  unread: number
  all: number
  same: number
  /** As the tool has it, without translation. */
  plain: number
}

const judge = (directory: string, show: number, most: number) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(directory)
    const tools = toolsOf(tree)
    const started = new Map<string, Tool | undefined>()
    const counts = new Map<string, Count>()
    const differing: Array<string> = []
    const files = tree.view
      .files()
      .filter(({ language, skipped }) => skipped === undefined && language !== undefined && language in tools)
    let all = 0
    let same = 0
    for (const { language, path } of sample(files, files.length, random(5))) {
      if (all >= most) break
      if (!started.has(language!)) started.set(language!, tools[language!]!())
      const tool = started.get(language!)
      const count = counts.get(language!) ?? { files: 0, unread: 0, all: 0, same: 0, plain: 0 }
      counts.set(language!, count)
      const theirs = tool?.(tree, path)
      count.files++
      if (theirs === undefined) {
        count.unread++
        continue
      }
      const symbols = tree.view.definitions(path).map((ref) => tree.view.symbol(ref))
      const lines = new Map<number, number>()
      for (const { line } of symbols) lines.set(line, (lines.get(line) ?? 0) + 1)
      for (const symbol of symbols) {
        if (!bodies.has(symbol.kind) || symbol.body_line === undefined || lines.get(symbol.line) !== 1)
          continue
        const expected = theirs.get(symbol.line)
        if (expected === undefined) continue
        count.all++
        all++
        if ((strict.get(tree)?.get(path)?.get(symbol.line) ?? expected) === symbol.complexity) count.plain++
        if (expected === symbol.complexity) {
          count.same++
          same++
        } else differing.push(`${symbol.id}:${symbol.line} ${symbol.complexity} here, ${expected} there`)
      }
    }
    console.log(
      `${tree.name}: ${same} of ${all} functions have the same complexity (${((100 * same) / Math.max(1, all)).toFixed(1)} %)`
    )
    console.log(
      table(
        ["language", "files", "unread", "functions", "same", "same untranslated"],
        [...counts]
          .sort()
          .map(([language, each]) => [
            started.get(language) === undefined ? `${language} (no tool)` : language,
            each.files,
            each.unread,
            each.all,
            each.same,
            each.plain
          ])
      )
    )
    for (const line of differing.slice(0, show)) console.log(`  ${line}`)
    return all > 0 && same / all >= 0.9
  })

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  if (given.words.length === 0) {
    console.error("usage: eval complexity DIR… [--strict] [--show N] [--symbols N]")
    return 2
  }
  let good = true
  for (const directory of given.words)
    good =
      (await Effect.runPromise(
        Effect.scoped(judge(directory, given.number("show", 10), given.number("symbols", 2000)))
      )) && good
  return exitCode(given, good)
}
