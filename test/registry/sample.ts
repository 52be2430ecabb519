/** A small house: four facades, enough to exercise every part of the contract's vocabulary. */
import { type Context, Effect, Layer } from "effect"
import * as Answer from "../../src/registry/Answer.ts"
import * as Envelope from "../../src/registry/Envelope.ts"
import * as Facade from "../../src/registry/Facade.ts"
import * as F from "../../src/registry/Fields.ts"
import { isRecord } from "../../src/registry/Json.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { CodeGraph } from "../../src/services/CodeGraph.ts"
import { ForgeReader } from "../../src/services/ForgeReader.ts"
import { LocalWriter } from "../../src/services/LocalWriter.ts"
import { ReadFs } from "../../src/services/ReadFs.ts"
import { SessionStore } from "../../src/services/SessionStore.ts"

const read = Facade.make("read", {
  effect: "read",
  purpose: "Read a file or a symbol.",
  envelope: {
    properties: {
      target: Envelope.target("file", "symbol", "symbols"),
      context: Envelope.object(),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "source",
  infer: (args, stated) => (isRecord(args["target"]) && "file" in args["target"] ? "file" : stated)
})

export const file = read.operation("file", {
  tool: "read_file",
  summary: "A file's text, whole or a window of lines.",
  input: F.input({
    target: F.target({ file: F.aliased(F.text, "path") }),
    options: F.group({
      offset: F.aliased(
        F.withDefault(F.integer({ min: 0 }), 0),
        "start",
        "context.start_line",
        "options.window.offset"
      ),
      limit: F.clamped({ min: 1, max: 2000, default: 200 }),
      keep: F.optional(F.csv),
      allow_secrets: F.withDefault(F.flag, false)
    }),
    context: F.group({ compress_bodies: F.withDefault(F.flag, false) })
  }),
  needs: [ReadFs],
  formats: { text: (value: { readonly content: string }) => value.content },
  handler: ({ options, target }) =>
    Effect.succeed({ path: target.file, content: `${options.offset}+${options.limit}`, keep: options.keep })
})

export const source = read.operation("source", {
  tool: "get_symbol_source",
  aliases: ["symbol", "get_symbol_source"],
  summary: "One symbol's source.",
  input: F.input({
    target: F.target({ symbol: F.text, symbols: F.ids }),
    options: F.group({
      repo: F.optional(F.repository(F.text)),
      fidelity: F.optional(F.choice("full", "stub"))
    })
  }),
  needs: [CodeGraph],
  handler: ({ options, target }) =>
    Effect.succeed({ symbol: target.symbol ?? target.symbols.join(), repo: options.repo })
})

export const rows = read.operation("rows", {
  tool: "list_rows",
  summary: "Numbered rows.",
  tier: 2,
  page: { default: 10, max: 50 },
  input: F.input({
    options: F.group({
      count: F.withDefault(F.integer({ min: 0, max: 10_000 }), 25),
      width: F.withDefault(F.count, 1)
    })
  }),
  needs: [],
  handler: ({ options }) =>
    Effect.succeed(
      Answer.page(
        "rows",
        {
          kind: "rows",
          rows: Array.from({ length: options.count }, (_, at) => ({ at, text: "x".repeat(options.width) }))
        },
        { snapshot: `v${options.count}` }
      )
    )
})

export const peek = read.operation("peek", {
  tool: "peek",
  summary: "Whether services outside the declared ones can be reached.",
  hidden: true,
  input: F.input({}),
  needs: [CodeGraph],
  handler: () =>
    Effect.gen(function* () {
      const graph = yield* Effect.serviceOption(CodeGraph)
      const writer = yield* Effect.serviceOption(LocalWriter)
      const fs = yield* Effect.serviceOption(ReadFs)
      return { graph: graph._tag, writer: writer._tag, fs: fs._tag }
    })
})

export const history = read.declared("history", {
  tool: "get_symbol_history",
  summary: "A symbol's history.",
  because: "it needs a repository"
})

export const readFacade = read.of(file, source, rows, peek, history)

const edit = Facade.make("edit", {
  effect: "local_write",
  purpose: "Write to files.",
  envelope: {
    properties: {
      target: Envelope.target("file"),
      match: Envelope.text(),
      replacement: Envelope.text(),
      content: Envelope.text(),
      changes: Envelope.objects(),
      guard: Envelope.object(),
      dry_run: Envelope.flag(),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "file"
})

export const editFile = edit.operation("file", {
  tool: "edit_file",
  summary: "Replace exact text in a file.",
  input: F.input(
    {
      target: F.target({ file: F.text }),
      match: F.text,
      replacement: F.anyText,
      guard: F.group({ base_sha: F.optional(F.text) }),
      dry_run: F.withDefault(F.flag, false),
      options: F.group({
        occurrence: F.optional(F.integer({ min: 1 })),
        expected_match_count: F.optional(F.integer({ min: 1, max: 1024 }))
      })
    },
    { atMostOne: [["options.occurrence", "options.expected_match_count"]] }
  ),
  needs: [ReadFs, LocalWriter],
  handler: ({ target }) => Effect.succeed({ path: target.file })
})

export const batch = edit.operation("batch", {
  tool: "batch_edit",
  summary: "Several changes in one transaction.",
  fixed: { to_disk: true },
  input: F.input({
    changes: F.list(
      F.union(
        F.group({ op: F.constant("move_file"), source: F.text, destination: F.text }),
        F.group({ op: F.constant("delete_file"), path: F.text })
      ),
      { min: 1, max: 16 }
    ),
    options: F.group({
      tags: F.optional(F.texts),
      extra: F.optional(F.json),
      transaction_id: F.optional(F.text)
    })
  }),
  needs: [],
  handler: ({ changes, options }) =>
    Effect.succeed({ changes: changes.map((change) => change.op), tags: options.tags, extra: options.extra })
})

export const editFacade = edit.of(editFile, batch)

const pr = Facade.make("pr", {
  effect: "read",
  purpose: "Read pull requests.",
  envelope: { properties: { arguments: Envelope.object(), output: Envelope.object() } },
  default: "list"
})
export const prList = pr.operation("list", {
  tool: "list_prs",
  summary: "Open pull requests.",
  input: F.input({
    arguments: F.group({ number: F.optional(F.integer({ min: 1 })), repo: F.optional(F.text) })
  }),
  needs: [ForgeReader],
  handler: () => Effect.succeed({ prs: [] })
})
export const prFacade = pr.of(prList)

const analyze = Facade.make("analyze", {
  effect: "read",
  purpose: "Analyze the graph.",
  discriminator: "kind",
  discriminatorAliases: ["operation"],
  default: "help",
  envelope: {
    properties: { target: Envelope.target("symbol"), options: Envelope.object(), output: Envelope.object() }
  }
})
export const analyzeFacade = analyze.of(
  analyze.operation("help", {
    tool: "analyze",
    summary: "The kinds.",
    input: F.input({}),
    needs: [],
    handler: () => Effect.succeed({ kinds: [] })
  }),
  analyze.operation("would_create_cycle", {
    tool: "analyze",
    summary: "Whether an edge closes a cycle.",
    fixed: { kind: "would_create_cycle" },
    input: F.input(
      {
        options: F.group({ from_id: F.optional(F.text), to_id: F.optional(F.text), path: F.optional(F.text) })
      },
      { atLeastOne: [["options.from_id", "options.path"]] }
    ),
    needs: [CodeGraph],
    handler: ({ options }) => Effect.succeed({ from: options.from_id })
  })
)

const session = Facade.make("session", {
  effect: "session_write",
  purpose: "Change the session.",
  envelope: {
    properties: { channel: Envelope.text(), arguments: Envelope.object(), output: Envelope.object() }
  }
})
export const subscribe = session.operation("subscribe", {
  tool: ["subscribe_diagnostics", "subscribe_stale_refs"],
  summary: "Subscribe to a channel.",
  input: F.input({ channel: F.choiceAs("valid_channels", "diagnostics", "stale_refs") }),
  needs: [],
  handler: ({ channel }) =>
    Effect.succeed(Answer.answer({ subscribed: channel }, { tool: `subscribe_${channel}` }))
})
export const sessionFacade = session.of(subscribe)

export const registry = Registry.make(readFacade, editFacade, prFacade, analyzeFacade, sessionFacade)

const fake = <I, S>(tag: Context.Tag<I, S>): Layer.Layer<I> => Layer.succeed(tag, {} as S)
export const layerFederation = Layer.mergeAll(fake(ReadFs), fake(CodeGraph))
export const layerPlanning = Layer.mergeAll(layerFederation, fake(ForgeReader), fake(SessionStore))
export const layerFull = Layer.mergeAll(layerPlanning, fake(LocalWriter))
