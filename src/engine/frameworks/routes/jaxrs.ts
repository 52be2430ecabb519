import { at, join } from "../Routers.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, textOf } from "../Script.ts"

const verbs = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])

/** JAX-RS resources, and Micronaut's controllers, which are alike. */
export const jaxrs: Pass = {
  name: "jax-rs",
  family: "routes",
  languages: ["java", "kotlin"],
  hints: ["ws.rs", "io.micronaut.http.annotation"],
  *read({ script, text }): Generator<LocalFact> {
    const micronaut = text.includes("io.micronaut")
    const paths = new Map<number, string>()
    const onFunction = new Map<number, Array<{ name: string; path: string | undefined; at: number }>>()
    for (const { args, at: token, name, on } of script.decorations()) {
      const path = textOf(argOf(args, ["value", "uri"], 0))
      if (on.kind === "class" && (name === "Path" || name === "Controller")) {
        const body = script.classes().find(({ at: own }) => own === on.at)
        if (body !== undefined) paths.set(body.from, path ?? "")
      } else if (on.kind === "function") {
        const list = onFunction.get(on.at) ?? []
        list.push({ name, path, at: token })
        onFunction.set(on.at, list)
      }
    }
    for (const [token, list] of onFunction) {
      const around = script.classAround(token)
      if (around === undefined || (!paths.has(around.from) && !list.some(({ name }) => name === "Path")))
        continue
      const below = list.find(({ name }) => name === "Path")?.path
      for (const { at: own, name, path } of list) {
        const verb = micronaut ? name.toUpperCase() : name
        if (!verbs.has(verb) || (!micronaut && name !== verb)) continue
        yield {
          kind: "route",
          pass: micronaut ? "micronaut" : "jax-rs",
          protocol: "http",
          method: verb,
          path: `/${join(paths.get(around.from) ?? "", (micronaut ? path : below) ?? "").replace(/^\/+/, "")}`,
          handler: { kind: "definition", name: script.word(token), ...at(script, token) },
          ...at(script, own)
        }
      }
    }
  }
}
