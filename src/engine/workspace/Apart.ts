/**
 * The first index of a large tree, made by a process of its own: what reading everything costs in memory goes with it,
 * and the process that serves starts from the stored snapshot.
 */
import { Effect } from "effect"
import { fork } from "node:child_process"
import { progress } from "../../registry/Progress.ts"

export interface Apart {
  /** Script that indexes when it is given these arguments, stores the snapshot and exits with 0. */
  readonly script: string
  readonly args: (root: string) => ReadonlyArray<string>
}

/** What the indexing process says of its progress. */
export type Said = readonly [done: number, total: number | undefined, message: string | undefined]

const isSaid = (value: unknown): value is Said => Array.isArray(value) && typeof value[0] === "number"

/** Runs it to its end, passing its progress on. True when it succeeded; interruption ends it. */
export const indexApart = (apart: Apart, root: string): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    let last: Said | undefined
    const ended = Effect.async<boolean>((resume) => {
      const child = fork(apart.script, [...apart.args(root)], {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: []
      })
      child.on("message", (said) => {
        if (isSaid(said)) last = said
      })
      child.once("error", () => resume(Effect.succeed(false)))
      child.once("exit", (code) => resume(Effect.succeed(code === 0)))
      return Effect.sync(() => {
        child.kill("SIGKILL")
      })
    })
    const passOn = Effect.suspend(() => {
      const said = last
      last = undefined
      return said === undefined ? Effect.void : progress(...said)
    })
    return Effect.raceFirst(ended, Effect.forever(Effect.zipRight(Effect.sleep("150 millis"), passOn)))
  })
