/** The endpoints of the tool contract. */
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiSchema,
  HttpServerRequest,
  HttpServerResponse,
  OpenApi
} from "@effect/platform"
import { Effect, Schema } from "effect"
import { of as catalogOf } from "../../../pipeline/Catalog.ts"
import { cached, etagOf, isCurrent } from "../Etag.ts"
import { answered, principal, Serving } from "../Serving.ts"
import * as Approvals from "./Approvals.ts"
import { approve, call, cancel, confirm, lookup } from "./Calls.ts"
import * as Events from "./Events.ts"
import { listingOf } from "./Listing.ts"
import * as S from "./Schemas.ts"

const base = "/api/cos/tools"

/** Where tools are called. */
export const callPath = `${base}/call` as const

/** Header of calls and of what is done with them. */
const Keyed = Schema.Struct({
  "idempotency-key": Schema.optional(
    Schema.String.annotations({ description: "must equal the id of the call where it is sent" })
  )
})
const Calling = Schema.Struct({
  ...Keyed.fields,
  prefer: Schema.optional(
    Schema.String.annotations({
      description: "`respond-async` for a job in any case, `wait=N` to wait up to N seconds for one to end"
    })
  )
})

const Job = Schema.Struct({
  type: Schema.Literal("portos_tool_job"),
  id: Schema.String,
  status: Schema.Literal("queued", "running", "completed", "failed", "cancelled"),
  eventsUrl: Schema.String,
  cancelable: Schema.Boolean,
  requestId: Schema.String,
  name: Schema.String,
  createdAt: Schema.String,
  endedAt: Schema.optional(Schema.String),
  reason: Schema.optional(Schema.String)
}).annotations({ identifier: "ToolJob" })

/** What an operation does, listed as tools and called by name. */
export const tools = HttpApiGroup.make("tools")
  .add(
    HttpApiEndpoint.get("catalog", base)
      .setUrlParams(S.CatalogQuery)
      .addSuccess(S.CatalogBody)
      .annotate(OpenApi.Summary, "Every operation as a tool, in the form a provider of models takes.")
  )
  .add(
    HttpApiEndpoint.post("call", callPath)
      .setHeaders(Calling)
      .setPayload(S.Call)
      .addSuccess(S.Result)
      .addSuccess(S.Result, { status: 202 })
      .addError(S.Result, { status: 422 })
      .annotate(OpenApi.Summary, "Calls a tool once, however often it is asked to.")
  )
  .add(
    HttpApiEndpoint.get("lookup", `${base}/calls/:requestId`)
      .setPath(S.CallPath)
      .setUrlParams(S.NoQuery)
      .addSuccess(S.Result)
      .annotate(OpenApi.Summary, "What a call of the caller's own came to; waits for one under way.")
  )
  .add(
    HttpApiEndpoint.post("approve", `${base}/calls/:requestId/approve`)
      .setPath(S.CallPath)
      .setHeaders(Keyed)
      .setPayload(S.Approve)
      .addSuccess(S.TicketBody)
      .annotate(OpenApi.Summary, "Agrees to a call that waits; for the approver.")
  )
  .add(
    HttpApiEndpoint.post("confirm", `${base}/calls/:requestId/confirm`)
      .setPath(S.CallPath)
      .setHeaders(Keyed)
      .setPayload(S.Confirm)
      .addSuccess(S.Result)
      .addSuccess(S.Result, { status: 202 })
      .addError(S.Result, { status: 422 })
      .annotate(OpenApi.Summary, "Has a call made that was agreed to; for the approver who did.")
  )
  .add(
    HttpApiEndpoint.post("cancel", `${base}/calls/:requestId/cancel`)
      .setPath(S.CallPath)
      .setHeaders(Keyed)
      .setPayload(S.Cancel)
      .addSuccess(S.Result)
      .addSuccess(S.Result, { status: 202 })
      .annotate(OpenApi.Summary, "Stops a call of the caller's own as well as it can be.")
  )
  .add(
    HttpApiEndpoint.get("job", `${base}/jobs/:jobId`)
      .setPath(S.JobPath)
      .setUrlParams(S.NoQuery)
      .addSuccess(Job)
      .annotate(OpenApi.Summary, "How a job stands.")
  )
  .add(
    HttpApiEndpoint.get("jobEvents", `${base}/jobs/:jobId/events`)
      .setPath(S.JobPath)
      .setUrlParams(S.NoQuery)
      .setHeaders(
        Schema.Struct({
          "last-event-id": Schema.optional(
            Schema.String.annotations({ description: "number of the last event that came" })
          )
        })
      )
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
      .annotate(OpenApi.Summary, "The events of a job, those to come included, as server-sent events.")
  )
  .add(
    HttpApiEndpoint.get("approvals", `${base}/approvals`)
      .setUrlParams(S.ApprovalsQuery)
      .addSuccess(S.ApprovalList)
      .annotate(OpenApi.Summary, "Questions to a person: all for the approver, their own for callers.")
  )
  .add(
    HttpApiEndpoint.post("decide", `${base}/approvals/:reference`)
      .setPath(S.ReferencePath)
      .setPayload(S.Verdict)
      .addSuccess(S.ApprovalBody)
      .annotate(OpenApi.Summary, "Settles a question; for the approver.")
  )

const own = HttpApi.make("portico").add(tools)

/** The catalog, or that the caller has it. */
const catalog = (query: typeof S.CatalogQuery.Type) =>
  Effect.gen(function* () {
    yield* principal("ui", "http")
    const { engine } = yield* Serving
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { digest, text } = listingOf(catalogOf(engine.registry), engine.policy(), query)
    const tag = etagOf(digest)
    return isCurrent(headers["if-none-match"], tag)
      ? HttpServerResponse.empty({ status: 304, headers: cached(tag) })
      : HttpServerResponse.text(text, { contentType: "application/json", headers: cached(tag) })
  })

export const layerTools = HttpApiBuilder.group(own, "tools", (handlers) =>
  handlers
    .handleRaw("catalog", ({ urlParams }) => answered(catalog(urlParams)))
    .handleRaw("call", () => answered(call))
    .handleRaw("lookup", ({ path }) => answered(lookup(path.requestId)))
    .handleRaw("approve", ({ path }) => answered(approve(path.requestId)))
    .handleRaw("confirm", ({ path }) => answered(confirm(path.requestId)))
    .handleRaw("cancel", ({ path }) => answered(cancel(path.requestId)))
    .handleRaw("job", ({ path }) => answered(Events.status(path.jobId)))
    .handleRaw("jobEvents", ({ path }) => answered(Events.stream(path.jobId)))
    .handleRaw("approvals", ({ urlParams }) => answered(Approvals.list(urlParams.state)))
    .handleRaw("decide", ({ path }) => answered(Approvals.decide(path.reference)))
)
