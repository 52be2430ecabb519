import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { TempFolder } from "../git/TempRepo.ts"
import { histories, tweaked } from "../graph/trees.ts"
import { differenceFromFresh, differenceFromResolved, opened } from "./support.ts"

/** Checkouts to make: each lands on a commit far from the last, so that much changes at once, or near, so that little does. */
const visits = Number(process.env["PORTICO_VISITS"] ?? 10)

describe("a repository with a history", () => {
  for (const watch of [false, true]) {
    it(`is known as well as if indexed from nothing after every checkout, ${watch ? "watched" : "unwatched"}`, {
      timeout: 120_000
    }, async () => {
      using temp = new TempFolder()
      temp.init()
      const [history] = fc.sample(fc.tuple(histories(undefined, 40), histories("ecmascript", 40)), {
        numRuns: 1,
        seed: 4711
      })
      const commits: Array<string> = []
      let tree: ReadonlyMap<string, string> = new Map(
        Array.from({ length: 10 }, (_, i) => [`ballast/n${i}.py`, `only${i} = ${i}\n`])
      )
      const commit = (next: ReadonlyMap<string, string>) => {
        for (const path of tree.keys()) if (!next.has(path)) rmSync(temp.at(path))
        for (const [path, content] of next) {
          mkdirSync(dirname(temp.at(path)), { recursive: true })
          writeFileSync(temp.at(path), content)
        }
        tree = next
        commits.push(temp.commit("", `step ${commits.length}`))
      }
      for (const part of history!) {
        let next = tree
        for (const edit of part.start) next = tweaked(next, { _tag: "Write", edit })
        commit(next)
        for (const tweaks of part.steps.slice(0, 8)) {
          for (const tweak of tweaks) next = tweaked(next, tweak)
          commit(next)
        }
      }
      await opened({ directory: temp.path, watch }, (w) =>
        Effect.promise(async () => {
          await Effect.runPromise(w.current)
          for (let visit = 0, at = 0; visit < visits; visit++) {
            at = (at + (visit % 3 === 2 ? 7 : 1)) % commits.length
            temp.git("", "checkout", "-q", commits[at]!)
            const { snapshot } = await Effect.runPromise(w.current)
            expect(snapshot.units[0]!.head).toBe(commits[at])
            expect(differenceFromResolved(snapshot, temp.path)).toEqual([])
            if (visit % 3 === 0) expect(await differenceFromFresh(snapshot, temp.path)).toEqual([])
          }
        })
      )
    })
  }
})
