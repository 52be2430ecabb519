/**
 * A call of the tool contract. It is asked for more often than everything else together, so nothing of the platform is
 * needed for it: where its address is written as it is declared, the server comes here at once.
 */
import { Either } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Catalog from "../../../pipeline/Catalog.ts"
import type { Found } from "../../../pipeline/Engine.ts"
import type { Principal } from "../../../policy/Principal.ts"
import { isRefused, principalOf } from "../Guard.ts"
import { headOf } from "../Head.ts"
import { failureOf, type Plain, refusalOf, write } from "../Plain.ts"
import type { Serving } from "../Serving.ts"
import { fail, responseTo } from "./Failures.ts"
import { decoded, type Headers, laneOf, otherKey, preferenceOf, textOf } from "./Request.ts"
import { begun, looked, responded, thrown } from "./Responses.ts"
import { Call } from "./Schemas.ts"

type Server = Serving["Type"]

/** What a call is asked for with. */
export interface Asking {
  readonly who: Principal
  readonly headers: Headers
  /** The connection it came by. */
  readonly source: Partial<IncomingMessage>
  /** The body. */
  readonly text: string
}

/** Whether a call of a tool is a job when its caller says nothing. */
export const isJob = (entry: Catalog.CatalogEntry | undefined): boolean => entry?.policy.async === true

const seconds = 1000

/** Waits a while for an answer; undefined when there is none by then. */
const within = <A>(promise: Promise<A>, ms: number): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** What a call is known as once it is over. */
const ended = async (
  { jobs }: Server["engine"],
  principalId: string,
  requestId: string
): Promise<Found | undefined> => {
  const found = await jobs.find({ principalId, requestId })
  if (found?.tag !== "job") return found
  for await (const _ of jobs.events(found.job.id, 0));
  return jobs.find({ principalId, requestId })
}

const made = async (server: Server, asking: Asking, body: typeof Call.Type): Promise<Plain> => {
  const { engine } = server
  const { headers, source, who } = asking
  const { arguments: args, name: asked, requestId } = body
  const catalog = Catalog.of(engine.registry)
  const entry = catalog.resolve(asked)
  if (entry === undefined) {
    const failure = catalog.unknown(asked)
    await engine.refuse(
      { tool: asked, args: {}, principal: who, door: "http" },
      { failure, stage: "admission" }
    )
    return fail("TOOL_NOT_FOUND", failure.message, { requestId, name: asked, ...failure.data })
  }
  const { name } = entry
  const target = catalog.callOf(entry, args)
  if (Either.isLeft(target)) {
    // Who may not make the call at all is told that first.
    const denied = catalog.denial(engine.policy(), who, entry)
    const failure = denied ?? target.left
    const { message } = failure
    await engine.refuse(
      { tool: name, args, principal: who, door: "http" },
      { failure, stage: denied === undefined ? "decode" : "authority", operation: name }
    )
    const context = { requestId, name }
    return responseTo({ ...failure, message }, context) ?? fail("TOOL_VALIDATION_ERROR", message, context)
  }
  const request = {
    ...target.right,
    principal: who,
    door: "http",
    requestId,
    lane: laneOf(source, who.id)
  } as const
  const { respondAsync, wait } = preferenceOf(headers)
  if (!respondAsync && !isJob(entry)) return responded(requestId, name, await engine.call(request))
  const started = await engine.jobs.start(request)
  if (started.tag === "job" && !respondAsync && wait !== undefined) {
    const end = await within(ended(engine, who.id, requestId), wait * seconds)
    if (end !== undefined) return looked(requestId, end)
  }
  return begun(requestId, name, started, respondAsync ? { "preference-applied": "respond-async" } : {})
}

/** `POST /api/cos/tools/call` */
export const call = async (server: Server, asking: Asking): Promise<Plain> => {
  const body = decoded(Call, asking.text)
  if (Either.isLeft(body)) return body.left
  const { name, requestId } = body.right
  const other = otherKey(asking.headers, requestId)
  if (other !== undefined) return other
  try {
    return await made(server, asking, body.right)
  } catch (cause) {
    return thrown(server.log, cause, { requestId, name })
  }
}

/** Answers a request for a call that got past the guard. */
export const serve = async (
  server: Server,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const answer = (plain: Plain) => {
    if (!response.destroyed) write(response, plain)
  }
  try {
    const who = principalOf("ui", "http", headOf(request), server.access)
    if (isRefused(who)) return answer(refusalOf(who))
    const text = await textOf(request)
    if (Either.isLeft(text)) return answer(text.left)
    answer(await call(server, { who, headers: request.headers, source: request, text: text.right }))
  } catch (cause) {
    server.log(
      `${request.method} ${request.url}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`
    )
    answer(failureOf(500, "INTERNAL_ERROR", "the server failed; its log says more"))
  }
}
