import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"

/**
 * Calls whose first name may be imported. Whether it is, and from where, the imports of the file say when facts are
 * linked, so names are noted once a file with their places.
 */
export const externals: Pass = {
  name: "external calls",
  family: "externals",
  languages: [
    ...ecmascript,
    "python",
    "go",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "php",
    "ruby",
    "swift",
    "scala"
  ],
  *read({ script }): Generator<LocalFact> {
    for (const { parts } of script.chains()) {
      const called = parts.findIndex(({ args }) => args !== undefined)
      if (called < 0) continue
      const names = parts.slice(0, called + 1).map(({ name }) => name)
      if (names.some((name) => name === "" || name === "[]")) continue
      yield {
        kind: "note",
        pass: "external calls",
        what: "called",
        name: names[0]!,
        data: { names },
        ...at(script, parts[0]!.at)
      }
    }
  }
}
