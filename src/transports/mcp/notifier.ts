import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"

/** Sends what a session is told over its transport; what cannot be sent is an error of the transport and of nobody else. */
export const notifier =
  (transport: Transport) =>
  (notice: { readonly method: string; readonly params: object }): void => {
    transport.send({ jsonrpc: "2.0", method: notice.method, params: { ...notice.params } }).catch((cause) => {
      transport.onerror?.(new Error(`a notification could not be sent: ${String(cause)}`))
    })
  }
