/** An error of the protocol. The library's own class would write the code into the message as well. */
import type { ErrorCode } from "@modelcontextprotocol/sdk/types.js"

export class Refusal extends Error {
  readonly code: ErrorCode
  readonly data: unknown
  constructor(code: ErrorCode, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
