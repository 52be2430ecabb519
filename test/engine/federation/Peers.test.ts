import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { make, standard } from "../../../src/engine/federation/Peers.ts"

/** A server that answers as told, for as long as the test runs. */
const serving = (listener: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const server = createServer(listener)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

const call = { tool: "search", arguments: { operation: "symbols", query: "greet" } }

describe("asking other servers", () => {
  it.scopedLive("gives the answer of each, in their order, and what stands against one that gives none", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const good = yield* serving((request, response) => {
        let text = ""
        request.on("data", (part) => (text += part))
        request.on("end", () => {
          seen.push([request.method, request.url, request.headers.authorization, JSON.parse(text)])
          json({ ok: true, value: { results: [1] } })(request, response)
        })
      })
      const peers = make({ ...standard, eachMs: 300, mostBytes: 2000 }, { TOKEN: "secret", EMPTY: "" })
      const replies = yield* peers.ask(
        [
          { name: "good", url: good, token_env: "TOKEN" },
          {
            name: "refuses",
            url: yield* serving(json({ ok: false, code: "symbol_not_found", error: "no" }))
          },
          { name: "denies", url: yield* serving(json({ code: "permission_denied", error: "not you" }, 403)) },
          { name: "locked", url: yield* serving(json({ code: "AUTH_REQUIRED" }, 401)) },
          { name: "tokenless", url: good, token_env: "EMPTY" },
          { name: "slow", url: yield* serving(() => {}) },
          { name: "gone", url: "http://127.0.0.1:1" },
          { name: "odd", url: yield* serving((_, response) => void response.end("<html>")) },
          { name: "broken", url: yield* serving(json({ error: "x" }, 500)) },
          { name: "endless", url: yield* serving(json({ ok: true, value: { text: "x".repeat(3000) } })) },
          {
            name: "elsewhere",
            url: yield* serving((_, response) => void response.writeHead(307, { location: good }).end())
          }
        ],
        call
      )
      assert.deepStrictEqual(
        replies.map(({ code, name, status, value }) => [name, status, code ?? value]),
        [
          ["good", "ok", { results: [1] }],
          ["refuses", "refused", "symbol_not_found"],
          ["denies", "refused", "permission_denied"],
          ["locked", "unauthorized", undefined],
          ["tokenless", "no_token", undefined],
          ["slow", "timeout", undefined],
          ["gone", "unreachable", undefined],
          ["odd", "bad_answer", undefined],
          ["broken", "bad_answer", undefined],
          ["endless", "bad_answer", undefined],
          ["elsewhere", "unreachable", undefined]
        ]
      )
      assert.deepStrictEqual(seen, [["POST", "/federation/call", "Bearer secret", call]])
      assert.isFalse(JSON.stringify(replies).includes("secret"))
    })
  )

  it.scopedLive("leaves one that failed three times alone, then tries it once", () =>
    Effect.gen(function* () {
      let asked = 0
      let works = false
      const url = yield* serving((request, response) => {
        asked++
        json(works ? { ok: true, value: {} } : {}, works ? 200 : 500)(request, response)
      })
      const resting = make({ ...standard, restMs: 60_000 })
      const ask = (peers: ReturnType<typeof make>) =>
        Effect.map(peers.ask([{ name: "p", url }], call), ([reply]) => reply?.status)
      for (let at = 0; at < 3; at++) assert.strictEqual(yield* ask(resting), "bad_answer")
      assert.strictEqual(yield* ask(resting), "resting")
      assert.strictEqual(asked, 3)
      const restless = make({ ...standard, restMs: 0 })
      for (let at = 0; at < 3; at++) yield* ask(restless)
      works = true
      assert.strictEqual(yield* ask(restless), "ok")
      assert.strictEqual(yield* ask(restless), "ok")
    })
  )

  it.scopedLive("does not hold a refusal against anyone", () =>
    Effect.gen(function* () {
      const url = yield* serving(json({ ok: false, code: "symbol_not_found", error: "no" }))
      const peers = make({ ...standard, restMs: 60_000 })
      for (let at = 0; at < 5; at++) {
        const [reply] = yield* peers.ask([{ name: "p", url }], call)
        assert.strictEqual(reply?.status, "refused")
      }
    })
  )

  it.scopedLive("keeps all of them within one budget", () =>
    Effect.gen(function* () {
      const silent = yield* serving(() => {})
      const peers = make({ ...standard, eachMs: 200, allMs: 300, atOnce: 1 })
      const replies = yield* peers.ask(
        ["a", "b", "c", "d"].map((name) => ({ name, url: silent })),
        call
      )
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        ["timeout", "timeout", "timeout", "timeout"]
      )
      assert.strictEqual(replies.at(-1)?.detail, "the time for all servers was over")
    })
  )
})
