/** Other indexers, installed apart from us and run as their documentation says. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Measured, measure } from "./Command.ts"
import { bytesBelow, remove } from "./Room.ts"

export interface PeerContents {
  /** Nodes without files, folders and imports. */
  readonly definitions: number
  /** Those of them that are parameters, which not every tool counts. */
  readonly parameters: number
  /** Different pairs of caller and callee. */
  readonly callEdges: number | undefined
  readonly storeBytes: number
}

interface Recipe {
  /** Of the package. */
  readonly name: string
  readonly version: string
  readonly database: string
  readonly index: ReadonlyArray<string>
  /** After a file has changed. */
  readonly update: ReadonlyArray<string>
  readonly noDefinitions: ReadonlyArray<string>
  readonly pair: string
}

const recipes: ReadonlyArray<Recipe> = [
  {
    name: "@colbymchenry/codegraph",
    version: "1.6.1",
    database: "codegraph.db",
    index: ["init", "--yes", "."],
    update: ["sync", "--quiet", "."],
    noDefinitions: ["file", "import"],
    pair: "source, target"
  },
  {
    name: "@optave/codegraph",
    version: "3.11.2",
    database: "graph.db",
    index: ["build", "."],
    update: ["build", "."],
    noDefinitions: ["file", "directory"],
    pair: "source_id, target_id"
  }
]

/** A database as far as it is needed here. */
interface Database {
  prepare(sql: string): { get(): { readonly n: number } }
  close(): void
}

export class Peer {
  readonly name: string
  readonly version: string
  readonly #recipe: Recipe
  readonly #folder: string
  readonly #home: string

  constructor(recipe: Recipe, folder: string, home: string) {
    this.name = recipe.name
    this.version = recipe.version
    this.#recipe = recipe
    this.#folder = folder
    this.#home = home
    mkdirSync(home, { recursive: true })
  }

  #run(args: ReadonlyArray<string>, tree: string): Promise<Measured> {
    return measure(join(this.#folder, "node_modules/.bin/codegraph"), args, {
      cwd: tree,
      env: { ...process.env, HOME: this.#home, DO_NOT_TRACK: "1", CODEGRAPH_TELEMETRY: "off" }
    })
  }

  /** Indexes a tree from nothing. */
  index(tree: string): Promise<Measured> {
    remove(join(tree, ".codegraph"))
    return this.#run(this.#recipe.index, tree)
  }

  update(tree: string): Promise<Measured> {
    return this.#run(this.#recipe.update, tree)
  }

  contents(tree: string): PeerContents {
    const { database, noDefinitions, pair } = this.#recipe
    // One of the peers brings a reader of the databases that both write.
    const require = createRequire(join(this.#folder, "..", "optave", "package.json"))
    const Sqlite = require("better-sqlite3") as new (file: string, options: object) => Database
    const file = new Sqlite(join(tree, ".codegraph", database), { readonly: true })
    try {
      const count = (sql: string) => file.prepare(`SELECT count(*) AS n FROM ${sql}`).get().n
      return {
        definitions: count(
          `nodes WHERE kind NOT IN (${noDefinitions.map((kind) => `'${kind}'`).join(", ")})`
        ),
        parameters: count("nodes WHERE kind = 'parameter'"),
        callEdges: count(`(SELECT DISTINCT ${pair} FROM edges WHERE kind = 'calls')`),
        storeBytes: bytesBelow(join(tree, ".codegraph"))
      }
    } finally {
      file.close()
    }
  }
}

const install = (folder: string, name: string, version: string): void => {
  if (existsSync(join(folder, "node_modules", name, "package.json"))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`)
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-progress", `${name}@${version}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"]
  })
}

const folderOf = (top: string, name: string): string => join(top, name.slice(1).split("/")[0]!)

/** Installs the peers below the system's temporary folder, where they stay for the next run, and returns those named. */
export const peers = (home: string, named: ReadonlyArray<string>): ReadonlyArray<Peer> => {
  const top = join(tmpdir(), "portico-bench-peers")
  // All are installed: what reads their databases comes with one of them.
  for (const { name, version } of recipes) install(folderOf(top, name), name, version)
  const wanted = recipes.filter(({ name }) => named.length === 0 || named.some((part) => name.includes(part)))
  if (wanted.length === 0) throw new Error(`no peer is named ${named.join(" or ")}`)
  return wanted.map((recipe) => {
    const folder = folderOf(top, recipe.name)
    return new Peer(recipe, folder, join(home, recipe.name.slice(1).replace("/", "-")))
  })
}
