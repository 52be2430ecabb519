/** Go channels: who sends, who receives, what nothing closes. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { type ChannelUse, ProgramFlow } from "../../../services/ProgramFlow.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import * as Shared from "../../fields.ts"
import { graph } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { type analyze, kind } from "../facade.ts"
import { under } from "../upkeep/Narrowing.ts"
import { Places, type Read, reach, reading } from "./Reading.ts"

interface Use {
  readonly how: string
  readonly in: string
  readonly path: string
  readonly line: number
  readonly test: boolean
}

interface Channel {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly line: number
  readonly uses: Array<Use>
  buffered: boolean
}

/** Channels of the repository by what holds them: a field, a package variable, or a local of one function. */
const channelsOf = (view: GraphView, { files }: Read): Effect.Effect<ReadonlyArray<Channel>> =>
  Effect.gen(function* () {
    const places = new Places(view)
    const found = new Map<string, Channel>()
    yield* inTurns(files, (file) => {
      for (const fn of file.functions) {
        if (fn.channels.length === 0) continue
        const owner = places.owner(file.path, fn)
        const within = places.nameOf(owner, file.path)
        for (const use of fn.channels) {
          const { id, line, path } = identity(view, places, file.path, use, within)
          let channel = found.get(id)
          if (channel === undefined)
            found.set(id, (channel = { id, name: use.channel, path, line, uses: [], buffered: false }))
          channel.buffered ||= use.buffered
          channel.uses.push({
            how: use.how,
            in: within,
            path: file.path,
            line: use.line,
            test: owner !== undefined && view.isTest(owner)
          })
        }
      }
    })
    return [...found.values()]
  })

const identity = (
  view: GraphView,
  places: Places,
  path: string,
  use: ChannelUse,
  owner: string
): { readonly id: string; readonly path: string; readonly line: number } => {
  const bound =
    use.field === undefined
      ? undefined
      : (places.used(path, use.field)[0]?.to ?? places.defined(path, use.field))
  const held = bound ?? (use.declared === undefined ? undefined : places.defined(path, use.declared))
  if (held !== undefined && !view.isFile(held)) {
    const symbol = view.symbol(held)
    return { id: symbol.id, path: symbol.path, line: symbol.line }
  }
  if (use.declared !== undefined)
    return { id: `${path}:${use.declared.line}:${use.declared.column}`, path, line: use.declared.line }
  // A field whose type the graph does not know: told apart by who writes it.
  return { id: `${owner} ${use.channel === "" ? `line ${use.line}` : use.channel}`, path, line: use.line }
}

const receives = (uses: ReadonlyArray<Use>) => uses.filter(({ how }) => how === "receive" || how === "range")
const distinct = (uses: ReadonlyArray<Use>): ReadonlyArray<string> =>
  [...new Set(uses.map((use) => use.in))].sort()
const sends = (uses: ReadonlyArray<Use>) => uses.filter(({ how }) => how === "send")

const words = "\\bchan\\b|<-"
const needs = [CodeGraph, TextIndex, ProgramFlow] as const

const notes = [
  "a channel is the field, package variable or local it is held in; one that is passed on counts under each of its names, and one that a call gives has none"
]

export const channelOps: Member<typeof analyze, "channel_ops", typeof needs> = kind("channel_ops", {
  summary: "Go channels, sends and receives.",
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const inPath = yield* under(view, options.path_prefix)
      const read = yield* reading(view, words, inPath, ["go"])
      const channels = (yield* channelsOf(view, read))
        .filter(({ uses }) => uses.some(({ how }) => how !== "passed" && how !== "make"))
        // What a call gives is nobody's by name: `ctx.Done()`, `time.After(d)`.
        .filter(({ name }) => !name.endsWith("()"))
        .map(({ buffered, id, line, name, path, uses }) => ({
          id,
          channel: name,
          file_path: path,
          line,
          sends: sends(uses).length,
          recvs: receives(uses).length,
          senders: distinct(sends(uses)),
          receivers: distinct(receives(uses)),
          closes: uses.filter(({ how }) => how === "close").length,
          ...(buffered ? { buffered } : {}),
          ...(uses.some(({ how }) => how === "passed")
            ? { passed_to_calls: uses.filter(({ how }) => how === "passed").length }
            : {})
        }))
        .sort((a, b) => b.sends + b.recvs - (a.sends + a.recvs) || (a.id < b.id ? -1 : 1))
      return {
        channels,
        total: channels.length,
        notes,
        ...reach(view, read)
      }
    })
})

export const unclosedChannels: Member<typeof analyze, "unclosed_channels", typeof needs> = kind(
  "unclosed_channels",
  {
    summary: "Go channels nothing closes.",
    page: { default: 100, max: 1000 },
    input: F.input({
      options: F.group({
        path_prefix: Shared.pathPrefix
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const inPath = yield* under(view, options.path_prefix)
        // A channel of one file may be closed in another.
        const read = yield* reading(view, words, () => true, ["go"])
        const all = yield* channelsOf(view, read)
        const order = { high: 0, medium: 1, low: 2 } as const
        const rows = all
          .filter(
            ({ path, uses }) =>
              inPath(path) &&
              uses.some(({ how }) => how === "make") &&
              !uses.some(({ how }) => how === "close")
          )
          .filter(({ uses }) => sends(uses).length + receives(uses).length > 0)
          .map(({ buffered, id, line, name, path, uses }) => {
            const ranged = uses.filter(({ how }) => how === "range")
            const passed = uses.some(({ how }) => how === "passed")
            const [risk, reason] = passed
              ? (["low", "it is passed on, and may be closed under another name"] as const)
              : ranged.length > 0
                ? (["high", `the range at ${ranged[0]!.path}:${ranged[0]!.line} never ends`] as const)
                : sends(uses).length === 0
                  ? (["high", "it is received from, and nothing sends on it or closes it"] as const)
                  : receives(uses).length === 0 && !buffered
                    ? (["high", "it is sent on, and nothing receives from it"] as const)
                    : (["medium", "its receivers cannot tell that there is no more"] as const)
            return {
              id,
              channel: name,
              file_path: path,
              line,
              sends: sends(uses).length,
              recvs: receives(uses).length,
              senders: distinct(sends(uses)),
              receivers: distinct(receives(uses)),
              ...(uses.every(({ test }) => test) ? { test: true } : {}),
              risk,
              reason
            }
          })
          .sort(
            (a, b) =>
              Number("test" in a) - Number("test" in b) ||
              order[a.risk] - order[b.risk] ||
              (a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line)
          )
        return page(
          "unclosed_channels",
          {
            unclosed_channels: rows,
            total: rows.length,
            channels_looked_at: all.length,
            notes: [
              ...notes,
              "channels that are made here, used and never closed by name; an unclosed channel is garbage like any other value unless somebody waits on it"
            ],
            ...reach(view, read)
          },
          { snapshot: view.generation }
        )
      })
  }
)
