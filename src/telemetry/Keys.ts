/**
 * Everything that may ever be counted: keys, and what may stand beside each. Nothing outside these lists gets into a file
 * or out of the machine, whoever asks for it to be counted; the page about telemetry is made from the same lists.
 */
import { createHash } from "node:crypto"
import type { Registry } from "../registry/Registry.ts"
import * as Buckets from "./Buckets.ts"
import { surfaceNames } from "../surface/Selection.ts"
import { families } from "./Clients.ts"

/** What may stand beside a key: one of some words, a name this program gave something, or a text of a shape. */
export type Dimension =
  | { readonly tag: "words"; readonly words: ReadonlyArray<string> }
  | { readonly tag: "names"; readonly of: keyof Names }
  | { readonly tag: "shape"; readonly pattern: RegExp; readonly of: string }

/** Names that come from this program's own tables, as they are counted. */
export interface Names {
  /** `facade.operation` of the registry, and `facade.unknown`. */
  readonly operations: ReadonlySet<string>
  /** Tools of the registry, those behind its facades included. */
  readonly tools: ReadonlySet<string>
  readonly languages: ReadonlySet<string>
  readonly commands: ReadonlySet<string>
}

export interface Key {
  /** What is counted, as a sentence. */
  readonly about: string
  readonly dimension: Dimension
}

const words = (list: ReadonlyArray<string>): Dimension => ({ tag: "words", words: list })
const names = (of: keyof Names): Dimension => ({ tag: "names", of })

/** How a call came out. */
export const outcomes = [
  "success",
  "empty_result",
  "invalid_operation",
  "invalid_argument",
  "blocked",
  "unavailable",
  "tool_error",
  "handler_error"
] as const
export type Outcome = (typeof outcomes)[number]

/** Surfaces a session may have. */
export const surfaces = [...surfaceNames, "custom"] as const

/** Ways in that hold a session. */
export const sessionDoors = ["stdio", "mcp_http"] as const

/** What may be sent, where somebody agreed to it. */
export const sentKeys = {
  mcp_tool_call: {
    about: "A call, by the name that was called; a name that is none of ours is `unknown`.",
    dimension: names("tools")
  },
  mcp_facade_call: {
    about: "A call, by the operation it came to.",
    dimension: names("operations")
  },
  mcp_facade_status: {
    about: "Whether a call was answered.",
    dimension: words(["ok", "error"])
  },
  mcp_facade_outcome: {
    about: "How a call came out.",
    dimension: words(outcomes)
  },
  mcp_facade_invalid: {
    about: "A call whose operation or arguments were refused, by operation.",
    dimension: names("operations")
  },
  mcp_facade_latency: {
    about: "How long a call took.",
    dimension: words(Buckets.latency.names)
  },
  cli_command: {
    about: "A command of the command line, by its name.",
    dimension: names("commands")
  },
  index: {
    about: "An index made from nothing, by how many files it has.",
    dimension: words(Buckets.files.names)
  },
  index_lang: {
    about: "A language in such an index.",
    dimension: names("languages")
  },
  daemon_session: {
    about: "A session of an agent, by the way in.",
    dimension: words(sessionDoors)
  },
  install: {
    about: "Set up for an agent's host by `portico init`, by family.",
    dimension: words(families)
  },
  uninstall: {
    about: "Removed from an agent's host by `portico init --remove`, by family.",
    dimension: words(families)
  },
  client: {
    about: "A session of an agent, by the family of its client.",
    dimension: words(families)
  },
  surface: {
    about: "The surface a session was shown; one made up of single tools is `custom`.",
    dimension: words(surfaces)
  },
  surface_tools: {
    about: "How many tools a session was shown.",
    dimension: words(Buckets.tools.names)
  },
  surface_bytes: {
    about: "Bytes of the list of tools a session was shown.",
    dimension: words(Buckets.bytes.names)
  },
  surface_schema: {
    about:
      "Which list of tools a session was shown: the beginning of a hash of it. Of a preset's tools only, without packs.",
    dimension: { tag: "shape", pattern: /^[0-9a-f]{8}$/, of: "8 hex digits" }
  }
} as const satisfies { readonly [key: string]: Key }
export type SentKey = keyof typeof sentKeys

/** What is kept on this machine and never sent. */
export const localKeys = {
  rejection: {
    about: "A call refused for how it was written, by operation.",
    dimension: names("operations")
  },
  rejection_then_fix: {
    about: "Such a call that was followed, in its session, by one of the same operation that was accepted.",
    dimension: names("operations")
  },
  reread_loop: {
    about: "The same read three times in a session with nothing changed in between, by operation.",
    dimension: names("operations")
  },
  reread_then_retry: {
    about: "A call that failed and was made again unchanged after a read, by operation.",
    dimension: names("operations")
  },
  repeated_sequence: {
    about:
      "Two or three operations that followed each other three times in a session: calls that could be one.",
    dimension: {
      tag: "shape",
      pattern: /^[a-z][a-z0-9_]*\.[a-z0-9_]+(?:>[a-z][a-z0-9_]*\.[a-z0-9_]+){1,2}$/,
      of: "operations with `>` between them"
    }
  },
  discovery_excess: {
    about:
      "An operation that was called after answers about tools of more than eight times the bytes of its own schema.",
    dimension: names("operations")
  },
  support_turn: {
    about:
      "A look at the server itself between two calls of one operation, after an answer that said something beside its result.",
    dimension: names("operations")
  },
  first_useful: {
    about:
      "Calls a session made until one answered about the code; `never` for a session that ended without.",
    dimension: words([...Buckets.calls.names, "never"])
  },
  direct_read: {
    about: "A call of `read`, by whether it was answered.",
    dimension: words(["success", "failure"])
  },
  verified_mutation: {
    about: "A change of files, by whether the session checked it afterwards with `change` or `review`.",
    dimension: words(["yes", "no"])
  }
} as const satisfies { readonly [key: string]: Key }
export type LocalKey = keyof typeof localKeys

/** The shape of everything that stands beside a key and is sent. */
export const dimensionPattern = /^[A-Za-z0-9_.<>+-]{1,32}$/

/** A name of ours as it is counted: at most 32 characters; of a longer one the first 23, a dot and 8 hex digits of its SHA-256. */
export const shortened = (name: string): string =>
  name.length <= 32
    ? name
    : `${name.slice(0, 23)}.${createHash("sha256").update(name).digest("hex").slice(0, 8)}`

/** How a call of the tool that describes the others is counted: by how much it was asked about. */
export const discoveries = ["list", "domain", "operation", "unknown"] as const
export type Discovery = (typeof discoveries)[number]
export const discoveryFacade = "capabilities"

/** What is neither an operation nor a tool of ours. */
export const unknown = "unknown"

/** The names of a registry, and of the languages and commands given with it. */
export const namesOf = (
  registry: Registry.Any | undefined,
  more: { readonly languages?: Iterable<string>; readonly commands?: Iterable<string> } = {}
): Names => {
  const operations = new Set<string>()
  const tools = new Set<string>()
  for (const facade of registry?.facades ?? []) {
    tools.add(shortened(facade.name))
    operations.add(shortened(`${facade.name}.${unknown}`))
    for (const operation of facade.operations) {
      operations.add(shortened(`${facade.name}.${operation.name}`))
      for (const tool of operation.tools) tools.add(shortened(tool))
    }
    if (facade.name === discoveryFacade)
      for (const discovery of discoveries) operations.add(`${discoveryFacade}.${discovery}`)
  }
  if (registry !== undefined) {
    operations.add(`${unknown}.${unknown}`)
    tools.add(unknown)
  }
  return {
    operations,
    tools,
    languages: new Set([...(more.languages ?? [])].map(shortened)),
    commands: new Set([...(more.commands ?? [])].map(shortened))
  }
}

/** Whether a text may stand beside a key. Without `known` a name passes by its shape, as where a file is read back. */
export const fits = (dimension: Dimension, text: string, known?: Names): boolean => {
  switch (dimension.tag) {
    case "words":
      return dimension.words.includes(text)
    case "shape":
      return dimension.pattern.test(text)
    case "names":
      return known === undefined ? dimensionPattern.test(text) : known[dimension.of].has(text)
  }
}
