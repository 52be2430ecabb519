/** The last look at what leaves the house: follow-ups that hold, and no path of this machine. */
import { Either } from "effect"
import { failure, type OperationFailure } from "../registry/Failure.ts"
import * as FollowUp from "../registry/FollowUp.ts"
import { isRecord, type UnknownRecord } from "../registry/Json.ts"
import type { Registry } from "../registry/Registry.ts"
import type { Speech } from "./Speech.ts"

export interface Sealing {
  /** A failure of the operation `holder` names as it may be sent. `reads` says that it changes nothing. */
  readonly failure: (
    holder: string,
    reads: boolean,
    refused: OperationFailure,
    speech: Speech
  ) => OperationFailure
  /** An answer whose follow-ups at the top, and in the lists there, hold; the same where all did. */
  readonly value: (holder: string, value: UnknownRecord, speech: Speech) => UnknownRecord
}

const isFollowUp = (value: unknown): value is FollowUp.FollowUpData =>
  isRecord(value) &&
  typeof value["follow_up_kind"] === "string" &&
  typeof value["tool"] === "string" &&
  isRecord(value["arguments"])

/** `roots` are absolute directories that no message may show; `log` is told of follow-ups that do not hold. */
export const make = ({
  catalog,
  log,
  roots: given
}: {
  readonly catalog: Registry.Any
  readonly log: (text: string) => void
  readonly roots: ReadonlyArray<string>
}): Sealing => {
  const roots = [...given].filter((root) => root.length > 1).sort((a, b) => b.length - a.length)

  /** Replaces absolute forms of the served directories by relative ones. */
  const relative = (text: string): string =>
    roots.reduce((shown, root) => shown.replaceAll(`${root}/`, "").replaceAll(root, "."), text)

  /** Takes out a follow-up that does not hold, and says on the side that it did not. */
  const seal = <A>(
    holder: string,
    draft: A,
    situation: FollowUp.Situation,
    { followUp }: Speech
  ): A | undefined => {
    if (!isFollowUp(draft)) return draft
    const checked = FollowUp.check(catalog, draft, situation)
    if (Either.isRight(checked)) return followUp(draft) as A | undefined
    log(`${holder}: ${checked.left.message} ${JSON.stringify(checked.left.data ?? {})}`)
    return undefined
  }

  const sealedFailure = (
    holder: string,
    reads: boolean,
    refused: OperationFailure,
    speech: Speech
  ): OperationFailure => {
    const given = speech.failure(refused)
    const unknown = given.outcome_unknown === true
    return failure(given.code, relative(given.message), {
      field: given.field,
      reason_code: given.reason_code,
      failure_stage: given.failure_stage,
      // A read changes nothing, also where it did not think of saying so.
      state_changed: given.state_changed ?? (reads && !unknown ? false : undefined),
      outcome_unknown: given.outcome_unknown,
      data: given.data,
      recovery:
        given.recovery === undefined
          ? undefined
          : seal(
              holder,
              given.recovery,
              { outcomeUnknown: unknown, retryProven: given.state_changed === false },
              speech
            )
    })
  }

  /** Seals the follow-ups at the top of an answer, and in the lists there. */
  const sealedValue = (holder: string, value: UnknownRecord, speech: Speech): UnknownRecord => {
    let changed: { [key: string]: unknown } | undefined
    for (const [key, inner] of Object.entries(value)) {
      const kept =
        Array.isArray(inner) && inner.some(isFollowUp)
          ? inner.flatMap((item) => {
              const sealed = seal(holder, item, {}, speech)
              return sealed === undefined ? [] : [sealed]
            })
          : seal(holder, inner, {}, speech)
      if (kept === inner) continue
      changed ??= { ...value }
      if (kept === undefined) delete changed[key]
      else changed[key] = kept
    }
    return changed ?? value
  }

  return { failure: sealedFailure, value: sealedValue }
}
