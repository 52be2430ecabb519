import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { homedir } from "node:os"
import { afterEach, describe, expect, it, vi } from "vitest"
import { storeHome } from "../../src/engine/workspace/Home.ts"
import {
  choiceFile,
  consentOf,
  endpointOf,
  type Environment,
  readChoice,
  saveChoice,
  wrongWith
} from "../../src/telemetry/Consent.ts"
import { countsFolder } from "../../src/telemetry/Home.ts"
import { User } from "./support.ts"

const consent = (env: Environment, saved?: string) => {
  using user = new User()
  const file = choiceFile(user.env())
  if (saved !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, saved)
  }
  const { on, problem, source } = consentOf(user.env(env), file)
  return `${on ? "on" : "off"} by ${source}${problem === undefined ? "" : `: ${problem}`}`
}
const [yes, no] = ['{"telemetry":"on"}', '{"telemetry":"off"}']

describe("consent", () => {
  it.each([
    [{}, undefined, "off by default"],
    [{}, yes, "on by saved choice"],
    [{}, no, "off by saved choice"],
    [{ DO_NOT_TRACK: "1" }, undefined, "off by DO_NOT_TRACK"],
    [{ DO_NOT_TRACK: "1" }, yes, "off by DO_NOT_TRACK"],
    [{ DO_NOT_TRACK: "anything" }, yes, "off by DO_NOT_TRACK"],
    // It can turn telemetry off, never on.
    [{ DO_NOT_TRACK: "0" }, undefined, "off by default"],
    [{ DO_NOT_TRACK: "false" }, yes, "on by saved choice"],
    [{ DO_NOT_TRACK: "" }, yes, "on by saved choice"],
    [{ DO_NOT_TRACK: "0" }, no, "off by saved choice"],
    [{ PORTICO_TELEMETRY: "1", DO_NOT_TRACK: "1" }, no, "on by PORTICO_TELEMETRY"],
    [{ PORTICO_TELEMETRY: "off" }, yes, "off by PORTICO_TELEMETRY"],
    [{ PORTICO_TELEMETRY: " ON " }, undefined, "on by PORTICO_TELEMETRY"],
    [{ PORTICO_TELEMETRY: "" }, yes, "on by saved choice"],
    [{ GORTEX_TELEMETRY: "true", DO_NOT_TRACK: "1" }, undefined, "on by GORTEX_TELEMETRY"],
    [{ GORTEX_TELEMETRY: "no" }, yes, "off by GORTEX_TELEMETRY"],
    [{ PORTICO_TELEMETRY: "0", GORTEX_TELEMETRY: "1" }, yes, "off by PORTICO_TELEMETRY"],
    [{ PORTICO_TELEMETRY: "1", GORTEX_TELEMETRY: "0" }, no, "on by PORTICO_TELEMETRY"],
    // What cannot be understood is no yes, and nobody weaker is asked.
    [
      { PORTICO_TELEMETRY: "maybe" },
      yes,
      "off by PORTICO_TELEMETRY: PORTICO_TELEMETRY is neither on nor off"
    ],
    [{}, "{", "off by saved choice: the saved choice is not JSON"],
    [{}, "[]", "off by saved choice: the saved choice is no object"],
    [{}, '{"telemetry":true}', "off by saved choice: the saved choice is neither on nor off"],
    [{}, '{"telemetry":"on","endpoint":1}', "off by saved choice: the saved endpoint is no text"]
  ] as ReadonlyArray<readonly [Environment, string | undefined, string]>)(
    "with %j and %s saved is %s",
    (env, saved, expected) => {
      expect(consent(env, saved)).toBe(expected)
    }
  )

  it("is saved where only the user can read it, and read back", () => {
    using user = new User()
    const file = choiceFile(user.env())
    expect(readChoice(file)).toBeUndefined()
    saveChoice(file, { telemetry: "on", endpoint: "https://counts.example/" })
    expect(readChoice(file)).toEqual({ telemetry: "on", endpoint: "https://counts.example/" })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe("an endpoint", () => {
  it("is the environment's before the saved one, and there is none by itself", () => {
    using user = new User()
    const file = choiceFile(user.env())
    expect(endpointOf({}, file)).toEqual({ url: undefined, source: "none" })
    saveChoice(file, { telemetry: "on", endpoint: "https://saved.example/" })
    expect(endpointOf({}, file)).toEqual({ url: "https://saved.example/", source: "saved choice" })
    expect(endpointOf({ PORTICO_TELEMETRY_ENDPOINT: "https://said.example/" }, file)).toEqual({
      url: "https://said.example/",
      source: "PORTICO_TELEMETRY_ENDPOINT"
    })
    // The counts of one program are not sent to the makers of another.
    expect(endpointOf({ GORTEX_TELEMETRY_ENDPOINT: "https://other.example/" }, file).url).toBe(
      "https://saved.example/"
    )
    // A wrong one does not give way to another.
    expect(endpointOf({ PORTICO_TELEMETRY_ENDPOINT: "ftp://said.example/" }, file)).toEqual({
      url: undefined,
      source: "PORTICO_TELEMETRY_ENDPOINT",
      problem: "the endpoint must be an https address, or an http address of this machine"
    })
  })

  it.each([
    ["https://counts.example/path", undefined],
    ["http://localhost:8080/", undefined],
    ["http://127.0.0.1/", undefined],
    ["http://[::1]:1/", undefined],
    ["http://counts.example/", "https"],
    ["http://localhost.example/", "https"],
    ["https://ada:secret@counts.example/", "user"],
    ["file:///etc/passwd", "https"],
    ["counts.example", "no address"]
  ])("%s is %s", (url, wrong) => {
    const said = wrongWith(url)
    if (wrong === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(wrong)
  })
})

describe("counts", () => {
  afterEach(() => void vi.unstubAllEnvs())
  it.each([
    [{ PORTICO_HOME: "/a" }],
    [{ XDG_CACHE_HOME: "/b" }],
    [{ PORTICO_HOME: "/a", XDG_CACHE_HOME: "/b" }],
    [{}]
  ] as ReadonlyArray<readonly [Environment]>)("lie where everything else is kept, with %j", (env) => {
    for (const name of ["PORTICO_HOME", "XDG_CACHE_HOME"]) vi.stubEnv(name, env[name])
    expect(countsFolder(env)).toBe(join(storeHome(), "telemetry"))
  })
  it("and the choice lie in the home folder when nothing else is said", () => {
    expect(countsFolder({})).toBe(join(homedir(), ".cache", "portico", "telemetry"))
    expect(choiceFile({})).toBe(join(homedir(), ".config", "portico", "telemetry.json"))
  })
})
