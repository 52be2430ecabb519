import { Effect } from "effect"
import { fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { ControlStore } from "../../../services/ControlStore.ts"
import type { VerdictRecord } from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { FrameworkFacts, type Note } from "../../../services/FrameworkFacts.ts"
import { LanguageModel } from "../../../services/LanguageModel.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { workspaceAdmin } from "../facade.ts"

const system =
  'You judge whether a call dispatches a workflow or an activity of Temporal to the definition shown. Answer with one JSON object: {"verdict": "confirmed" | "rejected" | "uncertain", "reason": "one sentence"}.'

/** Lines shown around a place. */
const around = 12

const excerpt = (text: string, line: number): string =>
  text
    .split("\n")
    .slice(Math.max(0, line - 1 - around / 2), line + around)
    .join("\n")

/** What a model answered, when it answered in the form asked for. */
const verdictOf = (text: string): Pick<VerdictRecord, "verdict" | "reason"> | undefined => {
  const found = /\{[\s\S]*\}/.exec(text)
  if (found === null) return undefined
  try {
    const value = JSON.parse(found[0]) as { readonly verdict?: unknown; readonly reason?: unknown }
    if (value.verdict !== "confirmed" && value.verdict !== "rejected" && value.verdict !== "uncertain")
      return undefined
    return {
      verdict: value.verdict,
      reason: typeof value.reason === "string" ? value.reason.slice(0, 400) : ""
    }
  } catch {
    return undefined
  }
}

interface Edge {
  readonly key: string
  readonly call: Note
  readonly definition: Note
}

/** Dispatches with the definitions their names lead to. */
const edgesOf = (notes: ReadonlyArray<Note>): ReadonlyArray<Edge> =>
  notes
    .filter(({ what }) => what === "dispatch_activity" || what === "dispatch_workflow")
    .flatMap((call) => {
      const wanted =
        call.what === "dispatch_activity"
          ? ["activity", "registered_activity"]
          : ["workflow", "registered_workflow"]
      return notes
        .filter(({ name, what }) => wanted.includes(what) && name === call.name)
        .slice(0, 1)
        .map((definition) => ({
          key: `${call.file}:${call.line}->${definition.file}::${definition.name}`,
          call,
          definition
        }))
    })

const needs = [ControlStore, ControlView, FrameworkFacts, ReadFs, LanguageModel] as const

export const temporalVerify: Member<typeof workspaceAdmin, "temporal_verify", typeof needs> =
  workspaceAdmin.operation("temporal_verify", {
    tool: "analyze",
    fixed: { kind: "temporal_verify" },
    summary: "Let a model judge workflow dispatch edges, and keep its verdicts.",
    long: true,
    tier: 2,
    input: F.input({}),
    needs,
    handler: () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const view = yield* ControlView
        const fs = yield* ReadFs
        const model = yield* LanguageModel
        const reading = yield* Effect.mapError((yield* FrameworkFacts).read(["workflows"]), (cause) =>
          fromService(cause)
        )
        const edges = edgesOf(reading.notes)
        const counts = { checked: 0, confirmed: 0, rejected: 0, uncertain: 0, errors: 0, cached: 0 }
        const verdicts: Array<object> = []
        for (const { call, definition, key } of edges) {
          const from = yield* Effect.mapError(fs.readText(call.file), (cause) => fromService(cause))
          const to = yield* Effect.mapError(fs.readText(definition.file), (cause) => fromService(cause))
          const digest = `${from.sha}:${call.line}:${to.sha}:${definition.line}`
          const known = yield* Effect.mapError(view.get("verdicts", key), (cause) => fromService(cause))
          let verdict = known?.value.digest === digest ? known.value : undefined
          if (verdict !== undefined) counts.cached++
          else {
            // Without a model the first question already fails, and nothing was written.
            const answer = yield* Effect.mapError(
              model.complete({
                system,
                prompt: `Call in ${call.file}, line ${call.line}:\n${fs.redact(call.file, excerpt(from.text, call.line)).text}\n\nDefinition ${definition.name} in ${definition.file}, line ${definition.line}:\n${fs.redact(definition.file, excerpt(to.text, definition.line)).text}`,
                maxTokens: 300
              }),
              (cause) => fromService(cause)
            )
            counts.checked++
            const said = verdictOf(answer.text)
            if (said === undefined) {
              counts.errors++
              continue
            }
            verdict = { ...said, digest }
            yield* Effect.mapError(store.put("verdicts", key, verdict), (cause) => fromService(cause))
          }
          counts[verdict.verdict]++
          verdicts.push({
            id: key,
            verdict: verdict.verdict,
            reason: verdict.reason,
            symbol: call.within,
            file_path: call.file,
            line: call.line,
            definition: definition.name
          })
        }
        return {
          ...counts,
          edges: edges.length,
          verdicts,
          ...(edges.length === 0
            ? {
                note: `no dispatch with a definition in ${reading.coverage.read_files} files that show a sign of Temporal; nothing was asked`
              }
            : {})
        }
      })
  })
