/** Sessions that are told of changes without asking. */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it, onTestFinished } from "vitest"
import { eventsOf, HttpServer, messageOf } from "./http_server.ts"
import { build, folder, type Message, Server } from "./server.ts"

beforeAll(build, 120_000)

const files = {
  "src/a.ts": "export const a = 1\n",
  "src/b.ts": "export const b = 2\n",
  "lib/c.ts": "export const c = 3\n"
}
const invalidated = "notifications/graph_invalidated"
const readiness = "notifications/workspace_readiness"
const paths = ({ params }: Message): ReadonlyArray<string> =>
  params.files.map(({ kind, path }: { kind: string; path: string }) => `${kind} ${path}`)

it("over stdio: what changes below a path, once, until the channel is left", async () => {
  const directory = folder(files)
  const put = (path: string, text: string) => writeFileSync(join(directory, path), text)
  const server = new Server(directory)
  await server.open()
  const session = async (operation: string, more: object) =>
    (await server.call("session", { operation, ...more })).result.structuredContent
  const told = (method: string) => server.messages.filter((message) => message.method === method)

  const joined = await session("subscribe", {
    channel: "graph_invalidated",
    arguments: { path_prefix: "./src/./" }
  })
  expect(joined).toMatchObject({ subscribed: true, subscribers: 1, method: invalidated, path_prefix: "src" })
  expect(joined.session_id).toBeTypeOf("string")
  put("lib/c.ts", "export const c = 4\n")
  put("src/a.ts", "export const a = 5\n")
  put("src/d.ts", "export const d = 6\n")
  rmSync(join(directory, "src/b.ts"))
  const seen = () => told(invalidated).flatMap(paths).sort()
  await server.until(() => seen().length >= 3)
  expect(seen()).toEqual(["added src/d.ts", "modified src/a.ts", "removed src/b.ts"])

  await session("subscribe", { channel: "workspace_readiness" })
  const ready = await server.until(({ method, params }) => method === readiness && params.ready === true)
  expect(ready.params).toMatchObject({
    phase: "ready",
    listed_files: 3,
    indexed_files: 3,
    symbols: 3,
    initial_replay: true
  })
  expect(told(invalidated).at(-1)!.params).toMatchObject({ reason: "files_changed", node_count: 3 })

  expect(await session("unsubscribe", { channel: "graph_invalidated" })).toMatchObject({
    subscribed: false,
    subscribers: 0
  })
  put("src/e.ts", "export const e = 7\n")
  await server.until(({ method, params }) => method === readiness && params.listed_files === 4)
  expect(seen()).toHaveLength(3)
}, 60_000)

it("over HTTP: each session what it joined", async () => {
  const directory = folder(files)
  const server = await HttpServer.start(directory)
  onTestFinished(async () => void (await server.stop()))
  const authorization = { authorization: `Bearer ${server.token}` }
  const opened = async () => {
    const { session } = await server.open("some-client", authorization)
    const headers = { ...authorization, "mcp-session-id": session }
    const hangUp = new AbortController()
    const stream = await fetch(server.mcp, {
      headers: { ...headers, accept: "text/event-stream" },
      signal: hangUp.signal
    })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    return {
      subscribe: async (id: number, path_prefix: string) => {
        const args = { operation: "subscribe", channel: "graph_invalidated", arguments: { path_prefix } }
        const params = { name: "session", arguments: args }
        const response = await server.post({ jsonrpc: "2.0", id, method: "tools/call", params }, headers)
        return (await messageOf(response)).result.structuredContent
      },
      /** The first notification about changes. */
      first: async (): Promise<ReadonlyArray<string>> => {
        for (;;) {
          const found = eventsOf(text).find(({ message }) => message?.method === invalidated)?.message
          if (found !== undefined) return paths(found)
          const { done, value } = await reader.read()
          if (done) throw new Error(`the stream ended: ${text}`)
          text += value
        }
      },
      hangUp: () => hangUp.abort()
    }
  }
  const [one, two] = [await opened(), await opened()]
  expect(await one.subscribe(1, "src")).toMatchObject({ subscribers: 1 })
  expect(await two.subscribe(2, "lib")).toMatchObject({ subscribers: 2 })
  writeFileSync(join(directory, "src/a.ts"), "export const a = 5\n")
  writeFileSync(join(directory, "lib/c.ts"), "export const c = 4\n")
  expect(await one.first()).toEqual(["modified src/a.ts"])
  expect(await two.first()).toEqual(["modified lib/c.ts"])
  one.hangUp()
  two.hangUp()
}, 60_000)
