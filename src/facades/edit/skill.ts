import { Effect } from "effect"
import ignore from "ignore"
import { failure, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { isWithin } from "../../registry/Place.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { edit } from "./facade.ts"
import { dryRun } from "./fields.ts"
import { inside, put } from "./generated/Files.ts"
import { madeHere, type Reference, referenceOf, skillName, skillPage } from "./generated/Skill.ts"
import { refusing } from "./Refused.ts"

/** Bytes of one reference and of all of them. */
const largestReference = 256 << 10
const largestSkill = 8 << 20
/** Symbols of the table. */
const mostSymbols = 100
const longestDescription = 1024
/** What a mask of {@link ReadFs} leaves in any text, not only in configuration. */
const masked = /\[redacted:(?:private_key|known_token|url_password)\]/

interface Skipped {
  readonly path: string
  readonly reason: string
}

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView, WorkspaceView] as const

export const skill: Member<typeof edit, "skill", typeof needs> = edit.operation("skill", {
  tool: "generate_skill",
  summary: "A folder bundled as an agent skill with reference files.",
  tier: 2,
  input: F.input({
    dry_run: dryRun,
    options: F.group({
      directory: F.described(F.path, "folder to bundle"),
      skill_name: F.optional(F.text),
      description: F.optional(F.text),
      output_dir: F.optional(F.path),
      include_patterns: F.optional(F.described(F.csv, "globs to keep")),
      ignore_patterns: F.optional(F.described(F.csv, "globs to leave out")),
      compress: F.withDefault(F.described(F.flag, "stub bodies in references"), false),
      max_references: F.clamped({ min: 1, max: 1000, default: 50 })
    })
  }),
  needs,
  handler: ({ dry_run, options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fs = yield* ReadFs
      const workspace = yield* WorkspaceView
      const again = (changed: { readonly [key: string]: unknown }) =>
        draft("fallback_recovery", "edit", {
          operation: "skill",
          dry_run: true,
          options: { ...options, ...changed }
        })
      const given = yield* inside(options.directory, "options.directory")
      const directory = given === "." ? "" : given.replace(/\/+$/, "")
      const prefix = directory === "" ? "" : `${directory}/`
      const base = directory === "" ? workspace.name : directory.slice(directory.lastIndexOf("/") + 1)
      const name = options.skill_name ?? (skillName(base) || "skill")
      if (skillName(name) !== name)
        return yield* invalidArgument(
          "options.skill_name",
          "must be small letters, digits and single hyphens, at most 64 characters",
          {
            reason_code: "invalid_skill_name",
            data: { skill_name: name },
            recovery: again({ skill_name: skillName(name) || "skill" })
          }
        )
      const description =
        options.description ??
        `Code of ${directory === "" ? workspace.name : directory}: its files, symbols and signatures. Use when reading, calling or changing it.`
      if (description.length > longestDescription)
        return yield* invalidArgument(
          "options.description",
          `must have at most ${longestDescription} characters`,
          {
            reason_code: "description_too_long",
            recovery: again({ description: description.slice(0, longestDescription) })
          }
        )
      const output = yield* inside(options.output_dir ?? `.claude/skills/${name}`, "options.output_dir")
      const folder = output === "." ? "" : output
      const at = (path: string) => (folder === "" ? path : `${folder}/${path}`)
      const files = view
        .files()
        .filter(({ path }) => path.startsWith(prefix) && (folder === "" || !isWithin(path, folder)))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
      if (files.length === 0)
        return yield* failure("not_found", `no listed file is below ${options.directory}`, {
          field: "options.directory",
          failure_stage: "resolve",
          data: { directory },
          recovery: draft("fallback_recovery", "search", { operation: "files", query: base })
        })
      const includes =
        options.include_patterns === undefined ? undefined : ignore().add([...options.include_patterns])
      const ignores = ignore().add([...(options.ignore_patterns ?? [])])
      const skipped: Array<Skipped> = []
      const references: Array<Reference> = []
      let bytes = 0
      for (const { path, size, skipped: unread } of files) {
        const source = path.slice(prefix.length)
        if ((includes !== undefined && !includes.ignores(source)) || ignores.ignores(source)) continue
        const skip = (reason: string) => skipped.push({ path, reason })
        if (references.length >= options.max_references) skip("over_max_references")
        else if (unread === "binary") skip("binary")
        else if (size > largestReference) skip("too_large")
        else {
          const read = yield* Effect.either(fs.readText(path))
          if (read._tag === "Left") skip(read.left.reason)
          else if (
            fs.redact(path, read.right.text).redactions > 0 ||
            masked.test(fs.redact(".env", read.right.text).text)
          )
            skip("secrets")
          else {
            const made = referenceOf(view, path, source, read.right.text, options.compress)
            const own = Buffer.byteLength(made.content)
            if (bytes + own > largestSkill) skip("over_total_size")
            else {
              bytes += own
              references.push(made)
            }
          }
        }
      }
      if (references.length === 0)
        return yield* failure("not_found", "no file is left to bundle", {
          field: options.include_patterns === undefined ? "options.directory" : "options.include_patterns",
          failure_stage: "resolve",
          reason_code: "nothing_to_bundle",
          data: { skipped: skipped.slice(0, 50), skipped_count: skipped.length },
          recovery: draft("fallback_recovery", "search", { operation: "files", query: base })
        })

      // The writer knows which places hold secrets by their names: it is asked before anything is promised.
      const writer = yield* LocalWriter
      const plan = yield* writer.plan(
        references.map(({ source }) => ({ op: "write", path: `${prefix}${source}`, content: "" })),
        { unlimited: true, allowParseErrors: true }
      )
      const secret = new Set(
        plan.problems
          .filter(({ reason }) => reason === "sensitive_path")
          .flatMap(({ changeIndex }) => (changeIndex === undefined ? [] : [changeIndex]))
      )
      for (const index of secret)
        skipped.push({ path: `${prefix}${references[index]!.source}`, reason: "sensitive_path" })
      const bundled = references.filter((_, index) => !secret.has(index))
      const symbols = bundled.flatMap(({ source }) =>
        view
          .definitions(`${prefix}${source}`)
          .map((ref) => view.symbol(ref))
          .filter(({ flags, kind, test }) => !test && !flags.includes("local") && kind !== "heading")
      )
      const key = [...symbols]
        .sort((a, b) => view.rank(b.ref) - view.rank(a.ref) || (a.id < b.id ? -1 : 1))
        .slice(0, mostSymbols)
        .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
      const skillPath = at("SKILL.md")
      const before = yield* Effect.option(fs.readText(skillPath))
      if (before._tag === "Some" && !before.value.text.slice(0, 4096).includes(madeHere))
        return yield* failure("edit_conflict", `${skillPath} was written by somebody else`, {
          field: options.output_dir === undefined ? "options.skill_name" : "options.output_dir",
          reason_code: "file_exists",
          failure_stage: "preflight",
          data: { path: skillPath },
          recovery: draft("fallback_recovery", "read", { operation: "file", target: { file: skillPath } })
        })
      const page = skillPage({
        name,
        description,
        directory: directory === "" ? "." : directory,
        references: bundled,
        symbols: key,
        symbolsLeftOut: symbols.length - key.length,
        skipped: skipped.length
      })
      const current = new Set(bundled.map(({ rel_path }) => at(rel_path)))
      const leftovers = view
        .files()
        .map(({ path }) => path)
        .filter((path) => isWithin(path, at("references")) && !current.has(path))
      const answer = {
        skill_name: name,
        description,
        skill_path: skillPath,
        output_dir: folder === "" ? "." : folder,
        ...(dry_run ? { dry_run } : {}),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
        references: bundled.map(({ compressed, content, rel_path }) => {
          const size = Buffer.byteLength(content)
          return {
            rel_path,
            ...(dry_run ? { bytes: size } : { bytes_written: size }),
            ...(compressed ? { compressed } : {})
          }
        }),
        symbols: key.map(({ id, kind }) => ({ id, kind })),
        ...(skipped.length === 0 ? {} : { skipped }),
        ...(leftovers.length === 0 ? {} : { leftovers })
      }
      if (dry_run) return answer
      const done = yield* put(
        [
          { path: skillPath, content: page },
          ...bundled.map(({ content, rel_path }) => ({ path: at(rel_path), content }))
        ],
        { field: "options.output_dir", replace: true }
      )
      return { ...answer, receipt: done.receipt }
    }).pipe(refusing({ path: "options.directory" }))
})
