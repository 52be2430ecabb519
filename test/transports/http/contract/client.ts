/** A client of the tool contract. */

/** Who shows which token. */
export type Who = "caller" | "approver" | "nobody"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The body is whatever the test expects it to be.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export type Extra = Record<string, string>

export interface Client {
  readonly get: (path: string, who?: Who, headers?: Extra) => Promise<Answer>
  /** The whole text a path answers with. */
  readonly text: (path: string) => Promise<string>
  readonly post: (path: string, body: unknown, who?: Who, headers?: Extra) => Promise<Answer>
  /** Calls a tool. */
  readonly call: (
    name: string,
    args: object,
    more?: { readonly who?: Who; readonly id?: string; readonly headers?: Extra }
  ) => Promise<Answer>
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : (JSON.parse(text) as unknown)
  }
}

let ids = 0
/** An id that no other call of the tests has. */
export const newId = (): string => `id-${process.pid}-${++ids}`

/** Requests to a server at an address, with these tokens. */
export const clientOf = (url: string, tokens: { readonly [W in Exclude<Who, "nobody">]: string }): Client => {
  const bearer = (who: Who): Extra => (who === "nobody" ? {} : { authorization: `Bearer ${tokens[who]}` })
  const post: Client["post"] = async (path, body, who = "caller", headers = {}) =>
    answerOf(
      await fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...bearer(who), ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      })
    )
  return {
    get: async (path, who = "caller", headers = {}) =>
      answerOf(await fetch(url + path, { headers: { ...bearer(who), ...headers } })),
    text: async (path) => (await fetch(url + path, { headers: bearer("caller") })).text(),
    post,
    call: (name, args, { headers = {}, id = newId(), who = "caller" } = {}) =>
      post("/api/cos/tools/call", { requestId: id, name, arguments: args }, who, headers)
  }
}
