/** The protocol as the agent context speaks it: one message a request, no session, no stream. */
import type { Fields, Tools } from "./Tools.ts"

/** Revisions that may be spoken; the last is offered to those who ask for another. */
export const versions = ["2025-03-26", "2025-06-18", "2025-11-25"] as const
export const newest = "2025-11-25"

export const instructions =
  "Short rows about this workspace: begin with context_profile, find with search_context, page with list_context. Refs stay the same; an answer says what it left out."

type Id = string | number

/** What a message is, once it is known to be one. */
export type Message =
  | { readonly tag: "request"; readonly id: Id; readonly method: string; readonly params: unknown }
  /** Something that gets no answer. */
  | { readonly tag: "silent" }
  | { readonly tag: "bad"; readonly id: Id | null; readonly why: string }

const mostId = 200
const mostMethod = 120
const mostName = 120
const mostVersion = 80

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is Id =>
  (typeof value === "string" && value.length <= mostId) ||
  (typeof value === "number" && Number.isFinite(value))

/** Reads one message. */
export const read = (body: unknown): Message => {
  const bad = (why: string, id: Id | null = null): Message => ({ tag: "bad", id, why })
  if (Array.isArray(body)) return bad("batches are not supported")
  if (!isRecord(body)) return bad("a message is a JSON object")
  const { id, jsonrpc, method, params } = body
  const known = isId(id) ? id : null
  if (jsonrpc !== "2.0") return bad('jsonrpc must be "2.0"', known)
  if ("id" in body && known === null)
    return bad(`id must be a text of at most ${mostId} characters or a finite number`)
  if (method === undefined)
    return known !== null && ("result" in body || "error" in body)
      ? { tag: "silent" }
      : bad("a message names a method or carries a result", known)
  if (typeof method !== "string" || method === "" || method.length > mostMethod)
    return bad(`method must be a text of 1 to ${mostMethod} characters`, known)
  return known === null ? { tag: "silent" } : { tag: "request", id: known, method, params }
}

interface RpcFault {
  readonly code: number
  readonly message: string
}

export type Reply = { readonly result: Fields } | { readonly error: RpcFault }

const invalid = (why: string): Reply => ({ error: { code: -32602, message: why } })

const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= most

const initialize = (params: unknown, version: string): Reply => {
  if (!isRecord(params)) return invalid("params must be an object")
  const { capabilities, clientInfo, protocolVersion } = params
  if (typeof protocolVersion !== "string") return invalid("params.protocolVersion must be a text")
  if (!isRecord(capabilities)) return invalid("params.capabilities must be an object")
  if (!isRecord(clientInfo)) return invalid("params.clientInfo must be an object")
  if (!isText(clientInfo["name"], mostName))
    return invalid(`params.clientInfo.name must be a text of 1 to ${mostName} characters`)
  if (!isText(clientInfo["version"], mostVersion))
    return invalid(`params.clientInfo.version must be a text of 1 to ${mostVersion} characters`)
  return {
    result: {
      protocolVersion: versions.find((known) => known === protocolVersion) ?? newest,
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: "portico", version },
      instructions
    }
  }
}

/** Answers a request. Rejects only on a fault of our own, or when the caller went away. */
export const answer = async (
  method: string,
  params: unknown,
  { tools, version }: { readonly tools: Tools; readonly version: string }
): Promise<Reply> => {
  if (params !== undefined && !isRecord(params)) return invalid("params must be an object")
  switch (method) {
    case "initialize":
      return initialize(params, version)
    case "ping":
      return { result: {} }
    case "tools/list":
      return params?.["cursor"] === undefined
        ? { result: { tools: tools.list() } }
        : invalid("params.cursor is of no list of this server: all tools are on one page")
    case "tools/call": {
      const { arguments: args = {}, name } = params ?? {}
      if (!isText(name, mostName)) return invalid(`params.name must be a text of 1 to ${mostName} characters`)
      if (!isRecord(args)) return invalid("params.arguments must be an object")
      const result = await tools.call(name, args)
      return result === undefined ? invalid(`there is no tool ${JSON.stringify(name)}`) : { result }
    }
    default:
      return { error: { code: -32601, message: `${method} is not served` } }
  }
}
