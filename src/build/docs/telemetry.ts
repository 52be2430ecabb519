/** docs/telemetry.md: everything that may be counted, from the lists that everything counted goes through. */
import { endpointVariable, refusal, switches } from "../../telemetry/Consent.ts"
import { reasons } from "../../hosts/hook/Advice.ts"
import { toolNames } from "../../hosts/hook/Tools.ts"
import {
  decisions,
  hookAgents,
  hookDecisions,
  hookEffectiveness,
  hookEvents,
  mostAlternatives
} from "../../telemetry/Hooks.ts"
import { type Key, type Names, localKeys, sentKeys } from "../../telemetry/Keys.ts"
import { code, codes, table } from "./markdown.ts"
import { markdownPage, type Page } from "./Page.ts"

const sources: Record<keyof Names, string> = {
  operations: "`facade.operation` of the registry, `facade.unknown` for anything else",
  tools: "a tool's name in the registry, `unknown` for anything else",
  languages: "a language of [languages.md](languages.md)",
  commands: "a command's name"
}

const values = ({ dimension }: Key): string => {
  switch (dimension.tag) {
    case "words":
      return codes(dimension.words)
    case "names":
      return sources[dimension.of]
    case "shape":
      return dimension.of
  }
}

const keysTable = (keys: { readonly [key: string]: Key }): ReadonlyArray<string> =>
  table(
    ["key", "what is counted", "what stands beside it"],
    Object.entries(keys).map(([key, entry]) => [code(key), entry.about, values(entry)])
  )

export const telemetryPage = (): Page =>
  markdownPage(
    "docs/telemetry.md",
    "Telemetry",
    [
      "Portico counts nothing unless you ask it to, and sends nothing unless you also say where to. No query, code, path,",
      "symbol, repository name, diff, prompt or answer is ever part of a count, and neither is anything that tells one",
      "machine or person from another. What is counted goes through the lists on this page; a key or a value that is not in",
      "them is dropped where it is counted and again where a file is read."
    ],
    ["## Who decides"],
    [
      `1. ${switches.map(code).join(", else ")}: \`1\`, \`true\`, \`on\` or \`yes\` turn it on; \`0\`, \`false\`, \`off\` or \`no\` turn it off; anything else is off.`,
      `2. ${code(refusal)}: anything but \`0\`, \`false\`, \`off\` and \`no\` turns it off. It never turns it on.`,
      "3. What `portico telemetry on` or `portico telemetry off` saved, in `portico/telemetry.json` of the XDG configuration folder.",
      "4. Off."
    ],
    [
      "A repository has no say in it. While it is off there is no file; `portico telemetry off` removes what there was.",
      "`portico telemetry status` says who decided, and `portico telemetry show` prints all that was counted and each request",
      "as it would be sent."
    ],
    ["## What is sent"],
    [
      `An endpoint is named by ${code(endpointVariable)} or saved with \`portico telemetry on --endpoint URL\`; there is none by itself. It`,
      "is an https address, or an http address of this machine. With one, a server that runs sends each day of UTC once it",
      "is over: one POST of JSON, given up after five seconds and never repeated. Days older than a week are dropped unsent.",
      "The body is",
      '`{"schema":1,"day":"2026-11-30","counts":{"mcp_facade_call":{"read.source":12}}}`',
      "and nothing else: no name, no version, no time of day. These are all keys there are:"
    ],
    keysTable(sentKeys),
    [
      "What stands beside a key has at most 32 characters of `A-Z a-z 0-9 _ . < > + -`. Of a longer name the first 23 stay,",
      "with a dot and 8 hex digits of the name's SHA-256. A call of `capabilities` is counted by how much it was asked about:",
      "`capabilities.list`, `capabilities.domain`, `capabilities.operation`, or `capabilities.unknown` when it failed.",
      "Operations of packs are not named."
    ],
    ["## What stays here"],
    [
      "Where sessions take more calls than they need, for whoever works on the tools or on an agent's instructions. These",
      "counts are kept for thirty days under the same consent and are never part of a request."
    ],
    keysTable(localKeys),
    [
      "What a call was about is known to the process that ran it, as a digest, until its session ends. It is not written",
      "down."
    ],
    ["## Files"],
    [
      "In `telemetry` inside the folder where the index is kept: a file a day and kind, to which each process adds a line of",
      "counts every half minute and when it ends. They can be deleted at any time."
    ],
    ["## Hooks"],
    [
      `\`portico hook\` ([hooks.md](hooks.md)) adds a line of JSON to ${code(hookEffectiveness.name)} and one to`,
      `${code(hookDecisions.name)} each time it ran, under the same consent; no line is ever part of a request. A line has these`,
      "members and no others: no command, argument, pattern, path, prompt, symbol or text. At a megabyte a file becomes",
      `${code(hookEffectiveness.before)} or ${code(hookDecisions.before)} and another one is begun.`,
      "`portico telemetry show` tells of each event how often the agent was told something and its server listened, the",
      "alternatives, how long it took and what was decided; `portico telemetry off` removes the files."
    ],
    [`How well it did, in ${code(hookEffectiveness.name)}:`],
    table(
      ["member", "what it is"],
      [
        ["`ts`", "when the hook was done, ISO 8601 UTC"],
        ["`event`", codes(hookEvents)],
        ["`agent`", codes(hookAgents)],
        ["`emitted_context`", "whether the agent was told something"],
        ["`server_reachable`", "whether its server listened; absent where the hook was told of none"],
        [
          "`alternation_segments`",
          `alternatives of the pattern the agent was about to look for, counted up to ${mostAlternatives}`
        ],
        ["`duration_ms`", "whole milliseconds from the start of the process"]
      ]
    ),
    [`What it decided, in ${code(hookDecisions.name)}:`],
    table(
      ["member", "what it is"],
      [
        ["`ts`, `event`, `agent`", "as above"],
        ["`decision`", codes(decisions)],
        ["`reason`", codes(reasons)],
        ["`tool`", `${codes(toolNames)}; absent for events without one`]
      ]
    )
  )
