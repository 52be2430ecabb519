/** Indexing from nothing: ours, and others in turns with it. */
import type { Measured } from "./Command.ts"
import type { Peer, PeerContents } from "./Peers.ts"
import { median } from "./Statistics.ts"
import type { Contents, Subject } from "./Subject.ts"

/** Medians of a tool's runs over one tree. */
export interface Cost {
  readonly runs: number
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly peakBytes: number
}

export interface Indexed {
  readonly ours: Cost & { readonly contents: Contents }
  readonly peers: ReadonlyArray<
    Cost & { readonly name: string; readonly version: string; readonly contents: PeerContents }
  >
}

const cost = (runs: ReadonlyArray<Measured>): Cost => ({
  runs: runs.length,
  wallSeconds: median(runs.map(({ wallMs }) => wallMs))! / 1000,
  cpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds))!,
  peakBytes: median(runs.map(({ peakBytes }) => peakBytes))!
})

/** A peer that needs so many times the processor time of the fastest is run once: it decides no ratio. */
const hopeless = 2

/** A peer and the copy of the tree it works on. */
export interface Placed {
  readonly peer: Peer
  readonly tree: string
}

/** Afterwards the index of the last run is there, each tool's in its place. */
export const indexing = async (
  subject: Subject,
  peers: ReadonlyArray<Placed>,
  tree: string,
  options: { readonly runs: number; readonly say: (text: string) => void }
): Promise<Indexed> => {
  const { runs, say } = options
  const copies = peers.map((placed) => ({ ...placed, runs: [] as Array<Measured> }))
  const own: Array<Measured> = []
  for (let round = 0; round < runs; round++) {
    own.push(await subject.index(tree))
    say(`  ours  ${shown(own[round]!)}`)
    const least = Math.min(...copies.map((copy) => copy.runs[0]?.cpuSeconds ?? Number.POSITIVE_INFINITY))
    for (const copy of copies) {
      if (round > 0 && copy.runs[0]!.cpuSeconds > hopeless * least) continue
      copy.runs.push(await copy.peer.index(copy.tree))
      say(`  ${copy.peer.name}  ${shown(copy.runs[copy.runs.length - 1]!)}`)
    }
  }
  const found = copies.map((copy) => ({
    name: copy.peer.name,
    version: copy.peer.version,
    ...cost(copy.runs),
    contents: copy.peer.contents(copy.tree)
  }))
  return { ours: { ...cost(own), contents: subject.contents() }, peers: found }
}

const shown = ({ cpuSeconds, peakBytes, wallMs }: Measured): string =>
  `${(wallMs / 1000).toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s, ${Math.round(peakBytes / 1e6)} MB`
