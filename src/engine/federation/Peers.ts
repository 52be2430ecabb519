/** Asks other servers over HTTP. */
import { Clock, Duration, Effect, Exit, Layer } from "effect"
import {
  type PeerAddress,
  type PeerCall,
  type PeerReply,
  Peers,
  type PeerStatus
} from "../../services/Peers.ts"
import { Breaker, type BreakerLimits } from "./Breaker.ts"

export interface Limits extends BreakerLimits {
  /** Milliseconds one server may take. */
  readonly eachMs: number
  /** Milliseconds all of them may take together. */
  readonly allMs: number
  /** Servers asked at the same time. */
  readonly atOnce: number
  /** Bytes an answer may have. */
  readonly mostBytes: number
}

export const standard: Limits = {
  eachMs: 2000,
  allMs: 3000,
  atOnce: 8,
  mostBytes: 4 * 1024 * 1024,
  failures: 3,
  restMs: 30_000
}

/** Path of the address that peers are asked at. */
export const path = "/federation/call"

type Answered = Omit<PeerReply, "name" | "ms">

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a body up to a size; undefined for a longer one. */
const textOf = async (response: Response, mostBytes: number): Promise<string | undefined> => {
  const parts: Array<Uint8Array> = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > mostBytes) return undefined
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const bad = (detail: string): Answered => ({ status: "bad_answer", detail })

const readAnswer = async (response: Response, mostBytes: number): Promise<Answered> => {
  const { status } = response
  if (status === 401) return { status: "unauthorized", detail: "it does not take the token" }
  const text = await textOf(response, mostBytes)
  if (text === undefined) return bad(`its answer has more than ${mostBytes} bytes`)
  const body = parsed(text)
  if (!isRecord(body)) return bad(`it answered ${status} with something else than an object`)
  if (status === 200 && body["ok"] === true && isRecord(body["value"]))
    return { status: "ok", value: body["value"] }
  if ((status === 200 || (status >= 400 && status < 500)) && typeof body["code"] === "string")
    return {
      status: "refused",
      code: body["code"],
      ...(typeof body["error"] === "string" ? { detail: body["error"].slice(0, 300) } : {})
    }
  return bad(`it answered ${status}`)
}

/** Outcomes by which a server counts as failing. One that refuses, works. */
const failing: ReadonlySet<PeerStatus> = new Set(["timeout", "unreachable", "bad_answer", "unauthorized"])

const post = (
  { url }: PeerAddress,
  token: string | undefined,
  call: PeerCall,
  mostBytes: number
): Effect.Effect<Answered> =>
  Effect.tryPromise((signal) =>
    fetch(`${url}${path}`, {
      method: "POST",
      signal,
      // A token is for the server it was given for.
      redirect: "error",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      },
      body: JSON.stringify(call)
    }).then((response) => readAnswer(response, mostBytes))
  ).pipe(
    Effect.catchAll(({ error }) => {
      const cause = error instanceof Error && isRecord(error.cause) ? error.cause["code"] : undefined
      return Effect.succeed<Answered>({
        status: "unreachable",
        detail: typeof cause === "string" ? `no connection: ${cause}` : "no connection"
      })
    })
  )

/** Makes the service. `environment` is where tokens are looked up. */
export const make = (
  limits: Limits = standard,
  environment: { readonly [name: string]: string | undefined } = process.env
): Peers["Type"] => {
  const breakers = new Map<string, Breaker>()
  const breakerOf = ({ name, url }: PeerAddress): Breaker => {
    const key = `${name} ${url}`
    let known = breakers.get(key)
    if (known === undefined) breakers.set(key, (known = new Breaker(limits)))
    return known
  }

  const askOne = (peer: PeerAddress, call: PeerCall, until: number): Effect.Effect<PeerReply> =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      const reply = (answered: Answered): Effect.Effect<PeerReply> =>
        Effect.map(Clock.currentTimeMillis, (now) => ({ name: peer.name, ms: now - started, ...answered }))
      const token = peer.token_env === undefined ? undefined : environment[peer.token_env]
      if (peer.token_env !== undefined && (token === undefined || token === ""))
        return yield* reply({ status: "no_token", detail: `${peer.token_env} is not set` })
      const left = Math.min(limits.eachMs, until - started)
      if (left <= 0) return yield* reply({ status: "timeout", detail: "the time for all servers was over" })
      const breaker = breakerOf(peer)
      if (!breaker.admits(started))
        return yield* reply({
          status: "resting",
          detail: "it failed repeatedly and is left alone for a while"
        })
      const answered = yield* post(peer, token, call, limits.mostBytes).pipe(
        Effect.timeoutTo({
          duration: Duration.millis(left),
          onSuccess: (answer) => answer,
          onTimeout: (): Answered => ({ status: "timeout", detail: `no answer within ${left} ms` })
        }),
        Effect.onExit((exit) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (!Exit.isSuccess(exit)) breaker.abandoned()
            else if (failing.has(exit.value.status)) breaker.failed(now)
            else breaker.succeeded()
          })
        )
      )
      return yield* reply(answered)
    })

  return {
    ask: (peers, call) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.forEach(peers, (peer) => askOne(peer, call, now + limits.allMs), {
          concurrency: limits.atOnce
        })
      )
  }
}

/** The service with its usual limits. */
export const layer: Layer.Layer<Peers> = Layer.sync(Peers, () => make())
