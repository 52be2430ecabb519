/**
 * The stage that writes a call down: a row for the name that was called and one for the operation it came to. An effect
 * has its first row on disk before it happens, so a server that ends in between leaves a beginning without an end; reads
 * are written soon after.
 */
import { Effect } from "effect"
import type { Policy } from "../policy/Policy.ts"
import { failure } from "../registry/Failure.ts"
import type { AuditLedger, LedgerEntry } from "../services/AuditLedger.ts"
import { type CallResult, failed } from "./CallResult.ts"
import type { Trail } from "./Trail.ts"

/** Outcome of the first row of an effect. */
const begun = "begun"

const stateChanged = (trail: Trail, result: CallResult): boolean | undefined => {
  const stated = result.structuredContent["state_changed"]
  if (typeof stated === "boolean") return stated
  return trail.effect === "read" || trail.decision !== "allowed" ? false : undefined
}

const isEffect = (trail: Trail): boolean => trail.effect !== undefined && trail.effect !== "read"

export class Recorder {
  readonly #ledger: AuditLedger["Type"]
  readonly #log: (text: string) => void

  constructor(ledger: AuditLedger["Type"], log: (text: string) => void) {
    this.#ledger = ledger
    this.#log = log
  }

  /** Runs a call once its first row is written; without that no effect happens. */
  around(trail: Trail, run: Effect.Effect<CallResult>): Effect.Effect<CallResult> {
    if (!isEffect(trail)) return run
    return Effect.matchEffect(
      this.#ledger.append([this.#entry(trail, "facade", begun, undefined, trail.started, 0)]),
      {
        onFailure: (cause) => {
          this.#log(`${trail.requestId}: the ledger cannot be written: ${cause.message}`)
          trail.decision = "refused"
          return Effect.succeed(
            failed(
              trail.routing,
              failure("internal", "the audit ledger cannot be written, so nothing was done", {
                reason_code: "ledger_unavailable",
                failure_stage: "preflight"
              })
            )
          )
        },
        onSuccess: () => run
      }
    )
  }

  /** Writes down how a call ended. The answer to an effect that could not be written down is that, and nothing else. */
  close(trail: Trail, result: CallResult, now: number, policy: Policy): Effect.Effect<CallResult> {
    const { facade, operation, canonical_tool } = result._meta.gortex_facade
    trail.routing = { facade, operation, canonical_tool }
    const outcome = result.isError === true ? String(result.structuredContent["error_code"]) : "ok"
    const changed = stateChanged(trail, result)
    const target = this.#entry(trail, "target", outcome, changed, now, now - trail.started)
    const happened = isEffect(trail) && trail.decision === "allowed"
    if (!happened) {
      if (trail.effect === "read" && trail.decision === "allowed" && !policy.recordsReads)
        return Effect.succeed(result)
      const first = this.#entry(trail, "facade", outcome, changed, now, now - trail.started)
      return Effect.as(this.#settle(trail, [first, target]), result)
    }
    return Effect.match(this.#ledger.append([target]), {
      onSuccess: () => result,
      onFailure: (cause) => {
        this.#log(`${trail.requestId}: the ledger cannot be written: ${cause.message}`)
        return failed(
          trail.routing,
          failure("internal", "the call has run, and the audit ledger could not be written", {
            reason_code: "ledger_unavailable",
            ...(changed === undefined ? { outcome_unknown: true } : { state_changed: changed })
          })
        )
      }
    })
  }

  /** Writes down what changed nothing: a question to a person at once, since what they say of it is written by another process. */
  #settle(trail: Trail, rows: ReadonlyArray<LedgerEntry>): Effect.Effect<void> {
    if (trail.decision !== "pending") return this.#ledger.note(rows)
    return Effect.catchAll(this.#ledger.append(rows), ({ message }) =>
      Effect.sync(() => this.#log(`${trail.requestId}: the ledger cannot be written: ${message}`))
    )
  }

  #entry(
    trail: Trail,
    layer: LedgerEntry["layer"],
    outcome: string,
    changed: boolean | undefined,
    at: number,
    duration: number
  ): LedgerEntry {
    const { routing } = trail
    return {
      at: new Date(at).toISOString(),
      request_id: trail.requestId,
      principal_kind: trail.principal.kind,
      principal_id: trail.principal.id,
      door: trail.door,
      session: trail.session,
      layer,
      facade: routing.facade,
      operation: routing.operation,
      // What was called is only repeated where it is a name of ours.
      canonical_tool:
        layer === "facade" && routing.facade !== "unknown" ? trail.called : routing.canonical_tool,
      effect: trail.effect,
      decision: trail.decision,
      stage: trail.decision === "allowed" ? undefined : trail.stage,
      approval: trail.approval,
      duration_ms: duration,
      outcome,
      state_changed: changed,
      arguments_digest: trail.digest
    }
  }
}
