/** The benchmark: `npm run bench -- [--quick] [--peers] [--trees DIR…] [--only PART…] [--runs N] [--copies N] [--sessions N] [--seconds N] [--json FILE]`. Needs procfs. */
import { execFileSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { analyzing } from "./Analyzing.ts"
import { changing } from "./Changing.ts"
import { indexing } from "./Indexing.ts"
import { loading } from "./Loading.ts"
import { load, machine } from "./Machine.ts"
import { peers } from "./Peers.ts"
import { markdown, type TreeReport } from "./Report.ts"
import { renaming } from "./Renaming.ts"
import { repositories, type Tracked } from "./Repositories.ts"
import { copyTree, makeRoom, nameOf, remove } from "./Room.ts"
import { serving } from "./Serving.ts"
import { starting } from "./Starting.ts"
import { random } from "./Statistics.ts"
import { Subject } from "./Subject.ts"
import { type WorkTrees, workTrees } from "./WorkTrees.ts"
import { writing } from "./Writing.ts"

const usage = `npm run bench -- [OPTION…]

  --trees DIR…   work trees or git directories to measure on; this repository when absent
  --peers        measure other indexers too, in turns with ours; installs them below the temporary folder
  --peer NAME…   only peers whose package name holds this; implies --peers
  --quick        fewer runs and calls
  --runs N       runs of each indexing, 3 when absent
  --only PART…   index, change, start, serve, write, analyses, http, repositories; the first five when absent (a tree
                 is indexed once for any but the last); http is many sessions at once and takes eight minutes a tree; repositories
                 adds work trees to each tree, and takes copies of all of them together; change is one changed file and, as write alone, the change loop
  --sessions N   how many sessions http has, 200 when absent
  --seconds N    how long each round of http goes on, 60 when absent
  --copies N     how many copies repositories tracks, 50 when absent
  --seed N       chooses other symbols, texts and files
  --json FILE    writes all numbers there
  --built        measures dist/ as it is, without building
`
const parts = ["index", "change", "start", "serve", "write", "analyses", "http", "repositories"] as const
/** Parts that have to be asked for. */
const asked: ReadonlySet<string> = new Set(["analyses", "http", "repositories"])

/** Options that take every word up to the next option. */
const lists = new Set(["--trees", "--only", "--peer"])

const read = () => {
  // A list goes on to the next option.
  const args: Array<string> = []
  let list: string | undefined
  for (const word of process.argv.slice(2)) {
    if (word.startsWith("--")) list = lists.has(word) ? word : undefined
    if (list === undefined) args.push(word)
    else if (word !== list) args.push(list, word)
  }
  const { values } = parseArgs({
    args,
    options: {
      trees: { type: "string", multiple: true, default: [] },
      only: { type: "string", multiple: true, default: [] },
      peers: { type: "boolean", default: false },
      peer: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      built: { type: "boolean", default: false },
      runs: { type: "string" },
      copies: { type: "string" },
      sessions: { type: "string" },
      seconds: { type: "string" },
      seed: { type: "string", default: "1" },
      json: { type: "string" }
    }
  })
  const runs = values.runs === undefined ? (values.quick ? 1 : 3) : Number(values.runs)
  const seed = Number(values.seed)
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a number from 1 on")
  if (!Number.isInteger(seed)) throw new Error("--seed takes a whole number")
  const whole = (name: "copies" | "sessions" | "seconds", standard: number): number => {
    const value = Number(values[name] ?? standard)
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a number from 1 on`)
    return value
  }
  const wrong = values.only.find((part) => !(parts as ReadonlyArray<string>).includes(part))
  if (wrong !== undefined) throw new Error(`there is no part ${wrong}`)
  return {
    ...values,
    runs,
    seed,
    copies: whole("copies", 50),
    sessions: whole("sessions", 200),
    seconds: whole("seconds", values.quick ? 10 : 60),
    wants: (part: (typeof parts)[number]) =>
      values.only.length === 0 ? !asked.has(part) : values.only.includes(part)
  }
}

const commitOf = (tree: string): string | undefined => {
  try {
    return execFileSync("git", ["-C", tree, "rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    }).trim()
  } catch {
    return undefined
  }
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

let options: ReturnType<typeof read>
try {
  options = read()
} catch (cause) {
  say(`bench: ${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`)
  process.exit(2)
}
if (!existsSync("/proc/self/stat")) {
  say("bench: processes are measured through procfs, which is not here")
  process.exit(2)
}
if (!options.built) {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL("../../src/build/build.mjs", import.meta.url)), "--if-stale"],
    { stdio: "inherit" }
  )
}
const { copies, quick, runs, seconds, seed, sessions, wants } = options
const sources = options.trees.length > 0 ? options.trees : [fileURLToPath(new URL("../..", import.meta.url))]
const loadBefore = load()
const room = makeRoom()
process.on("exit", () => remove(room))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130))
const subject = new Subject(room)
await subject.check(room)
const others = options.peers || options.peer.length > 0 ? peers(join(room, "peers"), options.peer) : []
const trees: Array<TreeReport> = []
let tracked: Tracked | undefined
const further: Array<readonly [tree: string, of: WorkTrees]> = []
const write = () => {
  const report = { machine: machine(), loadBefore, loadAfter: load(), trees, tracked, workTrees: further }
  if (options.json !== undefined)
    writeFileSync(
      resolve(process.env["INIT_CWD"] ?? ".", options.json),
      `${JSON.stringify(report, null, 2)}\n`
    )
  return report
}
// Parts of one tree each.
for (const source of parts.some((part) => part !== "repositories" && wants(part)) ? sources : []) {
  const name = nameOf(source)
  const next = random(seed)
  const tree = copyTree(source, join(room, "trees", name))
  say(`${name}: indexing`)
  const placed = wants("index")
    ? others.map((peer, i) => ({ peer, tree: copyTree(tree, join(room, "trees", `${name}.${i}`)) }))
    : []
  const indexed = await indexing(subject, placed, tree, { runs: wants("index") ? runs : 1, say })
  let report: TreeReport = { tree: name, commit: commitOf(tree), indexed }
  const functions = subject.functions()
  if (functions.length === 0) say(`${name}: no functions to ask for`)
  else {
    if (wants("start")) {
      say(`${name}: starting`)
      const asked = functions[Math.floor(next() * functions.length)]!
      report = {
        ...report,
        started: await starting(subject, tree, asked, join(room, "tokens"), quick ? 3 : 15)
      }
    }
    if (wants("serve")) {
      say(`${name}: serving`)
      report = {
        ...report,
        served: await serving(subject, tree, functions, { count: quick ? 40 : 200, next })
      }
    }
    if (wants("write") || wants("change")) {
      say(`${name}: the change loop`)
      report = {
        ...report,
        written: await writing(subject, tree, functions, { count: quick ? 40 : 200, next }),
        renamed: await renaming(subject, tree, functions, { runs: quick ? 2 : 5, next, say })
      }
    }
    if (wants("http")) {
      say(`${name}: many sessions`)
      const restMs = quick ? 2000 : 10_000
      const loaded = await loading(subject, tree, functions, room, { sessions, seconds, next, say, restMs })
      report = { ...report, loaded }
    }
    if (wants("analyses")) {
      say(`${name}: analyses`)
      report = {
        ...report,
        analyzed: await analyzing(subject, tree, functions, {
          count: quick ? 40 : 200,
          starts: quick ? 1 : 3,
          next
        })
      }
    }
    if (wants("change")) {
      say(`${name}: changing`)
      report = { ...report, changed: await changing(subject, placed, tree, { edits: quick ? 4 : 12, next }) }
    }
  }
  trees.push(report)
  write()
  for (const copy of [tree, ...placed.map((each) => each.tree)]) remove(copy)
}
for (const source of wants("repositories") ? sources : []) {
  const name = nameOf(source)
  say(`${name}: further work trees`)
  const tree = copyTree(source, join(room, "trees", name))
  await subject.index(tree)
  const functions = subject.functions()
  const asked = functions[functions.length >> 1]
  if (asked !== undefined) further.push([name, await workTrees(subject, tree, asked, room, quick ? 3 : 9)])
  remove(tree)
}
if (wants("repositories")) tracked = await repositories(subject, sources, room, { count: copies, say })
process.stdout.write(`${markdown(write())}\n`)
