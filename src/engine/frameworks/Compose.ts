/** The facts of several repositories as those of one workspace. */
import { isWithin } from "../../registry/Place.ts"
import type { FactReading, FactSite, FactTarget, PassRow } from "../../services/FrameworkFacts.ts"

const target = (prefix: string, { id, ...rest }: FactTarget): FactTarget => ({
  ...rest,
  id: id === undefined ? undefined : prefix + id
})
const site = <S extends FactSite>(prefix: string, fact: S): S => ({
  ...fact,
  file: prefix + fact.file,
  within: prefix + fact.within,
  repository: fact.repository === "" ? prefix.replace(/\/$/, "") : prefix + fact.repository
})

/** A reading with its paths and ids behind a prefix. */
export const told = (prefix: string, reading: FactReading): FactReading => ({
  ...reading,
  routes: reading.routes.map((route) => ({ ...site(prefix, route), handler: target(prefix, route.handler) })),
  notes: reading.notes.map((note) => ({
    ...site(prefix, note),
    targets: Object.fromEntries(
      Object.entries(note.targets).map(([role, each]) => [role, target(prefix, each)])
    )
  })),
  coverage: {
    ...reading.coverage,
    unread: reading.coverage.unread.map(({ path, reason }) => ({ path: prefix + path, reason }))
  }
})

/** What of a reading lies below some paths; all of it where there are none. */
export const below = (reading: FactReading, paths: ReadonlyArray<string>): FactReading => {
  if (paths.length === 0) return reading
  const inside = ({ file }: FactSite) => paths.some((path) => isWithin(file, path))
  return { ...reading, routes: reading.routes.filter(inside), notes: reading.notes.filter(inside) }
}

/** Several readings as one; the first is that of the repository that is served. */
export const merged = (
  readings: readonly [FactReading, ...ReadonlyArray<FactReading>],
  missing: ReadonlyArray<string>
): FactReading => {
  const [first] = readings
  const passes = new Map<string, PassRow>()
  for (const row of readings.flatMap((each) => each.passes)) {
    const key = `${row.family}:${row.name}`
    const known = passes.get(key)
    passes.set(key, known === undefined ? row : { ...known, files: known.files + row.files })
  }
  const stale = readings.find(({ freshness }) => freshness.state !== "fresh")
  return {
    routes: readings.flatMap(({ routes }) => routes),
    notes: readings.flatMap(({ notes }) => notes),
    coverage: {
      candidate_files: readings.reduce((sum, { coverage }) => sum + coverage.candidate_files, 0),
      read_files: readings.reduce((sum, { coverage }) => sum + coverage.read_files, 0),
      unread: [
        ...readings.flatMap(({ coverage }) => coverage.unread),
        ...missing.map((path) => ({ path, reason: "repository_unavailable" }))
      ]
    },
    passes: [...passes.values()],
    generation: readings.map(({ generation }) => generation).join("+"),
    freshness: stale?.freshness ?? first.freshness
  }
}
