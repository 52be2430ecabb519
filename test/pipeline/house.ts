/** A small house: a registry with operations that misbehave in every way, and a pipeline over it. */
import { Context, Effect, Exit, Layer, Runtime, Scope } from "effect"
import { layerStore } from "../../src/engine/store/layer.ts"
import { Once } from "../../src/pipeline/Once.ts"
import { Recorder } from "../../src/pipeline/Recorder.ts"
import { ApprovalStore } from "../../src/services/ApprovalStore.ts"
import { AuditLedger } from "../../src/services/AuditLedger.ts"
import { CallRecords } from "../../src/services/CallRecords.ts"
import { PendingCalls } from "../../src/services/PendingCalls.ts"
import { Stops } from "../../src/pipeline/Stops.ts"
import { Sessions } from "../../src/engine/sessions/Sessions.ts"
import { Counters } from "../../src/pipeline/Counters.ts"
import * as Policy from "../../src/policy/Policy.ts"
import { Turns } from "../../src/pipeline/Turns.ts"
import * as Pipeline from "../../src/pipeline/Pipeline.ts"
import * as Answer from "../../src/registry/Answer.ts"
import { CallInfo } from "../../src/registry/CallInfo.ts"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import * as Facade from "../../src/registry/Facade.ts"
import { failure } from "../../src/registry/Failure.ts"
import * as F from "../../src/registry/Fields.ts"
import * as FollowUp from "../../src/registry/FollowUp.ts"
import { progress } from "../../src/registry/Progress.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { planningName, workflowName, workflowOf } from "../../src/registry/SessionModes.ts"
import { LocalWriter } from "../../src/services/LocalWriter.ts"
import { ServiceFailure } from "../../src/services/ServiceFailure.ts"

export const root = "/srv/house"

const envelope = {
  properties: { operation: { type: "string" }, name: { type: "string" }, output: { type: "object" } }
}
const look = Facade.make("look", { effect: "read", purpose: "Look.", envelope, default: "rows" })
const write = Facade.make("write", { effect: "local_write", purpose: "Write.", envelope })
const response = Facade.make("response", { effect: "read", purpose: "Again.", envelope, default: "all" })
const capabilities = Facade.make("capabilities", {
  effect: "read",
  purpose: "What there is.",
  envelope: {
    properties: { domain: { type: "string" }, operation: { type: "string" }, detail: { type: "string" } }
  },
  discriminator: "detail",
  default: "summary"
})

const none = F.input({})
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ at, text: `row number ${at}` }))

export const registry = Registry.make(
  look.of(
    look.operation("rows", {
      tool: "list_rows",
      summary: "Rows.",
      page: { default: 5, max: 50 },
      formats: {
        text: (value: { rows: ReadonlyArray<{ text: string }> }) =>
          value.rows.map((row) => row.text).join("\n")
      },
      input: F.input({ options: F.group({ count: F.clamped({ min: 0, max: 5000, default: 100 }) }) }),
      needs: [],
      handler: ({ options: { count } }) => Effect.succeed(Answer.page("rows", { rows: rowsOf(count) }))
    }),
    look.operation("who", {
      tool: "who",
      summary: "Who calls.",
      input: none,
      needs: [],
      handler: () =>
        Effect.map(CallInfo, ({ client, session }) => ({ client: client ?? null, session: session ?? null }))
    }),
    look.operation("refused", {
      tool: "refused",
      summary: "Refuses, with a follow-up.",
      input: F.input({ name: F.optional(F.text) }),
      needs: [],
      handler: ({ name }) =>
        Effect.fail(
          failure("not_found", `${root}/lib/a.ts is not in ${root}`, {
            recovery: FollowUp.draft(
              "fallback_recovery",
              "look",
              name === "bad" ? { operation: "nothing" } : { operation: "who" }
            )
          })
        )
    }),
    look.operation("leads", {
      tool: "leads",
      summary: "Answers with follow-ups.",
      input: none,
      needs: [],
      handler: () =>
        Effect.succeed({
          next: [
            FollowUp.draft("mechanically_followable", "look", { operation: "who" }),
            FollowUp.draft("mechanically_followable", "write", { operation: "file" })
          ]
        })
    }),
    look.operation("broken", {
      tool: "broken",
      summary: "Dies.",
      input: none,
      needs: [],
      handler: () => Effect.die(new Error(`cannot read ${root}/secret`))
    }),
    look.operation("untranslated", {
      tool: "untranslated",
      summary: "Dies of a service's failure.",
      input: none,
      needs: [],
      handler: () =>
        Effect.die(
          new ServiceFailure({
            service: "ReadFs",
            reason: "path_outside_root",
            detail: "../x leaves the root"
          })
        )
    }),
    look.operation("hangs", {
      tool: "hangs",
      summary: "Hangs.",
      input: none,
      needs: [],
      handler: () => Effect.never
    }),
    look.operation("slow", {
      tool: "slow",
      summary: "Takes its time and says so.",
      input: none,
      needs: [],
      handler: () =>
        Effect.forEach([1, 2, 3, 4], (step) =>
          Effect.zipRight(progress(step, 4, "steps"), Effect.sleep("40 seconds"))
        ).pipe(Effect.as({ done: true }))
    })
  ),
  write.of(
    write.operation("file", {
      tool: "write_file",
      summary: "Writes.",
      input: none,
      needs: [LocalWriter],
      handler: () =>
        Effect.flatMap(LocalWriter, (writer) => writer.commit([])).pipe(
          Effect.mapError(() => failure("io_error", "not written")),
          Effect.as({ written: true })
        )
    }),
    write.operation("hangs", {
      tool: "write_hangs",
      summary: "Hangs.",
      input: none,
      needs: [LocalWriter],
      handler: () => Effect.never
    })
  ),
  response.of(
    response.operation("all", {
      tool: "responses",
      summary: "All.",
      input: none,
      needs: [],
      handler: () => Effect.succeed({ text: "x".repeat(4000) })
    })
  ),
  capabilities.of(
    capabilities.operation("summary", {
      tool: "capabilities",
      summary: "Summary.",
      input: F.input({ domain: F.optional(F.text), operation: F.optional(F.text) }),
      needs: [],
      handler: () => Effect.succeed({})
    }),
    capabilities.operation("schema", {
      tool: "capabilities",
      summary: "Schema.",
      input: F.input({ domain: F.optional(F.text), operation: F.optional(F.text) }),
      needs: [],
      handler: () => Effect.succeed({})
    })
  )
)

/** A pipeline over the house, what it logged, counted and kept, and its sessions. */
/** What a house may have beyond its walls. */
export interface Furniture {
  readonly settings?: Policy.Settings
  /** File of the records; without one the pipeline keeps none. */
  readonly records?: string
  readonly turns?: Turns
  /** Blob of the file that every question is about. */
  readonly blob?: () => string
  /** Told of calls that are over. */
  readonly observe?: Pipeline.Options["observe"]
}

export const open = ({
  blob = () => "0",
  observe,
  records,
  settings = {},
  turns = new Turns()
}: Furniture = {}) => {
  const logged: Array<string> = []
  const counters = new Counters()
  const sessions = new Sessions()
  sessions.open("s")
  let writes = 0
  const layer = Layer.succeed(LocalWriter, {
    replay: () => Effect.succeed(undefined),
    plan: () => Effect.dieMessage("nothing is planned here"),
    resolve: () => Effect.dieMessage("nothing is in conflict here"),
    commit: () =>
      Effect.sync(() => ({
        transactionId: "r",
        state: "committed",
        diskStatus: "committed",
        graphStatus: "fresh",
        replayed: false,
        createdAt: 0,
        updatedAt: 0,
        changes: [],
        summary: { requestedChanges: 0, changedFiles: 0, logicalEdits: 0, resolvedMatches: 0, warnings: 0 },
        conflicts: [],
        readRevisions: {},
        ...(writes++ < 0 ? {} : {})
      }))
  })
  const runtime = Effect.runSync(
    Effect.flatMap(Scope.make(), (scope) => Scope.extend(Layer.toRuntime(layer), scope))
  )
  const policy = () => Policy.make(settings)
  const log = (text: string) => void logged.push(text)
  const scope = Effect.runSync(Scope.make())
  const stores =
    records === undefined ? undefined : Effect.runSync(Layer.buildWithScope(layerStore(records), scope))
  const pipeline = Pipeline.make({
    catalog: registry,
    full: Dispatcher.make("this session", { registry, runtime, catalog: registry }),
    planning: Dispatcher.make("planning mode", {
      registry: Registry.only(registry, ["read", "session_write"]),
      runtime: Runtime.defaultRuntime,
      catalog: registry
    }),
    isPlanning: (session) => sessions.value(session, planningName) === true,
    workflow: {
      of: (session) => workflowOf(sessions.value(session, workflowName)),
      set: (session, workflow) => sessions.put(session, workflowName, workflow)
    },
    keep: (session, answer) => sessions.keep(session, answer),
    remember: (session, call) => sessions.log(session, call),
    counters,
    observe,
    policy,
    turns,
    records:
      stores === undefined
        ? undefined
        : {
            consents: {
              store: Context.get(stores, ApprovalStore),
              subjectOf: () => Effect.succeed({ files: { "a.ts": blob() }, snapshot: null })
            },
            once: new Once(Context.get(stores, CallRecords)),
            recorder: new Recorder(Context.get(stores, AuditLedger), log),
            pending: Context.get(stores, PendingCalls),
            stops: new Stops()
          },
    log,
    roots: [root]
  })
  return {
    pipeline,
    logged,
    counters,
    sessions,
    stores,
    /** How often something was written. */
    writes: () => writes,
    close: Scope.close(scope, Exit.void)
  }
}
