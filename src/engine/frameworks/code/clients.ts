import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass, type Source } from "../Pass.ts"
import { at } from "../Routers.ts"
import { lowerVerbs } from "../routes/verbs.ts"
import { argOf, type Argument, type Expr, textOf } from "../Script.ts"

/** The path of a URL, its host and query taken off; undefined for what has no path of its own. */
export const pathOfUrl = (url: string): string | undefined => {
  const rest = url.replace(/^(?:\{[^}]*\}|[a-z]+:\/\/(?:\{[^}]*\}|[^/{]+))+/i, "")
  const path = rest.replace(/[?#].*$/, "")
  if (path === "") return /^[a-z]+:\/\//i.test(url) ? "/" : undefined
  if (!path.startsWith("/") || /\s/.test(path)) return undefined
  return path
}

const urlOf = (
  expr: Expr | undefined
): { readonly url: string; readonly path: string; readonly exact: boolean } | undefined => {
  if (expr?.kind !== "string") return undefined
  const path = pathOfUrl(expr.text)
  return path === undefined ? undefined : { url: expr.text, path, exact: expr.exact }
}

const consumer = (
  source: Source,
  pass: string,
  token: number,
  method: string,
  target: NonNullable<ReturnType<typeof urlOf>>
): LocalFact => ({
  kind: "note",
  pass,
  what: "consumer",
  name: target.path,
  data: { protocol: "http", method, url: target.url, exact: target.exact },
  ...at(source.script, token)
})

const verbs: { readonly [name: string]: string } = {
  ...lowerVerbs,
  del: "DELETE"
}
const clientName =
  /^(?:axios|http|https|request|superagent|got|ky|api|client|apiClient|httpClient|instance|\$http|\$axios|requests|httpx|session|aiohttp|conn|agent|rest|fetcher|service|restTemplate|webClient|HTTParty|Faraday|connection|RestClient|Http|guzzle|_?http|_?client|_?httpClient|\$this|resty|reqwest|this)$/i

const methodIn = (args: ReadonlyArray<Argument> | undefined, position: number): string => {
  const options = args?.[position]?.value
  const named = options?.kind === "record" ? textOf(argOf(options.items, "method")) : undefined
  return named?.toUpperCase() ?? "GET"
}

/** Requests of browsers and Node: fetch, axios, got, ky, Angular's client. */
export const ecmascriptClients: Pass = {
  name: "http client",
  family: "clients",
  languages: ecmascript,
  hints: ["fetch(", "axios", "http", "got", "ky.", "request", "client", "api", "$fetch"],
  *read(source): Generator<LocalFact> {
    for (const { parts } of source.script.chains()) {
      const [first] = parts
      if (parts.length === 1 || (parts.length > 1 && first!.args !== undefined)) {
        if (
          /^(?:fetch|\$fetch|useFetch|ofetch|axios|got|ky|request|superagent|apiFetch|fetchJson|fetchApi)$/.test(
            first!.name
          ) &&
          first!.args !== undefined
        ) {
          const options = first!.args[0]?.value
          const target =
            options?.kind === "record" ? urlOf(argOf(options.items, ["url", "uri"])) : urlOf(options)
          if (target !== undefined)
            yield consumer(
              source,
              "http client",
              first!.at,
              options?.kind === "record" ? methodIn(first!.args, 0) : methodIn(first!.args, 1),
              target
            )
        }
      }
      for (const [index, part] of parts.entries()) {
        if (index === 0 || part.args === undefined || !Object.hasOwn(verbs, part.name)) continue
        const base = parts[index - 1]!
        if (base.args !== undefined || !clientName.test(base.name)) continue
        const target = urlOf(part.args[0]?.value)
        // A handler as the last argument makes it a route.
        const last = part.args.at(-1)?.value
        if (target === undefined || last?.kind === "function") continue
        yield consumer(source, "http client", part.at, verbs[part.name]!, target)
      }
    }
  }
}

/** requests, httpx and aiohttp. */
export const pythonClients: Pass = {
  name: "python client",
  family: "clients",
  languages: ["python"],
  hints: ["requests", "httpx", "aiohttp", "urlopen", "client"],
  *read(source): Generator<LocalFact> {
    for (const chain of source.script.chains()) {
      if (chain.decorates === true) continue
      for (const [index, part] of chain.parts.entries()) {
        if (part.args === undefined) continue
        if (part.name === "urlopen" || part.name === "Request") {
          const target = urlOf(part.args[0]?.value)
          if (target !== undefined) yield consumer(source, "python client", part.at, "GET", target)
        }
        if (index === 0) continue
        const base = chain.parts[index - 1]!.name
        if (!clientName.test(base) && !/^(?:Session|Client|AsyncClient)$/.test(base)) continue
        if (part.name === "request") {
          const target = urlOf(argOf(part.args, "url", 1))
          if (target !== undefined)
            yield consumer(
              source,
              "python client",
              part.at,
              (textOf(argOf(part.args, "method", 0)) ?? "GET").toUpperCase(),
              target
            )
        } else if (Object.hasOwn(verbs, part.name)) {
          const target = urlOf(argOf(part.args, "url", 0))
          if (target !== undefined)
            yield consumer(source, "python client", part.at, verbs[part.name]!, target)
        }
      }
    }
  }
}

/** net/http's client and resty. */
export const goClients: Pass = {
  name: "go client",
  family: "clients",
  languages: ["go"],
  hints: ["http.", "resty"],
  *read(source): Generator<LocalFact> {
    for (const { parts } of source.script.chains())
      for (const [index, part] of parts.entries()) {
        if (index === 0 || part.args === undefined) continue
        const base = parts[index - 1]!
        if (part.name === "NewRequest" || part.name === "NewRequestWithContext") {
          const shift = part.name === "NewRequest" ? 0 : 1
          const verb = part.args[shift]?.value
          const method =
            textOf(verb) ??
            (verb?.kind === "chain"
              ? (/^Method(\w+)$/.exec(verb.chain.parts.at(-1)!.name)?.[1]?.toUpperCase() ?? "GET")
              : "GET")
          const target = urlOf(part.args[shift + 1]?.value) ?? formatted(part.args[shift + 1]?.value)
          if (target !== undefined) yield consumer(source, "go client", part.at, method.toUpperCase(), target)
        } else if (
          (base.name === "http" || /[cC]lient$|^R$/.test(base.name)) &&
          /^(?:Get|Post|Put|Patch|Delete|Head|PostForm)$/.test(part.name)
        ) {
          const target = urlOf(part.args[0]?.value) ?? formatted(part.args[0]?.value)
          if (target !== undefined)
            yield consumer(
              source,
              "go client",
              part.at,
              part.name === "PostForm" ? "POST" : part.name.toUpperCase(),
              target
            )
        }
      }
  }
}

/** A URL by a format: fmt.Sprintf("%s/users/%d", base, id). */
const formatted = (expr: Expr | undefined): ReturnType<typeof urlOf> => {
  if (expr?.kind !== "chain") return undefined
  const last = expr.chain.parts.at(-1)!
  if (!/^(?:Sprintf|format|sprintf)$/.test(last.name)) return undefined
  const text = textOf(last.args?.[0]?.value)
  if (text === undefined) return undefined
  const url = text.replace(/%[-+0-9.]*[a-z]/gi, "{}")
  const path = pathOfUrl(url)
  return path === undefined ? undefined : { url, path, exact: false }
}

/** RestTemplate, WebClient, HttpClient, Feign, and clients of C#, Ruby, PHP and Rust. */
export const otherClients: Pass = {
  name: "client",
  family: "clients",
  languages: ["java", "kotlin", "csharp", "ruby", "php", "rust"],
  hints: [
    "restTemplate",
    "WebClient",
    "webClient",
    "HttpClient",
    "httpClient",
    "_client",
    "FeignClient",
    "HTTParty",
    "Faraday",
    "Http::",
    "reqwest",
    "client",
    "Net::HTTP",
    "RestClient"
  ],
  *read(source): Generator<LocalFact> {
    const { script } = source
    for (const chain of script.chains()) {
      if (chain.decorates === true) continue
      for (const [index, part] of chain.parts.entries()) {
        if (index === 0 || part.args === undefined) continue
        const base = chain.parts[index - 1]!
        const sharp = /^(Get|Post|Put|Patch|Delete)(?:String|Stream|ByteArray|FromJson|AsJson)?Async$/.exec(
          part.name
        )?.[1]
        const spring = /^(get|post|put|patch|delete)For(?:Object|Entity|Location)$/.exec(part.name)?.[1]
        const plain =
          Object.hasOwn(verbs, part.name) && (clientName.test(base.name) || /[cC]lient$/.test(base.name))
            ? verbs[part.name]
            : undefined
        const method = sharp?.toUpperCase() ?? spring?.toUpperCase() ?? plain
        if (method !== undefined) {
          const target = urlOf(part.args[0]?.value)
          if (target !== undefined && part.args.at(-1)?.value.kind !== "function" && part.block === undefined)
            yield consumer(source, "client", part.at, method, target)
        } else if (part.name === "uri" && Object.hasOwn(verbs, base.name)) {
          const target = urlOf(part.args[0]?.value)
          if (target !== undefined) yield consumer(source, "client", part.at, verbs[base.name]!, target)
        }
      }
    }
    const feign = new Map<number, string>()
    for (const { args, name, on } of script.decorations())
      if (name === "FeignClient" && on.kind === "class") {
        const body = script.classes().find(({ at: own }) => own === on.at)
        if (body !== undefined) feign.set(body.from, textOf(argOf(args, "path")) ?? "")
      }
    if (feign.size === 0) return
    for (const { args, at: token, name } of script.decorations()) {
      const around = script.classAround(token)
      const prefix = around === undefined ? undefined : feign.get(around.from)
      const verb = /^(Get|Post|Put|Patch|Delete)Mapping$/.exec(name)?.[1]
      const path = textOf(argOf(args, ["value", "path"], 0))
      if (prefix !== undefined && verb !== undefined && path !== undefined)
        yield consumer(source, "client", token, verb.toUpperCase(), {
          url: prefix + path,
          path: prefix + path,
          exact: true
        })
    }
  }
}

/** Stubs of gRPC: a client that is made, and the methods that are called on it. */
export const grpcClients: Pass = {
  name: "grpc client",
  family: "clients",
  languages: ["go", "python", "java", "kotlin", "csharp", ...ecmascript],
  hints: ["Client(", "Stub(", "newBlockingStub", "newStub", "newFutureStub"],
  *read(source): Generator<LocalFact> {
    const { script } = source
    const clients = new Map<string, string>()
    for (const [name, bindings] of script.bindings())
      for (const { value } of bindings) {
        if (value?.kind !== "chain") continue
        const made = value.chain.parts.findLast(({ args }) => args !== undefined)
        const service =
          made === undefined
            ? undefined
            : (/^New([A-Z]\w*)Client$/.exec(made.name)?.[1] ??
              /^([A-Z]\w*)(?:Stub|ServiceClient)$/
                .exec(made.name)?.[1]
                ?.replace(/$/, made.name.endsWith("ServiceClient") ? "Service" : "") ??
              (/^new(?:Blocking|Future|)Stub$/.test(made.name)
                ? /^([A-Z]\w*)Grpc$/.exec(
                    value.chain.parts[value.chain.parts.indexOf(made) - 1]?.name ?? ""
                  )?.[1]
                : undefined) ??
              (/grpc/i.test(source.text) ? /^([A-Z]\w*)Client$/.exec(made.name)?.[1] : undefined))
        if (service !== undefined) clients.set(name, service)
      }
    if (clients.size === 0) return
    for (const { parts } of script.chains())
      for (const [index, part] of parts.entries()) {
        if (index === 0 || part.args === undefined) continue
        const base = parts[index - 1]!
        const service = base.args === undefined ? clients.get(base.name) : undefined
        if (service === undefined || /^(?:close|Close|waitForReady|with\w+)$/.test(part.name)) continue
        yield {
          kind: "note",
          pass: "grpc client",
          what: "consumer",
          name: `${service}/${part.name.replace(/^./, (c) => c.toUpperCase()).replace(/Async$/, "")}`,
          data: { protocol: "grpc", method: "rpc", url: "", exact: true },
          ...at(script, part.at)
        }
      }
  }
}

/** Operations that clients of GraphQL send. */
export const graphqlClients: Pass = {
  name: "graphql client",
  family: "clients",
  languages: [...ecmascript, "graphql", "python", "kotlin", "swift"],
  hints: ["query", "mutation", "subscription"],
  *read(source): Generator<LocalFact> {
    for (const found of source.code.matchAll(
      /(?:^|[`"'\s])(query|mutation|subscription)(?:\s+\w+)?\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*\{/g
    )) {
      if (source.language !== "graphql" && !/gql|graphql/i.test(source.text)) return
      let depth = 0
      let i = found.index + found[0].length
      let word = ""
      let wordAt = i
      for (; i < source.code.length; i++) {
        const c = source.code[i]!
        if (c === "{" || c === "(") {
          if (depth === 0 && word !== "" && c === "{") {
            yield* field(source, found[1]!, word, wordAt)
            word = ""
          }
          depth++
        } else if (c === "}" || c === ")") {
          if (depth === 0) break
          depth--
          if (depth === 0 && c === ")" && /^\s*[\n}]/.test(source.code.slice(i + 1)) && word !== "") {
            yield* field(source, found[1]!, word, wordAt)
            word = ""
          }
        } else if (depth === 0) {
          if (/\w/.test(c)) {
            if (word === "" || !/\w/.test(source.code[i - 1]!)) {
              if (word !== "" && !/\w/.test(source.code[i - 1]!))
                yield* field(source, found[1]!, word, wordAt)
              word = ""
              wordAt = i
            }
            word += c
          } else if (c === ":") word = ""
          else if (c === "." || c === "@" || c === "`") {
            if (c === "`") break
            word = ""
            while (/[\w.@]/.test(source.code[i + 1] ?? "")) i++
          }
        }
      }
      if (word !== "") yield* field(source, found[1]!, word, wordAt)
    }
  }
}
const graphqlWords = new Set([
  "type",
  "input",
  "enum",
  "schema",
  "extend",
  "interface",
  "union",
  "scalar",
  "fragment",
  "on"
])
function* field(source: Source, method: string, name: string, offset: number): Generator<LocalFact> {
  if (!/^[a-z_]\w*$/.test(name) || graphqlWords.has(name)) return
  yield {
    kind: "note",
    pass: "graphql client",
    what: "consumer",
    name,
    data: { protocol: "graphql", method, url: "", exact: true },
    ...source.at(offset)
  }
}

/** Web sockets that are opened, and events that are sent over Socket.IO. */
export const socketClients: Pass = {
  name: "websocket client",
  family: "clients",
  languages: ecmascript,
  hints: ["WebSocket(", "socket"],
  *read(source): Generator<LocalFact> {
    const io = /socket\.io-client/.test(source.text)
    for (const { parts } of source.script.chains()) {
      const [first, second] = parts
      if (first!.name === "WebSocket" && first!.args !== undefined) {
        const target = urlOf(first!.args[0]?.value)
        if (target !== undefined)
          yield {
            kind: "note",
            pass: "websocket client",
            what: "consumer",
            name: target.path,
            data: { protocol: "ws", method: "WS", url: target.url, exact: target.exact },
            ...at(source.script, first!.at)
          }
      }
      if (io && second?.name === "emit" && second.args !== undefined) {
        const event = textOf(second.args[0]?.value)
        if (event !== undefined)
          yield {
            kind: "note",
            pass: "websocket client",
            what: "consumer",
            name: event,
            data: { protocol: "ws", method: "message", url: "", exact: true },
            ...at(source.script, second.at)
          }
      }
    }
  }
}

export const clientPasses: ReadonlyArray<Pass> = [
  ecmascriptClients,
  pythonClients,
  goClients,
  otherClients,
  grpcClients,
  graphqlClients,
  socketClients
]
