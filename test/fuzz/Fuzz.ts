/** Many requests to a running server, and what came of them. */
import { Agent } from "node:http"
import { type Answer, send, wrong } from "./Exchange.ts"
import { type JsonObject, type Made, Requests, targetsOf, type Words } from "./Requests.ts"

export interface Finding {
  readonly what: string
  readonly request: Pick<Made, "method" | "path" | "headers" | "body" | "twists">
}

export interface Report {
  readonly requests: number
  /** Answers by method, path and status. */
  readonly answers: { readonly [route: string]: { readonly [status: string]: number } }
  readonly findings: ReadonlyArray<Finding>
}

export interface FuzzOptions {
  readonly url: string
  readonly requests: number
  readonly seed: number
  readonly tokens: ReadonlyArray<string>
  readonly parallel?: number
}

/** What a server that is asked for it says it has. */
const wordsOf = async (url: string, token: string): Promise<Words["tools"]> => {
  const response = await fetch(`${url}/api/cos/tools`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`the catalog cannot be had: ${response.status}`)
  const { tools } = (await response.json()) as {
    readonly tools: ReadonlyArray<{
      readonly name: string
      readonly input_schema: JsonObject
      readonly available: boolean
    }>
  }
  return tools.map(({ available, input_schema, name }) => ({ name, schema: input_schema, available }))
}

/** Reads what the server says of itself and sends requests made from it. */
export const fuzz = async ({ parallel = 4, requests, seed, tokens, url }: FuzzOptions): Promise<Report> => {
  const token = tokens[0] as string
  const document = (await (
    await fetch(`${url}/api/api-docs/internal/openapi.json`, {
      headers: { authorization: `Bearer ${token}` }
    })
  ).json()) as JsonObject
  const ids: Array<string> = []
  const sessions: Array<string> = []
  const source = new Requests(
    targetsOf(document),
    { tools: await wordsOf(url, token), ids, sessions, tokens },
    seed
  )
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  const answers: { [route: string]: { [status: string]: number } } = {}
  const findings: Array<Finding> = []
  const note = (made: Made, what: string) => {
    const { body, headers, method, path, twists } = made
    findings.push({ what, request: { method, path, headers, body, twists } })
  }
  const remember = ({ session, text }: Answer) => {
    if (session !== undefined && sessions.length < 50 && !sessions.includes(session)) sessions.push(session)
    for (const [, id] of text.matchAll(/"(?:requestId|id|reference)":\s*"([\w:.-]{4,80})"/g))
      if (!ids.includes(id as string)) ids.push(id as string)
    // The newest of each kind, so that neither crowds the other out.
    for (const job of [true, false]) {
      const kind = ids.filter((id) => id.startsWith("job_") === job)
      for (const id of kind.slice(0, Math.max(0, kind.length - 40))) ids.splice(ids.indexOf(id), 1)
    }
  }
  let left = requests
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const made = source.next()
      try {
        const answer = await send(url, made, agent)
        const route = `${made.target.method} ${made.target.template}`
        const counts = (answers[route] ??= {})
        counts[answer.status] = (counts[answer.status] ?? 0) + 1
        remember(answer)
        const what = wrong(made, answer)
        if (what !== undefined) note(made, what)
      } catch (cause) {
        note(made, `no answer: ${cause instanceof Error ? cause.message : String(cause)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  agent.destroy()
  return { requests, answers, findings }
}
