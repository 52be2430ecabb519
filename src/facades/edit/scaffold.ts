import { Effect } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { CodeGraph, type GraphView, type SymbolInfo } from "../../services/CodeGraph.ts"
import { type ChangeItem, LocalWriter, type TextEdit } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { type FileText, ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { graph, oneDefinition } from "../shared/symbols.ts"
import { gateOf, receiptOf } from "./Answers.ts"
import { edit } from "./facade.ts"
import { dryRun } from "./fields.ts"
import type { LineChange } from "./generated/Blocks.ts"
import {
  barrelsOf,
  doubled,
  listingsIn,
  mirrored,
  type Place,
  placeOf,
  type Site,
  sitesOf,
  spanOf
} from "./generated/Mirror.ts"
import { isReserved } from "./generated/Reserved.ts"
import { stubsOf } from "./generated/TestStub.ts"
import { type Renaming, renaming, spelledAlike, wordsOf } from "./generated/Words.ts"
import { refuseOverlaid } from "./Overlaid.ts"
import { refusing } from "./Refused.ts"

type Part = "definition" | "registration" | "test"
interface Piece {
  readonly part: Part
  readonly item: ChangeItem
}

/** Tests that get a stub, and places a note tells. */
const mostTests = 20
const mostTold = 10

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

const camel = (text: string): string =>
  wordsOf(text)
    .map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join("")
    .replace(/^\p{N}+/u, "")

const linesOf = (text: string): ReadonlyArray<string> => text.split(/\r\n|\n/)

const textEdit = (lines: ReadonlyArray<string>, { end, lines: made, start }: LineChange): TextEdit => ({
  match: lines.slice(start - 1, end).join("\n"),
  replacement: made.join("\n"),
  lineScope: { startLine: start, endLine: end }
})

const runnerNames = ["vitest", "jest", "mocha"] as const

/** The runner of a test file: by its imports, its language, or the package around it. */
const runnerOf = (view: GraphView, path: string): Effect.Effect<string | undefined, never, ReadFs> =>
  Effect.gen(function* () {
    const known = view.runner(path)
    if (known !== undefined) return known
    const language = view.file(path)?.language
    if (language === "go") return "go test"
    if (language === "python") return "pytest"
    const fs = yield* ReadFs
    for (let at = path; at !== ""; ) {
      at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : ""
      const manifest = yield* Effect.option(fs.readText(at === "" ? "package.json" : `${at}/package.json`))
      if (manifest._tag === "None") continue
      const found = runnerNames.find((name) => manifest.value.text.includes(`"${name}"`))
      if (found !== undefined) return found
    }
    return undefined
  })

const nameOfFile = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

interface Stubbed {
  readonly piece?: Piece
  readonly notes: ReadonlyArray<string>
}

/** Stubs beside the example's tests: in a file of their own when those have one that is called like the example. */
const testsOf = (
  view: GraphView,
  example: SymbolInfo,
  fresh: Renaming,
  place: Place,
  read: (path: string) => Effect.Effect<FileText, OperationFailure, ReadFs>
): Effect.Effect<Stubbed, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const uses = view
      .incoming(example.ref)
      .filter(({ from, path }) => view.isTest(from) || view.file(path)?.test === true)
    if (uses.length === 0) return { notes: ["no test uses the example, so there is none to mirror"] }
    const counts = new Map<string, number>()
    for (const { path } of uses) counts.set(path, (counts.get(path) ?? 0) + 1)
    const [path] = [...counts.keys()].sort(
      (a, b) =>
        Number(fresh.has(nameOfFile(b))) - Number(fresh.has(nameOfFile(a))) ||
        counts.get(b)! - counts.get(a)! ||
        (a < b ? -1 : 1)
    ) as [string]
    if (path === example.path)
      return { notes: ["the example's tests stand in its own file and are not mirrored"] }
    const base = nameOfFile(path)
    const from = example.path.slice(0, example.path.lastIndexOf("/") + 1)
    const to = place.path.slice(0, place.path.lastIndexOf("/") + 1)
    const inFolder = place.creates && from !== to && path.startsWith(from)
    const creates = inFolder || fresh.has(base)
    const target = creates
      ? inFolder
        ? `${to}${fresh.apply(path.slice(from.length))}`
        : `${path.slice(0, path.length - base.length)}${fresh.apply(base)}`
      : path
    if (creates && view.file(target) !== undefined)
      return { notes: [`${target} is there already and gets no test stub`] }
    const cases = [
      ...new Set(
        uses
          .filter((use) => use.path === path && view.isCase(use.from))
          .map(({ from }) => view.symbol(from).name)
      )
    ]
    const runner = yield* runnerOf(view, path)
    // Beside other tests a title has to be about the new one.
    const titles = [
      ...new Set(
        cases
          .filter(
            (title) => (creates || fresh.has(title)) && (runner !== "go test" || title.startsWith("Test"))
          )
          .map(fresh.apply)
      )
    ].slice(0, mostTests)
    const { text } = yield* read(path)
    const lines = linesOf(text)
    const stub =
      titles.length === 0
        ? undefined
        : stubsOf(
            runner,
            titles,
            lines.find((line) => line.startsWith("package "))
          )
    if (stub === undefined)
      return {
        notes: [
          titles.length === 0
            ? `no test of ${path} is named after the example`
            : `no test stub: it is not known how tests of ${path} are skipped${runner === undefined ? "" : ` with ${runner}`}`
        ]
      }
    const end = text.includes("\r\n") ? "\r\n" : "\n"
    if (creates)
      return {
        piece: {
          part: "test",
          item: {
            op: "write",
            path: target,
            content: `${[...stub.header, ...stub.lines].join(end)}${end}`,
            ifExists: "refuse"
          }
        },
        notes: []
      }
    let last = lines.length
    while (last > 1 && lines[last - 1]!.trim() === "") last--
    return {
      piece: {
        part: "test",
        item: {
          op: "edit",
          path,
          edits: [
            textEdit(lines, {
              start: last,
              end: last,
              lines: [
                lines[last - 1]!,
                ...(view.file(path)?.language === "python" ? ["", ""] : [""]),
                ...stub.lines
              ]
            })
          ]
        }
      },
      notes:
        runner === "pytest" && !lines.some((line) => /^\s*(?:import|from)\s+pytest\b/.test(line))
          ? [`${path} does not import pytest, which the stub uses`]
          : []
    }
  })

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView] as const

export const scaffold: Member<typeof edit, "scaffold", typeof needs> = edit.operation("scaffold", {
  tool: "scaffold",
  summary: "New code in the shape of an example symbol, with its registration and tests.",
  tier: 2,
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    dry_run: F.withDefault(dryRun, true),
    options: F.group({ new_name: F.text })
  }),
  needs,
  handler: ({ dry_run, options: { new_name }, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fs = yield* ReadFs
      const example = view.symbol(
        yield* oneDefinition(view, target.symbol, {
          facade: "edit",
          operation: "scaffold",
          rest: { options: { new_name } }
        })
      )
      const again = (name: string) =>
        draft("fallback_recovery", "edit", {
          operation: "scaffold",
          target: { symbol: example.id },
          dry_run: true,
          options: { new_name: name }
        })
      if (!identifier.test(new_name))
        return yield* invalidArgument("options.new_name", `${JSON.stringify(new_name)} is no name`, {
          reason_code: "invalid_name",
          recovery: again(camel(new_name) || `${example.name}Copy`)
        })
      if (isReserved(new_name, example.language))
        return yield* invalidArgument(
          "options.new_name",
          `${new_name} is a word of ${example.language} itself`,
          {
            reason_code: "reserved_word",
            recovery: again(`${new_name}Copy`)
          }
        )
      if (wordsOf(new_name).join(" ") === wordsOf(example.name).join(" "))
        return yield* invalidArgument("options.new_name", "is the example's own name", {
          reason_code: "same_name",
          recovery: again(`${example.name}Copy`)
        })
      if (example.flags.includes("local") || !identifier.test(example.name))
        return yield* invalidArgument(
          "target.symbol",
          `${example.id} is ${example.flags.includes("local") ? "local to a body" : `a ${example.kind} without a name of its own`} and no example to follow`,
          {
            reason_code: "not_an_example",
            recovery: draft("fallback_recovery", "read", {
              operation: "summary",
              target: { file: example.path }
            })
          }
        )
      const texts = new Map<string, FileText>()
      const read = (path: string): Effect.Effect<FileText, OperationFailure, ReadFs> =>
        Effect.gen(function* () {
          const known = texts.get(path)
          if (known !== undefined) return known
          const text = yield* Effect.mapError(fs.readText(path), (cause) => fromService(cause))
          if (text.sha !== view.file(path)?.sha)
            return yield* failure("stale_revision", `${path} is not what the graph was made of`, {
              field: "target.symbol",
              reason_code: "changed_since_indexed",
              failure_stage: "preflight",
              data: { path },
              recovery: draft("mechanically_followable", "read", {
                operation: "file",
                target: { file: path }
              })
            })
          texts.set(path, text)
          return text
        })
      const fresh = renaming(example.name, new_name)
      const place = placeOf(view, example, fresh)
      const own = yield* read(example.path)
      const ownLines = linesOf(own.text)
      const notes: Array<string> = []
      const taken = view
        .definitions(place.path)
        .map((ref) => view.symbol(ref))
        .find(({ name, ref }) => name === new_name && view.parent(ref) === view.parent(example.ref))
      if (taken !== undefined || (place.creates && view.file(place.path) !== undefined))
        return yield* failure("edit_conflict", `${taken?.id ?? place.path} is there already`, {
          field: "options.new_name",
          reason_code: "name_taken",
          failure_stage: "preflight",
          data: { taken: taken?.id ?? place.path },
          recovery: draft("fallback_recovery", "read", { operation: "summary", target: { file: place.path } })
        })
      if (!spelledAlike(example.name, new_name))
        notes.push(`${new_name} is spelled in another way than ${example.name}`)

      const pieces: Array<Piece> = []
      const changes = new Map<string, Array<LineChange>>()
      if (place.creates) {
        const copy = mirrored(view, example, own.text, fresh, place.path)
        if (copy.leftOut.length > 0)
          notes.push(
            `not copied, since the folder shares its names: ${copy.leftOut.slice(0, mostTold).join(", ")}`
          )
        pieces.push({
          part: "definition",
          item: { op: "write", path: place.path, content: copy.text, ifExists: "refuse" }
        })
      } else {
        const change = doubled(view, example, ownLines, fresh)
        if (change === undefined)
          return yield* failure(
            "edit_conflict",
            `${example.id} shares its lines with other code, so it cannot be followed`,
            {
              field: "target.symbol",
              reason_code: "shares_lines",
              failure_stage: "preflight",
              recovery: draft("fallback_recovery", "read", {
                operation: "file",
                target: { file: example.path },
                context: { start_line: example.start_line, end_line: example.end_line }
              })
            }
          )
        changes.set(example.path, [change])
      }
      const { end, start } = spanOf(view, example, ownLines)
      const apart = place.creates
        ? []
        : view
            .members(example.ref)
            .map((ref) => view.symbol(ref))
            .filter(({ path, start_line }) => path !== example.path || start_line < start || start_line > end)
      if (apart.length > 0)
        notes.push(
          `members declared apart are not copied: ${apart
            .slice(0, mostTold)
            .map(({ id }) => id)
            .join(", ")}`
        )

      const sites = sitesOf(view, example, place.siblings)
      const listed = new Map<string, ReadonlyArray<Site>>(sites.listed)
      if (place.creates)
        for (const path of barrelsOf(view, example)) {
          const lines = linesOf((yield* read(path)).text)
          const known = new Set((listed.get(path) ?? []).map(({ line }) => line))
          const more = lines.flatMap(
            (line, at): ReadonlyArray<Site> =>
              fresh.has(line) && !known.has(at + 1) ? [{ line: at + 1, role: "mention" }] : []
          )
          if (more.length > 0) listed.set(path, [...(listed.get(path) ?? []), ...more])
        }
      for (const [path, every] of listed) {
        const lines = linesOf((yield* read(path)).text)
        const before = changes.get(path) ?? []
        const free = every.filter(({ line }) => !before.some((one) => line >= one.start && line <= one.end))
        const found = listingsIn(view, lines, free, example, fresh, place.siblings)
        for (const { line, role } of found.missed)
          if (role !== "mention") notes.push(`listed at ${path}:${line} in a way that was not followed`)
        const fit = found.changes.filter(
          (one) => !before.some((other) => one.start <= other.end && other.start <= one.end)
        )
        if (fit.length > 0) changes.set(path, [...before, ...fit])
      }
      for (const [path, all] of changes) {
        const text = yield* read(path)
        const lines = linesOf(text.text)
        pieces.push({
          part: path === example.path && !place.creates ? "definition" : "registration",
          item: {
            op: "edit",
            path,
            edits: [...all].sort((a, b) => a.start - b.start).map((change) => textEdit(lines, change)),
            guard: { baseSha: text.sha }
          }
        })
      }
      if (sites.others.length > 0)
        notes.push(
          `also uses the example, and was left alone: ${sites.others
            .slice(0, mostTold)
            .map(({ line, path, role }) => `${path}:${line} (${role})`)
            .join(
              ", "
            )}${sites.others.length > mostTold ? ` and ${sites.others.length - mostTold} more` : ""}`
        )
      if (place.siblings.length === 0)
        notes.push("nothing like the example stands beside it, so no registration was looked for")
      const tests = yield* testsOf(view, example, fresh, place, read)
      notes.push(...tests.notes)
      if (tests.piece !== undefined) pieces.push(tests.piece)

      const items = pieces.map(({ item }) => item)
      yield* refuseOverlaid(
        items.flatMap((item) => (item.op === "move" ? [] : [item.path])),
        "target.symbol"
      )
      const writer = yield* LocalWriter
      const plan = yield* writer.plan(items, { unlimited: true, diff: true })
      const [problem] = plan.problems
      if (problem !== undefined) return yield* problem
      const planned = new Map(plan.files.map((file) => [file.path, file]))
      const edits = pieces.map(({ item, part }, at) => {
        const { path } = plan.changes[at]!
        const file = planned.get(path)
        return {
          path,
          part,
          action: item.op === "write" ? "create" : "edit",
          ...(dry_run ? gateOf(file?.syntax ?? null) : {}),
          ...(dry_run && file !== undefined && file.diff !== null ? { diff: file.diff } : {})
        }
      })
      if (dry_run) return { dry_run, edits, notes }
      const committed = yield* writer.commit(items, { unlimited: true })
      return { applied: true, ...receiptOf(committed), edits, notes }
    }).pipe(refusing({ path: "options.new_name", content: "options.new_name", match: "target.symbol" }))
})
