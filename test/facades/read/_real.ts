import { Context, Effect, Layer } from "effect"
import { layerWorkspace } from "../../../src/engine/workspace/layer.ts"
import { registry } from "../../../src/facades/index.ts"
import { project } from "../../../src/registry/Projection.ts"
import { OverlayView } from "../../../src/services/OverlayView.ts"
await Effect.runPromise(Effect.scoped(Effect.gen(function*(){
  const services = yield* Layer.build(layerWorkspace({ directory: process.cwd(), watch: false, store: false, threads: 2 }))
  const ctx = Context.add(services, OverlayView, { branches: () => Effect.succeed([]), files: () => Effect.succeed([]) } as any) as any
  const call = (tool: string, op: string, args: any) => Effect.gen(function*(){
    const t = performance.now()
    const o: any = yield* Effect.either(Effect.provide((registry as any).lookup(tool, op).run(args), ctx) as any)
    const v = o._tag === "Right" ? (project(o.right) as any).right.value : o.left
    console.log("\n##", tool, op, JSON.stringify(args), (performance.now()-t).toFixed(0)+"ms", JSON.stringify(v).slice(0, 1500))
  })
  yield* call("workspace","index",{})
  yield* call("workspace","graph",{})
  yield* call("relations","callers",{target:{symbol:"makeView"},options:{depth:1}})
  yield* call("relations","callers",{target:{symbol:"oneDefinition"},options:{depth:1},output:{limit:3}})
  yield* call("relations","usages",{target:{symbol:"SymbolRow"},output:{limit:4}})
  yield* call("relations","references",{target:{symbol:"src/facades/read/Lines.ts::fit"},options:{evidence_limit:2}})
  yield* call("relations","import_path",{target:{symbol:"etagOf"},options:{path:"src/facades/relations/callers.ts"}})
  yield* call("relations","declaration",{target:{query:"textOf(path)"}})
  yield* call("relations","dependents",{target:{file:"src/facades/shared/etag.ts"},output:{limit:3}})
  yield* call("read","source",{target:{symbol:"tagged"}})
  yield* call("read","editing_context",{target:{file:"src/facades/read/Fidelity.ts"}})
})))
