import { Effect } from "effect"
import { chmodSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { catalogue } from "../../../src/engine/lsp/Catalogue.ts"
import { type DiscoveryOptions, make } from "../../../src/engine/lsp/Discovery.ts"
import type { ServerRow } from "../../../src/engine/lsp/ServerRow.ts"
import { folder, write } from "./support/processes.ts"
import { toyRow } from "./support/rows.ts"

const root = folder()

/** A folder on PATH with a program of this name. */
const programs = (files: { readonly [name: string]: string }, into = folder()): string => {
  write(into, files)
  for (const name of Object.keys(files)) chmodSync(join(into, name), 0o755)
  return into
}

const says = (text: string, code = 0): string => `#!/bin/sh\necho "${text}"\nexit ${code}\n`

const row = (over: Partial<ServerRow> = {}): ServerRow =>
  toyRow({
    candidates: [
      { kind: "program", name: "toyd", args: ["serve"] },
      { kind: "package", name: "toy-server", script: "main.js", args: ["--stdio"] }
    ],
    ...over
  })

const find = (options: Omit<DiscoveryOptions, "root">, of: ServerRow = row()) =>
  Effect.runPromise(make({ root, packagesFrom: [folder()], path: "", ...options }).find(of))
const refuse = (options: Omit<DiscoveryOptions, "root">, of: ServerRow = row()) =>
  Effect.runPromise(Effect.flip(make({ root, packagesFrom: [folder()], path: "", ...options }).find(of)))

const packages = () =>
  folder({
    "node_modules/toy-server/package.json": '{"name":"toy-server","version":"3.1.4"}',
    "node_modules/toy-server/main.js": ""
  })

describe("finding a server", () => {
  it("takes the configured program, then the package, then the program on PATH", async () => {
    const path = programs({ toyd: says("toyd 1.2"), own: says("own 9") })
    const packagesFrom = [packages()]
    const settings = { toy: { command: ["own", "--x"] } }
    expect(await find({ path, packagesFrom, settings, trusted: true })).toMatchObject({
      source: "config",
      launch: { command: join(path, "own"), args: ["--x"] }
    })
    expect(await find({ path, packagesFrom })).toMatchObject({
      source: "dependency",
      version: "3.1.4",
      shown: "toy-server",
      launch: {
        command: process.execPath,
        args: [join(packagesFrom[0] ?? "", "node_modules/toy-server/main.js"), "--stdio"]
      }
    })
    expect(await find({ path })).toMatchObject({
      source: "path",
      version: "1.2",
      launch: { command: join(path, "toyd"), args: ["serve"] }
    })
  })

  it("fails with all it tried and how to install one", async () => {
    const failure = await refuse({ path: folder() })
    expect(failure).toMatchObject({
      _tag: "NoServer",
      language: "toy",
      tried: ["package toy-server is not installed", "toyd is not on PATH"],
      hint: "Install toys."
    })
    expect(failure.message).toBe(
      "no language server for toy (package toy-server is not installed; toyd is not on PATH). Install toys."
    )
  })

  it("does not take a program that only says that it is none", async () => {
    const path = programs({ toyd: '#!/bin/sh\necho "error: Unknown binary" >&2\nexit 1\n' })
    expect(await refuse({ path })).toMatchObject({
      _tag: "NoServer",
      tried: expect.arrayContaining([
        'toyd on PATH did not print its version but "error: Unknown binary"'
      ]) as unknown
    })
  })

  it("does not take a program that keeps silent for three seconds", async () => {
    const path = programs({ toyd: "#!/bin/sh\nexec sleep 60\n" })
    expect(await refuse({ path })).toMatchObject({
      tried: expect.arrayContaining(["toyd on PATH did not print its version within 3 s"]) as unknown
    })
  })

  it("does not take what is too old", async () => {
    const path = programs({ toyd: says("toyd 1.2") })
    expect(await refuse({ path, packagesFrom: [packages()] }, row({ minVersion: "4.0" }))).toMatchObject({
      tried: ["package toy-server is 3.1.4, below 4.0", "toyd on PATH is 1.2, below 4.0"]
    })
  })

  it("asks a program again only after it changed", async () => {
    const path = programs({ toyd: says("toyd 1.0") })
    expect((await find({ path })).version).toBe("1.0")
    programs({ toyd: says("toyd 2.0") }, path)
    utimesSync(join(path, "toyd"), 1000, 1000)
    expect((await find({ path })).version).toBe("2.0")
  })

  it("does not replace a configured program that is missing by another", async () => {
    const failure = await refuse({
      packagesFrom: [packages()],
      settings: { toy: { command: ["no-such-toy"] } },
      trusted: true
    })
    expect(failure).toMatchObject({
      _tag: "NoServer",
      tried: ["the program configured for toy is not there"]
    })
  })

  it("respects a server that is switched off", async () => {
    expect(await refuse({ packagesFrom: [packages()], settings: { toy: { enabled: false } } })).toMatchObject(
      {
        _tag: "NoServer",
        tried: ["toy is switched off in the configuration"]
      }
    )
  })

  it("lays configured settings over the row's", async () => {
    const of = row({ settings: { toy: { a: 1, list: [1, 2] } } })
    const options = {
      packagesFrom: [packages()],
      settings: { toy: { settings: { toy: { b: 2, list: [3] } }, initOptions: { x: 1 } } }
    }
    expect(await find({ ...options, trusted: true }, of)).toMatchObject({
      settings: { toy: { a: 1, b: 2, list: [3] } },
      initOptions: { x: 1 }
    })
    expect((await find(options, of)).settings).toEqual({ toy: { a: 1, list: [1, 2] } })
  })
})

describe("a workspace that is not trusted", () => {
  const bin = join(root, "node_modules", ".bin")
  programs({ toyd: says("toyd 5.0") }, bin)

  it("runs no program of its own, neither from its packages nor from a PATH that leads into it", async () => {
    expect(await refuse({ path: bin })).toMatchObject({ _tag: "NoServer" })
    expect(await find({ path: bin, trusted: true })).toMatchObject({ source: "path", version: "5.0" })
    expect(await find({ trusted: true })).toMatchObject({ source: "workspace", version: "5.0" })
  })

  it("runs no program that it configures", async () => {
    const settings = { toy: { command: ["own"] } }
    expect(await refuse({ path: programs({ own: says("1.0") }), settings })).toMatchObject({
      tried: expect.arrayContaining([
        "the program configured for toy is not run: the workspace is not trusted"
      ]) as unknown
    })
  })

  it("starts no server that runs code of the workspace", async () => {
    const path = programs({ toyd: says("toyd 1.2") })
    const of = row({ runsWorkspaceCode: true })
    expect(await refuse({ path }, of)).toMatchObject({ _tag: "Untrusted", server: "toy" })
    expect(await find({ path, trusted: true }, of)).toMatchObject({ source: "path" })
    expect(await refuse({}, of)).toMatchObject({ _tag: "NoServer" })
  })
})

describe("TypeScript", () => {
  it("is found beside this program, as a native one", async () => {
    const typescript = catalogue.find(({ id }) => id === "typescript")
    if (typescript === undefined) throw new Error("no row")
    const found = await Effect.runPromise(make({ root }).find(typescript))
    expect(found).toMatchObject({ source: "dependency", shown: "typescript" })
    expect(found.version).toMatch(/^7\./)
    expect(found.launch.args).toEqual(["--lsp", "--stdio"])
    expect(found.launch.command).not.toBe(process.execPath)
  })
})
