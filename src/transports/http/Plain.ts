/** Responses that are there as a whole, whatever writes them: those of the guard, the door and the contract are. */
import type { ServerResponse } from "node:http"
import type { Refused } from "./Guard.ts"

export interface Plain {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A value as JSON, which nobody on the way keeps. */
export const json = (
  status: number,
  value: object,
  headers: { readonly [name: string]: string } = {}
): Plain => jsonText(status, JSON.stringify(value), headers)

/** The same of its text. */
export const jsonText = (
  status: number,
  body: string,
  headers: { readonly [name: string]: string } = {}
): Plain => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body
})

/** What every failure of ours comes as. */
export const failureOf = (
  status: number,
  code: string,
  message: string,
  more: {
    readonly context?: { readonly [key: string]: unknown } | undefined
    readonly headers?: { readonly [name: string]: string } | undefined
  } = {}
): Plain =>
  json(
    status,
    {
      error: message,
      code,
      timestamp: Date.now(),
      ...(more.context === undefined ? {} : { context: more.context })
    },
    more.headers
  )

/** What a request gets that is not let in. */
export const refusalOf = ({ code, message, status }: Refused): Plain =>
  failureOf(status, code, message, {
    headers: status === 401 ? { "www-authenticate": 'Bearer realm="portico"' } : {}
  })

/** Sends a response whose head has not been sent. */
export const write = (response: ServerResponse, { body, headers, status }: Plain): void => {
  response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) })
  response.end(body)
}
