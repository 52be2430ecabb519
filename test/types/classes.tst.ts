// @effect-diagnostics missingEffectContext:off missingEffectError:off floatingEffect:off
/**
 * Compile-time tests: the type check is the runner. A `@ts-expect-error` fails the check when its line compiles.
 */
import { Effect, type Layer, type Runtime } from "effect"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import { closedWorldTags } from "../../src/registry/EffectClass.ts"
import * as Facade from "../../src/registry/Facade.ts"
import * as F from "../../src/registry/Fields.ts"
import type { CheckNeeds, CheckServices, NotAllowed, Operation } from "../../src/registry/Operation.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { CodeGraph } from "../../src/services/CodeGraph.ts"
import type { ControlStore } from "../../src/services/ControlStore.ts"
import { ForgeClient } from "../../src/services/ForgeClient.ts"
import type { ForgeReader } from "../../src/services/ForgeReader.ts"
import { IndexControl } from "../../src/services/IndexControl.ts"
import { KnowledgeWriter } from "../../src/services/KnowledgeWriter.ts"
import { LanguageModel } from "../../src/services/LanguageModel.ts"
import { LocalWriter } from "../../src/services/LocalWriter.ts"
import { ReadFs } from "../../src/services/ReadFs.ts"
import { SessionStore } from "../../src/services/SessionStore.ts"
import * as sample from "../registry/sample.ts"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_T extends true>() => {}
type R<Op> = Operation.Context<Op>

const envelope = { properties: {} }
const reader = Facade.make("reader", { effect: "read", purpose: "", envelope })
const writer = Facade.make("writer", { effect: "local_write", purpose: "", envelope })
const admin = Facade.make("admin", { effect: "control_write", purpose: "", envelope })
const say = { tool: "t", summary: "" }
const input = F.input({ a: F.anyText })
const done = () => Effect.succeed({})

// A read operation cannot declare a write service,
reader.operation("a", {
  ...say,
  input,
  // @ts-expect-error
  needs: [LocalWriter],
  handler: done
})
// nor reach one it did not declare,
reader.operation("b", {
  ...say,
  input,
  needs: [ReadFs],
  handler: () =>
    // @ts-expect-error
    Effect.gen(function* () {
      yield* ReadFs
      yield* LocalWriter
      return {}
    })
})
// nor use a read service that its needs leave out.
reader.operation("c", {
  ...say,
  input,
  needs: [ReadFs],
  // @ts-expect-error
  handler: () => Effect.as(CodeGraph, {})
})
// Classes do not mix.
writer.operation("d", {
  ...say,
  input,
  // @ts-expect-error
  needs: [ForgeClient],
  handler: done
})
writer.operation("e", {
  ...say,
  input,
  needs: [],
  // @ts-expect-error
  handler: () => Effect.as(SessionStore, {})
})
admin.operation("f", {
  ...say,
  input,
  // @ts-expect-error
  needs: [IndexControl, LocalWriter],
  handler: done
})
// Further services of the class are fine, and the witness comes on top.
const noted = writer.operation("g", {
  ...say,
  input,
  needs: [KnowledgeWriter],
  handler: () => Effect.as(KnowledgeWriter, {})
})
holds<Equal<R<typeof noted>, KnowledgeWriter | LocalWriter>>()
// The witness is there even when the handler forgets it, and may be used without declaring it.
const silent = writer.operation("h", { ...say, input, needs: [], handler: done })
holds<Equal<R<typeof silent>, LocalWriter>>()
writer.operation("i", { ...say, input, needs: [], handler: () => Effect.as(LocalWriter, {}) })
// So too for an operation without a handler.
const missing = writer.declared("j", say)
holds<Equal<R<typeof missing>, LocalWriter>>()
const absent = reader.declared("j", say)
holds<Equal<R<typeof absent>, never>>()
const planned = writer.declared("l", { ...say, needs: [ReadFs] })
holds<Equal<R<typeof planned>, ReadFs | LocalWriter>>()
// @ts-expect-error
reader.declared("m", { ...say, needs: [LocalWriter] })
// A handler fails with the one failure.
reader.operation("k", {
  ...say,
  input,
  needs: [],
  // @ts-expect-error
  handler: () => Effect.fail("no")
})
// Operations of another facade do not fit.
// @ts-expect-error
reader.of(silent)
// @ts-expect-error
Facade.make("edit", { effect: "read", purpose: "", envelope }).of(sample.editFile)

// What the compiler says.
holds<
  Equal<
    CheckServices<"read.file", "read", ReadFs | LocalWriter, ReadFs>,
    NotAllowed<'read.file has effect class "read" and may not require this service', LocalWriter>
  >
>()
holds<
  Equal<
    CheckServices<"read.file", "read", ReadFs | CodeGraph, ReadFs>,
    NotAllowed<"read.file requires a service that its needs list lacks", CodeGraph>
  >
>()
holds<Equal<CheckServices<"read.file", "read", ReadFs, ReadFs>, unknown>>()
holds<
  Equal<
    CheckNeeds<"edit.file", "local_write", readonly [typeof ControlStore]>,
    readonly [
      NotAllowed<'edit.file has effect class "local_write" and may not need this service', ControlStore>
    ]
  >
>()

// Other servers are asked by reads of the closed world alone.
reader.operation("n", { ...say, input, needs: [ReadFs], federated: true, handler: done })
reader.declared("o", { ...say, needs: [ReadFs], federated: true })
// @ts-expect-error
reader.operation("p", { ...say, input, needs: [LanguageModel], federated: true, handler: done })
// @ts-expect-error
reader.declared("q", { ...say, needs: [LanguageModel], federated: true })
// @ts-expect-error
writer.operation("r", { ...say, input, needs: [], federated: true, handler: done })

// Inputs are typed from their fields.
const typed = F.input({
  target: F.target({ file: F.text, symbols: F.ids }),
  options: F.group({
    limit: F.clamped({ min: 1, max: 9, default: 3 }),
    depth: F.clamped({ min: 1, max: 9 }),
    rank: F.optional(F.choice("a", "b")),
    keep: F.withDefault(F.csv, [])
  }),
  dry_run: F.withDefault(F.flag, false)
})
holds<
  Equal<
    F.Input.Type<typeof typed>,
    {
      readonly target:
        | { readonly file: string; readonly symbols?: undefined }
        | { readonly symbols: ReadonlyArray<string>; readonly file?: undefined }
      readonly options: {
        readonly limit: number
        readonly depth?: number
        readonly rank?: "a" | "b"
        readonly keep: ReadonlyArray<string>
      }
      readonly dry_run: boolean
    }
  >
>()

// Narrowing a registry narrows what it needs.
const planning = Registry.only(sample.registry, ["read", "session_write"])
holds<Equal<Registry.Registry.Names<typeof planning>, "read" | "pr" | "analyze" | "session">>()
holds<Equal<Registry.Registry.Context<typeof planning>, ReadFs | CodeGraph | ForgeReader | SessionStore>>()
holds<
  Equal<
    Registry.Registry.Context<typeof sample.registry>,
    ReadFs | CodeGraph | ForgeReader | SessionStore | LocalWriter
  >
>()
const federated = Registry.satisfiedBy(sample.registry, closedWorldTags)
holds<Equal<Registry.Registry.Names<typeof federated>, "read" | "analyze">>()
holds<Equal<Registry.Registry.Context<typeof federated>, ReadFs | CodeGraph>>()

// Layers serve what they provide.
const request = { facade: "edit", args: {} }
const full: Effect.Effect<unknown, unknown, never> = Dispatcher.call(sample.registry, request).pipe(
  Effect.provide(sample.layerFull)
)
const plans: Effect.Effect<unknown, unknown, never> = Dispatcher.call(planning, request).pipe(
  Effect.provide(sample.layerPlanning)
)
const peer: Effect.Effect<unknown, unknown, never> = Dispatcher.call(federated, request).pipe(
  Effect.provide(sample.layerFederation)
)
// @ts-expect-error planning cannot serve the whole registry
const no1: Effect.Effect<unknown, unknown, never> = Dispatcher.call(sample.registry, request).pipe(
  Effect.provide(sample.layerPlanning)
)
// @ts-expect-error federation cannot serve what planning can
const no2: Effect.Effect<unknown, unknown, never> = Dispatcher.call(planning, request).pipe(
  Effect.provide(sample.layerFederation)
)
// @ts-expect-error one write is enough
const no3: Effect.Effect<unknown, unknown, never> = Effect.all([
  sample.file.run({}),
  sample.editFile.run({})
]).pipe(Effect.provide(sample.layerPlanning))
// @ts-expect-error
Effect.runPromise(sample.batch.run({}).pipe(Effect.provide(sample.layerPlanning)))
// @ts-expect-error a looked-up operation needs what its registry may need
const no4: Effect.Effect<unknown, unknown, ReadFs> = planning.lookup("read", "file")!.run({})
holds<
  Equal<
    Extract<Layer.Layer.Success<typeof sample.layerPlanning>, LocalWriter | ControlStore | ForgeClient>,
    never
  >
>()
void [full, plans, peer, no1, no2, no3, no4]

// Dispatchers exist only where the runtime serves the registry.
declare const fullRuntime: Runtime.Runtime<Layer.Layer.Success<typeof sample.layerFull>>
declare const planningRuntime: Runtime.Runtime<Layer.Layer.Success<typeof sample.layerPlanning>>
declare const federationRuntime: Runtime.Runtime<Layer.Layer.Success<typeof sample.layerFederation>>
export const dispatchers = () => [
  Dispatcher.make("full session", {
    registry: sample.registry,
    runtime: fullRuntime,
    catalog: sample.registry
  }),
  Dispatcher.make("planning mode", {
    registry: planning,
    runtime: planningRuntime,
    catalog: sample.registry
  }),
  Dispatcher.make("federation", {
    registry: federated,
    runtime: federationRuntime,
    catalog: sample.registry
  }),
  Dispatcher.make("planning mode", {
    // @ts-expect-error
    registry: sample.registry,
    runtime: planningRuntime,
    catalog: sample.registry
  }),
  // @ts-expect-error
  Dispatcher.make("federation", { registry: planning, runtime: federationRuntime, catalog: sample.registry })
]
holds<
  Equal<
    Dispatcher.CheckMode<"federation", typeof sample.editFacade, ReadFs>,
    Dispatcher.ModeLacks<"federation", LocalWriter>
  >
>()
