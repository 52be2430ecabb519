/** Fields, definitions, concurrency. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { native } from "./facade.ts"

const because = "this build records no flow of values"

export const defUse = native("def_use", {
  summary: "Definitions and uses inside functions.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol, symbols: Shared.symbols })
  }),
  needs: [CodeGraph, ReadFs],
  because
})

export const fieldWriters = native("field_writers", {
  summary: "Fields by how many places write them.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const indirectMutations = native("indirect_mutations", {
  summary: "Fields changed through a call on their owner.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const constructorsMissingFields = native("constructors_missing_fields", {
  summary: "Constructors that leave fields unset.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      type_id: F.optional(F.text),
      min_missing: F.optional(F.described(F.count, "fields left unset")),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

export const errorSurface = native("error_surface", {
  summary: "Functions and the errors they raise.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

export const raceWrites = native("race_writes", {
  summary: "Fields written concurrently without a guard in sight.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

export const goroutineSpawns = native("goroutine_spawns", {
  summary: "What is started concurrently, and where.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const channelOps = native("channel_ops", {
  summary: "Go channels, sends and receives.",
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

export const unclosedChannels = native("unclosed_channels", {
  summary: "Go channels nothing closes.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})
