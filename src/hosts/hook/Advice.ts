/** What a hook has to say to the agent about an event. Words only: nothing here stops, changes or runs anything. */
import type { HookEvent } from "./Event.ts"
import { alternativesOf, patternOf } from "./Search.ts"
import { editors } from "./Tools.ts"

/** Why a hook speaks, or does not. */
export const reasons = [
  "session_begins",
  "text_search",
  "edit_made",
  "nothing_to_say",
  /** Something would have been said, or not, and the server the hook was told of does not listen. */
  "no_server"
] as const
export type Reason = (typeof reasons)[number]

/** A call that is recommended, as an agent makes it. */
export interface Recommended {
  readonly tool: string
  readonly arguments: { readonly [name: string]: unknown }
}

export interface Advice {
  /** Text for the agent; undefined for nothing to say. */
  readonly context: string | undefined
  /** The calls that the text recommends. */
  readonly calls: ReadonlyArray<Recommended>
  /** Alternatives in the pattern the agent is about to look for; 0 where it looks for none. */
  readonly alternatives: number
  readonly reason: Reason
}

const silent: Advice = { context: undefined, calls: [], alternatives: 0, reason: "nothing_to_say" }

/** Calls that one text recommends. */
const mostCalls = 3

const wordOf = ({ arguments: args, tool }: Recommended): string => `\`${tool}\` ${JSON.stringify(args)}`

const advise = (
  reason: Reason,
  text: string,
  calls: ReadonlyArray<Recommended>,
  alternatives = 0
): Advice => ({
  context: `${text}${calls.map(wordOf).join("; ")}.`,
  calls,
  alternatives,
  reason
})

const start = (): Advice =>
  advise(
    "session_begins",
    "Portico serves this repository's code graph as tools. For questions about code begin with `explore`, and use `search`, `relations` and `read` rather than text searches in a shell. If none of these tools can be called, the host's connection is broken: tell the user; nothing you can start mends it. First call: ",
    [{ tool: "explore", arguments: { operation: "outline" } }]
  )

const searching = (pattern: string): Advice => {
  const alternatives = alternativesOf(pattern)
  const names = alternatives.map((part) => part.replace(/^(?:\\b|\^)+|(?:\\b|\$|\\?\()+$/g, ""))
  const calls: ReadonlyArray<Recommended> = names.every((name) => /^[A-Za-z_$][\w$]*$/.test(name))
    ? names
        .slice(0, mostCalls)
        .map((query) => ({ tool: "search", arguments: { operation: "symbols", query } }))
    : [{ tool: "search", arguments: { operation: "text", query: pattern, options: { regexp: true } } }]
  return advise(
    "text_search",
    "Portico's index knows definitions and their uses, text and files alike: ",
    calls,
    alternatives.length
  )
}

const changed = (): Advice =>
  advise(
    "edit_made",
    "Before this change is done: detect it, then run the tests and rules that its symbols need. First: ",
    [{ tool: "change", arguments: { operation: "detect" } }]
  )

/** What to say about an event. */
export const adviceOf = (event: HookEvent): Advice => {
  switch (event.name) {
    case "SessionStart":
      return start()
    case "PreToolUse": {
      const pattern = patternOf(event)
      return pattern === undefined ? silent : searching(pattern)
    }
    case "PostToolUse":
      return editors.some((tool) => tool === event.tool) ? changed() : silent
    default:
      return silent
  }
}

/** The answer a host takes from a hook; undefined for none. */
export const answerOf = (event: HookEvent, { context }: Advice): object | undefined =>
  context === undefined
    ? undefined
    : { hookSpecificOutput: { hookEventName: event.name, additionalContext: context } }
