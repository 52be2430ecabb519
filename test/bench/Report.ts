/** The tables of a run. */
import type { Analyzed } from "./Analyzing.ts"
import type { Changed } from "./Changing.ts"
import type { Cost, Indexed } from "./Indexing.ts"
import type { Round } from "./Loading.ts"
import type { Machine } from "./Machine.ts"
import type { RenameCost, Renamed } from "./Renaming.ts"
import type { Tracked } from "./Repositories.ts"
import type { Latency, Served } from "./Serving.ts"
import type { Spread, Started } from "./Starting.ts"
import type { WorkTrees } from "./WorkTrees.ts"
import type { Written } from "./Writing.ts"

export interface TreeReport {
  readonly tree: string
  readonly commit: string | undefined
  readonly indexed: Indexed
  readonly changed?: Changed | undefined
  readonly started?: Started | undefined
  readonly served?: Served | undefined
  readonly written?: Written | undefined
  readonly analyzed?: Analyzed | undefined
  readonly loaded?: ReadonlyArray<Round> | undefined
  readonly renamed?: Renamed | undefined
}
export interface Report {
  readonly machine: Machine
  readonly loadBefore: number
  readonly loadAfter: number
  readonly trees: ReadonlyArray<TreeReport>
  readonly tracked?: Tracked | undefined
  /** By the name of the tree. */
  readonly workTrees?: ReadonlyArray<readonly [tree: string, of: WorkTrees]> | undefined
}

const fixed = (value: number | undefined, digits = 1): string =>
  value === undefined || !Number.isFinite(value) ? "–" : value.toFixed(digits)
const count = (value: number | undefined): string =>
  value === undefined ? "–" : String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",")
const megabytes = (bytes: number): string => fixed(bytes / 1e6, bytes < 1e7 ? 1 : 0)

/** A table in Markdown, its columns padded so that it reads as plain text too. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => (row[column] ?? "").length))
  )
  const line = (cells: ReadonlyArray<string>) =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width))).join(" | ")} |`
  return [
    line(head),
    `|${widths.map((width, column) => `${"-".repeat(width + 1)}${column === 0 ? "-" : ":"}`).join("|")}|`,
    ...rows.map(line)
  ].join("\n")
}

/** The cost of the peer that needs the least processor time. */
const fastest = (peers: ReadonlyArray<Cost>): Cost | undefined =>
  peers.reduce<Cost | undefined>(
    (least, peer) => (least === undefined || peer.cpuSeconds < least.cpuSeconds ? peer : least),
    undefined
  )

const indexTable = (trees: ReadonlyArray<TreeReport>): string =>
  table(
    [
      "tree, tool (runs)",
      "wall s",
      "CPU s",
      "peak MB",
      "MB/CPU s",
      "definitions",
      "without parameters",
      "calls, caller to callee",
      "store MB",
      "fastest peer ÷ this, CPU",
      "wall",
      "memory"
    ],
    trees.flatMap(({ indexed: { ours, peers }, tree }) => {
      const best = fastest(peers)
      const row = (
        name: string,
        cost: Cost,
        contents: {
          readonly definitions: number
          readonly parameters?: number
          readonly callEdges: number | undefined
          readonly storeBytes: number
        }
      ) => [
        `${tree}, ${name} (${cost.runs})`,
        fixed(cost.wallSeconds),
        fixed(cost.cpuSeconds),
        megabytes(cost.peakBytes),
        fixed(ours.contents.sourceBytes / 1e6 / cost.cpuSeconds),
        count(contents.definitions),
        count(contents.definitions - (contents.parameters ?? 0)),
        count(contents.callEdges),
        megabytes(contents.storeBytes),
        ...(best === undefined
          ? ["–", "–", "–"]
          : [
              `${fixed(best.cpuSeconds / cost.cpuSeconds, 2)}×`,
              `${fixed(best.wallSeconds / cost.wallSeconds, 2)}×`,
              `${fixed(best.peakBytes / cost.peakBytes, 2)}×`
            ])
      ]
      return [
        row("Portico", ours, ours.contents),
        ...peers.map((peer) => row(`${peer.name} ${peer.version}`, peer, peer.contents))
      ]
    })
  )

const contentsTable = (trees: ReadonlyArray<TreeReport>): string =>
  table(
    [
      "tree",
      "files",
      "with facts",
      "MB of them",
      "definitions",
      "references",
      "call sites",
      "resolved",
      "share"
    ],
    trees.map(
      ({
        indexed: {
          ours: { contents: c }
        },
        tree
      }) => [
        tree,
        count(c.files),
        count(c.sourceFiles),
        megabytes(c.sourceBytes),
        count(c.definitions),
        count(c.references),
        count(c.callSites),
        count(c.resolvedCallSites),
        `${fixed((c.resolvedCallSites / c.callSites) * 100, 0)} %`
      ]
    )
  )

const changeTable = (rows: ReadonlyArray<readonly [string, Changed]>): string =>
  table(
    ["tree, tool", "edits", "found p50 ms", "p95", "its caller too, p50", "p95", "CPU s an edit"],
    rows.flatMap(([tree, c]) => [
      [
        `${tree}, Portico, serving`,
        count(c.edits),
        fixed(c.searchP50, 0),
        fixed(c.searchP95, 0),
        fixed(c.callersP50, 0),
        fixed(c.callersP95, 0),
        fixed(c.cpuSeconds, 2)
      ],
      ...c.peers.map((peer) => [
        `${tree}, ${peer.name}, by command`,
        "3",
        fixed(peer.wallSeconds * 1000, 0),
        "–",
        "–",
        "–",
        fixed(peer.cpuSeconds, 2)
      ])
    ])
  )

const startTable = (rows: ReadonlyArray<readonly [string, Started]>): string =>
  table(
    [
      "tree, by",
      "runs",
      "node -e 0, ms (least)",
      "bare server, list of tools",
      "Portico, list of tools",
      "÷ bare",
      "CPU ÷ bare",
      "Portico, first callers"
    ],
    rows.flatMap(([tree, s]) => {
      const both = ({ least, median }: Spread) => `${fixed(median, 0)} (${fixed(least, 0)})`
      return (["stdio", "http"] as const).map((by) => {
        const way = s[by]
        return [
          `${tree}, ${by}`,
          count(s.runs),
          both(s.node),
          both(way.bare),
          both(way.tools),
          `${fixed(way.tools.median / way.bare.median, 2)}×`,
          `${fixed(way.toolsCpuSeconds / way.bareCpuSeconds, 2)}×`,
          both(way.firstCallers)
        ]
      })
    })
  )

const latencyHead = [
  "tree, operation",
  "calls",
  "failed",
  "p50 ms",
  "p95",
  "in the server p50",
  "p95",
  "CPU ms",
  "bytes p50"
]
const latencyRow = (tree: string, o: Latency): ReadonlyArray<string> => [
  `${tree}, ${o.operation}`,
  count(o.count),
  count(o.errors),
  fixed(o.p50, 2),
  fixed(o.p95, 2),
  fixed(o.inServerP50, 2),
  fixed(o.inServerP95, 2),
  fixed(o.cpuMs, 1),
  count(o.bytesP50)
]

const writeTable = (rows: ReadonlyArray<readonly [string, Written]>): string =>
  table(
    latencyHead,
    rows.flatMap(([tree, { operations }]) => operations.map((o) => latencyRow(tree, o)))
  )

/** Aims of the change loop: milliseconds in the server at the 95th percentile. */
const aims: { readonly [operation: string]: number } = {
  "what a change reaches": 3,
  "dry run of an edit": 15,
  "simulation of an edit": 100
}
/** A rename may take so many times what the bare language service takes. */
const renameAim = 1.5

const aimTable = (
  written: ReadonlyArray<readonly [string, Written]>,
  renamed: ReadonlyArray<readonly [string, Renamed]>
): string => {
  const ratios = (costs: { readonly bare: RenameCost; readonly portico: RenameCost }) => {
    const wall = costs.portico.wallSeconds / costs.bare.wallSeconds
    const cpu = costs.portico.cpuSeconds / costs.bare.cpuSeconds
    return [
      `${fixed(costs.portico.cpuSeconds, 2)} s CPU`,
      `${fixed(costs.bare.cpuSeconds, 2)} s, ×${renameAim}`,
      `${fixed(cpu / renameAim, 2)} (wall ${fixed(wall / renameAim, 2)})`
    ]
  }
  return table(
    ["tree, operation", "measured", "aim", "measured ÷ aim"],
    [
      ...written.flatMap(([tree, { operations }]) =>
        operations.flatMap(({ inServerP95, operation }) => {
          const aim = aims[operation]
          return aim === undefined
            ? []
            : [
                [
                  `${tree}, ${operation}`,
                  `${fixed(inServerP95)} ms p95`,
                  `${aim} ms`,
                  fixed(inServerP95 / aim, 2)
                ]
              ]
        })
      ),
      ...renamed.flatMap(([tree, { checked, cold, files, id, sites, warm }]) => {
        const of = `${tree}, rename of ${id.slice(id.indexOf("::") + 2)} (${sites} sites in ${files} files; ${checked} checked)`
        return [
          [`${of}, warm`, ...ratios(warm)],
          [`${of}, cold`, ...ratios(cold)]
        ]
      })
    ]
  )
}

const serveTable = (rows: ReadonlyArray<readonly [string, Served]>): string =>
  table(
    latencyHead,
    rows.flatMap(([tree, { operations, ping }]) => [
      [
        `${tree}, ping`,
        count(operations[0]?.count),
        "0",
        fixed(ping.p50, 2),
        fixed(ping.p95, 2),
        "–",
        "–",
        "–",
        "–"
      ],
      ...operations.map((o) => latencyRow(tree, o))
    ])
  )

const memoryTable = (rows: ReadonlyArray<readonly [string, Served]>): string =>
  table(
    ["tree", "resident after the start, MB", "after all calls", "most"],
    rows.map(([tree, s]) => [
      tree,
      megabytes(s.residentAfterStart),
      megabytes(s.residentAfterRun),
      megabytes(s.peak)
    ])
  )

/** The most that the slowest of a hundred is of half when nobody else calls, over the kinds of reads. */
const worst = ({ kinds }: Round): { readonly name: string; readonly factor: number } =>
  kinds
    .map(({ idleP50, name, p99 }) => ({ name, factor: (p99 ?? Infinity) / (idleP50 ?? 1) }))
    .reduce((most, each) => (each.factor > most.factor ? each : most))

const loadTable = (rows: ReadonlyArray<readonly [string, ReadonlyArray<Round>]>): string =>
  table(
    [
      "tree, door",
      "sessions",
      "s",
      "pause, s",
      "answers",
      "told to wait",
      "errors",
      "alone p50 ms",
      "p99",
      "loaded p50",
      "p99",
      "p99 ÷ alone p50",
      "of the worst read",
      "clients late, p99 ms",
      "CPU s/s",
      "resident before, MB",
      "after"
    ],
    rows.flatMap(([tree, rounds]) =>
      rounds.map((round) => {
        const { factor, name } = worst(round)
        return [
          `${tree}, ${round.door}`,
          count(round.sessions),
          count(round.seconds),
          round.think[1] === 0 ? "none" : round.think.map((ms) => ms / 1000).join(" to "),
          count(round.answers),
          count(round.busy),
          count(round.errors),
          fixed(round.idleP50, 2),
          fixed(round.idleP99, 2),
          fixed(round.p50, 2),
          fixed(round.p99, 2),
          `${fixed((round.p99 ?? Infinity) / (round.idleP50 ?? 1))}×`,
          `${fixed(factor)}× (${name})`,
          fixed(round.lateP99, 2),
          fixed(round.cpuShare, 2),
          megabytes(round.before),
          megabytes(round.after)
        ]
      })
    )
  )

const analysisTable = (rows: ReadonlyArray<readonly [string, Analyzed]>): string =>
  table(
    ["tree, operation", "calls", "failed", "settled", "wall ms p50", "p95", "processor ms p50", "p95"],
    rows.flatMap(([tree, { operations }]) =>
      operations.map(({ count: calls, errors, operation, processor, settled, wall }) => [
        `${tree}, ${operation}`,
        count(calls),
        count(errors),
        count(settled),
        fixed(wall.p50),
        fixed(wall.p95),
        fixed(processor.p50),
        fixed(processor.p95)
      ])
    )
  )

const trackedTable = (t: Tracked): string =>
  table(
    ["many repositories", "value"],
    [
      ["tracked", count(t.repositories)],
      ["stored, MB", megabytes(t.storeBytes)],
      ["resident with none asked about, MB", megabytes(t.residentIdle)],
      ["a first question in one, p50 ms", fixed(t.coldP50, 0)],
      ["p95", fixed(t.coldP95, 0)],
      ["its CPU ms", fixed(t.coldCpuMs, 0)],
      ["resident after each was asked about, MB", megabytes(t.residentAfterTurn)],
      ["a question about all, first ms", fixed(t.wholeFirst, 0)],
      ["second", fixed(t.wholeSecond, 0)],
      ["resident after that, MB", megabytes(t.residentAfterWhole)],
      ["most, MB", megabytes(t.peak)]
    ]
  )

const workTreeTable = (of: NonNullable<Report["workTrees"]>): string =>
  table(
    [
      "work trees of one repository",
      "started, ms",
      "first answer, the indexed one",
      "one just added",
      "its CPU ms",
      "asked again",
      "stored, MB",
      "each further one, %",
      "files left behind"
    ],
    of.map(([tree, w]) => [
      tree,
      fixed(w.started, 0),
      fixed(w.indexed, 0),
      fixed(w.added, 0),
      fixed(w.addedCpuMs, 0),
      fixed(w.again, 0),
      megabytes(w.storedBytes),
      fixed((100 * w.addedBytes) / w.storedBytes, 2),
      count(w.leftFiles)
    ])
  )

/** Everything of a run, as Markdown. */
export const markdown = ({
  loadAfter,
  loadBefore,
  machine,
  tracked,
  trees,
  workTrees = []
}: Report): string => {
  const having = <K extends "changed" | "started" | "served" | "written" | "analyzed" | "loaded" | "renamed">(
    key: K
  ) =>
    trees.flatMap((report) =>
      report[key] === undefined
        ? []
        : [[report.tree, report[key]] as readonly [string, NonNullable<TreeReport[K]>]]
    )
  const started = having("started")
  const tools = started[0]?.[1]
  const part = (title: string, text: string, present: boolean) => (present ? [`### ${title}\n\n${text}`] : [])
  return [
    `${machine.date}, ${machine.cores} cores (${machine.processor}), ${fixed(machine.memoryBytes / 1e9, 0)} GB, ${machine.system}, node ${machine.node}; load over one minute ${fixed(loadBefore)} before, ${fixed(loadAfter)} after.`,
    ...part("Indexing from nothing", indexTable(trees), trees.length > 0),
    ...part("What the index holds", contentsTable(trees), trees.length > 0),
    ...part("One changed file", changeTable(having("changed")), having("changed").length > 0),
    ...part(
      "Start",
      `${startTable(started)}${tools === undefined ? "" : `\n\ntools/list: ${tools.toolCount} tools, ${count(tools.toolsBytes)} bytes; instructions: ${count(tools.instructionsBytes)} bytes.`}`,
      started.length > 0
    ),
    ...part("Answers of a running server", serveTable(having("served")), having("served").length > 0),
    ...part("The change loop", writeTable(having("written")), having("written").length > 0),
    ...part(
      "The change loop beside its aims",
      aimTable(having("written"), having("renamed")),
      having("written").length > 0
    ),
    ...part("Analyses", analysisTable(having("analyzed")), having("analyzed").length > 0),
    ...part("Memory of a running server", memoryTable(having("served")), having("served").length > 0),
    ...part("Many sessions over HTTP", loadTable(having("loaded")), having("loaded").length > 0),
    ...part("A further work tree", workTreeTable(workTrees), workTrees.length > 0),
    ...(tracked === undefined ? [] : part("Many repositories", trackedTable(tracked), true))
  ].join("\n\n")
}
