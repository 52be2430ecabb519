/** Services that are described: Protocol Buffers, Thrift. */
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { at, join } from "../Routers.ts"
import { T } from "../Lexer.ts"

export const grpc: Pass = {
  name: "grpc",
  family: "routes",
  languages: ["protobuf"],
  hints: ["service"],
  *read({ script }): Generator<LocalFact> {
    let pack = ""
    for (let i = 0; i < script.count; i++) {
      if (script.word(i) === "package" && script.kind(i + 1) === T.word) {
        const to = script.statementEnd(i + 1)
        pack = script.slice(i + 1, to).replaceAll(" ", "")
      }
      if (script.word(i) !== "service" || script.kind(i + 1) !== T.word || script.word(i + 2) !== "{")
        continue
      const service = pack === "" ? script.word(i + 1) : `${pack}.${script.word(i + 1)}`
      const end = script.tokens.match[i + 2] ?? -1
      for (let k = i + 3; k < end; k++) {
        if (script.word(k) !== "rpc" || script.tokens.around[k] !== i + 2) continue
        const name = script.word(k + 1)
        const open = k + 2
        const close = script.tokens.match[open] ?? -1
        const answer = close + 2
        const handler = { kind: "definition", name, ...at(script, k + 1) } as const
        yield {
          kind: "route",
          pass: "grpc",
          protocol: "grpc",
          method: "rpc",
          path: `${service}/${name}`,
          handler,
          ...at(script, k)
        }
        yield {
          kind: "note",
          pass: "grpc",
          what: "message_types",
          name: `${service}/${name}`,
          data: {
            request: script.slice(open + 1, close),
            response: script.slice(answer + 1, script.tokens.match[answer] ?? answer + 1)
          },
          ...at(script, k)
        }
        // google.api.http gives the method a path of its own.
        const body = script.tokens.match[answer]! + 1
        if (script.word(body) !== "{") continue
        for (let n = body + 1; n < (script.tokens.match[body] ?? body); n++)
          if (
            /^(?:get|post|put|patch|delete)$/.test(script.word(n)) &&
            script.word(n + 1) === ":" &&
            script.kind(n + 2) === T.string
          )
            yield {
              kind: "route",
              pass: "grpc-gateway",
              protocol: "http",
              method: script.word(n).toUpperCase(),
              path: join("", script.word(n + 2).slice(1, -1)),
              handler,
              ...at(script, n)
            }
      }
    }
  }
}

const thriftService = /\bservice\s+(\w+)(?:\s+extends\s+[\w.]+)?\s*\{([\s\S]*?)\n\}/g

export const thrift: Pass = {
  name: "thrift",
  family: "routes",
  languages: ["thrift"],
  files: (path) => path.endsWith(".thrift"),
  *read({ code }): Generator<LocalFact> {
    const lineOf = (offset: number) => code.slice(0, offset).split("\n").length
    for (const found of code.matchAll(thriftService)) {
      const from = found.index + found[0].indexOf("{") + 1
      for (const method of found[2]!.matchAll(/(?:oneway\s+)?[\w.<>, ]+?\s+(\w+)\s*\(/g)) {
        if (/^(?:throws)$/.test(method[1]!)) continue
        const where = { line: lineOf(from + method.index + method[0].lastIndexOf(method[1]!)), column: 0 }
        yield {
          kind: "route",
          pass: "thrift",
          protocol: "thrift",
          method: "rpc",
          path: `${found[1]}/${method[1]}`,
          handler: { kind: "definition", name: method[1]!, ...where },
          ...where
        }
      }
    }
  }
}
