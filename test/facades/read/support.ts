/** Calls of the real registry over a real folder: decoded, run, projected, every follow-up checked. */
import { Context, Effect, Either, Layer, type Scope } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { unavailable } from "../../../src/engine/unavailable/Unavailable.ts"
import type { ServerRow } from "../../../src/engine/lsp/ServerRow.ts"
import { lintReader } from "../../../src/engine/lint/services.ts"
import { layerLanguageServers } from "../../../src/engine/lsp/LanguageServers.ts"
import { controlFiles, layerControl } from "../../../src/engine/store/layer.ts"
import { Overlays } from "../../../src/engine/overlays/Overlays.ts"
import { layerRepositories } from "../../../src/engine/repositories/layer.ts"
import { catalog as registry } from "../../../src/facades/index.ts"
import { CallInfo } from "../../../src/registry/CallInfo.ts"
import { select } from "../../../src/registry/Facade.ts"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import * as FollowUp from "../../../src/registry/FollowUp.ts"
import { byteLength, isRecord } from "../../../src/registry/Json.ts"
import { project } from "../advertised.ts"
import type { Registry } from "../../../src/registry/Registry.ts"
import { KnowledgeReader } from "../../../src/services/KnowledgeReader.ts"
import { LanguageModel } from "../../../src/services/LanguageModel.ts"
import { LanguageReader } from "../../../src/services/LanguageReader.ts"
import { LintReader } from "../../../src/services/LintReader.ts"
import type { OverlayFile } from "../../../src/services/OverlayView.ts"
import { TempFolder } from "../../engine/git/TempRepo.ts"

const catalog: Registry.Any = registry

export type Value = { readonly [key: string]: any }

const followUps = function* (value: unknown): Generator<FollowUp.FollowUpData> {
  if (Array.isArray(value)) for (const item of value) yield* followUps(item)
  else if (isRecord(value)) {
    if (typeof value["follow_up_kind"] === "string") yield value as unknown as FollowUp.FollowUpData
    else for (const inner of Object.values(value)) yield* followUps(inner)
  }
}
const checked = <A>(value: A): A => {
  for (const followUp of followUps(value)) {
    const verdict = FollowUp.check(catalog, followUp)
    if (Either.isLeft(verdict))
      throw new Error(
        `${verdict.left.message} ${JSON.stringify(followUp)} ${JSON.stringify(verdict.left.data)}`
      )
  }
  return value
}

export interface Folder {
  readonly folder: TempFolder
  readonly write: (path: string, content: string | Uint8Array) => void
  readonly remove: (path: string) => void
  /** Overlaid files of the session named "s". */
  /** Puts files over the folder for one session. */
  readonly overlay: (session: string, ...files: ReadonlyArray<OverlayFile>) => Effect.Effect<void>
  /** The answer of a call. */
  readonly call: (tool: string, args: Value, session?: string) => Effect.Effect<Value>
  /** The failure of a call. */
  readonly refused: (tool: string, args: Value, session?: string) => Effect.Effect<OperationFailure>
  readonly context: Context.Context<any>
}

/** A folder with these files, served; with these language servers only, when they are named. */
export const served = (
  files: { readonly [path: string]: string | Uint8Array },
  options: {
    readonly git?: boolean
    /** Done to the folder before it is served; its history, for example. */
    readonly before?: (folder: TempFolder) => void
    readonly servers?: ReadonlyArray<ServerRow>
    /** Linters of the folder may run. */
    readonly trusted?: boolean
    /** The folder is watched instead of compared before each answer: for many calls. */
    readonly watch?: boolean
  } = {}
): Effect.Effect<Folder, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => new TempFolder()),
      (made) =>
        Effect.sync(() => {
          rmSync(`${made.path}-state`, { recursive: true, force: true })
          made[Symbol.dispose]()
        })
    )
    if (options.git === true) folder.init()
    const write = (path: string, content: string | Uint8Array) => {
      mkdirSync(dirname(folder.at(path)), { recursive: true })
      writeFileSync(folder.at(path), content)
    }
    for (const [path, content] of Object.entries(files)) write(path, content)
    if (options.git === true) folder.commit("", "first")
    options.before?.(folder)
    const overlays = new Overlays()
    const control = controlFiles(folder.path, `${folder.path}-state`)
    const languages = yield* Layer.build(
      Layer.orDie(
        layerLanguageServers({
          root: folder.path,
          ...(options.servers === undefined ? {} : { rows: options.servers, path: "" })
        })
      )
    )
    const services = yield* Layer.build(
      layerRepositories(
        {
          directory: folder.path,
          changed: Context.get(languages, LanguageReader).changed,
          exact: true,
          watch: options.watch === true,
          store: false,
          threads: 1,
          control: control.user
        },
        { overlays, state: `${folder.path}-state` }
      ).pipe(Layer.provideMerge(layerControl(control)))
    ).pipe(Effect.orDie)
    const rest = yield* Layer.build(
      Layer.mergeAll(
        Layer.succeedContext(languages),
        Layer.succeed(
          LintReader,
          lintReader({ root: folder.path, trusted: options.trusted === true, path: "" })
        ),
        unavailable(KnowledgeReader, { detail: "not here" }, { query: "method", get: "method" }),
        unavailable(LanguageModel, { detail: "no language model is configured" }, { complete: "method" })
      )
    )
    const context = Context.merge(services, rest) as Context.Context<any>
    // What a call has looked at counts for that call.
    let calls = 0
    const run = (
      tool: string,
      args: Value,
      session: string | undefined
    ): Effect.Effect<Value, OperationFailure> =>
      Effect.gen(function* () {
        const facade = catalog.facade(tool)
        if (facade === undefined) throw new Error(`no tool ${tool}`)
        const selected = yield* select(facade, args)
        const outcome = yield* selected.operation.run(selected.args) as Effect.Effect<any, OperationFailure>
        const projected = yield* project(outcome)
        const value = JSON.parse(JSON.stringify(projected.value)) as Value
        const budget = outcome.controls.budget as number
        if (byteLength(value) > budget && value["_over_budget_bytes"] === undefined)
          throw new Error(`${byteLength(value)} bytes over a budget of ${budget}`)
        return checked(value)
      }).pipe(
        Effect.provide(context),
        Effect.provideService(CallInfo, {
          requestId: `t${++calls}`,
          ...(session === undefined ? {} : { session })
        })
      )
    return {
      folder,
      write,
      remove: (path) => rmSync(folder.at(path), { recursive: true, force: true }),
      overlay: (session, ...own) => Effect.orDie(overlays.push(session, folder.path, own)),
      context,
      call: (tool, args, session) => Effect.orDie(run(tool, args, session)),
      refused: (tool, args, session) =>
        Effect.map(Effect.orDie(Effect.flip(run(tool, args, session))), (failure) => {
          checked(failure.recovery)
          return failure
        })
    }
  })
