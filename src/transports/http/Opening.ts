/** The engine of a server that listens before it has one: opened when the first request needs it, or when there is time. */
import type { Engine } from "../../pipeline/Engine.ts"

export class Opening {
  readonly #open: () => Promise<Engine>
  #opened: Engine | undefined
  #opening: Promise<Engine> | undefined
  readonly #listeners: Array<(engine: Engine) => void> = []

  constructor(open: () => Promise<Engine>) {
    this.#open = open
  }

  /** One that is open already. */
  static of(engine: Engine): Opening {
    const opening = new Opening(() => Promise.resolve(engine))
    opening.#opened = engine
    return opening
  }

  /** The engine; undefined while there is none. */
  get opened(): Engine | undefined {
    return this.#opened
  }

  /** The engine, opened when it is not. Rejects when it cannot be; whoever asks then has it tried again. */
  load(): Promise<Engine> {
    if (this.#opened !== undefined) return Promise.resolve(this.#opened)
    this.#opening ??= this.#open().then(
      (engine) => {
        this.#opened = engine
        for (const listener of this.#listeners.splice(0)) listener(engine)
        return engine
      },
      (cause: unknown) => {
        this.#opening = undefined
        throw cause
      }
    )
    return this.#opening
  }

  /** Calls back once there is an engine, before anybody who waits for it goes on; at once when there is one. Opens none. */
  whenOpen(listener: (engine: Engine) => void): void {
    if (this.#opened !== undefined) listener(this.#opened)
    else this.#listeners.push(listener)
  }

  /** What is being opened, or is open; undefined when nobody has asked for it. */
  get begun(): Promise<Engine> | undefined {
    return this.#opened === undefined ? this.#opening : Promise.resolve(this.#opened)
  }
}
