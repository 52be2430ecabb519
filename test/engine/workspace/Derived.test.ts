/** Work trees of one repository: the second one costs next to nothing, answers for itself, and leaves nothing behind. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { expect } from "vitest"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { emptySnapshot } from "../../../src/engine/graph/Update.ts"
import { makeView } from "../../../src/engine/graph/View.ts"
import { controlFiles } from "../../../src/engine/store/layer.ts"
import { readDerived } from "../../../src/engine/workspace/Derived.ts"
import { placeOf } from "../../../src/engine/workspace/Store.ts"
import { open } from "../../../src/engine/workspace/Workspace.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { differenceFromFresh } from "./support.ts"

const freshness = { state: "fresh", stale_files: [], head: undefined, checked_at: "" } as const

const sizeOf = (folder: string, ending: string): ReadonlyArray<number> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => statSync(join(folder, name)).size)

/** A folder for as long as its scope. */
const scoped = Effect.acquireRelease(
  Effect.sync(() => new TempFolder()),
  (made) => Effect.sync(() => made[Symbol.dispose]())
)

describe("a repository of one file", () => {
  it.scopedLive("takes little room", () =>
    Effect.gen(function* () {
      const temp = yield* scoped
      temp.write("one/alone.ts", "export function alone() {}\n")
      const options = { directory: temp.at("one"), exact: true, watch: false, store: temp.at("store") }
      yield* Effect.scoped(Effect.flatMap(open(options), ({ current }) => current))
      const again = yield* open(options)
      expect(again.storeBytes()).toBeGreaterThan(0)
      expect(again.storeBytes()).toBeLessThan(256 << 10)
      expect((yield* again.refresh({})).updated).toEqual([])
    })
  )
})

describe("a second work tree", () => {
  it.scopedLive("is known without reading what is as it was, and by what was changed in it", () =>
    Effect.gen(function* () {
      const temp = yield* scoped
      temp.init("main")
      for (let i = 0; i < 60; i++) temp.write(`main/src/f${i}.ts`, `export const f${i} = 1\n`)
      for (let i = 0; i < 60; i++) temp.write(`main/images/${i}.png`, `${i}`)
      temp.write("main/large.ts", "x".repeat(2 * 1024 * 1024 + 1))
      temp.commit("main", "start")
      const visit = (tree: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const engine = yield* open({
              directory: temp.at(tree),
              exact: true,
              watch: false,
              store: temp.at("store"),
              threads: 1
            })
            const { updated } = yield* engine.refresh({})
            const { snapshot } = yield* engine.current
            const difference = yield* Effect.promise(() => differenceFromFresh(snapshot, temp.at(tree)))
            expect(difference.join("\n")).toBe("")
            return [...updated].sort()
          })
        )
      expect(yield* visit("main")).toHaveLength(121)
      temp.git("main", "worktree", "add", "-q", temp.at("second"))
      // As if it had been added a while ago.
      const index = temp.at("main/.git/worktrees/second/index")
      utimesSync(index, Date.now() / 1000 + 10, Date.now() / 1000 + 10)
      // As many bytes, at the same time.
      const path = temp.at("second/src/f3.ts")
      const { atime, mtime } = statSync(path)
      writeFileSync(path, "export const g3 = 1\n")
      utimesSync(path, atime, mtime)
      writeFileSync(temp.at("second/images/3.png"), "another size")
      rmSync(temp.at("second/src/f4.ts"))
      temp.write("second/src/new.ts", "export const fresh = 1\n")
      expect(yield* visit("second")).toEqual(["src/f3.ts", "src/new.ts"])
      expect(yield* visit("main")).toEqual([])
    })
  )

  it.scopedLive("is stored as what differs, and answers for itself", () =>
    Effect.gen(function* () {
      const temp = yield* scoped
      temp.init("main")
      for (let i = 0; i < 80; i++)
        temp.write(
          `main/src/f${i}.ts`,
          Array.from(
            { length: 40 },
            (_, k) =>
              `/** Adds ${k} and ${i} to a number. */\nexport function f${i}_${k}(n: number) {\n  return n + ${i} + f${i}_${(k + 1) % 40}(${k})\n}\n`
          ).join("\n")
        )
      temp.commit("main", "first")
      const store = temp.at("store")
      /** Indexes a work tree as one process would, and says how many files were read and what is known of a name. */
      const visit = (tree: string, name: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const engine = yield* open({
              directory: temp.at(tree),
              exact: true,
              watch: false,
              store,
              threads: 1
            })
            const before = yield* engine.refresh({})
            const { snapshot } = yield* engine.current
            const view = makeView(snapshot, freshness)
            return {
              read: before.updated.length,
              found: view.named(name).map((ref) => view.idOf(ref)),
              callers: view
                .named(name)
                .flatMap((ref) => view.incoming(ref).map(({ line, path }) => `${path}:${line}`))
            }
          })
        )
      const first = yield* visit("main", "f7_0")
      expect(first.read).toBe(80)
      const { folder } = placeOf(temp.at("main"), store)
      expect(sizeOf(folder, ".graph")).toHaveLength(1)
      temp.git("main", "worktree", "add", "-q", temp.at("second"))
      const second = yield* visit("second", "f7_0")
      expect(second).toEqual({ ...first, read: 0 })
      // The graph is there once, and what is stored of the second tree is small.
      const [graph] = sizeOf(folder, ".graph")
      expect(sizeOf(folder, ".graph")).toHaveLength(1)
      expect(sizeOf(folder, ".derived")).toHaveLength(1)
      expect(sizeOf(folder, ".derived")[0]! / graph!).toBeLessThan(0.02)
      // Files are as old as the work tree: they are known by their stats since it was looked at, not since the first one was.
      const place = placeOf(temp.at("second"), store)
      const { build, root } = JSON.parse(readFileSync(place.file.replace(/\.graph$/, ".derived"), "utf8"))
      const { at } = readDerived(place, build, root)!.apply(emptySnapshot(new Interner()))
      expect(at).toBeGreaterThanOrEqual(statSync(temp.at("second/src/f0.ts")).mtimeMs)
      // What differs is told by each for itself.
      temp.write("second/src/f7.ts", "export function f7_0() {}\nexport const more = f7_0()\n")
      expect(yield* visit("second", "f7_0")).toMatchObject({ read: 1, callers: ["src/f7.ts:2"] })
      expect(yield* visit("second", "f7_0")).toMatchObject({ callers: ["src/f7.ts:2"] })
      expect(yield* visit("main", "f7_0")).toMatchObject({ read: 0, callers: first.callers })
      // The first one's snapshot is written anew; the second still has what it was derived from.
      for (let i = 0; i < 40; i++) temp.write(`main/src/f${i}.ts`, `export const other${i} = 1\n`)
      expect((yield* visit("main", "other3")).found).toHaveLength(1)
      expect(yield* visit("second", "f9_0")).toMatchObject({ found: ["src/f9.ts::f9_0"] })
      expect((yield* visit("second", "other3")).found).toHaveLength(0)
      // With many files of its own it gets a snapshot of its own.
      for (let i = 0; i < 60; i++) temp.write(`second/src/f${i}.ts`, `export const own${i} = 1\n`)
      expect((yield* visit("second", "own5")).found).toHaveLength(1)
      expect(sizeOf(folder, ".graph")).toHaveLength(2)
      expect(sizeOf(folder, ".derived")).toHaveLength(0)
      expect(yield* visit("second", "own5")).toMatchObject({ read: 0 })
      // A tree that is removed leaves nothing, its control state included; what git keeps a hold on stays.
      temp.git("main", "worktree", "add", "-q", temp.at("third"))
      yield* visit("third", "other3")
      const files = new Map(
        ["main", "second", "third"].map((tree) => [tree, controlFiles(temp.at(tree), store).workspace])
      )
      for (const file of files.values()) {
        mkdirSync(dirname(file), { recursive: true })
        for (const ending of ["", "-wal", "-shm"]) writeFileSync(file + ending, "kept")
      }
      const left = (tree: string) =>
        ["", "-wal", "-shm"].filter((ending) => existsSync(files.get(tree)! + ending)).length
      temp.git("main", "worktree", "lock", temp.at("third"))
      for (const tree of ["second", "third"]) rmSync(temp.at(tree), { recursive: true })
      yield* visit("main", "other3")
      expect(sizeOf(folder, ".graph")).toHaveLength(1)
      expect(sizeOf(folder, ".derived")).toHaveLength(0)
      expect(["main", "second", "third"].map(left)).toEqual([3, 0, 3])
    })
  )
})
