import { it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { describe, expect } from "vitest"
import { mostBytes, mostFiles, Overlays } from "../../../src/engine/overlays/Overlays.ts"
import type { ServiceFailure } from "../../../src/services/ServiceFailure.ts"
import type { OverlayFile } from "../../../src/services/OverlayView.ts"

const file = (path: string, content: string, baseSha?: string): OverlayFile => ({
  path,
  content,
  deleted: false,
  ...(baseSha === undefined ? {} : { baseSha })
})
const gone = (path: string): OverlayFile => ({ path, deleted: true })
const nothingOnDisk = () => Effect.succeed(undefined)
const textsOf = (overlays: Overlays, session: string, branch?: string) =>
  Effect.map(overlays.files(session, branch), (files) =>
    Object.fromEntries([...files].map(([path, f]) => [path, f.deleted ? null : f.content]))
  )
const reason = <A>(effect: Effect.Effect<A, ServiceFailure>) =>
  Effect.map(Effect.flip(effect), (failure) => failure.reason)

describe("overlays of sessions", () => {
  it.effect("are seen by their own session only", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.push("a", "w", [file("x.ts", "one")])
      expect([...(yield* overlays.active("a"))!.keys()]).toEqual(["x.ts"])
      expect(yield* overlays.active("b")).toBeUndefined()
      expect(yield* overlays.active(undefined)).toBeUndefined()
      expect(yield* overlays.remove("a", "x.ts")).toBe(true)
      expect(yield* overlays.remove("a", "x.ts")).toBe(false)
      expect(yield* overlays.active("a")).toBeUndefined()
    })
  )

  it.effect("hold an empty file and a deletion apart", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.push("a", "w", [file("empty", ""), gone("removed")])
      expect(yield* textsOf(overlays, "a")).toEqual({ empty: "", removed: null })
    })
  )

  it.effect("belong to one workspace", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.register("a", "w")
      yield* overlays.register("a", "w")
      expect(yield* reason(overlays.register("a", "other"))).toBe("workspace_unknown")
    })
  )

  it.effect("refuse what goes beyond a cap, and keep what they had", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.push(
        "a",
        "w",
        Array.from({ length: mostFiles }, (_, i) => file(`f${i}`, ""))
      )
      expect(yield* reason(overlays.push("a", "w", [file("one more", "")]))).toBe("range_too_large")
      yield* overlays.push("a", "w", [file("f0", "x".repeat(mostBytes))])
      expect(yield* reason(overlays.push("a", "w", [file("f1", "y")]))).toBe("range_too_large")
      const files = yield* overlays.files("a")
      expect([files.size, files.get("f1")]).toEqual([mostFiles, file("f1", "")])
    })
  )

  it.effect("are dropped after half an hour without use, and say so until they are begun anew", () =>
    Effect.gen(function* () {
      let now = 0
      const overlays = new Overlays({ now: () => now })
      yield* overlays.push("a", "w", [file("x", "1")])
      now += 29 * 60_000
      expect(overlays.life("a")).toMatchObject({
        idle_seconds: 29 * 60,
        idle_ttl_seconds: 1800,
        expired: false
      })
      overlays.branches("a")
      yield* overlays.files("a")
      now += 60_000
      expect(overlays.life("a")?.expired).toBe(true)
      expect(yield* reason(overlays.active("a"))).toBe("overlay_session_unknown")
      expect(yield* reason(overlays.push("a", "w", [file("y", "2")]))).toBe("overlay_session_unknown")
      yield* overlays.register("a", "w")
      expect(yield* overlays.active("a")).toBeUndefined()
    })
  )

  it.effect("live on while they are read", () =>
    Effect.gen(function* () {
      let now = 0
      const overlays = new Overlays({ now: () => now })
      yield* overlays.push("a", "w", [file("x", "1")])
      for (let i = 0; i < 5; i++) {
        now += 29 * 60_000
        expect(yield* overlays.active("a")).toBeDefined()
      }
      now += 29 * 60_000
      yield* overlays.keepalive("a")
      now += 29 * 60_000
      expect(overlays.life("a")?.expired).toBe(false)
    })
  )
})

describe("branches", () => {
  it.effect("are copies that go their own ways", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.push("a", "w", [file("x", "1")])
      expect(yield* overlays.fork("a", "w", { name: "try" })).toMatchObject({
        parent: "main",
        active: false,
        files: 1
      })
      yield* overlays.switchTo("a", "try")
      yield* overlays.push("a", "w", [file("x", "2"), gone("y")])
      expect(yield* textsOf(overlays, "a", "main")).toEqual({ x: "1" })
      expect(yield* textsOf(overlays, "a")).toEqual({ x: "2", y: null })
      expect(overlays.branches("a").map((b) => [b.name, b.active, b.files])).toEqual([
        ["main", false, 1],
        ["try", true, 2]
      ])
    })
  )

  it.effect("refuse bad names, names in use and unknown ones, and to drop main or the active one", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      for (const name of ["", "-a", "a b", "a/b", "é", "x".repeat(65)]) {
        expect(yield* reason(overlays.fork("a", "w", { name }))).toBe("invalid_argument")
      }
      yield* overlays.fork("a", "w", { name: "x".repeat(64), activate: true })
      expect(yield* reason(overlays.fork("a", "w", { name: "main" }))).toBe("conflict")
      expect(yield* reason(overlays.fork("a", "w", { name: "b", from: "nowhere" }))).toBe("not_found")
      expect(yield* reason(overlays.switchTo("a", "nowhere"))).toBe("not_found")
      expect(yield* reason(overlays.dropBranch("a", "x".repeat(64)))).toBe("conflict")
      expect(yield* reason(overlays.dropBranch("a", "main"))).toBe("conflict")
      yield* overlays.switchTo("a", "main")
      yield* overlays.dropBranch("a", "x".repeat(64))
      expect(overlays.branches("a").map((b) => b.name)).toEqual(["main"])
    })
  )

  it.effect("merge by hunks what both changed since the fork", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.push("a", "w", [file("x", "1\n2\n3\n4\n5\n"), file("same", "s"), file("left", "l")])
      yield* overlays.fork("a", "w", { name: "try", activate: true })
      yield* overlays.push("a", "w", [file("x", "1\n2\n3\n4\nFIVE\n"), file("new", "n")])
      yield* overlays.remove("a", "left")
      yield* overlays.switchTo("a", "main")
      yield* overlays.push("a", "w", [file("x", "ONE\n2\n3\n4\n5\n"), file("ours", "o")])
      const answer = yield* overlays.merge("a", { from: "try", into: "main", force: false }, nothingOnDisk)
      expect(answer).toEqual({ merged: ["left", "new", "x"], conflicts: [] })
      expect(yield* textsOf(overlays, "a", "main")).toEqual({
        x: "ONE\n2\n3\n4\nFIVE\n",
        same: "s",
        new: "n",
        ours: "o"
      })
      expect(overlays.branches("a").map((b) => b.name)).toEqual(["main", "try"])
    })
  )

  it.effect("merge against the work tree what was pushed on both sides", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.fork("a", "w", { name: "try" })
      yield* overlays.push("a", "w", [file("x", "A\nb\nc\n", "1")])
      yield* overlays.switchTo("a", "try")
      yield* overlays.push("a", "w", [file("x", "a\nb\nC\n", "1")])
      const disk = () => Effect.succeed("a\nb\nc\n")
      expect(yield* overlays.merge("a", { from: "try", into: "main", force: false }, disk)).toEqual({
        merged: ["x"],
        conflicts: []
      })
      expect(yield* textsOf(overlays, "a", "main")).toEqual({ x: "A\nb\nC\n" })
    })
  )

  it.effect("merge nothing when one file is in conflict, unless the source is let win", () =>
    Effect.gen(function* () {
      const overlays = new Overlays()
      yield* overlays.push("a", "w", [file("x", "1\n"), file("y", "1\n", "0"), file("z", "1\n")])
      yield* overlays.fork("a", "w", { name: "try", activate: true })
      yield* overlays.push("a", "w", [
        file("x", "theirs\n"),
        file("y", "1\n", "1"),
        gone("z"),
        file("fine", "f")
      ])
      yield* overlays.switchTo("a", "main")
      yield* overlays.push("a", "w", [file("x", "ours\n"), file("y", "2\n", "0"), file("z", "2\n")])
      const before = yield* textsOf(overlays, "a", "main")
      expect(yield* overlays.merge("a", { from: "try", into: "main", force: false }, nothingOnDisk)).toEqual({
        merged: [],
        conflicts: [
          { path: "x", reason: "content" },
          { path: "y", reason: "base_sha" },
          { path: "z", reason: "deleted" }
        ]
      })
      expect(yield* textsOf(overlays, "a", "main")).toEqual(before)
      const forced = yield* overlays.merge("a", { from: "try", into: "main", force: true }, nothingOnDisk)
      expect(forced.merged).toEqual(["fine", "x", "y", "z"])
      expect(forced.conflicts.every((c) => c.resolution === "last-writer-wins")).toBe(true)
      expect(yield* textsOf(overlays, "a", "main")).toEqual({ x: "theirs\n", y: "1\n", z: null, fine: "f" })
    })
  )

  it.effect("that touch different files merge to what one after the other would have made", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.tuple(
              fc.constantFrom("a", "b", "c", "d", "e", "f"),
              fc.option(fc.string(), { nil: undefined }),
              fc.constantFrom("push", "take")
            ),
            { maxLength: 12 }
          ),
          fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 4 }),
          async (changes, begun) => {
            const ofOurs = (path: string) => path < "d"
            const overlays = new Overlays()
            const apply = (session: string, mine: (path: string) => boolean) =>
              Effect.forEach(
                changes.filter(([path]) => mine(path)),
                ([path, content, how]) =>
                  how === "take"
                    ? Effect.asVoid(overlays.remove(session, path))
                    : overlays.push(session, "w", [content === undefined ? gone(path) : file(path, content)])
              )
            const [merged, sequential] = await Effect.runPromise(
              Effect.gen(function* () {
                for (const session of ["merge", "sequence"]) {
                  yield* overlays.register(session, "w")
                  yield* overlays.push(
                    session,
                    "w",
                    begun.map((path) => file(path, "start"))
                  )
                }
                yield* overlays.fork("merge", "w", { name: "try" })
                yield* apply("merge", ofOurs)
                yield* overlays.switchTo("merge", "try")
                yield* apply("merge", (path) => !ofOurs(path))
                const answer = yield* overlays.merge(
                  "merge",
                  { from: "try", into: "main", force: false },
                  nothingOnDisk
                )
                expect(answer.conflicts).toEqual([])
                yield* apply("sequence", () => true)
                return [
                  yield* textsOf(overlays, "merge", "main"),
                  yield* textsOf(overlays, "sequence")
                ] as const
              })
            )
            expect(merged).toEqual(sequential)
          }
        ),
        { numRuns: 1000 }
      )
    )
  )
})
