/** Comments that ask for work. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService, invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { window } from "./Narrowing.ts"

const tags = ["TODO", "FIXME", "HACK", "XXX", "NOTE"] as const
const most = 20_000

/** What a comment says behind its tag. */
export interface Asked {
  readonly tag: string
  readonly assignee: string | undefined
  /** ISO 8601 date. */
  readonly due: string | undefined
  readonly ticket: string | undefined
  readonly text: string
}

const ticketOf = (text: string): string | undefined =>
  /\b[A-Z][A-Z0-9]+-\d+\b/.exec(text)?.[0] ??
  /(?:^|[\s([])(#\d+)\b/.exec(text)?.[1] ??
  /\/(?:issues|pull|merge_requests)\/(\d+)\b/.exec(text)?.[1]?.replace(/^/, "#")

/** Reads a comment from its tag on; undefined when it has none. */
export const read = (comment: string): Asked | undefined => {
  const found = /\b(TODO|FIXME|HACK|XXX|NOTE)\b(?:\s*\(([^)]*)\)|\s*\[([^\]]*)\])?\s*[:\-–—]?\s*(.*)$/s.exec(
    comment
  )
  if (found === null) return undefined
  const [, tag = "", round, square, rest = ""] = found
  const inside = round ?? square ?? ""
  const text = rest.replace(/\s*(?:\*\/|-->|\}\}|"""|''')\s*$/, "").trim()
  const names = inside
    .split(/[\s,;/]+/)
    .map((part) => part.replace(/^@/, ""))
    .filter(
      (part) =>
        /^[A-Za-z][\w.-]*$/.test(part) &&
        ticketOf(part) === undefined &&
        !/^(?:by|due|on|before)$/i.test(part)
    )
  return {
    tag,
    assignee: names[0] ?? /(?:^|\s)@([A-Za-z][\w-]*)\b/.exec(text)?.[1],
    due: /\b(\d{4}-\d{2}-\d{2})\b/.exec(`${inside} ${text}`)?.[1],
    ticket: ticketOf(`${inside} ${text}`),
    text
  }
}

/** What opens a comment, and a tag right behind it. */
const opened =
  /(?:\/\/+|#+|--+|\/\*+|^\s*\*+|<!--|;+|%+|"""|'''|\{\{!)[\s!*-]*@?(?:TODO|FIXME|HACK|XXX|NOTE)\b/
const inMarkup = /<!--[\s-]*(?:TODO|FIXME|HACK|XXX|NOTE)\b|\{\/\*\s*(?:TODO|FIXME|HACK|XXX|NOTE)\b/

export const todos = kind("todos", {
  summary: "TODO, FIXME, HACK, XXX and NOTE comments.",
  tier: 1,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      tag: F.optional(F.text),
      assignee: F.optional(F.text),
      ticket: F.optional(F.text),
      has_assignee: F.withDefault(F.flag, false)
    })
  }),
  needs: [CodeGraph, TextIndex],
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const tag = options.tag?.trim().toUpperCase()
      if (tag !== undefined && !tags.some((each) => each === tag))
        return yield* invalidArgument(
          "options.tag",
          `${JSON.stringify(options.tag)} is no tag that is looked for`,
          {
            reason_code: "unknown_tag",
            data: { valid_values: tags }
          }
        )
      const view = yield* graph
      const rows = new Map<string, Asked & { readonly path: string; readonly line: number }>()
      for (const mark of view.marks()) {
        if (mark.kind !== "todo") continue
        const asked = read(mark.text)
        if (asked !== undefined)
          rows.set(`${mark.path}:${mark.line}`, { ...asked, path: mark.path, line: mark.line })
      }
      // The index keeps no notes, and no comments of languages it only outlines.
      const marked = new Set([...rows.values()].map(({ path }) => view.file(path)?.language ?? ""))
      const found = yield* Effect.mapError(
        (yield* TextIndex).search({
          pattern: String.raw`\b(?:TODO|FIXME|HACK|XXX|NOTE)\b`,
          regexp: true,
          limit: most,
          mode: "matches",
          deadline_ms: 10_000
        }),
        (cause) => fromService(cause)
      )
      for (const { line, path, text } of found.matches) {
        const key = `${path}:${line}`
        if (rows.has(key)) continue
        const language = view.file(path)?.language ?? ""
        const prose =
          language === "markdown" || language === "html" || /\.(?:mdx?|rst|txt|adoc|html?)$/.test(path)
        const at = (prose ? inMarkup : opened).exec(text)
        if (at === null) continue
        const asked = read(text.slice(at.index))
        if (asked !== undefined && (asked.tag === "NOTE" || !marked.has(language)))
          rows.set(key, { ...asked, path, line })
      }
      const kept = [...rows.values()]
        .filter(
          (row) =>
            (tag === undefined || row.tag === tag) &&
            (options.assignee === undefined ||
              row.assignee?.toLowerCase() === options.assignee.replace(/^@/, "").toLowerCase()) &&
            (options.ticket === undefined || row.ticket?.toLowerCase() === options.ticket.toLowerCase()) &&
            (!options.has_assignee || row.assignee !== undefined)
        )
        .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
      const byTag: { [tag: string]: number } = {}
      for (const row of kept) byTag[row.tag] = (byTag[row.tag] ?? 0) + 1
      return page(
        "todos",
        {
          todos: window(kept, call).map((row) => {
            const within = view.at(row.path, row.line)
            return {
              id: `${row.path}:${row.line}`,
              tag: row.tag,
              file_path: row.path,
              line: row.line,
              ...(row.assignee === undefined ? {} : { assignee: row.assignee }),
              ...(row.due === undefined ? {} : { due: row.due }),
              ...(row.ticket === undefined ? {} : { ticket: row.ticket }),
              text: row.text,
              ...(within === undefined || view.isFile(within) ? {} : { within: view.idOf(within) })
            }
          }),
          total: kept.length,
          by_tag: byTag,
          searched_files: found.searched_files,
          ...(found.complete ? {} : { complete: false, incomplete_because: found.causes }),
          ...(found.unread_files === 0 ? {} : { unread_files: found.unread_files }),
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        },
        { from: call.offset, total: kept.length, snapshot: view.generation }
      )
    })
})
