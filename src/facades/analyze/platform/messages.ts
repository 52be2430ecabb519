import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts, type Note } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, grouped, holds, none, notesOf, oneWord, placesOf, text } from "./Facts.ts"

export const pubsub = kind("pubsub", {
  summary: "Message topics with producers and consumers.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text),
      transport: F.optional(F.text),
      role: F.optional(F.choice("publish", "subscribe"))
    })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("messages", "routes")
      const transport = yield* oneWord(
        "options.transport",
        options.transport,
        reading.passes.filter(({ family }) => family === "messages").map(({ name }) => name),
        "transport that is read"
      )
      const named = holds(options.name)
      const rows = grouped(
        notesOf(reading, "topic").filter(
          (note) =>
            !note.test &&
            named(note.name) &&
            (transport === undefined || text(note, "transport") === transport)
        ),
        (note) => `${text(note, "transport")}::${note.name}`
      )
        .map(([id, notes]) => {
          const of = (role: string): ReadonlyArray<Note> =>
            notes.filter((note) => text(note, "role") === role)
          const publishers = placesOf(of("publish"))
          const subscribers = placesOf(of("subscribe"))
          return {
            id: `topic::${id}`,
            name: notes[0]!.name,
            transport: text(notes[0]!, "transport"),
            publishes: of("publish").length,
            subscribes: of("subscribe").length,
            publishers: publishers.places,
            subscribers: subscribers.places,
            ...(publishers.omitted === undefined ? {} : { publishers_omitted: publishers.omitted }),
            ...(subscribers.omitted === undefined ? {} : { subscribers_omitted: subscribers.omitted })
          }
        })
        .filter(
          ({ publishes, subscribes }) =>
            options.role === undefined || (options.role === "publish" ? publishes : subscribes) > 0
        )
        .sort((a, b) => b.publishes + b.subscribes - a.publishes - a.subscribes || (a.id < b.id ? -1 : 1))
      return page(
        "topics",
        {
          topics: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "topic with a written name") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const temporalOrphans = kind("temporal_orphans", {
  summary: "Workflow wiring that is broken or unused.",
  input: F.input({}),
  needs: [FrameworkFacts],
  handler: () =>
    Effect.gen(function* () {
      const reading = yield* facts("workflows")
      const notes = reading.notes.filter(({ test }) => !test)
      const names = (...what: ReadonlyArray<string>): ReadonlySet<string> =>
        new Set(notes.filter((note) => what.includes(note.what)).map(({ name }) => name))
      const rows = (list: ReadonlyArray<Note>) =>
        list
          .map((note) => ({
            id: `${note.file}:${note.line}`,
            name: note.name,
            symbol: note.within,
            file_path: note.file,
            line: note.line
          }))
          .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
      const of = (what: string) => notes.filter((note) => note.what === what)
      // In Go whatever is registered is an activity; elsewhere activities say so themselves.
      const workflows = names("workflow", "registered_workflow")
      const activities = names("activity", "registered_activity")
      const loose = [...activities].map((name) => name.toLowerCase())
      const offered = (name: string, known: ReadonlySet<string>): boolean =>
        known.has(name) || loose.includes(name.toLowerCase())
      const broken = [
        ...of("dispatch_activity").filter(
          ({ data, name }) => (data["by"] === "name" || activities.size > 0) && !offered(name, activities)
        ),
        ...of("dispatch_workflow").filter(({ name }) => !workflows.has(name))
      ].filter(({ name, within }) => name !== "" && within !== "")
      const dispatchedActivities = names("dispatch_activity")
      const dispatchedWorkflows = names("dispatch_workflow")
      const orphanActivities = [...of("registered_activity"), ...of("activity")].filter(
        ({ data, name }) => data["implementation"] !== true && name !== "" && !dispatchedActivities.has(name)
      )
      const orphanWorkflows = [...of("registered_workflow"), ...of("workflow")].filter(
        ({ data, name }) => data["implementation"] !== true && name !== "" && !dispatchedWorkflows.has(name)
      )
      const first = (list: ReadonlyArray<Note>): ReadonlyArray<Note> => [
        ...new Map(list.map((note) => [note.name, note] as const).reverse()).values()
      ]
      const result = {
        broken_dispatch: rows(broken),
        signal_no_handler: rows(of("signal").filter(({ name }) => !names("signal_handler").has(name))),
        query_no_handler: rows(
          of("query").filter(({ name }) => !names("query_handler").has(name) && !name.startsWith("__"))
        ),
        orphan_activity: rows(first(orphanActivities)),
        orphan_workflow: rows(first(orphanWorkflows))
      }
      return {
        ...result,
        totals: Object.fromEntries(Object.entries(result).map(([key, list]) => [key, list.length])),
        looked_at: {
          workflows: workflows.size,
          activities: activities.size,
          dispatches: of("dispatch_activity").length + of("dispatch_workflow").length,
          signals: of("signal").length,
          queries: of("query").length
        },
        note: "a workflow may be started from outside this workspace, so an unused one is a question and not an error; names that are computed are not seen",
        ...completenessOf(reading)
      }
    })
})
