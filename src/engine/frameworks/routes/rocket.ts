import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { textOf } from "../Script.ts"
import { at, textOf as text } from "./verbs.ts"

const verbs = new Set(["get", "post", "put", "patch", "delete", "head", "options"])

/** Rocket: functions with a route, mounted by name. */
export const rocket: Pass = {
  name: "rocket",
  family: "routes",
  languages: ["rust"],
  hints: ["rocket"],
  *read({ script, text: whole }): Generator<LocalFact> {
    if (!/\brocket\b/.test(whole)) return
    for (const { args, name, on } of script.decorations()) {
      if (on.kind !== "function" || !(verbs.has(name) || name === "route")) continue
      const strings = args
        .flatMap(({ label, value }) => (label === undefined || label === "uri" ? [text(value)] : []))
        .filter((each) => each !== undefined)
      const path = strings[0]
      if (path === undefined) continue
      const method =
        name === "route"
          ? args[0]?.value.kind === "chain"
            ? args[0].value.chain.parts.at(-1)!.name.toUpperCase()
            : "ANY"
          : name.toUpperCase()
      yield {
        kind: "route",
        pass: "rocket",
        protocol: "http",
        method,
        path: path.replace(/\?.*$/, ""),
        on: { kind: "local", key: `fn:${on.name}:${script.line(on.at)}` },
        handler: { kind: "definition", name: on.name, ...at(script, on.at) },
        ...at(script, on.at)
      }
    }
    for (const chain of script.chains())
      for (const part of chain.parts) {
        if (part.name !== "mount" || part.args === undefined) continue
        const prefix = textOf(part.args[0]?.value)
        const routes = part.args[1]?.value
        if (prefix === undefined || routes?.kind !== "chain") continue
        const [listed] = routes.chain.parts
        if (listed!.name === "routes!" || listed!.name === "openapi_get_routes!") {
          for (const { value } of listed!.args ?? [])
            if (value.kind === "chain") {
              const last = value.chain.parts.at(-1)!
              yield {
                kind: "mount",
                pass: "rocket",
                parent: undefined,
                prefix,
                child: { kind: "name", name: last.name, ...at(script, last.at) },
                ...at(script, part.at)
              }
            }
        } else {
          const called = routes.chain.parts.find(({ args }) => args !== undefined)
          if (called !== undefined)
            yield {
              kind: "mount",
              pass: "rocket",
              parent: undefined,
              prefix,
              child: { kind: "call", name: called.name, ...at(script, called.at) },
              ...at(script, part.at)
            }
        }
      }
    // A function that answers a list of routes.
    for (const fn of script.functions())
      for (const chain of script.chains()) {
        const [listed] = chain.parts
        if (
          chain.at < fn.from ||
          chain.at >= fn.to ||
          listed!.name !== "routes!" ||
          (chain.to !== fn.to && script.word(chain.at - 1) !== "return")
        )
          continue
        const list = { kind: "local", key: `list:${fn.name}:${script.line(fn.at)}` } as const
        yield { kind: "return", pass: "rocket", name: fn.name, place: list, ...at(script, fn.at) }
        for (const { value } of listed!.args ?? [])
          if (value.kind === "chain") {
            const last = value.chain.parts.at(-1)!
            yield {
              kind: "mount",
              pass: "rocket",
              parent: list,
              prefix: "",
              child: { kind: "name", name: last.name, ...at(script, last.at) },
              ...at(script, last.at)
            }
          }
      }
  }
}
