/** A child process with a group of its own that is certain to be gone when its scope closes. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { Effect, Fiber, type Scope } from "effect"

/** How to start a program. `env` is laid over this process's environment; undefined removes a variable. */
export interface Launch {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: { readonly [name: string]: string | undefined }
}

/** How a process ended. `code` is null after a signal, both are null when it could not be started. */
export interface Ending {
  readonly code: number | null
  readonly signal: string | null
  readonly error?: string
}

/** A started program. `pid` is also the id of its process group; undefined when it could not be started. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  readonly pid: number | undefined
  /** The end of what it printed to standard error. */
  readonly stderrTail: () => string
  /** Set when it has ended. */
  readonly ending: () => Ending | undefined
  /** Completes when it has ended and what it printed has been read, or 200 ms after its end. */
  readonly ended: Effect.Effect<Ending>
  /** Calls back at that moment, before anything that waits for `ended` goes on. */
  readonly onEnded: (listener: (ending: Ending) => void) => void
  /** SIGKILL for the whole group. */
  readonly kill: () => void
}

const tailLength = 4000

/** Groups to take along when this process exits without closing its scopes. */
const groups = new Set<number>()
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // Neither the group nor the process is there any more.
    }
  }
}
let listening = false
const takeAlong = (pid: number): void => {
  groups.add(pid)
  if (listening) return
  listening = true
  process.on("exit", () => {
    for (const group of groups) killGroup(group)
  })
}

/** Variables that would change how a child made with Node starts, or make it print. */
const dropped = ["NODE_OPTIONS", "NODE_V8_COVERAGE", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"]

const environment = (over: Launch["env"]): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = { ...process.env }
  for (const name of dropped) delete env[name]
  for (const [name, value] of Object.entries(over ?? {})) {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  return env
}

const start = (launch: Launch, cwd: string): Child => {
  const child = spawn(launch.command, [...launch.args], {
    cwd,
    env: environment(launch.env),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    windowsHide: true
  })
  const { pid } = child
  if (pid !== undefined) takeAlong(pid)
  let tail = ""
  let ending: Ending | undefined
  const waiting = new Set<(ending: Ending) => void>()
  child.stderr.setEncoding("utf8")
  child.stderr.on("data", (text: string) => {
    tail = (tail + text).slice(-tailLength)
  })
  child.stdin.on("error", () => undefined)
  const finish = (how: Ending): void => {
    if (ending !== undefined) return
    ending = how
    if (pid !== undefined) {
      // What the leader left behind in its group ends with it.
      killGroup(pid)
      groups.delete(pid)
    }
    for (const resume of waiting) resume(how)
    waiting.clear()
  }
  child.once("error", (cause: NodeJS.ErrnoException) => {
    if (pid === undefined) finish({ code: null, signal: null, error: cause.code ?? cause.message })
  })
  child.once("exit", (code, signal) => {
    const how = { code, signal }
    const timer = setTimeout(() => finish(how), 200)
    child.once("close", () => {
      clearTimeout(timer)
      finish(how)
    })
  })
  return {
    process: child,
    pid,
    stderrTail: () => tail,
    ending: () => ending,
    onEnded: (listener) => {
      if (ending === undefined) waiting.add(listener)
      else listener(ending)
    },
    ended: Effect.async<Ending>((resume) => {
      if (ending !== undefined) return resume(Effect.succeed(ending))
      const done = (how: Ending): void => resume(Effect.succeed(how))
      waiting.add(done)
      return Effect.sync(() => void waiting.delete(done))
    }),
    kill: () => {
      if (pid !== undefined && ending === undefined) killGroup(pid)
    }
  }
}

/** Leaves a process in good order, and in bad order when it does not follow. */
const leave = (child: Child, farewell: Effect.Effect<void>, graceMillis: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (child.ending() === undefined) {
      yield* Effect.ignore(farewell)
      child.process.stdin.end()
      const left = yield* Effect.timeoutOption(child.ended, graceMillis)
      if (left._tag === "None") child.kill()
    }
    yield* Effect.timeoutOption(child.ended, 5000)
    child.process.stdout.destroy()
    child.process.stderr.destroy()
  })

/**
 * Starts a program in a folder. Closing the scope runs `farewell`, waits `graceMillis` for the process to leave, kills
 * the group, and returns when the process is gone, whatever the process does.
 */
export const acquire = (
  launch: Launch,
  cwd: string,
  farewell: (child: Child) => Effect.Effect<void>,
  graceMillis: number
): Effect.Effect<Child, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => start(launch, cwd)),
    // In a fiber of its own: the limits of leaving are made of interruptions, which a finalizer does not take, and
    // which the fiber of an interrupted scope would take all at once.
    (child) =>
      Effect.flatMap(
        Effect.forkDaemon(Effect.interruptible(leave(child, farewell(child), graceMillis))),
        Fiber.await
      )
  )
