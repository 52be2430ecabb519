import { Effect } from "effect"
import { leiden } from "../../../algorithms/communities.ts"
import { fromEdges, undirected } from "../../../algorithms/Graph.ts"
import { membersOf } from "../../../algorithms/Groups.ts"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { isSymbol, once, pathOf } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

/** Words that say how code is written rather than what it is about. */
const plain = new Set(
  `get set has the and for from with new not all any can did does into out one two add put run make made init main test
tests mock self this that value values data item items list lists array map maps key keys obj object func function
method class type types string str int num number bool error errors err result results name names index count size len
length args arg params param options opts option config default base impl util utils helper helpers handle handler
handlers create update delete remove read write load save open close start stop check is to of on in at by as or if no
do up it be use used using return returns next prev first last min max old tmp temp info ctx val res req src dst ref refs
field fields node nodes internal public private static async sync callback fn cb id ids`.split(/\s+/)
)

/** The words of a name, lower case: `parseHTTPRequest` is parse, http, request. */
export const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 3 && !plain.has(word))

/** Words in fewer definitions are no concept; of the rest so many of the most frequent are looked at. */
const leastUses = 3
const mostWords = 4000
/** Words of a theme, and definitions and files shown. */
const themeWords = 5
const shown = 5

interface Concept {
  readonly words: ReadonlyArray<readonly [word: string, uses: number]>
  readonly members: ReadonlyArray<number>
}

/** Words that come together in names more than chance has it, and the definitions named by them. */
const conceptsOf: (view: GraphView) => {
  readonly list: ReadonlyArray<Concept>
  readonly words: number
  readonly definitions: number
} = once((view, columns) => {
  const named: Array<{ readonly node: number; readonly words: ReadonlyArray<string> }> = []
  const uses = new Map<string, number>()
  for (let node = 0; node < columns.nodeCount; node++) {
    if (!isSymbol(columns, node) || columns.tests[node] === 1) continue
    const parent = columns.parents[node]!
    const own = new Set(wordsOf(view.nameOf(columns.refOf(node))))
    if (columns.parents[parent]! >= 0)
      for (const word of wordsOf(view.nameOf(columns.refOf(parent)))) own.add(word)
    if (own.size === 0) continue
    const words = [...own]
    named.push({ node, words })
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  }
  const most = named.length / 4
  const words = [...uses]
    .filter(([, count]) => count >= leastUses && (count <= most || named.length < 40))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, mostWords)
  const place = new Map(words.map(([word], i) => [word, i]))
  const pairs = new Map<number, number>()
  for (const { words: own } of named) {
    const places = own.flatMap((word) => place.get(word) ?? []).sort((a, b) => a - b)
    for (let i = 0; i < places.length; i++)
      for (let j = i + 1; j < places.length; j++) {
        const key = places[i]! * words.length + places[j]!
        pairs.set(key, (pairs.get(key) ?? 0) + 1)
      }
  }
  const from: Array<number> = []
  const to: Array<number> = []
  const weights: Array<number> = []
  for (const [key, count] of [...pairs].sort((a, b) => a[0] - b[0])) {
    if (count < 2) continue
    const a = Math.floor(key / words.length)
    const b = key % words.length
    from.push(a)
    to.push(b)
    weights.push(count / Math.sqrt(words[a]![1] * words[b]![1]))
  }
  // The pairs ascend, so their weights are where their edges are.
  const ties = undirected({ ...fromEdges(words.length, from, to), weights: Float64Array.from(weights) })
  const groups = leiden(ties)
  const { members, starts } = membersOf(groups)
  const owners = new Map<number, Array<number>>()
  for (const { node, words: own } of named) {
    const votes = new Map<number, number>()
    for (const word of own) {
      const at = place.get(word)
      if (at === undefined) continue
      const group = groups.of[at]!
      votes.set(group, (votes.get(group) ?? 0) + 1 / Math.log2(2 + words[at]![1]))
    }
    const [best] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    if (best === undefined) continue
    const list = owners.get(best[0])
    if (list === undefined) owners.set(best[0], [node])
    else list.push(node)
  }
  const list = [...owners]
    .map(
      ([group, own]): Concept => ({
        words: Array.from(members.slice(starts[group]!, starts[group + 1]!), (at) => words[at]!),
        members: own
      })
    )
    .sort((a, b) => b.members.length - a.members.length || (a.words[0]![0] < b.words[0]![0] ? -1 : 1))
  return { list, words: words.length, definitions: named.length }
})

const needs = [CodeGraph] as const

export const concepts: Member<typeof analyze, "concepts", typeof needs> = kind("concepts", {
  fixed: { use_llm: false },
  summary: "Clusters of words the code uses.",
  page: { default: 30, max: 1000 },
  input: F.input({
    options: F.group({
      min_size: F.optional(F.described(F.count, "least definitions of a concept; 5 unless given"))
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const found = conceptsOf(view)
      const rows = found.list.filter(({ members }) => members.length >= (options.min_size ?? 5))
      const { columns } = view
      return page(
        "concepts",
        {
          total: rows.length,
          source: "vocabulary",
          concepts: rows
            .slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
            .map(({ members, words }, i) => {
              const files = new Map<number, number>()
              for (const node of members)
                files.set(columns.files[node]!, (files.get(columns.files[node]!) ?? 0) + 1)
              const top = [...files].sort((a, b) => b[1] - a[1] || a[0] - b[0])
              return {
                cluster_id: `w${call.offset + i + 1}`,
                theme: words
                  .slice(0, themeWords)
                  .map(([word]) => word)
                  .join(" "),
                word_count: words.length,
                member_size: members.length,
                file_count: files.size,
                files: top.slice(0, shown).map(([file]) => pathOf(view, file)),
                member_sample: members.slice(0, shown).map((node) => view.idOf(columns.refOf(node)))
              }
            }),
          scope: {
            words: found.words,
            definitions: found.definitions,
            left_out: "tests, local definitions, data files"
          },
          freshness: freshnessOf(view.freshness)
        },
        { from: call.offset, total: rows.length, snapshot: view.generation }
      )
    })
})
