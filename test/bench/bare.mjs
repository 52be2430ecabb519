// Answers the protocol's opening with fixed texts: what a start costs before a server does anything of its own.
import { createInterface } from "node:readline"

const tools = JSON.parse(process.env.BARE_TOOLS ?? "[]")
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result =
    method === "initialize"
      ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "bare", version: "1" } }
      : method === "tools/list"
        ? { tools }
        : {}
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`)
})
