/**
 * Renames of random symbols of a TypeScript package, against the language service and the compiler.
 *
 *     npm run eval -- renames <dir> [count] [--seed N] [--batch N] [--project tsconfig.json]
 *
 * The package is copied. Each symbol is renamed as a dry run, whose edits are compared with the language service's own,
 * and then for real; after every batch the compiler says whether an error is new. Renames add up, so what one leaves
 * behind the next ones meet. A refusal counts apart: it is no wrong rename, and its reason is printed.
 */
import { Context, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { layerLanguageServers } from "../../src/engine/lsp/LanguageServers.ts"
import type { GraphView, SymbolInfo } from "../../src/services/CodeGraph.ts"
import { LanguageReader } from "../../src/services/LanguageReader.ts"
import { OverlayView } from "../../src/services/OverlayView.ts"
import { served, type Value } from "../facades/read/support.ts"
import { random } from "./support/Sample.ts"

const skipped = new Set(["node_modules", ".git", "dist", "coverage", "docs"])
const kinds = new Set([
  "function",
  "class",
  "interface",
  "type_alias",
  "enum",
  "constant",
  "variable",
  "method",
  "property",
  "field"
])

const textsOf = (root: string): { readonly [path: string]: string } => {
  const out: { [path: string]: string } = {}
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue
      const path = join(at, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() && /\.(?:[cm]?[jt]sx?|json)$/.test(entry.name))
        out[relative(root, path)] = readFileSync(path, "utf8")
    }
  }
  walk(root)
  return out
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
    .map((line) => {
      let said = line.replace(/\(\d+,\d+\)/, "")
      for (const [to, from] of words) said = said.replaceAll(to, from)
      return said
    })
    .sort()
}

const missingFrom = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...before]
  return after.filter((line) => {
    const at = left.indexOf(line)
    if (at < 0) return true
    left.splice(at, 1)
    return false
  })
}

const flag = (args: ReadonlyArray<string>, name: string, otherwise: number): number => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(args[at + 1])
}

const candidates = (view: GraphView): ReadonlyArray<SymbolInfo> => {
  const out: Array<SymbolInfo> = []
  for (const ref of view.all()) {
    const symbol = view.symbol(ref)
    if (
      /^t(?:s|ypescript|sx)$/.test(symbol.language) &&
      kinds.has(symbol.kind) &&
      /^[A-Za-z]\w*$/.test(symbol.name) &&
      !/Renamed\d+$/.test(symbol.name) &&
      !symbol.path.endsWith(".d.ts")
    )
      out.push(symbol)
  }
  return out
}

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const [dir, counted] = args.filter((arg, i) => !arg.startsWith("--") && !args[i - 1]?.startsWith("--"))
  if (dir === undefined) {
    console.error("usage: eval renames <dir> [count] [--seed N] [--batch N] [--project tsconfig.json]")
    return 2
  }
  const root = resolve(dir)
  const count = Number(counted ?? 200)
  const batch = flag(args, "batch", 10)
  const named = args.indexOf("--project")
  const project = named < 0 ? "tsconfig.json" : (args[named + 1] ?? "tsconfig.json")
  const next = random(flag(args, "seed", 1))
  return Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const work = yield* served(textsOf(root))
        const at = work.folder.path
        if (existsSync(join(root, "node_modules")))
          symlinkSync(join(root, "node_modules"), join(at, "node_modules"))
        if (!existsSync(join(at, "tsconfig.json")))
          writeFileSync(
            join(at, "tsconfig.json"),
            JSON.stringify({
              compilerOptions: { strict: true, module: "nodenext", target: "es2022", skipLibCheck: true },
              include: ["src"]
            })
          )
        const servers = yield* Layer.build(layerLanguageServers({ root: at, path: "" }))
        const reader = Context.get(servers, LanguageReader)
        const overlays = Context.get(work.context, OverlayView) as OverlayView["Type"]
        const words = new Map<string, string>()
        const before = compile(at, project, words)
        const refusals = new Map<string, Array<string>>()
        let renamed = 0
        let equal = 0
        let edits = 0
        let wrong = 0
        let since: Array<string> = []
        for (let tried = 0; tried < count; tried++) {
          const view = yield* overlays.over([])
          const list = candidates(view)
          const symbol = list[Math.floor(next() * list.length)]
          if (symbol === undefined) break
          const name = `${symbol.name}Renamed${tried}`
          words.set(name, symbol.name)
          const ask = (dry_run: boolean) =>
            work.call("refactor", {
              operation: "rename",
              target: { symbol: symbol.id },
              new_name: name,
              dry_run,
              output: { max_bytes: 500_000 }
            })
          const bare = yield* Effect.either(
            reader.rename({ path: symbol.path, line: symbol.line, column: symbol.column }, name)
          )
          const dry = yield* Effect.either(Effect.provide(Effect.sandbox(ask(true)), servers))
          if (dry._tag === "Left") {
            const failure = dry.left as {
              readonly defect?: { readonly reason_code?: string; readonly message?: string }
            }
            const reason =
              failure.defect?.reason_code ?? String(failure.defect?.message ?? dry.left).slice(0, 80)
            const known = refusals.get(reason)
            if (known === undefined) refusals.set(reason, [symbol.id])
            else known.push(symbol.id)
            continue
          }
          const mine = (dry.right["edits"] as ReadonlyArray<Value>).map((row) =>
            [row["file"], row["line"], row["column"], row["new_text"]].join("\0")
          )
          const theirs =
            bare._tag === "Left"
              ? []
              : bare.right.value.edits.map((edit) =>
                  [edit.path, edit.startLine, edit.startColumn, edit.text].join("\0")
                )
          edits += mine.length
          if (mine.length === theirs.length && mine.every((edit) => theirs.includes(edit))) equal++
          else console.log(`differs: ${symbol.id}: ${mine.length} edits, the service has ${theirs.length}`)
          yield* Effect.provide(ask(false), servers)
          renamed++
          since.push(symbol.id)
          if (since.length >= batch) {
            const fresh = missingFrom(before, compile(at, project, words))
            if (fresh.length > 0) {
              wrong++
              console.log(`new errors after ${since.join(", ")}:\n  ${fresh.slice(0, 5).join("\n  ")}`)
            }
            since = []
          }
        }
        const fresh = missingFrom(before, compile(at, project, words))
        if (since.length > 0 && fresh.length > 0) {
          wrong++
          console.log(`new errors after ${since.join(", ")}:\n  ${fresh.slice(0, 5).join("\n  ")}`)
        }
        console.log(
          `${root}: ${renamed} of ${count} renamed, ${edits} edits, ${equal} equal to the language service's, ${wrong} batches with new errors (${before.length} errors before)`
        )
        for (const [reason, ids] of refusals)
          console.log(`refused ${ids.length} × ${reason}: ${ids.slice(0, 5).join(", ")}`)
        return wrong > 0 || equal < renamed ? 1 : 0
      })
    )
  )
}
