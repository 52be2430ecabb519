/**
 * Every available read over one repository, and everything that outlives a process before and after: the index, the
 * records, control state, the git directory and the work tree.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, FastCheck, Layer, Scope } from "effect"
import { createClient } from "@libsql/client"
import { createHash } from "node:crypto"
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Revisions } from "../../src/engine/edits/Revisions.ts"
import { Overlays } from "../../src/engine/overlays/Overlays.ts"
import { Sessions } from "../../src/engine/sessions/Sessions.ts"
import { fileOf, layerStore } from "../../src/engine/store/layer.ts"
import { layerFull } from "../../src/layers.ts"
import * as Arbitraries from "../../src/registry/Arbitraries.ts"
import { CallInfo } from "../../src/registry/CallInfo.ts"
import * as Capabilities from "../../src/registry/Capabilities.ts"
import { select } from "../../src/registry/Facade.ts"
import { isRecord } from "../../src/registry/Json.ts"
import { readTags } from "../../src/registry/EffectClass.ts"
import { AuditLedger } from "../../src/services/AuditLedger.ts"
import { CodeGraph } from "../../src/services/CodeGraph.ts"
import { TempFolder } from "../engine/git/TempRepo.ts"
import { write } from "./analyze/history/support.ts"
import { catalog, pairs } from "./support.ts"

const reads = pairs.filter(([, { available, effect }]) => available && effect === "read")

/** Stands for the words of a request shape, which are `<name of the field>`. */
const words: { readonly [name: string]: string } = {
  symbol: "src/money.ts::total",
  symbols: "src/money.ts::total",
  anchor_symbol: "src/money.ts::total",
  function: "src/money.ts::total",
  from: "src/app.ts::run",
  to: "src/money.ts::total",
  source: "src/app.ts::run",
  sink: "src/money.ts::total",
  file: "src/money.ts",
  files: "src/money.ts",
  path: "src/money.ts",
  paths: "src/money.ts",
  file_path: "src/money.ts",
  path_prefix: "src",
  base: "HEAD~1",
  sha: "HEAD",
  span: "return",
  language: "typescript",
  pattern: "total",
  task: "change how totals are made",
  since: "2020-01-01",
  tag: "v1.0.0"
}
const filled = (value: unknown): unknown => {
  if (typeof value === "string") {
    const name = /^<(\w+)>$/.exec(value)?.[1]
    return name === undefined ? value : (words[name] ?? "total")
  }
  if (Array.isArray(value)) return value.map(filled)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]))
    : value
}

/** What is asked of an operation: its request shape with things that are there, and what its description allows. */
const asked = ([facade, operation]: (typeof reads)[number]): ReadonlyArray<object> => {
  const named = { [facade.discriminator]: operation.name }
  const made = FastCheck.sample(Arbitraries.ofInput(operation.input), { numRuns: 1, seed: 11 })
  return [
    filled(Capabilities.requestShape(facade, operation)) as object,
    named,
    { ...named, target: { symbol: words["symbol"] } },
    ...made.map((args) => ({ ...args, ...named }))
  ]
}

/** The rows of a database. How its pages lie on disk changes by itself. */
const rowsOf = async (file: string): Promise<string> => {
  const client = createClient({ url: pathToFileURL(file).href })
  const hash = createHash("sha256")
  const tables = await client.execute("SELECT name, sql FROM sqlite_master ORDER BY name")
  for (const { name, sql } of tables.rows) {
    hash.update(JSON.stringify([name, sql]))
    if (!String(sql).startsWith("CREATE TABLE")) continue
    const { rows } = await client.execute(`SELECT * FROM "${String(name)}"`)
    hash.update(
      rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join("\n")
    )
  }
  client.close()
  return `${tables.rows.length} ${hash.digest("hex")}`
}

/** Every file below a folder: what it is and a hash of what it holds. */
const stateOf = async (folder: string): Promise<{ readonly [path: string]: string }> => {
  const databases: Array<readonly [string, string]> = []
  const out: { [path: string]: string } = {}
  const walk = (at: string, below: string): void => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name)
      const stat = lstatSync(path)
      const key = `${below}${name}`
      if (stat.isDirectory()) {
        out[`${key}/`] = "folder"
        walk(path, `${key}/`)
      } else if (stat.isSymbolicLink()) out[key] = `link ${readlinkSync(path)}`
      else if (name.endsWith(".db")) databases.push([key, path])
      else if (!/\.db-(?:wal|shm)$/.test(name))
        out[key] = `${stat.mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`
    }
  }
  walk(folder, "")
  for (const [key, file] of databases) out[key] = await rowsOf(file)
  return out
}

const files = {
  "package.json": '{ "name": "till", "version": "1.0.0" }\n',
  "src/money.ts": "export function total(n: number): number {\n  return n\n}\n",
  "src/app.ts": 'import { total } from "./money.ts"\nexport const run = () => total(1)\n',
  "test/money.test.ts":
    'import { test } from "vitest"\nimport { total } from "../src/money.ts"\ntest("t", () => { total(2) })\n',
  "lib/tool.py": "import os\n\ndef main():\n    return os.environ['HOME']\n",
  "cmd/main.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("x") }\n',
  "coverage/lcov.info": "SF:src/money.ts\nDA:2,1\nend_of_record\n",
  "docs/why.md": "# Money\n\n`total` is whole because cents are.\n"
}

describe("reads", () => {
  it.scopedLive(
    "leave no trace, whatever is asked and however it ends",
    () =>
      Effect.gen(function* () {
        const temp = yield* Effect.acquireRelease(
          Effect.sync(() => new TempFolder()),
          (made) => Effect.sync(() => made[Symbol.dispose]())
        )
        const home = temp.at("home")
        const root = temp.at("repository")
        const before = process.env["PORTICO_HOME"]
        process.env["PORTICO_HOME"] = home
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            if (before === undefined) delete process.env["PORTICO_HOME"]
            else process.env["PORTICO_HOME"] = before
          })
        )
        // A folder of its own, so that what is written beside the repository shows too.
        const inner = Object.assign(Object.create(temp) as TempFolder, { path: root })
        write(inner, [
          {
            at: "2024-01-01T00:00:00Z",
            by: ["Ada", "ada@example.org"],
            subject: "feat: begin",
            files,
            tag: "v1.0.0"
          },
          {
            at: "2024-02-01T00:00:00Z",
            by: ["Grace", "grace@example.org"],
            subject: "fix: totals",
            files: { "src/money.ts": files["src/money.ts"].replace("return n", "return n || 0") }
          }
        ])

        /** Serves the repository for as long as something lasts. */
        const serving = <A>(use: (context: Context.Context<any>) => Effect.Effect<A>) =>
          Effect.gen(function* () {
            const scope = yield* Scope.make()
            const context = yield* Layer.buildWithScope(
              layerFull({
                directory: root,
                // Watched, an answer need not look at the whole tree first.
                watch: true,
                sessions: new Sessions(),
                overlays: new Overlays(),
                revisions: new Revisions(),
                peers: () => []
              }),
              scope
            )
            const out = yield* use(context as Context.Context<any>)
            yield* Scope.close(scope, Exit.void)
            return out
          })
        const run = (context: Context.Context<any>, tool: string, args: object) =>
          Effect.gen(function* () {
            const selected = yield* select(catalog.facade(tool)!, args as never)
            return yield* selected.operation.run(selected.args) as Effect.Effect<unknown, unknown>
          }).pipe(
            Effect.provide(context),
            Effect.provideService(CallInfo, { requestId: "t" }),
            Effect.timeout("20 seconds"),
            Effect.exit
          )

        // Something of everything that can be stored.
        const records = yield* Scope.make()
        const ledger = Context.get(
          yield* Layer.buildWithScope(layerStore(fileOf(root)), records),
          AuditLedger
        )
        assert.strictEqual(yield* ledger.last, 0)
        yield* Scope.close(records, Exit.void)
        yield* serving((context) =>
          Effect.gen(function* () {
            yield* Effect.provide(
              Effect.flatMap(CodeGraph, ({ view }) => view),
              context
            )
            for (const args of [
              { operation: "enrich_churn" },
              { operation: "enrich_releases" },
              { operation: "blame" },
              { operation: "coverage", arguments: { profile: "coverage/lcov.info" } },
              { operation: "feedback", arguments: { action: "record", useful: ["src/money.ts::total"] } },
              { operation: "save_scope", arguments: { name: "mine", repos: "repository" } }
            ]) {
              const exit = yield* run(context, "workspace_admin", args)
              assert.isTrue(Exit.isSuccess(exit), `${JSON.stringify(args)} ${String(exit)}`)
            }
          }).pipe(Effect.orDie)
        )

        const earlier = yield* Effect.promise(() => stateOf(temp.path))
        assert.isTrue(Object.keys(earlier).some((path) => path.endsWith(".graph")))
        assert.isTrue(Object.keys(earlier).some((path) => path.endsWith(".control.db")))
        assert.isTrue(Object.keys(earlier).some((path) => path.endsWith("records.db")))

        const answered = new Set<string>()
        yield* serving((context) => {
          // Nothing but what reads may have.
          const allowed = Context.pick(...readTags)(context as never) as Context.Context<any>
          return Effect.forEach(
            reads,
            (one) =>
              Effect.forEach(asked(one), (args) =>
                Effect.map(run(allowed, one[0].name, args), (exit) => {
                  if (Exit.isSuccess(exit)) answered.add(`${one[0].name}.${one[1].name}`)
                })
              ),
            { discard: true }
          )
        })
        assert.deepStrictEqual(yield* Effect.promise(() => stateOf(temp.path)), earlier)
        const silent = reads
          .map(([facade, operation]) => `${facade.name}.${operation.name}`)
          .filter((name) => !answered.has(name))
        // Most of them did answer, or the test would show nothing.
        assert.isBelow(silent.length, reads.length / 4, silent.join(", "))
      }),
    240_000
  )
})
