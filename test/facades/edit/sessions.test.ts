/** Many sessions of one server that write the same files at the same time. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openEngine } from "../../../src/layers.ts"
import type { Engine } from "../../../src/pipeline/Engine.ts"
import { TempFolder } from "../../engine/git/TempRepo.ts"

const sessions = 20
const rounds = 4
const files = ["src/a.ts", "src/b.ts", "src/c.ts"] as const

const folder = new TempFolder()
const home = new TempFolder()
const before = process.env["PORTICO_HOME"]
let engine: Engine

/** One line a session, and two that all of them count up. */
const textOf = (name: string): string =>
  [
    `export const alone = 0`,
    `export const paired = 0`,
    ...Array.from({ length: sessions }, (_, s) => `export const own${s} = "${name} none"`)
  ].join("\n") + "\n"

beforeAll(async () => {
  process.env["PORTICO_HOME"] = home.path
  for (const path of files) {
    mkdirSync(dirname(folder.at(path)), { recursive: true })
    writeFileSync(folder.at(path), textOf(path))
  }
  engine = await openEngine({ directory: folder.path, watch: false })
})
afterAll(async () => {
  await engine.close()
  if (before === undefined) delete process.env["PORTICO_HOME"]
  else process.env["PORTICO_HOME"] = before
  folder[Symbol.dispose]()
  home[Symbol.dispose]()
})

type Answer = { readonly [key: string]: any }

const textNow = (path: string): string => readFileSync(folder.at(path), "utf8")
const count = (path: string, name: string): number =>
  Number(new RegExp(`^export const ${name} = (\\d+)$`, "m").exec(textNow(path))![1])

/** Codes by which a call that lost against another is refused. */
const conflicts: ReadonlySet<string> = new Set(["stale_revision", "edit_conflict", "overloaded"])

describe(`${sessions} sessions of one server`, () => {
  it("lose nothing: every success is in the files, and whatever is not was refused", async () => {
    const counted = { alone: new Map<string, number>(), paired: 0 }
    const owned = new Map<string, string>()
    let refusals = 0
    const failures: Array<Answer> = []

    const work = async (s: number): Promise<void> => {
      const session = `session-${s}`
      engine.openSession(session)
      const call = async (tool: string, args: object): Promise<Answer> => {
        const result = await engine.call({ tool, args, session })
        const answer: Answer = { ...result.structuredContent, failed: result.isError === true }
        if (answer["failed"]) {
          refusals++
          failures.push(answer)
        }
        return answer
      }
      for (let round = 0; round < rounds; round++) {
        const path = files[(s + round) % files.length]!
        // A line nobody else touches, without a guard.
        const was = owned.get(`${path} ${s}`) ?? `${path} none`
        const is = `${path} ${s} ${round}`
        const own = await call("edit", {
          operation: "file",
          target: { file: path },
          match: `own${s} = "${was}"`,
          replacement: `own${s} = "${is}"`
        })
        if (!own["failed"]) owned.set(`${path} ${s}`, is)

        // A line all count up, from what the session has read, under the guard of what it read.
        const read = await call("read", { operation: "file", target: { file: path } })
        const n = Number(/export const alone = (\d+)/.exec(read["content"])![1])
        const alone = await call("edit", {
          operation: "file",
          target: { file: path },
          match: `alone = ${n}\n`,
          replacement: `alone = ${n + 1}\n`,
          guard: round % 2 === 0 ? { base_sha: read["base_sha"] } : { read_revision: read["read_revision"] }
        })
        if (!alone["failed"]) counted.alone.set(path, (counted.alone.get(path) ?? 0) + 1)

        // The same in all files at once, found by their text alone.
        const now = count(files[0], "paired")
        const paired = await call("edit", {
          operation: "batch",
          changes: files.map((each) => ({
            path: each,
            match: `paired = ${now}\n`,
            replacement: `paired = ${now + 1}\n`
          }))
        })
        if (!paired["failed"]) counted.paired++
      }
    }
    await Promise.all(Array.from({ length: sessions }, (_, s) => work(s)))

    for (const failed of failures) {
      expect(conflicts, JSON.stringify(failed)).toContain(failed["error_code"])
      expect(failed["state_changed"], JSON.stringify(failed)).toBe(false)
      expect(failed["field"], JSON.stringify(failed)).toBeTypeOf("string")
    }
    for (const path of files) {
      expect(count(path, "alone"), path).toBe(counted.alone.get(path) ?? 0)
      expect(count(path, "paired"), path).toBe(counted.paired)
    }
    for (const [key, text] of owned) {
      const [path, s] = key.split(" ") as [string, string]
      expect(textNow(path)).toContain(`own${s} = "${text}"\n`)
    }
    // Whoever changes a line of its own is never in anybody's way.
    expect(owned.size).toBe(Math.min(rounds, files.length) * sessions)
    // Some got through and some were in each other's way, or this showed nothing.
    expect(counted.paired).toBeGreaterThan(0)
    expect(refusals).toBeGreaterThan(0)
    expect(textNow(files[0]).split("\n")).toHaveLength(sessions + 3)
    expect((readdirSync(folder.path, { recursive: true }) as Array<string>).sort()).toEqual(
      ["src", ...files].sort()
    )
  }, 240_000)
})
