/** The head of a request, as the guard looks at it. */
import type { IncomingMessage } from "node:http"
import type { Head } from "./Guard.ts"

export const headOf = ({ headers, socket }: IncomingMessage): Head => ({
  peer: socket.remoteAddress,
  host: headers.host,
  origin: headers.origin,
  authorization: headers.authorization
})
