/** The ways a language server can let its caller down, and how each reads as a failure of a service. */
import { Data } from "effect"
import { ServiceFailure } from "../../services/ServiceFailure.ts"

/** No usable server for a language. `tried` says what was looked for and why each was not used. */
export class NoServer extends Data.TaggedError("NoServer")<{
  readonly language: string
  readonly tried: ReadonlyArray<string>
  /** How to install one. */
  readonly hint: string
}> {
  override get message(): string {
    const tried = this.tried.length === 0 ? "" : ` (${this.tried.join("; ")})`
    return `no language server for ${this.language}${tried}. ${this.hint}`
  }
}

/** The server runs programs of the repository it serves, and the user has not said that this one may. */
export class Untrusted extends Data.TaggedError("Untrusted")<{ readonly server: string }> {
  override get message(): string {
    return `${this.server} runs code of the repository it serves; it starts only in a trusted workspace`
  }
}

/**
 * The process is gone, or never came up. `phase` is `start` until the server has answered `initialize`. `exitCode` is
 * null after a signal and while unknown. `stderrTail` is the end of what it printed, at most 4000 characters.
 */
export class ServerGone extends Data.TaggedError("ServerGone")<{
  readonly server: string
  readonly phase: "start" | "running"
  readonly reason: string
  readonly exitCode: number | null
  readonly stderrTail: string
}> {
  override get message(): string {
    const tail = this.stderrTail.trim()
    return `${this.server} ${this.phase === "start" ? "did not start" : "is gone"}: ${this.reason}${tail === "" ? "" : `; it printed: ${tail.slice(-600)}`}`
  }
}

/** No answer within the request's deadline. The server was told to cancel. */
export class RequestTimeout extends Data.TaggedError("RequestTimeout")<{
  readonly server: string
  readonly method: string
  readonly millis: number
}> {
  override get message(): string {
    return `${this.server} did not answer ${this.method} within ${this.millis} ms`
  }
}

/** The server answered with an error; `code` is JSON-RPC's. */
export class RequestRefused extends Data.TaggedError("RequestRefused")<{
  readonly server: string
  readonly method: string
  readonly code: number
  readonly detail: string
}> {
  override get message(): string {
    return `${this.server} refused ${this.method}: ${this.detail} (${this.code})`
  }
}

/** The server does not do this: it never declared the method, or declared it and then did not know it. */
export class Unsupported extends Data.TaggedError("Unsupported")<{
  readonly server: string
  readonly method: string
}> {
  override get message(): string {
    return `${this.server} does not offer ${this.method}`
  }
}

/** The server kept dying and is left alone for `retryMillis`. `last` is its latest failure in words. */
export class BreakerOpen extends Data.TaggedError("BreakerOpen")<{
  readonly server: string
  readonly failures: number
  readonly retryMillis: number
  readonly last: string
}> {
  override get message(): string {
    return `${this.server} failed ${this.failures} times and is left alone for ${Math.ceil(this.retryMillis / 1000)} s; last: ${this.last}`
  }
}

/** The server's answer has a shape the protocol does not know. */
export class MalformedAnswer extends Data.TaggedError("MalformedAnswer")<{
  readonly server: string
  readonly method: string
  readonly detail: string
}> {
  override get message(): string {
    return `${this.server} answered ${this.method} with something else than the protocol allows: ${this.detail}`
  }
}

/**
 * An edit that must not be applied. `reason`: `overlap` (two edits change the same text differently), `outside` (a file
 * outside the root), `stale` (made for another version of a document), `unreadable` (the text it applies to is not to
 * be had).
 */
export class EditRefused extends Data.TaggedError("EditRefused")<{
  readonly reason: "overlap" | "outside" | "stale" | "unreadable"
  readonly path: string
  readonly detail: string
}> {
  override get message(): string {
    return `${this.path}: ${this.detail}`
  }
}

/** A question that cannot be put to a server: a path outside the root, a position the document does not have. */
export class BadQuestion extends Data.TaggedError("BadQuestion")<{
  readonly reason: "path_outside_root" | "not_found" | "invalid_path" | "invalid_argument" | "binary"
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

/** What one request on a connection can end in, other than its answer. */
export type CallFailure = ServerGone | RequestTimeout | RequestRefused | Unsupported | MalformedAnswer

/** Everything this room fails with. */
export type LspFailure = CallFailure | NoServer | Untrusted | BreakerOpen | EditRefused | BadQuestion

const reasonOf = (failure: LspFailure): string => {
  switch (failure._tag) {
    case "NoServer":
    case "Untrusted":
      return "not_configured"
    case "ServerGone":
      return "unreachable"
    case "RequestTimeout":
      return "timeout"
    case "RequestRefused":
      return failure.code === -32602 || failure.code === -32803 ? "invalid_argument" : "unavailable"
    case "Unsupported":
    case "BreakerOpen":
      return "unavailable"
    case "MalformedAnswer":
      return "internal"
    case "EditRefused":
      return failure.reason === "outside"
        ? "path_outside_root"
        : failure.reason === "unreadable"
          ? "io_error"
          : "conflict"
    case "BadQuestion":
      return failure.reason
  }
}

/** The failure in the terms of the services. Language servers only read, so nothing ever changed; `cause` keeps it whole. */
export const toService = (failure: LspFailure): ServiceFailure =>
  new ServiceFailure({
    service: "LanguageReader",
    reason: reasonOf(failure),
    detail: failure.message,
    stateChanged: false,
    cause: failure
  })
