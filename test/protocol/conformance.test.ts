/** The protocol's own conformance client against the built server. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HttpServer } from "./http_server.ts"
import { build, folder } from "./server.ts"

const client = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url)
)

/** Scenarios that ask for nothing but what this server is, and how many checks each makes. */
const applicable: { readonly [scenario: string]: number } = {
  "server-initialize": 1,
  "logging-set-level": 1,
  ping: 1,
  "tools-list": 1,
  "server-sse-multiple-streams": 2,
  "resources-list": 1,
  "prompts-list": 1,
  "dns-rebinding-protection": 2
}

/** The others, and why they say nothing of this server. */
const others: { readonly [scenario: string]: string } = {
  ...Object.fromEntries(
    [
      "tools-call-simple-text",
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
      "tools-call-with-logging",
      "tools-call-error",
      "tools-call-with-progress",
      "json-schema-2020-12",
      "server-sse-polling"
    ].map((name) => [name, "calls a tool of the suite's own reference server by its name"])
  ),
  ...Object.fromEntries(
    [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums"
    ].map((name) => [name, "needs a server that asks the client back; this one never does"])
  ),
  ...Object.fromEntries(
    [
      "resources-read-text",
      "resources-read-binary",
      "resources-templates-read",
      "resources-subscribe",
      "resources-unsubscribe"
    ].map((name) => [name, "reads a resource; this server declares none and lists none"])
  ),
  ...Object.fromEntries(
    [
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image"
    ].map((name) => [name, "gets a prompt; this server declares none and lists none"])
  ),
  "completion-complete": "completes arguments of prompts and resources; this server declares no completions"
}

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [client, ...args], { encoding: "utf8", cwd: folder({}), timeout: 60_000 })

let server: HttpServer
beforeAll(async () => {
  await build()
  server = await HttpServer.start(folder({ "lib/greet.ts": "export const greet = 1\n" }))
}, 180_000)
afterAll(() => server?.stop())

describe("the conformance client", () => {
  it("has no scenario that was not looked at", () => {
    const listed = [...run("list", "--server").stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...Object.keys(applicable), ...Object.keys(others)].sort())
  }, 60_000)

  for (const [scenario, checks] of Object.entries(applicable))
    it(`passes ${scenario}`, () => {
      const { status, stdout, stderr } = run("server", "--url", server.mcp.href, "--scenario", scenario)
      expect(`${stdout}${stderr}`).toMatch(new RegExp(`Passed: ${checks}/${checks}, 0 failed`))
      expect(status).toBe(0)
    }, 60_000)
})
