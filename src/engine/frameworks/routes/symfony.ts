import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Argument, type Expr, textOf, textsOf } from "../Script.ts"

const pathsOf = (args: ReadonlyArray<Argument>): ReadonlyArray<string> => {
  const value: Expr | undefined = argOf(args, "path", 0)
  if (value?.kind === "list" || value?.kind === "record")
    return value.items.flatMap((item) => textsOf(item.value))
  const text = textOf(value)
  return text === undefined ? [] : [text]
}

/** Route attributes of Symfony, and the annotations in comments that came before them. */
export const symfony: Pass = {
  name: "symfony",
  family: "routes",
  languages: ["php"],
  hints: ["#[Route", "@Route", "#[AsController"],
  *read({ script, text }): Generator<LocalFact> {
    const prefixes = new Map<number, string>()
    for (const { args, name, on } of script.decorations())
      if (name === "Route" && on.kind === "class") {
        const body = script.classes().find(({ at: own }) => own === on.at)
        if (body !== undefined) prefixes.set(body.from, pathsOf(args)[0] ?? "")
      }
    for (const { args, at: token, name, on } of script.decorations()) {
      if (name !== "Route" || on.kind !== "function") continue
      const around = script.classAround(token)
      const methods = textsOf(argOf(args, "methods")).map((method) => method.toUpperCase())
      for (const path of pathsOf(args))
        for (const method of methods.length === 0 ? ["ANY"] : methods)
          yield {
            kind: "route",
            pass: "symfony",
            protocol: "http",
            method,
            path: join(around === undefined ? "" : (prefixes.get(around.from) ?? ""), path),
            handler: { kind: "definition", name: on.name, ...at(script, on.at) },
            ...at(script, token)
          }
    }
    if (!text.includes("@Route(")) return
    // In comments: what they stand before is the next function or class.
    const { comments, start } = script.tokens
    let prefix = ""
    for (let i = 0; i < comments.length; i += 2) {
      const comment = text.slice(comments[i]!, comments[i + 1]!)
      for (const found of comment.matchAll(/@Route\(\s*"([^"]*)"([^)]*)\)/g)) {
        let token = 0
        while (token < script.count && start[token]! < comments[i + 1]!) token++
        let k = token
        while (k < script.count && !/^(?:function|class)$/.test(script.word(k)) && script.word(k) !== ";") k++
        if (script.word(k) === "class") {
          prefix = found[1]!
          continue
        }
        const methods = [
          ...(/methods\s*=\s*\{([^}]*)\}/.exec(found[2]!)?.[1] ?? "").matchAll(/"(\w+)"/g)
        ].map(([, method]) => method!.toUpperCase())
        for (const method of methods.length === 0 ? ["ANY"] : methods)
          yield {
            kind: "route",
            pass: "symfony",
            protocol: "http",
            method,
            path: join(prefix, found[1]!),
            handler: { kind: "definition", name: script.word(k + 1), ...at(script, k + 1) },
            line: script.lineAt(comments[i]! + found.index),
            column: 0
          }
      }
    }
  }
}
