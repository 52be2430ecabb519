/** What is known of one call, filled in as it goes its way; the recorder reads it at the end. */
import type { Clock } from "effect"
import type { Principal, Door } from "../policy/Principal.ts"
import type { Prepared } from "../registry/Dispatcher.ts"
import type { EffectClass } from "../registry/EffectClass.ts"
import { hash, isRecord } from "../registry/Json.ts"
import type { Discovery } from "../telemetry/Keys.ts"
import type { Routing } from "./CallResult.ts"
import { discoveryOf } from "./Observation.ts"
import { questionOf } from "./Remembered.ts"
import { plain, type Speech } from "./Speech.ts"

/** The stations of a call, in order. */
export const stages = [
  "admission",
  "decode",
  "authority",
  "approval",
  "idempotency",
  "turn",
  "run",
  "project"
] as const
export type Stage = (typeof stages)[number]

/** What a call comes to, whoever makes it: the operation and its arguments as decoded. */
export const digestOf = ({ decoded, operation }: Prepared): string =>
  hash({ operation: `${operation.facade}.${operation.name}`, version: 1, arguments: decoded.value })

export class Trail {
  routing: Routing
  effect: EffectClass | undefined
  stage: Stage = "admission"
  decision: "allowed" | "refused" | "pending" | "replayed" = "refused"
  approval: string | undefined
  /** The names the caller is answered in. */
  speech: Speech = plain
  /** Whether the answer is a list without rows. */
  empty = false
  /** Rows of that list; undefined for another answer. */
  rows: number | undefined
  /** The name that was called, where it is not the operation's tool. */
  readonly called: string
  /** Milliseconds since the epoch. */
  readonly started: number
  readonly #clock: Clock.Clock
  #prepared: Prepared | undefined
  #digest: string | undefined

  constructor(
    readonly requestId: string,
    readonly principal: Principal,
    readonly door: Door,
    readonly session: string | undefined,
    called: string,
    clock: Clock.Clock
  ) {
    this.called = called
    this.#clock = clock
    this.started = this.now()
    this.routing = { facade: "unknown", operation: "unknown", canonical_tool: "unknown" }
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#clock.unsafeCurrentTimeMillis()
  }

  prepared(prepared: Prepared): void {
    this.#prepared = prepared
    this.effect = prepared.operation.effect
  }

  /** The operation, once its arguments were decoded. */
  get operation(): Prepared["operation"] | undefined {
    return this.#prepared?.operation
  }

  /** What is looked for, where an argument says it. */
  get question(): string | undefined {
    const value = this.#prepared?.decoded.value
    return isRecord(value) ? questionOf(value) : undefined
  }

  /** Whether the operation is one that no list of operations shows. */
  get hidden(): boolean {
    return this.#prepared?.operation.hidden === true
  }

  /** How much the tool that describes the others is asked about; undefined for calls of other tools. */
  get discovery(): Discovery | undefined {
    if (this.#prepared === undefined) return undefined
    const { decoded, operation } = this.#prepared
    return discoveryOf(operation.facade, decoded.value)
  }

  /** Hex SHA-256 of the operation and its decoded arguments; undefined while they are not decoded. */
  get digest(): string | undefined {
    if (this.#prepared === undefined) return undefined
    return (this.#digest ??= digestOf(this.#prepared))
  }
}
