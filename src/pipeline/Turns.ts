/**
 * How many calls run at a time. Sessions take turns: a session with many calls waits for its own, not the others for it.
 * What nobody waits for any longer but has not ended is counted, too, and when too much of that is left over, calls are
 * refused at once rather than added to it.
 */
import { Effect } from "effect"
import { failure, type OperationFailure } from "../registry/Failure.ts"

export interface TurnLimits {
  /** Calls that run at a time, in all and of one session. */
  readonly running: number
  readonly runningOfSession: number
  /** Calls that wait, of one session and in all. */
  readonly waitingOfSession: number
  readonly waiting: number
  /** Calls given up that have not ended. */
  readonly abandoned: number
}

export const standard: TurnLimits = {
  running: 32,
  runningOfSession: 8,
  waitingOfSession: 64,
  waiting: 1024,
  abandoned: 64
}

interface Seat {
  running: number
  readonly waiting: Array<() => void>
}

const refusal = (reason: string, message: string): OperationFailure =>
  failure("overloaded", message, {
    failure_stage: "admission",
    reason_code: reason,
    data: { retry_after_ms: 1000 }
  })

export class Turns {
  readonly #limits: TurnLimits
  readonly #seats = new Map<string, Seat>()
  /** Sessions with somebody waiting, the next one first. */
  readonly #queue: Array<string> = []
  #running = 0
  #waiting = 0
  #abandoned = 0

  constructor(limits: TurnLimits = standard) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  get abandoned(): number {
    return this.#abandoned
  }

  /** Counts work that goes on without anybody waiting for it; answers how to say that it has ended. */
  abandon(): () => void {
    this.#abandoned++
    let over = false
    return () => {
      if (!over) this.#abandoned--
      over = true
    }
  }

  /**
   * Runs when it is the session's turn. What is run takes its seat when it begins, by the argument it gets, and calls what
   * that answers once it is over, however it ends: between finding a seat free and taking it nothing else may happen.
   */
  take<A, E, R>(
    session: string,
    run: (sit: () => () => void) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | OperationFailure, R> {
    return Effect.suspend((): Effect.Effect<A, E | OperationFailure, R> => {
      if (this.#abandoned >= this.#limits.abandoned)
        return Effect.fail(
          refusal("abandoned_calls", `${this.#abandoned} calls that were given up have not ended yet`)
        )
      const seat = this.#seat(session)
      if (this.#free(seat))
        return run(() => {
          this.#sit(seat)
          return () => this.#leave(session, seat)
        })
      if (seat.waiting.length >= this.#limits.waitingOfSession)
        return Effect.fail(
          refusal("session_queue_full", `${seat.waiting.length} calls of this session wait already`)
        )
      if (this.#waiting >= this.#limits.waiting)
        return Effect.fail(refusal("queue_full", `${this.#waiting} calls wait already`))
      const turn = Effect.async<void>((resume) => {
        const go = () => resume(Effect.void)
        if (seat.waiting.length === 0) this.#queue.push(session)
        seat.waiting.push(go)
        this.#waiting++
        return Effect.sync(() => {
          const at = seat.waiting.indexOf(go)
          if (at < 0) this.#leave(session, seat)
          else {
            seat.waiting.splice(at, 1)
            this.#waiting--
          }
        })
      })
      // A seat that was given is the caller's: between the turn and the work nothing may lose it.
      return Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          restore(turn),
          Effect.ensuring(
            restore(run(() => () => {})),
            Effect.sync(() => this.#leave(session, seat))
          )
        )
      )
    })
  }

  #seat(session: string): Seat {
    let seat = this.#seats.get(session)
    if (seat === undefined) this.#seats.set(session, (seat = { running: 0, waiting: [] }))
    return seat
  }

  #free(seat: Seat): boolean {
    return this.#running < this.#limits.running && seat.running < this.#limits.runningOfSession
  }

  #sit(seat: Seat): void {
    seat.running++
    this.#running++
  }

  #leave(session: string, seat: Seat): void {
    seat.running--
    this.#running--
    this.#next()
    if (seat.running === 0 && seat.waiting.length === 0) this.#seats.delete(session)
  }

  /** Gives free seats to sessions in turn. */
  #next(): void {
    let looked = 0
    while (this.#running < this.#limits.running && looked < this.#queue.length) {
      const session = this.#queue.shift() as string
      const seat = this.#seats.get(session)
      if (seat === undefined || seat.waiting.length === 0) continue
      if (!this.#free(seat)) {
        this.#queue.push(session)
        looked++
        continue
      }
      const go = seat.waiting.shift() as () => void
      this.#waiting--
      if (seat.waiting.length > 0) this.#queue.push(session)
      this.#sit(seat)
      go()
    }
  }
}
