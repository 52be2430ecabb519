/** Secrets in every argument of every operation, through the whole engine: none of them is in any count. */
import { FastCheck as fc } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { openEngine } from "../../src/layers.ts"
import type { Engine } from "../../src/pipeline/Engine.ts"
import type { Door } from "../../src/policy/Principal.ts"
import { ofInput } from "../../src/registry/Arbitraries.ts"
import { isRecord } from "../../src/registry/Json.ts"
import { run } from "../../src/transports/cli/run.ts"
import { Days } from "../../src/telemetry/Days.ts"
import { discoveries, localKeys, namesOf, sentKeys, shortened } from "../../src/telemetry/Keys.ts"
import { Telemetry } from "../../src/telemetry/Telemetry.ts"
import { catalog } from "../facades/support.ts"
import { collector, User } from "./support.ts"

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** In every secret, and in nothing of ours. */
const mark = "zq7"
const secrets = [
  `src/${mark}path.ts`,
  `src/${mark}path.ts::${mark}symbol`,
  `select ${mark}query from people`,
  `sk-${mark}token0123456789`,
  `const ${mark}code = "${mark}"`,
  `${mark}operation`,
  mark,
  `${mark}.${mark}`
]

/** A value with its texts replaced, and its names where they are free. */
const spiked = (value: unknown, next: () => string): unknown => {
  if (typeof value === "string") return next()
  if (Array.isArray(value)) return value.map((inner) => spiked(inner, next))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spiked(inner, next)]))
}

/** Every place of an input filled with secrets, and one place it does not have. */
const everywhere = (fields: object, next: () => string): { [name: string]: unknown } => ({
  ...Object.fromEntries(Object.keys(fields).map((name) => [name, next()])),
  [`${mark}field`]: next()
})

const repository = (user: User): string => {
  const directory = join(user.home, `${mark}repository`)
  mkdirSync(join(directory, "src"), { recursive: true })
  mkdirSync(join(directory, ".git"))
  writeFileSync(join(directory, ".git/HEAD"), "ref: refs/heads/main\n")
  writeFileSync(
    join(directory, `src/${mark}path.ts`),
    `export function ${mark}symbol() {\n  return "${mark}text"\n}\nexport const used = ${mark}symbol()\n`
  )
  return directory
}

/** Calls of every operation: as it would be called, with its texts replaced, and with secrets in all places. */
const callAll = async (engine: Engine) => {
  let at = 0
  const next = () => secrets[at++ % secrets.length]!
  const doors: ReadonlyArray<Door> = ["stdio", "http", "mcp_http", "cli"]
  for (const facade of catalog.facades) {
    for (const operation of facade.operations) {
      const named = { [facade.discriminator]: operation.name }
      const [sample] = fc.sample(ofInput(operation.input), { numRuns: 1, seed: 7 })
      for (const args of [
        { ...(spiked(sample, next) as object), ...named },
        { ...everywhere(operation.input.fields, next), ...named }
      ]) {
        await engine.call({
          tool: facade.name,
          args,
          session: `${mark}session`,
          client: `${mark}client`,
          door: doors[at % doors.length],
          requestId: `${mark}request${at}`
        })
      }
    }
    await engine.call({
      tool: facade.name,
      args: { operation: `${mark}operation`, kind: mark },
      session: "s"
    })
    await engine.call({ tool: facade.name, args: [mark], session: "s" })
  }
  await engine.call({ tool: `${mark}_tool`, args: { [mark]: mark }, session: "s" })
}

describe("what is counted", () => {
  it("has nothing in it that a caller wrote", { timeout: 240_000 }, async () => {
    using user = new User()
    await using server = await collector()
    for (const [name, value] of Object.entries(
      user.env({ PORTICO_TELEMETRY: "1", PORTICO_TELEMETRY_ENDPOINT: server.url, DO_NOT_TRACK: "" })
    ))
      vi.stubEnv(name, value)
    vi.spyOn(process.stderr, "write").mockReturnValue(true)
    vi.spyOn(process.stdout, "write").mockReturnValue(true)
    const directory = repository(user)
    const engine = await openEngine({ directory, watch: false })
    engine.openSession(`${mark}session`)
    await engine.call({
      tool: "search",
      args: { operation: "symbols", query: `${mark}symbol` },
      session: "s"
    })
    for (const door of ["stdio", "mcp_http"] as const)
      engine.greeted({ door, client: `${mark}client`, surface: `${mark}surface`, tools: [] })
    for (const args of [{}, { domain: "read" }, { domain: "read", operation: "file" }])
      await engine.call({ tool: "capabilities", args, session: "s" })
    await callAll(engine)
    engine.closeSession(`${mark}session`)
    await engine.close()
    await run(["tools", "--json"], {
      version: "0",
      loadEngine: async () => openEngine,
      loadRecords: () => Promise.reject(new Error("not needed")),
      loadInspect: () => Promise.reject(new Error("not needed")),
      loadAudit: () => Promise.reject(new Error("not needed"))
    })
    await run([`${mark}command`, mark], {
      version: "0",
      loadEngine: async () => openEngine,
      loadRecords: () => Promise.reject(new Error("not needed")),
      loadInspect: () => Promise.reject(new Error("not needed")),
      loadAudit: () => Promise.reject(new Error("not needed"))
    })

    // There is something, in both kinds of files, of every operation.
    const days = new Days(user.folder)
    const counted = days.readAll("sent")
    const operations = catalog.facades.flatMap((facade) =>
      facade.name === "capabilities"
        ? discoveries.map((discovery) => `capabilities.${discovery}`)
        : facade.operations.map(({ name }) => shortened(`${facade.name}.${name}`))
    )
    const missing = operations.filter((name) => counted["mcp_facade_call"]?.[name] === undefined)
    expect(missing).toEqual([])
    expect(counted["mcp_facade_call"]?.["unknown.unknown"]).toBe(1)
    expect(counted["mcp_tool_call"]?.["unknown"]).toBe(1)
    expect(counted["client"]).toEqual({ other: 2 })
    expect(counted["daemon_session"]).toEqual({ mcp_http: 1, stdio: 1 })
    expect(counted["surface"]).toBeUndefined()
    expect(counted["index"]).toEqual({ "<100": 1 })
    expect(counted["index_lang"]).toEqual({ typescript: 1 })
    expect(counted["cli_command"]).toEqual({ tools: 1 })
    expect(Object.keys(counted).every((key) => key in sentKeys)).toBe(true)
    const local = days.readAll("local")
    expect(Object.keys(local["rejection"] ?? {}).length).toBeGreaterThan(50)
    expect(Object.keys(local).every((key) => key in localKeys)).toBe(true)

    // What is in the files is what was read of them, and no secret is in either.
    expect(user.text()).not.toContain(mark)
    for (const name of user.files() ?? [])
      for (const secret of secrets)
        expect(readFileSync(join(user.folder, name), "utf8")).not.toContain(secret)

    // And none is in what is sent.
    const tomorrow = () => Date.now() + 2 * 86_400_000
    await new Telemetry({ names: namesOf(catalog), now: tomorrow }).send()
    expect(server.taken).toHaveLength(1)
    const [{ body, headers, url }] = server.taken as [(typeof server.taken)[number]]
    expect(`${body}${JSON.stringify(headers)}${url}`).not.toContain(mark)
    expect(JSON.parse(body).counts).toEqual(counted)
  })

  it("has no digest of it either", async () => {
    using user = new User()
    vi.stubEnv("PORTICO_TELEMETRY", "1")
    for (const [name, value] of Object.entries(user.env())) vi.stubEnv(name, value)
    const engine = await openEngine({ directory: repository(user), watch: false })
    await engine.call({ tool: "search", args: { operation: "text", query: mark }, session: "s" })
    await engine.close()
    expect(user.text()).toContain("search.text")
    expect(user.text().match(/[0-9a-f]{16,}/g)).toBeNull()
  })
})
