// Answers the protocol's opening over HTTP with fixed texts: what a start costs before a server does anything of its own.
import { createServer } from "node:http"

const tools = JSON.parse(process.env.BARE_TOOLS ?? "[]")
const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part) => (text += part))
  request.on("end", () => {
    const { id, method } = JSON.parse(text === "" ? "{}" : text)
    if (id === undefined) return void response.writeHead(202).end()
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "bare", version: "1" } }
        : method === "tools/list"
          ? { tools }
          : {}
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "bare" })
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
  })
})
server.listen(0, "127.0.0.1", () => console.log(`serves on http://127.0.0.1:${server.address().port}`))
process.once("SIGTERM", () => process.exit(0))
