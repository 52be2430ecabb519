import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, FastCheck as fc } from "effect"
import { realDisk } from "../../../src/engine/edits/Disk.ts"
import { decodeHolder, isGone, thisProcess } from "../../../src/engine/edits/Holder.ts"
import { Locks } from "../../../src/engine/edits/Locks.ts"
import { TempFolder } from "../git/TempRepo.ts"

const stage = (temp: TempFolder): (() => Locks) => {
  mkdirSync(temp.at("locks"))
  return () => new Locks(realDisk, temp.at("locks"))
}

const fileOf = (temp: TempFolder, key: string): string =>
  temp.at("locks", `${createHash("sha256").update(key).digest("hex").slice(0, 40)}.lock`)

/** A process that has ended. */
const ended = (): number => spawnSync(process.execPath, ["-e", ""]).pid

const leave = (file: string, change: Record<string, unknown> = {}): void =>
  writeFileSync(
    file,
    JSON.stringify({ ...thisProcess(), instance: "", token: "0123456789abcdef", pid: ended(), ...change })
  )

const taken = (locks: Locks, key: string): Promise<boolean> =>
  Effect.runPromise(Effect.scoped(locks.tryAcquire(key)))

describe("locks", () => {
  it("exclude each other within one holder and between two", async () => {
    using temp = new TempFolder()
    const make = stage(temp)
    const [one, two] = [make(), make()]
    const seen = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* one.acquire(["a", "b"])
          return [
            yield* Effect.scoped(one.tryAcquire("a")),
            yield* Effect.scoped(two.tryAcquire("b")),
            yield* Effect.scoped(two.tryAcquire("c"))
          ]
        })
      )
    )
    expect(seen).toEqual([false, false, true])
    expect(await taken(two, "a")).toBe(true)
    expect(readdirSync(temp.at("locks"))).toEqual([])
  })

  it("are refused as busy when not free in time", async () => {
    using temp = new TempFolder()
    const make = stage(temp)
    const exit = await Effect.runPromiseExit(
      Effect.scoped(Effect.zipRight(make().acquire(["a"]), Effect.scoped(make().acquire(["a"], 20))))
    )
    expect(Exit.isFailure(exit) && exit.cause._tag === "Fail" && exit.cause.error).toMatchObject({
      reason: "busy"
    })
    expect(readdirSync(temp.at("locks"))).toEqual([])
  })

  it("let one in at a time, whatever the number of waiters and holders", async () => {
    using temp = new TempFolder()
    const make = stage(temp)
    const holders = [make(), make(), make()]
    let inside = 0
    let most = 0
    let turns = 0
    const work = (locks: Locks) =>
      Effect.scoped(
        Effect.gen(function* () {
          yield* locks.acquire(["x", "y"])
          most = Math.max(most, ++inside)
          yield* Effect.sleep(1)
          inside--
          turns++
        })
      )
    await Effect.runPromise(
      Effect.forEach(
        Array.from({ length: 30 }, (_, i) => holders[i % 3]!),
        work,
        { concurrency: "unbounded", discard: true }
      )
    )
    expect([most, turns]).toEqual([1, 30])
  })

  it("never end up held by nobody when waiters give up", async () => {
    using temp = new TempFolder()
    const make = stage(temp)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 8 }),
        async (pauses) => {
          const locks = make()
          await Effect.runPromise(
            Effect.forEach(
              pauses,
              (pause) =>
                Effect.scoped(Effect.zipRight(locks.acquire(["k"]), Effect.sleep(3))).pipe(
                  Effect.timeout(pause),
                  Effect.ignore
                ),
              { concurrency: "unbounded", discard: true }
            )
          )
          expect(await taken(locks, "k")).toBe(true)
          expect(readdirSync(temp.at("locks"))).toEqual([])
        }
      ),
      { numRuns: 25 }
    )
  })

  it("of a process that is gone are cleared away", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    leave(fileOf(temp, "a"))
    expect(await taken(locks, "a")).toBe(true)
    expect(readdirSync(temp.at("locks"))).toEqual([])
  })

  it("of a process whose number was given to another are cleared away", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    leave(fileOf(temp, "a"), { pid: process.pid, start: "1" })
    expect(await taken(locks, "a")).toBe(true)
  })

  it("that cannot be judged stay: another host, another container, an unreadable file", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    leave(fileOf(temp, "host"), { space: `elsewhere ${thisProcess().space.split(" ")[1]}` })
    leave(fileOf(temp, "container"), { space: `${thisProcess().space.split(" ")[0]} pid:[1]` })
    writeFileSync(fileOf(temp, "garbage"), "{")
    for (const key of ["host", "container", "garbage"]) expect(await taken(locks, key)).toBe(false)
    await Effect.runPromise(locks.sweep())
    expect(readdirSync(temp.at("locks"))).toHaveLength(3)
  })

  it("of an earlier run of this machine are cleared away", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    if (thisProcess().boot === null) return
    leave(fileOf(temp, "a"), { pid: process.pid, boot: "another" })
    expect(await taken(locks, "a")).toBe(true)
  })

  it("are cleared even when the one that was clearing them died as well", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    const file = fileOf(temp, "a")
    leave(file)
    leave(`${file}.0123456789abcdef`, { token: "fedcba9876543210" })
    leave(`${file}.fedcba9876543210`, { token: "aaaaaaaaaaaaaaaa" })
    expect(await taken(locks, "a")).toBe(true)
    expect(readdirSync(temp.at("locks"))).toEqual([])
  })

  it("are left to a living process that is clearing them", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    const file = fileOf(temp, "a")
    leave(file)
    leave(`${file}.0123456789abcdef`, { token: "fedcba9876543210", pid: process.ppid, start: null })
    expect(await taken(locks, "a")).toBe(false)
  })

  it("leave nothing behind after a sweep", async () => {
    using temp = new TempFolder()
    const locks = stage(temp)()
    leave(fileOf(temp, "a"))
    leave(`${fileOf(temp, "b")}.0123456789abcdef`)
    leave(`${fileOf(temp, "c")}~0123456789abcdef`)
    writeFileSync(`${fileOf(temp, "d")}~0123456789abcdef`, "")
    await Effect.runPromise(locks.sweep())
    expect(readdirSync(temp.at("locks"))).toEqual([])
  })
})

describe("a holder", () => {
  it("of this process lives, and survives being written down", () => {
    const me = thisProcess()
    expect(isGone(me)).toBe(false)
    expect(decodeHolder(JSON.parse(JSON.stringify(me)))).toEqual(me)
    expect(decodeHolder({ pid: -1, start: null, boot: null, space: "" })).toBe(null)
    expect(decodeHolder("x")).toBe(null)
  })

  it("is gone when its process ended", () => {
    expect(isGone({ ...thisProcess(), pid: ended() })).toBe(true)
  })
})
