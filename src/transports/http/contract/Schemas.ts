/** What the tool contract takes and gives, as schemas. What comes in is closed: a key nobody knows is refused. */
import { Schema } from "effect"

/** Refuses keys beyond the named ones. */
const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

/** Text that is trimmed, then has from one character to a number of the given ones. */
const word = (most: number, characters: string, description: string) => {
  const pattern = new RegExp(`^[${characters}]{1,${most}}$`)
  return Schema.transform(
    Schema.String.annotations({
      description,
      jsonSchema: { type: "string", pattern: `^\\s*[${characters}]{1,${most}}\\s*$` }
    }),
    Schema.String.pipe(Schema.filter((text) => pattern.test(text) || `is not 1 to ${most} of ${characters}`)),
    { strict: true, decode: (text) => text.trim(), encode: (text) => text }
  )
}

export const RequestId = word(
  200,
  "A-Za-z0-9._:-",
  "names the call; the same one again gets the same outcome"
)
export const ToolName = word(
  100,
  "A-Za-z0-9._-",
  "a canonical name, a provider name or another name of a tool"
)

/** The body of a call. */
export const Call = Schema.Struct({
  type: Schema.optionalWith(Schema.Literal("portos_tool_call"), {
    default: () => "portos_tool_call" as const
  }),
  requestId: RequestId,
  name: ToolName,
  version: Schema.optionalWith(Schema.Literal(1), { default: () => 1 as const }),
  arguments: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), {
    default: () => ({})
  })
}).annotations(closed)

export const catalogScopes = ["all", "agent", "mind", "ui", "voice"] as const
export const catalogFormats = ["portos", "openai", "anthropic", "mcp"] as const

/** The query of the catalog. */
export const CatalogQuery = Schema.Struct({
  scope: Schema.optionalWith(Schema.Literal(...catalogScopes), { default: () => "all" as const }),
  intent: Schema.optional(
    Schema.String.pipe(Schema.maxLength(500)).annotations({
      description: "what the caller is about to do; tools that have nothing to do with it are left out"
    })
  ),
  format: Schema.optionalWith(Schema.Literal(...catalogFormats), { default: () => "portos" as const })
}).annotations(closed)

/** A path with the id of a call. */
export const CallPath = Schema.Struct({ requestId: RequestId })
export const JobPath = Schema.Struct({ jobId: Schema.String.pipe(Schema.maxLength(100)) })
export const ReferencePath = Schema.Struct({ reference: Schema.String.pipe(Schema.maxLength(100)) })

/** A query that takes nothing. */
export const NoQuery = Schema.Struct({}).annotations(closed)

const short = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))

export const Approve = Schema.Struct({ reference: short }).annotations(closed)
export const Confirm = Schema.Struct({ approvalId: short }).annotations(closed)
export const Cancel = Schema.Struct({
  reason: Schema.optional(Schema.String.pipe(Schema.maxLength(200)))
}).annotations(closed)
export const Verdict = Schema.Struct({ verdict: Schema.Literal("approved", "denied") }).annotations(closed)

export const approvalStates = ["pending", "approved", "denied", "consumed", "expired", "void"] as const
export const ApprovalsQuery = Schema.Struct({
  state: Schema.optional(Schema.Literal(...approvalStates))
}).annotations(closed)

const Open = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Whether and how a call goes on after it was answered. */
const JobShape = Schema.Struct({
  id: Schema.String,
  status: Schema.Literal("queued", "running", "completed", "failed", "cancelled"),
  eventsUrl: Schema.String,
  cancelable: Schema.Boolean
})

export const resultStates = [
  "completed",
  "accepted",
  "running",
  "failed",
  "cancelled",
  "confirmation_required"
] as const

/** The outcome of a call. */
export const Result = Schema.Struct({
  type: Schema.Literal("portos_tool_result"),
  requestId: Schema.String,
  name: Schema.String,
  version: Schema.Literal(1),
  state: Schema.Literal(...resultStates),
  duplicate: Schema.Boolean,
  result: Schema.optional(Open),
  error: Schema.optional(Schema.String.pipe(Schema.maxLength(500))),
  errorCode: Schema.optional(Schema.String),
  summary: Schema.optional(Schema.String),
  job: Schema.optional(JobShape),
  confirmation: Schema.optional(
    Schema.Struct({
      reference: Schema.String,
      expiresAt: Schema.String,
      digest: Schema.String,
      summary: Schema.String
    })
  ),
  cancellation: Schema.optional(Schema.Literal("stopped", "withdrawn", "requested", "already_terminal"))
}).annotations({ identifier: "ToolResult" })

/** A listing of tools. */
export const CatalogBody = Schema.Struct({
  type: Schema.String,
  schemaVersion: Schema.Literal(1),
  scope: Schema.Literal(...catalogScopes),
  tools: Schema.Array(Open),
  stats: Schema.optional(
    Schema.Struct({
      total: Schema.Int,
      read: Schema.Int,
      write: Schema.Int,
      granted: Schema.Int
    })
  )
}).annotations({ identifier: "ToolCatalog" })

/** The right to have a call made once. */
export const TicketBody = Schema.Struct({
  type: Schema.Literal("portos_tool_approval"),
  requestId: Schema.String,
  reference: Schema.String,
  approvalId: Schema.String,
  expiresAt: Schema.String
}).annotations({ identifier: "ToolApproval" })

/** A question to a person. */
export const ApprovalBody = Schema.Struct({
  reference: Schema.String,
  state: Schema.Literal(...approvalStates),
  tool: Schema.String,
  effect: Schema.String,
  principal: Schema.String,
  digest: Schema.String,
  files: Schema.Array(Schema.String),
  arguments: Schema.optional(Open),
  createdAt: Schema.String,
  expiresAt: Schema.String,
  decidedAt: Schema.optional(Schema.String),
  decidedBy: Schema.optional(Schema.String)
}).annotations({ identifier: "Approval" })

export const ApprovalList = Schema.Struct({
  type: Schema.Literal("portos_tool_approvals"),
  approvals: Schema.Array(ApprovalBody)
}).annotations({ identifier: "ApprovalList" })
