import { Effect, Either } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type SymbolInfo } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { KnowledgeReader } from "../../../services/KnowledgeReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import * as Shared from "../../fields.ts"
import { iso } from "../../shared/past/Days.ts"
import {
  assetKind,
  documents,
  passage,
  plainDocuments,
  reasoned,
  shortened
} from "../../shared/past/Prose.ts"
import { measuredNow } from "../../shared/past/Records.ts"
import { repositories, repositoryOf } from "../../shared/past/Repositories.ts"
import { graph, oneDefinition } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

/** Something that tells why. `signal`, from 0 to 1, is how much it is likely to. */
interface Reason {
  readonly source_id: string
  readonly kind: "comment" | "document" | "commit" | "memory"
  readonly rationale_kind: string
  readonly asset_kind: string
  readonly name: string
  readonly text: string
  readonly signal: number
  readonly file_path?: string
  readonly line?: number
  readonly commit?: string
  readonly at?: string
}

/** Characters of a text an answer shows. */
const most = 600
/** Commits whose messages are read, and lines of documents that are looked at. */
const mostCommits = 50
const mostMentions = 200

/** Comments in a definition that give reasons, each run of lines as one. */
const commentsIn = (symbol: SymbolInfo, text: string): ReadonlyArray<Reason> => {
  const lines = text.split(/\r?\n/)
  const out: Array<Reason> = []
  let run: Array<string> = []
  let from = 0
  const end = () => {
    const comment = run.join("\n")
    if (reasoned.test(comment))
      out.push({
        source_id: `${symbol.path}:${from}`,
        kind: "comment",
        rationale_kind: "constraint",
        asset_kind: "comment",
        name: symbol.name,
        text: shortened(comment, most),
        signal: 0.8,
        file_path: symbol.path,
        line: from
      })
    run = []
  }
  for (let line = symbol.start_line; line <= Math.min(symbol.end_line, lines.length); line++) {
    const found = /(?:^|\s)(?:\/\/+|#+(?!\w*\()|--|\/\*+|\*(?!\/)|;+|%+)\s?(.*?)(?:\*\/)?$/.exec(
      lines[line - 1]!
    )
    const whole = found !== null && /^\s*(?:\/\/|#|--|\/\*|\*|;|%)/.test(lines[line - 1]!)
    if (found === null || (!whole && !reasoned.test(found[1]!))) {
      end()
      continue
    }
    if (run.length === 0) from = line
    run.push(found[1]!.trim())
    if (!whole) end()
  }
  end()
  return out
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** Whether a name is one nobody writes by accident. */
const isTelling = (name: string): boolean =>
  name.length >= 4 && (/[a-z][A-Z]|_|\d|[A-Z].*[A-Z]/.test(name) || name.length >= 12)

const needs = [CodeGraph, GitReader, ReadFs, TextIndex, KnowledgeReader, WorkspaceView] as const

export const why: Member<typeof analyze, "why", typeof needs> = analyze.operation("why", {
  tool: "why",
  summary: "Decisions and documents that explain why a symbol exists.",
  tier: 2,
  page: { default: 20, max: 1000 },
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    options: F.group({
      scope: F.withDefault(F.choice("workspace", "global"), "workspace")
    })
  }),
  needs,
  handler: ({ options, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref = yield* Either.match(
        oneDefinition(view, target.symbol, { facade: "analyze", operation: "why" }),
        { onLeft: Effect.fail, onRight: Effect.succeed }
      )
      const symbol = view.symbol(ref)
      const fs = yield* ReadFs
      const reasons: Array<Reason> = []
      const unread: Array<{ readonly source: string; readonly because: string }> = []

      if (symbol.doc !== "")
        reasons.push({
          source_id: `${symbol.path}:${symbol.start_line}`,
          kind: "comment",
          rationale_kind: reasoned.test(symbol.doc) ? "constraint" : "description",
          asset_kind: "documentation",
          name: symbol.name,
          text: shortened(symbol.doc, most),
          signal: reasoned.test(symbol.doc) ? 0.9 : 0.5,
          file_path: symbol.path,
          line: symbol.start_line
        })
      const source = yield* Effect.either(fs.readText(symbol.path))
      if (Either.isRight(source)) reasons.push(...commentsIn(symbol, source.right.text))
      else unread.push({ source: "comments", because: source.left.detail })

      // Documents: a common word counts only where it is written as code.
      const name = escaped(symbol.name)
      const owner = symbol.qualified.includes(".") ? escaped(symbol.qualified) : undefined
      const pattern = [
        String.raw`\x60[^\x60\n]*\b${name}\b[^\x60\n]*\x60`,
        ...(owner === undefined ? [] : [String.raw`\b${owner}\b`]),
        ...(isTelling(symbol.name) ? [String.raw`\b${name}\b`] : [])
      ].join("|")
      const mentions = yield* Effect.mapError(
        (yield* TextIndex).search({
          pattern,
          regexp: true,
          globs: [...documents, ...plainDocuments],
          limit: mostMentions,
          per_file: 3,
          mode: "matches"
        }),
        (cause) => fromService(cause)
      )
      const texts = new Map<string, string | undefined>()
      const passages = new Set<string>()
      for (const { line, path, text } of mentions.matches) {
        if (path === symbol.path) continue
        if (!texts.has(path)) {
          const read = yield* Effect.either(fs.readText(path))
          texts.set(path, Either.isRight(read) ? read.right.text : undefined)
        }
        const whole = texts.get(path)
        const around = whole === undefined ? passage(text, 1, most) : passage(whole, line, most)
        const key = `${path}\n${around.text}`
        if (passages.has(key)) continue
        passages.add(key)
        const asset = assetKind(path)
        const decided = asset === "adr" || asset === "rfc"
        const gives = reasoned.test(around.text)
        reasons.push({
          source_id: `${path}:${line}`,
          kind: "document",
          rationale_kind: decided ? "decision" : gives ? "constraint" : "description",
          asset_kind: asset,
          name: around.heading ?? path.slice(path.lastIndexOf("/") + 1),
          text: around.text,
          signal: Math.min(
            1,
            (decided ? 0.85 : asset === "design" ? 0.6 : asset === "changelog" ? 0.35 : 0.4) +
              (gives ? 0.15 : 0)
          ),
          file_path: path,
          line
        })
      }
      if (!mentions.complete) unread.push({ source: "documents", because: mentions.causes.join(", ") })

      // Commits that touched the lines of the definition.
      const all = yield* Effect.either(repositories)
      if (Either.isLeft(all)) unread.push({ source: "commits", because: all.left.message })
      else {
        const home = repositoryOf(symbol.path, all.right.known)
        const place = home === undefined ? -1 : all.right.known.indexOf(home)
        const measured = place < 0 ? undefined : (yield* measuredNow(view, all.right))[place]!
        const touches = measured?.touches.get(symbol.id)
        if (measured === undefined || touches === undefined)
          unread.push({
            source: "commits",
            because: `${symbol.path} is not as any commit has it, or in no repository`
          })
        else {
          if (measured.truncated)
            unread.push({
              source: "commits",
              because: `only the newest ${measured.commits} commits were walked`
            })
          if (measured.shallow) unread.push({ source: "commits", because: "the clone is shallow" })
          const first = touches.at(-1)
          const asked = [
            ...new Set([...touches.slice(0, mostCommits), ...(first === undefined ? [] : [first])])
          ]
          const git = yield* GitReader
          const messages = yield* Effect.mapError(
            git.messages(asked, { repository: home!.repository }),
            (cause) => fromService(cause)
          )
          for (const { at, body, id, subject } of messages) {
            const text = body === "" ? subject : `${subject}\n\n${body}`
            const introduced = id === first && !measured.truncated
            const gives = reasoned.test(text)
            const names = text.includes(symbol.name)
            reasons.push({
              source_id: id,
              kind: "commit",
              rationale_kind: introduced ? "introduction" : "change",
              asset_kind: "commit_message",
              name: subject,
              text: shortened(text, most),
              signal:
                Math.round(
                  Math.min(1, 0.2 + (introduced ? 0.25 : 0) + (gives ? 0.25 : 0) + (names ? 0.2 : 0)) * 100
                ) / 100,
              commit: id,
              at: iso(at)
            })
          }
        }
      }

      const knowledge = yield* KnowledgeReader
      for (const scope of options.scope === "global" ? [undefined] : ["workspace"]) {
        const memories = yield* Effect.either(
          knowledge.query({
            kind: "memory",
            symbols: [symbol.id],
            ...(scope === undefined ? {} : { scope })
          })
        )
        if (Either.isLeft(memories)) unread.push({ source: "memories", because: memories.left.detail })
        else
          for (const { body, id, tags, title, updatedAt } of memories.right)
            reasons.push({
              source_id: id,
              kind: "memory",
              rationale_kind: tags.find((tag) => tag === "decision" || tag === "constraint") ?? "memory",
              asset_kind: "memory",
              name: title ?? id,
              text: shortened(body, most),
              signal: 1,
              at: new Date(updatedAt).toISOString()
            })
      }
      reasons.sort((a, b) => b.signal - a.signal || (a.source_id < b.source_id ? -1 : 1))
      return page("rationale", {
        symbol: symbol.id,
        count: reasons.length,
        rationale: reasons.map((reason) => ({ id: reason.source_id, ...reason })),
        ...(unread.length === 0 ? {} : { not_looked_at: unread }),
        ...(reasons.length === 0
          ? {
              note: "no comment, document or commit that was looked at speaks of it; that is not to say there was no reason"
            }
          : {})
      })
    })
})
