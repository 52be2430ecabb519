/**
 * Routes of real applications against lists made by hand from what they implement and say.
 *
 *     npm run eval -- routes DIR… [--show N]
 *
 * A folder is known by its name, whatever is before a `+` in it.
 */
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { templateOf } from "../../src/facades/analyze/platform/Matching.ts"
import { FrameworkFacts } from "../../src/services/FrameworkFacts.ts"
import { argumentsOf } from "./support/Arguments.ts"
import { treeOf } from "./support/Tree.ts"

interface Application {
  /** The specification it implements, and what its paths begin with. */
  readonly of?: string
  readonly below?: string
  /** What of it is left out, and what there is besides. */
  readonly without?: ReadonlyArray<string>
  readonly also?: ReadonlyArray<string>
}
const lists = JSON.parse(readFileSync(join(import.meta.dirname, "routes.json"), "utf8")) as {
  readonly specifications: { readonly [name: string]: ReadonlyArray<string> }
  readonly applications: { readonly [name: string]: Application }
}

/** Methods and templates of an application's routes. */
export const expectedOf = ({
  also = [],
  below = "",
  of,
  without = []
}: Application): ReadonlyArray<string> => [
  ...(of === undefined ? [] : (lists.specifications[of] ?? []))
    .filter((route) => !without.includes(route))
    .map((route) => route.replace(" /", ` ${below}/`)),
  ...also
]

const judge = (directory: string, application: Application, show: number) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(directory)
    const { coverage, routes } = yield* Effect.flatMap(FrameworkFacts, ({ read }) => read(["routes"])).pipe(
      Effect.provide(tree.services)
    )
    const found = new Set(
      routes
        .filter(({ protocol, test }) => protocol === "http" && !test)
        .map(({ method, path }) => `${method} ${templateOf(path)}`)
    )
    const expected = expectedOf(application)
    const anyOf = (route: string): string => route.replace(/^\w+/, "ANY")
    const missing = expected.filter((route) => !found.has(route) && !found.has(anyOf(route)))
    const extra = [...found].filter((route) =>
      route.startsWith("ANY ") ? !expected.some((each) => anyOf(each) === route) : !expected.includes(route)
    )
    console.log(
      `${tree.name}: ${expected.length - missing.length} of ${expected.length} routes, ${extra.length} more, ${coverage.read_files} files read`
    )
    for (const route of missing.slice(0, show)) console.log(`  missing ${route}`)
    for (const route of extra.slice(0, show)) console.log(`  extra   ${route}`)
    return missing.length + extra.length
  }).pipe(Effect.scoped)

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const { number, words: directories } = argumentsOf(args)
  const show = number("show", 20)
  if (directories.length === 0) {
    console.error(`usage: eval routes DIR… [--show N]; known: ${Object.keys(lists.applications).join(", ")}`)
    return 2
  }
  let wrong = 0
  for (const directory of directories) {
    const name = directory.replace(/\/+$/, "").split(/[/+]/).at(-1)!
    const application = lists.applications[name]
    if (application === undefined) {
      console.error(`${name}: no list of its routes`)
      return 2
    }
    wrong += await Effect.runPromise(judge(directory, application, show))
  }
  return wrong === 0 ? 0 : 1
}
