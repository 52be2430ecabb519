import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, grouped, holds, none, notesOf, oneWord, text, texts } from "./Facts.ts"

export const cgoUsers = kind("cgo_users", {
  summary: "Go files that import C.",
  page: { default: 200, max: 1000 },
  input: F.input({}),
  needs: [FrameworkFacts],
  handler: () =>
    Effect.gen(function* () {
      const reading = yield* facts("platforms")
      const rows = notesOf(reading, "cgo").map((note) => ({
        id: note.file,
        file_path: note.file,
        line: note.line,
        uses: texts(note, "uses")
      }))
      return page(
        "cgo_users",
        {
          cgo_users: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "Go file that imports C") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const wasmUsers = kind("wasm_users", {
  summary: "Files that use wasm_bindgen.",
  page: { default: 200, max: 1000 },
  input: F.input({}),
  needs: [FrameworkFacts],
  handler: () =>
    Effect.gen(function* () {
      const reading = yield* facts("platforms")
      const rows = notesOf(reading, "wasm").map((note) => ({
        id: note.file,
        file_path: note.file,
        line: note.line,
        bound: texts(note, "bound")
      }))
      return page(
        "wasm_users",
        {
          wasm_users: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "file that uses wasm_bindgen") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const drupalHooks = kind("drupal_hooks", {
  summary: "Drupal hooks and what implements them.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("platforms")
      const fits = holds(options.name)
      const rows = grouped(
        notesOf(reading, "drupal_hook").filter(({ name }) => fits(name)),
        ({ name }) => name
      )
        .map(([hook, notes]) => ({
          id: `hook::${hook}`,
          hook,
          count: notes.length,
          implementations: notes.map((note) => ({
            symbol: note.targets["symbol"]?.id ?? note.within,
            module: text(note, "module"),
            known_by: text(note, "by"),
            file_path: note.file,
            line: note.line
          }))
        }))
        .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
      return page(
        "hooks",
        {
          hooks: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "hook that is implemented") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

/** Types of one kind of note by the role each has; `list` names the member they stand under. */
const byRole = (
  wanted: string | undefined,
  of: {
    readonly what: string
    readonly one: string
    readonly list: string
    readonly roles: ReadonlyArray<string>
  }
) =>
  Effect.gen(function* () {
    const role = yield* oneWord("options.role", wanted, of.roles, `role of a ${of.one}`)
    const reading = yield* facts("platforms")
    const rows = grouped(
      notesOf(reading, of.what).filter((note) => role === undefined || text(note, "role") === role),
      (note) => text(note, "role")
    ).map(([own, notes]) => ({
      id: `role::${own}`,
      role: own,
      count: notes.length,
      [of.list]: notes.map((note) => ({
        id: note.targets["symbol"]?.id ?? note.within,
        name: note.name,
        file_path: note.file,
        line: note.line
      }))
    }))
    return page(
      "roles",
      {
        roles: rows,
        total: rows.reduce((sum, { count }) => sum + count, 0),
        ...(rows.length === 0 ? none(reading, of.one) : {}),
        ...completenessOf(reading)
      },
      { snapshot: reading.generation }
    )
  })

const swiftRoles = [
  "app",
  "scene",
  "view",
  "modifier",
  "style",
  "shape",
  "preview",
  "observable",
  "representable",
  "preference_key",
  "environment_key",
  "widget",
  "commands"
]

export const swiftuiViews = kind("swiftui_views", {
  summary: "SwiftUI types by role.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ role: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    byRole(options.role, {
      what: "swiftui",
      one: "SwiftUI type",
      list: "types",
      roles: swiftRoles
    })
})

const uikitRoles = [
  "app_delegate",
  "scene_delegate",
  "view_controller",
  "cell",
  "view",
  "data_source",
  "layout",
  "gesture"
]

export const uikitClasses = kind("uikit_classes", {
  summary: "UIKit classes by role.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ role: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    byRole(options.role, {
      what: "uikit",
      one: "UIKit class",
      list: "classes",
      roles: uikitRoles
    })
})
