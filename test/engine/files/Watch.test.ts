import { mkdirSync, renameSync, rmSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Stream } from "effect"
import { watchTree } from "../../../src/engine/files/Watch.ts"
import type { WatchReport } from "../../../src/engine/files/Watch.ts"
import { TempFolder } from "../git/TempRepo.ts"

/** Whether a reported path stands for a wanted one: itself or a folder above it. */
const covers = (report: WatchReport, path: string) =>
  report._tag === "Unknown" || report.paths.some((one) => path === one || path.startsWith(`${one}/`))

for (const backend of ["parcel", "fs.watch"] as const) {
  describe(`watching with ${backend}`, () => {
    const until = (
      reports: Stream.Stream<WatchReport>,
      done: (seen: ReadonlyArray<WatchReport>) => boolean
    ) =>
      reports.pipe(
        Stream.scan([] as ReadonlyArray<WatchReport>, (seen, report) => [...seen, report]),
        Stream.filter(done),
        Stream.runHead,
        Effect.map(Option.getOrElse((): ReadonlyArray<WatchReport> => [])),
        Effect.timeout("20 seconds")
      )

    it.scopedLive(
      "reports edits, moves, new folders and removals",
      () =>
        Effect.gen(function* () {
          using temp = new TempFolder()
          temp.write("edit.ts")
          temp.write("move.ts")
          temp.write("sub/remove.ts")
          const watcher = yield* watchTree(temp.path, { backend })
          expect(watcher.backend).toBe(backend)
          // The other backend misses what lies below folders made together with their parents.
          const fresh = backend === "parcel" ? "fresh/new.ts" : "fresh/deep/er/new.ts"
          const wanted = ["edit.ts", "move.ts", "moved.ts", "sub/remove.ts", fresh]
          const fiber = yield* Effect.fork(
            until(watcher.reports, (seen) =>
              wanted.every((path) => seen.some((report) => covers(report, path)))
            )
          )
          temp.write("edit.ts", "edited\n")
          renameSync(temp.at("move.ts"), temp.at("moved.ts"))
          rmSync(temp.at("sub/remove.ts"))
          temp.write(fresh)
          const seen = yield* Fiber.join(fiber)
          expect(seen.length).toBeGreaterThan(0)
          const again = yield* Effect.fork(
            until(watcher.reports, (reports) => reports.some((report) => covers(report, fresh)))
          )
          temp.write(fresh, "once more\n")
          expect((yield* Fiber.join(again)).length).toBeGreaterThan(0)
        }),
      60_000
    )

    it.scopedLive(
      "is silent about ignored folders and tells of git's own moves",
      () =>
        Effect.gen(function* () {
          using temp = new TempFolder()
          temp.init()
          temp.write("a.ts")
          temp.write("out/x.js")
          temp.commit("", "one")
          mkdirSync(temp.at("node_modules"))
          const watcher = yield* watchTree(temp.path, {
            backend,
            ignoredDirectories: ["out/"],
            ignores: (path) => path === "own" || path.startsWith("own/")
          })
          const fiber = yield* Effect.fork(
            until(
              watcher.reports,
              (seen) =>
                seen.some((report) => report._tag === "Dirty" && report.git) &&
                seen.some((report) => covers(report, "z.ts"))
            )
          )
          temp.write("node_modules/m/i.js")
          temp.write("out/y.js")
          temp.write("own/log")
          temp.commit("", "two")
          temp.write("z.ts")
          const seen = yield* Fiber.join(fiber)
          const paths = seen.flatMap((report) => (report._tag === "Dirty" ? report.paths : ["unknown"]))
          expect(paths.filter((path) => /^(out|own|node_modules|\.git)(\/|$)/.test(path))).toEqual([])
        }),
      60_000
    )

    it.scopedLive(
      "answers unknown when there is too much to name",
      () =>
        Effect.gen(function* () {
          using temp = new TempFolder()
          const watcher = yield* watchTree(temp.path, { backend, maxPaths: 3 })
          const fiber = yield* Effect.fork(
            until(watcher.reports, (seen) => seen.some((report) => report._tag === "Unknown"))
          )
          for (let at = 0; at < 50; at++) temp.write(`f${at}`)
          const seen = yield* Fiber.join(fiber)
          expect(seen.at(-1)).toEqual({ _tag: "Unknown", reason: "too many changes" })
        }),
      60_000
    )
  })
}

describe("watching", () => {
  it.scopedLive(
    "goes on after a folder was replaced by another of the same name",
    () =>
      Effect.gen(function* () {
        using temp = new TempFolder()
        temp.write("d/inner/a.ts")
        const watcher = yield* watchTree(temp.path, { backend: "fs.watch" })
        const hears = (path: string) =>
          watcher.reports.pipe(
            Stream.filter((report) => report._tag === "Dirty" && report.paths.includes(path)),
            Stream.runHead,
            Effect.timeout("20 seconds")
          )
        const replaced = yield* Effect.fork(hears("d"))
        temp.write("e/inner/a.ts")
        renameSync(temp.at("d"), temp.at("old"))
        renameSync(temp.at("e"), temp.at("d"))
        yield* Fiber.join(replaced)
        yield* Effect.sleep(100)
        const edited = yield* Effect.fork(hears("d/inner/a.ts"))
        temp.write("d/inner/a.ts", "again\n")
        expect(Option.isSome(yield* Fiber.join(edited))).toBe(true)
      }),
    60_000
  )

  it.scopedLive.skipIf(process.platform !== "linux")(
    "does not lose deep new folders by default on Linux",
    () =>
      Effect.gen(function* () {
        using temp = new TempFolder()
        expect((yield* watchTree(temp.path)).backend).toBe("fs.watch")
      })
  )

  it.scoped("fails when there is no such folder", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const error = yield* Effect.flip(watchTree(temp.at("gone")))
      expect(error).toMatchObject({ _tag: "WatchError", code: "ENOENT" })
    })
  )
})
