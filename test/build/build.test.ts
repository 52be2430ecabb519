import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { checkoutOf, node } from "./support.ts"

const sample = {
  "package.json": JSON.stringify({ name: "sample", type: "module" }),
  "package-lock.json": "{}",
  "tsconfig.json": "{}",
  "src/main.ts": [
    'import { Server } from "@modelcontextprotocol/sdk/server/index.js"',
    'import { shared } from "./engine/indexer/shared.ts"',
    'const engine = import("./layers.ts")',
    'const server = new Server({ name: "sample", version: "1" }, { capabilities: {} })',
    "void engine.then(({ answer }) => console.log(process.argv.slice(2).join(), answer(), shared(), typeof server))"
  ].join("\n"),
  "src/layers.ts":
    'import { Effect } from "effect"\nexport const answer = () => Effect.runSync(Effect.succeed(42))\n',
  "src/engine/indexer/shared.ts":
    'import { parse } from "jsonc-parser"\nexport const shared = () => parse("[1, /* two */ 2]").length\n',
  "src/engine/indexer/worker.ts": 'import { shared } from "./shared.ts"\nconsole.log("worker", shared())\n'
}

const built = (files: Record<string, string> = sample) => {
  const here = checkoutOf(files, { installed: true })
  const ran = node(here, ["src/build/build.mjs", "--if-stale"])
  expect(ran).toMatchObject({ status: 0, stderr: "" })
  return here
}

const cacheIn = (here: string) => {
  const directory = path.join(here, "dist/.cache")
  return readdirSync(directory).flatMap((key) =>
    readdirSync(path.join(directory, key)).map((name) => path.join(directory, key, name))
  )
}

describe("the build", () => {
  it("makes a command and a worker that run", () => {
    const here = built()
    const expected = { status: 0, stdout: "start,x 42 2 object\n", stderr: "" }
    expect(node(here, ["dist/main.js", "start", "x"])).toMatchObject(expected)
    expect(node(here, ["dist/worker.js"])).toMatchObject({ status: 0, stdout: "worker 2\n", stderr: "" })
    expect(node(here, ["src/build/start.mjs", "x"], { INIT_CWD: here })).toMatchObject(expected)
  })

  it("keeps the JSON Schema validator and lazy parts out of what a start loads", () => {
    const here = built()
    const app = readFileSync(path.join(here, "dist/app.js"), "utf8")
    expect(app).toContain("This build carries no JSON Schema validator")
    expect(app).toContain('require("./chunks/layers-')
    expect(app).not.toContain("ajv/dist")
  })

  it("is made again only when a source changed or went away", () => {
    const here = built()
    const made = () => statSync(path.join(here, "dist/build.json")).ino
    writeFileSync(path.join(here, "dist/mark"), "")
    node(here, ["src/build/build.mjs", "--if-stale"])
    expect(existsSync(path.join(here, "dist/mark"))).toBe(true)
    rmSync(path.join(here, "src/engine/indexer/worker.ts"))
    node(here, ["src/build/build.mjs", "--if-stale"])
    expect(existsSync(path.join(here, "dist/mark"))).toBe(false)
    expect(existsSync(path.join(here, "dist/worker.js"))).toBe(false)
    expect(made()).toBeGreaterThan(0)
  })

  it("passes the command's exit code on, and fails without an entry", () => {
    const here = built({ ...sample, "src/main.ts": "process.exitCode = 7\n" })
    expect(node(here, ["src/build/start.mjs"]).status).toBe(7)
    const { "src/main.ts": _, ...others } = sample
    const ran = node(checkoutOf(others, { installed: true }), ["src/build/build.mjs"])
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain("src/main.ts")
  })
})

describe("the launcher", () => {
  it("writes V8's code cache on a first run and answers the same with it, without it and with a broken one", () => {
    const here = built()
    const run = (env: Record<string, string> = {}) => node(here, ["dist/main.js"], env)
    const first = run()
    expect(first).toMatchObject({ status: 0, stdout: " 42 2 object\n" })
    const files = cacheIn(here)
    expect(files.map((file) => path.basename(file)).some((name) => name === "app.js.bin")).toBe(true)
    const stamps = files.map((file) => statSync(file).mtimeMs)
    expect(run()).toEqual({ ...first, pid: expect.any(Number) })
    expect(cacheIn(here).map((file) => statSync(file).mtimeMs)).toEqual(stamps)
    expect(run({ PORTICO_NO_CODE_CACHE: "1" })).toMatchObject({ status: 0, stdout: first.stdout, stderr: "" })
    for (const file of files) writeFileSync(file, "not a code cache")
    expect(run()).toMatchObject({ status: 0, stdout: first.stdout, stderr: "" })
    expect(cacheIn(here).every((file) => statSync(file).size > 100)).toBe(true)
  })

  it("uses the user's cache directory where dist cannot be written", () => {
    const here = built()
    writeFileSync(path.join(here, "dist/.cache"), "in the way")
    const home = path.join(here, "home")
    const env = { XDG_CACHE_HOME: home, LOCALAPPDATA: home }
    expect(node(here, ["dist/main.js"], env)).toMatchObject({
      status: 0,
      stdout: " 42 2 object\n",
      stderr: ""
    })
    const [key = ""] = readdirSync(path.join(home, "portico/code"))
    expect(readdirSync(path.join(home, "portico/code", key))).toContain("app.js.bin")
  })

  it("leaves a script with an import() of its own uncached, so that it works from the second run on", () => {
    const here = built({
      ...sample,
      "src/main.ts":
        "const name = process.argv[2] ?? ''\nvoid import(name).then((m) => console.log(typeof m.join))\n"
    })
    for (let run = 0; run < 2; run++)
      expect(node(here, ["dist/main.js", "node:path"])).toMatchObject({
        status: 0,
        stdout: "function\n",
        stderr: ""
      })
  })
})
