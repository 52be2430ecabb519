/** Holds changed definitions to the rules of `.effectrc`. */
import { Effect } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import { GuardRules, type Severity } from "../../registry/GuardRules.ts"
import type { EdgeInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { fileOf } from "../relations/Files.ts"
import { readSection, sectionOf } from "../shared/settings.ts"
import { withParts } from "./Affected.ts"

/** Reads the rules out of the text of a configuration; undefined when it has none. */
export const readRules = readSection({
  key: "guards",
  schema: GuardRules,
  data: {
    rule_kinds: ["co_change", "boundaries", "layers", "fan_out", "callers"],
    severities: ["error", "warn", "info"]
  },
  fault: ({ layers = [] }) => {
    const names = layers.map(({ name }) => name)
    const stray = layers.flatMap(({ allow = [], deny = [], name }) =>
      [...allow, ...deny].filter((other) => !names.includes(other)).map((other) => `${name} names ${other}`)
    )
    return stray.length === 0
      ? undefined
      : `.layers: ${stray.join("; ")}, which is no layer; layers: ${names.join(", ")}`
  }
})

/** The rules of the workspace; undefined when it states none. */
export const rules: Effect.Effect<GuardRules | undefined, OperationFailure, ReadFs> = sectionOf(readRules)

export interface Violation {
  readonly rule_name: string
  readonly kind: "co_change" | "boundary" | "layer" | "fan_out" | "callers"
  readonly description: string
  readonly severity: Severity
  /** Id of the definition or file that breaks the rule. */
  readonly violator: string
  readonly file_path: string
  readonly line?: number
  readonly target?: string
  readonly layer_from?: string
  readonly layer_to?: string
}

const any = (
  globs: ReadonlyArray<string>,
  glob: (pattern: string) => (path: string) => boolean
): ((path: string) => boolean) => {
  const tests = globs.map((pattern) => glob(pattern))
  return (path) => tests.some((test) => test(path))
}

/** Edges of a kind that lets one file know another: imports alone do too. */
const between = (view: GraphView, edge: EdgeInfo) => ({
  from: edge.path,
  to: view.pathOf(edge.to)
})

/**
 * What of the rules some changed definitions break, uses known by name only left out. `changed` are the files known to
 * have changed besides.
 */
export const violationsOf = (
  view: GraphView,
  held: GuardRules,
  refs: ReadonlyArray<SymbolRef>,
  changed: ReadonlySet<string>
): Effect.Effect<ReadonlyArray<Violation>, never, TextIndex> =>
  Effect.map(TextIndex, ({ glob }) => {
    const out: Array<Violation> = []
    const seen = new Set<string>()
    const put = (violation: Violation) => {
      const key = `${violation.rule_name}\0${violation.violator}\0${violation.target ?? ""}`
      if (seen.has(key)) return
      seen.add(key)
      out.push(violation)
    }
    const parts = withParts(view, refs)
    const own = new Set(refs.map((ref) => view.pathOf(ref)))
    const uses = refs.flatMap((ref) => view.outgoing(ref)).filter(({ tier }) => tier !== "name")

    for (const { also, description, name, severity = "warn", when } of held.co_change ?? []) {
      const isWhen = any(when, glob)
      const isAlso = any(also, glob)
      const first = [...own].find((path) => isWhen(path) && !isAlso(path))
      if (first === undefined || [...own, ...changed].some(isAlso)) continue
      put({
        rule_name: name,
        kind: "co_change",
        description: description ?? `${first} changed and nothing of ${also.join(", ")} did`,
        severity,
        violator: first,
        file_path: first
      })
    }
    for (const { description, except, from, name, severity = "warn", to } of held.boundaries ?? []) {
      const isFrom = any(from, glob)
      const isTo = any(to, glob)
      const isExcept = except === undefined ? () => false : any(except, glob)
      for (const edge of uses) {
        const path = between(view, edge)
        if (path.from === path.to || !isFrom(path.from) || !isTo(path.to) || isExcept(path.to)) continue
        put({
          rule_name: name,
          kind: "boundary",
          description: description ?? `${path.from} may not use ${path.to}`,
          severity,
          violator: view.idOf(edge.from),
          file_path: edge.path,
          line: edge.line,
          target: view.idOf(edge.to)
        })
      }
    }
    const layers = (held.layers ?? []).map((layer) => ({ ...layer, holds: any(layer.paths, glob) }))
    if (layers.length > 0) {
      const layerOf = (path: string) => layers.find(({ holds }) => holds(path))
      for (const edge of uses) {
        const path = between(view, edge)
        const from = layerOf(path.from)
        const to = layerOf(path.to)
        if (from === undefined || to === undefined || from === to) continue
        const refused =
          from.deny?.includes(to.name) === true || (from.allow !== undefined && !from.allow.includes(to.name))
        if (!refused) continue
        put({
          rule_name: from.name,
          kind: "layer",
          description: from.description ?? `layer ${from.name} may not use layer ${to.name}`,
          severity: from.severity ?? "warn",
          violator: view.idOf(edge.from),
          file_path: edge.path,
          line: edge.line,
          target: view.idOf(edge.to),
          layer_from: from.name,
          layer_to: to.name
        })
      }
    }
    for (const { description, max, name, paths, severity = "warn" } of held.fan_out ?? []) {
      const holds = any(paths, glob)
      for (const path of own) {
        const file = view.fileRef(path)
        if (file === undefined || !holds(path)) continue
        const used = new Set<string>()
        for (const edge of view.outgoing(file))
          if (edge.tier !== "name") used.add(view.pathOf(fileOf(view, edge.to)))
        used.delete(path)
        if (used.size <= max) continue
        put({
          rule_name: name,
          kind: "fan_out",
          description: description ?? `${path} uses ${used.size} other files, at most ${max} are allowed`,
          severity,
          violator: path,
          file_path: path
        })
      }
    }
    for (const { deny, description, name, of, severity = "warn" } of held.callers ?? []) {
      const isOf = any(of, glob)
      const isDenied = any(deny, glob)
      const calls = new Set(["call", "new", "macro", "decorate"])
      const callsIn = parts.filter((ref) => isOf(view.pathOf(ref))).flatMap((ref) => view.incoming(ref))
      for (const edge of [...uses, ...callsIn]) {
        if (edge.tier === "name" || !calls.has(edge.role)) continue
        const path = between(view, edge)
        if (path.from === path.to || !isDenied(path.from) || !isOf(path.to)) continue
        put({
          rule_name: name,
          kind: "callers",
          description: description ?? `${path.from} may not call ${path.to}`,
          severity,
          violator: view.idOf(edge.from),
          file_path: edge.path,
          line: edge.line,
          target: view.idOf(edge.to)
        })
      }
    }
    const weight = { error: 0, warn: 1, info: 2 }
    return out.sort((a, b) => weight[a.severity] - weight[b.severity])
  })
