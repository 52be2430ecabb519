/** The whole audit: values, and the compiler's view of the sources where there are any. */
import type { PolicyRow } from "../../registry/Capabilities.ts"
import type { Registry } from "../../registry/Registry.ts"
import { audit, type Difference, type Place } from "../Audit.ts"
import type { PrincipalKind } from "../Principal.ts"
import { type Bounds, compare, grantedTo, strayGrants } from "./Compare.ts"
import { NoProgram, open, type Sources } from "./Compiler.ts"
import { look } from "./Sightings.ts"

/** An operation with what the compiler says of it. */
export interface AuditedRow extends PolicyRow {
  /** Kinds of callers who may have it run. */
  readonly granted: ReadonlyArray<PrincipalKind>
  /**
   * Names of the services its handler requires, and whatever stands in the place of one, as the compiler prints it;
   * undefined when no handler or no source was seen.
   */
  readonly requires: ReadonlyArray<string> | undefined
  readonly place: Place | undefined
}

/** What was looked at besides the values. */
export type Looked =
  | { readonly typed: true; readonly compiler: string; readonly files: number; readonly declarations: number }
  | { readonly typed: false; readonly because: string }

export interface Audited {
  readonly rows: ReadonlyArray<AuditedRow>
  readonly differences: ReadonlyArray<Difference>
  readonly looked: Looked
  /** Whether there were ceilings to check. */
  readonly bounded: boolean
}

export interface Subject {
  /** Undefined when the operations cannot be loaded; then only the sources are looked at. */
  readonly registry: Registry.Any | undefined
  /** Why a pack cannot be taken, as clauses. */
  readonly refused?: ReadonlyArray<string> | undefined
  /** The sources they were made from, or why there are none. */
  readonly sources: Sources | string
  readonly bounds: Bounds
}

const order = ({ place, rule, subject }: Difference): string =>
  `${subject}\0${rule}\0${place?.file ?? ""}\0${String(place?.line ?? 0).padStart(8, "0")}`

/** Audits. Fails only where the compiler fails for a reason of its own. */
export const audited = ({ bounds, refused = [], registry, sources }: Subject): Audited => {
  const values = registry === undefined ? undefined : audit(registry, bounds.ceilings)
  let looked: Looked
  let typed: ReturnType<typeof compare> = { differences: [], sightings: new Map() }
  if (typeof sources === "string") looked = { typed: false, because: sources }
  else {
    try {
      const program = open(sources)
      try {
        typed = compare(look(program), registry, bounds)
        looked = {
          typed: true,
          compiler: `TypeScript ${program.version}`,
          files: program.files.length,
          declarations: typed.sightings.size
        }
      } finally {
        program.close()
      }
    } catch (cause) {
      if (!(cause instanceof NoProgram)) throw cause
      looked = { typed: false, because: cause.message }
    }
  }
  const rows = (values?.rows ?? []).map((row): AuditedRow => {
    const sighting = typed.sightings.get(`${row.facade}.${row.operation}`)
    const operation = registry?.lookup(row.facade, row.operation)
    return {
      ...row,
      granted: operation === undefined ? [] : grantedTo(operation, bounds.grants),
      requires:
        sighting?.requires === undefined
          ? undefined
          : [
              ...sighting.requires.keys.map((key) => key.replace("portico/", "")),
              ...sighting.requires.others
            ],
      place: sighting?.place
    }
  })
  const differences = [
    ...(values?.differences ?? []),
    ...refused.map(
      (message): Difference => ({ rule: "refused", subject: "pack", message: `is refused: ${message}` })
    ),
    ...(registry === undefined ? [] : strayGrants(registry, bounds.grants)),
    ...typed.differences
  ].sort((left, right) => (order(left) < order(right) ? -1 : order(left) > order(right) ? 1 : 0))
  return { rows, differences, looked, bounded: Object.keys(bounds.ceilings).length > 0 }
}
