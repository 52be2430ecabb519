/** Refusals of an HTTP request in the protocol's own form. */

/** An error that answers no request in particular. */
export const rpcError = (
  status: number,
  code: number,
  message: string,
  more: {
    readonly data?: { readonly [key: string]: unknown }
    readonly headers?: { readonly [name: string]: string }
    readonly id?: string | number
  } = {}
): Response =>
  new Response(
    JSON.stringify({
      jsonrpc: "2.0",
      id: more.id ?? null,
      error: { code, message, ...(more.data === undefined ? {} : { data: more.data }) }
    }),
    { status, headers: { "content-type": "application/json", "cache-control": "no-store", ...more.headers } }
  )
