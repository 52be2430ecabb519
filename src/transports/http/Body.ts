/** The body of a request, read without the platform. */
import type { IncomingMessage } from "node:http"

/**
 * Reads a body as text; undefined when it has more than so many bytes. The rest is read and dropped then: closed under
 * it, a connection would be reset, and the client would not see why. Rejects when the client hangs up.
 */
export const readText = (request: IncomingMessage, mostBytes: number): Promise<string | undefined> =>
  new Promise((done, failed) => {
    const parts: Array<Buffer> = []
    let bytes = 0
    request.on("data", (part: Buffer) => {
      bytes += part.length
      if (bytes <= mostBytes) parts.push(part)
      else done(undefined)
    })
    request.on("end", () =>
      done((parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString("utf8"))
    )
    request.on("error", failed)
    request.on("aborted", () => failed(new Error("the client hung up")))
  })
