/** The pages of a wiki: communities, processes, contracts. */
import type { GraphView, Mark, SymbolRef } from "../../../services/CodeGraph.ts"
import type { Communities, Community } from "./Communities.ts"
import type { Block, Inline } from "./Page.ts"
import type { Process } from "./Processes.ts"

export interface WikiPage {
  /** Name in links and of the file, without ending. */
  readonly name: string
  readonly title: string
  readonly blocks: ReadonlyArray<Block>
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A name for files and links: small letters, digits and hyphens. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "") || "root"

/** Names no two of which are equal, also where case does not count. */
const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const used = new Set<string>()
  return texts.map((text) => {
    const base = slug(text)
    let name = base
    for (let at = 2; used.has(name); at++) name = `${base}-${at}`
    used.add(name)
    return name
  })
}

const keySymbols = 15
const mostRows = 50
const entryPoints = 10
/** Mark kinds and how they are called. */
const contracts = [
  ["route", "Routes", "Route"],
  ["env", "Environment variables", "Variable"],
  ["sql", "SQL", "Statement"]
] as const

const shownIn = (view: GraphView, files: ReadonlyArray<string>): ReadonlyArray<SymbolRef> =>
  files.flatMap((path) =>
    view.definitions(path).filter((ref) => {
      const { flags, test } = view.symbol(ref)
      return !test && !flags.includes("local")
    })
  )

const more = (all: number, shown: number): ReadonlyArray<Block> =>
  all > shown ? [{ text: [`And ${all - shown} more.`] }] : []

/** Uses from one set of files to others, by community. */
const usesOf = (
  view: GraphView,
  files: ReadonlyArray<string>,
  groupOf: ReadonlyMap<string, number>,
  own: number
): ReadonlyMap<number, number> => {
  const out = new Map<number, number>()
  for (const path of files) {
    const ref = view.fileRef(path)
    if (ref === undefined) continue
    for (const edge of view.outgoing(ref)) {
      const to = groupOf.get(view.pathOf(edge.to))
      if (edge.tier !== "name" && to !== undefined && to !== own) out.set(to, (out.get(to) ?? 0) + 1)
    }
  }
  return out
}

const communityPage = (
  view: GraphView,
  { files, label }: Community,
  name: string,
  links: {
    readonly uses: ReadonlyMap<number, number>
    readonly usedBy: ReadonlyMap<number, number>
    readonly page: (community: number) => Inline
  }
): WikiPage => {
  const symbols = shownIn(view, files)
  const ranked = [...symbols].sort(
    (a, b) => view.rank(b) - view.rank(a) || compare(view.idOf(a), view.idOf(b))
  )
  const inside = new Set(files)
  // What is used from without is where one comes in.
  const entries = ranked.filter((ref) =>
    view
      .incoming(ref)
      .some(({ from, path, tier }) => tier !== "name" && !inside.has(path) && !view.isTest(from))
  )
  const external = new Map<string, number>()
  for (const path of files)
    for (const { external: outside, module } of view.imports(path))
      if (outside && module !== "") external.set(module, (external.get(module) ?? 0) + 1)
  const row = (ref: SymbolRef): ReadonlyArray<Inline> => {
    const { doc, id, kind, signature } = view.symbol(ref)
    return [{ code: id }, kind, { code: signature.slice(0, 160) }, doc.split("\n", 1)[0]!.slice(0, 160)]
  }
  const others = (weights: ReadonlyMap<number, number>) =>
    [...weights]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .map(([to, count]) => ({
        line: [links.page(to), ` (${count} uses)`]
      }))
  const uses = others(links.uses)
  const usedBy = others(links.usedBy)
  return {
    name,
    title: label,
    blocks: [
      { heading: label, level: 1 },
      { text: [`${files.length} files, ${symbols.length} symbols.`] },
      { heading: "Files", level: 2 },
      {
        columns: ["File", "Lines", "Symbols"],
        rows: files
          .slice(0, mostRows)
          .map((path) => [
            { code: path },
            String(view.file(path)?.lines ?? 0),
            String(view.file(path)?.symbols ?? 0)
          ])
      },
      ...more(files.length, mostRows),
      ...(ranked.length === 0
        ? []
        : ([
            { heading: "Key symbols", level: 2 },
            {
              columns: ["Symbol", "Kind", "Signature", "Documentation"],
              rows: ranked.slice(0, keySymbols).map(row)
            }
          ] satisfies ReadonlyArray<Block>)),
      ...(entries.length === 0
        ? []
        : ([
            { heading: "Entry points", level: 2 },
            {
              list: entries.slice(0, entryPoints).map((ref) => ({ line: [{ code: view.idOf(ref) }] }))
            },
            ...more(entries.length, entryPoints)
          ] satisfies ReadonlyArray<Block>)),
      ...(uses.length === 0
        ? []
        : ([{ heading: "Uses", level: 2 }, { list: uses }] satisfies ReadonlyArray<Block>)),
      ...(usedBy.length === 0
        ? []
        : ([{ heading: "Used by", level: 2 }, { list: usedBy }] satisfies ReadonlyArray<Block>)),
      ...(external.size === 0
        ? []
        : ([
            { heading: "Packages from outside", level: 2 },
            {
              list: [...external]
                .sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))
                .slice(0, mostRows)
                .map(([module]) => ({ line: [{ code: module }] }))
            }
          ] satisfies ReadonlyArray<Block>))
    ]
  }
}

const processPage = (view: GraphView, list: ReadonlyArray<Process>, total: number): WikiPage => ({
  name: "processes",
  title: "Processes",
  blocks: [
    { heading: "Processes", level: 1 },
    { text: ["Entry points that nothing here calls, and what they call."] },
    ...list.flatMap(
      ({ cut, entry, steps }): ReadonlyArray<Block> => [
        { heading: view.idOf(entry), level: 2 },
        {
          list: steps.map(({ depth, ref }) => {
            const { line, path, qualified } = view.symbol(ref)
            return { line: [{ code: qualified }, ` ${path}:${line}`], depth }
          })
        },
        ...(cut ? [{ text: ["Deeper calls are left out."] }] : [])
      ]
    ),
    ...more(total, list.length)
  ]
})

const contractPage = (view: GraphView, marks: ReadonlyArray<Mark>): WikiPage => ({
  name: "contracts",
  title: "Contracts",
  blocks: [
    { heading: "Contracts", level: 1 },
    ...contracts.flatMap(([kind, title, column]): ReadonlyArray<Block> => {
      const rows = marks
        .filter((mark) => mark.kind === kind)
        .sort((a, b) => compare(a.text, b.text) || compare(a.path, b.path) || a.line - b.line)
      return [
        { heading: title, level: 2 },
        rows.length === 0
          ? { text: ["None found."] }
          : {
              columns: [column, "Where", "In"],
              rows: rows
                .slice(0, 10 * mostRows)
                .map(({ line, path, text, within }) => [
                  { code: text.slice(0, 200) },
                  `${path}:${line}`,
                  { code: view.isFile(within) ? path : view.symbol(within).qualified }
                ])
            },
        ...more(rows.length, 10 * mostRows)
      ]
    })
  ]
})

export const wikiPages = (
  view: GraphView,
  found: {
    readonly title: string
    /** Files that are looked at. */
    readonly keep: (path: string) => boolean
    readonly communities: Communities
    /** Absent parts get no page. */
    readonly processes?: { readonly list: ReadonlyArray<Process>; readonly total: number }
    readonly contracts?: true
    readonly docs?: ReadonlyArray<Block>
  }
): ReadonlyArray<WikiPage> => {
  const { list, rest, total } = found.communities
  const names = distinct(list.map(({ label }) => `community ${label}`))
  const groupOf = new Map(list.flatMap(({ files }, at) => files.map((path) => [path, at] as const)))
  const uses = list.map(({ files }, at) => usesOf(view, files, groupOf, at))
  const usedBy = list.map(
    (_, at) =>
      new Map(
        uses.flatMap((to, from) => {
          const count = to.get(at)
          return count === undefined ? [] : [[from, count] as const]
        })
      )
  )
  const page = (at: number): Inline => ({ page: names[at]!, text: list[at]!.label })
  const pages = [
    ...list.map((community, at) =>
      communityPage(view, community, names[at]!, { uses: uses[at]!, usedBy: usedBy[at]!, page })
    ),
    ...(found.processes === undefined
      ? []
      : [processPage(view, found.processes.list, found.processes.total)]),
    ...(found.contracts === undefined
      ? []
      : [
          contractPage(
            view,
            view.marks().filter(({ path }) => found.keep(path) && view.file(path)?.test !== true)
          )
        ]),
    ...(found.docs === undefined ? [] : [{ name: "docs", title: "Living documentation", blocks: found.docs }])
  ]
  const languages = new Map<string, number>()
  const files = view.files().filter(({ path }) => found.keep(path))
  for (const { language, symbols } of files)
    if (language !== undefined && symbols > 0) languages.set(language, (languages.get(language) ?? 0) + 1)
  const others = pages.slice(list.length)
  const index: WikiPage = {
    name: "index",
    title: found.title,
    blocks: [
      { heading: found.title, level: 1 },
      { text: [`${files.length} files, ${files.reduce((sum, { symbols }) => sum + symbols, 0)} symbols.`] },
      ...(languages.size === 0
        ? []
        : ([
            {
              columns: ["Language", "Files"],
              rows: [...languages]
                .sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))
                .map(([language, count]) => [language, String(count)])
            }
          ] satisfies ReadonlyArray<Block>)),
      { heading: "Communities", level: 2 },
      ...(list.length === 0
        ? ([{ text: ["No group of files is large enough."] }] satisfies ReadonlyArray<Block>)
        : ([
            {
              list: list.map(({ files }, at) => ({
                line: [page(at), ` (${files.length} files)`]
              }))
            }
          ] satisfies ReadonlyArray<Block>)),
      ...more(total, list.length),
      ...(rest === 0 ? [] : [{ text: [`${rest} files are in no community shown.`] }]),
      ...(others.length === 0
        ? []
        : ([
            { heading: "Pages", level: 2 },
            { list: others.map(({ name, title }) => ({ line: [{ page: name, text: title }] })) }
          ] satisfies ReadonlyArray<Block>))
    ]
  }
  return [index, ...pages]
}
