/** TypeScript with vitest: the engine's own counts of calls, taken after each test in the process that runs it. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { Functions, type Measure, type TestRun } from "./Coverage.ts"

/** A line a test: where it is, and the functions that ran, as file and first and last line. */
interface Record {
  readonly file: string
  readonly line: number
  readonly ran: ReadonlyArray<readonly [path: string, from: number, to: number]>
}

/** Runs in every test file. Functions are told by where they are in the sources, through the maps of what is really run. */
const setup = (room: string) => `
import { appendFileSync } from "node:fs"
import inspector from "node:inspector"
import { SourceMap } from "node:module"
import { afterEach, beforeEach } from "vitest"

const session = new inspector.Session()
session.connect()
const ask = (method, params) => {
  let out
  session.post(method, params, (error, answer) => { if (error) throw new Error(error.message); out = answer })
  return out
}
ask("Debugger.enable")
ask("Profiler.enable")
ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
const scripts = new Map()
const scriptOf = (id) => {
  let known = scripts.get(id)
  if (known === undefined) {
    const text = ask("Debugger.getScriptSource", { scriptId: id }).scriptSource
    const starts = [0]
    for (let at = text.indexOf("\\n"); at >= 0; at = text.indexOf("\\n", at + 1)) starts.push(at + 1)
    const found = text.lastIndexOf("sourceMappingURL=data:")
    let map
    if (found >= 0) {
      const data = /base64,([A-Za-z0-9+/=]+)/.exec(text.slice(found))
      if (data) map = new SourceMap(JSON.parse(Buffer.from(data[1], "base64").toString("utf8")))
    }
    scripts.set(id, (known = { starts, map }))
  }
  return known
}
const lineOf = ({ map, starts }, offset) => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle] <= offset) low = middle
    else high = middle - 1
  }
  if (map === undefined) return low + 1
  const entry = map.findEntry(low, offset - starts[low])
  return entry.originalLine === undefined ? 0 : entry.originalLine + 1
}
const take = () => ask("Profiler.takePreciseCoverage").result
beforeEach(() => { take() })
afterEach(({ task }) => {
  const ran = []
  for (const { functions, scriptId, url } of take()) {
    const path = url.replace(/^file:\\/\\//, "").replace(/\\?.*$/, "")
    if (!path.startsWith("/") || path.includes("/node_modules/")) continue
    for (const { functionName, ranges } of functions) {
      const [{ count, endOffset, startOffset }] = ranges
      if (count === 0) continue
      const script = scriptOf(scriptId)
      ran.push([path, lineOf(script, startOffset), lineOf(script, Math.max(startOffset, endOffset - 1))])
    }
  }
  appendFileSync(
    ${JSON.stringify(room)} + "/" + process.pid + ".jsonl",
    JSON.stringify({ file: task.file.filepath, line: task.location?.line ?? 0, ran }) + "\\n"
  )
})
`

const names = ["ts", "mts", "js", "mjs"].map((ending) => `vitest.config.${ending}`)

/** The tree's own configuration, with the setup before its others. */
const configuration = (own: string | undefined, file: string) => `
${own === undefined ? "const own = {}" : `import own from "./${own}"`}
const more = (config) => {
  const { setupFiles } = config.test ?? {}
  return {
    ...config,
    test: {
      ...config.test,
      includeTaskLocation: true,
      coverage: { enabled: false },
      setupFiles: [${JSON.stringify(file)}, ...(setupFiles === undefined ? [] : [setupFiles].flat())]
    }
  }
}
export default async (env) => {
  const config = await (typeof own === "function" ? own(env) : own)
  const projects = config.test?.projects?.filter((each) => typeof each !== "string")
  return more(
    projects === undefined || projects.length === 0
      ? { ...config, test: { ...config.test, projects: undefined } }
      : { ...config, test: { ...config.test, projects: projects.slice(0, 1).map((each) => (each.extends ? each : more(each))) } }
  )
}
`

export const measureVitest: Measure = (tree) => {
  const room = resolve(tree.root, "..", "coverage")
  mkdirSync(room)
  const file = join(tree.root, "measured.setup.mjs")
  writeFileSync(file, setup(room))
  const config = join(tree.root, "measured.config.mts")
  writeFileSync(
    config,
    configuration(
      names.find((name) => existsSync(join(tree.root, name))),
      file
    )
  )
  spawnSync(
    process.execPath,
    [join(tree.root, "node_modules", "vitest", "vitest.mjs"), "run", "--config", config, "--silent"],
    { cwd: tree.root, stdio: "ignore" }
  )
  for (const made of [file, config]) rmSync(made)
  const functions = new Functions(tree.view)
  const tests = new Map<string, { readonly path: string; readonly covers: Set<string> }>()
  for (const name of readdirSync(room))
    for (const line of readFileSync(join(room, name), "utf8").split("\n")) {
      if (line === "") continue
      const record = JSON.parse(line) as Record
      const path = relative(tree.root, record.file)
      const key = `${path}:${record.line}`
      const test = tests.get(key) ?? { path, covers: new Set<string>() }
      tests.set(key, test)
      for (const [where, from, to] of record.ran) {
        const id = functions.headed(relative(tree.root, where), from, to)
        if (id !== undefined) test.covers.add(id)
      }
    }
  return {
    tests: [...tests].map(([key, { covers, path }]): TestRun => ({ key, path, covers })),
    atLoad: new Set(),
    keyOf: ({ file: path, line }) => `${path}:${line}`
  }
}
