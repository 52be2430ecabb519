/** What a host tells a hook: one JSON object on standard input, in the form Claude Code gave it and others took over. */

export interface HookEvent {
  /** `hook_event_name`, such as `PreToolUse`. */
  readonly name: string
  /** The host's tool that is about to run, or did; undefined for events without one. */
  readonly tool: string | undefined
  /** What that tool is given. */
  readonly input: { readonly [name: string]: unknown }
}

export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads an event; undefined for anything that is none. */
export const eventOf = (text: string): HookEvent | undefined => {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(said) || typeof said["hook_event_name"] !== "string") return undefined
  const { hook_event_name: name, tool_input: input, tool_name: tool } = said
  return {
    name: name as string,
    tool: typeof tool === "string" ? tool : undefined,
    input: isRecord(input) ? input : {}
  }
}
