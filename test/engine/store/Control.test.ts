import { describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { existsSync, readdirSync, statSync } from "node:fs"
import { assert } from "vitest"
import { make } from "../../../src/engine/store/Control.ts"
import { controlFiles } from "../../../src/engine/store/layer.ts"
import type { ReleaseRecord } from "../../../src/services/ControlTables.ts"
import { TempFolder } from "../git/TempRepo.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => new TempFolder()),
  (made) => Effect.sync(() => made[Symbol.dispose]())
)
const opened = (home: string, root: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const both = yield* Scope.extend(make(controlFiles(root, home)), scope)
    return { ...both, end: Scope.close(scope, Exit.void) }
  })
const release = (tag: string, order: number): ReleaseRecord => ({
  tag,
  commit: "c".repeat(40),
  at: 1_700_000_000 + order,
  order,
  version: tag.slice(1),
  prerelease: false,
  commits: 1,
  files: [`${tag}.txt`]
})

describe("control state", () => {
  it.scoped("is read without making anything", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      const home = temp.at("home")
      const { end, view } = yield* opened(home, temp.at("repo"))
      assert.deepStrictEqual(yield* view.repositories, [])
      assert.deepStrictEqual(yield* view.scopes, [])
      assert.isUndefined(yield* view.activeProject("w"))
      assert.isUndefined(yield* view.run("churn"))
      assert.deepStrictEqual(yield* view.list("churn"), [])
      assert.isUndefined(yield* view.get("coverage", "a.ts"))
      yield* end
      assert.isFalse(existsSync(home))
    })
  )

  it.scoped(
    "of the user is the same for every root, that of a workspace is its own, and both outlive the process",
    () =>
      Effect.gen(function* () {
        const temp = yield* folder
        const home = temp.at("home")
        const first = yield* opened(home, temp.at("one"))
        yield* first.store.track({ name: "one", root: "/srv/one", project: "p" })
        yield* first.store.track({ name: "a", root: "/srv/a" })
        yield* first.store.track({ name: "one", root: "/srv/elsewhere" })
        yield* first.store.setActiveProject("w", "p")
        const scope = { name: "core", repos: ["one"], paths: ["src/é"], description: "the 'middle'" }
        assert.isFalse(yield* first.store.saveScope({ ...scope, paths: [] }))
        assert.isTrue(yield* first.store.saveScope(scope))
        yield* first.store.put("feedback", "k", {
          source: "smart_context",
          task: undefined,
          useful: ["a.ts::b"],
          not_needed: [],
          missing: []
        })
        yield* first.end

        const again = yield* opened(home, temp.at("one"))
        assert.deepStrictEqual(yield* again.view.repositories, [
          { name: "a", root: "/srv/a" },
          { name: "one", root: "/srv/elsewhere" }
        ])
        assert.strictEqual((yield* again.view.get("feedback", "k"))?.value.useful[0], "a.ts::b")
        const other = yield* opened(home, temp.at("two"))
        assert.strictEqual(yield* other.view.activeProject("w"), "p")
        assert.deepStrictEqual(yield* other.view.scopes, [scope])
        assert.isUndefined(yield* other.view.get("feedback", "k"))
        assert.isTrue(yield* other.store.deleteScope("core"))
        assert.isFalse(yield* other.store.deleteScope("core"))
        assert.deepStrictEqual(yield* again.view.scopes, [])
        assert.isTrue(yield* again.store.untrack("a"))
        assert.isFalse(yield* again.store.untrack("a"))
        yield* again.end
        yield* other.end
        assert.deepStrictEqual(
          readdirSync(home).filter((name) => name.endsWith(".db")),
          ["control.db"]
        )
        assert.strictEqual(statSync(temp.at("home", "control.db")).mode & 0o777, 0o600)
      })
  )

  it.scoped("replaces a table whole, and an empty one is known to be empty", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      const { end, store, view } = yield* opened(temp.at("home"), temp.at("one"))
      const many = Array.from({ length: 1203 }, (_, i) => release(`v${i}`, i))
      const run = yield* store.replace(
        "releases",
        many.map((one) => [one.tag, one] as const),
        { head: "h" }
      )
      assert.strictEqual((yield* view.list("releases")).length, 1203)
      assert.deepStrictEqual((yield* view.get("releases", "v77"))?.value, release("v77", 77))
      assert.deepStrictEqual(yield* view.run("releases"), run)
      assert.isTrue(yield* store.remove("releases", "v77"))
      assert.strictEqual((yield* view.list("releases")).length, 1202)
      yield* store.replace("releases", [["v1", release("v1", 0)]], { head: "i" })
      assert.deepStrictEqual(
        (yield* view.list("releases")).map(({ key, value }) => [key, value.order]),
        [["v1", 0]]
      )
      yield* store.replace("releases", [], { head: "j" })
      assert.deepStrictEqual(yield* view.list("releases"), [])
      assert.strictEqual((yield* view.run("releases"))?.about["head"], "j")
      assert.isUndefined(yield* view.run("churn"))
      yield* end
    })
  )

  it.scoped("shows readers of another connection one run or the other, never a mixture", () =>
    Effect.gen(function* () {
      const temp = yield* folder
      const one = yield* opened(temp.at("home"), temp.at("one"))
      const two = yield* opened(temp.at("home"), temp.at("one"))
      const of = (mark: number) =>
        Array.from({ length: 700 }, (_, i) => [`k${i}`, release("v", mark)] as const)
      yield* one.store.replace("releases", of(0), {})
      const seen = new Set<string>()
      yield* Effect.all(
        [
          Effect.forEach([1, 2, 3], (mark) => one.store.replace("releases", of(mark), {})),
          Effect.repeatN(
            Effect.tap(two.view.list("releases"), (rows) =>
              Effect.sync(() => {
                seen.add(`${rows.length} ${new Set(rows.map(({ value }) => value.order)).size}`)
              })
            ),
            20
          )
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...seen], ["700 1"])
      yield* Effect.all(
        [one.store.replace("releases", of(4), {}), two.store.replace("releases", of(5), {})],
        { concurrency: 2 }
      )
      const last = yield* one.view.list("releases")
      assert.strictEqual(last.length, 700)
      assert.strictEqual(new Set(last.map(({ value }) => value.order)).size, 1)
      yield* one.end
      yield* two.end
    })
  )
})
