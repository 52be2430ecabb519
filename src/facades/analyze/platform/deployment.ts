import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts, type FactReading } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, grouped, holds, none, notesOf, oneWord, text, texts } from "./Facts.ts"

/** Files that templates fill in, which are no YAML before. */
const templatesOf = (reading: FactReading) => {
  const templated = notesOf(reading, "templated")
    .map(({ file }) => file)
    .sort()
  return templated.length === 0
    ? {}
    : { templated_files: templated.slice(0, 20), templated_count: templated.length }
}

export const k8sResources = kind("k8s_resources", {
  summary: "Kubernetes resources and what they depend on.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text),
      namespace: F.optional(F.text),
      k8s_kind: F.optional(F.described(F.text, "kind of resource"))
    })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("deployment")
      const all = notesOf(reading, "k8s")
      const kinds = all.map((note) => text(note, "k8s_kind"))
      const wanted =
        kinds.length === 0
          ? options.k8s_kind
          : yield* oneWord("options.k8s_kind", options.k8s_kind, kinds, "kind of resource in this workspace")
      const namespaces = all.map((note) => text(note, "namespace")).filter((namespace) => namespace !== "")
      const namespace =
        namespaces.length === 0
          ? options.namespace
          : yield* oneWord("options.namespace", options.namespace, namespaces, "namespace in this workspace")
      const named = holds(options.name)
      const bySelector = (selector: string): ReadonlyArray<string> => {
        const labels = selector.replace(/^selector:/, "").split(",")
        return all
          .filter((note) => labels.every((label) => texts(note, "labels").includes(label)))
          .map((note) => `${text(note, "k8s_kind")}/${note.name}`)
      }
      const rows = all
        .filter(
          (note) =>
            (wanted === undefined || text(note, "k8s_kind") === wanted) &&
            (namespace === undefined || text(note, "namespace") === namespace) &&
            named(note.name)
        )
        .map((note) => ({
          id: `${note.file}::${text(note, "k8s_kind")}/${note.name}`,
          k8s_kind: text(note, "k8s_kind"),
          namespace: text(note, "namespace"),
          name: note.name,
          file_path: note.file,
          line: note.line,
          depends_on: texts(note, "depends_on"),
          configures: texts(note, "configures"),
          mounts: texts(note, "mounts"),
          exposes: [
            ...new Set(
              texts(note, "exposes").flatMap((each) =>
                each.startsWith("selector:")
                  ? ((found) => (found.length === 0 ? [each] : found))(bySelector(each))
                  : [each]
              )
            )
          ].sort(),
          uses_env: texts(note, "uses_env")
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
      return page(
        "resources",
        {
          resources: rows,
          total: rows.length,
          ...templatesOf(reading),
          ...(rows.length === 0 ? none(reading, "resource") : {}),
          ...completenessOf(
            reading,
            ...(notesOf(reading, "templated").length === 0 ? [] : ["templated_files"])
          )
        },
        { snapshot: reading.generation }
      )
    })
})

const normal = (path: string): string => {
  const out: Array<string> = []
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment === ".." && out.length > 0 && out.at(-1) !== "..") out.pop()
    else out.push(segment)
  }
  return out.length === 0 ? "." : out.join("/")
}

export const kustomize = kind("kustomize", {
  summary: "Kustomize overlays with bases and resources.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ dir: F.optional(F.described(F.text, "folder")) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("deployment")
      const all = notesOf(reading, "kustomize")
      const folders = new Set(all.map(({ name }) => name))
      const fits = holds(options.dir?.replace(/^\.\//, "").replace(/\/+$/, ""))
      const rows = all
        .filter(({ name }) => fits(name))
        .map((note) => {
          const below = (path: string): string =>
            /^(?:https?:|git@|[\w.-]+\/[\w.-]+\/[\w.-]+(?:\/\/|\?ref=))/.test(path)
              ? path
              : normal(note.name === "." ? path : `${note.name}/${path}`)
          const resources = texts(note, "resources").map(below)
          return {
            id: `kustomize::${note.name}`,
            dir: note.name,
            file_path: note.file,
            line: note.line,
            depends_on: [
              ...new Set([
                ...texts(note, "bases").map(below),
                ...texts(note, "components").map(below),
                ...resources.filter((each) => folders.has(each) || /^https?:|\?ref=/.test(each))
              ])
            ].sort(),
            resources: resources.filter((each) => !folders.has(each)),
            patches: texts(note, "patches").map(below),
            generators: texts(note, "generators"),
            ...(text(note, "namespace") === "" ? {} : { namespace: text(note, "namespace") })
          }
        })
        .sort((a, b) => (a.id < b.id ? -1 : 1))
      return page(
        "kustomizations",
        {
          kustomizations: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "kustomization there") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

/** Name and tag of an image reference; a digest stands for a tag. */
const partsOf = (reference: string): { readonly name: string; readonly tag: string } => {
  const digest = reference.indexOf("@")
  if (digest > 0) return { name: reference.slice(0, digest), tag: reference.slice(digest + 1) }
  const colon = reference.indexOf(":", reference.lastIndexOf("/") + 1)
  return colon < 0
    ? { name: reference, tag: "latest" }
    : { name: reference.slice(0, colon), tag: reference.slice(colon + 1) }
}
const roles = ["base", "copy", "container", "init", "ephemeral", "service", "ci", "kustomize"]

export const images = kind("images", {
  summary: "Container images and who uses them.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ref: F.optional(F.described(F.text, "image reference")),
      role: F.optional(F.text),
      tag: F.optional(F.text)
    })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const role = yield* oneWord("options.role", options.role, roles, "role of images")
      const reading = yield* facts("deployment")
      const fits = holds(options.ref)
      const rows = grouped(
        notesOf(reading, "image").filter(
          (note) =>
            fits(note.name) &&
            (role === undefined || text(note, "role") === role) &&
            (options.tag === undefined || partsOf(note.name).tag === options.tag)
        ),
        (note) => `${note.name}::${text(note, "role")}`
      )
        .map(([, notes]) => {
          const [first] = notes
          const { name, tag } = partsOf(first!.name)
          return {
            id: `image::${first!.name}::${text(first!, "role")}`,
            name,
            role: text(first!, "role"),
            ref: first!.name,
            tag,
            file_path: first!.file,
            line: first!.line,
            consumers: notes.length,
            used_by: notes.slice(0, 20).map((note) => ({
              file_path: note.file,
              line: note.line,
              ...(text(note, "consumer") === "" ? {} : { name: text(note, "consumer") })
            }))
          }
        })
        .sort((a, b) => b.consumers - a.consumers || (a.id < b.id ? -1 : 1))
      return page(
        "images",
        {
          images: rows,
          total: rows.length,
          ...templatesOf(reading),
          ...(rows.length === 0 ? none(reading, "image") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
