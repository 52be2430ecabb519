/**
 * Renames of random symbols of a TypeScript package, against the language service and the compiler.
 *
 *     npm run eval -- renames <dir> [count] [--seed N] [--batch N] [--project tsconfig.json] [--typescript DIR]
 *
 * The files of the project are copied. Each symbol is renamed on disk, and what the files hold then is compared with the
 * rename of the language service of TypeScript 6 (that of `--typescript`, else one installed below the temporary folder).
 * Renames add up, so what one leaves behind the next ones meet; after every batch the compiler says whether an error is
 * new. A refusal is no wrong rename and counts apart: whether the service refuses too, or its own rename would bring
 * errors into the files it changes, is told with it.
 */
import { Context, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { catalogue } from "../../src/engine/lsp/Catalogue.ts"
import type { GraphView, SymbolInfo } from "../../src/services/CodeGraph.ts"
import { OverlayView } from "../../src/services/OverlayView.ts"
import { served } from "../facades/read/support.ts"
import { random } from "./support/Sample.ts"
import { type Complaint, TypeScriptProject, typescriptFrom } from "./support/TypeScript.ts"

const usage =
  "usage: eval renames <dir> [count] [--seed N] [--batch N] [--project tsconfig.json] [--typescript DIR]"

const kinds = new Set([
  "function",
  "class",
  "interface",
  "type_alias",
  "enum",
  "enum_member",
  "constant",
  "variable",
  "parameter",
  "method",
  "property",
  "field"
])

const skipped = new Set(["node_modules", ".git", "dist", "coverage"])

/** What configures a project, below a folder. */
const configuration = (root: string): { readonly [path: string]: string } => {
  const out: { [path: string]: string } = {}
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue
      const path = join(at, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() && entry.name.endsWith(".json"))
        out[relative(root, path)] = readFileSync(path, "utf8")
    }
  }
  walk(root)
  return out
}

const candidates = (view: GraphView, files: ReadonlySet<string>): ReadonlyArray<SymbolInfo> => {
  const out: Array<SymbolInfo> = []
  for (const ref of view.all()) {
    const symbol = view.symbol(ref)
    if (files.has(symbol.path) && kinds.has(symbol.kind) && /^[A-Za-z_$][\w$]*$/.test(symbol.name))
      out.push(symbol)
  }
  return out
}

const offsetOf = (text: string, { column, line }: SymbolInfo): number => {
  let start = 0
  for (let left = line - 1; left > 0; left--) start = text.indexOf("\n", start) + 1
  return start + column
}

/** Errors of the compiler without their places, which renames move. */
const compile = (
  root: string,
  project: string,
  words: ReadonlyMap<string, string>
): ReadonlyArray<string> => {
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "lib",
    "tsc.js"
  )
  let output = ""
  try {
    execFileSync(process.execPath, [tsc, "--noEmit", "-p", join(root, project)], {
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 64 << 20
    })
  } catch (cause) {
    output = String((cause as { readonly stdout?: unknown }).stdout)
  }
  return output
    .split("\n")
    .filter((line) => /error TS\d+/.test(line))
    .map((line) =>
      line.replace(/\(\d+,\d+\)/, "").replace(/[\w$]+Renamed\d+\b/g, (word) => words.get(word) ?? word)
    )
}

const missingFrom = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...before]
  return after.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const said = (errors: ReadonlyArray<Complaint>): string =>
  errors
    .slice(0, 3)
    .map(({ code, message, path }) => `\n    ${path}: TS${code} ${message.slice(0, 160)}`)
    .join("")

const option = (args: ReadonlyArray<string>, name: string): string | undefined => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? undefined : args[at + 1]
}

interface Refusal {
  readonly id: string
  readonly message: string
  /** What the service makes of the same rename: why it refuses it too, its new errors, or that it is whole. */
  readonly service: "refuses" | "breaks" | "whole"
  readonly detail: string
}

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const [dir, counted] = args.filter((arg, i) => !arg.startsWith("--") && !args[i - 1]?.startsWith("--"))
  const count = Number(counted ?? 200)
  const seed = Number(option(args, "seed") ?? 1)
  const batch = Number(option(args, "batch") ?? 20)
  const next = random(seed)
  if (dir === undefined || !Number.isInteger(count) || !Number.isInteger(seed) || !(batch >= 1)) {
    console.error(usage)
    return 2
  }
  const root = resolve(dir)
  const project = option(args, "project") ?? "tsconfig.json"
  const api = typescriptFrom(option(args, "typescript"))
  const files = new TypeScriptProject(api, root, project).files
  return Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const work = yield* served(
          {
            ...configuration(root),
            ...Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), "utf8")]))
          },
          { servers: catalogue.filter(({ id }) => id === "typescript") }
        )
        const at = work.folder.path
        if (existsSync(join(root, "node_modules")))
          symlinkSync(join(root, "node_modules"), join(at, "node_modules"))
        const oracle = new TypeScriptProject(api, at, project)
        const overlays = Context.get(work.context, OverlayView) as OverlayView["Type"]
        const own = new Set(oracle.files)
        const words = new Map<string, string>()
        const before = compile(at, project, words)
        console.log(
          `${root}: ${own.size} files, ${before.length} errors before, TypeScript ${oracle.version}`
        )
        const refusals = new Map<string, Array<Refusal>>()
        const took: Array<number> = []
        const done = new Set<string>()
        let equal = 0
        let edits = 0
        let wrong = 0
        let since: Array<string> = []
        const check = () => {
          if (since.length === 0) return
          const fresh = missingFrom(before, compile(at, project, words))
          if (fresh.length > 0) {
            wrong++
            console.log(`new errors after ${since.join(", ")}:\n  ${fresh.slice(0, 5).join("\n  ")}`)
          }
          since = []
        }
        for (let i = 0; i < count; i++) {
          const list = candidates(yield* overlays.over([]), own).filter(
            ({ id, name }) => !done.has(id) && !words.has(name)
          )
          const symbol = list[Math.floor(next() * list.length)]
          if (symbol === undefined) break
          done.add(symbol.id)
          if (i % 10 === 0 && i > 0) console.error(`${i} of ${count}: ${took.length} renamed, ${equal} equal`)
          const name = `${symbol.name}Renamed${i}`
          words.set(name, symbol.name)
          const pair = { from: symbol.name, to: name }
          const theirs = oracle.rename(symbol.path, offsetOf(oracle.text(symbol.path), symbol), name)
          const started = performance.now()
          const outcome = yield* Effect.either(
            Effect.sandbox(
              work.call("refactor", { operation: "rename", target: { symbol: symbol.id }, new_name: name })
            )
          )
          if (outcome._tag === "Left") {
            const { defect } = outcome.left as {
              readonly defect?: {
                readonly code?: string
                readonly reason_code?: string
                readonly message?: string
                readonly data?: object
              }
            }
            const reason = defect?.reason_code ?? defect?.code ?? "defect"
            const broken = "texts" in theirs ? oracle.newErrors(theirs.texts, pair) : []
            const known = refusals.get(reason) ?? []
            refusals.set(reason, known)
            known.push({
              id: symbol.id,
              message: `${defect?.message ?? outcome.left} ${JSON.stringify(defect?.data ?? {})}`,
              service: "refused" in theirs ? "refuses" : broken.length > 0 ? "breaks" : "whole",
              detail: "refused" in theirs ? theirs.refused : said(broken)
            })
            continue
          }
          took.push(performance.now() - started)
          const total = outcome.right["total_edits"] as number
          edits += total
          const touched = new Set([
            ...(outcome.right["files"] as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path),
            ...("texts" in theirs ? theirs.texts.keys() : [])
          ])
          const mine = new Map(
            [...touched].map((path) => [
              path,
              readFileSync(work.folder.at(path), "utf8").replace(/^\uFEFF/, "")
            ])
          )
          const differing =
            "refused" in theirs
              ? [...touched]
              : [...touched].filter(
                  (path) => mine.get(path) !== (theirs.texts.get(path) ?? oracle.text(path))
                )
          if (differing.length === 0) equal++
          else
            console.log(
              `differs: ${symbol.id}: ${total} edits, ${"refused" in theirs ? `the service refuses: ${theirs.refused}` : `the service has ${theirs.edits}`}; ${differing.slice(0, 4).join(", ")}`
            )
          oracle.set(mine)
          since.push(symbol.id)
          if (since.length >= batch) check()
        }
        check()
        took.sort((a, b) => a - b)
        const refused = [...refusals.values()].reduce((sum, list) => sum + list.length, 0)
        console.log(
          `${took.length + refused} symbols: ${took.length} renamed with ${edits} edits, ${equal} of them as the service does, ${wrong} batches with new errors, ${refused} refused; median ${(took[took.length >> 1] ?? 0).toFixed(0)} ms`
        )
        for (const [reason, list] of refusals) {
          const by = (service: Refusal["service"]) => list.filter((one) => one.service === service)
          console.log(
            `refused ${list.length} × ${reason}: the service refuses ${by("refuses").length}, breaks ${by("breaks").length}, is whole in ${by("whole").length}`
          )
          for (const { detail, id, message, service } of list)
            console.log(`  ${id} (${service}): ${message.slice(0, 300)} ${detail}`)
        }
        return wrong > 0 || equal < took.length ? 1 : 0
      })
    )
  )
}
