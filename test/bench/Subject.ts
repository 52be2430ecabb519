/** The built command under measurement: a copy, so that a build made meanwhile changes nothing. */
import { cpSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { G, targetTier, Tier } from "../../src/engine/graph/Edges.ts"
import { loadSnapshot } from "../../src/engine/graph/Persist.ts"
import { qualifiedParts } from "../../src/engine/graph/Snapshot.ts"
import { D, R } from "../../src/engine/languages/Facts.ts"
import { definitionKinds, Role } from "../../src/engine/languages/Vocabulary.ts"
import { Client } from "./Client.ts"
import { type Measured, measure } from "./Command.ts"
import { bytesBelow, remove } from "./Room.ts"

const top = realpathSync(resolve(fileURLToPath(import.meta.url), "../../.."))

/** What an index holds. Sizes in bytes. */
export interface Contents {
  readonly files: number
  /** Files with facts, and their bytes. */
  readonly sourceFiles: number
  readonly sourceBytes: number
  readonly definitions: number
  readonly references: number
  /** Calls and constructions in the text. */
  readonly callSites: number
  /** Those whose target is known by more than its name. */
  readonly resolvedCallSites: number
  /** Different pairs of caller and callee among them. */
  readonly callEdges: number
  readonly storeBytes: number
}

/** Something to ask for: a definition of an indexed tree. */
export interface Asked {
  readonly id: string
  readonly name: string
}

export class Subject {
  readonly main: string
  readonly #home: string

  constructor(room: string) {
    const dist = join(room, "subject", "dist")
    cpSync(join(top, "dist"), dist, { recursive: true, preserveTimestamps: true })
    symlinkSync(join(top, "node_modules"), join(room, "subject", "node_modules"))
    this.main = join(dist, "main.js")
    this.#home = join(room, "home")
  }

  get env(): NodeJS.ProcessEnv {
    const { PORTICO_TOOLS: _, ...rest } = process.env
    return { ...rest, PORTICO_HOME: this.#home }
  }

  /** Fails when what the build stores is not what these sources read: the counts come from there. */
  async check(room: string): Promise<void> {
    const tree = join(room, "check")
    mkdirSync(tree)
    writeFileSync(join(tree, "one.js"), "export const one = () => 1\n")
    await this.index(tree)
    this.contents()
  }

  /** Forgets every index. */
  forget(): void {
    remove(this.#home)
  }

  /** Indexes a tree from nothing. */
  index(tree: string): Promise<Measured> {
    this.forget()
    return measure(process.execPath, [this.main, "index", "--json"], { cwd: tree, env: this.env })
  }

  serve(tree: string): Client {
    return new Client(process.execPath, [this.main, "mcp"], { cwd: tree, env: this.env })
  }

  #stored() {
    const graphs = join(this.#home, "graphs")
    const [file] = readdirSync(graphs, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".graph")
    )
    if (file === undefined) throw new Error("no index was stored")
    const path = join(graphs, file)
    const worker = statSync(resolve(this.main, "../worker.js"))
    const loaded = loadSnapshot(path, `${worker.size}.${worker.mtimeMs}`) ?? loadSnapshot(path, "source")
    if (loaded === undefined)
      throw new Error("the stored index cannot be read: the build is of other sources than this bench")
    return loaded.snapshot
  }

  /** Counts what the last index stored. */
  contents(): Contents {
    const { files, resolved } = this.#stored()
    let listed = 0
    let sourceFiles = 0
    let sourceBytes = 0
    let definitions = 0
    let references = 0
    let callSites = 0
    let resolvedCallSites = 0
    let callEdges = 0
    for (const file of files) {
      if (file === undefined) continue
      listed++
      const { view } = file
      if (view === undefined) continue
      sourceFiles++
      sourceBytes += file.size
      definitions += view.definitionCount
      references += view.referenceCount
      const isCall = (index: number) => {
        const role = (view.ref(index, R.place) >>> 16) & 15
        return role === Role.call || role === Role.new
      }
      for (let i = 0; i < view.referenceCount; i++) if (isCall(i)) callSites++
      const edges = resolved[file.id]?.edges
      if (edges === undefined) continue
      const known = new Set<number>()
      const pairs = new Set<string>()
      for (let p = 0; p < edges.length; p += G.size) {
        const source = edges[p + G.source]!
        const target = edges[p + G.target]!
        if (source < 0 || targetTier(target) > Tier.inferred || !isCall(source)) continue
        known.add(source)
        pairs.add(`${view.ref(source, R.within)} ${edges[p + G.file]} ${target & 0xffffff}`)
      }
      resolvedCallSites += known.size
      callEdges += pairs.size
    }
    return {
      files: listed,
      sourceFiles,
      sourceBytes,
      definitions,
      references,
      callSites,
      resolvedCallSites,
      callEdges,
      storeBytes: bytesBelow(join(this.#home, "graphs"))
    }
  }

  /** Functions and methods of the last index that can be named by path and qualified name alone. */
  functions(): ReadonlyArray<Asked> {
    const { files, names } = this.#stored()
    const found: Array<Asked> = []
    const ids = new Map<string, number>()
    for (const file of files) {
      const view = file?.view
      if (view === undefined) continue
      for (let i = 0; i < view.definitionCount; i++) {
        const kind = definitionKinds[view.def(i, D.kind)]!
        if (kind !== "function" && kind !== "method") continue
        const name = names.text(view.def(i, D.name))
        if (!/^[\p{L}_$][\p{L}\p{N}_$]{3,}$/u.test(name)) continue
        const id = `${file!.path}::${qualifiedParts(view, names, i).join(".")}`
        // Definitions that share an id are told apart by what follows it; here they are left out.
        ids.set(id, (ids.get(id) ?? 0) + 1)
        found.push({ id, name })
      }
    }
    return found.filter(({ id }) => ids.get(id) === 1)
  }

  /** Paths of the files with facts. */
  sources(): ReadonlyArray<string> {
    return this.#stored().files.flatMap((file) => (file?.view === undefined ? [] : [file.path]))
  }
}
