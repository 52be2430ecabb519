// @effect-diagnostics missingEffectContext:off missingEffectError:off floatingEffect:off
/** What each mode's layer may serve, settled by the compiler. */
import { Effect, type Layer, type Runtime } from "effect"
import type { registry } from "../../src/facades/index.ts"
import {
  type FederationServices,
  federationRegistry,
  type FullServices,
  type layerFederation,
  layerFull,
  layerPlanning,
  type LayerOptions,
  planningRegistry,
  type PlanningServices
} from "../../src/layers.ts"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import type { Registry } from "../../src/registry/Registry.ts"
import type { ClosedWorldServices } from "../../src/registry/EffectClass.ts"
import type { ControlStore } from "../../src/services/ControlStore.ts"
import type { ForgeClient } from "../../src/services/ForgeClient.ts"
import type { ForgeReader } from "../../src/services/ForgeReader.ts"
import type { IndexControl } from "../../src/services/IndexControl.ts"
import type { KnowledgeWriter } from "../../src/services/KnowledgeWriter.ts"
import type { LanguageModel } from "../../src/services/LanguageModel.ts"
import { LocalWriter } from "../../src/services/LocalWriter.ts"
import type { OverlayStore } from "../../src/services/OverlayStore.ts"
import { ReadFs } from "../../src/services/ReadFs.ts"
import type { SessionStore } from "../../src/services/SessionStore.ts"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_T extends true>() => {}

declare const options: LayerOptions
declare const whole: typeof registry
declare const full: Runtime.Runtime<FullServices>
declare const planning: Runtime.Runtime<PlanningServices>
declare const federation: Runtime.Runtime<FederationServices>

// The modes are nested, and these are the steps between them.
holds<Equal<FederationServices, ClosedWorldServices>>()
holds<
  Equal<
    Exclude<PlanningServices, FederationServices>,
    ForgeReader | LanguageModel | SessionStore | OverlayStore
  >
>()
holds<
  Equal<
    Exclude<FullServices, PlanningServices>,
    LocalWriter | KnowledgeWriter | ControlStore | IndexControl | ForgeClient
  >
>()
holds<Equal<Exclude<PlanningServices, FullServices>, never>>()
holds<Equal<Exclude<FederationServices, PlanningServices>, never>>()

// The layers provide what the modes say, need nothing and cannot fail.
holds<Equal<ReturnType<typeof layerFull>, Layer.Layer<FullServices>>>()
holds<Equal<ReturnType<typeof layerPlanning>, Layer.Layer<PlanningServices>>>()
holds<Equal<ReturnType<typeof layerFederation>, Layer.Layer<FederationServices>>>()

// A full session serves the whole registry; planning and federation serve their part of it.
Dispatcher.make("a session", { registry: whole, runtime: full, catalog: whole })
Dispatcher.make("planning", { registry: planningRegistry, runtime: planning, catalog: whole })
Dispatcher.make("federation", { registry: federationRegistry, runtime: federation, catalog: whole })
Dispatcher.make("planning", {
  // @ts-expect-error planning cannot write
  registry: whole,
  runtime: planning,
  catalog: whole
})
Dispatcher.make("federation", {
  // @ts-expect-error a peer has no session and no open world
  registry: planningRegistry,
  runtime: federation,
  catalog: whole
})
holds<
  Equal<
    Extract<
      Registry.Names<typeof planningRegistry>,
      "edit" | "refactor" | "remember" | "workspace_admin" | "publish_review"
    >,
    never
  >
>()
holds<
  Equal<
    Extract<Registry.Context<typeof federationRegistry>, ForgeReader | LanguageModel | SessionStore>,
    never
  >
>()

// A write has nowhere to run while planning, alone or among reads.
const read = Effect.flatMap(ReadFs, (files) => files.readText("a"))
const write = Effect.flatMap(LocalWriter, (writer) => writer.commit([]))
const runs: <A, E>(effect: Effect.Effect<A, E>) => void = Effect.runFork
runs(read.pipe(Effect.provide(layerPlanning(options))))
runs(write.pipe(Effect.provide(layerFull(options))))
// @ts-expect-error
runs(write.pipe(Effect.provide(layerPlanning(options))))
// @ts-expect-error
runs(Effect.all([read, write]).pipe(Effect.provide(layerPlanning(options))))
