import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, grouped, holds, none, notesOf, oneWord, placesOf, text } from "./Facts.ts"

const levels = ["trace", "debug", "info", "warn", "error", "fatal"]
/** Places that a row names. */
const most = 10

export const eventEmitters = kind("event_emitters", {
  summary: "Places that emit events, logs or metrics.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ level: F.optional(F.text), name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const level = yield* oneWord("options.level", options.level, levels, "level")
      const reading = yield* facts("events")
      const named = holds(options.name)
      const rows = grouped(
        notesOf(reading, "event", "log").filter(
          (note) => !note.test && named(note.name) && (level === undefined || text(note, "level") === level)
        ),
        (note) => `${note.what === "log" ? "log" : text(note, "event_kind")}::${note.name}`
      )
        .map(([id, notes]) => ({
          id,
          name: notes[0]!.name,
          event_kind: notes[0]!.what === "log" ? "log" : text(notes[0]!, "event_kind"),
          emits: notes.length,
          emitters: placesOf(notes, most).places,
          ...(notes.length > most ? { emitters_omitted: notes.length - most } : {})
        }))
        .sort(
          (a, b) =>
            Number(a.event_kind === "log") - Number(b.event_kind === "log") ||
            b.emits - a.emits ||
            (a.id < b.id ? -1 : 1)
        )
      return page(
        "events",
        {
          events: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "event") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const logEvents = kind("log_events", {
  summary: "Logging calls as events.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ level: F.optional(F.text), value: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const level = yield* oneWord("options.level", options.level, levels, "level")
      const reading = yield* facts("events")
      const said = holds(options.value)
      const wanted = notesOf(reading, "log").filter(
        (note) => !note.test && said(note.name) && (level === undefined || text(note, "level") === level)
      )
      const byLevel: { [level: string]: number } = {}
      for (const note of wanted) byLevel[text(note, "level")] = (byLevel[text(note, "level")] ?? 0) + 1
      const rows = grouped(wanted, (note) => `${text(note, "level")}::${note.name}`)
        .map(([id, notes]) => ({
          id: `log::${id}`,
          value: notes[0]!.name,
          level: text(notes[0]!, "level"),
          emits: notes.length,
          emitters: placesOf(notes, most).places,
          ...(notes.length > most ? { emitters_omitted: notes.length - most } : {})
        }))
        .sort((a, b) => b.emits - a.emits || (a.id < b.id ? -1 : 1))
      return page(
        "events",
        {
          events: rows,
          total: rows.length,
          by_level: byLevel,
          ...(rows.length === 0 ? none(reading, "logging call") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

const contexts = ["error", "header", "cookie", "storage", "i18n", "feature_flag", "permission"]

export const stringEmitters = kind("string_emitters", {
  summary: "Places that emit strings of interest.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ context: F.optional(F.text), name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const context = yield* oneWord("options.context", options.context, contexts, "context of strings")
      const reading = yield* facts("events")
      const named = holds(options.name)
      const rows = grouped(
        notesOf(reading, "string").filter(
          (note) =>
            !note.test && named(note.name) && (context === undefined || text(note, "context") === context)
        ),
        (note) => `${text(note, "context")}::${note.name}`
      )
        .map(([id, notes]) => ({
          id: `string::${id}`,
          context: text(notes[0]!, "context"),
          value: notes[0]!.name,
          emits: notes.length,
          emitters: placesOf(notes, most).places,
          ...(notes.length > most ? { emitters_omitted: notes.length - most } : {})
        }))
        .sort((a, b) => b.emits - a.emits || (a.id < b.id ? -1 : 1))
      return page(
        "strings",
        {
          strings: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "string of that context") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
