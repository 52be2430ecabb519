/** More repositories than may be open at a time: those not asked about the longest are given up, and answers stay the same. */
import { describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { layerRepositories } from "../../../src/engine/repositories/layer.ts"
import { controlFiles, layerControl } from "../../../src/engine/store/layer.ts"
import { CallInfo, type Narrowed } from "../../../src/registry/CallInfo.ts"
import { CodeGraph } from "../../../src/services/CodeGraph.ts"
import { ControlStore } from "../../../src/services/ControlStore.ts"
import { WorkspaceView } from "../../../src/services/WorkspaceView.ts"
import { TempFolder } from "../git/TempRepo.ts"

const names = ["alpha", "beta", "gamma"] as const

describe("repositories beside the served one", () => {
  it.scopedLive("are open within a budget, and only when they are asked about", () =>
    Effect.gen(function* () {
      const temp = yield* Effect.acquireRelease(
        Effect.sync(() => new TempFolder()),
        (made) => Effect.sync(() => made[Symbol.dispose]())
      )
      for (const name of ["home", ...names]) {
        temp.init(name)
        temp.write(`${name}/${name}.ts`, `export function shared() {}\nexport function ${name}Only() {}\n`)
        temp.commit(name, "first")
      }
      const files = controlFiles(temp.at("home"), temp.at("state"))
      const built = Layer.build(
        layerRepositories(
          {
            directory: temp.at("home"),
            exact: true,
            watch: false,
            store: temp.at("store"),
            threads: 1,
            control: files.user,
            budget: 1
          },
          { state: temp.at("state") }
        ).pipe(Layer.provideMerge(layerControl(files)))
      )
      // What was open is stored when the process that indexed it ends.
      yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* built
          for (const name of ["home", ...names])
            yield* Context.get(context, ControlStore).track({ name, root: temp.at(name), workspace: "all" })
          const { counts } = yield* Context.get(context, CodeGraph).view
          expect(counts.files).toBe(4)
        })
      )
      const context = yield* built
      const open = Effect.map(Context.get(context, WorkspaceView).repositories, (rows) =>
        rows.flatMap(({ files: count, kind, name }) =>
          kind === "tracked" && count !== undefined ? [name] : []
        )
      )
      let call = 0
      const found = (narrowed?: Narrowed) =>
        Context.get(context, CodeGraph).view.pipe(
          Effect.map((view) =>
            view
              .named("shared")
              .map((ref) => view.pathOf(ref))
              .sort()
          ),
          Effect.provideService(CallInfo, {
            requestId: `t${call++}`,
            ...(narrowed === undefined ? {} : { narrowed })
          })
        )
      const all = ["alpha/alpha.ts", "beta/beta.ts", "gamma/gamma.ts", "home.ts"]
      expect(yield* found({ repo: "." })).toEqual(["home.ts"])
      expect(yield* open).toEqual([])
      expect(yield* found({ repo: "beta" })).toEqual(["beta/beta.ts"])
      expect(yield* open).toEqual(["beta"])
      expect(yield* found({ paths: ["gamma/gamma.ts"] })).toEqual(["gamma/gamma.ts", "home.ts"])
      expect(yield* open).toEqual(["gamma"])
      for (let round = 0; round < 3; round++) expect(yield* found()).toEqual(all)
      expect(yield* open).toHaveLength(1)
      temp.write("alpha/more.ts", "export function shared() {}\n")
      expect(yield* found()).toEqual(["alpha/alpha.ts", "alpha/more.ts", ...all.slice(1)])
      expect(yield* open).toHaveLength(1)
    })
  )
})
