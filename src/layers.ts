/**
 * Where implementations meet tags. A mode is a layer: what it provides is what the mode may do, and a dispatcher whose
 * registry needs more does not compile.
 */
import { Cause, Context, Effect, Either, Exit, Layer, Runtime, Scope, Stream } from "effect"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { locate } from "./engine/git/HeadStamp.ts"
import { languages } from "./engine/languages/index.ts"
import { layer as layerSessions, Sessions } from "./engine/sessions/Sessions.ts"
import { make as makePeers } from "./engine/federation/Peers.ts"
import { unavailable } from "./engine/unavailable/Unavailable.ts"
import { Revisions } from "./engine/edits/Revisions.ts"
import { lintReader } from "./engine/lint/services.ts"
import { layerLanguageServers } from "./engine/lsp/LanguageServers.ts"
import { Overlays } from "./engine/overlays/Overlays.ts"
import { layerRepositories } from "./engine/repositories/layer.ts"
import { recordsHome, storeHome, unwritable } from "./engine/workspace/Home.ts"
import { inspectIndex } from "./engine/workspace/Inspect.ts"
import type { WorkspaceServices } from "./engine/workspace/layer.ts"
import type { OpenOptions, WorkspaceFailure } from "./engine/workspace/Workspace.ts"
import { registry, registryWith } from "./facades/index.ts"
import { load } from "./policy/Config.ts"
import * as Packs from "./policy/Packs.ts"
import type { Policy } from "./policy/Policy.ts"
import { stdioAgent } from "./policy/Principal.ts"
import { Settled, userFile } from "./policy/Settled.ts"
import type { Audited } from "./policy/typed/Audited.ts"
import { controlFiles, fileOf, layerControl, layerStore } from "./engine/store/layer.ts"
import { inspectLedger } from "./engine/store/Inspect.ts"
import { Counters } from "./pipeline/Counters.ts"
import type { Engine, EngineOptions, Inspect, OnProgress, OpenRecords, Records } from "./pipeline/Engine.ts"
import { highlights } from "./pipeline/Highlights.ts"
import { countsOf } from "./pipeline/Observation.ts"
import { Notices } from "./pipeline/Notices.ts"
import * as Pipeline from "./pipeline/Pipeline.ts"
import { decided } from "./pipeline/Consent.ts"
import { Lulls } from "./pipeline/Lulls.ts"
import { callsFor, rehearsal } from "./pipeline/Rehearsal.ts"
import { make as inquestOf } from "./pipeline/Inquest.ts"
import { Jobs } from "./pipeline/Jobs.ts"
import { Once, transactionOf } from "./pipeline/Once.ts"
import { Recorder } from "./pipeline/Recorder.ts"
import { routingTo } from "./pipeline/Routing.ts"
import { Running } from "./pipeline/Running.ts"
import { subjectOf } from "./pipeline/Subject.ts"
import { Stops } from "./pipeline/Stops.ts"
import { Turns } from "./pipeline/Turns.ts"
import * as Dispatcher from "./registry/Dispatcher.ts"
import { draft } from "./registry/FollowUp.ts"
import { closedWorldTags } from "./registry/EffectClass.ts"
import { Progress, type Report } from "./registry/Progress.ts"
import * as Narrowing from "./registry/Narrowing.ts"
import * as Registry from "./registry/Registry.ts"
import { joinedName, joinedOf, listensName } from "./registry/Channels.ts"
import { peerName, planningName, workflowName, workflowOf } from "./registry/SessionModes.ts"
import type { Choice } from "./surface/Selection.ts"
import { type Surface, surfaceOf } from "./surface/Surface.ts"
import * as Buckets from "./telemetry/Buckets.ts"
import { namesOf, shortened } from "./telemetry/Keys.ts"
import { Telemetry } from "./telemetry/Telemetry.ts"
import { ApprovalStore } from "./services/ApprovalStore.ts"
import { AuditLedger } from "./services/AuditLedger.ts"
import { CallRecords } from "./services/CallRecords.ts"
import { CodeGraph } from "./services/CodeGraph.ts"
import { CodeTokens } from "./services/CodeTokens.ts"
import { CoverageReader } from "./services/CoverageReader.ts"
import { ForgeClient } from "./services/ForgeClient.ts"
import { ForgeReader } from "./services/ForgeReader.ts"
import { FrameworkFacts } from "./services/FrameworkFacts.ts"
import { GitReader } from "./services/GitReader.ts"
import { IndexControl } from "./services/IndexControl.ts"
import { JobStore } from "./services/JobStore.ts"
import { PendingCalls } from "./services/PendingCalls.ts"
import { KnowledgeReader } from "./services/KnowledgeReader.ts"
import { KnowledgeWriter } from "./services/KnowledgeWriter.ts"
import { LanguageModel } from "./services/LanguageModel.ts"
import { LanguageReader } from "./services/LanguageReader.ts"
import { LintReader } from "./services/LintReader.ts"
import { LocalWriter } from "./services/LocalWriter.ts"
import { OverlayStore } from "./services/OverlayStore.ts"
import { OverlayView } from "./services/OverlayView.ts"
import { ReadFs } from "./services/ReadFs.ts"
import { ProgramFlow } from "./services/ProgramFlow.ts"
import { RuleMatcher } from "./services/RuleMatcher.ts"
import { ServiceFailure } from "./services/ServiceFailure.ts"
import { SessionStore } from "./services/SessionStore.ts"
import { TextIndex } from "./services/TextIndex.ts"
import { PeerView } from "./services/PeerView.ts"
import { WorkspaceView } from "./services/WorkspaceView.ts"

/** What a session that plans may use: reads of either world, and the session itself. */
export const planningTags = [
  ...closedWorldTags,
  ForgeReader,
  LanguageModel,
  SessionStore,
  OverlayStore
] as const

export type FederationServices = Context.Tag.Identifier<(typeof closedWorldTags)[number]>
export type PlanningServices = Context.Tag.Identifier<(typeof planningTags)[number]>

/** Stand-ins for a workspace that could not be opened: each says why. */
const layerNoWorkspace = (absence: {
  readonly reason: string
  readonly detail: string
}): Layer.Layer<WorkspaceServices> =>
  Layer.mergeAll(
    unavailable(CodeGraph, absence, { view: "effect", wide: "effect", sketch: "method" }),
    unavailable(TextIndex, absence, { search: "method", glob: () => () => false, structural: "method" }),
    unavailable(FrameworkFacts, absence, { read: "method" }),
    unavailable(CodeTokens, absence, {
      languages: { read: [], measured: [] },
      measures: "method",
      clones: "method"
    }),
    unavailable(ProgramFlow, absence, {
      languages: Effect.succeed([]),
      control: "method",
      paths: "method",
      taint: "method",
      facts: "method"
    }),
    unavailable(CoverageReader, absence, { read: "method" }),
    unavailable(RuleMatcher, absence, { catalog: Effect.succeed([]), match: "method" }),
    unavailable(ReadFs, absence, {
      readText: "method",
      readDisk: "method",
      lines: () => Effect.succeed(undefined),
      relative: "method",
      redact: (_path, text) => ({ text, redactions: 0 })
    }),
    unavailable(GitReader, absence, {
      resolve: "method",
      log: "method",
      status: "effect",
      changes: "method",
      texts: "method",
      blame: "method",
      state: "method",
      history: "method",
      lineage: "method",
      tags: "method",
      firstSeen: "method",
      firstReached: "method",
      messages: "method",
      textAt: "method"
    }),
    unavailable(OverlayView, absence, {
      life: "method",
      branches: "method",
      files: "method",
      over: "method"
    }),
    unavailable(OverlayStore, absence, {
      register: "method",
      keepalive: "method",
      push: "method",
      replace: "method",
      remove: "method",
      drop: "method",
      fork: "method",
      switchTo: "method",
      dropBranch: "method",
      merge: "method"
    }),
    unavailable(WorkspaceView, absence, {
      name: "",
      repositories: "effect",
      projects: "effect",
      health: "effect",
      feed: "effect",
      receipt: "method",
      receipts: Effect.succeed([])
    }),
    unavailable(LocalWriter, absence, {
      plan: "method",
      replay: "method",
      commit: "method",
      resolve: "method"
    }),
    unavailable(IndexControl, absence, {
      index: "effect",
      reindex: "method",
      locate: "method",
      load: "method",
      unload: () => Effect.succeed(undefined),
      served: { root: "", name: "" }
    })
  )

/** What this build does not implement. */
const layerAbsent = Layer.mergeAll(
  unavailable(
    KnowledgeReader,
    { detail: "this build stores no memories or notes" },
    { query: "method", get: "method" }
  ),
  unavailable(
    KnowledgeWriter,
    { detail: "this build stores no memories or notes" },
    {
      put: "method",
      update: "method",
      remove: "method"
    }
  ),
  unavailable(
    ForgeReader,
    { detail: "this build reads no forge" },
    { list: "method", get: "method", files: "method" }
  ),
  unavailable(ForgeClient, { detail: "this build writes to no forge" }, { postReview: "method" }),
  unavailable(LanguageModel, { detail: "no language model is configured" }, { complete: "method" })
)

/** Why there is no workspace, in words that show no path. */
const whyNoWorkspace: Record<WorkspaceFailure["reason"], string> = {
  not_found: "the folder to serve is not there",
  not_directory: "what is to be served is no folder",
  permission_denied: "the folder to serve may not be read",
  index_failed: "the folder to serve could not be indexed"
}

/** Tells the operator, and nobody else. */
const log = (text: string): void => {
  process.stderr.write(`portico: ${text}\n`)
}

/** A process that lives on leaves the first index of a large tree to another one of this command. */
const apart = {
  script: process.argv[1] ?? "",
  args: (root: string) => ["index", "--dir", root]
}

/** How the services are made. */
export interface LayerOptions extends EngineOptions {
  readonly sessions: Sessions
  readonly overlays: Overlays
  readonly revisions: Revisions
  /** Told of an index that was made from nothing. */
  readonly indexed?: OpenOptions["indexed"]
  /** What the settings say of other servers now. */
  readonly peers: () => Policy["peers"]
}

/** Whether language servers may run what the served repository brings. Only the user can say so, never the repository. */
const trusted = (): boolean => process.env["PORTICO_TRUST_WORKSPACE"] === "1"

/** The language servers of a folder; none where there is no such folder. */
const layerLanguages = (directory: string): Layer.Layer<LanguageReader> => {
  const root = locate(resolve(directory))?.topLevel ?? directory
  const absent = {
    reason: "workspace_unknown",
    detail: "there is no workspace for a language server to look at"
  }
  return Layer.catchAll(layerLanguageServers({ root, trustWorkspace: trusted() }), () =>
    unavailable(LanguageReader, absent, {
      languages: Effect.succeed([]),
      servers: Effect.succeed([]),
      definitions: "method",
      references: "method",
      implementations: "method",
      diagnostics: "method",
      workspaceDiagnostics: () =>
        Stream.fail(new ServiceFailure({ service: "LanguageReader", stateChanged: false, ...absent })),
      compareDiagnostics: "method",
      actions: "method",
      resolveAction: "method",
      prepareRename: "method",
      rename: "method",
      willRenameFiles: "method",
      changed: () => Effect.void
    })
  )
}

/** The linters of a folder. */
const layerLinters = (directory: string): Layer.Layer<LintReader> =>
  Layer.sync(LintReader, () =>
    lintReader({ root: locate(resolve(directory))?.topLevel ?? resolve(directory), trusted: trusted() })
  )

/** All services. A workspace that cannot be opened leaves the rest standing; what needs it says why it is not there. */
export const layerFull = ({
  directory,
  indexed,
  overlays,
  peers,
  revisions,
  sessions,
  watch
}: LayerOptions) => {
  const control = controlFiles(rootOf(directory))
  return Layer.mergeAll(
    Layer.unwrapEffect(
      Effect.map(LanguageReader, ({ changed }) =>
        Layer.catchAll(
          layerRepositories(
            {
              directory,
              watch,
              changed,
              indexed,
              apart: watch ? apart : undefined,
              control: control.user
            },
            { overlays, revisions }
          ),
          (failure) => {
            log(`${failure.reason}: ${failure.detail}`)
            return layerNoWorkspace({ reason: "workspace_unknown", detail: whyNoWorkspace[failure.reason] })
          }
        )
      )
    ),
    layerSessions(sessions),
    Layer.succeed(PeerView, {
      peers: Effect.sync(() => peers().map(({ enabled, name }) => ({ name, enabled })))
    }),
    layerLinters(directory),
    layerAbsent
  ).pipe(
    Layer.provideMerge(layerLanguages(directory)),
    // Control state says which repositories belong together.
    Layer.provideMerge(layerControl(control))
  )
}

export type FullServices = Layer.Layer.Success<ReturnType<typeof layerFull>>

const pickPlanning = Context.pick(...planningTags)
const pickFederation = Context.pick(...closedWorldTags)

/** The services of a session that plans. */
export const layerPlanning = (options: LayerOptions): Layer.Layer<PlanningServices> =>
  Layer.map(layerFull(options), pickPlanning)

/** What a federated peer may reach: reads that stay on this machine. */
export const layerFederation = (options: LayerOptions): Layer.Layer<FederationServices> =>
  Layer.map(layerFull(options), pickFederation)

/** Classes of operations that are served while a session plans. */
const planningClasses = ["read", "session_write"] as const

/** The operations of a session that plans. */
export const planningRegistry = Registry.only(registry, planningClasses)

/** The operations a federated peer may call. */
export const federationRegistry = Registry.satisfiedBy(registry, closedWorldTags)

/** Reports of work that calls wait for. */
class Hub {
  readonly #listeners = new Set<Report>()
  #last: Parameters<Report> | undefined

  readonly report: Report = (...what) =>
    Effect.suspend(() => {
      this.#last = what
      return Effect.forEach([...this.#listeners], (listener) => listener(...what), { discard: true })
    })

  /** Subscribes; whoever comes late hears the newest report at once. */
  readonly subscribe = (listener: Report): (() => void) => {
    this.#listeners.add(listener)
    if (this.#last !== undefined) Effect.runFork(listener(...this.#last))
    return () => this.#listeners.delete(listener)
  }

  readonly clear = (): void => {
    this.#last = undefined
  }
}

const asReport =
  (onProgress: OnProgress): Report =>
  (done, total, message) =>
    Effect.sync(() => onProgress(done, total, message))

/** The call that ends planning, for refusals. */
const leavePlanning = draft("fallback_recovery", "session", {
  operation: "planning_mode",
  arguments: { mode: "editing" }
})

/** The root that a folder's records belong to. */
const rootOf = (directory: string): string => rootsOf(directory)[0] ?? resolve(directory)

/** Runs what a store is asked, and rejects with its failure as it is. */
const asked = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

const recordsOf = (records: Context.Context<ApprovalStore | AuditLedger>): Records => {
  const approvals = Context.get(records, ApprovalStore)
  const ledger = Context.get(records, AuditLedger)
  return {
    approvals: {
      list: (states) => asked(approvals.list(states)),
      get: (reference) => asked(approvals.get(reference)),
      decide: (reference, verdict, by) => asked(decided(approvals, ledger, reference, verdict, by))
    },
    ledger: {
      rows: (after, limit) => asked(ledger.rows(after, limit)),
      last: () => asked(ledger.last),
      unread: () => asked(ledger.unread),
      verify: () => asked(ledger.verify)
    }
  }
}

/** Opens the records of a folder and nothing else: no index, no language server. */
export const openRecords: OpenRecords = async (directory, options) => {
  const scope = await Effect.runPromise(Scope.make())
  const store = layerStore(
    fileOf(rootOf(directory)),
    undefined,
    undefined,
    options?.reading === true ? { reading: "in_place" } : {}
  )
  const records = await Effect.runPromise(Layer.buildWithScope(store, scope))
  return { ...recordsOf(records), close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Looks at what is kept of a folder. Nothing of it is written to. */
export const inspect: Inspect = async (directory) => {
  const root = rootOf(directory)
  const ledger = await Effect.runPromiseExit(inspectLedger(fileOf(root)))
  return {
    homes: [...new Set([storeHome(), recordsHome()])].map((folder) => ({
      folder,
      problem: unwritable(folder)
    })),
    index: await asked(inspectIndex(root)),
    ledger: Exit.match(ledger, {
      onSuccess: (verdict) => (verdict === undefined ? { state: "missing" } : { state: "read", verdict }),
      onFailure: (cause) => {
        const failure = Cause.squash(cause)
        return {
          state: "unreadable",
          why: failure instanceof ServiceFailure ? failure.detail : String(failure)
        }
      }
    })
  }
}

/** The tools of a choice. */
export const surfacesOf = (choice: Choice): Surface => surfaceOf(registry, choice)

/** What is done before somebody asks is done in the served repository alone: the others are opened when they are needed. */
const servedAlone = { repo: "." } as const

/** Opens an engine on a folder. Rejects only on a fault of our own. */
export const openEngine = async ({ directory, watch }: EngineOptions): Promise<Engine> => {
  const sessions = new Sessions((_, name) => {
    if (name === joinedName) notices.look()
  })
  const overlays = new Overlays()
  const revisions = new Revisions()
  const counters = new Counters()
  const names = namesOf(registry, { languages: languages.map(({ id }) => id) })
  const telemetry = new Telemetry({
    names,
    drain: counters.drain,
    sends: watch
  })
  const indexed: OpenOptions["indexed"] = (files, read) => {
    telemetry.count("index", Buckets.bucket(Buckets.files, files))
    for (const language of read) telemetry.count("index_lang", language)
  }
  const hub = new Hub()
  const root = rootOf(directory)
  const policy = new Settled(root, trusted(), log).current
  const scope = await Effect.runPromise(Scope.make())
  const runtime = await Effect.runPromise(
    Layer.toRuntime(
      layerFull({ directory, watch, sessions, overlays, revisions, indexed, peers: () => policy().peers })
    ).pipe(Scope.extend(scope))
  )
  const planning = Runtime.make({ ...runtime, context: pickPlanning(runtime.context) })
  const records = await Effect.runPromise(
    Layer.buildWithScope(
      layerStore(fileOf(root), undefined, () => policy().ledger),
      scope
    )
  )
  const approvals = Context.get(records, ApprovalStore)
  const ledger = Context.get(records, AuditLedger)
  const pending = Context.get(records, PendingCalls)
  const stops = new Stops()
  const once = new Once(
    Context.get(records, CallRecords),
    inquestOf(Context.get(runtime.context, WorkspaceView), (record) => transactionOf(record, root))
  )
  const packs = packsOf(root, policy())
  const whole = packs.length === 0 ? registry : registryWith(packs)
  const options: Pipeline.Options = {
    catalog: whole,
    full: Dispatcher.make("this session", { registry: whole, runtime, catalog: whole }),
    planning: Dispatcher.make("planning mode", {
      registry: Registry.only(whole, planningClasses),
      runtime: planning,
      catalog: whole,
      leave: leavePlanning
    }),
    federation: {
      dispatcher: Dispatcher.make("federation", {
        registry: Registry.satisfiedBy(whole, closedWorldTags),
        runtime: Runtime.make({ ...runtime, context: pickFederation(runtime.context) }),
        catalog: whole
      }),
      peers: makePeers(),
      said: (session, peer) => sessions.value(session, peerName(peer))
    },
    isPlanning: (session) => sessions.value(session, planningName) === true,
    workflow: {
      of: (session) => workflowOf(sessions.value(session, workflowName)),
      set: (session, workflow) => sessions.put(session, workflowName, workflow)
    },
    keep: (session, answer) => sessions.keep(session, answer),
    counters,
    observe: (call) => telemetry.observe(call),
    remember: (session, call) => sessions.log(session, call),
    policy,
    turns: new Turns(),
    records: {
      consents: {
        store: approvals,
        subjectOf: subjectOf(Context.get(runtime.context, ReadFs), Context.get(runtime.context, CodeGraph))
      },
      once,
      recorder: new Recorder(ledger, log),
      pending,
      stops
    },
    log,
    slow: watch ? log : undefined,
    roots: rootsOf(directory),
    elsewhere: hub.subscribe
  }
  const pipeline = Pipeline.make(options)
  const jobs = new Jobs({
    store: Context.get(records, JobStore),
    once,
    stops,
    pending,
    approvals,
    ledger,
    call: pipeline.call,
    routing: (operation) => routingTo(whole, operation),
    log
  })
  const unheard = Pipeline.make({
    ...options,
    counters: new Counters(),
    observe: undefined,
    remember: undefined,
    keep: () => {},
    log: () => {},
    slow: undefined,
    records: undefined,
    federation: undefined,
    narrowed: servedAlone
  })
  const ending = new AbortController()
  const running = new Running()
  const lulls = new Lulls()
  /** Settles what processes that are gone left behind. */
  const settle = async (): Promise<boolean> => {
    await asked(jobs.recover).catch((cause: unknown) =>
      log(`what an earlier process left behind is not settled: ${String(cause)}`)
    )
    return false
  }
  const ofServed = <A, E>(asks: Effect.Effect<A, E, WorkspaceView>) =>
    Runtime.runPromise(runtime)(Narrowing.within(asks, servedAlone), { signal: ending.signal })
  const notices = new Notices({
    joined: (session) => joinedOf(sessions.value(session, joinedName)),
    feed: () => ofServed(Effect.flatMap(WorkspaceView, ({ feed }) => feed)),
    health: () => ofServed(Effect.flatMap(WorkspaceView, ({ health }) => health))
  })
  const rehearse = rehearsal(
    () =>
      Runtime.runPromise(runtime)(
        Narrowing.within(
          Effect.map(
            Effect.flatMap(CodeGraph, ({ view }) => view),
            callsFor
          ),
          servedAlone
        ),
        { signal: ending.signal }
      ),
    (request) => running.exit(Runtime.runFork(runtime)(unheard.call(request)))
  )
  /** Whether there is nothing more to do in lulls. A process that is short-lived leaves it to the others. */
  let idle = !watch
  const useLulls = () => {
    if (idle) return
    idle = true
    lulls.add(settle)
    lulls.add(rehearse)
  }
  let warming: Promise<void> | undefined
  /** Dispatchers bring the services of their operations, and what is around a call is merged for each. */
  const bare = Runtime.make({ ...runtime, context: Context.empty() })

  return {
    call: async (request, options = {}) => {
      const report = options.onProgress === undefined ? undefined : asReport(options.onProgress)
      const over = lulls.during()
      const exit = await running.exit(Runtime.runFork(bare)(pipeline.call(request, report)), options.signal)
      over()
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    },
    refuse: (request, refusal) => asked(pipeline.refuse(request, refusal)),
    openSession: (session, { notify, principal = stdioAgent } = {}) => {
      sessions.open(session, [
        ...(policy().startsPlanning(principal) ? [[planningName, true] as const] : []),
        ...(notify === undefined ? [] : [[listensName, true] as const])
      ])
      if (notify !== undefined) notices.open(session, notify)
    },
    closeSession: (session) => {
      sessions.close(session)
      notices.close(session)
      overlays.drop(session)
      revisions.forget(session)
      telemetry.closeSession(session)
    },
    greeted: (greeting) => {
      if (!telemetry.on) return
      for (const [key, dimension] of countsOf(greeting, (tool) => names.tools.has(shortened(tool))))
        telemetry.count(key, dimension)
    },
    warm: (onProgress) => {
      const heard = onProgress === undefined ? undefined : hub.subscribe(asReport(onProgress))
      warming ??= Runtime.runPromiseExit(runtime)(
        Narrowing.within(
          Effect.flatMap(CodeGraph, ({ view }) => view),
          servedAlone
        ).pipe(
          Effect.tapErrorCause((cause) =>
            Effect.sync(() => log(`the index is not up to date: ${Cause.pretty(cause)}`))
          ),
          Effect.provideService(Progress, hub.report)
        ),
        { signal: ending.signal }
      ).then(() => {
        hub.clear()
        warming = undefined
        useLulls()
      })
      return warming.finally(() => heard?.())
    },
    highlights: (limit) => Runtime.runPromise(runtime)(highlights(limit), { signal: ending.signal }),
    ...recordsOf(records),
    registry: options.catalog,
    jobs: {
      lifeMs: jobs.lifeMs,
      start: (request) => asked(jobs.start(request)),
      keep: (request, result) => asked(jobs.keep(request, result)),
      outcome: (job) => asked(jobs.outcome(job)),
      find: (key) => asked(jobs.find(key)),
      stop: (key, reason) => asked(jobs.stop(key, reason)),
      approve: (requestId, reference, by) => asked(jobs.approve(requestId, reference, by)),
      confirm: (requestId, approvalId, by, asJob) => asked(jobs.confirm(requestId, approvalId, by, asJob)),
      get: (id) => asked(jobs.get(id)),
      list: (principalId, page) => asked(jobs.list(principalId, page)),
      events: (id, after) => Stream.toAsyncIterable(jobs.events(id, after)),
      recover: () => asked(jobs.recover)
    },
    policy,
    counts: () => counters.snapshot(),
    surface: (choice) => surfaceOf(whole, choice),
    close: async () => {
      ending.abort()
      notices.end()
      lulls.end()
      running.end()
      await Effect.runPromise(jobs.end("the server ended"))
      await Effect.runPromise(Scope.close(scope, Exit.void))
      telemetry.close()
    }
  }
}

/** The absolute forms of a folder, and of the work tree around it, that a message might hold. The work tree's comes first. */
const rootsOf = (directory: string): ReadonlyArray<string> => {
  const given = resolve(directory)
  const forms = [locate(given)?.topLevel, given].filter((form) => form !== undefined)
  const real = forms.flatMap((form) => {
    try {
      return [realpathSync(form)]
    } catch {
      return []
    }
  })
  return [...new Set([...forms, ...real])]
}

/** The folder this program was installed or checked out to. */
const ownRoot = (): string => {
  let folder = import.meta.dirname
  for (;;) {
    const manifest = join(folder, "package.json")
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "portico") return folder
    const above = dirname(folder)
    if (above === folder) return import.meta.dirname
    folder = above
  }
}

/** The packs that settings name. One that is refused is told to the operator and left out. */
const packsOf = (root: string, { packs }: Policy): ReadonlyArray<Packs.PackFacade> =>
  Packs.load(
    packs.map(({ module, of }) => ({
      module,
      from: of === "user" ? [dirname(userFile()), ownRoot()] : [root]
    })),
    registry
  ).flatMap(({ facades, module, refused }) => {
    if (refused.length > 0) log(`the operation pack ${module} is left out: ${refused.join("; ")}`)
    return facades
  })

/** What is audited: the registry of this program, or the pack at a path. */
const auditSubject = (pack: string | undefined) => {
  const top = ownRoot()
  const sources = join(top, "src", "facades")
  if (pack === undefined)
    return {
      registry,
      sources: existsSync(sources)
        ? { root: top, include: ["src/facades/**/*.ts"] }
        : "the sources of this program are not installed with it"
    }
  const given = resolve(pack)
  const stat = statSync(given, { throwIfNoEntry: false })
  if (stat === undefined) return `${pack} is not there`
  const root = stat.isDirectory() ? given : dirname(given)
  const kit = [join(top, "src/registry/Kit.ts"), join(top, "dist/types/registry/Kit.d.ts")].find((file) =>
    existsSync(file)
  )
  const include = stat.isDirectory() ? ["**/*"] : [relative(root, given).split(sep).join("/")]
  const written = /\.[cm]?tsx?$/.test(given)
  const [loaded] = written ? [] : Packs.load([{ module: given, from: [root] }], registry)
  if (loaded !== undefined && loaded.facades.length === 0 && loaded.file === undefined)
    return `${pack}: ${loaded.refused.join("; ")}`
  return {
    registry:
      loaded === undefined || loaded.refused.length > 0 ? undefined : Registry.make(...loaded.facades),
    refused: loaded?.refused ?? [],
    sources:
      kit === undefined
        ? "the types packs are made with are not installed"
        : { root, include, paths: { "portico/registry": kit } }
  }
}

/**
 * The audit of this program's operations, or of a pack's, under the settings of a folder; or why there is none. What a
 * pack is refused for counts as a difference.
 */
export const auditOf = async (directory: string, pack?: string): Promise<Audited | string> => {
  const config = load(directory)
  if (Either.isLeft(config)) return config.left
  const subject = auditSubject(pack)
  if (typeof subject === "string") return subject
  const { audited } = await import("./policy/typed/Audited.ts")
  return audited({
    registry: subject.registry,
    refused: "refused" in subject ? subject.refused : [],
    sources: subject.sources,
    bounds: {
      // A ceiling is by tool, and the tools of a pack are not those the settings of this folder speak of.
      ceilings: pack === undefined ? (config.right?.ceilings ?? {}) : {},
      grants: pack === undefined ? (config.right?.grants ?? {}) : {}
    }
  })
}
