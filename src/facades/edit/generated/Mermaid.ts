/** Views of the graph that people look at, as Mermaid diagrams. */
import type { GraphView } from "../../../services/CodeGraph.ts"
import { type Communities, folderOf } from "./Communities.ts"
import type { Process } from "./Processes.ts"

/** A label: what Mermaid would read as its own is written as an entity. */
export const label = (text: string): string =>
  `"${text.replace(/[\r\n\t]+/g, " ").replace(/[#"`<>&\\{}[\]|;]/g, (one) => `#${one.codePointAt(0)};`)}"`

const arrows = (weights: ReadonlyMap<string, number>): ReadonlyArray<string> =>
  [...weights]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([pair, count]) => {
      const [from, to] = pair.split(" ")
      return `  ${from} -->|${count}| ${to}`
    })

/** Uses between groups of files, by "from to" of the groups' node names. */
const uses = (
  view: GraphView,
  groupOf: (path: string) => string | undefined
): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const { path } of view.files()) {
    const from = groupOf(path)
    const ref = view.fileRef(path)
    if (from === undefined || ref === undefined) continue
    for (const edge of view.outgoing(ref)) {
      const to = groupOf(view.pathOf(edge.to))
      if (edge.tier === "name" || to === undefined || to === from) continue
      weights.set(`${from} ${to}`, (weights.get(`${from} ${to}`) ?? 0) + 1)
    }
  }
  return weights
}

/** Most folders a diagram shows; deeper ones are drawn together with the folder above. */
const mostFolders = 40

const folders = (paths: ReadonlyArray<string>): ((path: string) => string) => {
  const cut = (depth: number) => (path: string) => folderOf(path).split("/").slice(0, depth).join("/")
  let depth = 1
  while (depth < 12 && new Set(paths.map(cut(depth + 1))).size <= mostFolders) depth++
  return cut(depth)
}

/** Folders with the number of their files, and the uses between them. */
export const architecture = (view: GraphView, keep: (path: string) => boolean): string => {
  const paths = view
    .files()
    .filter(({ path, symbols }) => symbols > 0 && keep(path))
    .map(({ path }) => path)
  const folder = folders(paths)
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(folder(path), (counts.get(folder(path)) ?? 0) + 1)
  const names = new Map([...counts.keys()].sort().map((each, at) => [each, `f${at}`]))
  const known = new Set(paths)
  return [
    "flowchart LR",
    ...[...names].map(([each, name]) => `  ${name}[${label(`${each} (${counts.get(each)})`)}]`),
    ...arrows(uses(view, (path) => (known.has(path) ? names.get(folder(path)) : undefined))),
    ""
  ].join("\n")
}

/** Files a community shows. */
const mostFiles = 12

/** Communities with their files, and the uses between them. */
export const communities = (view: GraphView, { list }: Communities): string => {
  const group = new Map(list.flatMap(({ files }, at) => files.map((path) => [path, `c${at}`] as const)))
  return [
    "flowchart LR",
    ...list.flatMap(({ files, label: name }, at) => [
      `  subgraph c${at}[${label(name)}]`,
      ...files.slice(0, mostFiles).map((path, file) => `    c${at}_${file}[${label(path)}]`),
      ...(files.length > mostFiles ? [`    c${at}_more[${label(`${files.length - mostFiles} more`)}]`] : []),
      "  end"
    ]),
    ...arrows(uses(view, (path) => group.get(path))),
    ""
  ].join("\n")
}

/** Calls below entry points. */
export const processes = (view: GraphView, list: ReadonlyArray<Process>): string =>
  [
    "flowchart TD",
    ...list.flatMap(({ entry, steps }, at) => [
      `  subgraph p${at}[${label(view.idOf(entry))}]`,
      ...steps.map(({ ref }, step) => `    p${at}_${step}[${label(view.symbol(ref).qualified)}]`),
      ...steps.flatMap(({ caller }, step) => (caller < 0 ? [] : [`    p${at}_${caller} --> p${at}_${step}`])),
      "  end"
    ]),
    ""
  ].join("\n")
