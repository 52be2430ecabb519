/** Evaluations over real trees: `npm run eval -- WHAT [arguments]`. Exit code 1 when one falls short and `--strict` is given. */
import { Effect } from "effect"

const [what, ...rest] = process.argv.slice(2)
const number = (name: string, otherwise: number): number => {
  const at = rest.indexOf(`--${name}`)
  const value = at < 0 ? Number.NaN : Number(rest[at + 1])
  return Number.isFinite(value) ? value : otherwise
}
const words = rest.filter((word, i) => !word.startsWith("--") && !["--show", "--symbols", "--seed"].includes(rest[i - 1] ?? ""))

const evaluations: { readonly [name: string]: () => Promise<boolean> } = {
  references: async () => Effect.runPromise((await import("./references.ts")).run({ directories: words, show: number("show", 0), symbols: number("symbols", 300) })),
  callers: async () => Effect.runPromise((await import("./callers.ts")).run({ directory: words[0] ?? ".", language: words[1] ?? "javascript", show: number("show", 0), symbols: number("symbols", 60) })),
  text: async () => Effect.runPromise((await import("./textsearch.ts")).run({ directory: words[0] ?? ".", show: number("show", 0), patterns: number("symbols", 200) }))
}
const evaluation = evaluations[what ?? ""]
if (evaluation === undefined) {
  console.error(`usage: npm run eval -- ${Object.keys(evaluations).join(" | ")} [arguments]`)
  process.exitCode = 2
} else {
  const good = await evaluation()
  if (rest.includes("--strict") && !good) process.exitCode = 1
}
