/** Runs an evaluation by name: `npm run eval -- localization path/to/repository`. */
const evaluations: {
  readonly [name: string]: () => Promise<{ readonly main: (args: ReadonlyArray<string>) => Promise<number> }>
} = {
  localization: () => import("./localization.ts"),
  references: () => import("./references.ts"),
  callers: () => import("./callers.ts"),
  dead: () => import("./dead.ts"),
  clones: () => import("./clones.ts"),
  complexity: () => import("./complexity.ts"),
  history: () => import("./history.ts"),
  incremental: () => import("./incremental.ts"),
  text: () => import("./textsearch.ts"),
  renames: () => import("./renames.ts"),
  routes: () => import("./routes.ts"),
  tests: () => import("./tests.ts")
}

const [name, ...args] = process.argv.slice(2)
const chosen = name === undefined ? undefined : evaluations[name]
if (chosen === undefined) {
  console.error(`usage: eval <${Object.keys(evaluations).join("|")}> [options] [repository…]`)
  process.exitCode = 2
} else process.exitCode = await (await chosen()).main(args)
