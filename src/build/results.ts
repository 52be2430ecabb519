/**
 * Writes src/registry/ResultShapes.ts and src/registry/ResultLayouts.ts: what each operation answers, as the compiler sees it
 * in its handler, and the columns its lists have in the line form. With `--check` writes nothing and exits with 1 when one of
 * them is not what the handlers give.
 */
import { fileURLToPath } from "node:url"
import { open } from "../policy/typed/Compiler.ts"
import { layoutOf } from "../registry/Layout.ts"
import { layouts } from "../registry/ResultLayouts.ts"
import { type Page, settle } from "./docs/Page.ts"
import { evolved } from "./results/Layouts.ts"
import { shapesOf } from "./results/Seen.ts"
import { layoutsSource, shapesSource } from "./results/Source.ts"

/** The two modules, made from the sources below `top`. */
export const resultPages = (top: string): ReadonlyArray<Page> => {
  const program = open({ root: top, include: ["src/facades/**/*.ts"] })
  try {
    const shapes = shapesOf(program)
    const before = Object.fromEntries(Object.keys(layouts).map((name) => [name, layoutOf(name)!]))
    return [
      { path: "src/registry/ResultShapes.ts", text: shapesSource(shapes) },
      { path: "src/registry/ResultLayouts.ts", text: layoutsSource(evolved(before, shapes)) }
    ]
  } finally {
    program.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const top = fileURLToPath(new URL("../..", import.meta.url))
  settle(top, resultPages(top), "npx tsx src/build/results.ts")
}
