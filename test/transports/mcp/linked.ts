/** A connection in this process, and the protocol library's own client at its other end. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { PassThrough } from "node:stream"
import type { Engine } from "../../../src/pipeline/Engine.ts"
import { serialize } from "../../../src/pipeline/ResultText.ts"
import type { Principal } from "../../../src/policy/Principal.ts"
import { parse, select } from "../../../src/surface/Selection.ts"
import { roster } from "../../../src/surface/Tools.ts"
import { connect } from "../../../src/transports/mcp/Connection.ts"
import { StdioTransport } from "../../../src/transports/mcp/Stdio.ts"

/** The client's end of two streams. */
class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>
  onclose?: () => void
  readonly input = new PassThrough()
  /** Every message that came. */
  readonly seen: Array<JSONRPCMessage> = []
  readonly #change: (message: JSONRPCMessage) => JSONRPCMessage

  constructor(change: (message: JSONRPCMessage) => JSONRPCMessage) {
    this.#change = change
  }

  /** Takes what the server writes. */
  readonly write = ((text: string, done?: () => void) => {
    for (const line of text.split("\n"))
      if (line !== "") {
        const message = JSON.parse(line) as JSONRPCMessage
        this.seen.push(message)
        setImmediate(() => this.onmessage?.(message))
      }
    done?.()
    return true
  }) as never

  async start(): Promise<void> {}
  async send(message: JSONRPCMessage): Promise<void> {
    this.input.write(`${JSON.stringify(this.#change(message))}\n`)
  }
  async close(): Promise<void> {
    this.onclose?.()
  }
}

export interface Linked {
  readonly client: Client
  /** Every message the server sent. */
  readonly seen: ReadonlyArray<JSONRPCMessage>
  readonly close: () => Promise<void>
}

/** Opens a session of a client with an engine. */
export const linked = async (
  engine: Engine,
  options: {
    readonly principal?: Principal
    /** The revision the client speaks; the library's newest when absent. */
    readonly revision?: string
    readonly tools?: string
    readonly session?: string
  } = {}
): Promise<Linked> => {
  const { principal, revision, session = "linked", tools } = options
  const line = new LineTransport((message) =>
    revision !== undefined && "method" in message && message.method === "initialize"
      ? { ...message, params: { ...message.params, protocolVersion: revision } }
      : message
  )
  engine.openSession(session)
  const served = await connect(
    new StdioTransport(line.input, line.write),
    {
      version: "0",
      instructions: "the guidance",
      tools: roster,
      select: (client) =>
        tools === undefined ? select({ client }) : { ...parse(tools), source: "client" as const },
      engine: async () => engine,
      session,
      onQuiet: () => {},
      ...(principal === undefined ? {} : { principal })
    },
    serialize
  )
  const client = new Client({ name: "claude-code", version: "1" })
  await client.connect(line)
  return {
    client,
    seen: line.seen,
    close: async () => {
      await served.close()
      engine.closeSession(session)
      await client.close()
    }
  }
}
