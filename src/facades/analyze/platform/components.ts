import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { failure, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { type FactReading, FrameworkFacts, type Note } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, none, notesOf, text } from "./Facts.ts"

interface Component {
  readonly id: string
  readonly name: string
  readonly framework: string
  readonly file: string
  readonly line: number
  readonly test: boolean
  readonly children: Array<{
    readonly to: string
    readonly name: string
    readonly resolved: boolean
    readonly file: string
    readonly line: number
  }>
  readonly parents: Set<string>
}

/** Components by id, with who renders whom. */
const treeOf = (reading: FactReading): ReadonlyMap<string, Component> => {
  const byId = new Map<string, Component>()
  const byName = new Map<string, Array<Component>>()
  const inFile = new Map<string, Map<string, Component>>()
  const bySelector = new Map<string, Component>()
  const byTemplate = new Map<string, Component>()
  for (const note of notesOf(reading, "component")) {
    const id = note.targets["component"]?.id ?? `${note.file}::${note.name}`
    if (byId.has(id)) continue
    const component: Component = {
      id,
      name: note.name,
      framework: text(note, "framework"),
      file: note.file,
      line: note.line,
      test: note.test,
      children: [],
      parents: new Set()
    }
    byId.set(id, component)
    byName.set(note.name, [...(byName.get(note.name) ?? []), component])
    inFile.set(note.file, (inFile.get(note.file) ?? new Map()).set(note.name, component))
    const selector = text(note, "selector")
    if (selector !== "") bySelector.set(selector, component)
    const template = text(note, "template_url")
    if (template !== "") byTemplate.set(template.slice(template.lastIndexOf("/") + 1), component)
  }
  const ownerOf = (note: Note): Component | undefined => {
    const template = text(note, "template")
    if (template !== "") return byTemplate.get(template)
    const owner = text(note, "owner")
    const own = inFile.get(note.file)
    return own?.get(owner) ?? (owner === "" ? undefined : [...(own?.values() ?? [])][0])
  }
  for (const note of notesOf(reading, "render")) {
    const owner = ownerOf(note)
    if (owner === undefined) continue
    const target = note.targets["child"]?.id
    const named = byName.get(note.name.split(".").at(-1)!) ?? []
    const child =
      (target === undefined ? undefined : byId.get(target)) ??
      (text(note, "by") === "selector" ? bySelector.get(note.name) : undefined) ??
      inFile.get(note.file)?.get(note.name) ??
      (target === undefined && named.length === 1 ? named[0] : undefined)
    if (text(note, "by") === "selector" && child === undefined && !note.name.includes("-")) continue
    owner.children.push({
      to: child?.id ?? target ?? note.name,
      name: note.name,
      resolved: child !== undefined || target !== undefined,
      file: note.file,
      line: note.line
    })
    child?.parents.add(owner.id)
  }
  return byId
}

const missing = (words: string, names: ReadonlyArray<string>): OperationFailure =>
  failure("symbol_not_found", `no component ${JSON.stringify(words)}`, {
    field: "options.name",
    failure_stage: "resolve",
    data: { components: names.slice(0, 20), component_count: names.length }
  })

export const components = kind("components", {
  summary: "UI components, parents and children.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ id: F.optional(F.text), name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("components")
      const tree = treeOf(reading)
      const all = [...tree.values()]
      const words = options.id ?? options.name
      if (words !== undefined) {
        const wanted =
          options.id === undefined
            ? all.filter(({ name }) => name.toLowerCase() === words.toLowerCase())
            : all.filter(({ id }) => id === words)
        if (wanted.length === 0) return yield* missing(words, all.map(({ name }) => name).sort())
        return page(
          "children",
          {
            components: wanted.map(({ file, framework, id, line, name, parents }) => ({
              id,
              name,
              framework,
              file_path: file,
              line,
              parents: [...parents].sort()
            })),
            children: wanted
              .flatMap((component) =>
                component.children.map(({ file, line, name, resolved, to }) => ({
                  from: component.id,
                  to,
                  name,
                  resolved,
                  file_path: file,
                  line
                }))
              )
              .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.line - b.line)),
            ...completenessOf(reading)
          },
          { snapshot: reading.generation }
        )
      }
      const rows = all
        .filter(({ test }) => !test)
        .map(({ children, file, framework, id, line, name, parents }) => ({
          id,
          name,
          framework,
          fan_in: parents.size,
          fan_out: children.length,
          file_path: file,
          line
        }))
        .sort((a, b) => b.fan_in + b.fan_out - a.fan_in - a.fan_out || (a.id < b.id ? -1 : 1))
      return page(
        "components",
        {
          components: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "component") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
