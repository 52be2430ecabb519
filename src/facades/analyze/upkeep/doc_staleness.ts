import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { window } from "./Narrowing.ts"
import { Paths } from "./Paths.ts"
import { lineIn, pathIn, proseOf } from "./Prose.ts"

/** Documents of the past name what was. */
const past =
  /(?:^|\/)(?:change-?logs?|history|releases?|news|migrat\w*|upgrad\w*|archive|rfcs?|adr|decisions)(?:[./_-]|$)/i
const document = /\.(?:md|mdx|markdown)$/i
/** Links of one document an answer lists. */
const mostLinks = 20

interface Link {
  readonly line: number
  readonly target: string
  readonly state: "dangling" | "pending"
  readonly why: string
}

export const docStaleness = kind("doc_staleness", {
  summary: "Documents whose links to code dangle.",
  page: { default: 100, max: 1000 },
  input: F.input({}),
  needs: [CodeGraph, ReadFs],
  handler: (_input, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fs = yield* ReadFs
      const paths = new Paths(view, fs)
      const documents = view
        .files()
        .filter(({ path }) => document.test(path) && !/(?:^|\/)node_modules\//.test(path))
      let assessed = 0
      const unread: Array<string> = []
      const stale: Array<{
        readonly path: string
        readonly title: string | undefined
        readonly total: number
        readonly links: ReadonlyArray<Link>
      }> = []
      for (const { path } of documents) {
        const read = yield* Effect.either(fs.readText(path))
        if (read._tag === "Left") {
          unread.push(path)
          continue
        }
        const prose = proseOf(read.right.text)
        const links: Array<Link> = []
        const seen = new Set<string>()
        let total = 0
        const look = (line: number, target: string, link: boolean) =>
          Effect.gen(function* () {
            const found = yield* paths.look(target, path, link)
            if (found.state === "unknown" || seen.has(`${line} ${target}`)) return
            seen.add(`${line} ${target}`)
            total++
            if (found.state === "missing") {
              links.push({ line, target, state: "dangling", why: "there is no such file or folder" })
              return
            }
            const at = lineIn(target)
            const file = found.file === undefined ? undefined : view.file(found.file)
            if (at === undefined || file === undefined) return
            if (file.skipped !== undefined)
              links.push({
                line,
                target,
                state: "pending",
                why: `${file.path} is not indexed: ${file.skipped}`
              })
            else if (at > file.lines)
              links.push({ line, target, state: "dangling", why: `${file.path} has ${file.lines} lines` })
          })
        for (const { line, text } of prose.links)
          if (!/^[a-z][a-z\d+.-]*:|^#|^\/\//i.test(text)) yield* look(line, text, true)
        for (const { line, text } of past.test(path) ? [] : prose.spans) {
          const split = text.indexOf("::")
          const file = split > 0 ? view.file(text.slice(0, split)) : undefined
          if (file !== undefined) {
            total++
            if (file.skipped !== undefined)
              links.push({
                line,
                target: text,
                state: "pending",
                why: `${file.path} is not indexed: ${file.skipped}`
              })
            else if (view.resolve(text).found.length === 0)
              links.push({
                line,
                target: text,
                state: "dangling",
                why: `${file.path} defines no such symbol`
              })
            continue
          }
          if (pathIn(text) !== undefined) yield* look(line, text, false)
        }
        assessed += total
        if (links.length > 0) stale.push({ path, title: prose.title, total, links })
      }
      const count = (links: ReadonlyArray<Link>, state: Link["state"]) =>
        links.filter((each) => each.state === state).length
      stale.sort(
        (a, b) =>
          count(b.links, "dangling") - count(a.links, "dangling") ||
          b.links.length - a.links.length ||
          (a.path < b.path ? -1 : 1)
      )
      return page(
        "stale",
        {
          stale: window(stale, call).map(({ links, path, title, total }) => ({
            id: path,
            source: path,
            file_path: path,
            line: links[0]!.line,
            name: title ?? path.slice(path.lastIndexOf("/") + 1),
            worst_state: count(links, "dangling") > 0 ? "dangling" : "pending",
            dangling: count(links, "dangling"),
            pending: count(links, "pending"),
            total_refs: total,
            links: links.slice(0, mostLinks)
          })),
          total: stale.length,
          assessed_links: assessed,
          documents: documents.length,
          ...(unread.length === 0 ? {} : { unread_documents: unread.slice(0, 20) }),
          note:
            documents.length === 0
              ? "no Markdown document is listed, so none was looked at"
              : "relative links, and paths and ids of symbols in inline code; addresses, fenced examples and paths of built files are not judged",
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        },
        { from: call.offset, total: stale.length, snapshot: view.generation }
      )
    })
})
