import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"

/** Annotations, decorators and attributes of all languages that have them. */
export const annotations: Pass = {
  name: "annotations",
  family: "annotations",
  languages: ["java", "kotlin", "csharp", "python", "php", "rust", "swift", "scala", ...ecmascript],
  *read({ script, text }): Generator<LocalFact> {
    if (!/@[A-Za-z_]|#!?\[|\[[A-Z]\w*/.test(text)) return
    for (const { args, at: token, chain, name, on } of script.decorations()) {
      const whole = chain.parts
        .map((part) => part.name)
        .filter((each) => each !== "" && each !== "[]")
        .join(script.dialect === "rust" ? "::" : ".")
      yield {
        kind: "note",
        pass: "annotations",
        what: "annotation",
        name: whole,
        data: {
          short: name,
          args: args.length === 0 ? "" : script.slice(chain.parts.at(-1)!.at + 1, chain.to).slice(0, 200),
          on: on.kind
        },
        ...(on.kind === "none"
          ? {}
          : { names: { symbol: { kind: "definition", name: on.name, ...at(script, on.at) } } }),
        ...at(script, token)
      }
    }
  }
}
