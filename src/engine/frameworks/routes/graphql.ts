import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import { Script } from "../Script.ts"
import { handlerOf } from "./verbs.ts"

const roots: { readonly [type: string]: string } = {
  Query: "query",
  Mutation: "mutation",
  Subscription: "subscription"
}

/** Fields of the root types of a schema. */
function* fieldsOf(script: Script, line: (token: number) => number): Generator<LocalFact> {
  for (let i = 0; i + 2 < script.count; i++) {
    const extended = script.word(i) === "extend" && script.word(i + 1) === "type"
    const at = extended ? i + 1 : i
    if (
      script.word(at) !== "type" ||
      (!extended && script.word(i - 1) === "extend") ||
      !Object.hasOwn(roots, script.word(at + 1))
    )
      continue
    let brace = at + 2
    while (brace < script.count && script.word(brace) !== "{") brace++
    const end = script.tokens.match[brace] ?? -1
    for (let k = brace + 1; k < end; k++) {
      const colon = script.word(k + 1) === "(" ? (script.tokens.match[k + 1] ?? k) + 1 : k + 1
      if (script.tokens.around[k] === brace && script.word(colon) === ":" && script.word(k - 1) !== "@") {
        const where = { line: line(k), column: script.column(k) }
        yield {
          kind: "route",
          pass: "graphql",
          protocol: "graphql",
          method: roots[script.word(at + 1)]!,
          path: script.word(k),
          handler: { kind: "definition", name: script.word(k), ...where },
          ...where
        }
        k = colon + 1
      }
      if (script.word(k) === "@") k++
      if (script.word(k) === "(" && script.tokens.match[k]! > k) k = script.tokens.match[k]!
    }
  }
}

/** GraphQL schemas in files of their own. */
export const graphqlSchema: Pass = {
  name: "graphql",
  family: "routes",
  languages: ["graphql"],
  hints: ["Query", "Mutation", "Subscription"],
  *read({ script }): Generator<LocalFact> {
    yield* fieldsOf(script, (token) => script.line(token))
  }
}

/** Schemas in template strings, and maps of resolvers. */
export const graphqlCode: Pass = {
  name: "graphql",
  family: "routes",
  languages: ecmascript,
  hints: ["Query", "Mutation", "Subscription"],
  *read({ path, script, text }): Generator<LocalFact> {
    if (!/graphql|gql|[Rr]esolvers|typeDefs/.test(text)) return
    for (let i = 0; i < script.count; i++) {
      const word = script.word(i)
      if (!word.startsWith("`") || !/\btype\s+(?:Query|Mutation|Subscription)\b/.test(word)) continue
      const before = script.line(i) - 1
      yield* fieldsOf(new Script(path, "graphql", word.slice(1, -1)), function (this: void, token) {
        return lines(word.slice(1, -1), token, before)
      })
    }
    const seen = new Set<number>()
    for (const [type, method] of Object.entries(roots))
      for (let i = 0; i + 2 < script.count; i++) {
        if (
          script.word(i) !== type ||
          script.word(i + 1) !== ":" ||
          script.word(i + 2) !== "{" ||
          seen.has(i)
        )
          continue
        seen.add(i)
        const value = script.expr(i + 2, (script.tokens.match[i + 2] ?? i + 2) + 1)
        if (value.kind !== "record") continue
        for (const { label, value: resolver } of value.items) {
          if (
            label === undefined ||
            (resolver.kind !== "function" && resolver.kind !== "chain" && resolver.kind !== "record")
          )
            continue
          const inner =
            resolver.kind === "record"
              ? resolver.items.find((each) => each.label === "resolve" || each.label === "subscribe")?.value
              : resolver
          yield {
            kind: "route",
            pass: "graphql",
            protocol: "graphql",
            method,
            path: label,
            handler: handlerOf(script, inner) ?? { kind: "inline", ...at(script, resolver.at) },
            ...at(script, resolver.at)
          }
        }
      }
  }
}

/** The line of a token of an embedded schema, counted in the file. */
const lines = (schema: string, token: number, before: number): number =>
  before + new Script("", "graphql", schema).line(token)

/** Type-graphql and graphene-like decorators are read where their frameworks are; this reads Strawberry's and Ariadne's. */
export const graphqlPython: Pass = {
  name: "graphql",
  family: "routes",
  languages: ["python"],
  hints: ["strawberry", "ariadne", "graphene"],
  *read({ script }): Generator<LocalFact> {
    for (const { chain, name, on } of script.decorations()) {
      const base = chain.parts[0]!.name
      if (on.kind !== "function") continue
      const around = script.classAround(on.at)
      if (
        base === "strawberry" &&
        /^(?:field|mutation|subscription)$/.test(name) &&
        around !== undefined &&
        Object.hasOwn(roots, around.name)
      )
        yield {
          kind: "route",
          pass: "graphql",
          protocol: "graphql",
          method: roots[around.name]!,
          path: on.name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase()),
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          ...at(script, on.at)
        }
      else if (
        name === "field" &&
        /^(?:query|mutation|subscription)$/i.test(base) &&
        chain.parts[1]?.args?.[0]?.value.kind === "string"
      )
        yield {
          kind: "route",
          pass: "graphql",
          protocol: "graphql",
          method: base.toLowerCase(),
          path: (chain.parts[1].args[0].value as { text: string }).text,
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          ...at(script, on.at)
        }
    }
  }
}
