import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { devNull } from "node:os"
import type { Scope } from "effect"
import { Chunk, Effect, Option, Stream } from "effect"
import { classifyStderr, GitError } from "./GitError.ts"

/**
 * Settings forced onto every command, so that a repository's own configuration cannot start programs:
 * no hooks, no file system monitor, no pager, no signature checks, no embedded bare repositories.
 * Filters and textconv are handled where they would run (see `Git.ts`).
 */
const forcedConfig: ReadonlyArray<string> = [
  "core.quotepath=off",
  "core.fsmonitor=false",
  `core.hooksPath=${devNull}`,
  "core.pager=cat",
  "diff.external=",
  "log.showSignature=false",
  "i18n.logOutputEncoding=UTF-8",
  "safe.bareRepository=explicit",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "credential.helper=",
  "color.ui=false"
]

/** Variables of the user's environment that may reach git; every other `GIT_*` is dropped. */
const keptVariable =
  /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|EXEC_PATH)$/

/** The child's environment: the user's, without stray `GIT_*`, with extra configuration entries appended. */
export const gitEnvironment = (
  base: NodeJS.ProcessEnv,
  config: ReadonlyArray<readonly [key: string, value: string]> = []
): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(base)) {
    if (!name.startsWith("GIT_") || keptVariable.test(name)) env[name] = value
  }
  env["LC_ALL"] = "C"
  env["LANGUAGE"] = "C"
  env["GIT_OPTIONAL_LOCKS"] = "0"
  env["GIT_TERMINAL_PROMPT"] = "0"
  env["GIT_PAGER"] = "cat"
  env["GIT_NO_LAZY_FETCH"] = "1"
  env["GIT_ALLOW_PROTOCOL"] = "none"
  if (config.length > 0) {
    const given = Number.parseInt(env["GIT_CONFIG_COUNT"] ?? "0", 10)
    let next = Number.isSafeInteger(given) && given > 0 ? given : 0
    for (const [key, value] of config) {
      env[`GIT_CONFIG_KEY_${next}`] = key
      env[`GIT_CONFIG_VALUE_${next}`] = value
      next++
    }
    env["GIT_CONFIG_COUNT"] = String(next)
  }
  return env
}

/** How one command is run. */
export interface RunOptions {
  /** Bytes for standard input; without it standard input is closed. */
  readonly stdin?: Uint8Array
  /** Most bytes of standard output taken before `output_too_large`. Default 1 GiB. */
  readonly maxBytes?: number
  /** Milliseconds before the child is killed with `timeout`. Default 120 000. */
  readonly timeoutMs?: number
  /** Exit codes that count as an answer. Default `[0]`. */
  readonly okCodes?: ReadonlyArray<number>
  /** Extra configuration, e.g. to neutralise filters. Keys may hold any character. */
  readonly config?: ReadonlyArray<readonly [key: string, value: string]>
}

/** What a command printed. `stderr` is decoded as UTF-8 and capped at 1 MiB. */
export interface RunResult {
  readonly stdout: Buffer
  readonly stderr: string
  readonly exitCode: number
}

const stderrCap = 1 << 20

const start = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: RunOptions
): ChildProcessWithoutNullStreams => {
  const prefix = forcedConfig.flatMap((entry) => ["-c", entry])
  return spawn("git", ["--no-pager", ...prefix, ...args], {
    cwd,
    env: gitEnvironment(process.env, options.config),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true
  })
}

const label = (args: ReadonlyArray<string>): string => args.slice(0, 6).join(" ").slice(0, 200)

const failure = (
  reason: GitError["reason"],
  cwd: string,
  args: ReadonlyArray<string>,
  exitCode: number | null,
  stderr: string
): GitError =>
  new GitError({ reason, cwd, command: label(args), exitCode, stderr: stderr.trim().slice(0, 2000) })

const startFailure = (cwd: string, args: ReadonlyArray<string>, cause: NodeJS.ErrnoException): GitError =>
  failure(
    cause.code === "ENOENT" ? (existsSync(cwd) ? "not_installed" : "not_found") : "failed",
    cwd,
    args,
    null,
    cause.message
  )

/** Kills the child and waits until it is gone. */
const end = (child: ChildProcessWithoutNullStreams): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

const collect = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: RunOptions
): Effect.Effect<RunResult, GitError> =>
  Effect.async<RunResult, GitError>((resume) => {
    if (args.some((arg) => arg.includes("\0"))) {
      return resume(Effect.fail(failure("failed", cwd, args, null, "an argument holds a NUL character")))
    }
    let child: ChildProcessWithoutNullStreams
    try {
      child = start(cwd, args, options)
    } catch (cause) {
      return resume(Effect.fail(startFailure(cwd, args, cause as NodeJS.ErrnoException)))
    }
    const limit = options.maxBytes ?? 1 << 30
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    let outBytes = 0
    let errBytes = 0
    let overflow = false
    child.stdout.on("data", (chunk: Buffer) => {
      outBytes += chunk.length
      if (outBytes > limit) {
        if (!overflow) child.kill("SIGKILL")
        overflow = true
      } else out.push(chunk)
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (errBytes < stderrCap) err.push(chunk)
      errBytes += chunk.length
    })
    child.stdin.on("error", () => undefined)
    child.on("error", (cause) => resume(Effect.fail(startFailure(cwd, args, cause))))
    child.on("close", (code) => {
      const stderr = Buffer.concat(err).toString("utf8")
      if (overflow) return resume(Effect.fail(failure("output_too_large", cwd, args, null, stderr)))
      if (code === null || !(options.okCodes ?? [0]).includes(code)) {
        return resume(
          Effect.fail(failure(code === null ? "failed" : classifyStderr(stderr), cwd, args, code, stderr))
        )
      }
      resume(Effect.succeed({ stdout: Buffer.concat(out, outBytes), stderr, exitCode: code }))
    })
    child.stdin.end(options.stdin)
    return end(child)
  })

/** Runs one git command to its end. Interruption kills the child before the fiber ends. */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: RunOptions = {}
): Effect.Effect<RunResult, GitError> =>
  Effect.timeoutFail(collect(cwd, args, options), {
    duration: options.timeoutMs ?? 120_000,
    onTimeout: () => failure("timeout", cwd, args, null, "")
  })

const nextChunk = (
  child: ChildProcessWithoutNullStreams,
  settle: () => Effect.Effect<never, Option.Option<GitError>>
): Effect.Effect<Chunk.Chunk<Buffer>, Option.Option<GitError>> =>
  Effect.async((resume) => {
    const attempt = (): boolean => {
      const bytes = child.stdout.read() as Buffer | null
      if (bytes !== null) {
        done()
        resume(Effect.succeed(Chunk.of(bytes)))
        return true
      }
      if (child.stdout.readableEnded || child.stdout.destroyed) {
        done()
        resume(Effect.suspend(settle))
        return true
      }
      return false
    }
    const onEvent = () => void attempt()
    const done = () => {
      child.stdout.off("readable", onEvent)
      child.stdout.off("end", onEvent)
      child.stdout.off("close", onEvent)
    }
    if (attempt()) return
    child.stdout.on("readable", onEvent)
    child.stdout.on("end", onEvent)
    child.stdout.on("close", onEvent)
    return Effect.sync(done)
  })

/**
 * Runs a git command and hands its standard output on in pieces, with back pressure.
 * The child lives in the stream's scope: it is killed when the stream ends early.
 */
export const stream = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: Omit<RunOptions, "maxBytes" | "timeoutMs"> = {}
): Stream.Stream<Buffer, GitError> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      if (args.some((arg) => arg.includes("\0"))) {
        return yield* Effect.fail(failure("failed", cwd, args, null, "an argument holds a NUL character"))
      }
      const child = yield* acquire(cwd, args, options)
      const err: Array<Buffer> = []
      let errBytes = 0
      let broken: NodeJS.ErrnoException | undefined
      child.stderr.on("data", (chunk: Buffer) => {
        if (errBytes < stderrCap) err.push(chunk)
        errBytes += chunk.length
      })
      const closed = new Promise<number | null>((resolve) => {
        child.once("error", (cause) => {
          broken = cause
          resolve(null)
        })
        child.once("close", (code) => resolve(code))
      })
      child.stdin.on("error", () => undefined)
      child.stdin.end(options.stdin)
      const settle = (): Effect.Effect<never, Option.Option<GitError>> =>
        Effect.flatMap(
          Effect.promise(() => closed),
          (code) => {
            if (broken !== undefined) return Effect.fail(Option.some(startFailure(cwd, args, broken)))
            if (code !== null && (options.okCodes ?? [0]).includes(code)) return Effect.fail(Option.none())
            const stderr = Buffer.concat(err).toString("utf8")
            return Effect.fail(Option.some(failure(classifyStderr(stderr), cwd, args, code, stderr)))
          }
        )
      return Stream.repeatEffectChunkOption(nextChunk(child, settle))
    })
  )

const acquire = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: RunOptions
): Effect.Effect<ChildProcessWithoutNullStreams, GitError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => start(cwd, args, options),
      catch: (cause) => startFailure(cwd, args, cause as NodeJS.ErrnoException)
    }),
    end
  )
