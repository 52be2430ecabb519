/** Go: each package's tests are built once with coverage of all packages, then run one by one. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { type Measure, Functions, type TestRun } from "./Coverage.ts"

/** Milliseconds for one test. */
const patience = 60_000

const listed = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

export const measureGo: Measure = (tree) => {
  const go = (args: ReadonlyArray<string>): string =>
    execFileSync("go", [...args], { cwd: tree.root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
  const module = go(["list", "-m"]).trim()
  const functions = new Functions(tree.view)
  const room = resolve(tree.root, "..", "coverage")
  mkdirSync(room)
  const profile = join(room, "profile")
  /** Parts that ran, by file of the tree. */
  const ranIn = (): ReadonlySet<string> => {
    const parts = new Map<string, Array<readonly [number, number]>>()
    for (const line of listed(readFileSync(profile, "utf8")).slice(1)) {
      const found = /^(.*):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/.exec(line)
      if (found === null || found[4] === "0" || !found[1]!.startsWith(`${module}/`)) continue
      const path = found[1]!.slice(module.length + 1)
      const known = parts.get(path) ?? []
      known.push([Number(found[2]), Number(found[3])])
      parts.set(path, known)
    }
    return new Set([...parts].flatMap(([path, some]) => [...functions.holding(path, some)]))
  }
  const tests: Array<TestRun> = []
  const atLoad = new Set<string>()
  const packages = listed(go(["list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}", "./..."]))
  for (const [place, directory] of packages.entries()) {
    const folder = relative(tree.root, directory)
    const program = join(room, `${place}.test`)
    go(["test", "-c", "-cover", "-coverpkg=./...", "-o", program, directory])
    if (!existsSync(program)) continue
    const run = (name: string): ReadonlySet<string> => {
      spawnSync(program, [`-test.run=^${name}$`, `-test.coverprofile=${profile}`], {
        cwd: directory,
        stdio: "ignore",
        timeout: patience
      })
      return existsSync(profile) ? ranIn() : new Set()
    }
    const without = run("")
    for (const id of without) atLoad.add(id)
    const names = listed(
      execFileSync(program, ["-test.list", "^(Test|Example)"], {
        cwd: directory,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"]
      })
    ).filter((name) => /^(?:Test|Example)/.test(name))
    const where = new Map<string, string>()
    for (const { path, test } of tree.view.files())
      if (test && (dirname(path) === "." ? "" : dirname(path)) === folder)
        for (const ref of tree.view.definitions(path))
          if (tree.view.isCase(ref)) where.set(tree.view.nameOf(ref), path)
    for (const name of names)
      tests.push({ key: `${folder}::${name}`, path: where.get(name), covers: run(name) })
  }
  return {
    tests,
    atLoad,
    keyOf: ({ file, name }) => `${dirname(file) === "." ? "" : dirname(file)}::${name}`
  }
}
