import { Effect } from "effect"
import { fromService, invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type FileInfo, type GraphView } from "../../../services/CodeGraph.ts"
import { ControlStore } from "../../../services/ControlStore.ts"
import type { CoverageRecord } from "../../../services/ControlTables.ts"
import { type CoveredFile, coverageFormats, CoverageReader } from "../../../services/CoverageReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { measurable } from "../../shared/past/Measured.ts"
import { graph } from "../../shared/symbols.ts"
import { workspaceAdmin } from "../facade.ts"
import { pathMatcher } from "./paths.ts"

/** Files an answer lists. */
const shown = 20

/** Lines as runs of first and last. */
const runsOf = (lines: Iterable<number>): ReadonlyArray<number> => {
  const out: Array<number> = []
  for (const line of [...lines].sort((a, b) => a - b)) {
    if (out.length > 0 && out.at(-1) === line - 1) out[out.length - 1] = line
    else out.push(line, line)
  }
  return out
}

/** What a profile says of a file, by its lines and definitions. A statement counts where it begins. */
export const recordOf = (view: GraphView, file: FileInfo, blocks: CoveredFile["blocks"]): CoverageRecord => {
  const covered = new Set<number>()
  const uncovered = new Set<number>()
  const symbols = measurable(view, file.path)
  const counts = symbols.map(() => ({ hit: 0, total: 0 }))
  let hit = 0
  let total = 0
  for (let at = 0; at < blocks.length; at += 4) {
    const [first, last, statements, hits] = [blocks[at]!, blocks[at + 1]!, blocks[at + 2]!, blocks[at + 3]!]
    for (let line = first; line <= last; line++) (hits > 0 ? covered : uncovered).add(line)
    total += statements
    if (hits > 0) hit += statements
    symbols.forEach((symbol, i) => {
      if (first < symbol.first || first > symbol.last) return
      counts[i]!.total += statements
      if (hits > 0) counts[i]!.hit += statements
    })
  }
  for (const line of covered) uncovered.delete(line)
  return {
    sha: file.sha,
    covered: runsOf(covered),
    uncovered: runsOf(uncovered),
    hit,
    total,
    symbols: symbols.flatMap(({ id, kind, line }, i) =>
      counts[i]!.total === 0 ? [] : [{ id, kind, line, ...counts[i]! }]
    )
  }
}

const needs = [ControlStore, CoverageReader, ReadFs, CodeGraph] as const

export const coverage: Member<typeof workspaceAdmin, "coverage", typeof needs> = workspaceAdmin.operation(
  "coverage",
  {
    tool: "analyze",
    fixed: { kind: "coverage" },
    summary: "Stamp test coverage on symbols, from a coverage profile.",
    long: true,
    tier: 2,
    input: F.input({ arguments: F.group({ profile: F.described(F.path, "path of the coverage profile") }) }),
    needs,
    handler: ({ arguments: options }) =>
      Effect.gen(function* () {
        const profile = yield* Effect.mapError((yield* CoverageReader).read(options.profile), (cause) =>
          cause.reason === "unknown_format" || cause.reason === "malformed"
            ? invalidArgument("arguments.profile", cause.detail, {
                reason_code: cause.reason,
                data: { formats: coverageFormats }
              })
            : fromService(cause, { field: "arguments.profile", failure_stage: "resolve" })
        )
        const view = yield* graph
        const fs = yield* ReadFs
        const match = pathMatcher(
          view.files().map(({ path }) => path),
          profile.path
        )
        const merged = new Map<string, { readonly file: FileInfo; readonly blocks: Array<number> }>()
        const left: Array<{ readonly path: string; readonly reason: string }> = []
        const bases = new Map<string, number>()
        let segments = 0
        for (const { blocks, path } of profile.files) {
          segments += blocks.length / 4
          const found = match(path)
          if (found.path === undefined) {
            left.push({ path, reason: found.reason })
            continue
          }
          const file = view.file(found.path)!
          let last = 0
          for (let at = 1; at < blocks.length; at += 4) last = Math.max(last, blocks[at]!)
          if (file.skipped !== undefined) left.push({ path, reason: file.skipped })
          // The profile speaks of lines the file does not have: it is of another version.
          else if (last > file.lines + 1) left.push({ path, reason: "other_version" })
          else {
            if (path.endsWith(`/${found.path}`)) {
              const base = path.slice(0, -found.path.length - 1)
              bases.set(base, (bases.get(base) ?? 0) + 1)
            }
            const known = merged.get(found.path)
            if (known === undefined) merged.set(found.path, { file, blocks: [...blocks] })
            else known.blocks.push(...blocks)
          }
        }
        if (profile.files.length > 0 && merged.size === 0)
          return yield* invalidArgument(
            "arguments.profile",
            `none of the ${profile.files.length} files in ${profile.path} is an indexed file of this workspace`,
            { reason_code: "no_file_matches", data: { files: left.slice(0, shown) } }
          )
        const records = new Map<string, CoverageRecord>()
        const newer: Array<string> = []
        for (const [path, { blocks, file }] of merged) {
          records.set(path, recordOf(view, file, blocks))
          const disk = yield* Effect.option(fs.readDisk(path))
          if (disk._tag === "Some" && disk.value.mtime_ms > profile.mtime_ms) newer.push(path)
        }
        let enriched = 0
        let hit = 0
        let total = 0
        for (const record of records.values()) {
          enriched += record.symbols.length
          hit += record.hit
          total += record.total
        }
        const run = yield* Effect.mapError(
          (yield* ControlStore).replace("coverage", records, {
            profile: profile.path,
            format: profile.format,
            profile_written_at: new Date(profile.mtime_ms).toISOString(),
            ...(view.freshness.head === undefined ? {} : { head: view.freshness.head })
          }),
          (cause) => fromService(cause)
        )
        const base = [...bases].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0]
        return {
          enriched,
          files: records.size,
          segments,
          statements: { hit, total },
          ...(total === 0 ? {} : { coverage_pct: Math.round((1000 * hit) / total) / 10 }),
          profile: profile.path,
          format: profile.format,
          ...(profile.format === "go" && base !== undefined ? { module_path: base } : {}),
          ...(left.length === 0 ? {} : { files_left_out: left.length, left_out: left.slice(0, shown) }),
          ...(newer.length === 0
            ? {}
            : {
                files_newer_than_profile: newer.length,
                newer_than_profile: newer.sort().slice(0, shown),
                note: "files that were written after the profile may have moved lines since"
              }),
          stamped_at: new Date(run.at).toISOString()
        }
      })
  }
)
