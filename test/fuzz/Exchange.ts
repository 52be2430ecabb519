/** One request over the wire, and what is to be held of its answer. */
import AjvDraft4 from "ajv-draft-04"
import { type Agent, request } from "node:http"
import type { JsonObject, Made, Target } from "./Requests.ts"

export interface Answer {
  readonly status: number
  readonly type: string
  /** Of a stream, only what came with its head. */
  readonly text: string
  /** The session it opened or belongs to. */
  readonly session?: string | undefined
}

const patience = 60_000

/** Sends a request. Fails when there is no answer, which is a finding too. */
export const send = (url: string, made: Made, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request(
      {
        agent,
        hostname,
        port,
        method: made.method,
        path: made.path,
        headers: {
          ...made.headers,
          ...(made.body === undefined ? {} : { "content-length": Buffer.byteLength(made.body) })
        }
      },
      (response) => {
        const type = response.headers["content-type"] ?? ""
        const session = response.headers["mcp-session-id"]
        const answer = (text: string) =>
          resolve({
            status: response.statusCode ?? 0,
            type,
            text,
            session: typeof session === "string" ? session : undefined
          })
        // A stream may stay open for ever.
        if (type.startsWith("text/event-stream")) {
          answer("")
          response.on("error", () => {})
          return void sent.destroy()
        }
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (part: string) => {
          text += part
        })
        response.on("end", () => answer(text))
        response.on("error", reject)
      }
    )
    sent.setTimeout(patience, () => void sent.destroy(new Error(`no answer within ${patience} ms`)))
    sent.on("error", reject)
    sent.end(made.body)
  })

/** OpenAPI 3.0 lets null in by a word of its own. */
const nullAware = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(nullAware)
  if (typeof node !== "object" || node === null) return node
  const { nullable, ...rest } = node as JsonObject
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, nullAware(value)]))
  return nullable === true ? { anyOf: [inner, { enum: [null] }] } : inner
}

type Check = ((value: unknown) => boolean) & { readonly errors?: ReadonlyArray<unknown> | null }

const checks = new WeakMap<JsonObject, Check>()

const checkOf = (schema: JsonObject): Check => {
  let check = checks.get(schema)
  if (check === undefined) {
    const ajv = new (AjvDraft4 as unknown as typeof AjvDraft4.default)({
      strict: false,
      validateFormats: false
    })
    checks.set(schema, (check = ajv.compile(nullAware(schema) as object) as unknown as Check))
  }
  return check
}

/** Whether a request went to the operation it was made for. */
const reaches = ({ method, target, twists }: Made): boolean =>
  method === target.method && !twists.includes("another path") && !twists.includes("raw text in the address")

const bodiless = (made: Made, { status }: Answer): boolean =>
  made.method === "HEAD" || status === 204 || status === 304

/** What is wrong with an answer; undefined when nothing is. */
export const wrong = (made: Made, answer: Answer): string | undefined => {
  if (answer.status >= 500) return `${answer.status}: ${answer.text.slice(0, 300)}`
  if (!reaches(made) || bodiless(made, answer)) return undefined
  const { answers }: Target = made.target
  const schema = answers[`${answer.status}`]
  if (schema === undefined) return `${answer.status} is not declared: ${answer.text.slice(0, 300)}`
  if (schema === null || !answer.type.startsWith("application/json")) return undefined
  let value: unknown
  try {
    value = JSON.parse(answer.text)
  } catch {
    return `${answer.status} with a body that is not JSON: ${answer.text.slice(0, 300)}`
  }
  const said = (value as { readonly error?: unknown } | null)?.error
  if (typeof said === "string" && /^$|^undefined$|\[object /.test(said))
    return `${answer.status} without a word on what is wrong: ${answer.text.slice(0, 300)}`
  const check = checkOf(schema)
  return check(value)
    ? undefined
    : `${answer.status} with a body of another shape: ${JSON.stringify(check.errors).slice(0, 300)} ${answer.text.slice(0, 300)}`
}
