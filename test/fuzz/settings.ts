/** Settings under which more of the server can be reached. */

const context = {
  agent_context: {
    enabled: true,
    profile: "summary",
    scopes: ["repositories", "symbols", "memories", "notebooks", "docs"],
    actions: { read: true, write: true }
  }
}

/** A server that runs what it is told to, and one that asks a person first. */
export const fuzzed: ReadonlyArray<object> = [context, { ...context, approvals: { mode: "inspect" } }]
