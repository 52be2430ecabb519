/** What is known of a call that runs once when its process was killed in the middle of it. */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { fileOf, layerStore } from "../../src/engine/store/layer.ts"
import { openEngine } from "../../src/layers.ts"
import { CallRecords } from "../../src/services/CallRecords.ts"
import { TempFolder } from "../engine/git/TempRepo.ts"
import { program } from "../program.ts"

const top = join(import.meta.dirname, "../..")
const home = new TempFolder()
beforeAll(() => {
  process.env["PORTICO_HOME"] = home.path
})
afterAll(() => {
  delete process.env["PORTICO_HOME"]
  home[Symbol.dispose]()
})

const agent = { kind: "agent", id: "agent:killed", authenticated: true } as const

/** Runs the call in a process of its own; resolves to the signal that ended it, or to what it printed. */
const inChild = (directory: string, requestId: string, moment: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [program("kill-child"), directory, "a.txt", requestId, agent.id, moment],
      { cwd: top, stdio: ["ignore", "pipe", "pipe"] }
    )
    let out = ""
    let errors = ""
    child.stdout.on("data", (data: Buffer) => (out += data.toString()))
    child.stderr.on("data", (data: Buffer) => (errors += data.toString()))
    child.on("exit", (code, signal) =>
      code === 0 || signal === "SIGKILL" ? resolve(signal ?? out) : reject(new Error(errors))
    )
  })

/** The record of a call, as the file of records has it. */
const recordOf = async (directory: string, requestId: string) => {
  const scope = await Effect.runPromise(Scope.make())
  const stores = await Effect.runPromise(Layer.buildWithScope(layerStore(fileOf(directory)), scope))
  const found = await Effect.runPromise(
    Context.get(stores, CallRecords).find({ principalId: agent.id, requestId })
  )
  await Effect.runPromise(Scope.close(scope, Exit.void))
  return found
}

describe("a call that runs once and whose process was killed", () => {
  for (const [moment, text] of [
    ["before", "one\n"],
    ["after", "two\n"],
    ["noted", "two\n"]
  ] as const)
    it(`${moment === "noted" ? "after its receipt was written" : `${moment} its file was put in place`} tells the truth when asked again`, async () => {
      using temp = new TempFolder()
      temp.write("a.txt", "one\n")
      const requestId = `r-${moment}`
      expect(await inChild(temp.path, requestId, moment)).toBe("SIGKILL")
      expect(await recordOf(temp.path, requestId)).toMatchObject({ state: "unknown", result: undefined })
      const engine = await openEngine({ directory: temp.path, watch: false })
      try {
        const again = () =>
          engine.call({
            tool: "edit",
            args: { operation: "file", target: { file: "a.txt" }, match: "one", replacement: "two" },
            requestId,
            principal: agent
          })
        const first = await again()
        // Whichever end the transaction was brought to, the answer and the file say the same.
        const now = readFileSync(temp.at("a.txt"), "utf8")
        expect(first._meta.portico?.duplicate).toBe(true)
        if (now === "two\n") {
          expect(first.isError).toBeUndefined()
          expect(first.structuredContent).toMatchObject({ disk_status: "committed", recovered: true })
        } else {
          expect(first.isError).toBe(true)
          expect(first.structuredContent).toMatchObject({ state_changed: false, reason_code: "server_ended" })
        }
        if (moment !== "before") expect(now).toBe(text)
        const record = await recordOf(temp.path, requestId)
        expect(record?.state).toBe(now === "two\n" ? "completed" : "failed")
        // It is not run again: what somebody did to the file since stays.
        temp.write("a.txt", "one again\n")
        const second = await again()
        expect(second.structuredContent).toEqual(first.structuredContent)
        expect(readFileSync(temp.at("a.txt"), "utf8")).toBe("one again\n")
        const { structuredContent } = await engine.call({
          tool: "edit",
          args: { operation: "file", target: { file: "a.txt" }, match: "one", replacement: "three" },
          requestId,
          principal: agent
        })
        expect(structuredContent["error_code"]).toBe("idempotency_conflict")
      } finally {
        await engine.close()
      }
    }, 60_000)

  it("is settled by the next process that lives on, without anybody asking", async () => {
    using temp = new TempFolder()
    temp.write("a.txt", "one\n")
    expect(await inChild(temp.path, "r-start", "noted")).toBe("SIGKILL")
    const engine = await openEngine({ directory: temp.path, watch: true })
    try {
      await engine.warm()
      await vi.waitFor(async () => {
        expect(await recordOf(temp.path, "r-start")).toMatchObject({ state: "completed" })
      }, 10_000)
    } finally {
      await engine.close()
    }
  }, 60_000)

  it("and one that was not killed is answered from what is kept", async () => {
    using temp = new TempFolder()
    temp.write("a.txt", "one\n")
    const said = JSON.parse(await inChild(temp.path, "r-whole", "never")) as object
    const engine = await openEngine({ directory: temp.path, watch: false })
    try {
      const again = await engine.call({
        tool: "edit",
        args: { operation: "file", target: { file: "a.txt" }, match: "one", replacement: "two" },
        requestId: "r-whole",
        principal: agent
      })
      expect(again.structuredContent).toEqual(said)
      expect(again._meta.portico?.duplicate).toBe(true)
      // Its receipt is found by the request id as well, by the one whose call it was.
      const receipt = (principal: typeof agent | { kind: "agent"; id: string; authenticated: true }) =>
        engine.call({
          tool: "change",
          args: { operation: "receipt", options: { mutation_id: "r-whole" } },
          principal
        })
      expect((await receipt(agent)).structuredContent).toMatchObject({
        found: true,
        disk_status: "committed"
      })
      expect((await receipt({ ...agent, id: "agent:other" })).structuredContent).toMatchObject({
        found: false
      })
    } finally {
      await engine.close()
    }
  }, 60_000)
})
