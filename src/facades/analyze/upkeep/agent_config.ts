import { Effect } from "effect"
import { fromService, invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { isUnder } from "../../../registry/Place.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { Paths } from "./Paths.ts"
import { nameIn, pathIn, type Prose, proseOf, type Said } from "./Prose.ts"

/** Files that hosts of agents read as instructions. */
const instructions =
  /(?:^|\/)(?:AGENTS|CLAUDE|CLAUDE\.local|GEMINI|CODEX|QWEN|WARP|CRUSH|CONVENTIONS)\.md$|(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules|roorules|goosehints)$|(?:^|\/)\.(?:cursor|windsurf|clinerules|roo|kiro|continue|trae|amazonq)\/(?:rules|steering)?.*\.(?:md|mdc)$|(?:^|\/)\.github\/(?:copilot-instructions|instructions\/.*)\.md$|(?:^|\/)\.claude\/(?:agents|commands|skills|rules)\/.*\.md$|(?:^|\/)\.junie\/guidelines\.md$/

/** Tokens, at four characters each, that are read without a thought, and that are far too many. */
const fewTokens = 1500
const manyTokens = 10_000

const builtins = new Set(
  "install i ci add remove rm uninstall update up upgrade exec dlx x create init publish pack link unlink audit outdated why list ls config cache login logout whoami version view info set get help store prune dedupe rebuild approve-builds workspace workspaces run run-script test t start stop restart node tsx npx patch import deploy env fetch licenses root bin".split(
    " "
  )
)

/** The script a command runs by a package manager, or the target make builds. */
const commandIn = (text: string): { readonly tool: "script" | "make"; readonly name: string } | undefined => {
  const script =
    /^(?:[A-Z_]+=\S+\s+)*(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:run|run-script)\s+(?:-\S+\s+)*([\w:.@/-]+)/.exec(
      text
    ) ?? /^(?:[A-Z_]+=\S+\s+)*(?:pnpm|yarn)\s+([\w:.-]+)/.exec(text)
  if (script !== null) {
    const name = script[1]!
    return /\brun(?:-script)?\s/.test(script[0]) || !builtins.has(name) ? { tool: "script", name } : undefined
  }
  const make = /^make\s+([\w./-]+)(?:\s|$)/.exec(text)
  return make === null || make[1]!.startsWith("-") ? undefined : { tool: "make", name: make[1]! }
}

interface Manifest {
  readonly scripts: ReadonlySet<string>
  readonly dependencies: ReadonlySet<string>
  readonly targets: ReadonlySet<string>
  readonly packages: number
  readonly makefiles: number
  /** Some manifest could not be read, so what is missing may be there. */
  readonly unread: boolean
}

/** What all manifests of a tree offer to run. */
const manifestOf = (view: GraphView, fs: ReadFs["Type"]) =>
  Effect.gen(function* () {
    const scripts = new Set<string>()
    const dependencies = new Set<string>()
    const targets = new Set<string>()
    let packages = 0
    let makefiles = 0
    let unread = false
    for (const { path } of view.files()) {
      const base = path.slice(path.lastIndexOf("/") + 1)
      const make = /^(?:GNU)?[Mm]akefile$|\.mk$/.test(base)
      if ((base !== "package.json" && !make) || path.includes("node_modules/")) continue
      const read = yield* Effect.either(fs.readText(path))
      if (read._tag === "Left") {
        unread = true
        continue
      }
      const { text } = read.right
      if (make) {
        makefiles++
        for (const [, names] of text.matchAll(/^([\w./% -]+?)\s*:(?!=)/gm))
          for (const name of names!.split(/\s+/)) targets.add(name)
        // A target that is made of a pattern or a variable may be anything.
        if (/^[^#\t\n]*[%$][^=\n]*:(?!=)/m.test(text)) targets.add("*")
        continue
      }
      try {
        const json = JSON.parse(text) as { readonly [key: string]: unknown }
        packages++
        for (const [key, into] of [
          ["scripts", scripts],
          ["dependencies", dependencies],
          ["devDependencies", dependencies],
          ["bin", dependencies]
        ] as const)
          if (typeof json[key] === "object" && json[key] !== null)
            for (const name of Object.keys(json[key] as object)) into.add(name)
      } catch {
        unread = true
      }
    }
    return { scripts, dependencies, targets, packages, makefiles, unread } satisfies Manifest
  })

/** Whether a manifest offers what a command runs; undefined when there is none to tell. */
const runs = (
  manifest: Manifest,
  command: { readonly tool: "script" | "make"; readonly name: string }
): boolean | undefined =>
  command.tool === "make"
    ? manifest.makefiles === 0 || manifest.unread
      ? undefined
      : manifest.targets.has(command.name) || manifest.targets.has("*")
    : manifest.packages === 0 || manifest.unread
      ? undefined
      : manifest.scripts.has(command.name) || manifest.dependencies.has(command.name)

/** Whether a name stands anywhere but in prose. */
const standsIn = (view: GraphView, text: TextIndex["Type"], name: string): Effect.Effect<boolean> =>
  view.named(name).length > 0
    ? Effect.succeed(true)
    : Effect.match(
        text.search({
          pattern: name,
          regexp: false,
          word: true,
          limit: 300,
          mode: "files",
          deadline_ms: 2000
        }),
        {
          onFailure: () => true,
          onSuccess: ({ complete, files }) =>
            !complete ||
            files.some(
              ({ path }) => !/\.(?:md|mdx|mdc|markdown|rst|txt|adoc)$/i.test(path) && !instructions.test(path)
            )
        }
      )

const estimate = (text: string): number => Math.ceil(text.length / 4)

/** From 0, for what is short, to 100. */
const bloat = (tokens: number): number =>
  tokens <= fewTokens
    ? 0
    : Math.min(100, Math.round((100 * Math.log(tokens / fewTokens)) / Math.log(manyTokens / fewTokens)))

const needs = [CodeGraph, ReadFs, TextIndex] as const

export const agentConfig: Member<typeof analyze, "agent_config", typeof needs> = analyze.operation(
  "agent_config",
  {
    tool: "audit_agent_config",
    summary: "Agent instruction files with dead names, dead paths or too much text.",
    tier: 2,
    input: F.input({
      options: F.group({
        files: F.optional(F.csv),
        root: F.optional(F.repository(F.described(F.text, "repository root to look in")))
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const fs = yield* ReadFs
        const text = yield* TextIndex
        const root =
          options.root === undefined
            ? ""
            : yield* Effect.mapError(fs.relative(options.root), (cause) =>
                fromService(cause, { field: "options.root", failure_stage: "resolve" })
              )
        const fits = isUnder(root)
        const listed = view.files().filter(({ path }) => fits(path))
        if (listed.length === 0)
          return yield* invalidArgument(
            "options.root",
            `no file below ${JSON.stringify(options.root ?? ".")} is indexed`,
            {
              reason_code: "path_not_indexed"
            }
          )
        const asked = options.files
          ?.map((path) => path.trim().replace(/^\.\//, ""))
          .filter((path) => path !== "")
        const found: ReadonlyArray<string> =
          asked === undefined || asked.length === 0
            ? listed.map(({ path }) => path).filter((path) => instructions.test(path))
            : asked
        if (found.length === 0)
          return {
            root: root === "" ? "." : root,
            files_scanned: 0,
            message:
              "no instruction file of an agent is here: no AGENTS.md, CLAUDE.md, .cursorrules, .cursor/rules or copilot-instructions.md",
            ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
          }
        const paths = new Paths(view, fs)
        const manifest = yield* manifestOf(view, fs)
        const staleRefs: Array<object> = []
        const deadPaths: Array<object> = []
        const deadCommands: Array<object> = []
        const files: Array<{
          path: string
          lines: number
          tokens: number
          stale: number
          paths: number
          commands: number
        }> = []
        const linesOf = new Map<string, Array<string>>()
        const stands = new Map<string, boolean>()
        for (const path of [...found].sort()) {
          const read = yield* Effect.mapError(fs.readText(path), (cause) =>
            fromService(cause, { field: "options.files", failure_stage: "resolve", data: { file: path } })
          )
          const prose: Prose = proseOf(read.text)
          const before = { stale: staleRefs.length, paths: deadPaths.length, commands: deadCommands.length }
          const checkCommand = ({ line, text: said }: Said): boolean => {
            const command = commandIn(said)
            if (command === undefined) return false
            if (runs(manifest, command) === false)
              deadCommands.push({
                file_path: path,
                line,
                command: said,
                why:
                  command.tool === "make"
                    ? `no makefile has a target ${command.name}`
                    : `no package.json has a script ${command.name}`
              })
            return true
          }
          for (const said of prose.commands) checkCommand(said)
          const seen = new Set<string>()
          for (const { line, text: target } of prose.links) {
            if (/^[a-z][a-z\d+.-]*:|^#|^\/\//i.test(target)) continue
            if ((yield* paths.look(target, path, true)).state === "missing")
              deadPaths.push({
                file_path: path,
                line,
                path: target,
                why: "the link leads to no file or folder"
              })
          }
          for (const said of prose.spans) {
            if (checkCommand(said) || seen.has(said.text)) continue
            seen.add(said.text)
            if (pathIn(said.text) !== undefined) {
              if ((yield* paths.look(said.text, path, false)).state === "missing")
                deadPaths.push({
                  file_path: path,
                  line: said.line,
                  path: said.text,
                  why: "there is no such file or folder"
                })
              continue
            }
            const name = nameIn(said.text)
            if (name === undefined) continue
            let known = stands.get(name)
            if (known === undefined) stands.set(name, (known = yield* standsIn(view, text, name)))
            if (!known)
              staleRefs.push({
                file_path: path,
                line: said.line,
                token: said.text,
                why: `${name} is defined nowhere and stands in no file but prose`
              })
          }
          const lines = read.text.split(/\r\n|\n|\r/)
          for (const line of new Set(lines.map((each) => each.trim()).filter((each) => each.length >= 40)))
            linesOf.set(line, [...(linesOf.get(line) ?? []), path])
          files.push({
            path,
            lines: lines.length,
            tokens: estimate(read.text),
            stale: staleRefs.length - before.stale,
            paths: deadPaths.length - before.paths,
            commands: deadCommands.length - before.commands
          })
        }
        const repeated = [...linesOf.values()].filter((all) => all.length > 1)
        const tokens = files.reduce((sum, each) => sum + each.tokens, 0)
        const longest = files.reduce((most, each) => Math.max(most, each.tokens), 0)
        const suggestions = [
          ...(staleRefs.length === 0
            ? []
            : [
                `rename or drop ${staleRefs.length} name${staleRefs.length === 1 ? "" : "s"} that the code does not have`
              ]),
          ...(deadPaths.length === 0
            ? []
            : [`mend ${deadPaths.length} path${deadPaths.length === 1 ? "" : "s"} that lead nowhere`]),
          ...(deadCommands.length === 0
            ? []
            : [
                `mend ${deadCommands.length} command${deadCommands.length === 1 ? "" : "s"} that nothing runs`
              ]),
          ...files
            .filter((each) => each.tokens > 2 * fewTokens)
            .map((each) => `shorten ${each.path}: about ${each.tokens} tokens are read before every task`),
          ...(repeated.length < 3
            ? []
            : [`${repeated.length} lines stand in more than one of these files; let one refer to the other`])
        ]
        return {
          root: root === "" ? "." : root,
          files_scanned: files.length,
          stale_refs: staleRefs,
          dead_paths: deadPaths,
          dead_commands: deadCommands,
          bloat_score: bloat(longest),
          total_tokens: tokens,
          ...(repeated.length === 0 ? {} : { repeated_lines: repeated.length }),
          files: files.map(({ commands, lines, path, paths: dead, stale, tokens: own }) => ({
            id: path,
            file_path: path,
            lines,
            tokens: own,
            bloat_score: bloat(own),
            stale_refs: stale,
            dead_paths: dead,
            dead_commands: commands
          })),
          suggestions,
          ...(manifest.unread ? { commands_not_judged: "a manifest could not be read" } : {}),
          note: "names, paths and commands in inline code, links and shell examples; tokens are estimated at four characters each, and bloat_score is that of the longest file",
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        }
      })
  }
)
