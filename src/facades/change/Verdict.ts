/** One verdict out of what is known of a change. */
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { Risk } from "./Affected.ts"

export type ContractVerdict = "allow" | "warn" | "refuse"

/** Why a verdict is not better. */
export interface Reason {
  /** guards, callers, implementors, deleted, risk, risk_gate, completeness, repositories. */
  readonly family: string
  readonly severity: "error" | "warn" | "info"
  readonly message: string
  /** From 0 to 1: how sure it is that this holds. */
  readonly confidence: number
}

export const verdictOf = (reasons: ReadonlyArray<Reason>): ContractVerdict =>
  reasons.some(({ severity }) => severity === "error")
    ? "refuse"
    : reasons.some(({ severity }) => severity === "warn")
      ? "warn"
      : "allow"

/** Dependents at which half of their share of the score is reached. */
const half = 30
const shares = { blast: 0.6, rank: 0.4 } as const

export interface Score {
  /** From 0 to 100. */
  readonly score: number
  readonly tier: "high" | "medium" | "low"
}

/** How much hangs on what changed: what it reaches, and how much of the code leans on the heaviest of it. */
export const scoreOf = (
  view: GraphView,
  refs: ReadonlyArray<SymbolRef>,
  reached: number,
  risk: Risk
): Score => {
  const rank = refs.reduce((highest, ref) => Math.max(highest, view.rank(ref)), 0)
  const score = Math.round(1000 * (shares.blast * (reached / (reached + half)) + shares.rank * rank)) / 10
  return {
    score,
    tier:
      score >= 67 || risk === "HIGH" || risk === "CRITICAL"
        ? "high"
        : score >= 34 || risk === "MEDIUM"
          ? "medium"
          : "low"
  }
}

/** Uses from which a symbol carries enough to be gated, and its rank that does the same. */
const gatedUses = 8
const gatedRank = 0.66

/** Symbols that a gate holds until somebody has acknowledged the risk. */
export const loadBearing = (view: GraphView, refs: ReadonlyArray<SymbolRef>): ReadonlyArray<SymbolRef> =>
  refs.filter(
    (ref) => !view.isFile(ref) && (view.incomingCount(ref) >= gatedUses || view.rank(ref) >= gatedRank)
  )

export type Classification = "structural" | "runtime_drift" | "metadata_only" | "behavioral"

const configuration =
  /(?:^|\/)(?:\.env[^/]*|Dockerfile[^/]*|docker-compose[^/]*|Makefile|Procfile|[^/]+\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|properties|env|tf|tfvars|hcl))$/i

/** What kind of change it is, by the files that changed and how. */
export const classify = (
  files: ReadonlyArray<{ readonly path: string; readonly renameOnly: boolean }>,
  symbols: number
): Classification =>
  files.length > 0 && files.every(({ renameOnly }) => renameOnly)
    ? "structural"
    : files.length > 0 && files.every(({ path }) => configuration.test(path))
      ? "runtime_drift"
      : symbols === 0
        ? "metadata_only"
        : "behavioral"
