/** Contracts: what one part of the code promises to others, and what others rely on; and which of them belong together. */
import type { FactReading } from "../../../services/FrameworkFacts.ts"
import { text } from "./Facts.ts"

export const contractTypes = [
  "http",
  "grpc",
  "thrift",
  "graphql",
  "topic",
  "ws",
  "env",
  "openapi",
  "dependency"
] as const
export type ContractType = (typeof contractTypes)[number]

export interface Contract {
  /** Type, method and normalised name: the same for all parties of one contract. */
  readonly key: string
  readonly type: ContractType
  readonly role: "provider" | "consumer"
  readonly method: string
  /** Path, service and method, field, topic, variable or package as it is written. */
  readonly name: string
  readonly framework: string
  readonly repository: string
  readonly symbol: string
  readonly file: string
  readonly line: number
  /** resolved: written out. inferred: a part is computed. */
  readonly tier: "resolved" | "inferred"
  /** What else is known: a version, a source, an operation's id. */
  readonly detail: { readonly [key: string]: unknown }
  /** A consumer whose host is computed may leave out what its paths begin with. */
  readonly relative: boolean
}

/** Parameters of all ways to write them as `{}`, no slash at the end. */
export const templateOf = (path: string): string => {
  const plain = path
    .replace(/\?.*$/, "")
    .replace(/\(\?:?P?<\w+>[^)]*\)/g, "{}")
    .replace(/<[^<>]*>/g, "{}")
    .replace(/\{[^{}]*\}/g, "{}")
    .replace(/\[\[?\.{0,3}[\w-]+\]?\]/g, "{}")
    .replace(/(^|\/)[:*]\w*\??(?:\([^)]*\))?/g, "$1{}")
    .replace(/\$\{?\w+\}?/g, "{}")
    .replace(/\/{2,}/g, "/")
    .replace(/(.)\/+$/, "$1")
  return plain === "" ? "/" : plain
}

/** All contracts of a reading, tests left out. */
export const contractsOf = (reading: FactReading): ReadonlyArray<Contract> => {
  const out: Array<Contract> = []
  for (const route of reading.routes) {
    if (route.test) continue
    const type = route.protocol as ContractType
    if (!contractTypes.includes(type)) continue
    const http = type === "http"
    out.push({
      key: `${type}::${route.method}::${http || type === "ws" ? templateOf(route.path) : route.path}`,
      type,
      role: type === "topic" ? "consumer" : "provider",
      method: route.method,
      name: route.path,
      framework: route.pass,
      repository: route.repository,
      symbol: route.handler.id ?? route.handler.name,
      file: route.file,
      line: route.line,
      tier: route.tier,
      detail: {},
      relative: false
    })
  }
  for (const note of reading.notes) {
    if (note.test) continue
    const base = {
      framework: note.pass,
      repository: note.repository,
      symbol: note.within,
      file: note.file,
      line: note.line,
      detail: {},
      relative: false,
      tier: "resolved" as const,
      name: note.name
    }
    if (note.what === "consumer") {
      const type = text(note, "protocol") as ContractType
      const path =
        type === "http" || (type === "ws" && note.name.startsWith("/")) ? templateOf(note.name) : note.name
      const url = text(note, "url")
      out.push({
        ...base,
        key: `${type}::${text(note, "method")}::${path}`,
        type,
        role: "consumer",
        method: text(note, "method"),
        tier: note.data["exact"] === true ? "resolved" : "inferred",
        detail: url === "" ? {} : { url },
        relative: type === "http" && !/^[a-z]+:\/\/[^{]/i.test(url)
      })
    } else if (note.what === "topic") {
      const publish = text(note, "role") === "publish"
      out.push({
        ...base,
        key: `topic::${note.name}`,
        type: "topic",
        role: publish ? "provider" : "consumer",
        method: publish ? "publish" : "subscribe",
        detail: { transport: text(note, "transport") }
      })
    } else if (note.what === "env" && note.data["write"] !== true)
      out.push({ ...base, key: `env::${note.name}`, type: "env", role: "consumer", method: "read" })
    else if (note.what === "env_set")
      out.push({ ...base, key: `env::${note.name}`, type: "env", role: "provider", method: "set" })
    else if (note.what === "openapi") {
      const whole = `${text(note, "server")}${note.name}`
      out.push({
        ...base,
        key: `openapi::${text(note, "method")}::${templateOf(whole)}`,
        type: "openapi",
        role: "provider",
        method: text(note, "method"),
        name: whole,
        detail: { operation_id: text(note, "operation_id"), path: note.name }
      })
    } else if (note.what === "package")
      out.push({
        ...base,
        key: `dependency::${text(note, "ecosystem")}::${note.name}`,
        type: "dependency",
        role: "provider",
        method: text(note, "ecosystem"),
        detail: { version: text(note, "version") }
      })
    else if (note.what === "dependency")
      out.push({
        ...base,
        key: `dependency::${text(note, "ecosystem")}::${note.name}`,
        type: "dependency",
        role: "consumer",
        method: text(note, "ecosystem"),
        detail: { version: text(note, "version"), scope: text(note, "scope") }
      })
  }
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  // What a schema and its code both promise is one promise of that file and line.
  const seen = new Set<string>()
  return out
    .filter((each) => {
      const id = `${each.key}\0${each.role}\0${each.file}\0${each.line}`
      if (seen.has(id)) return false
      seen.add(id)
      return true
    })
    .sort(
      (a, b) => compare(a.key, b.key) || compare(a.role, b.role) || compare(a.file, b.file) || a.line - b.line
    )
}

/** Variables that the system sets, and not the application. */
const ambient =
  /^(?:HOME|PATH|USER|PWD|SHELL|TERM|LANG|LC_\w+|TMPDIR|TEMP|TMP|HOSTNAME|CI|NODE_ENV|XDG_\w+|EDITOR|VISUAL|DISPLAY|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|GOPATH|GOROOT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES|SYSTEMROOT|BASH_\w+|OSTYPE|UID|PPID|SHLVL|RANDOM|IFS|PS1|KUBERNETES_\w+|GITHUB_\w+|PYTHONPATH|VIRTUAL_ENV|DEBUG|COLORTERM|GITLAB_\w+|CARGO_\w+|OUT_DIR)$/

export interface Match {
  readonly provider: Contract
  readonly consumers: ReadonlyArray<{
    readonly contract: Contract
    readonly tier: "resolved" | "inferred" /** What differs though both belong together. */
    readonly drift?: string
  }>
}
export interface Matching {
  readonly matched: ReadonlyArray<Match>
  readonly orphanProviders: ReadonlyArray<Contract>
  readonly orphanConsumers: ReadonlyArray<Contract>
}

const segmentsOf = (contract: Contract): ReadonlyArray<string> =>
  templateOf(contract.name)
    .split("/")
    .filter((segment) => segment !== "")

/** How well a consumer's path fits a provider's: equal, a value for a parameter, or only its end; -1 not at all. */
const fitOf = (provider: Contract, consumer: Contract): number => {
  const a = segmentsOf(provider)
  const b = segmentsOf(consumer)
  if (b.length > a.length || (b.length < a.length && (!consumer.relative || b.length === 0))) return -1
  const from = a.length - b.length
  let literal = 0
  for (let i = 0; i < b.length; i++) {
    const own = a[from + i]!
    const other = b[i]!
    if (own === other) literal += own === "{}" ? 1 : 2
    else if (own === "{}" && other !== "{}") literal += 1
    else if (
      own.includes("{}") &&
      new RegExp(`^${own.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll("{}", "[^/]+")}$`).test(other)
    )
      literal += 1
    else return -1
  }
  // The end of a path of one parameter alone would fit everywhere.
  if (from > 0 && !b.some((segment) => segment !== "{}")) return -1
  return from === 0 ? 1000 + literal : literal
}

const methodFits = (provider: Contract, consumer: Contract): boolean =>
  provider.method === "ANY" ||
  provider.method === consumer.method ||
  (provider.method === "GET" && consumer.method === "HEAD")

/** The name of a remote procedure without its package. */
const bareRpc = (name: string): string => name.slice(name.lastIndexOf(".", name.indexOf("/")) + 1)

const majorOf = (version: string): string | undefined => /(\d+)/.exec(version)?.[1]

/** Puts providers and consumers together. */
export const match = (contracts: ReadonlyArray<Contract>): Matching => {
  const consumersOf = new Map<Contract, Array<Match["consumers"][number]>>()
  const orphanConsumers: Array<Contract> = []
  const providers = contracts.filter(({ role }) => role === "provider")
  const consumers = contracts.filter(({ role }) => role === "consumer")
  const exact = new Map<string, Array<Contract>>()
  for (const provider of providers) {
    const key =
      provider.type === "grpc" || provider.type === "thrift"
        ? `${provider.type}::${bareRpc(provider.name).toLowerCase()}`
        : provider.type === "graphql" ||
            provider.type === "topic" ||
            provider.type === "env" ||
            provider.type === "dependency"
          ? `${provider.type}::${provider.type === "graphql" ? `${provider.method}::` : provider.type === "dependency" ? `${provider.method}::` : ""}${provider.name}`
          : ""
    if (key !== "") exact.set(key, [...(exact.get(key) ?? []), provider])
  }
  const put = (provider: Contract, contract: Contract, tier: "resolved" | "inferred", drift?: string) => {
    const list = consumersOf.get(provider) ?? []
    list.push({ contract, tier, ...(drift === undefined ? {} : { drift }) })
    consumersOf.set(provider, list)
  }
  const paths = providers.filter(({ type }) => type === "http" || type === "ws")
  for (const consumer of consumers) {
    if (consumer.type === "http" || consumer.type === "ws") {
      const fits = paths
        .filter(({ type }) => type === consumer.type)
        .map((provider) => ({ provider, fit: fitOf(provider, consumer) }))
        .filter(({ fit }) => fit >= 0)
      const best = Math.max(
        -1,
        ...fits.filter(({ provider }) => methodFits(provider, consumer)).map(({ fit }) => fit)
      )
      if (best < 0) {
        orphanConsumers.push(consumer)
        continue
      }
      // A path that only ends alike says little when several do.
      const chosen = fits.filter(({ fit, provider }) => fit === best && methodFits(provider, consumer))
      for (const { provider } of chosen)
        put(
          provider,
          consumer,
          best >= 1000 && consumer.tier === "resolved" && provider.tier === "resolved" && chosen.length === 1
            ? "resolved"
            : best >= 1000
              ? chosen.length === 1
                ? "resolved"
                : "inferred"
              : "inferred"
        )
      continue
    }
    const key =
      consumer.type === "grpc" || consumer.type === "thrift"
        ? `${consumer.type}::${bareRpc(consumer.name).toLowerCase()}`
        : consumer.type === "graphql" || consumer.type === "dependency"
          ? `${consumer.type}::${consumer.method}::${consumer.name}`
          : `${consumer.type}::${consumer.name}`
    let found = exact.get(key) ?? []
    let tier: "resolved" | "inferred" = "resolved"
    if (found.length === 0 && consumer.type === "topic")
      if (/[*>#+]/.test(consumer.name)) {
        // Wildcards of subjects and routing keys.
        const pattern = new RegExp(
          `^${consumer.name
            .replace(/[.^$()|[\]\\{}?]/g, "\\$&")
            .replace(/\*|(?<=^|\/)\+(?=\/|$)/g, "[^./]+")
            .replace(/[>#]/g, ".*")}$`
        )
        found = providers.filter(({ name, type }) => type === "topic" && pattern.test(name))
        tier = "inferred"
      }
    if (found.length === 0) orphanConsumers.push(consumer)
    for (const provider of found) {
      const drift =
        consumer.type === "dependency" &&
        majorOf(String(consumer.detail["version"] ?? "")) !== undefined &&
        majorOf(String(provider.detail["version"] ?? "")) !== undefined &&
        majorOf(String(consumer.detail["version"])) !== majorOf(String(provider.detail["version"])) &&
        !/workspace|file:|link:|\*/.test(String(consumer.detail["version"]))
          ? `asks for ${String(consumer.detail["version"])}, the workspace has ${String(provider.detail["version"])}`
          : undefined
      put(provider, consumer, tier, drift)
    }
  }
  const matched = providers.flatMap((provider) => {
    const own = consumersOf.get(provider)
    return own === undefined ? [] : [{ provider, consumers: own }]
  })
  return {
    matched,
    orphanProviders: providers.filter((provider) => !consumersOf.has(provider)),
    orphanConsumers
  }
}

export interface Issue {
  readonly severity: "error" | "warning" | "info"
  readonly rule: string
  readonly message: string
  readonly contract: Contract
  readonly others: ReadonlyArray<Contract>
}

/** What is wrong or worth a look. */
export const validate = (
  contracts: ReadonlyArray<Contract>,
  { matched, orphanConsumers, orphanProviders }: Matching
): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const add = (
    severity: Issue["severity"],
    rule: string,
    message: string,
    contract: Contract,
    others: ReadonlyArray<Contract> = []
  ) => issues.push({ severity, rule, message, contract, others })
  const routes = contracts.filter(({ role, type }) => type === "http" && role === "provider")
  for (const consumer of orphanConsumers) {
    if (consumer.type === "http") {
      const other = routes.filter((provider) => fitOf(provider, consumer) >= 1000)
      if (other.length > 0)
        add(
          "error",
          "method_mismatch",
          `${consumer.method} ${consumer.name} is called; the route answers ${[...new Set(other.map(({ method }) => method))].sort().join(", ")}`,
          consumer,
          other
        )
      else if (consumer.relative)
        add(
          "warning",
          "no_provider",
          `nothing in this workspace answers ${consumer.method} ${consumer.name}`,
          consumer
        )
    } else if (
      consumer.type === "grpc" ||
      consumer.type === "graphql" ||
      consumer.type === "thrift" ||
      consumer.type === "ws"
    )
      add("warning", "no_provider", `nothing in this workspace offers ${consumer.name}`, consumer)
    else if (consumer.type === "topic")
      add("warning", "no_publisher", `nothing in this workspace publishes to ${consumer.name}`, consumer)
    else if (
      consumer.type === "env" &&
      !ambient.test(consumer.name) &&
      contracts.some(
        (each) => each.type === "env" && each.role === "provider" && each.repository === consumer.repository
      )
    )
      add(
        "info",
        "unset_variable",
        `${consumer.name} is read and set in no environment file of its repository`,
        consumer
      )
  }
  for (const provider of orphanProviders)
    if (provider.type === "topic")
      add("info", "no_subscriber", `nothing in this workspace is subscribed to ${provider.name}`, provider)
  const byKey = new Map<string, Array<Contract>>()
  for (const route of routes)
    byKey.set(`${route.repository}\0${route.key}`, [
      ...(byKey.get(`${route.repository}\0${route.key}`) ?? []),
      route
    ])
  for (const [, same] of byKey) {
    const handlers = new Set(same.map(({ file, line, symbol }) => `${symbol}@${file}:${line}`))
    const inOne = new Set(same.map(({ file }) => file.split("/").slice(0, 1).join("/")))
    if (handlers.size > 1 && inOne.size === 1 && new Set(same.map(({ framework }) => framework)).size === 1)
      add(
        "warning",
        "duplicate_route",
        `${same[0]!.method} ${same[0]!.name} is answered in ${handlers.size} places`,
        same[0]!,
        same.slice(1)
      )
  }
  const specified = contracts.filter(({ type }) => type === "openapi")
  const bySpec = new Set<string>()
  for (const operation of specified) {
    const own = routes.filter((route) => route.repository === operation.repository)
    const candidates = own.length > 0 ? own : routes
    const found = candidates.filter(
      (route) =>
        methodFits(route, operation) &&
        (templateOf(route.name) === templateOf(operation.name) ||
          templateOf(route.name).endsWith(templateOf(String(operation.detail["path"]))))
    )
    if (found.length === 0 && candidates.length > 0) {
      const path = candidates.filter((route) => templateOf(route.name) === templateOf(operation.name))
      add(
        "error",
        "unimplemented_operation",
        path.length > 0
          ? `${operation.method} ${operation.name} is specified; the route answers ${[...new Set(path.map(({ method }) => method))].sort().join(", ")}`
          : `${operation.method} ${operation.name} is specified and no route answers it`,
        operation,
        path
      )
    }
    for (const route of found) {
      bySpec.add(`${route.file}:${route.line}:${route.method}`)
      const names = (path: string): ReadonlyArray<string> =>
        [...path.matchAll(/[:{<](?:\w+:)?(\w+)/g)].map(([, name]) => name!)
      const a = names(operation.name)
      const b = names(route.name).slice(-a.length)
      if (a.length > 0 && a.length === b.length && a.some((name, i) => name !== b[i]))
        add(
          "info",
          "parameter_names",
          `${operation.method} ${operation.name}: the route calls its parameters ${b.join(", ")}`,
          operation,
          [route]
        )
    }
  }
  const documented = new Set(specified.map(({ repository }) => repository))
  for (const route of routes)
    if (documented.has(route.repository) && !bySpec.has(`${route.file}:${route.line}:${route.method}`))
      add(
        "info",
        "undocumented_route",
        `${route.method} ${route.name} is in no specification of its repository`,
        route
      )
  for (const { consumers, provider } of matched)
    for (const { contract, drift } of consumers)
      if (drift !== undefined)
        add("warning", "version_drift", `${contract.name}: ${drift}`, contract, [provider])
  const rank = { error: 0, warning: 1, info: 2 }
  return issues.sort(
    (a, b) =>
      rank[a.severity] - rank[b.severity] ||
      (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
      (a.contract.file < b.contract.file
        ? -1
        : a.contract.file > b.contract.file
          ? 1
          : a.contract.line - b.contract.line)
  )
}
