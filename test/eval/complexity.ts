/**
 * Cyclomatic complexity of JavaScript functions against eslint's rule of that name.
 *
 *     npm run eval -- complexity DIR… [--strict] [--show N]
 */
import { Effect } from "effect"
import { Linter } from "eslint"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { treeOf } from "./support/Tree.ts"

const bodies = new Set(["function", "method", "constructor"])

/** Complexity by the line and column a function starts at. */
export const eslintComplexity = (text: string, jsx: boolean): ReadonlyMap<string, number> | undefined => {
  const linter = new Linter({ configType: "flat" })
  const out = new Map<string, number>()
  for (const message of linter.verify(text, [
    {
      languageOptions: {
        ecmaVersion: "latest",
        sourceType: "module",
        parserOptions: { ecmaFeatures: { jsx } }
      },
      linterOptions: { reportUnusedDisableDirectives: "off", noInlineConfig: true },
      rules: { complexity: ["error", { max: 0 }] }
    }
  ])) {
    if (message.fatal === true) return undefined
    const found = /has a complexity of (\d+)/.exec(message.message)
    if (found !== null)
      out.set(`${message.line}`, Math.max(Number(found[1]), out.get(`${message.line}`) ?? 0))
  }
  return out
}

const judge = (directory: string, show: number) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(directory)
    let same = 0
    let all = 0
    const differing: Array<string> = []
    for (const file of tree.view.files()) {
      if ((file.language !== "javascript" && file.language !== "jsx") || file.skipped !== undefined) continue
      const theirs = eslintComplexity(tree.lines(file.path).join("\n"), true)
      if (theirs === undefined) continue
      const lines = new Map<number, number>()
      for (const ref of tree.view.definitions(file.path)) {
        const { line } = tree.view.symbol(ref)
        lines.set(line, (lines.get(line) ?? 0) + 1)
      }
      for (const ref of tree.view.definitions(file.path)) {
        const symbol = tree.view.symbol(ref)
        if (!bodies.has(symbol.kind) || symbol.body_line === undefined || lines.get(symbol.line) !== 1)
          continue
        const expected = theirs.get(String(symbol.line))
        if (expected === undefined) continue
        all++
        if (expected === symbol.complexity) same++
        else differing.push(`${symbol.id}:${symbol.line} ${symbol.complexity} here, ${expected} by eslint`)
      }
    }
    console.log(
      `${tree.name}: ${same} of ${all} functions have the same complexity (${((100 * same) / Math.max(1, all)).toFixed(1)} %)`
    )
    for (const line of differing.slice(0, show)) console.log(`  ${line}`)
    return all > 0 && same / all >= 0.9
  })

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  if (given.words.length === 0) {
    console.error("usage: eval complexity DIR…")
    return 2
  }
  let good = true
  for (const directory of given.words)
    good = (await Effect.runPromise(Effect.scoped(judge(directory, given.number("show", 10))))) && good
  return exitCode(given, good)
}
