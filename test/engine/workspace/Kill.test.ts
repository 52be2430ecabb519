import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { placeOf } from "../../../src/engine/workspace/Store.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { program } from "../../program.ts"
import { snapshotFingerprint } from "../graph/fingerprint.ts"
import { freshSnapshot, opened } from "./support.ts"

const root = join(import.meta.dirname, "../../..")
const kills = Number(process.env["PORTICO_KILLS"] ?? 3)

/** Starts the indexer in a process of its own and kills it so many milliseconds after it began. Resolves to how many rounds it finished. */
const killed = (directory: string, store: string, after: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program("indexOnce"), directory, store, "1000"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"]
    })
    let out = ""
    let errors = ""
    child.stderr.on("data", (data: Buffer) => (errors += data.toString()))
    child.stdout.on("data", (data: Buffer) => {
      if (out === "") setTimeout(() => child.kill("SIGKILL"), after)
      out += data.toString()
    })
    child.on("exit", (_, signal) =>
      signal === "SIGKILL"
        ? resolve(out.split("\n").filter((line) => line.startsWith("{")).length)
        : reject(new Error(`ended by itself: ${errors}`))
    )
  })

describe("a process that is killed", () => {
  it("leaves a store that the next one can trust or does without", {
    timeout: 60_000 + kills * 20_000
  }, async () => {
    using temp = new TempFolder()
    const directory = temp.at("tree")
    const store = temp.at("store")
    const body = (i: number) =>
      Array.from(
        { length: 120 },
        (_, k) =>
          `export function f${i}_${k}(x: number) { return x > ${k} ? f${i}_${(k + 1) % 120}(x - 1) : new Date() }`
      ).join("\n")
    for (let i = 0; i < 30; i++)
      temp.write(
        `tree/m${i}.ts`,
        `import { f${(i + 1) % 30}_0 } from "./m${(i + 1) % 30}"\n${body(i)}\nf${(i + 1) % 30}_0(1)\n`
      )
    const rounds: Array<number> = []
    for (let kill = 0; kill < kills; kill++) {
      // The tree moves on, so that what an earlier process stored is never the whole answer.
      temp.write(
        "tree/changing.ts",
        `import { f${kill % 30}_0 } from "./m${kill % 30}"\nexport const now${kill} = f${kill % 30}_0(1)\n`
      )
      rounds.push(await killed(directory, store, Math.random() * 2500))
      const expected = snapshotFingerprint(await freshSnapshot(directory))
      const actual = await opened({ directory, store }, (w) =>
        Effect.map(w.current, (c) => snapshotFingerprint(c.snapshot))
      )
      expect(actual).toEqual(expected)
    }
    expect(rounds.length).toBe(kills)
    // Whatever is left of killed writers is in the one folder that gets swept.
    const { folder } = placeOf(directory, store)
    expect(readdirSync(folder).every((name) => /\.(graph|tmp)$/.test(name))).toBe(true)
    if (kills > 10)
      process.stdout.write(
        `rounds finished before each kill: ${rounds.join(" ")}; left: ${readdirSync(folder).join(" ")}\n`
      )
  })
})
